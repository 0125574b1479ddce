#include "allocator/spill.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "allocator/occupancy.h"
#include "allocator/spill_rewrite.h"
#include "flow/accesses.h"
#include "optimizer/optimizer.h"

namespace weft::assembler {
namespace {

using isa::Role;

constexpr uint32_t kLocalMemoryBytes = 640 * 4;  // isa.md 2.1
constexpr const char* kBlock = "weft_spill";

/// Programs that cannot be spilled whatever their ranges are; "" for the others.
std::string refusal(const Program& program, const Pins& pins) {
  if (program.profile == isa::Profile::me1) return fmt::format("{} has no local memory", program.chip);
  if (program.physical) return "the program names physical registers and says exactly which words it wants";
  if (!program.raw_words.empty()) return "the program has words of its own (.word), whose registers nobody knows";
  if (!pins.empty()) return "a pin file names the words of the program as it is";
  for (const IrInsn& insn : program.insns) {
    const bool branch = isa::effects(insn.insn.id).goes == isa::BranchTo::word;
    if ((branch || insn.insn[Role::has_target] != 0) && insn.target < 0)
      return "a branch goes to a number instead of a label";
  }
  return "";
}

/// Whether the program writes a pointer, or uses local memory through it; "" or how.
std::string use_of_pointer(const Program& program, unsigned pointer) {
  if (program.lm_absolute[pointer])
    return fmt::format(".local_mem{}_mode abs makes it one pointer for all contexts", pointer);
  const auto kind = pointer == 0 ? isa::OperandKind::local_mem0 : isa::OperandKind::local_mem1;
  const isa::States state = isa::states(pointer == 0 ? isa::State::lm_addr_0 : isa::State::lm_addr_1);
  for (const IrInsn& insn : program.insns) {
    for (const Role role : {Role::dest, Role::left, Role::right}) {
      if (insn.insn.operand(role).kind == kind) return fmt::format("the program uses *l$index{}", pointer);
    }
    if (insn.insn[Role::lm_select] == pointer + 1) return fmt::format("a cam_lookup loads lm_addr{}", pointer);
    if (isa::effects(insn.insn.id).csr != isa::CsrUse::write) continue;
    if (const uint32_t csr = insn.insn[Role::csr]; (isa::csr_effects(program.profile, csr).holds & state) != 0)
      return fmt::format("the program writes {}", isa::find_csr(program.profile, csr)->name);
  }
  return "";
}

/// How often an instruction executes, roughly: eight times more per loop around it.
std::vector<uint64_t> weights(const Flow& flow) {
  const auto size = static_cast<uint32_t>(flow.size());
  std::vector<uint32_t> last(size, 0);  // by loop head: the last instruction that leads back to it
  for (uint32_t i = 0; i < size; ++i) {
    for (uint32_t to : flow.next(i)) {
      if (to <= i) last[to] = std::max(last[to], i + 1);
    }
  }
  std::vector<int32_t> depth(size + 1, 0);
  for (uint32_t head = 0; head < size; ++head) {
    if (last[head] == 0) continue;
    ++depth[head];
    --depth[last[head]];
  }
  std::vector<uint64_t> out(size, 1);
  int32_t now = 0;
  for (uint32_t i = 0; i < size; ++i) {
    now += depth[i];
    out[i] = uint64_t{1} << (3 * std::min(now, 5));
  }
  return out;
}

class Spiller {
 public:
  Spiller(const Program& program, const Sources& sources, std::vector<unsigned> pointers)
      : program_(program),
        sources_(sources),
        flow_(program),
        live_(analyse_liveness(program, flow_)),
        rewriter_(program, flow_, live_),
        pointers_(std::move(pointers)),
        slots_(live_.webs.size(), -1),
        memory_(static_cast<unsigned>(pointers_.size()) * kOffsets, std::max<uint32_t>(1, live_.points)),
        weight_(weights(flow_)) {
    uses_.resize(live_.webs.size());
    for (uint32_t i = 0; i < program.insns.size(); ++i) {
      for (const int32_t web : rewriter_.webs_of(i)) {
        if (web >= 0 && (uses_[static_cast<size_t>(web)].empty() || uses_[static_cast<size_t>(web)].back() != i))
          uses_[static_cast<size_t>(web)].push_back(i);
      }
    }
    find_candidates();
  }

