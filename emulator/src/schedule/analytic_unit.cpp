#include "schedule/analytic_unit.h"

#include <algorithm>
#include <cassert>

#include "schedule/take.h"

namespace weft::emulator {

// --- on and off

void AnalyticUnit::serve_idle(SortedQueue& sorted) {
  sorted_ = &sorted;
  refresh_plain();
  size_t places = 1;
  for (const uint32_t depth : sorted.sorted().depths()) early_.emplace_back(depth), places += depth;
  undecided_.resize(places);
}

void AnalyticUnit::forget_undecided() {
  if (sorted_ == nullptr) return;
  sorted_->withdraw_all();
  std::fill(undecided_.begin(), undecided_.end(), Undecided{});
}

void AnalyticUnit::forget_early() {
  last_start_ = 0;
  for (size_t q = 0; q < early_.size(); ++q) {
    early_[q].clear();
    sorted_->set_early(q, 0);
  }
  if (sorted_ != nullptr) sorted_->set_early_until(0);
}

void AnalyticUnit::enable(InFlight& in_flight) {
  find_watcher();
  QueueState& q = queue_.queue_;
  if (queue_.in_flight_ == nullptr) {
    for (const Reply& reply : q.replies) in_flight.push_expected(reply.to, reply.d, reply.xfer, reply.count);
    queue_.in_flight_ = &in_flight;
    model_.announce_pushes();
  } else {
    for (const PendingCommand& pending : q.inlet) in_flight.served(pending.command);  // plan() counts in another way
  }
  queue_.in_flight_ = has_events_ ? &in_flight : nullptr;  // for what the unit sends unasked
  queue_.planned_ahead_ = true;
  if (has_events_) begin_taking();
  enabled_ = true;
  assert(free_.size() == slots_.size());
  planned_.clear();
  foreign_.clear();
  lines_before_.clear();
  refresh_next_start();
  ask_all_events();
  take_over_replies(in_flight);
  last_start_ = 0;
  starts_.clear();
  for (const PendingCommand& pending : q.inlet) {
    Planned& planned = planned_.extend();
    plan(pending.command, 0, pending.arrival, planned);
    defer(pending.command, shape_of(pending.command), planned);
  }
}

void AnalyticUnit::disable() {
  enabled_ = false;
  queue_.planned_ahead_ = false;
  if (has_events_) end_taking();
  QueueState& q = queue_.queue_;
  for (size_t i = planned_.size(); i-- > 0;) model_.unplan(q.inlet[i].command, planned_[i].undo);
  planned_.clear();
  foreign_.clear();
  lines_before_.clear();
  refresh_next_start();
  give_back_replies();
  queue_.forget_head();
}

void AnalyticUnit::disable_alone() {
  for (size_t i = 0; i < planned_.size(); ++i) {
    const Command& c = queue_.queue_.inlet[i].command;
    if (const uint8_t taken = planned_[i].taken; taken != 0)
      InFlight::add(*engines_[c.from.engine].in_flight, c.xfer_d ? 384 : 128, c.xfer, taken, -1);
  }
  for (const EngineEnd& engine : engines_)
    for (const Due& due : engine.due.all()) {
      if (due.unit != this || slots_[due.slot].expected == 0) continue;
      const Reply& reply = slots_[due.slot].reply;
      InFlight::add(*engine.in_flight, reply.d ? 256 : 0, reply.xfer, slots_[due.slot].expected, -1);
    }
  disable();
  for (EngineEnd& engine : engines_) engine.due.drop(this);
  if (has_events_) {  // its own pushes are counted already
    queue_.count_commands(*in_flight_);
    for (const Reply& reply : queue_.queue_.replies)
      in_flight_->push_expected(reply.to, reply.d, reply.xfer, reply.count);
  } else {
    queue_.track(in_flight_);
  }
}

// The order of UnitQueue::run().
bool AnalyticUnit::run(Tick now) {
  do {
    if (core_comes_between(now)) return false;
    catch_up(now - 1);
    model_.advance(now);
    while (queue_.core_event_ <= now && queue_.core_is_due(now)) {
      queue_.serve_core(now);
      if (core_comes_between(now)) return false;
    }
    catch_up(now);
    model_.settle(now);
  } while (ask_all_events() <= now);
  return true;
}

uint32_t AnalyticUnit::take_over_replies(InFlight& in_flight) {
  find_watcher();
  in_flight_ = &in_flight;
  uint32_t notified = 0;
  for (const Reply& reply : queue_.queue_.replies) {
    const uint32_t number = take_slot();
    Slot& slot = slots_[number];
    slot.start = 0;
    slot.performed = true;
    slot.expected = reply.count;
    slot.reply = reply;
    expect(engines_[reply.to.engine], reply.at, number);
    notified |= 1u << reply.to.engine;
  }
  queue_.queue_.replies.clear();
  return notified;
}

void AnalyticUnit::give_back_replies() {
  std::vector<Reply> replies;
  for (const EngineEnd& engine : engines_)
    for (const Due& due : engine.due.all())
      if (due.unit == this) {
        free_.push_back(due.slot);
        Reply reply = slots_[due.slot].reply;
        if (!slots_[due.slot].performed || (reply.count == 0 && reply.signals == 0)) continue;
        for (unsigned i = 0; i < slots_[due.slot].contexts; ++i, ++reply.order, ++reply.to.context)
          replies.push_back(reply);
      }
  std::sort(replies.begin(), replies.end(),
            [](const Reply& a, const Reply& b) { return a.at != b.at ? a.at < b.at : a.order < b.order; });
  for (const Reply& reply : replies) queue_.queue_.replies.push_back(reply);
}

// --- commands

void AnalyticUnit::make_slots() {
  const size_t first = slots_.size();
  slots_.resize(first + kMaxSent);
  for (size_t number = slots_.size(); number-- > first;) free_.push_back(static_cast<uint32_t>(number));
}

inline uint32_t AnalyticUnit::take_slot(const Command& command, Tick start, Tick at, uint16_t signals) {
  const uint32_t number = take_slot();
  Slot& slot = slots_[number];
  slot.start = start;
  slot.performed = false;
  slot.expected = 0;
  slot.reply.at = at;
  slot.reply.command = command.sequence;
  slot.reply.to = command.from;
  slot.reply.d = command.xfer_d;
  slot.reply.xfer = command.xfer;
  slot.reply.count = 0;
  slot.reply.signals = signals;
  return number;
}

// `planned` is the last one of planned_, and has its times.
void AnalyticUnit::defer(const Command& c, CommandShape shape, Planned& planned) {
  EngineEnd& engine = engines_[c.from.engine];
  const Times& times = planned.times;
  planned.first = planned.last = kNone;
  planned.taken = shape.taken;
  if (next_start_ == kNever) refresh_next_start();
  planned.is_foreign = has_events_ && !model_.is_private(c);
  planned.moves = shape.moves;
  if (planned.is_foreign) foreign_.extend() = times.start;
  if (shape.taken != 0) InFlight::add(*engine.in_flight, c.xfer_d ? 384 : 128, c.xfer, shape.taken, 1);
  if (c.signal == 0 && !shape.answers) return;
  const AnswerSignals signals = signals_of(c, shape.doubled, times);
  if (signals.first != 0) {
    planned.first = take_slot(c, times.start, times.first, signals.first);
    expect(engine, times.first, planned.first);
  }
  planned.last = take_slot(c, times.start, times.at, signals.last);
  if (shape.answers) {
    slots_[planned.last].expected = shape.expected;
    InFlight::add(*engine.in_flight, c.xfer_d ? 256 : 0, c.xfer, shape.expected, 1);
  }
  expect(engine, times.at, planned.last);
}

Admitted AnalyticUnit::issue(const Command& command, CommandShape shape, Tick now, uint64_t cycle, Tick slack_until,
                             KnownAnswer* answer, bool& done) {
  catch_up(now);
  struct Inlet {
    AnalyticUnit& unit;
    bool has_room;
    bool can_accept(const Command&) const {
      if (!has_room) ++unit.queue_.queue_.counters.refused;
      return has_room;
    }
    void accept(const Command& c, Tick) const { unit.queue_.queue_.inlet.next().command = c; }
  } inlet{*this, starts_.after(now) < inlet_};
  const Admitted admitted = admit(inlet, *admission, command, now, cycle);
  if (admitted == Admitted::yes) done = take_admitted(shape, now, slack_until, now, answer);
  return admitted;
}

void AnalyticUnit::withdraw(const KnownAnswer& known, ContextRef to) {
  if (known.unit == nullptr) return;
  if (known.at == kNever) return withdraw_undecided(known);
  EngineEnd& engine = engines_[to.engine];
  const uint32_t number = take_slot();
  Slot& slot = slots_[number];
  slot.start = 0;
  slot.performed = true;
  slot.expected = known.expected;
  Reply& reply = slot.reply;
  reply.at = known.at;
  reply.order = known.order;
  reply.command = known.command;
  reply.to = to;
  reply.d = known.d;
  reply.xfer = known.first;
  reply.count = known.count;
  reply.signals = known.signals;
  uint32_t* const registers = (known.d ? engine.state->d_in : engine.state->s_in).data() + known.first;
  for (unsigned i = 0; i < known.count; ++i) reply.data[i] = std::exchange(registers[i], known.old[i]);
  if (known.expected != 0) InFlight::add(*engine.in_flight, known.d ? 256 : 0, known.first, known.expected, 1);
  engine.due.expect({key_of(known.at, place_), known.cycle, this, number}, [&](const Due& other) {
    return other.unit == this && (!slots_[other.slot].performed || slots_[other.slot].reply.order > known.order);
  });
}

// --- commands that wait in a sorted unit

Admitted AnalyticUnit::join_queue(const PlainCommand& c, const Sender& from, const Command& record, Tick now,
                                  uint64_t cycle, KnownAnswer& known) {
  count_early(now);
  const Admitted admitted = may_enter(*admission, !sorted_->can_accept(record), from.engine, cycle);
  if (admitted != Admitted::yes) return admitted;
  admission->admit(from.engine);
  uint32_t number = 1;
  while (undecided_[number].word != nullptr) ++number;  // as many as there are places in the queues
  undecided_[number] = {&c, from, &known};
  sorted_->join(record, now, number);
  if (c.answer.signals == 0) return admitted;
  static_cast<AnswerContents&>(known) = c.answer.behind(static_cast<uint8_t>(from.first));
  known.at = known.cycle = kNever;
  known.command = record.sequence;
  known.unit = this;
  if (c.doubled) share_answer(known);
  return admitted;
}

bool AnalyticUnit::serve_undecided(uint32_t number, const Command& command, Tick now) {
  const auto [word, from, answer] = std::exchange(undecided_[number], {});
  const PlainCommand& c = *word;
  uint32_t* const registers = registers_of(c, from);
  keep_old(*answer, registers, c.answer.count);
  terms_.there = command.issued + on_bus_;
  terms_.until = kNever;
  const ServedAtOnce times = c.serve(model_, terms_, c.word, command.address, registers, now);
  if (times.start == kNever) {  // it has a fault; the known answer is withdrawn when it comes
    queue_.in_flight_->accepted(command);
    return false;
  }
  assert(times.start == now);
  QueueState& q = state_;
  ++q.counters.commands;
  q.counters.longwords_read += c.answer.count;
  if (queue_.bus_.watcher != nullptr) queue_.bus_.watcher->on_serve(command, now);
  if (c.answer.signals == 0) return true;
  fill_in(*answer, c, from, times.at, command.sequence);
  engines_[command.from.engine].decided |= static_cast<uint8_t>(1u << command.from.context);
  notified_ |= 1u << command.from.engine;
  return true;
}

void AnalyticUnit::withdraw_undecided(const KnownAnswer& answer) {
  for (uint32_t number = 1; number < undecided_.size(); ++number) {
    if (undecided_[number].word == nullptr || undecided_[number].answer != &answer) continue;
    undecided_[number] = {};
    sorted_->withdraw(number);
  }
}

ServedAtOnce AnalyticUnit::serve_foreign(const PlainCommand& c, const Sender& from, uint32_t address,
                                         uint32_t* registers, Tick arrival, uint64_t sequence) {
  foreign_command_.from = {static_cast<uint8_t>(from.engine), static_cast<uint8_t>(from.first / 16)};
  foreign_command_.pc = c.pc;
  foreign_command_.sequence = sequence;
  terms_.from = foreign_command_.from;
  terms_.xfer = static_cast<uint8_t>((c.answer.first + from.first) & 127);
  queue_.serving_ = &foreign_command_;
  const ServedAtOnce times = c.serve(model_, terms_, c.word, address, registers, arrival);
  queue_.serving_ = nullptr;
  return times;
}

void AnalyticUnit::perform() {
  // Answers that the model sends meanwhile must not move this one's slot.
  if (has_events_ && free_.size() < kMaxSent) make_slots();
  const Planned& planned = planned_.front();
  QueueState& q = queue_.queue_;
  const Command& c = q.inlet.front().command;  // nothing comes in meanwhile
  EngineEnd& engine = engines_[c.from.engine];
  if (planned.taken != 0) InFlight::add(*engine.in_flight, c.xfer_d ? 384 : 128, c.xfer, planned.taken, -1);
  Slot* const last = planned.last != kNone ? &slots_[planned.last] : nullptr;
  Service service(c, planned.times, last != nullptr ? last->reply.data.data() : data_.data(), q.counters,
                  written(c.from, c.xfer_d), nullptr);
  ++q.counters.commands;
  if (watcher_ != nullptr) [[unlikely]]
    watcher_->on_serve(c, planned.times.start);
  queue_.perform(service);
  // Times and signals of the answer are in the slots since it was planned.
  if (planned.first != kNone) {
    slots_[planned.first].performed = true;
    slots_[planned.first].reply.order = q.order++;
  }
  if (last != nullptr) {
    last->performed = true;
    last->reply.order = q.order++;
    const unsigned count = c.has_xfer ? service.count() : 0;
    q.counters.longwords_read += count;
    last->reply.count = static_cast<uint8_t>(count);
  }
  if (planned.is_foreign) foreign_.pop_front();
  q.inlet.pop_front();
  planned_.pop_front();
  if (planned_.empty())
    refresh_next_start();
  else
    next_start_ = planned_.front().times.start;
}

// --- events before their time

// DRAM reads and fills the buffers in its own time. What it has been sent and does before an event is done first; what
// it will be sent reaches it later.
void AnalyticUnit::advance_ahead(Tick start, Tick now) {
  if (!enabled_ || partner_ == nullptr || !planned_.empty()) return;
  if (!partner_->enabled_ && !partner_->serves_idle()) return;
  forget_lines(now);
  while (model_next_ < start && model_next_ < until_ && model_next_ <= now + partner_->on_bus_) {
    const Tick event = model_next_;
    if (!partner_->perform_before(event)) return;
    const uint32_t lines = model_.input_lines();
    model_.advance(event);
    model_.settle(event);
    if (model_.input_lines() != lines) lines_before_.push_back({event, lines});
    ask_next_event();
  }
}

bool AnalyticUnit::perform_before(Tick until) {
  if (!enabled_) return sorted_ != nullptr && until <= sorted_->next_service();  // it comes behind at one moment
  assert(!has_events_ && model_.driven_lines() == 0);
  while (next_start_ < until) {
    if (!no_word_tells(planned_.front())) return false;
    perform();
  }
  return true;
}

// --- answers of a unit with events

Reply& AnalyticUnit::allocate() {
  allocated_ = take_slot();
  slots_[allocated_].start = 0;
  slots_[allocated_].performed = true;
  return slots_[allocated_].reply;
}

void AnalyticUnit::commit(unsigned contexts) {
  Slot& slot = slots_[allocated_];
  slot.contexts = static_cast<uint8_t>(contexts);
  slot.expected = slot.reply.count;
  // What a command sends has its place before the answers of this command and of those after it.
  const Tick at = slot.reply.at;
  engines_[slot.reply.to.engine].due.expect({key_of(at, place_), cycles_.at(at), this, allocated_},
                                            [this](const Due& other) { return !slots_[other.slot].performed; });
  notified_ |= 1u << slot.reply.to.engine;
}

void AnalyticUnit::commit_unasked(unsigned contexts) {
  commit(contexts);
  const Reply& reply = slots_[allocated_].reply;
  for (unsigned i = 0; i < contexts; ++i) engines_[reply.to.engine].suspect(reply.to.context + i, reply.signals);
}

bool AnalyticUnit::takes_plain_after(Tick now) {
  if (!enabled_) return false;
  catch_up(now);
  if (is_plain_ && next_start_ != kNever) perform_ahead(now, 0);
  return takes_plain_;
}

}  // namespace weft::emulator
