#include "allocator/allocator.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "allocator/clusters.h"
#include "allocator/occupancy.h"
#include "allocator/pressure.h"
#include "flow/accesses.h"

namespace weft::assembler {
namespace {

using isa::Bank;
using isa::OperandKind;
using isa::Role;

uint32_t start_of(const Web& web) { return web.spans.empty() ? 0 : web.spans.front().begin; }

class Allocator {
 public:
  Allocator(const Program& program, const Flow& flow, const Pins& pins, const Sources& sources, Diagnostics& out,
            Shortage* shortage)
      : program_(program),
        sources_(sources),
        out_(out),
        shortage_(shortage),
        slots_(program.of_context(isa::sizes(program.profile).relative_gprs)),
        transfers_(program.of_context(isa::sizes(program.profile).transfers)) {
    allocation_.liveness = analyse_liveness(program, flow);
    pins.apply(program, sources, allocation_.liveness, out);
    allocation_.places.resize(allocation_.liveness.webs.size());
  }

  std::optional<Allocation> run() {
    const size_t errors = out_.error_count();
    general();
    if (out_.error_count() == errors) transfers();
    if (out_.error_count() == errors) neighbors();
    if (out_.error_count() == errors) signals();
    if (out_.error_count() != errors) return std::nullopt;
    return std::move(allocation_);
  }

 private:
  const std::vector<Web>& webs() const { return allocation_.liveness.webs; }
  uint32_t points() const { return std::max<uint32_t>(1, allocation_.liveness.points); }
  const Vreg& vreg(size_t w) const { return program_.vregs[static_cast<size_t>(webs()[w].symbol)]; }
  const std::string& name(size_t w) const {
    return webs()[w].file == RegisterFile::signal ? program_.signals[static_cast<size_t>(webs()[w].symbol)].name
                                                  : vreg(w).name;
  }
  /// The number that .addr or a pin forces on a web.
  std::optional<uint32_t> pinned(uint32_t w) const {
    if (webs()[w].pin) return webs()[w].pin->number;
    if (webs()[w].file == RegisterFile::signal) return program_.signals[static_cast<size_t>(webs()[w].symbol)].pinned;
    return vreg(w).pinned;
  }
  std::vector<uint32_t> webs_in(RegisterFile file) const {
    std::vector<uint32_t> out;
    for (uint32_t w = 0; w < webs().size(); ++w) {
      if (webs()[w].file == file) out.push_back(w);
    }
    return out;
  }

  // --- general-purpose registers ---

  void general() {
    const size_t errors = out_.error_count();
    Banks banks = Banks::assign(program_, allocation_.liveness, sources_, out_);
    if (out_.error_count() != errors) return;
    place_absolutes(banks);
    // When a bank overflows, the web that found no room moves to the other bank with all that depend on it.
    std::set<int32_t> moved;
    while (true) {
      sources_.checkpoint();
      const std::optional<uint32_t> failed = colour(banks);
      if (!failed) return;
      const Bank bank = banks.of(static_cast<int32_t>(*failed));
      if (moved.size() < 32 && moved.insert(static_cast<int32_t>(*failed)).second &&
          banks.flip(static_cast<int32_t>(*failed)) && !moves_absolute(banks)) {
        continue;
      }
      report_general(*failed, bank, banks);
      return;
    }
  }

  /// A move that drags a shared register along would undo place_absolutes.
  bool moves_absolute(const Banks& banks) const {
    for (uint32_t w : webs_in(RegisterFile::gpr_absolute)) {
      if (allocation_.places[w].bank != banks.of(static_cast<int32_t>(w))) return true;
    }
    return false;
  }

  size_t bank_index(Bank bank) const { return bank == Bank::a ? 0 : 1; }

