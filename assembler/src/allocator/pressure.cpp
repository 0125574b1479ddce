#include "allocator/pressure.h"

#include <fmt/format.h>

#include <algorithm>

#include "flow/accesses.h"

namespace weft::assembler {
namespace {

constexpr size_t kNamed = 6;       ///< ranges that get a note of their own
constexpr uint32_t kFarAway = 40;  ///< instructions; a value unused for so long is worth a hint

class Report {
 public:
  Report(const Program& program, const Sources& sources, const Liveness& liveness, const Contest& contest)
      : program_(program), sources_(sources), live_(liveness), contest_(contest) {
    std::vector<uint32_t> load(live_.points + 1, 0);
    for (uint32_t w : contest.rivals) {
      for (const Span& span : live_.webs[w].spans) {
        for (uint32_t p = span.begin; p < span.end; ++p) load[p] += weight(w);
      }
    }
    peak_ = static_cast<uint32_t>(std::max_element(load.begin(), load.end()) - load.begin());
    needed_ = load[peak_];
    for (uint32_t w : contest.rivals) {
      if (live_.webs[w].live_at(peak_)) holders_.push_back(find(w));
    }
    // Who waits longest for his next use could best make room.
    std::stable_sort(holders_.begin(), holders_.end(),
                     [](const Holder& x, const Holder& y) { return x.wait > y.wait; });
  }

  Diagnostic make() const {
    std::vector<std::string> names;
    for (const Holder& h : holders_) names.push_back(name(h.web));
    const uint32_t index = std::min<uint32_t>(peak_ / 2, static_cast<uint32_t>(program_.insns.size()) - 1);
    Diagnostic d = sources_.diagnostic(
        Severity::error, "asm-no-register", program_.insns[index].origin,
        needed_ > contest_.room
            ? fmt::format("no place is left for '{}' in {}: {} are needed at once here, there are {}; live are {}",
                          name(contest_.failed), contest_.kind, needed_, contest_.room, fmt::join(names, ", "))
            : fmt::format("no place is left for '{}' in {}: although only {} of {} are in use at a time, their ranges "
                          "interlock; "
                          "live at the fullest point are {}",
                          name(contest_.failed), contest_.kind, needed_, contest_.room, fmt::join(names, ", ")),
        fmt::format("{}", fmt::join(remedies(), "; ")));
    for (size_t k = 0; k < holders_.size() && k < kNamed; ++k) note(holders_[k], d);
    if (holders_.size() > kNamed) {
      d.notes.push_back({d.range, fmt::format("the other {} are used no later than these", holders_.size() - kNamed)});
    }
    return d;
  }

 private:
  struct Holder {
    uint32_t web = 0;
    const Access* set = nullptr;   ///< what gave it the value it has at the peak, in the order of the text
    const Access* next = nullptr;  ///< the next use after the peak, in the order of the text
    bool around = false;           ///< that use comes only after a branch back
    uint32_t wait = 0;             ///< instructions until then
  };

  unsigned weight(uint32_t w) const {
    const Web& web = live_.webs[w];
    return web.file == RegisterFile::signal && program_.signals[static_cast<size_t>(web.symbol)].doubled ? 2u : 1u;
  }
  bool is_signal(uint32_t w) const { return live_.webs[w].file == RegisterFile::signal; }
  const std::string& name(uint32_t w) const {
    const auto symbol = static_cast<size_t>(live_.webs[w].symbol);
    return is_signal(w) ? program_.signals[symbol].name : program_.vregs[symbol].name;
  }
  const Origin& declared(uint32_t w) const {
    const auto symbol = static_cast<size_t>(live_.webs[w].symbol);
    return is_signal(w) ? program_.signals[symbol].declared : program_.vregs[symbol].declared;
  }

