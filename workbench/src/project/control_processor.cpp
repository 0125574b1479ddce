#include "project/control_processor.h"

#include <algorithm>

#include "weft/base/record.h"

namespace weft::workbench {

using emulator::CoreRequest;
using emulator::Tick;

HostAddress host_address(image::Region region, uint64_t address) {
  const uint32_t low = static_cast<uint32_t>(address);
  switch (region) {
    case image::Region::scratch: return {emulator::MemorySpace::scratch, low};
    case image::Region::sram0: return {emulator::MemorySpace::sram, low};
    case image::Region::sram1: return {emulator::MemorySpace::sram, low | 1u << 30};
    case image::Region::sram2: return {emulator::MemorySpace::sram, low | 2u << 30};
    case image::Region::sram3: return {emulator::MemorySpace::sram, low | 3u << 30};
    case image::Region::dram:
    case image::Region::local: break;
  }
  return {emulator::MemorySpace::dram, low};
}

ControlProcessor::ControlProcessor(std::unique_ptr<control::ControlProgram> program, const EvalContext& scene,
                                   const emulator::ControlDescription& timing)
    : program_(std::move(program)), scene_(scene), host_(scene.units->host()), timing_(timing) {
  host_.set_listener(this);
}
ControlProcessor::~ControlProcessor() { host_.set_listener(nullptr); }

void ControlProcessor::add_commands(std::vector<ControlCommand> commands) {
  commands_.insert(commands_.end(), std::make_move_iterator(commands.begin()), std::make_move_iterator(commands.end()));
}

void ControlProcessor::run(Tick now) {
  switch (work_.phase) {
    case Phase::idle: idle(now); break;
    case Phase::computing: work_.phase = Phase::accessing; [[fallthrough]];
    case Phase::accessing: issue(now); break;
    case Phase::yielding:
    case Phase::writing: replace_stores(now); break;
  }
}

// What run() does in each phase: a program reacts by plain data, and only accesses and commands leave the processor.
emulator::Reach ControlProcessor::reach(Tick) const {
  using emulator::Reach;
  constexpr Reach memory{Reach::Kind::memory, 0};
  switch (work_.phase) {
    case Phase::idle: {
      if (work_.next_command == commands_.size()) return memory;
      const ControlCommand& next = commands_[work_.next_command];
      return next.what == ControlCommand::What::program || !next.is_due(scene_) ? memory : Reach{};
    }
    case Phase::computing:
    case Phase::accessing: break;
    case Phase::yielding:
    case Phase::writing: return {};
  }
  if (work_.issued == work_.parts.size()) return work_.wanted == 0 ? memory : Reach{};
  const Part& part = work_.parts[work_.issued];
  if (part.counts) return memory;
  const auto place = scene_.units->core_place(part.request.space, part.request.address);
  return place ? Reach{Reach::Kind::unit, *place} : Reach{};
}

control::Event ControlProcessor::event(control::Event::Kind kind, Tick now) const {
  const uint64_t second = scene_.ticks_per_second;
  const uint64_t billion = 1'000'000'000;
  return {kind, {}, {}, second < 1000 ? 0 : now / second * billion + now % second * (billion / 1000) / (second / 1000)};
}

// What was told after a moment to which the session went back is forgotten: it comes again.
control::Reaction ControlProcessor::tell(const control::Event& event) {
  if (keeps_events_) {
    events_.resize(work_.told);
    events_.push_back(event);
  }
  ++work_.told;
  return program_->on(event);
}

void ControlProcessor::keep_events() { keeps_events_ = keeps_events_ || work_.told == 0; }

bool ControlProcessor::works_on_commands() const {
  if (commands_.empty()) return false;
  if (work_.next_command < commands_.size()) return !commands_[work_.next_command].by_packets;
  return work_.phase != Phase::idle && !work_.from_program;
}

void ControlProcessor::idle(Tick now) {
  work_.due = now + cycles(timing_.poll_cycles);
  if (work_.next_command < commands_.size() && commands_[work_.next_command].is_due(scene_)) {
    begin_command(commands_[work_.next_command], now);
    return;
  }
  if (!program_) {
    if (work_.next_command == commands_.size()) work_.due = emulator::kNever;
    return;
  }
  const bool first = host_.take_interrupts(0, 0) != 0;
  const bool second = host_.take_interrupts(0, 1) != 0;
  if (first || second) return begin(tell(event(control::Event::Kind::interrupt, now)), true, now);
  if (work_.timer <= now) {
    work_.timer = emulator::kNever;
    return begin(tell(event(control::Event::Kind::timer, now)), true, now);
  }
  work_.due = std::min(work_.due, work_.timer);
}

// A reaction is computed before its accesses go out.
void ControlProcessor::begin(const control::Reaction& reaction, bool from_program, Tick now) {
  work_.wanted = from_program ? reaction.load_stores : 0;
  work_.from_program = from_program && (!reaction.accesses.empty() || work_.wanted != 0);
  work_.results.clear();
  work_.parts = parts_of(reaction);
  work_.issued = 0;
  work_.open_reads = work_.open_writes = 0;
  work_.first_id = work_.next_id;
  work_.next_id += work_.parts.size();
  work_.phase = Phase::computing;
  if (!reaction.text.empty() && on_text) on_text(reaction.text);
  if (reaction.timer_cycles != 0) work_.timer = now + cycles(reaction.timer_cycles);
  work_.due = now + cycles(reaction.cycles);
}

std::vector<const ControlCommand*> ControlProcessor::commands_left() const {
  std::vector<const ControlCommand*> out;
  if (work_.wanted != 0) out.push_back(&commands_[work_.begun]);
  for (size_t i = work_.next_command; i < commands_.size(); ++i) out.push_back(&commands_[i]);
  return out;
}

std::vector<ControlProcessor::Part> ControlProcessor::parts_of(const control::Reaction& reaction) {
  using Kind = control::Access::Kind;
  std::vector<Part> out;
  for (const control::Access& access : reaction.accesses) {
    const bool write = access.kind == Kind::write || access.kind == Kind::ring_put;
    if (access.kind == Kind::ring_count) {
      Part part;
      part.counts = true;
      part.request.space = emulator::MemorySpace::scratch;
      part.request.ring = true;
      part.request.address = static_cast<uint32_t>(access.address);
      part.result = static_cast<uint32_t>(work_.results.size());
      work_.results.push_back(0);
      out.push_back(part);
      continue;
    }
    const bool ring = access.kind == Kind::ring_get || access.kind == Kind::ring_put;
    const uint32_t count = write ? static_cast<uint32_t>(access.values.size()) : access.count;
    const HostAddress at = ring ? HostAddress{emulator::MemorySpace::scratch, static_cast<uint32_t>(access.address)}
                                : host_address(access.region, access.address);
    for (uint32_t done = 0; done < count;) {
      Part part;
      CoreRequest& r = part.request;
      r.space = at.space;
      r.ring = ring;
      r.write = write;
      r.address = ring ? at.address : at.address + 4 * done;
      // A burst ends at a multiple of its own size, as cache lines do.
      const uint32_t max = std::min<uint32_t>(timing_.burst_longwords, CoreRequest::kLongwords);
      const uint32_t room = ring ? max : max - r.address / 4 % max;
      r.count = static_cast<uint8_t>(std::min(room, count - done));
      if (write)
        std::copy_n(access.values.begin() + done, r.count, r.data.begin());
      else
        part.result = static_cast<uint32_t>(work_.results.size()), work_.results.resize(work_.results.size() + r.count);
      r.way = cycles(timing_.bridge_cycles);
      r.patience = timing_.patience_cycles == 0 ? emulator::kNever : cycles(timing_.patience_cycles);
      done += r.count;
      out.push_back(part);
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    out[i].request.id = work_.next_id + i;
    if (!reaction.locked) continue;
    const auto same = [&](const Part& later) {
      return !later.counts && later.request.space == out[i].request.space &&
             (later.request.space != emulator::MemorySpace::sram ||
              later.request.address >> 30 == out[i].request.address >> 30);
    };
    out[i].request.hold = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(i) + 1, out.end(), same);
  }
  return out;
}

// One access a cycle, while fewer than the allowed number of its kind is on its way.
void ControlProcessor::issue(Tick now) {
  if (work_.issued == work_.parts.size()) {
    work_.due = emulator::kNever;
    if (work_.open_reads + work_.open_writes == 0) finish(now);
    return;
  }
  Part& part = work_.parts[work_.issued];
  if (part.counts) {
    // A register of the scratch unit: there and back over the bridge, after the writes that went before.
    if (work_.open_writes != 0) {
      work_.due = emulator::kNever;
      return;
    }
    ++work_.issued;
    const uint32_t count = host_.ring(part.request.address).count;
    take(part, std::span(&count, 1));
    work_.due = now + cycles(2 * timing_.bridge_cycles);
    return;
  }
  uint32_t& open = part.request.write ? work_.open_writes : work_.open_reads;
  if (open >= (part.request.write ? timing_.outstanding_writes : timing_.outstanding_reads)) {
    work_.due = emulator::kNever;  // until an answer comes
    return;
  }
  ++work_.issued;
  if (host_.request(part.request, now))
    ++open;
  else
    perform(part);
  work_.due = now + cycles(1);
}

/// Where the chip description has no port for the control processor, or the board no memory: without time.
void ControlProcessor::perform(Part& part) {
  const CoreRequest& r = part.request;
  std::array<uint32_t, CoreRequest::kLongwords> data{};
  for (unsigned i = 0; i < r.count; ++i) {
    if (r.ring && r.write)
      host_.ring_put(r.address, std::span(&r.data[i], 1));
    else if (r.ring)
      data[i] = host_.ring_get(r.address).value_or(0);
    else if (r.write)
      host_.write(r.space, r.address + 4 * i, r.data[i]);
    else
      data[i] = host_.read(r.space, r.address + 4 * i);
  }
  take(part, std::span(data.data(), r.count));
}

void ControlProcessor::take(const Part& part, std::span<const uint32_t> data) {
  if (part.result == kNoResult) return;
  for (size_t i = 0; i < data.size() && part.result + i < work_.results.size(); ++i)
    work_.results[part.result + i] = data[i];
}

void ControlProcessor::core_answer(uint64_t id, std::span<const uint32_t> data, Tick now) {
  if (id < work_.first_id || id - work_.first_id >= work_.parts.size()) return;
  const Part& part = work_.parts[id - work_.first_id];
  take(part, data);
  --(part.request.write ? work_.open_writes : work_.open_reads);
  work_.due = std::min(work_.due, now);
}

void ControlProcessor::finish(Tick now) {
  work_.parts.clear();
  work_.issued = 0;  // of none: a write without a program is followed by no begin()
  if (work_.wanted != 0) return begin_stores(now);
  if (work_.from_program) {
    control::Event results = event(control::Event::Kind::results, now);
    results.results = std::move(work_.results);
    begin(tell(results), true, now);
    if (!work_.parts.empty() || work_.due > now) return;
  }
  work_.results.clear();
  work_.phase = Phase::idle;
  work_.due = now;  // something may have come meanwhile
}

void ControlProcessor::begin_command(const ControlCommand& command, Tick now) {
  using What = ControlCommand::What;
  switch (command.what) {
    case What::print:
      ++work_.next_command;
      if (on_text) on_text(command.text->render(scene_, {}));
      work_.due = now;
      return;
    case What::program:
      work_.begun = work_.next_command++;
      begin(tell([&] {
              control::Event asked = event(control::Event::Kind::command, now);
              asked.command = command.line;
              return asked;
            }()),
            true, now);
      return;
    case What::write: {
      ++work_.next_command;
      const StateRef& place = *command.place->place();
      const auto value = command.word(scene_);
      if (!value) {
        if (on_text) on_text(command.line + ": " + value.error().list().front().text);
      } else if (place.kind == StateRef::Kind::scratch || place.kind == StateRef::Kind::sram ||
                 place.kind == StateRef::Kind::dram) {
        control::Access access;
        access.kind = control::Access::Kind::write;
        access.region = place.kind == StateRef::Kind::scratch ? image::Region::scratch
                        : place.kind == StateRef::Kind::dram
                            ? image::Region::dram
                            : static_cast<image::Region>(static_cast<unsigned>(image::Region::sram0) +
                                                         static_cast<unsigned>(place.context));
        access.address = static_cast<uint64_t>(place.number);
        access.values = {*value};
        begin({0, {access}, false}, false, now);
        return;
      } else if (const auto done = write(scene_, place, {}, *value); !done && on_text) {
        on_text(command.line + ": " + done.error().list().front().text);
      }
      work_.due = now;
      return;
    }
    case What::load:
      work_.begun = work_.next_command++;
      work_.from_program = false;
      work_.wanted = 1;
      begin_stores(now);
      return;
  }
}

// Disable, wait until the engine has yielded, write, enable (isa.md 2.2). Only the engines whose stores are replaced
// pause; they start together, so that none signals another one before that is there.
void ControlProcessor::begin_stores(Tick now) {
  const std::vector<ControlCommand::Store>& stores = commands_[work_.begun].stores;
  work_.phase = Phase::yielding;
  work_.store = 0;
  work_.enables.assign(stores.size(), 0);
  for (size_t i = 0; i < stores.size(); ++i) {
    if (!wants_store(i)) continue;
    work_.enables[i] = std::as_const(*scene_.machine).state(stores[i].engine).ctx_enables;
    scene_.machine->write_csr(stores[i].engine, isa::Csr::ctx_enables, work_.enables[i] & ~uint32_t{0xff00});
  }
  replace_stores(now);
}

void ControlProcessor::replace_stores(Tick now) {
  const std::vector<ControlCommand::Store>& stores = commands_[work_.begun].stores;
  if (work_.phase == Phase::writing) {
    scene_.machine->replace(stores[work_.store].engine, stores[work_.store].words);
    ++work_.store;
    work_.phase = Phase::yielding;
  }
  while (work_.store < stores.size() && !wants_store(work_.store)) ++work_.store;
  if (work_.store < stores.size()) {
    const bool running = std::as_const(*scene_.machine).state(stores[work_.store].engine).running >= 0;
    work_.due =
        now + cycles(running ? timing_.poll_cycles : timing_.store_word_cycles * stores[work_.store].words.size());
    if (!running) work_.phase = Phase::writing;
    return;
  }
  // A program's stores are those of contexts that have ended: all start.
  for (size_t i = 0; i < stores.size(); ++i)
    if (wants_store(i))
      scene_.machine->start(stores[i].engine, work_.from_program ? 0xffu : work_.enables[i] >> 8 & 0xff);
  work_.wanted = 0;
  if (on_replaced) on_replaced();
  finish(now);
}

ControlProcessor::State ControlProcessor::save() const { return {program_ ? program_->clone() : nullptr, work_}; }
void ControlProcessor::restore(const State& state) {
  program_ = state.program ? state.program->clone() : nullptr;
  work_ = state.work;
}

uint64_t ControlProcessor::state_hash() const {
  Hash hash;
  hash.add(work_);
  if (program_) hash.add(program_->packets()).add(program_->counts());
  return hash.value();
}

}  // namespace weft::workbench
