#include "flow/waits.h"

#include <algorithm>

namespace weft::assembler {

using isa::Role;
using isa::SignalMode;

namespace {

constexpr uint8_t kFirst = 1, kSecond = 2, kBoth = kFirst | kSecond;

SignalMode mode_of(const IrInsn& insn) { return static_cast<SignalMode>(insn.insn[Role::signal_mode]); }

}  // namespace

uint8_t halves_named(const SignalRef& own, const SignalRef& other, bool tested) {
  if (own.id >= 0) {
    if (other.id != own.id) return 0;
    if (other.half == SignalRef::Half::whole) return tested ? kFirst : kBoth;
    return other.half == SignalRef::Half::first ? kFirst : kSecond;
  }
  if (other.id >= 0) return 0;
  return other.number == own.number ? kFirst : other.number == own.number + 1 ? kSecond : 0;
}

bool tests_signal(const IrInsn& insn) {
  const isa::Condition condition = isa::effects(insn.insn.id).condition;
  return insn.signal && (condition == isa::Condition::signal || condition == isa::Condition::not_signal);
}

bool seen_by_others(const Program& program, const std::vector<bool>& taken, SignalId signal) {
  const auto id = static_cast<size_t>(signal);
  const Signal& s = program.signals[id];
  return taken[id] || s.is_volatile || s.is_visible || s.is_global || s.is_remote;
}

uint8_t halves_given(const Program& program, const IrInsn& command) {
  const bool doubled = isa::info(command.insn.id).signal == isa::SignalUse::doubled;
  if (doubled && isa::signal_names(program.profile).empty()) return kBoth;
  return command.signal && command.signal->half == SignalRef::Half::second ? kSecond : kFirst;
}

Waits::Waits(const Program& program, const Flow& flow, const Calls& calls)
    : program_(program), flow_(flow), calls_(calls) {
  for (const Hint& hint : program.hints) {
    if (hint.kind == Hint::Kind::io_completed) completed_.emplace(hint.index, &hint);
  }
  const auto size = static_cast<uint32_t>(program.insns.size());
  for (uint32_t i = 0; i < size; ++i) {
    const IrInsn& insn = program.insns[i];
    const isa::BranchTo goes = isa::effects(insn.insn.id).goes;
    if (goes == isa::BranchTo::indexed) returns_ = true;
    if (goes == isa::BranchTo::address && !calls.returns_behind(flow.last_slot(i))) returns_ = true;
  }
}

/// `.io_completed` before `index` names the command's signal, a register of its transfer, or its unit.
bool Waits::said_completed(uint32_t index, const IrInsn& command) const {
  const auto [begin, end] = completed_.equal_range(index);
  return std::any_of(begin, end, [&](const auto& entry) {
    const Hint& hint = *entry.second;
    if (hint.unit != isa::Unit::none) return isa::info(command.insn.id).unit == hint.unit;
    if (hint.signal >= 0) return command.signal && command.signal->id == hint.signal;
    const VregId first = command.vreg[static_cast<size_t>(Role::xfer)];
    if (hint.vreg < 0 || first < 0) return false;
    if (hint.vreg == first) return true;
    return std::any_of(program_.groups.begin(), program_.groups.end(), [&](const XferGroup& g) {
      const auto has = [&](VregId v) { return std::find(g.members.begin(), g.members.end(), v) != g.members.end(); };
      return has(first) && has(hint.vreg);
    });
  });
}

/// All ways from a command to where nothing of it is held.
class Waits::Walk {
 public:
  Walk(Waits& waits, uint32_t issue, const Limits& limits)
      : w_(waits),
        issue_(issue),
        limits_(limits),
        command_(waits.program_.insns[issue]),
        size_(static_cast<uint32_t>(waits.program_.insns.size())),
        halves_(halves_given(waits.program_, command_)),
        ends_(mode_of(command_) == SignalMode::sig_done && command_.signal),
        data_(halves_of_data()) {}

