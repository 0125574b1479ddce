#include "schedule/unit_queue.h"

#include <algorithm>
#include <cassert>

#include "schedule/command_shape.h"
#include "units/cap.h"

namespace weft::emulator {

bool Unit::input_state(unsigned) const { return false; }

void Bus::answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) {
  for (unsigned i = 0; i < data.size(); ++i) push(to, d, (first + i) & 127u, data[i]);
  for (unsigned s = 1; s < 16; ++s)
    if (signals >> s & 1) signal(to, s);
}

namespace {

/// Registers that observers may watch.
class WatchedRegisters final : public WriteRegisters {
 public:
  WatchedRegisters(Bus& bus, const Command& command, UnitCounters& counters)
      : bus_(bus), command_(command), counters_(counters) {}
  uint32_t read(unsigned index) override {
    ++counters_.longwords_written;
    return bus_.pull(command_.from, command_.xfer_d, (command_.xfer + index) & 127u);
  }

 private:
  Bus& bus_;
  const Command& command_;
  UnitCounters& counters_;
};

}  // namespace

// --- service

Tick UnitQueue::next_event() const {
  return queue_.held ? next_other_event() : std::min(head_ready(), next_other_event());
}

void InOrderQueue::run(Tick now) {
  run_with(now, [this](Tick due) {
    for (;;) {
      if (serve_others(due)) continue;
      const Tick ready = queue_.held ? kNever : head_ready();
      if (ready > due) return ready;
      serve(queue_.inlet.front().command, due);  // nobody sends anything meanwhile
      queue_.inlet.pop_front();
      forget_head();
    }
  });
}

void UnitQueue::serve(const Command& command, Tick now) {
  ++queue_.counters.commands;
  if (bus_.watcher != nullptr) bus_.watcher->on_serve(command, now);
  PlanUndo undo;
  const Times times = model_.plan(command, now, undo);
  std::array<uint32_t, 32> data;
  WatchedRegisters registers(bus_, command, queue_.counters);
  Service service(
      command, times, data.data(), queue_.counters,
      sink_ != nullptr ? sink_->written(command.from, command.xfer_d) : bus_.written(command.from, command.xfer_d),
      &registers);
  perform(service);
  if (service.answered()) reply(service, data.data());
  if (in_flight_ != nullptr) in_flight_->served(command);
}

// --- answers

inline Reply& UnitQueue::place_reply(Tick at) {
  Reply* reply = nullptr;
  if (sink_ != nullptr) {
    reply = &sink_->allocate();
  } else {
    size_t place = queue_.replies.size();
    queue_.replies.extend();
    for (; place > 0 && queue_.replies[place - 1].at > at; --place) queue_.replies[place] = queue_.replies[place - 1];
    reply = &queue_.replies[place];
  }
  reply->at = at;
  reply->order = queue_.order++;
  return *reply;
}

inline Reply& UnitQueue::place_reply(Tick at, const Command& command) {
  Reply& out = place_reply(at);
  out.command = command.sequence;
  out.to = command.from;
  out.d = command.xfer_d;
  out.xfer = command.xfer;
  out.count = 0;
  return out;
}

void UnitQueue::place_signals(Tick at, const Command& command, uint16_t signals) {
  Reply& out = place_reply(at, command);
  out.signals = signals;
  placed(out);
}

void UnitQueue::reply(const Service& service, const uint32_t* data) {
  const Command& command = service.command;
  const Times& times = service.times;
  const bool doubled = traits_of(command.op).signal == isa::SignalUse::doubled;
  const AnswerSignals signals = signals_of(command, doubled, times);
  if (signals.first != 0) place_signals(times.first, command, signals.first);
  const unsigned count = command.has_xfer ? service.count() : 0;
  queue_.counters.longwords_read += count;
  if (count == 0 && signals.last == 0) return;
  Reply& out = place_reply(times.at, command);
  out.signals = signals.last;
  out.count = static_cast<uint8_t>(count);
  std::copy_n(data, count, out.data.begin());
  placed(out);
}

