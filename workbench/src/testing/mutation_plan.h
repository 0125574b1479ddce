// Which mutants there are, and which of them are made.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testing/programs.h"
#include "testing/suite.h"

namespace weft::workbench::testing {

struct Candidate {
  Mutation::Kind kind{};
  std::string before, after;
  /// Why it is equivalent: only when that holds for every word of the place.
  std::optional<std::string> proven;
};

/// The mutants of the blocks, by place and name of the mutation.
class MutantCatalogue {
 public:
  explicit MutantCatalogue(const std::vector<std::string>& blocks);
  void add(const Prepared& prepared);

  struct Key {
    Site site;
    std::string mutation;
    auto operator<=>(const Key&) const = default;
    std::string id() const;
  };
  const std::map<Key, Candidate>& candidates(const std::string& block) const;
  size_t refused(const std::string& block) const;

  /// `max` of a block, chosen by the seed: place and kind first, so that operations with many variants do not crowd
  /// out the rest.
  std::vector<Key> choose(const std::string& block, unsigned max, uint64_t seed) const;
  const std::vector<std::string>& lines(const std::string& block) const;

  /// Where a line stands, so that it is known again when others come before it.
  struct Context {
    std::string label;         ///< contexts_of(); may be empty
    unsigned nth = 1, of = 1;  ///< which of the lines with the same text after that label
  };
  Context context(const std::string& block, uint32_t line) const;

 private:
  struct Block {
    std::map<Key, Candidate> candidates;
    std::map<Key, bool> refused;               ///< true: no program has a word for it
    std::vector<std::string> lines, contexts;  ///< as long as each other
  };
  std::map<std::string, Block> blocks_;
};

/// The reasons that test files give, by mutant. Diagnostics: test-equivalent.
struct ListedEquivalent {
  std::string reason;
  SourceRange range;
};
std::map<MutantCatalogue::Key, ListedEquivalent> listed_equivalents(
    const std::vector<std::shared_ptr<const Suite>>& suites, const MutantCatalogue& catalogue, Diagnostics& out);

}  // namespace weft::workbench::testing
