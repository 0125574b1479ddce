// How good tests are: small changes are made to the programs that they run, and each should make one of them fail.
//
//   const MutationRun run = run_mutations(*plan, block_files(*plan, paths), options, {});
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "weft/workbench/testing.h"

namespace weft::workbench {

struct MutationOptions {
  unsigned mutants = 40;  ///< of each block
  uint64_t seed = 1;      ///< which ones
  std::string only;       ///< the id of the one mutant to run; empty: those that the seed chooses
  TestOptions run;        ///< jobs, timeout, engine, interrupt
};

struct MutantOutcome {
  enum class State : uint8_t { killed, survived, equivalent };
  std::string id;  ///< "lib/block.uc:12: + becomes -"
  std::string file;
  unsigned line = 0;
  std::string line_text;
  std::string label;         ///< the label before the line in its macro, without one the macro; may be empty
  unsigned nth = 1, of = 1;  ///< which of the lines with this text after that label
  std::string mutation;
  std::string before, after;  ///< the instruction, in the first program that holds it
  State state = State::survived;
  std::string reason;       ///< of an equivalent one
  bool by_hand = false;     ///< a test file lists it as equivalent
  size_t cases = 0;         ///< that executed the word and were run with it
  std::string killer;       ///< the case that failed, "FILE: NAME"
  std::string killer_text;  ///< what it said
};

struct BlockMutation {
  std::string file;
  size_t possible = 0;                 ///< mutants that encode
  size_t refused = 0;                  ///< mutations that no word of the profile expresses
  bool executed = false;               ///< by any test
  std::vector<MutantOutcome> mutants;  ///< those that were made, by line
  size_t count(MutantOutcome::State state) const;
  /// Killed ones of those that are not equivalent, in per cent.
  double percent() const;
};

struct MutationRun {
  std::vector<BlockMutation> blocks;
  std::vector<CaseOutcome> failed;  ///< cases that fail without any change: no mutant is judged by them
  Diagnostics problems;             ///< entries of "equivalent" that are wrong, mutants that crashed the emulator
  std::set<std::string> read;       ///< files that the cases have read
  bool interrupted = false;
};

/// `progress` is called as runs end: how many, of at most how many, and what they were.
MutationRun run_mutations(const TestPlan& plan, const std::vector<std::string>& blocks, const MutationOptions& options,
                          const std::function<void(size_t done, size_t all, const char* what)>& progress);

}  // namespace weft::workbench
