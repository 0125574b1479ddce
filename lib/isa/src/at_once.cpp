#include "weft/isa/at_once.h"

namespace weft::isa {
namespace {

/// Transfer registers of a context: file (0 = S, 1 = D) and side (0 = in, 1 = out), [first, last).
struct Range {
  bool d = false, in = false, out = false;
  unsigned first = 0, last = 0;
  bool holds(unsigned number) const { return number >= first && number < last; }
  bool meets(const Range& other) const { return d == other.d && first < other.last && other.first < last; }
};

Range range_of(const Instruction& insn) {
  Range r;
  const InsnInfo& known = info(insn.id);
  if (!insn.xfer.present() || known.xfer == XferUse::none) return r;
  r.d = insn.xfer.kind == OperandKind::xfer_d;
  r.in = known.xfer != XferUse::write;
  r.out = known.xfer != XferUse::read;
  r.first = insn.xfer.value;
  r.last = r.first + std::max(1u, longwords_moved(insn.id, insn[Role::count]));
  return r;
}

struct Named {
  bool d, in;
  unsigned number;
  bool indexed;
};
/// Transfer registers that the word names itself. A destination that is read as well is read on the side of sources.
std::vector<Named> named_by(const Instruction& insn) {
  std::vector<Named> out;
  const auto add = [&](const Operand& o, bool in) {
    switch (o.kind) {
      case OperandKind::xfer_s:
      case OperandKind::xfer_d: out.push_back({o.kind == OperandKind::xfer_d, in, o.value, false}); break;
      case OperandKind::xfer_s_index:
      case OperandKind::xfer_d_index: out.push_back({o.kind == OperandKind::xfer_d_index, in, 0, true}); break;
      default: break;
    }
  };
  add(insn.left, true);
  add(insn.right, true);
  add(insn.dest, false);
  if (keeps_bytes(insn)) add(insn.dest, true);
  return out;
}

class Finder {
 public:
  Finder(Profile profile, std::span<const std::optional<Instruction>> words, unsigned transfers)
      : of(words.size()),
        slack(words.size()),
        together(words.size()),
        profile_(profile),
        words_(words),
        transfers_(transfers),
        flow_(words, {}) {
    for (const auto& word : words_)
      if (word) look_over_engine(*word);
    std::vector<bool> else_hidden(words.size());
    for (uint32_t i = 0; i < flow_.size(); ++i) {
      find_together(i);
      of[i] = find(i);
      else_hidden[i] = else_ == Witness::nothing;
    }
    for (uint32_t i = 0; i < flow_.size(); ++i) {
      if (!together[i]) continue;
      if (of[i] == Witness::nothing) of[i] = Witness::shared;
      else_hidden[i] = false;
    }
    for (uint32_t i = 0; i < flow_.size(); ++i)
      if (else_hidden[i]) slack[i] = of[i] == Witness::nothing ? CommandWitnesses::kAlways : slack_behind(i);
  }

  std::vector<Witness> of;      ///< by word
  std::vector<unsigned> slack;  ///< the same
  std::vector<bool> together;   ///< by word: another command, or it itself, may be under way under its signal

 private:
  /// What other contexts of the engine can do at any time.
  void look_over_engine(const Instruction& insn) {
    for (const Named& n : named_by(insn))
      if (n.indexed || n.number >= transfers_) foreign_[n.d][n.in] = true;
    const Range r = range_of(insn);
    if (r.last > transfers_) foreign_[r.d][true] = foreign_[r.d][false] = true;
    if (effects(insn.id).csr == CsrUse::none) return;
    const CsrEffects& csr = csr_effects(profile_, insn[Role::csr]);
    if (csr.indirect && (csr.holds & (states(State::signals) | states(State::contexts))) != 0) signals_read_ = true;
  }

  static bool touches(const Instruction& insn, const Range& own) {
    for (const Named& n : named_by(insn))
      if (n.d == own.d && (n.in ? own.in : own.out) && own.holds(n.number)) return true;
    // Two commands that take the same registers find the same values.
    const Range other = range_of(insn);
    return own.meets(other) && own.in && other.in;
  }

  bool shares(uint32_t n, uint16_t signals) const {
    return words_[n] && is_command(*words_[n]) && (signals_of(profile_, *words_[n]) & signals) != 0;
  }
  /// `n` is a wait for all of these signals, or the last of its slots: behind it they have come.
  bool is_over_behind(uint32_t n, uint16_t signals) const {
    const int32_t by = flow_.decides_behind(n);
    return by >= 0 && words_[static_cast<uint32_t>(by)] && waits_for(*words_[static_cast<uint32_t>(by)], signals) &&
           only_through(static_cast<uint32_t>(by), n);
  }

  /// Commands that may be under way together with this one under one of its signals; it itself may be one of them. Also
  /// for commands that never have their effect at once: what they raise may end the wait of another one.
  void find_together(uint32_t at) {
    if (!words_[at] || !is_command(*words_[at])) return;
    const uint16_t signals = signals_of(profile_, *words_[at]);
    if (signals == 0) return;
    const auto add = [&](uint32_t n) {
      if (shares(n, signals)) together[at] = together[n] = true;
    };
    if (swaps(*words_[at]) && swaps_itself(at)) {
      for (uint32_t n = at + 1; n <= flow_.last_slot(at); ++n) add(n);
      return;
    }
    const Flow::Seen seen = flow_.walk_behind(at, [&](uint32_t n) {
      add(n);
      return is_over_behind(n, signals) ? Flow::Walk::past : Flow::Walk::on;
    });
    if (!seen.unknown) return;
    for (uint32_t n = 0; n < flow_.size(); ++n)
      if (n != at) add(n);
  }