  /// True when `result` holds a program that fits.
  bool run(SpillRewriter::Result& result, std::string& why) {
    if (!relieve(why)) return false;
    for (unsigned round = 0; round < 400; ++round) {
      result = rewriter_.rewrite(slots_, area_);
      Diagnostics discarded;
      Shortage shortage;
      const Flow flow(result.program);
      if (allocate(result.program, flow, sources_, discarded, {}, &shortage)) {
        trim(result);
        return true;
      }
      if (!shortage.web) {
        why = "what is left is no lack of general-purpose registers";
        return false;
      }
      if (!choose(shortage, result)) {
        why = obstacle();
        return false;
      }
    }
    why = "no choice of ranges was enough";
    return false;
  }

  bool place_area(std::string& why) {
    const unsigned contexts = program_.contexts == 4 ? 4 : 8;
    area_.pointers = pointers_;
    area_.words = kOffsets;
    area_.base.clear();
    const uint32_t bytes = contexts * area_.words * 4;
    std::vector<std::pair<uint64_t, uint64_t>> taken;
    for (const image::MemoryBlock& block : program_.memory) {
      if (block.region == image::Region::local && block.address)
        taken.emplace_back(*block.address, *block.address + block.size);
    }
    for (size_t k = 0; k < pointers_.size(); ++k) {
      std::optional<uint32_t> found;
      for (uint32_t base = kLocalMemoryBytes / bytes * bytes; base >= bytes && !found;) {
        base -= bytes;
        const bool free = std::none_of(taken.begin(), taken.end(),
                                       [&](const auto& t) { return base < t.second && t.first < base + bytes; });
        if (!free) continue;
        taken.emplace_back(base, base + bytes);
        if (others_fit(taken))
          found = base;
        else
          taken.pop_back();
      }
      if (!found) {
        if (k > 0) break;  // one pointer is better than none
        why = fmt::format(
            "local memory has no free stretch of {} bytes ({} words for each of {} contexts) beside the blocks of the "
            "program",
            bytes, area_.words, contexts);
        return false;
      }
      area_.base.push_back(*found);
    }
    pointers_.resize(area_.base.size());
    area_.pointers = pointers_;
    memory_ = Occupancy(static_cast<unsigned>(pointers_.size()) * kOffsets, std::max<uint32_t>(1, live_.points));
    return true;
  }

  std::string entry_obstacle() const {
    for (uint32_t r : program_.reentry) {
      const std::string text = rewriter_.prologue_obstacle(r);
      if (!text.empty()) return "the pointer cannot be set at a .reentry: " + text;
    }
    return rewriter_.prologue_obstacle(0);
  }

  const SpillArea& area() const { return area_; }
  const Slots& slots() const { return slots_; }
  const Liveness& live() const { return live_; }

 private:
  /// Most spills need one pointer only; the second one then goes, with its words.
  void trim(SpillRewriter::Result& result) {
    const int highest = *std::max_element(slots_.begin(), slots_.end());
    const size_t needed = static_cast<size_t>(std::max(0, highest)) / kOffsets + 1;
    if (needed >= area_.pointers.size()) return;
    SpillArea area = area_;
    area.pointers.resize(needed);
    area.base.resize(needed);
    SpillRewriter::Result smaller = rewriter_.rewrite(slots_, area);
    Diagnostics discarded;
    if (!allocate(smaller.program, Flow(smaller.program), sources_, discarded)) return;
    area_ = std::move(area);
    result = std::move(smaller);
  }

  const Web& web(uint32_t w) const { return live_.webs[w]; }
  const Vreg& vreg(uint32_t w) const { return program_.vregs[static_cast<size_t>(web(w).symbol)]; }

