// What the optimiser may do with one instruction: whom it depends on, and which neighbours need the distance it makes.
#pragma once

#include <vector>

#include "flow/accesses.h"
#include "flow/flow.h"
#include "resolver/ir.h"

namespace weft::assembler {

class OptimizerRules {
 public:
  OptimizerRules(const Program& program, const Flow& flow, const std::vector<bool>& fixed);

  /// An instruction that can move at all.
  bool movable(uint32_t i) const;
  /// The instruction may execute after `past`, before which it stands, as far as registers go.
  bool independent(uint32_t i, uint32_t past) const;
  /// Its names are still in scope after instruction `last`.
  bool in_scope_until(uint32_t i, uint32_t last) const;
  /// Some instruction before `i` takes effect only after it, so the distance matters.
  bool padding(uint32_t i, bool signals_too) const;
  bool has_hint(uint32_t i) const { return hint_[i]; }
  bool fixed(uint32_t i) const { return fixed_[i]; }

  bool sets_codes(uint32_t i) const;
  bool reads_codes(uint32_t i) const;
  bool sets_previous(uint32_t i) const;
  bool reads_previous(uint32_t i) const;
  /// Somebody after `i` reads what is set before it.
  bool codes_live_after(uint32_t i) const { return codes_live_[i]; }
  bool previous_live_after(uint32_t i) const { return previous_live_[i]; }
  /// The same without the multiplier, between whose steps nothing stands.
  bool reads_result(uint32_t i) const;
  bool result_live_after(uint32_t i) const { return result_live_[i]; }

 private:
  using Question = bool (OptimizerRules::*)(uint32_t) const;
  std::vector<bool> live_after(Question reads, Question sets) const;
  unsigned latency(uint32_t i, bool signals_too) const;

  const Program& program_;
  const Flow& flow_;
  std::vector<bool> fixed_;
  Variables variables_;
  std::vector<bool> hint_, keep_;  ///< keep_: by variable, touched by someone unseen
  std::vector<std::vector<Access>> accesses_;
  std::vector<bool> codes_live_, previous_live_, result_live_;
};

}  // namespace weft::assembler