  /// Absolute registers share slots that no context uses relatively: slot s of every context is number s + 16c.
  void place_absolutes(const Banks& banks) {
    std::set<uint32_t> pinned_relative[2], taken[2];
    for (uint32_t w = 0; w < webs().size(); ++w) {
      if (!general_pinned(w)) continue;
      const size_t b = bank_index(banks.of(static_cast<int32_t>(w)));
      if (webs()[w].file == RegisterFile::gpr) pinned_relative[b].insert(*pinned(w));
      if (webs()[w].file == RegisterFile::gpr_absolute) {
        taken[b].insert(*pinned(w));
        absolute_slots_[b].insert(*pinned(w) % slots_);
        allocation_.places[w] = {banks.of(static_cast<int32_t>(w)), *pinned(w)};
      }
    }
    for (uint32_t w : webs_in(RegisterFile::gpr_absolute)) {
      if (general_pinned(w)) continue;
      const Bank bank = banks.of(static_cast<int32_t>(w));
      const size_t b = bank_index(bank);
      for (uint32_t slot = 0; slot < slots_ && !placed(w); ++slot) {
        if (pinned_relative[b].contains(slot)) continue;
        for (uint32_t number = slot; number < isa::sizes(program_.profile).absolute_gprs && !placed(w);
             number += slots_) {
          if (!taken[b].insert(number).second) continue;
          absolute_slots_[b].insert(slot);
          allocation_.places[w] = {bank, number};
        }
      }
      if (!placed(w)) {
        out_.add(sources_.diagnostic(Severity::error, "asm-no-register", vreg(w).declared,
                                     fmt::format("no absolute register is left for '{}'", vreg(w).name)));
        return;
      }
    }
  }

  bool placed(uint32_t w) const { return allocation_.places[w].bank != Bank::none; }
  bool general_pinned(uint32_t w) const {
    const RegisterFile file = webs()[w].file;
    return (file == RegisterFile::gpr || file == RegisterFile::gpr_absolute) && pinned(w).has_value();
  }

  /// Colours both banks; the web that found no place, if any.
  std::optional<uint32_t> colour(const Banks& banks) {
    std::optional<uint32_t> failed;
    for (const Bank bank : {Bank::a, Bank::b}) {
      std::vector<uint32_t> members;
      for (uint32_t w : webs_in(RegisterFile::gpr)) {
        if (banks.of(static_cast<int32_t>(w)) == bank) members.push_back(w);
      }
      for (const auto& order : orders(members)) {
        failed = colour_bank(order, bank);
        if (!failed) break;
      }
      if (failed) return failed;
    }
    return std::nullopt;
  }

  /// Orders to try, best first: by start is right for straight stretches, by length when long ranges have holes.
  std::vector<std::vector<uint32_t>> orders(const std::vector<uint32_t>& members) const {
    std::vector<std::vector<uint32_t>> out(3, members);
    std::stable_sort(out[0].begin(), out[0].end(),
                     [&](uint32_t x, uint32_t y) { return start_of(webs()[x]) < start_of(webs()[y]); });
    std::stable_sort(out[1].begin(), out[1].end(),
                     [&](uint32_t x, uint32_t y) { return webs()[x].length() > webs()[y].length(); });
    std::stable_sort(out[2].begin(), out[2].end(), [&](uint32_t x, uint32_t y) {
      const auto end = [&](uint32_t w) { return webs()[w].spans.empty() ? 0 : webs()[w].spans.back().end; };
      return end(x) > end(y);
    });
    return out;
  }

  std::optional<uint32_t> colour_bank(const std::vector<uint32_t>& order, Bank bank) {
    Occupancy occupancy(slots_, points());
    for (uint32_t slot : absolute_slots_[bank_index(bank)]) occupancy.take_all(slot);
    reserve_physical(occupancy, [&](const isa::Operand& o) { return o.kind == OperandKind::gpr && o.bank == bank; });
    for (uint32_t w : order) {
      if (!general_pinned(w)) continue;
      const uint32_t number = *pinned(w);
      if (number >= slots_ || !occupancy.free(number, webs()[w].spans)) return w;
      occupancy.take(number, webs()[w].spans);
      allocation_.places[w] = {bank, number};
    }
    for (uint32_t w : order) {
      if (general_pinned(w)) continue;
      sources_.checkpoint();
      unsigned number = 0;
      while (number < slots_ && !occupancy.free(number, webs()[w].spans)) ++number;
      if (number == slots_) return w;
      occupancy.take(number, webs()[w].spans);
      allocation_.places[w] = {bank, number};
    }
    return std::nullopt;
  }

  /// Registers that the source names by number are not given to names.
  template <class Match>
  void reserve_physical(Occupancy& occupancy, Match match) const {
    for (const IrInsn& insn : program_.insns) {
      for (const Role role : {Role::dest, Role::left, Role::right}) {
        const isa::Operand& operand = insn.insn.operand(role);
        if (insn.vreg[static_cast<size_t>(role)] < 0 && match(operand) && operand.value < occupancy.registers()) {
          occupancy.take_all(operand.value);
        }
      }
    }
  }