  /// The program's other local memory, wherever the linker puts it, still finds room.
  bool others_fit(const std::vector<std::pair<uint64_t, uint64_t>>& taken) const {
    uint64_t cursor = 0;
    for (const image::MemoryBlock& block : program_.memory) {
      if (block.region != image::Region::local || block.address) continue;
      const auto up = [&](uint64_t address) { return (address + block.align - 1) & ~(block.align - 1); };
      uint64_t at = up(cursor);
      for (bool moved = true; moved;) {
        moved = false;
        for (const auto& [begin, end] : taken) {
          if (begin < at + block.size && at < end) at = up(end), moved = true;
        }
      }
      if (at + block.size > kLocalMemoryBytes) return false;
      cursor = at + block.size;
    }
    return true;
  }

  void find_candidates() {
    std::vector<bool> barred(program_.vregs.size(), false);
    for (const Hint& hint : program_.hints) {
      if (hint.vreg >= 0) barred[static_cast<size_t>(hint.vreg)] = true;  // a hint names no web of its own
    }
    for (const IrInsn& insn : program_.insns) {  // where a rtn or jump leads is followed by the register's name
      if (!isa::goes_by_register(insn.insn.id)) continue;
      for (const Role role : {Role::left, Role::right}) {
        if (insn.vreg[static_cast<size_t>(role)] >= 0)
          barred[static_cast<size_t>(insn.vreg[static_cast<size_t>(role)])] = true;
      }
    }
    std::unordered_set<std::string_view> with_init;
    for (const image::Init& init : program_.inits) with_init.insert(init.name);
    for (size_t v = 0; v < program_.vregs.size(); ++v)
      barred[v] = barred[v] || with_init.contains(program_.vregs[v].name);
    candidate_.assign(live_.webs.size(), false);
    for (uint32_t w = 0; w < live_.webs.size(); ++w) {
      if (web(w).file != RegisterFile::gpr || uses_[w].empty() || barred[static_cast<size_t>(web(w).symbol)]) continue;
      const Vreg& r = vreg(w);
      candidate_[w] = !r.is_volatile && !r.is_global && !r.is_visible && !r.is_remote && !r.pinned && !r.initial;
    }
  }

  /// Added words of a slot for a web, weighted; nothing when some instruction cannot be written so.
  std::optional<uint64_t> cost(uint32_t w, int slot) {
    uint64_t sum = 0;
    for (uint32_t i : uses_[w]) {
      const auto before = rewriter_.plan(i, slots_, pointers_);
      slots_[w] = slot;
      const auto after = rewriter_.plan(i, slots_, pointers_);
      slots_[w] = -1;
      if (!after) return std::nullopt;
      sum += weight_[i] * (after->words - std::min(after->words, before ? before->words : 0));
    }
    return sum;
  }

  struct Choice {
    int slot = -1;
    uint64_t cost = 0;
  };
  /// The cheapest free slot: a far one, unless the instructions want a near one.
  std::optional<Choice> slot_for(uint32_t w) {
    int near = -1, far = -1;
    for (int s = 0; s < static_cast<int>(memory_.registers()); ++s) {
      int& kind = static_cast<unsigned>(s) % kOffsets < kRestrictedOffsets ? near : far;
      if (kind < 0 && memory_.free(static_cast<unsigned>(s), web(w).spans)) kind = s;
    }
    std::optional<Choice> best;
    for (const int s : {far, near}) {
      if (s < 0) continue;
      if (const auto c = cost(w, s); c && (!best || *c < best->cost)) best = Choice{s, *c};
    }
    full_ = full_ || (near < 0 && far < 0);
    return best;
  }

  void take(uint32_t w, const Choice& choice) {
    slots_[w] = choice.slot;
    memory_.take(static_cast<unsigned>(choice.slot), web(w).spans);
  }

