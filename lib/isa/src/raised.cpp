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

bool is_future_signal(Csr csr) {
  return csr == Csr::active_future_count_signal || csr == Csr::indirect_future_count_signal;
}

constexpr unsigned kMaxGprs = 32;
/// A bit for each register of a context: those of bank b behind those of bank a.
using RegisterSet = uint64_t;

class Follower {
 public:
  Follower(Profile profile, std::span<const std::optional<Instruction>> words, unsigned gprs)
      : profile_(profile), words_(words), gprs_(gprs), flow_(words, {}), met_(words.size()) {
    for (const auto& word : words_)
      if (word && word->dest.kind == OperandKind::gpr_absolute) shared_ |= RegisterSet{1} << place(word->dest);
    find_needed();
    before_.resize(words_.size() * followed_.size());
    if (!words_.empty()) meet(0, {before_.data(), followed_.size()});
    std::vector<Known> behind;
    while (!work_.empty()) {
      const uint32_t at = work_.back();
      work_.pop_back();
      behind.assign(before(at).begin(), before(at).end());
      if (const size_t dest = index_of(words_[at] ? words_[at]->dest : Operand{}); dest < behind.size())
        behind[dest] = result_of(at);
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
  /// Empty for what is not a register, or one that any context may change.
  RegisterSet bit_of(const Operand& o) const {
    return o.kind == OperandKind::gpr && o.value < gprs_ ? RegisterSet{1} << place(o) & ~shared_ : 0;
  }
  const Operand& written_by(uint32_t at) const {
    return words_[at]->left.present() ? words_[at]->left : words_[at]->right;
  }

  // --- on what registers the numbers depend
  /// What the word writes into a CSR decides about signals.
  bool decides(uint32_t at) const {
    const auto csr = static_cast<Csr>((*words_[at])[Role::csr]);
    constexpr States kNumbers =
        states(State::signal_same) | states(State::signal_next) | states(State::signal_previous);
    return (csr_effects(profile_, static_cast<uint32_t>(csr)).holds & kNumbers) != 0 || csr == Csr::ctx_enables ||
           is_future_signal(csr);
  }
  RegisterSet needed_before(uint32_t at, RegisterSet behind) const {
    if (!words_[at]) return behind;
    const Instruction& insn = *words_[at];
    if (insn.id == InsnId::local_csr_wr) return behind | (decides(at) ? bit_of(written_by(at)) : 0);
    const RegisterSet dest = bit_of(insn.dest);
    const bool follows = insn.id == InsnId::alu || insn.id == InsnId::alu_shf;  // result_of()
    return (behind & ~dest) | (follows && (behind & dest) != 0 ? bit_of(insn.left) | bit_of(insn.right) : 0);
  }

  void find_needed() {
    needed_.resize(words_.size());
    RegisterSet anywhere = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = static_cast<uint32_t>(words_.size()); at-- > 0;) {
        RegisterSet behind = flow_.goes_anywhere(at) ? anywhere : 0;
        for (const uint32_t to : flow_.next(at))
          if (to < flow_.size()) behind |= needed_[to];
        const RegisterSet before = needed_before(at, behind);
        changed = changed || before != needed_[at];
        needed_[at] = before;
        anywhere |= before;
      }
    }
    for (size_t place = 0; place < 2 * kMaxGprs; ++place)
      if ((anywhere >> place & 1) != 0) followed_.push_back(place);
  }

  // --- what is known of them before each word
  std::span<Known> before(uint32_t at) { return {before_.data() + at * followed_.size(), followed_.size()}; }
  std::span<const Known> before(uint32_t at) const {
    return {before_.data() + at * followed_.size(), followed_.size()};
  }
  /// Among those that are followed; their number where it is none of them.
  size_t index_of(const Operand& o) const {
    const auto at = std::find_if(followed_.begin(), followed_.end(),
                                 [bit = bit_of(o)](size_t place) { return (bit >> place & 1) != 0; });
    return static_cast<size_t>(at - followed_.begin());
  }

  void meet(uint32_t at, std::span<const Known> known) {
    bool changed = !met_[at];
    for (size_t i = 0; i < known.size(); ++i) {
      Known& there = before(at)[i];
      const Known common = met_[at] ? there.both(known[i]) : known[i];
      changed = changed || !(common == there);
      there = common;
    }
    met_[at] = true;
    if (changed) work_.push_back(at);
  }

  Known value_of(const Operand& o, uint32_t at) const {
    if (o.kind == OperandKind::constant) return Known::of(o.value);
    const size_t i = index_of(o);
    return i < followed_.size() ? before(at)[i] : Known{};
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

  Known result_of(uint32_t at) const {
    const Instruction& insn = *words_[at];
    switch (insn.id) {
      case InsnId::immed:
        for (const uint32_t before : flow_.previous(at))  // it takes the CSR that the word before has read
          if (words_[before] && words_[before]->id == InsnId::local_csr_rd) return {};
        return Known::of(immediate_value({insn[Role::value], insn[Role::amount], insn[Role::invert] != 0}));
      case InsnId::alu:
        return combined(static_cast<AluOp>(insn[Role::op]), value_of(insn.left, at), value_of(insn.right, at));
      case InsnId::alu_shf: {
        Known right = value_of(insn.right, at);
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
        return combined(static_cast<AluOp>(insn[Role::op]), value_of(insn.left, at), right);
      }
      default: return {};
    }
  }

  Known value_written(uint32_t at) const { return met_[at] ? value_of(written_by(at), at) : Known{}; }

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
    if (is_future_signal(csr)) join(out.own, numbers(at, 0));
    // Arrived and awaited signals, and places where contexts go on, become any.
    if (has(State::signals) || (has(State::contexts) && csr != Csr::ctx_enables)) out.own = RaisedSignals::kAll;
    // With another number of contexts the registers of each are others.
    const Known value = value_written(at);
    if (csr == Csr::ctx_enables && ((gprs_ == kMaxGprs ? value.ones : value.zeros) >> 31) == 0)
      out.own = out.next = out.previous = RaisedSignals::kAll;
  }

  void add_assumptions(RaisedSignals& out) const {
    for (uint32_t at = 0; at < words_.size(); ++at)
      for (size_t i = 0; i < followed_.size(); ++i) {
        const Known known = met_[at] ? before(at)[i] : Known{1, 1};
        if ((needed_[at] >> followed_[i] & 1) == 0 || known == Known{}) continue;
        out.assumptions.push_back({at, followed_[i] < kMaxGprs ? Bank::a : Bank::b,
                                   static_cast<uint8_t>(followed_[i] % kMaxGprs), known.zeros, known.ones});
      }
  }

  Profile profile_;
  std::span<const std::optional<Instruction>> words_;
  unsigned gprs_;
  Flow flow_;
  RegisterSet shared_ = 0;           ///< words name it absolutely: any context may change it
  std::vector<RegisterSet> needed_;  ///< by word: numbers behind it depend on them
  std::vector<size_t> followed_;     ///< places of those that some word needs
  std::vector<Known> before_;        ///< of each word those that are followed, where it was met
  std::vector<bool> met_;
  std::vector<uint32_t> work_;
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
  const auto writes_csr = [](const auto& word) { return word && word->id == InsnId::local_csr_wr; };
  if (profile == Profile::me1 || std::none_of(words.begin(), words.end(), writes_csr)) return {};
  return Follower(profile, words, gprs).raised();
}

}  // namespace weft::isa
