// How a memory unit serves the control processor (docs/timing.md, K1 to K4): an inlet of its own, asked when no command
// of an engine can be served, or when its head has waited for too long; a request may hold the unit for the next one.
#include <algorithm>

#include "schedule/unit_queue.h"

namespace weft::emulator {

namespace {

isa::InsnId operation(const CoreRequest& r) {
  using isa::InsnId;
  switch (r.space) {
    case MemorySpace::scratch:
      if (r.ring) return r.write ? InsnId::scratch_put : InsnId::scratch_get;
      return r.write ? InsnId::scratch_write : InsnId::scratch_read;
    case MemorySpace::sram: return r.write ? InsnId::sram_write : InsnId::sram_read;
    case MemorySpace::dram: break;
  }
  return r.write ? InsnId::dram_write : InsnId::dram_read;
}

/// The data of a request; around it, what memory holds.
class CoreData final : public WriteRegisters {
 public:
  CoreData(const CoreCommand& served, const UnitModel& model) : served_(served), model_(model) {}
  uint32_t read(unsigned index) override {
    const CoreRequest& r = served_.request;
    if (index >= served_.skip && index < served_.skip + unsigned{r.count}) return r.data[index - served_.skip];
    return model_.present(served_.command.address + 4 * index);
  }

 private:
  const CoreCommand& served_;
  const UnitModel& model_;
};

}  // namespace

void UnitQueue::accept_core(const CoreRequest& request, Tick now) {
  CoreCommand out;
  out.request = request;
  out.request.count = static_cast<uint8_t>(std::clamp<unsigned>(request.count, 1, CoreRequest::kLongwords));
  Command& c = out.command;
  c.op = operation(request);
  c.unit = isa::info(c.op).unit;
  c.has_xfer = true;
  c.sequence = kUnasked;
  const unsigned unit = std::max<unsigned>(1, isa::info(c.op).longwords_per_count);  // DRAM moves pairs
  const uint32_t address = request.ring ? request.address * 4 : request.address & ~3u;
  out.skip = static_cast<uint8_t>(address / 4 % unit);
  c.address = address - out.skip * 4u;
  c.count = static_cast<uint8_t>((out.skip + out.request.count + unit - 1) / unit);
  // Requests of one processor stay in their order.
  const Tick on_bus = model_.timing().command * model_.period();
  out.arrival = now + request.way + on_bus;
  if (!queue_.core.empty()) out.arrival = std::max(out.arrival, queue_.core.back().arrival);
  c.issued = out.arrival - on_bus;  // it enters the unit's bus when it has come its way
  queue_.core.push_back(out);
  concerns_core_ = true;
}

// The model of a unit that plans ahead is free behind the last command of the inlet; the request may come before that,
// and sooner behind one that is still to be sent.
Tick UnitQueue::next_of_core() const {
  Tick next = queue_.core_answers.empty() ? kNever : queue_.core_answers.front().at;
  if (queue_.core.empty()) return next;
  const CoreCommand& head = queue_.core.front();
  const bool comes_first = planned_ahead_ && (!queue_.inlet.empty() || model_.hastens());
  return std::min(next, comes_first ? head.arrival : std::max(head.arrival, model_.free_for(head.command)));
}

bool UnitQueue::core_is_due(Tick now) const {
  if (!queue_.core_answers.empty() && queue_.core_answers.front().at <= now) return true;
  if (queue_.core.empty()) return false;
  const CoreCommand& head = queue_.core.front();
  if (std::max(head.arrival, model_.free_for(head.command)) > now) return false;
  if (queue_.held) return true;
  const bool impatient = head.request.patience != kNever && now >= head.arrival + head.request.patience;
  return impatient || engines_ready() > now;
}

void UnitQueue::serve_core(Tick now) {
  do_for_core(now);
  concerns_core_ = core_has_something();
}

void UnitQueue::do_for_core(Tick now) {
  if (!queue_.core_answers.empty() && queue_.core_answers.front().at <= now) {
    const CoreAnswer answer = queue_.core_answers.front();
    queue_.core_answers.pop_front();
    if (bus_.listener != nullptr)
      bus_.listener->core_answer(answer.id, std::span(answer.data.data(), answer.count), now);
    return;
  }
  const CoreCommand head = queue_.core.front();
  queue_.core.pop_front();
  ++queue_.counters.core_requests;
  queue_.held = head.request.hold;
  if (bus_.watcher != nullptr) {
    if (!head.request.ring) {
      bus_.watcher->on_core(head.command.unit, head.request.write, head.request.address, head.request.count, now);
    } else if (head.request.write) {
      for (unsigned i = 0; i < head.request.count; ++i)
        bus_.watcher->on_host_ring(head.request.address, true, head.request.data[i]);
    }
  }
  PlanUndo undo;
  const Times times = model_.plan(head.command, now, undo);
  forget_head();
  std::array<uint32_t, 32> data;
  CoreData source(head, model_);
  Service service(head.command, times, data.data(), queue_.counters, nullptr, &source);
  perform(service);
  if (service.answered()) answer_core(head, times.at, std::span(data.data(), service.count()));
}

void UnitQueue::answer_core(const CoreCommand& served, Tick at, std::span<const uint32_t> data) {
  const CoreRequest& r = served.request;
  CoreAnswer answer;
  answer.at = at + r.way;
  answer.id = r.id;
  for (size_t i = served.skip; i < data.size() && answer.count < r.count; ++i) answer.data[answer.count++] = data[i];
  if (bus_.watcher != nullptr && r.ring && !r.write)
    for (unsigned i = 0; i < answer.count; ++i) bus_.watcher->on_host_ring(r.address, false, answer.data[i]);
  auto place = queue_.core_answers.end();
  while (place != queue_.core_answers.begin() && std::prev(place)->at > answer.at) --place;
  queue_.core_answers.insert(place, answer);
}

}  // namespace weft::emulator
