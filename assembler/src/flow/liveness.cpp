#include "flow/liveness.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "flow/accesses.h"
#include "flow/calls.h"
#include "flow/waits.h"

namespace weft::assembler {
namespace {

class DisjointSets {
 public:
  uint32_t add() {
    const auto own = static_cast<uint32_t>(parent_.size());
    parent_.push_back(own);
    return own;
  }
  void clear() { parent_.clear(); }
  uint32_t find(uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(uint32_t a, uint32_t b) { parent_[find(a)] = find(b); }
  size_t size() const { return parent_.size(); }

 private:
  std::vector<uint32_t> parent_;
};

/// Puts points in order by marking them: a web of a long program has very many of them, most more than once.
class PointMarks {
 public:
  explicit PointMarks(uint32_t points) : words_(points / 64 + 2, 0) {}

  std::vector<Span> spans(const std::vector<uint32_t>& points) {
    if (points.empty()) return {};
    uint32_t min = UINT32_MAX, max = 0;
    for (const uint32_t p : points) {
      words_[p / 64] |= uint64_t{1} << p % 64;
      min = std::min(min, p);
      max = std::max(max, p);
    }
    std::vector<Span> spans;
    for (uint32_t w = min / 64; w <= max / 64; ++w) {
      uint64_t left = std::exchange(words_[w], 0);
      while (left != 0) {
        const auto from = static_cast<uint32_t>(std::countr_zero(left));
        const auto length = static_cast<uint32_t>(std::countr_one(left >> from));
        left = from + length == 64 ? 0 : left & (~uint64_t{0} << (from + length));
        const uint32_t begin = 64 * w + from;
        if (!spans.empty() && spans.back().end == begin)
          spans.back().end += length;
        else
          spans.push_back({begin, begin + length});
      }
    }
    return spans;
  }

 private:
  std::vector<uint64_t> words_;  ///< a bit for each point; all zero between calls
};

void add_range(std::vector<uint32_t>& points, uint32_t begin, uint32_t end) {
  for (uint32_t p = begin; p < end; ++p) points.push_back(p);
}

/// How a name behaves, beside its uses and definitions.
struct Nature {
  bool everywhere = false;  ///< live in its whole scope
  bool whole_program = false;
  bool fixed = false;  ///< one web
  bool keeps = false;  ///< definitions do not end what was there before: data may come unasked
  bool defined_at_start = false;
  uint32_t scope_begin = 0, scope_end = UINT32_MAX;
};

class Analysis {
 public:
  Analysis(const Program& program, const Flow& flow)
      : program_(program),
        flow_(flow),
        calls_(program, flow),
        variables_(program),
        waits_(program, flow, calls_),
        size_(static_cast<uint32_t>(program.insns.size())),
        live_(size_, kNone),
        def_(size_, kNone),
        live_stamp_(size_, 0),
        def_stamp_(size_, 0),
        reasons_(size_, 0),
        taken_vregs_(address_taken_vregs(program)),
        taken_signals_(address_taken_signals(program)),
        marks_(2 * size_) {}