  void report_general(uint32_t w, Bank bank, const Banks& banks) {
    const size_t b = bank_index(bank);
    if (general_pinned(w)) {
      out_.add(sources_.diagnostic(Severity::error, "asm-pin-conflict", vreg(w).declared,
                                   fmt::format("'{}' cannot have register {}{}: it is out of range or in use",
                                               vreg(w).name, bank == Bank::a ? "a" : "b", *pinned(w)),
                                   "give it another number with .addr, or pin it elsewhere"));
      return;
    }
    Contest contest;
    contest.failed = w;
    for (uint32_t other : webs_in(RegisterFile::gpr)) {
      (banks.of(static_cast<int32_t>(other)) == bank ? contest.rivals : contest.other).push_back(other);
    }
    contest.kind = bank == Bank::a ? "bank A" : "bank B";
    contest.other_kind = bank == Bank::a ? "bank B" : "bank A";
    contest.room = slots_ - static_cast<unsigned>(absolute_slots_[b].size());
    contest.other_room = slots_ - static_cast<unsigned>(absolute_slots_[1 - b].size());
    contest.remedies.push_back("end scopes earlier");
    if (program_.profile == isa::Profile::me2) {
      contest.remedies.push_back(kSpillRemedy);
      if (program_.contexts == 8)
        contest.remedies.push_back("with .num_contexts 4 each context has twice the registers");
    }
    if (!absolute_slots_[b].empty()) contest.remedies.push_back("absolute registers cost a relative one here");
    report_pressure(program_, sources_, allocation_.liveness, contest, out_);
    tell_shortage(w, contest.rivals);
  }

  void tell_shortage(uint32_t w, const std::vector<uint32_t>& rivals) {
    if (!shortage_) return;
    const auto load = [&](uint32_t point) {
      return std::count_if(rivals.begin(), rivals.end(), [&](uint32_t other) { return webs()[other].live_at(point); });
    };
    uint32_t peak = start_of(webs()[w]);
    for (const Span& span : webs()[w].spans) {
      for (uint32_t p = span.begin; p < span.end; ++p) peak = load(p) > load(peak) ? p : peak;
    }
    for (uint32_t other : rivals) {
      if (other == w || webs()[other].live_at(peak)) shortage_->rivals.push_back(other);
    }
    shortage_->web = w;
    shortage_->liveness = allocation_.liveness;
  }

  // --- transfer registers ---

  void transfers() {
    const size_t errors = out_.error_count();
    std::vector<Cluster> clusters = make_clusters(program_, allocation_.liveness, sources_, out_);
    if (out_.error_count() != errors) return;
    const auto length = [&](const Cluster& c) {
      uint64_t sum = 0;
      for (const Cluster::Member& m : c.members) sum += webs()[static_cast<size_t>(m.web)].length();
      return sum;
    };
    const std::vector<std::function<bool(const Cluster&, const Cluster&)>> orders = {
        [](const Cluster& x, const Cluster& y) {
          return std::tuple(!x.base, -static_cast<int>(x.width), x.insn) <
                 std::tuple(!y.base, -static_cast<int>(y.width), y.insn);
        },
        [&](const Cluster& x, const Cluster& y) {
          return std::tuple(!x.base, y.width * length(y)) < std::tuple(!y.base, x.width * length(x));
        },
        [](const Cluster& x, const Cluster& y) { return std::tuple(!x.base, x.insn) < std::tuple(!y.base, y.insn); }};
    const Cluster* failed = nullptr;
    for (const auto& order : orders) {
      std::stable_sort(clusters.begin(), clusters.end(), order);
      failed = place_clusters(clusters);
      if (!failed) return;
    }
    if (failed) report_transfer(*failed);
  }

  /// Who pins a register whose number is a value vouches for what `.set` says about it.
  static const std::vector<Span>& held(const Web& web) {
    return web.pin && !web.stated.empty() ? web.stated : web.spans;
  }

