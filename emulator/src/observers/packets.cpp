// The packet tracker: programs, contexts, and the end of a packet. Numbers in memories and on their way with commands
// are in packets_memory.cpp, which of them hand a packet over in packets_handles.cpp, frames at the media interface in
// packets_media.cpp, who wrote which byte in packets_bytes.cpp.
#include "weft/emulator/observers/packets.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::emulator {
namespace {

constexpr size_t kRingEntries = 128;  // of a next-neighbor ring

bool uses(const isa::Operand& operand) { return operand.kind == isa::OperandKind::neighbor_index; }

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::in_flight: return "in-flight";
    case Verdict::forwarded: return "forwarded";
    case Verdict::dropped: return "dropped";
    case Verdict::to_core: return "to-core";
    case Verdict::lost_in: return "lost-in";
    case Verdict::lost_out: return "lost-out";
  }
  return {};
}

PacketTracker::PacketTracker(const Machine& machine, Units& units, Images images, std::vector<BufferPool> pools,
                             PacketLimits limits, const std::vector<TableMemory>& tables)
    : machine_(machine),
      states_(machine),
      units_(units),
      images_(std::move(images)),
      pools_(std::move(pools)),
      limits_(limits),
      contexts_(size_t{machine.engine_count()} * kContexts),
      rbuf_(256),
      tbuf_(2048),
      held_(256),
      neighbor_(machine.engine_count()),
      ports_(units.port_count() + units.link_count()) {
  for (const BufferPool& pool : pools_) {
    owners_.emplace_back(pool.count);
    buffers_.add(pool.space, pool.channel, pool.base, pool.size * pool.count);
  }
  for (const TableMemory& table : tables) tables_.add(table.space, table.channel, table.base, table.bytes);
  for (unsigned ring = 0; ring < rings_.size(); ++ring) rings_[ring].resize(units.host().ring(ring).count);
  totals_.engine_busy.resize(machine.engine_count());
  describe_programs();
}

void PacketTracker::describe_programs() {
  const DecodedPrograms programs(machine_);
  const auto number_of = [&](const PacketPlace& place) {
    const auto at = std::find(places_.begin(), places_.end(), place);
    if (at != places_.end()) return static_cast<uint16_t>(at - places_.begin());
    places_.push_back(place);
    return static_cast<uint16_t>(places_.size() - 1);
  };
  for (unsigned e = 0; e < machine_.engine_count(); ++e) {
    const image::Image* image = image_of(images_, e);
    std::vector<Word> words(programs.size(e));
    std::string label;
    for (unsigned pc = 0; pc < words.size(); ++pc) {
      PacketPlace place;
      if (image != nullptr) {
        for (const image::Label& l : image->labels)
          if (l.address == pc) label = l.name;
        if (const image::Mark* m = image::mark_at(*image, pc, image::Mark::Kind::stage)) place.stage = m->text;
        if (const image::Mark* m = image::mark_at(*image, pc, image::Mark::Kind::block)) place.block = m->text;
        for (size_t i = 0; i < image->marks.size(); ++i) {
          const image::Mark& m = image->marks[i];
          const bool reason = m.kind == image::Mark::Kind::drop || m.kind == image::Mark::Kind::exception;
          if (reason && m.address == pc) words[pc].mark = static_cast<int16_t>(i);
        }
      }
      if (place.stage.empty() && place.block.empty()) place.label = label;
      words[pc].place = number_of(place);
      if (const isa::Instruction* insn = programs.at(e, pc)) {
        words[pc].ring_put = uses(insn->dest);
        words[pc].ring_get = (uses(insn->left) && insn->left.post != isa::Post::none) ||
                             (uses(insn->right) && insn->right.post != isa::Post::none);
      }
    }
    words_.push_back(std::move(words));
  }
  for (const std::vector<Word>& words : words_) programs_.emplace_back(words);
  totals_.stage_time.resize(places_.size());
}

PacketTracker::Live* PacketTracker::find(uint32_t packet) {
  if (packet == 0) return nullptr;
  const auto at = live_.find(packet);
  return at != live_.end() ? at->second.get() : nullptr;
}

uint32_t PacketTracker::packet_of(ContextRef who) const {
  return contexts_[who.engine * kContexts + who.context].packet;
}

std::string PacketTracker::place_text(ContextRef who, uint16_t pc) const {
  const std::string place = source_place(images_, who.engine, pc);
  return place.empty() ? fmt::format("me{} word {:#x}", who.engine, pc) : place;
}