  Liveness run() {
    out_.points = 2 * size_;
    out_.accesses = collect_accesses(program_);
    by_variable_.resize(variables_.count());
    for (uint32_t a = 0; a < out_.accesses.size(); ++a) by_variable_[out_.accesses[a].variable].push_back(a);
    find_initial();
    for (uint32_t v = 0; v < variables_.count(); ++v) {
      checkpoint(program_.cancellation);
      if (!by_variable_[v].empty() || held_unnamed(v)) variable(v);
    }
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// No instruction names it, and yet something may write to it unasked: a volatile register, or a read register in a
  /// group of which the number of a member is a value.
  bool held_unnamed(uint32_t v) const {
    if (variables_.is_signal(v)) return false;
    const auto id = static_cast<size_t>(variables_.symbol(v));
    const Vreg& r = program_.vregs[id];
    const bool write_half = (v & 1) != 0;
    if (!is_xfer(r.cls)) return !write_half && r.is_volatile;
    if (write_half ? !r.write_side : !r.read_side) return false;
    return r.is_volatile || r.is_visible || (taken_vregs_[id] && !write_half);
  }

  void find_initial() {
    std::unordered_set<std::string_view> with_init;
    for (const image::Init& init : program_.inits) with_init.insert(init.name);
    initial_.assign(program_.vregs.size(), false);
    for (size_t v = 0; v < program_.vregs.size(); ++v) {
      const std::string_view name = program_.vregs[v].name;
      const std::string_view array = name.substr(0, name.find('['));
      initial_[v] = program_.vregs[v].initial.has_value() || with_init.contains(name) || with_init.contains(array);
    }
  }

  Nature nature_of(uint32_t variable) const {
    Nature n;
    if (variables_.is_signal(variable)) {
      const auto id = static_cast<size_t>(variables_.symbol(variable));
      const Signal& s = program_.signals[id];
      n.everywhere = s.is_volatile || s.is_visible || s.is_global;
      n.keeps = n.everywhere || taken_signals_[id];
      n.fixed = n.keeps;
      n.scope_begin = s.scope_begin;
      n.scope_end = s.scope_end;
    } else {
      const auto id = static_cast<size_t>(variables_.symbol(variable));
      const Vreg& r = program_.vregs[id];
      n.whole_program = r.cls == VregClass::gpr_absolute || r.cls == VregClass::neighbor;
      n.everywhere = r.is_volatile || r.is_global || r.is_visible || n.whole_program;
      n.keeps = n.everywhere || taken_vregs_[id];
      n.fixed = n.keeps;
      n.defined_at_start = initial_[id];
      n.scope_begin = r.scope_begin;
      n.scope_end = r.scope_end;
    }
    n.scope_end = std::min(n.scope_end, size_);
    n.scope_begin = std::min(n.scope_begin, n.scope_end);
    return n;
  }

  /// Entering a scope afresh: what its names held before has no meaning.
  bool enters_scope(const Nature& n, uint32_t from, uint32_t to) const {
    return to == n.scope_begin && (from < n.scope_begin || from >= n.scope_end);
  }

  uint32_t live_at(uint32_t index) const { return live_stamp_[index] == stamp_ ? live_[index] : kNone; }
  uint32_t def_at(uint32_t index) const { return def_stamp_[index] == stamp_ ? def_[index] : kNone; }
  uint32_t make_live(uint32_t index) {
    if (live_at(index) == kNone) {
      live_stamp_[index] = stamp_;
      reasons_[index] = 0;
      live_[index] = sets_.add();
      live_nodes_.push_back(index);
    }
    return live_[index];
  }

  void variable(uint32_t v) {
    ++stamp_;
    sets_.clear();
    live_nodes_.clear();
    Nature nature = nature_of(v);
    const std::vector<uint32_t>& mentions = by_variable_[v];

    // Definitions, and hints that stand before their instruction.
    std::vector<uint32_t> def_nodes;
    std::vector<bool> hint_def;
    hinted_.clear();
    for (uint32_t a : mentions) {
      const Access& access = out_.accesses[a];
      if (!access.def) continue;
      if (access.slot == Slot::hint) {
        hinted_.push_back(access.insn);
      } else if (def_at(access.insn) == kNone) {
        def_stamp_[access.insn] = stamp_;
        def_[access.insn] = sets_.add();
        def_nodes.push_back(access.insn);
      }
    }
    std::sort(hinted_.begin(), hinted_.end());

    grow(nature, mentions);
    // Code that is entered from outside: what it reads must be kept the whole time.
    if (std::any_of(program_.reentry.begin(), program_.reentry.end(),
                    [&](uint32_t r) { return r < size_ && live_at(r) != kNone; })) {
      nature.everywhere = nature.keeps = nature.fixed = true;
      grow(nature, mentions);
    }
    // Join what belongs together.
    for (uint32_t a : mentions) {
      const Access& access = out_.accesses[a];
      if (access.use && access.def) sets_.join(make_live(access.insn), def_at(access.insn));
      // The old value and the new one of &signal or &$x are one place anyway (fixed).
    }
    for (size_t k = 0; k < live_nodes_.size(); ++k) {
      const uint32_t n = live_nodes_[k];
      if (stops_before(nature, n)) continue;
      for (uint32_t p : flow_.previous(n)) {
        if (enters_scope(nature, p, n) || !carries(p, n)) continue;
        const uint32_t def = def_at(p);
        if (def != kNone) sets_.join(live_at(n), def);
        if (live_at(p) != kNone && (def == kNone || nature.keeps)) sets_.join(live_at(n), live_at(p));
      }
    }
    if (nature.fixed) {
      for (uint32_t k = 1; k < sets_.size(); ++k) sets_.join(0, k);
    }
    make_webs(v, nature, mentions, def_nodes);
  }

  bool hinted(uint32_t index) const { return std::binary_search(hinted_.begin(), hinted_.end(), index); }
  /// A `.set` before the instruction ends the life of older values, unless data may come unasked.
  bool stops_before(const Nature& nature, uint32_t index) const {
    return !nature.keeps && !hinted_.empty() && hinted(index);
  }

  /// Why a name is live before an instruction: a use follows, or, in a subroutine, a caller holds it over the call.
  enum Reason : uint8_t { kUsed = 1, kHeld = 2 };

  /// Walks back from every use to the definitions that reach it. What is live after a matched call is held through the
  /// subroutine, and live before that call, unless the subroutine sets it on every way; the other callers of the
  /// subroutine have nothing to do with it.
  void grow(const Nature& nature, const std::vector<uint32_t>& mentions) {
    auto& work = work_;
    const auto live = [&](uint32_t index, Reason why) {
      make_live(index);
      if ((reasons_[index] & why) != 0) return;
      reasons_[index] |= why;
      work.push_back({index, why});
    };
    for (uint32_t n : live_nodes_) {
      for (const Reason why : {kUsed, kHeld}) {
        if ((reasons_[n] & why) != 0) work.push_back({n, why});
      }
    }
    for (uint32_t a : mentions) {
      if (out_.accesses[a].use) live(out_.accesses[a].insn, kUsed);
    }
    while (!work.empty()) {
      const auto [n, why] = work.back();
      work.pop_back();
      if (stops_before(nature, n)) continue;
      const auto before = [&](uint32_t p, uint32_t to, Reason reason) {
        if (enters_scope(nature, p, to)) return;
        if (def_at(p) != kNone && !nature.keeps) return;
        live(p, reason);
      };
      for (uint32_t p : flow_.previous(n)) {
        if (calls_.returns_behind(p)) {
          before(p, n, kHeld);
        } else if (calls_.leaving(p) < 0 || why == kUsed) {
          before(p, n, why);
        }
      }
      // After a call whose subroutine lets the value through.
      for (uint32_t c : calls_.returning(n)) {
        const Call& call = calls_.all()[c];
        if (held_at(nature, call.entry)) before(call.from, call.entry, why);
      }
      if (why != kHeld) continue;
      for (uint32_t c : calls_.entering(n)) {  // it is let through, as is known only now
        const Call& call = calls_.all()[c];
        if (live_at(call.to) == kNone || stops_before(nature, call.to)) continue;
        for (const Reason reason : {kUsed, kHeld}) {
          if ((reasons_[call.to] & reason) != 0) before(call.from, n, reason);
        }
      }
    }
  }
  bool held_at(const Nature& nature, uint32_t entry) const {
    return live_at(entry) != kNone && (reasons_[entry] & kHeld) != 0 && !stops_before(nature, entry);
  }

  /// The value before `n` may be the one after `p`. A call hands over what the subroutine uses, or its own code after
  /// it.
  bool carries(uint32_t p, uint32_t n) const {
    const int32_t c = calls_.leaving(p);
    if (c < 0 || (reasons_[n] & kUsed) != 0) return true;
    return live_at(calls_.all()[static_cast<size_t>(c)].to) != kNone;
  }

  void make_webs(uint32_t v, const Nature& nature, const std::vector<uint32_t>& mentions,
                 const std::vector<uint32_t>& def_nodes) {
    const RegisterFile file = file_of(program_, variables_, v);
    std::vector<uint32_t> web_of(sets_.size(), kNone);
    uint32_t count = 0;
    const auto first = static_cast<uint32_t>(out_.webs.size());
    const auto web = [&](uint32_t element) {
      uint32_t& id = web_of[sets_.find(element)];
      if (id == kNone) {
        id = count++;
        if (count > points_.size()) points_.emplace_back();
        points_[id].clear();
        Web w;
        w.file = file;
        w.symbol = variables_.symbol(v);
        w.everywhere = nature.everywhere;
        w.fixed = nature.fixed;
        out_.webs.push_back(std::move(w));
      }
      return id;
    };
    // Before an instruction, and after it: whatever is live before one of its successors.
    for (uint32_t n : live_nodes_) {
      std::vector<uint32_t>& points = points_[web(live_at(n))];
      points.push_back(2 * n);
      if (stops_before(nature, n)) continue;
      for (uint32_t p : flow_.previous(n)) {
        if (!enters_scope(nature, p, n) && carries(p, n)) points.push_back(2 * p + 1);
      }
    }
    for (uint32_t n : def_nodes) points_[web(def_at(n))].push_back(2 * n + 1);
    if (sets_.size() == 0) {  // named by hints or & only
      sets_.add();
      web_of.push_back(kNone);
      web(0);
    }
    for (uint32_t a : mentions) {
      Access& access = out_.accesses[a];
      uint32_t element = 0;
      if (access.slot == Slot::hint || access.slot == Slot::address) {
        if (!nature.fixed) continue;
      } else {
        element = access.def && !access.use ? def_at(access.insn) : live_at(access.insn);
      }
      access.web = static_cast<int32_t>(first + web(element));
    }
    // A transfer register that is only named by its number is filled or taken by someone we cannot see.
    if (nature.everywhere || (nature.fixed && points_[0].empty())) {
      const uint32_t begin = nature.whole_program ? 0 : 2 * nature.scope_begin;
      const uint32_t end = nature.whole_program ? 2 * size_ : 2 * nature.scope_end;
      add_range(points_[0], begin, std::max(end, begin));
    }
    reserve_under_way(v, nature, mentions, first);
    find_undefined(v, nature, file);
    for (uint32_t k = 0; k < count; ++k) out_.webs[first + k].spans = marks_.spans(points_[k]);
    if (nature.fixed && !nature.everywhere && !hinted_.empty()) out_.webs[first].stated = stated_spans(mentions);
  }

  /// Back from every use to the `.set` or the definition before it.
  std::vector<Span> stated_spans(const std::vector<uint32_t>& mentions) {
    std::vector<uint32_t> points, work;
    std::vector<bool> seen(size_, false);
    const auto live = [&](uint32_t n) {
      if (seen[n]) return;
      seen[n] = true;
      points.push_back(2 * n);
      work.push_back(n);
    };
    for (uint32_t a : mentions) {
      if (out_.accesses[a].use) live(out_.accesses[a].insn);
    }
    while (!work.empty()) {
      const uint32_t n = work.back();
      work.pop_back();
      if (hinted(n)) continue;
      for (uint32_t p : flow_.previous(n)) {
        points.push_back(2 * p + 1);
        if (def_at(p) == kNone) live(p);
      }
    }
    return marks_.spans(points);
  }

  /// Registers and signals of a command belong to it until its signal has been awaited.
  void reserve_under_way(uint32_t v, const Nature& nature, const std::vector<uint32_t>& mentions, uint32_t first) {
    std::vector<bool> stop;
    const bool write_half = !variables_.is_signal(v) && (v & 1) != 0;
    for (uint32_t a : mentions) {
      const Access& access = out_.accesses[a];
      const bool command = access.slot == Slot::xfer || (access.slot == Slot::signal && access.def);
      if (!command || access.web < 0) continue;
      Waits::Limits limits;
      // The answer comes also when its names are out of scope; without a signal the program says nothing about that.
      if (!answers_to_us(program_.insns[access.insn])) {
        limits.scope_begin = nature.scope_begin;
        limits.scope_end = nature.scope_end;
      }
      if (access.slot == Slot::xfer) limits.held = write_half ? Waits::Held::taken : Waits::Held::filled;
      if (write_half) {
        if (stop.empty()) {
          stop.assign(size_, false);
          for (uint32_t b : mentions) {
            if (out_.accesses[b].slot == Slot::dest) stop[out_.accesses[b].insn] = true;
          }
        }
        limits.stop = &stop;
      }
      const std::vector<uint32_t> under_way = waits_.points_under_way(access.insn, limits);
      std::vector<uint32_t>& target = points_[static_cast<uint32_t>(access.web) - first];
      target.insert(target.end(), under_way.begin(), under_way.end());
    }
  }

  /// The program itself must await the command's signal: nobody else can, by its number or from outside.
  bool answers_to_us(const IrInsn& command) const {
    const auto mode = static_cast<isa::SignalMode>(command.insn[isa::Role::signal_mode]);
    if (mode != isa::SignalMode::sig_done || !command.signal) return false;
    return command.signal->id < 0 || !seen_by_others(program_, taken_signals_, command.signal->id);
  }

  /// Uses that the start of the program, or of the scope, reaches without a definition on the way.
  void find_undefined(uint32_t v, const Nature& nature, RegisterFile file) {
    if (nature.keeps || nature.defined_at_start) return;
    std::vector<uint32_t> open;
    for (uint32_t n : live_nodes_) {
      if (!flow_.reached(n) || stops_before(nature, n)) continue;
      bool exposed = n == 0;
      for (uint32_t p : flow_.previous(n)) exposed = exposed || (enters_scope(nature, p, n) && flow_.reached(p));
      if (exposed) open.push_back(n);
    }
    if (open.empty()) return;
    std::vector<bool> uses(size_, false), seen(size_, false);
    std::vector<bool> tied(size_, false);
    for (uint32_t a : by_variable_[v]) {
      const Access& access = out_.accesses[a];
      if (access.use && access.slot != Slot::hint) uses[access.insn] = true;
      if (access.use && access.def) tied[access.insn] = true;
    }
    std::vector<bool> defined_sets(sets_.size(), false);
    for (uint32_t a : by_variable_[v]) {
      const Access& access = out_.accesses[a];
      if (access.def && access.slot != Slot::hint && def_at(access.insn) != kNone && !access.use) {
        defined_sets[sets_.find(def_at(access.insn))] = true;
      }
    }
    for (uint32_t n : open) seen[n] = true;
    while (!open.empty()) {
      const uint32_t n = open.back();
      open.pop_back();
      if (uses[n]) {
        if (tied[n]) continue;  // a partial write: the other bytes may well be meant to be undefined
        out_.undefined.push_back({n, variables_.symbol(v), file, !defined_sets[sets_.find(live_at(n))]});
        continue;
      }
      const auto follow = [&](uint32_t to) {
        if (live_at(to) == kNone || seen[to] || def_at(n) != kNone || enters_scope(nature, n, to)) return;
        if (stops_before(nature, to)) return;
        seen[to] = true;
        open.push_back(to);
      };
      if (const int32_t c = calls_.leaving(n); c >= 0) {  // past the subroutine, back to where this call returns
        const Call& call = calls_.all()[static_cast<size_t>(c)];
        if (live_at(call.entry) != kNone && (reasons_[call.entry] & kUsed) != 0) follow(call.entry);
        if (held_at(nature, call.entry)) follow(call.to);
      } else if (!calls_.returns_behind(n)) {
        for (uint32_t to : flow_.next(n)) follow(to);
      }
    }
  }

  const Program& program_;
  const Flow& flow_;
  Calls calls_;
  Variables variables_;
  Waits waits_;
  uint32_t size_;
  std::vector<uint32_t> live_, def_, live_stamp_, def_stamp_;
  std::vector<uint8_t> reasons_;  ///< by instruction, valid where live
  uint32_t stamp_ = 0;
  std::vector<bool> taken_vregs_, taken_signals_, initial_;
  std::vector<std::vector<uint32_t>> by_variable_;
  std::vector<uint32_t> live_nodes_, hinted_;
  // Kept from one variable to the next, for their memory.
  std::vector<std::pair<uint32_t, Reason>> work_;  ///< of grow(), empty between calls
  std::vector<std::vector<uint32_t>> points_;      ///< of the webs of one variable; more than there are webs
  DisjointSets sets_;
  PointMarks marks_;
  Liveness out_;
};

}  // namespace

uint32_t Web::length() const {
  return std::accumulate(spans.begin(), spans.end(), 0u,
                         [](uint32_t sum, const Span& s) { return sum + s.end - s.begin; });
}

bool Web::live_at(uint32_t point) const {
  const auto after =
      std::upper_bound(spans.begin(), spans.end(), point, [](uint32_t p, const Span& s) { return p < s.begin; });
  return after != spans.begin() && point < std::prev(after)->end;
}

Liveness analyse_liveness(const Program& program, const Flow& flow) { return Analysis(program, flow).run(); }

}  // namespace weft::assembler