  const Cluster* place_clusters(const std::vector<Cluster>& clusters) {
    std::vector<Occupancy> files(kRegisterFiles, Occupancy(transfers_, points()));
    const auto read = [](const isa::Operand& o, OperandKind kind) { return o.kind == kind; };
    for (const auto& [kind, in, out] : {std::tuple(OperandKind::xfer_s, RegisterFile::s_read, RegisterFile::s_write),
                                        std::tuple(OperandKind::xfer_d, RegisterFile::d_read, RegisterFile::d_write)}) {
      for (const RegisterFile file : {in, out}) {
        const OperandKind k = kind;
        reserve_physical(files[static_cast<size_t>(file)], [&](const isa::Operand& o) { return read(o, k); });
        reserve_physical_commands(files[static_cast<size_t>(file)], k);
      }
    }
    for (const Cluster& cluster : clusters) {
      sources_.checkpoint();
      const auto fits = [&](uint32_t base) {
        return std::all_of(cluster.members.begin(), cluster.members.end(), [&](const Cluster::Member& m) {
          const Web& web = webs()[static_cast<size_t>(m.web)];
          return files[static_cast<size_t>(web.file)].free(base + m.offset, held(web));
        });
      };
      if (cluster.width > transfers_) return &cluster;
      uint32_t base = cluster.base.value_or(0);
      const uint32_t last = cluster.base ? base : transfers_ - cluster.width;
      if (base + cluster.width > transfers_) return &cluster;
      while (base <= last && !fits(base)) ++base;
      if (base > last) return &cluster;
      for (const Cluster::Member& m : cluster.members) {
        const Web& web = webs()[static_cast<size_t>(m.web)];
        files[static_cast<size_t>(web.file)].take(base + m.offset, held(web));
        allocation_.places[static_cast<size_t>(m.web)] = {Bank::none, base + m.offset};
      }
    }
    return nullptr;
  }

  void reserve_physical_commands(Occupancy& occupancy, OperandKind kind) const {
    for (const IrInsn& insn : program_.insns) {
      if (insn.vreg[static_cast<size_t>(Role::xfer)] >= 0 || insn.insn.xfer.kind != kind) continue;
      for (uint32_t k = 0; k < xfer_longwords(insn); ++k) {
        if (insn.insn.xfer.value + k < occupancy.registers()) occupancy.take_all(insn.insn.xfer.value + k);
      }
    }
  }

  void report_transfer(const Cluster& cluster) {
    const auto w = static_cast<uint32_t>(cluster.members.front().web);
    if (cluster.base) {
      out_.add(sources_.diagnostic(Severity::error, "asm-pin-conflict", vreg(w).declared,
                                   fmt::format("'{}' cannot stand where it is pinned: out of range or in use", name(w)),
                                   "give it another number with .addr, or pin it elsewhere"));
      return;
    }
    static constexpr std::array<const char*, kRegisterFiles> kinds = {"bank",
                                                                      "bank",
                                                                      "the $ read registers",
                                                                      "the $ write registers",
                                                                      "the $$ read registers",
                                                                      "the $$ write registers",
                                                                      "neighbor registers",
                                                                      "signals"};
    Contest contest{kinds[static_cast<size_t>(webs()[w].file)],
                    webs_in(webs()[w].file),
                    w,
                    transfers_,
                    {"end scopes earlier, await commands sooner, or move fewer longwords at once"},
                    {},
                    {},
                    0};
    if (cluster.width > 1)
      contest.remedies.push_back(fmt::format("'{}' needs {} registers in a row", name(w), cluster.width));
    if (program_.profile == isa::Profile::me2 && program_.contexts == 8) {
      contest.remedies.push_back("with .num_contexts 4 each context has twice the registers");
    }
    report_pressure(program_, sources_, allocation_.liveness, contest, out_);
  }

  // --- neighbor registers and signals ---

  void neighbors() {
    std::vector<bool> taken(slots_, false);
    const std::vector<uint32_t> members = webs_in(RegisterFile::neighbor);
    for (uint32_t w : members) {
      if (pinned(w) && *pinned(w) < slots_) taken[*pinned(w)] = true;
    }
    for (uint32_t w : members) {
      if (pinned(w)) {
        allocation_.places[w].number = *pinned(w);
        continue;
      }
      const auto free = std::find(taken.begin(), taken.end(), false);
      if (free == taken.end()) {
        report_pressure(program_, sources_, allocation_.liveness,
                        {"neighbor registers", members, w, slots_, {"use the neighbor registers as a ring"}, {}, {}, 0},
                        out_);
        return;
      }
      *free = true;
      allocation_.places[w].number = static_cast<uint32_t>(free - taken.begin());
    }
  }

