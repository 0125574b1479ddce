// How a memory unit serves the control processor (docs/timing.md, K1 to K4): an inlet of its own, asked when no command
// of an engine can be served, or when its head has waited for too long; a request may hold the unit for the next one.
#include <algorithm>

#include "units/queued_unit.h"

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

}  // namespace

void QueuedUnit::accept_core(const CoreRequest& request, Tick now) {
  CoreCommand out;
  out.request = request;
  out.request.count = static_cast<uint8_t>(std::clamp<unsigned>(request.count, 1, CoreRequest::kLongwords));
  Command& c = out.command;
  c.op = operation(request);
  c.unit = isa::info(c.op).unit;
  c.has_xfer = true;
  c.issued = now;
  c.sequence = kUnasked;
  const unsigned unit = std::max<unsigned>(1, isa::info(c.op).longwords_per_count);  // DRAM moves pairs
  const uint32_t address = request.ring ? request.address * 4 : request.address & ~3u;
  out.skip = static_cast<uint8_t>(address / 4 % unit);
  c.address = address - out.skip * 4u;
  c.count = static_cast<uint8_t>((out.skip + out.request.count + unit - 1) / unit);
  // Requests of one processor stay in their order.
  out.arrival = now + request.way + cycles(timing_.command);
  if (!queue_.core.empty()) out.arrival = std::max(out.arrival, queue_.core.back().arrival);
  queue_.core.push_back(out);
}

Tick QueuedUnit::next_core_event() const {
  Tick next = queue_.core_answers.empty() ? kNever : queue_.core_answers.front().at;
  if (!queue_.core.empty())
    next = std::min(next, std::max(queue_.core.front().arrival, free_for(queue_.core.front().command)));
  return next;
}

bool QueuedUnit::core_is_due(Tick now) const {
  if (!queue_.core_answers.empty() && queue_.core_answers.front().at <= now) return true;
  if (queue_.core.empty()) return false;
  const CoreCommand& head = queue_.core.front();
  if (std::max(head.arrival, free_for(head.command)) > now) return false;
  if (queue_.held) return true;
  const bool impatient = head.request.patience != kNever && now >= head.arrival + head.request.patience;
  return impatient || engines_ready() > now;
}

void QueuedUnit::serve_core(Tick now) {
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
  serving_core_ = &head;
  serve(head.command, now);
  serving_core_ = nullptr;
}

uint32_t QueuedUnit::core_datum(unsigned index) const {
  const CoreRequest& r = serving_core_->request;
  if (index >= serving_core_->skip && index < serving_core_->skip + unsigned{r.count})
    return r.data[index - serving_core_->skip];
  return present(serving_core_->command.address + 4 * index);
}

void QueuedUnit::answer_core(Tick at, std::span<const uint32_t> data) {
  const CoreRequest& r = serving_core_->request;
  CoreAnswer answer;
  answer.at = at + r.way;
  answer.id = r.id;
  for (size_t i = serving_core_->skip; i < data.size() && answer.count < r.count; ++i)
    answer.data[answer.count++] = data[i];
  if (bus_.watcher != nullptr && r.ring && !r.write)
    for (unsigned i = 0; i < answer.count; ++i) bus_.watcher->on_host_ring(r.address, false, answer.data[i]);
  auto place = queue_.core_answers.end();
  while (place != queue_.core_answers.begin() && std::prev(place)->at > answer.at) --place;
  queue_.core_answers.insert(place, answer);
}

void QueuedUnit::hash_core(StateHash& hash) const {
  hash.add(queue_.held);
  for (const CoreCommand& c : queue_.core) {
    for (const uint64_t part :
         {c.request.id, uint64_t{c.request.write}, uint64_t{c.request.ring}, uint64_t{c.request.address},
          uint64_t{c.request.count}, uint64_t{c.request.hold}, c.arrival})
      hash.add(part);
    hash.add_all(c.request.data);
  }
  for (const CoreAnswer& a : queue_.core_answers) {
    hash.add(a.at);
    hash.add(a.id);
    hash.add_all(a.data);
  }
}

}  // namespace weft::emulator