  Steps run() {
    const Answer start{halves_, 0};
    say(2 * issue_ + 1, start);
    if (mode_of(command_) == SignalMode::ctx_swap) {
      slots(issue_, start);
      return std::move(steps_);
    }
    checkpoint(w_.program_.cancellation);
    ++w_.stamp_;
    go_on({issue_, kOutside, start});
    while (!work_.empty()) {
      const Way way = work_.back();
      work_.pop_back();
      step(way);
    }
    return std::move(steps_);
  }

 private:
  static constexpr uint8_t kOutside = 0;
  /// Inside a subroutine that was called on the way, a path returns to the calls it came by; else to every caller.
  struct Way {
    uint32_t at;
    uint8_t inside;  ///< kOutside, or entered() of the answer with which it came in
    Answer answer;
  };
  struct Came {
    uint32_t call;
    uint8_t outside, inside;
  };
  struct Returned {
    VregId link;
    uint8_t inside;
    Answer answer;
    bool operator==(const Returned&) const = default;
  };

  static unsigned index(const Answer& a) { return unsigned{a.open} | unsigned{a.set} << 2; }
  static uint8_t entered(const Answer& a) { return static_cast<uint8_t>(1 + index(a)); }

  /// Atomics give the first half when the operand has been taken and the second with the old value (isa.md 2.2). Which
  /// half of an access to DRAM, or of the put of a ring, means what, nothing says.
  uint8_t halves_of_data() const {
    const isa::InsnInfo& info = isa::info(command_.insn.id);
    if (halves_ != kBoth || info.xfer != isa::XferUse::both || info.subcommand == "put") return halves_;
    return limits_.held == Held::taken ? kFirst : kSecond;
  }
  bool holds(const Answer& a) const {
    return limits_.held == Held::signal ? (a.open | a.set) != 0 : (a.open & data_) != 0;
  }

  void say(uint32_t point, const Answer& a) { steps_.emplace_back(point, a); }
  void slots(uint32_t at, const Answer& a) {
    for (uint32_t p = 2 * (at + 1); p <= 2 * w_.flow_.last_slot(at) + 1; ++p) say(p, a);
  }

  bool fresh(const Way& way) {
    std::vector<uint64_t>& seen = w_.seen_[way.inside];
    if (seen.empty()) seen.assign(size_, 0);
    uint64_t& entry = seen[way.at];
    if (entry >> 16 != w_.stamp_) entry = uint64_t{w_.stamp_} << 16;
    const uint64_t bit = uint64_t{1} << index(way.answer);
    if ((entry & bit) != 0) return false;
    entry |= bit;
    return true;
  }

  void visit(const Way& way) {
    if (way.at >= size_ || !holds(way.answer) || !fresh(way)) return;
    const bool left = way.at < limits_.scope_begin || way.at >= limits_.scope_end;
    if (!w_.returns_ && way.inside == kOutside && left) return;
    if (w_.said_completed(way.at, command_)) return;
    say(2 * way.at, way.answer);
    if (limits_.stop && (*limits_.stop)[way.at] && way.at != issue_) return;
    work_.push_back(way);
  }

  void go_on(const Way& way) {
    if (const int32_t c = w_.calls_.leaving(way.at); c >= 0) {
      call(static_cast<uint32_t>(c), way);
    } else if (way.inside != kOutside && w_.calls_.returns_behind(way.at)) {
      come_back(way);
    } else {
      for (uint32_t to : w_.flow_.next(way.at)) visit({to, way.inside, way.answer});
    }
  }
  void call(uint32_t c, const Way& way) {
    const Call& call = w_.calls_.all()[c];
    const uint8_t inside = entered(way.answer);
    came_.push_back({c, way.inside, inside});
    visit({call.entry, inside, way.answer});
    for (const Returned& r : returned_) {
      if (r.link == call.link && r.inside == inside) visit({call.to, way.inside, r.answer});
    }
  }
  void come_back(const Way& way) {
    const Returned now{w_.calls_.link_behind(way.at), way.inside, way.answer};
    if (std::find(returned_.begin(), returned_.end(), now) != returned_.end()) return;
    returned_.push_back(now);
    for (const Came& came : came_) {
      const Call& call = w_.calls_.all()[came.call];
      if (call.link == now.link && came.inside == way.inside) visit({call.to, came.outside, way.answer});
    }
  }

