#include "fast/lane.h"

#include <algorithm>

#include "fast/core.h"

namespace weft::emulator::fast {

void Lane::close(const Cores& cores) {
  open_ = false;
  planned_.clear();
  next_start_ = kNever;
  std::vector<const Reply*> replies;
  for (const auto& core : cores)
    for (const Due& due : core->expected())
      if (due.lane == this && slots_[due.slot].served) {
        const Reply& reply = slots_[due.slot].reply;
        if (reply.count != 0 || reply.signals != 0) replies.push_back(&reply);
      }
  std::sort(replies.begin(), replies.end(),
            [](const Reply* a, const Reply* b) { return a->at != b->at ? a->at < b->at : a->order < b->order; });
  for (const Reply* reply : replies) unit_.queue_.replies.push_back(*reply);
}

inline void Lane::expect(Core& core, Tick at, uint32_t slot) {
  core.expect({key_of(at, place_), cycles_.at(at), this, slot});
}

void Lane::answer_known() {
  Slot& slot = slots_[taken_];
  const Reply& reply = slot.reply;
  slot.expected = reply.count;
  expect(*(*cores_)[reply.to.engine], reply.at, taken_);
  told_ |= 1u << reply.to.engine;
}

const uint32_t* Lane::written(ContextRef of, bool d) const {
  const EngineState& s = *(*cores_)[of.engine]->s;
  return (d ? s.d_out : s.s_out).data();
}

uint32_t Lane::hand_over(InFlight& in_flight, const Cores& cores) {
  in_flight_ = &in_flight;
  cores_ = &cores;
  uint32_t told = 0;
  for (const Reply& reply : unit_.queue_.replies) {
    const uint32_t number = take_slot();
    Slot& slot = slots_[number];
    slot.start = 0;
    slot.served = true;
    slot.expected = reply.count;
    Reply& to = slot.reply;
    to.at = reply.at, to.order = reply.order, to.command = reply.command, to.to = reply.to, to.d = reply.d;
    to.xfer = reply.xfer, to.count = reply.count, to.signals = reply.signals;
    std::copy_n(reply.data.begin(), reply.count, to.data.begin());
    expect(*cores[reply.to.engine], reply.at, number);
    told |= 1u << reply.to.engine;
  }
  unit_.queue_.replies.clear();
  return told;
}

inline uint32_t Lane::take_slot(const Command& command, Tick start, Tick at, unsigned signals) {
  const uint32_t number = take_slot();
  Slot& slot = slots_[number];
  slot.start = start;
  slot.served = false;
  slot.expected = 0;
  slot.reply.at = at;
  slot.reply.command = command.sequence;
  slot.reply.to = command.from;
  slot.reply.d = command.xfer_d;
  slot.reply.xfer = command.xfer;
  slot.reply.count = 0;
  slot.reply.signals = static_cast<uint16_t>(signals);
  return number;
}

CommandShape shape_of(const Command& c) {
  const CommandTraits& info = traits_of(c.op);
  CommandShape out;
  out.answers = c.has_xfer && info.xfer != isa::XferUse::none && info.xfer != isa::XferUse::write;
  out.doubled = info.signal == isa::SignalUse::doubled;
  const auto count = static_cast<uint8_t>(InFlight::longwords(c, info));
  if (c.has_xfer && info.xfer != isa::XferUse::none && info.xfer != isa::XferUse::read) out.taken = count;
  if (out.answers) out.expected = count;
  return out;
}

[[gnu::always_inline]] inline void Lane::plan(const Command& c, CommandShape shape, Tick arrival, Core& core) {
  const QueuedUnit::Times times = unit_.foresee(c, std::max(arrival, last_start_));  // in order
  last_start_ = times.start;
  if (next_start_ == kNever) next_start_ = times.start;
  Planned& planned = planned_.extend();
  planned = {times.start, kNone, kNone, shape.taken};
  if (shape.taken != 0) InFlight::add(*core.in_flight, c.xfer_d ? 384 : 128, c.xfer, shape.taken, 1);
  if (c.signal == 0 && !shape.answers) return;
  // As in QueuedUnit::reply().
  unsigned signals = c.signal == 0 ? 0 : 1u << c.signal;
  if (shape.doubled && signals != 0) {
    if (times.first != kNever) {
      planned.first = take_slot(c, times.start, times.first, signals);
      expect(core, times.first, planned.first);
      signals <<= 1;
    } else {
      signals |= signals << 1;
    }
  }
  const uint32_t last = take_slot(c, times.start, times.at, signals);
  planned.last = last;
  if (shape.answers) {
    slots_[last].expected = shape.expected;
    InFlight::add(*core.in_flight, c.xfer_d ? 256 : 0, c.xfer, shape.expected, 1);
  }
  expect(core, times.at, last);
}

Lane::Answer Lane::issue(const Command& command, CommandShape shape, Tick now, uint64_t cycle, Core& core) {
  catch_up(now);
  QueueState& q = unit_.queue_;
  const bool room = q.inlet.size() < unit_.timing_.inlet;
  if (!room) ++q.counters.refused;
  if (!room || !admission->turn_of(command.from.engine, cycle)) {
    admission->refuse(command.from.engine, cycle);
    return room ? Answer::not_its_turn : Answer::full;
  }
  admission->admit(command.from.engine);
  // The bus hands over one command a cycle.
  const Tick arrival = std::max(now + unit_.timing_.command * unit_.period_, q.last_arrival + unit_.period_);
  q.last_arrival = arrival;
  PendingCommand& pending = q.inlet.extend();
  pending.command = command;
  pending.arrival = arrival;
  q.counters.deepest_inlet = std::max<uint64_t>(q.counters.deepest_inlet, q.inlet.size());
  plan(command, shape, arrival, core);
  return Answer::accepted;
}

void Lane::open(InFlight& in_flight, const Cores& cores, bool counted) {
  cores_ = &cores;
  if (counted) {
    for (const PendingCommand& pending : unit_.queue_.inlet) in_flight.served(pending.command);
    for (const Reply& reply : unit_.queue_.replies) in_flight.pushed(reply.to, reply.d, reply.xfer, reply.count);
  }
  in_flight_ = &in_flight;
  open_ = true;
  slots_.clear();
  free_.clear();
  planned_.clear();
  next_start_ = kNever;
  for (const Reply& reply : unit_.queue_.replies) {
    const auto slot = static_cast<uint32_t>(slots_.size());
    slots_.push_back({0, true, reply.count, reply});
    in_flight.push_expected(reply.to, reply.d, reply.xfer, reply.count);
    expect(*cores[reply.to.engine], reply.at, slot);
  }
  unit_.queue_.replies.clear();
  unit_.begin_foresight();
  last_start_ = 0;
  for (const PendingCommand& pending : unit_.queue_.inlet)
    plan(pending.command, shape_of(pending.command), pending.arrival, *cores[pending.command.from.engine]);
}

void Lane::perform() {
  const Planned planned = planned_.front();
  planned_.pop_front();
  next_start_ = planned_.empty() ? kNever : planned_.front().start;
  const Command& c = unit_.queue_.inlet.front().command;
  Core& core = *(*cores_)[c.from.engine];
  if (planned.taken != 0) InFlight::add(*core.in_flight, c.xfer_d ? 384 : 128, c.xfer, planned.taken, -1);
  Reply* first = nullptr;
  Reply* last = nullptr;
  if (planned.first != kNone) {
    slots_[planned.first].served = true;
    first = &slots_[planned.first].reply;
  }
  if (planned.last != kNone) {
    slots_[planned.last].served = true;
    last = &slots_[planned.last].reply;
  }
  const EngineState& s = *core.s;
  unit_.serve_head(planned.start, first, last, (c.xfer_d ? s.d_out : s.s_out).data());
}

}  // namespace weft::emulator::fast
