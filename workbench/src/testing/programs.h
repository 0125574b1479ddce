// The programs of cases, assembled once for all cases that run the same ones.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "project/build.h"
#include "testing/mutants.h"
#include "testing/suite.h"
#include "weft/image/places.h"

namespace weft::workbench::testing {

/// A word of a block.
struct Site {
  std::string file;
  uint32_t line = 0, ordinal = 0;
  auto operator<=>(const Site&) const = default;
};

/// What one LoadedProgram consists of; engines with the same words share it.
struct ProgramWords {
  std::vector<std::pair<unsigned, size_t>> loaded;  ///< chip, and index into Linked::programs
  isa::Profile profile{};
  std::vector<uint64_t> words;
  std::vector<std::string> files;  ///< normalised names, empty for those that do not exist
  std::vector<image::WordPlace> places;
  std::vector<std::optional<isa::Instruction>> instructions;

  /// Addresses of the words of a place; several where a macro is called several times.
  std::vector<size_t> words_at(const Site& site) const;
};

struct Prepared {
  Built built;
  std::vector<ProgramWords> programs;
};

class ProgramStore {
 public:
  /// Diagnostics: those of build().
  Result<std::shared_ptr<Prepared>> prepare(const Project& project, const std::string& project_file);

 private:
  std::map<std::string, std::shared_ptr<Prepared>> known_;
};

/// Changes the words of a place in all programs; false when none of them can be changed so.
bool apply(Prepared& prepared, const Site& site, const std::string& mutation);
/// The same for programs that were built anew.
bool apply(Built& built, const Site& site, const std::string& mutation);

}  // namespace weft::workbench::testing