  /// The best of some webs to spill, by price per covered point.
  bool choose_among(const std::vector<uint32_t>& webs, const std::vector<bool>* crowded) {
    std::optional<std::pair<uint32_t, Choice>> best;
    double best_price = 0;
    for (uint32_t w : webs) {
      if (!candidate_[w] || slots_[w] >= 0) continue;
      const auto choice = slot_for(w);
      if (!choice) continue;
      uint64_t uses = 0, covered = 0;
      for (uint32_t i : uses_[w]) uses += weight_[i];
      for (const Span& span : web(w).spans) {
        for (uint32_t p = span.begin; p < span.end; ++p) covered += !crowded || (*crowded)[p] ? 1 : 0;
      }
      const double price = static_cast<double>(choice->cost * 32 + uses + 1) / static_cast<double>(covered + 1);
      if (best && price >= best_price) continue;
      best = {w, *choice};
      best_price = price;
    }
    if (!best) return false;
    take(best->first, best->second);
    return true;
  }

  /// Spills until nowhere more registers are live than both banks together hold.
  bool relieve(std::string& why) {
    const unsigned per_bank = program_.of_context(isa::sizes(program_.profile).relative_gprs);
    const unsigned sharing = isa::sizes(program_.profile).absolute_gprs / per_bank;
    std::vector<int32_t> load(live_.points + 1, 0);
    unsigned absolutes = 0;
    for (uint32_t w = 0; w < live_.webs.size(); ++w) {
      if (web(w).file == RegisterFile::gpr_absolute) ++absolutes;
      if (web(w).file == RegisterFile::gpr) count(load, w, 1);
    }
    const auto room = static_cast<int32_t>(2 * per_bank - (absolutes + sharing - 1) / sharing);
    while (true) {
      const auto peak = std::max_element(load.begin(), load.end());
      if (*peak <= room) return true;
      const auto point = static_cast<uint32_t>(peak - load.begin());
      std::vector<bool> crowded(load.size());
      for (size_t p = 0; p < load.size(); ++p) crowded[p] = load[p] > room;
      const std::vector<uint32_t> webs = live_at(point);
      const Slots before = slots_;
      if (!choose_among(webs, &crowded)) {
        why = obstacle();
        return false;
      }
      for (uint32_t w : webs) {
        if (slots_[w] >= 0 && before[w] < 0) count(load, w, -1);
      }
    }
  }

  void count(std::vector<int32_t>& load, uint32_t w, int32_t by) const {
    for (const Span& span : web(w).spans) {
      for (uint32_t p = span.begin; p < span.end; ++p) load[p] += by;
    }
  }

  std::vector<uint32_t> live_at(uint32_t point) const {
    std::vector<uint32_t> out;
    for (uint32_t w = 0; w < live_.webs.size(); ++w) {
      if (web(w).file == RegisterFile::gpr && web(w).live_at(point)) out.push_back(w);
    }
    return out;
  }

  /// One more range, where the last attempt found no register.
  bool choose(const Shortage& shortage, const SpillRewriter::Result& result) {
    std::vector<uint32_t> mine(shortage.rivals.size(), UINT32_MAX);
    for (const Access& a : shortage.liveness.accesses) {
      if (a.web < 0 || a.slot > Slot::right) continue;
      const auto rival = std::find(shortage.rivals.begin(), shortage.rivals.end(), static_cast<uint32_t>(a.web));
      const int32_t old = result.old_index[a.insn];
      if (rival == shortage.rivals.end() || old < 0) continue;
      const int32_t web = rewriter_.webs_of(static_cast<uint32_t>(old))[static_cast<size_t>(a.slot)];
      if (web >= 0 && slots_[static_cast<size_t>(web)] < 0)
        mine[static_cast<size_t>(rival - shortage.rivals.begin())] = static_cast<uint32_t>(web);
    }
    std::erase(mine, UINT32_MAX);
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    return choose_among(mine, nullptr);
  }

  std::string obstacle() const {
    if (full_) {
      return fmt::format("the {} words of local memory that {} reach{} are all in use at once", memory_.registers(),
                         pointers_.size() == 1 ? fmt::format("*l$index{}", pointers_[0]) : "both pointers",
                         pointers_.size() == 1 ? "es" : "");
    }
    return "the ranges that are live there cannot be moved: pinned, shared, volatile, initialised or return registers, "
           "names in .set or .use, or "
           "uses in deferred slots and steps between which nothing can be put";
  }

