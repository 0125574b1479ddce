#include "weft/isa/raised.h"

#include <algorithm>
#include <array>

namespace weft::isa {
namespace {

/// What is known of a value, bit by bit.
struct Known {
  uint32_t zeros = 0, ones = 0;
  static Known of(uint32_t value) { return {~value, value}; }
  bool operator==(const Known&) const = default;
  Known inverted() const { return {ones, zeros}; }
  Known both(const Known& other) const { return {zeros & other.zeros, ones & other.ones}; }
};

/// A bit of a sum is known where both its bits and the carry into it are. The carries of the greatest values that the
/// operands may have come wherever one can come, those of the smallest ones where one must.
Known sum(const Known& a, const Known& b, uint32_t carry) {
  const uint32_t greatest = ~a.zeros + ~b.zeros + carry, smallest = a.ones + b.ones + carry;
  const uint32_t may_carry = greatest ^ ~a.zeros ^ ~b.zeros, must_carry = smallest ^ a.ones ^ b.ones;
  const uint32_t known = (a.zeros | a.ones) & (b.zeros | b.ones) & (~may_carry | must_carry);
  return {~smallest & known, smallest & known};
}

/// The registers of a context, both banks.
constexpr unsigned kMaxGprs = 32;
using Registers = std::array<Known, 2 * kMaxGprs>;

class Follower {
 public:
  Follower(Profile profile, std::span<const std::optional<Instruction>> words, unsigned gprs)
      : profile_(profile), words_(words), gprs_(gprs), flow_(words, {}), before_(words.size()), met_(words.size()) {
    for (const auto& word : words_)
      if (word && word->dest.kind == OperandKind::gpr_absolute) shared_[place(word->dest)] = true;
    if (!words_.empty()) meet(0, {});
    while (!work_.empty()) {
      const uint32_t at = work_.back();
      work_.pop_back();
      const Registers behind = after(at);
      // Where nobody knows how it goes on, every word may be next.
      if (flow_.goes_anywhere(at))
        for (uint32_t n = 0; n < flow_.size(); ++n) meet(n, behind);
      for (const uint32_t to : flow_.next(at))
        if (to < flow_.size()) meet(to, behind);
    }
  }

  RaisedSignals raised() const {
    RaisedSignals out;
    for (uint32_t n = 0; n < words_.size(); ++n)
      if (words_[n] && words_[n]->id == InsnId::local_csr_wr) add(n, out);
    add_assumptions(out);
    return out;
  }

 private:
  size_t place(const Operand& o) const { return (o.bank == Bank::b ? kMaxGprs : 0) + o.value % gprs_; }

  void meet(uint32_t at, const Registers& known) {
    if (!met_[at]) {
      met_[at] = true;
      before_[at] = known;
    } else {
      bool changed = false;
      for (size_t i = 0; i < known.size(); ++i) {
        const Known common = before_[at][i].both(known[i]);
        changed = changed || !(common == before_[at][i]);
        before_[at][i] = common;
      }
      if (!changed) return;
    }
    work_.push_back(at);
  }

  Known value_of(const Operand& o, const Registers& known) const {
    if (o.kind == OperandKind::constant) return Known::of(o.value);
    if (o.kind != OperandKind::gpr || o.value >= gprs_ || shared_[place(o)]) return {};
    return known[place(o)];
  }

  static Known combined(AluOp op, const Known& a, const Known& b) {
    switch (op) {
      case AluOp::b: return b;
      case AluOp::not_b: return b.inverted();
      case AluOp::and_: return {a.zeros | b.zeros, a.ones & b.ones};
      case AluOp::and_not: return {a.zeros | b.ones, a.ones & b.zeros};
      case AluOp::not_and: return {a.ones | b.zeros, a.zeros & b.ones};
      case AluOp::or_: return {a.zeros & b.zeros, a.ones | b.ones};
      case AluOp::add: return sum(a, b, 0);
      case AluOp::sub: return sum(a, b.inverted(), 1);
      default: return {};
    }
  }

  Known result_of(uint32_t at, const Registers& known) const {
    const Instruction& insn = *words_[at];
    switch (insn.id) {
      case InsnId::immed:
        for (const uint32_t before : flow_.previous(at))  // it takes the CSR that the word before has read
          if (words_[before] && words_[before]->id == InsnId::local_csr_rd) return {};
        return Known::of(immediate_value({insn[Role::value], insn[Role::amount], insn[Role::invert] != 0}));
      case InsnId::alu:
        return combined(static_cast<AluOp>(insn[Role::op]), value_of(insn.left, known), value_of(insn.right, known));
      case InsnId::alu_shf: {
        Known right = value_of(insn.right, known);
        const uint32_t amount = insn[Role::amount];
        switch (static_cast<ShiftKind>(insn[Role::shift])) {
          case ShiftKind::none: break;
          case ShiftKind::left:
            right = {right.zeros << amount | ((uint32_t{1} << amount) - 1), right.ones << amount};
            break;
          case ShiftKind::right:
            right = {right.zeros >> amount | ~(~uint32_t{0} >> amount), right.ones >> amount};
            break;
          default: right = {};
        }
        return combined(static_cast<AluOp>(insn[Role::op]), value_of(insn.left, known), right);
      }
      default: return {};
    }
  }