  void step(const Way& way) {
    const IrInsn& insn = w_.program_.insns[way.at];
    if (const Answer behind = awaited(insn, way.answer); behind != way.answer) return wait(way, behind);
    say(2 * way.at + 1, way.answer);
    const uint8_t half = ends_ && tests_signal(insn)
                             ? static_cast<uint8_t>(halves_named(*command_.signal, *insn.signal, true) & halves_)
                             : uint8_t{0};
    if (((way.answer.open | way.answer.set) & half) != 0)
      test(way, half);
    else
      go_on(way);
  }

  /// The wait begins after the deferred slots.
  void wait(const Way& way, const Answer& behind) {
    const uint32_t last = w_.flow_.last_slot(way.at);
    if (last > way.at) {
      say(2 * way.at + 1, way.answer);
      slots(way.at, way.answer);
    } else if (holds(behind)) {
      say(2 * way.at + 1, behind);
    }
    if (holds(behind)) go_on({last, way.inside, behind});
  }

  /// Only the way on which the signal is there may count on it; br_signal clears it on that way.
  void test(const Way& way, uint8_t half) {
    const IrInsn& insn = w_.program_.insns[way.at];
    const bool clears = isa::effects(insn.insn.id).condition == isa::Condition::signal;
    const bool surely_set = (way.answer.set & half) != 0;
    Answer found = way.answer;
    found.open &= static_cast<uint8_t>(~half);
    found.set = static_cast<uint8_t>(clears ? found.set & ~half : found.set | half);
    slots(way.at, way.answer);
    const uint32_t behind = w_.flow_.last_slot(way.at) + 1;
    const uint32_t target =
        insn.target >= 0 ? w_.program_.labels[static_cast<size_t>(insn.target)].index : insn.insn[Role::target];
    visit({clears ? target : behind, way.inside, found});
    if (!surely_set) visit({clears ? behind : target, way.inside, way.answer});
  }

  /// What is left behind an instruction that sleeps. One of several may have come, or another one; but waking clears
  /// all those that were set.
  Answer awaited(const IrInsn& insn, Answer a) const {
    if (!ends_) return a;
    uint8_t waits = 0;
    unsigned numbers = 0;
    for (const SignalRef& other : insn.signals) {
      waits |= halves_named(*command_.signal, other, false);
      numbers += is_two(other) ? 2 : 1;
    }
    if (mode_of(insn) == SignalMode::ctx_swap && isa::is_command(insn.insn) && insn.signal)
      a.set &= static_cast<uint8_t>(~halves_named(*command_.signal, *insn.signal, false));
    a.set &= static_cast<uint8_t>(~waits);
    if (insn.insn[Role::any] == 0 || numbers == 1) a.open &= static_cast<uint8_t>(~waits);
    return a;
  }
  bool is_two(const SignalRef& s) const {
    return s.id >= 0 && s.half == SignalRef::Half::whole && w_.program_.signals[static_cast<size_t>(s.id)].doubled;
  }

  Waits& w_;
  const uint32_t issue_;
  const Limits& limits_;
  const IrInsn& command_;
  const uint32_t size_;
  const uint8_t halves_;
  const bool ends_;  ///< it has a signal that says when it is over
  const uint8_t data_;
  Steps steps_;
  std::vector<Way> work_;
  std::vector<Came> came_;
  std::vector<Returned> returned_;
};

Waits::Steps Waits::answers_under_way(uint32_t issue, const Limits& limits) { return Walk(*this, issue, limits).run(); }

std::vector<uint32_t> Waits::points_under_way(uint32_t issue, const Limits& limits) {
  std::vector<uint32_t> points;
  for (const auto& [point, answer] : answers_under_way(issue, limits)) points.push_back(point);
  return points;
}

}  // namespace weft::assembler