  const Program& program_;
  const Sources& sources_;
  Flow flow_;
  Liveness live_;
  SpillRewriter rewriter_;
  std::vector<unsigned> pointers_;
  SpillArea area_;
  Slots slots_;
  Occupancy memory_;
  std::vector<uint64_t> weight_;
  std::vector<std::vector<uint32_t>> uses_;  ///< by web: instructions that name it as an operand
  std::vector<bool> candidate_;
  bool full_ = false;
};

void tell(const Program& before, const Spiller& spiller, const SpillRewriter::Result& result, const Sources& sources,
          Diagnostics& out) {
  std::vector<std::string> names;
  const Origin* first = nullptr;
  for (size_t w = 0; w < spiller.slots().size(); ++w) {
    if (spiller.slots()[w] < 0) continue;
    const Vreg& r = before.vregs[static_cast<size_t>(spiller.live().webs[w].symbol)];
    if (std::find(names.begin(), names.end(), r.name) == names.end()) names.push_back(r.name);
    if (!first) first = &r.declared;
  }
  if (!first) return;  // the words of the prologue alone changed the order of choices, and all fits
  Diagnostic d =
      sources.diagnostic(Severity::warning, "asm-spill", *first,
                         fmt::format("{} {} in local memory, for want of registers: {}", names.size(),
                                     names.size() == 1 ? "register lives" : "registers live", fmt::join(names, ", ")),
                         "--dump allocation shows where");
  d.notes.push_back({d.range, fmt::format("it costs {} words to set the pointer and {} to move values in and out",
                                          result.prologue, result.moves)});
  out.add(std::move(d));
}

}  // namespace

bool spill(Program& program, const Sources& sources, const Pins& pins, Diagnostics& out, std::string& why) {
  why.clear();
  {
    Diagnostics discarded;
    Shortage shortage;
    const Flow flow(program);
    if (allocate(program, flow, sources, discarded, pins, &shortage) || !shortage.web) return false;
  }
  why = refusal(program, pins);
  if (!why.empty()) return false;
  std::vector<unsigned> pointers;
  std::string used;
  for (const unsigned pointer : {1u, 0u}) {
    const std::string use = use_of_pointer(program, pointer);
    if (use.empty())
      pointers.push_back(pointer);
    else
      used += (used.empty() ? "" : ", and ") + use;
  }
  if (pointers.empty()) {
    why = "both pointers of local memory are taken: " + used;
    return false;
  }
  Spiller spiller(program, sources, pointers);
  why = spiller.entry_obstacle();
  if (!why.empty()) return false;
  if (!spiller.place_area(why)) return false;
  SpillRewriter::Result result;
  if (!spiller.run(result, why)) return false;
  tell(program, spiller, result, sources, out);

  std::vector<uint32_t> at(program.insns.size() + 1, 0);
  for (uint32_t i = 0; i < result.old_index.size(); ++i) {
    if (result.old_index[i] >= 0) at[static_cast<size_t>(result.old_index[i])] = i;
  }
  at[program.insns.size()] = static_cast<uint32_t>(result.old_index.size());
  for (size_t w = 0; w < spiller.slots().size(); ++w) {
    if (spiller.slots()[w] < 0) continue;
    const isa::Operand place = spill_operand(spiller.slots()[w], spiller.area().pointers);
    SpilledRange range{spiller.live().webs[w].symbol, place, {}};
    for (const Span& span : spiller.live().webs[w].spans)
      range.insns.emplace_back(at[span.begin / 2], at[(span.end - 1) / 2]);
    result.program.spilled.push_back(std::move(range));
  }
  const uint32_t bytes = (program.contexts == 4 ? 4 : 8) * spiller.area().words * 4;
  for (size_t k = 0; k < spiller.area().base.size(); ++k) {
    image::MemoryBlock block;
    block.name = fmt::format("{}{}", kBlock, spiller.area().pointers[k]);
    block.region = image::Region::local;
    block.size = bytes;
    block.align = bytes;
    block.address = spiller.area().base[k];
    result.program.memory.push_back(std::move(block));
  }
  program = std::move(result.program);
  return true;
}

}  // namespace weft::assembler