// ---- contexts

void PacketTracker::receive(ContextRef who, uint32_t packet, bool taken_over) {
  Live* live = find(packet);
  if (live == nullptr) return;  // a number that outlived its packet
  ContextShadow& c = context(who);
  if (taken_over) {
    for (unsigned e = 0; e < machine_.engine_count(); ++e)
      for (unsigned other = 0; e != who.engine && other < kContexts; ++other) {
        const ContextRef ref{static_cast<uint8_t>(e), static_cast<uint8_t>(other)};
        if (context(ref).packet != packet) continue;
        leave(ref);
        context(ref).lent = packet;
      }
    live = find(packet);  // it may have ended with the last one that left
    if (live == nullptr) return;
  }
  c.handed_on = false;
  c.charged = true;
  if (c.packet == packet) return;
  leave(who);
  c.charged = true;
  c.packet = packet;
  c.live = live;
  c.step = -1;
  live->holders[who.engine] = static_cast<uint8_t>(live->holders[who.engine] | 1u << who.context);
}

/// The context turns to something else. A packet whose program said "drop" is over when nobody works on it.
void PacketTracker::leave(ContextRef who) {
  ContextShadow& c = context(who);
  Live* live = c.live;
  c = {0, nullptr, -1, c.pc, false, false, -1, 0};
  if (live == nullptr) return;
  live->holders[who.engine] = static_cast<uint8_t>(live->holders[who.engine] & ~(1u << who.context));
  if (live->dropping && live->outgoing == 0) end(*live, Verdict::dropped);
}

PacketCost& PacketTracker::cost_of(ContextShadow& context, uint8_t engine) {
  std::vector<PacketCost>& costs = context.live->record.cost;
  if (context.cost < 0) {
    const auto at = std::find_if(costs.begin(), costs.end(), [&](const PacketCost& c) { return c.engine == engine; });
    context.cost = static_cast<int>(at - costs.begin());
    if (at == costs.end()) costs.push_back({engine});
  }
  return costs[static_cast<size_t>(context.cost)];
}

inline uint32_t PacketTracker::charge(PacketCost& cost, uint8_t engine) const {
  ++cost.executing;
  const Shadow& shadow = states_[engine].shadow;
  if (shadow.kind == Shadow::Kind::none || shadow.slots != 0) return 1;
  cost.aborted += shadow.aborts;
  return 1u + shadow.aborts;
}

// Nearly all words are others of the same step; for them nothing is called.
void PacketTracker::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  ContextShadow& c = context(who);
  c.pc = pc;
  const std::span<const Word> words = programs_[who.engine];
  if (pc >= words.size()) return;  // loaded after the observer was made
  const Word& word = words[pc];
  if (!word.is_plain()) return look_closer(who, word, pc, cycle);
  if (c.live == nullptr || !c.charged) return;
  if (c.cost < 0 || c.step < 0) return look_closer(who, word, pc, cycle);
  PacketRecord& record = c.live->record;
  PacketStep& step = record.steps[static_cast<size_t>(c.step)];
  if (step.place != word.place) return look_closer(who, word, pc, cycle);
  const uint32_t busy = charge(record.cost[static_cast<size_t>(c.cost)], who.engine);
  step.busy += busy;
  step.to = cycle + busy;
  step.last_pc = pc;
}

void PacketTracker::look_closer(ContextRef who, const Word& word, uint16_t pc, uint64_t cycle) {
  ContextShadow& c = context(who);
  use_ring(who, word);
  if (c.live == nullptr || !c.charged) return;
  const uint32_t busy = charge(cost_of(c, who.engine), who.engine);
  PacketRecord& record = c.live->record;
  if (c.step < 0 || record.steps[static_cast<size_t>(c.step)].place != word.place) {
    if (record.steps.size() < limits_.steps) {
      c.step = static_cast<int>(record.steps.size());
      record.steps.push_back({who.engine, who.context, word.place, pc, 0, cycle, cycle});
    } else {
      ++record.steps_missing;
      c.step = -1;
    }
  }
  if (c.step >= 0) {
    PacketStep& step = record.steps[static_cast<size_t>(c.step)];
    step.busy += busy;
    step.to = cycle + busy;
    step.last_pc = pc;
  }
  if (word.mark >= 0) mark_passed(*c.live, word, who, pc, cycle);
}

