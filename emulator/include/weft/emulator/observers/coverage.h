// Coverage: how often each control-store word was executed by each context, and which way its branches went.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/observers/programs.h"

namespace weft::emulator {

class Coverage : public Observer {
 public:
  struct Word {
    std::array<uint64_t, kContexts> executed{};
    std::array<uint64_t, kContexts> taken{};  ///< branches only; those not taken are the rest of `executed`
    bool branch = false;
    bool conditional = false;  ///< false: br, jump and rtn, which are always taken

    uint64_t all_executed() const;
    uint64_t all_taken() const;
    uint64_t all_not_taken() const { return branch ? all_executed() - all_taken() : 0; }
    WEFT_FIELDS(Word, executed, taken, branch, conditional)
  };

  /// Programs must be loaded. `machine` must outlive the observer.
  explicit Coverage(const Machine& machine);
  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_branch(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_counts(unsigned engine, const WordCounts& counts) override;
  bool reads_state() const override { return false; }
  bool may_stop() const override { return false; }
  bool takes_counts() const override { return true; }
  bool takes_values() const override { return false; }
  bool takes_commands() const override { return false; }

  unsigned engines() const { return static_cast<unsigned>(engines_.size()); }
  const std::vector<Word>& words(unsigned engine) const {
    machine_.tell_counts();
    return engines_.at(engine);
  }

 private:
  friend struct weft::fields::Access;
  WEFT_FIELDS(Coverage, engines_)
  /// Words loaded after the observer was made have records when they are executed.
  Word& word(unsigned engine, size_t pc) {
    auto& words = engines_[engine];
    const auto octets = reinterpret_cast<const char*>(std::to_address(words.end())) -
                        reinterpret_cast<const char*>(words.data());  // size() would be a division
    return pc * sizeof(Word) < static_cast<size_t>(octets) ? words[pc] : new_word(engine, pc);
  }
  [[gnu::noinline]] Word& new_word(unsigned engine, size_t pc) {
    engines_[engine].resize(pc + 1);
    return engines_[engine][pc];
  }

  const Machine& machine_;
  std::vector<std::vector<Word>> engines_;
};

/// An lcov tracefile: one test name (TN) per microengine, one record per source file. A line counts as often as its
/// most executed word; so do the lines of macro calls, over the words of the call. Labels are the functions. Branch 0
/// of a word is "taken", 1 is "not taken", the block number is the word's address. Words without a source line do not
/// appear.
std::string to_lcov(const Coverage& coverage, const Images& images);
/// One row per word: engine, address, executed per context and in all, taken, not taken, file, line, text.
std::string to_csv(const Coverage& coverage, const Images& images);
/// The same as JSON, version 1 (docs/observers.md).
std::string to_json(const Coverage& coverage, const Images& images);

}  // namespace weft::emulator