  Registers after(uint32_t at) const {
    Registers out = before_[at];
    if (words_[at] && words_[at]->dest.kind == OperandKind::gpr && words_[at]->dest.value < gprs_)
      out[place(words_[at]->dest)] = result_of(at, before_[at]);
    return out;
  }

  const Operand& written_by(uint32_t at) const {
    return words_[at]->left.present() ? words_[at]->left : words_[at]->right;
  }
  Known value_written(uint32_t at) const { return met_[at] ? value_of(written_by(at), before_[at]) : Known{}; }

  /// Numbers that may stand in four bits of what the word writes.
  uint16_t numbers(uint32_t at, unsigned shift) const {
    const Known value = value_written(at);
    uint16_t out = 0;
    for (unsigned n = 1; n < 16; ++n)
      if ((n << shift & value.zeros & 15u << shift) == 0 && (~n << shift & value.ones & 15u << shift) == 0)
        out = static_cast<uint16_t>(out | 1u << n);
    return out;
  }

  void add(uint32_t at, RaisedSignals& out) const {
    const auto csr = static_cast<Csr>((*words_[at])[Role::csr]);
    const States holds = csr_effects(profile_, static_cast<uint32_t>(csr)).holds;
    const auto has = [&](State s) { return (holds & states(s)) != 0; };
    const auto join = [](uint16_t& to, uint16_t more) { to = static_cast<uint16_t>(to | more); };
    constexpr unsigned kNumber = 3;  // bits 6:3 (isa.md 8)
    if (has(State::signal_same)) join(out.own, numbers(at, kNumber));
    if (has(State::signal_next)) join(out.next, numbers(at, kNumber));
    if (has(State::signal_previous)) join(out.previous, numbers(at, kNumber));
    if (csr == Csr::active_future_count_signal || csr == Csr::indirect_future_count_signal)
      join(out.own, numbers(at, 0));
    // Arrived and awaited signals, and places where contexts go on, become any.
    if (has(State::signals) || (has(State::contexts) && csr != Csr::ctx_enables)) out.own = RaisedSignals::kAll;
    // With another number of contexts the registers of each are others.
    const Known value = value_written(at);
    if (csr == Csr::ctx_enables && ((gprs_ == kMaxGprs ? value.ones : value.zeros) >> 31) == 0)
      out.own = out.next = out.previous = RaisedSignals::kAll;
  }

  // --- on what registers the numbers depend, a bit for each place
  uint64_t bit_of(const Operand& o) const {
    const bool followed = o.kind == OperandKind::gpr && o.value < gprs_ && !shared_[place(o)];
    return followed ? uint64_t{1} << place(o) : 0;
  }
  uint64_t needed_before(uint32_t at, uint64_t behind) const {
    if (!words_[at]) return behind;
    const Instruction& insn = *words_[at];
    if (insn.id == InsnId::local_csr_wr) return behind | bit_of(written_by(at));
    const uint64_t dest = bit_of(insn.dest);
    const bool follows = insn.id == InsnId::alu || insn.id == InsnId::alu_shf;  // result_of()
    return (behind & ~dest) | (follows && (behind & dest) != 0 ? bit_of(insn.left) | bit_of(insn.right) : 0);
  }

  void add_assumptions(RaisedSignals& out) const {
    std::vector<uint64_t> needed(words_.size());
    uint64_t anywhere = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = static_cast<uint32_t>(words_.size()); at-- > 0;) {
        uint64_t behind = flow_.goes_anywhere(at) ? anywhere : 0;
        for (const uint32_t to : flow_.next(at))
          if (to < flow_.size()) behind |= needed[to];
        const uint64_t before = needed_before(at, behind);
        changed = changed || before != needed[at];
        needed[at] = before;
        anywhere |= before;
      }
    }
    for (uint32_t at = 0; at < words_.size(); ++at)
      for (size_t i = 0; i < before_[at].size(); ++i) {
        const Known known = met_[at] ? before_[at][i] : Known{1, 1};
        if ((needed[at] >> i & 1) == 0 || known == Known{}) continue;
        out.assumptions.push_back(
            {at, i < kMaxGprs ? Bank::a : Bank::b, static_cast<uint8_t>(i % kMaxGprs), known.zeros, known.ones});
      }
  }

  Profile profile_;
  std::span<const std::optional<Instruction>> words_;
  unsigned gprs_;
  Flow flow_;
  std::vector<Registers> before_;  ///< by word, where it was met
  std::vector<bool> met_;
  std::vector<uint32_t> work_;
  std::array<bool, 2 * kMaxGprs> shared_{};  ///< words name it absolutely: any context may change it
};

}  // namespace

bool RaisedSignals::may_stand_at(uint32_t at, std::span<const uint32_t> a, std::span<const uint32_t> b) const {
  const auto before = [](const Assumption& assumption, uint32_t word) { return assumption.at < word; };
  for (auto i = std::lower_bound(assumptions.begin(), assumptions.end(), at, before);
       i != assumptions.end() && i->at == at; ++i) {
    const uint32_t value = (i->bank == Bank::b ? b : a)[i->gpr];
    if ((value & i->zeros) != 0 || (~value & i->ones) != 0) return false;
  }
  return true;
}

RaisedSignals raised_signals(Profile profile, std::span<const std::optional<Instruction>> words, unsigned gprs) {
  if (profile == Profile::me1) return {};
  return Follower(profile, words, gprs).raised();
}

}  // namespace weft::isa
