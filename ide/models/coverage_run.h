// What a run has executed, as values: counts of each control-store word, and what the word is. Taken from a machine, or
// read from a file that `weft run --coverage` or the view has written.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/workbench/inspect.h"

namespace weft::ide {

using workbench::Inspector;
using CoverageCounts = emulator::Coverage::Word;

/// What a program says of one of its words.
struct CoverageWord {
  std::string label;  ///< "loop#+2"
  std::string file;   ///< as the assembler read it; empty: not known
  uint32_t line = 0;
  std::string text;  ///< the instruction
};

/// What does not change while it runs.
struct CoverageProgram {
  std::string name;
  std::vector<CoverageWord> words;
  std::vector<image::Label> labels;  ///< by address
  uint64_t shape = 0;                ///< equal where the same labels and lines stand at the same addresses
};

struct CoverageEngine {
  unsigned chip = 0, engine = 0;
  unsigned contexts = emulator::kContexts;  ///< that the chip has
  std::shared_ptr<const CoverageProgram> program;
  std::vector<CoverageCounts> counts;  ///< one for each word
};

struct CoverageRun {
  bool recorded = false;
  uint64_t cycle = 0;                   ///< up to which was counted
  std::vector<std::string> chips;       ///< one without a name on a board of one chip
  std::vector<CoverageEngine> engines;  ///< those with words
};

/// Disassembly and places of programs, which are the same until the next build. Lives where questions run.
class CoveragePrograms {
 public:
  std::shared_ptr<const CoverageProgram> of(const Inspector& machine, unsigned chip, unsigned engine, size_t words);

 private:
  std::map<std::pair<unsigned, unsigned>, std::shared_ptr<const CoverageProgram>> known_;
};

CoverageRun take_coverage(const Inspector& machine, CoveragePrograms& programs);

/// The images of a chip, as the writers of files want them.
emulator::Images images_of(const Inspector& machine, unsigned chip);
enum class CoverageFormat { lcov, csv, json };
/// The file that `weft run --coverage` writes of the same run. Empty: it was not recorded.
std::string coverage_file(const Inspector& machine, unsigned chip, CoverageFormat format);

/// What the present run is compared with.
struct KeptCoverage {
  std::string title;
  CoverageRun run;
  /// Of an lcov file, which knows no words: counts by microengine, file and line.
  std::map<unsigned, std::map<std::string, std::map<uint32_t, uint64_t>>> lines;
  bool by_line() const { return run.engines.empty() && !lines.empty(); }
};

/// The text of an lcov tracefile or of the JSON form (docs/observers.md), both as `weft run --coverage` writes them.
/// Diagnostics: coverage-file, with the line.
Result<KeptCoverage> parse_coverage(const std::string& name, const std::string& text);

/// What is shown: one microengine, or all of a chip that run the same program, summed word by word.
struct CoverageChoice {
  unsigned chip = 0;
  std::vector<unsigned> engines;
  bool operator==(const CoverageChoice&) const = default;
};
struct CoverageSeries {
  CoverageChoice choice;
  unsigned contexts = 0;
  std::shared_ptr<const CoverageProgram> program;  ///< null: there is none
  std::vector<CoverageCounts> counts;

  uint32_t size() const { return static_cast<uint32_t>(counts.size()); }
  /// Of a context, or of all with -1.
  uint64_t count(uint32_t address, int context = -1) const {
    return context < 0 ? counts[address].all_executed() : counts[address].executed[static_cast<size_t>(context)];
  }
};
/// Each microengine, and before them those that run the same program, when there are several.
std::vector<CoverageChoice> choices(const CoverageRun& run);
CoverageSeries series_of(const CoverageRun& run, const CoverageChoice& choice);

/// Counts of the other run for the words of this one; nothing where it has no such word. Words are the same when they
/// stand at the same address and are the same instruction; where the programs differ, when they are as far behind the
/// same label. From an lcov file each word has the count of its line, of all contexts. `context`: -1 for all.
std::vector<std::optional<uint64_t>> counterparts(const CoverageSeries& now, const KeptCoverage& kept,
                                                  int context = -1);
/// What a word is compared as: its own count, or that of its line, as lcov counts lines, which knows no contexts.
std::vector<uint64_t> compared_counts(const CoverageRun& run, const CoverageSeries& now, bool by_line,
                                      int context = -1);

}  // namespace weft::ide