void PacketTracker::use_ring(ContextRef who, const Word& word) {
  if (word.ring_get && !neighbor_[who.engine].empty()) {
    const uint32_t packet = neighbor_[who.engine].front();
    neighbor_[who.engine].pop_front();
    receive(who, packet, true);
  }
  if (!word.ring_put) return;
  const unsigned reader = states_[who.engine].nn_self() ? who.engine : who.engine + 1u;
  if (reader >= neighbor_.size() || neighbor_[reader].size() >= kRingEntries) return;
  ContextShadow& c = context(who);
  neighbor_[reader].push_back(c.packet);
  c.handed_on = true;
}

void PacketTracker::mark_passed(Live& live, const Word& word, ContextRef who, uint16_t pc, uint64_t cycle) {
  const image::Mark& mark = images_[who.engine]->marks[static_cast<size_t>(word.mark)];
  live.record.reason = mark.text;
  live.record.line = place_text(who, pc);
  live.record.reason_by = who;
  live.record.reason_pc = pc;
  live.record.reason_cycle = cycle;
  live.dropping = mark.kind == image::Mark::Kind::drop;
}

void PacketTracker::on_state(ContextRef who, ContextState state, uint64_t) {
  ContextShadow& c = context(who);
  if (c.handed_on && state != ContextState::executing) c.charged = false;
}

void PacketTracker::hand_on(ContextRef who) {
  ContextShadow& c = context(who);
  c.handed_on = true;
  if (states_[who.engine].contexts[who.context].state != ContextState::executing) c.charged = false;
}

void PacketTracker::on_stall(ContextRef who, uint16_t, uint64_t cycle) {
  ContextShadow& c = context(who);
  if (c.live == nullptr || !c.charged) return;
  PacketRecord& record = c.live->record;
  for (PacketCost& cost : record.cost)
    if (cost.engine == who.engine) ++cost.stalled;
  if (c.step < 0) return;
  ++record.steps[static_cast<size_t>(c.step)].busy;
  record.steps[static_cast<size_t>(c.step)].to = cycle + 1;
}

// ---- the end of a packet

void PacketTracker::end(Live& live, Verdict verdict) {
  for (unsigned e = 0; e < machine_.engine_count(); ++e)
    for (unsigned c = 0; c < kContexts; ++c)
      if (live.holders[e] >> c & 1) {
        ContextShadow& shadow = contexts_[e * kContexts + c];
        shadow = {0, nullptr, -1, shadow.pc, false, false, -1, 0};
      }
  live.record.verdict = verdict;
  live.record.ended = now_cycle();
  const uint32_t number = live.record.number;
  keep(std::move(live.record));
  live_.erase(number);
}

void PacketTracker::keep(PacketRecord&& record) {
  ++totals_.by_verdict[static_cast<size_t>(record.verdict)];
  if (record.verdict == Verdict::forwarded) {
    totals_.latency.add(record.ended - record.arrived);
    record.reason.clear();  // a mark that was passed on the way decided nothing
    record.line.clear();
  } else {
    ++totals_.reasons[{record.verdict, record.reason, record.port}];
  }
  for (const PacketStep& step : record.steps) totals_.stage_time[step.place].add(step.to - step.from);
  for (const PacketCost& cost : record.cost)
    totals_.engine_busy[cost.engine].add(uint64_t{cost.executing} + cost.aborted + cost.stalled);
  record.steps.shrink_to_fit();
  record.bytes_of.writes.shrink_to_fit();
  record.bytes_of.written.shrink_to_fit();
  record.cost.shrink_to_fit();
  records_.push_back(std::move(record));
  if (records_.size() <= limits_.packets) return;
  records_.pop_front();
  ++totals_.not_kept;
}

std::vector<const PacketRecord*> PacketTracker::under_way() const {
  std::vector<const PacketRecord*> out;
  for (const auto& [number, live] : live_) out.push_back(&live->record);
  std::sort(out.begin(), out.end(), [](const PacketRecord* a, const PacketRecord* b) { return a->number < b->number; });
  return out;
}

void PacketTracker::finish() {
  if (std::exchange(finished_, true)) return;
  std::vector<uint32_t> numbers;
  for (const auto& [number, live] : live_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  for (const uint32_t number : numbers) {
    Live& live = *live_.at(number);
    const bool dropped = live.dropping && live.outgoing == 0;
    if (!dropped) live.record.reason.clear(), live.record.line.clear();
    end(live, live.record.sent != 0 ? Verdict::forwarded : dropped ? Verdict::dropped : Verdict::in_flight);
  }
}

}  // namespace weft::emulator