void UnitQueue::send(const Reply& reply) {
  Reply& place = place_reply(reply.at);
  const uint64_t order = place.order;
  place = reply;
  place.order = order;
  placed(place, true);
}

void UnitQueue::send_to_contexts(const Reply& reply, unsigned contexts) {
  assert(reply.count == 0);
  if (sink_ == nullptr) {
    Reply each = reply;
    for (unsigned i = 0; i < contexts; ++i, ++each.to.context) send(each);
    return;
  }
  Reply& place = sink_->allocate();
  place.at = reply.at;
  place.order = queue_.order;
  place.command = reply.command;
  place.to = reply.to;
  place.d = reply.d;
  place.xfer = reply.xfer;
  place.count = 0;
  place.signals = reply.signals;
  queue_.order += contexts;
  sink_->commit_unasked(contexts);
}

void UnitQueue::placed(const Reply& reply, bool unasked) {
  if (in_flight_ != nullptr) in_flight_->push_expected(reply.to, reply.d, reply.xfer, reply.count);
  if (sink_ == nullptr) return;
  unasked ? sink_->commit_unasked(1) : sink_->commit(1);
}

void UnitQueue::deliver(const Reply& reply, Tick now) {
  if (bus_.watcher != nullptr) bus_.watcher->on_answer(reply.command, reply.count, reply.signals, now);
  if (in_flight_ != nullptr) in_flight_->pushed(reply.to, reply.d, reply.xfer, reply.count);
  bus_.answer(reply.to, reply.d, reply.xfer, std::span(reply.data.data(), reply.count), reply.signals);
}

void UnitQueue::fault(std::string text, const WordPlace& by) {
  ++queue_.counters.faults;
  queue_.last_fault = serves_core() ? "the control processor: " + text : std::move(text);
  const auto same = std::find_if(queue_.faults.begin(), queue_.faults.end(), [&](const UnitFault& f) {
    return by.known ? f.by.known && f.by.who.engine == by.who.engine && f.by.pc == by.pc
                    : !f.by.known && f.text == queue_.last_fault;
  });
  if (same != queue_.faults.end())
    ++same->count;
  else if (queue_.faults.size() < kFaultPlaces)
    queue_.faults.push_back({by, 1, queue_.last_fault});
  if (bus_.watcher != nullptr) bus_.watcher->on_fault(name(), serves_core() ? nullptr : serving_, queue_.last_fault);
}

// --- for others

void UnitQueue::track(InFlight* in_flight) {
  in_flight_ = in_flight;
  if (in_flight == nullptr) return;
  count_commands(*in_flight);
  for (const Reply& reply : queue_.replies) in_flight->push_expected(reply.to, reply.d, reply.xfer, reply.count);
  model_.announce_pushes();
}

void UnitQueue::count_commands(InFlight& in_flight) const {
  for (const PendingCommand& pending : queue_.inlet) in_flight.accepted(pending.command);
}

bool brings(const Command& command, ContextRef to, unsigned signals) {
  if (cap_csr::may_signal_others(command)) return true;
  const unsigned own = command.signal == 0 ? 0u : (shape_of(command).doubled ? 3u : 1u) << command.signal;
  return command.from.engine == to.engine && command.from.context == to.context && (own & signals) != 0;
}

bool UnitQueue::brings(ContextRef to, unsigned signals) const {
  return std::any_of(queue_.inlet.begin(), queue_.inlet.end(),
                     [&](const PendingCommand& pending) { return emulator::brings(pending.command, to, signals); }) ||
         std::any_of(queue_.replies.begin(), queue_.replies.end(), [&](const Reply& reply) {
           return reply.to.engine == to.engine && reply.to.context == to.context && (reply.signals & signals) != 0;
         });
}

std::vector<CommandQueue> UnitQueue::look() const {
  CommandQueue out{"inlet", model_.timing().inlet, {}};
  for (const PendingCommand& pending : queue_.inlet) out.commands.push_back({pending.command, pending.arrival, false});
  return {std::move(out)};
}

}  // namespace weft::emulator