  Holder find(uint32_t w) const {
    Holder h;
    h.web = w;
    const Access *last = nullptr, *first = nullptr;
    for (const Access& a : live_.accesses) {
      const bool mine = a.web == static_cast<int32_t>(w) || (a.web < 0 && hint_of(a, w));
      if (!mine) continue;
      if (a.def && 2 * a.insn + 1 <= peak_) h.set = &a;
      if (a.def) last = &a;
      if (!a.use) continue;
      if (!first) first = &a;
      if (!h.next && 2 * a.insn >= peak_) h.next = &a;
    }
    if (!h.set) h.set = last;
    const auto size = static_cast<uint32_t>(program_.insns.size());
    if (h.next) {
      h.wait = h.next->insn - peak_ / 2;
    } else if (first) {
      h.next = first;
      h.around = true;
      h.wait = first->insn + size - peak_ / 2;
    } else {
      h.wait = live_.webs[w].everywhere ? 2 * size : 0;
    }
    return h;
  }

  /// A `.use` belongs to the ranges of its name that are live there.
  bool hint_of(const Access& a, uint32_t w) const {
    if (a.slot != Slot::hint || !a.use || is_signal(w)) return false;
    const Variables variables(program_);
    return !variables.is_signal(a.variable) && variables.symbol(a.variable) == live_.webs[w].symbol &&
           live_.webs[w].live_at(2 * a.insn);
  }

  uint32_t line(const Access& a) const { return sources_.range(program_.insns[a.insn].origin).begin.line; }

  void note(const Holder& h, Diagnostic& d) const {
    const Web& web = live_.webs[h.web];
    if (web.everywhere) {
      const bool shared = web.file == RegisterFile::gpr_absolute;
      d.notes.push_back(
          {sources_.range(declared(h.web)),
           fmt::format("'{}' is live {}", name(h.web), shared ? "in the whole program" : "in the whole of its scope")});
      return;
    }
    const SourceRange place = h.set && h.set->slot != Slot::hint ? sources_.range(program_.insns[h.set->insn].origin)
                                                                 : sources_.range(declared(h.web));
    const char* set = !h.set || h.set->slot == Slot::hint ? "declared" : is_signal(h.web) ? "given" : "set";
    std::string use;
    if (!h.next)
      use = "and not used after that";
    else if (h.next->slot == Slot::hint)
      use = fmt::format("and kept by the .use before line {}", line(*h.next));
    else
      use = fmt::format("and {} in line {}{}", is_signal(h.web) ? "awaited" : "next used", line(*h.next),
                        h.around ? ", after a branch back" : "");
    d.notes.push_back({place, fmt::format("'{}' is {} here {}", name(h.web), set, use)});
  }

  std::vector<std::string> remedies() const {
    std::vector<std::string> out;
    const auto far = std::find_if(holders_.begin(), holders_.end(), [&](const Holder& h) {
      return !live_.webs[h.web].everywhere && h.next && h.wait >= kFarAway;
    });
    if (far != holders_.end()) {
      const uint32_t at = line(*far->next);
      if (far->next->slot == Slot::hint)
        out.push_back(fmt::format("move the .use of '{}' up, or drop it", name(far->web)));
      else
        out.push_back(fmt::format("'{}' waits for line {}: {} it closer to there", name(far->web), at,
                                  is_signal(far->web) ? "raise" : "compute"));
    }
    out.insert(out.end(), contest_.remedies.begin(), contest_.remedies.end());
    if (!contest_.other_kind.empty()) {
      const auto used = static_cast<unsigned>(std::count_if(contest_.other.begin(), contest_.other.end(),
                                                            [&](uint32_t w) { return live_.webs[w].live_at(peak_); }));
      if (used + 2 <= contest_.other_room) {
        out.push_back(
            fmt::format("{} has {} free registers here, but the instructions tie these to {}: use a copy, alu[copy, "
                        "--, B, r], as the "
                        "second source somewhere",
                        contest_.other_kind, contest_.other_room - used, contest_.kind));
      }
    }
    return out;
  }

  const Program& program_;
  const Sources& sources_;
  const Liveness& live_;
  const Contest& contest_;
  uint32_t peak_ = 0, needed_ = 0;
  std::vector<Holder> holders_;
};

}  // namespace

void report_pressure(const Program& program, const Sources& sources, const Liveness& liveness, const Contest& contest,
                     Diagnostics& out) {
  out.add(Report(program, sources, liveness, contest).make());
}

}  // namespace weft::assembler