  void signals() {
    std::vector<uint32_t> members = webs_in(RegisterFile::signal);
    uint32_t lost = UINT32_MAX;
    const auto signal = [&](uint32_t w) -> const Signal& {
      return program_.signals[static_cast<size_t>(webs()[w].symbol)];
    };
    for (const bool by_length : {false, true}) {
      std::stable_sort(members.begin(), members.end(), [&](uint32_t x, uint32_t y) {
        const uint32_t px = by_length ? UINT32_MAX - webs()[x].length() : start_of(webs()[x]);
        const uint32_t py = by_length ? UINT32_MAX - webs()[y].length() : start_of(webs()[y]);
        return std::tuple(!pinned(x), !signal(x).doubled, px) < std::tuple(!pinned(y), !signal(y).doubled, py);
      });
      lost = UINT32_MAX;
      Occupancy occupancy(17, points());
      occupancy.take_all(0);
      occupancy.take_all(16);
      reserve_physical_signals(occupancy);
      for (uint32_t w : members) {
        if (!place_signal(w, signal(w), occupancy)) {
          lost = w;
          break;
        }
      }
      if (lost == UINT32_MAX) return;
    }
    if (pinned(lost)) {
      out_.add(sources_.diagnostic(Severity::error, "asm-pin-conflict", signal(lost).declared,
                                   fmt::format("signal '{}' cannot have number {}: signals are 1 to 15, doubled ones "
                                               "even, and each number is used once at a time",
                                               signal(lost).name, *pinned(lost))));
      return;
    }
    report_pressure(program_, sources_, allocation_.liveness,
                    {"signals",
                     members,
                     lost,
                     15,
                     {"await a signal before the next command takes one; a doubled signal takes two numbers"},
                     {},
                     {},
                     0},
                    out_);
  }

  void reserve_physical_signals(Occupancy& occupancy) const {
    for (const IrInsn& insn : program_.insns) {
      const auto reserve = [&](const SignalRef& ref) {
        if (ref.id < 0 && ref.number < 16) occupancy.take_all(ref.number);
      };
      if (insn.signal) reserve(*insn.signal);
      for (const SignalRef& ref : insn.signals) reserve(ref);
    }
  }

  bool place_signal(uint32_t w, const Signal& signal, Occupancy& occupancy) {
    const std::vector<Span>& spans = held(webs()[w]);
    const unsigned step = signal.doubled ? 2 : 1;
    unsigned first = signal.doubled ? 2 : 1, last = signal.doubled ? 14 : 15;
    if (const auto forced = pinned(w)) {
      if (*forced < first || *forced > last || (signal.doubled && *forced % 2 != 0)) return false;
      first = last = *forced;
    }
    for (unsigned number = first; number <= last; number += step) {
      if (!occupancy.free(number, spans) || (signal.doubled && !occupancy.free(number + 1, spans))) continue;
      occupancy.take(number, spans);
      if (signal.doubled) occupancy.take(number + 1, spans);
      allocation_.places[w].number = number;
      return true;
    }
    return false;
  }

  const Program& program_;
  const Sources& sources_;
  Diagnostics& out_;
  Shortage* shortage_;
  unsigned slots_;      ///< relative registers per bank, and neighbor registers
  unsigned transfers_;  ///< transfer registers per file
  std::set<uint32_t> absolute_slots_[2];
  Allocation allocation_;
};

}  // namespace

void mark_doubled_signals(Program& program) {
  for (const IrInsn& insn : program.insns) {
    if (insn.signal && insn.signal->id >= 0 && isa::info(insn.insn.id).signal == isa::SignalUse::doubled) {
      program.signals[static_cast<size_t>(insn.signal->id)].doubled = true;
    }
  }
}

std::optional<Allocation> allocate(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out,
                                   const Pins& pins, Shortage* shortage) {
  const size_t errors = out.error_count();
  Allocator allocator(program, flow, pins, sources, out, shortage);
  if (out.error_count() != errors) return std::nullopt;
  return allocator.run();
}

}  // namespace weft::assembler