  /// Its swap takes place: it stands in no slot, and nothing in its slots decides otherwise.
  bool swaps_itself(uint32_t at) const {
    if (flow_.shadow_of(at) >= 0) return false;
    for (uint32_t n = at + 1; n <= flow_.last_slot(at); ++n)
      if (!words_[n] || decides(n)) return false;
    return true;
  }

  Witness find(uint32_t at) {
    else_ = Witness::unknown;
    if (!words_[at] || !is_command(*words_[at])) return Witness::unknown;
    const Instruction& command = *words_[at];
    const Range own = range_of(command);
    const bool moves = own.in || own.out;
    if (moves && command[Role::indirect] != 0) return Witness::indirect;
    const uint16_t signals = signals_of(profile_, command);
    if (signals == 0) {
      if (!own.in && !(own.out && foreign_[own.d][false])) else_ = Witness::nothing;
      return moves ? Witness::no_wait : Witness::nothing;
    }

    const bool waits_itself = swaps(command);
    Witness found = Witness::nothing;
    else_ = Witness::nothing;
    const auto tell = [&](Witness w) {
      if (found == Witness::nothing) found = w;
      if (else_ == Witness::nothing && !(w == Witness::registers && !own.in)) else_ = w;
    };
    if (moves && ((own.in && foreign_[own.d][true]) || (own.out && foreign_[own.d][false]))) tell(Witness::index);
    if (signals_read_) tell(Witness::signal);
    const auto look = [&](uint32_t n) {
      if (touches(*words_[n], own)) tell(Witness::registers);
    };
    if (waits_itself) {
      if (!swaps_itself(at)) return else_ = Witness::unknown;  // a branch in a slot takes the swap's place
      for (uint32_t n = at + 1; n <= flow_.last_slot(at); ++n) {
        if (asks_for(profile_, *words_[n], signals)) tell(Witness::signal);
        look(n);
      }
      if (at + command[Role::defer] >= flow_.size()) tell(Witness::unknown);
      return found;
    }
    const Flow::Seen seen = flow_.walk_behind(at, [&](uint32_t n) {
      if (!words_[n]) return Flow::Walk::on;  // walk_behind() reports it as unknown
      look(n);
      // The slots of the wait come before it takes effect: the wait is met after the last of them.
      if (is_over_behind(n, signals)) return Flow::Walk::past;
      if (!waits_for(*words_[n], signals) && asks_for(profile_, *words_[n], signals)) tell(Witness::signal);
      return Flow::Walk::on;
    });
    if (seen.unknown) tell(Witness::unknown);
    if (seen.stop) tell(Witness::no_wait);
    if (found == Witness::nothing && never_waits(at, signals)) tell(Witness::no_wait);
    return found;
  }

  /// Cycles from the command to the first word that may write a register which it takes.
  unsigned slack_behind(uint32_t at) const {
    const Range own = range_of(*words_[at]);
    unsigned out = CommandWitnesses::kMost;
    if (!own.out) return out;
    const auto look = [&](uint32_t n, unsigned now) {
      const bool unknown = !words_[n] || flow_.goes_anywhere(n) || flow_.runs_off(n);
      if (unknown || touches(*words_[n], own)) out = std::min(out, now);
      return out == CommandWitnesses::kMost;
    };
    if (flow_.goes_anywhere(at) || flow_.runs_off(at)) return 0;
    flow_.within_cycles(at, CommandWitnesses::kMost, look, true);
    return out;
  }

  /// Where the program goes on is decided by this word.
  bool decides(uint32_t n) const { return flow_.transfer(n).jumps || flow_.transfer(n).swaps; }

  /// Nothing enters the slots up to `last` but the word before them, and nothing in them decides otherwise.
  bool only_through(uint32_t by, uint32_t last) const {
    for (uint32_t s = by + 1; s <= last; ++s)
      if (flow_.previous(s).size() != 1 || decides(s)) return false;
    return true;
  }

  /// No way from the command leads to a wait at all: an endless loop.
  bool never_waits(uint32_t at, uint16_t signals) const {
    return !flow_
                .walk_behind(at,
                             [&](uint32_t n) {
                               return words_[n] && waits_for(*words_[n], signals) ? Flow::Walk::end : Flow::Walk::on;
                             })
                .ended;
  }

  Profile profile_;
  std::span<const std::optional<Instruction>> words_;
  unsigned transfers_;
  Flow flow_;
  Witness else_ = Witness::nothing;  ///< of the last find(), when words that write what a command takes do not count
  bool foreign_[2][2] = {};          ///< by file and side (in): names in words that may mean any context's register
  bool signals_read_ = false;
};

}  // namespace

CommandWitnesses::CommandWitnesses(Profile profile, std::span<const std::optional<Instruction>> words,
                                   unsigned transfers) {
  Finder finder(profile, words, transfers);
  of_ = std::move(finder.of);
  slack_ = std::move(finder.slack);
  shared_ = std::move(finder.together);
}

}  // namespace weft::isa
