#include "weft/workbench/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "build.h"
#include "control_processor.h"
#include "inspect.h"
#include "observers.h"
#include "traffic.h"
#include "weft/emulator/units.h"

namespace weft::workbench {
namespace {

using emulator::Tick;

/// Engine cycles between two looks at the limits. Limits other than cycles are noticed at such a cut, so that a run ends
/// at the same cycle on every host.
constexpr uint64_t kStride = 500;
/// With all traffic in and nothing moving for so long, a run is over (project file: limits.quiet).
constexpr uint64_t kQuiet = 60'000;
/// A step of an engine that sleeps ends after so many cycles: a control program may poll for ever.
constexpr uint64_t kLongestStep = 10'000'000;
constexpr const char* kNothingLeft = "nothing is left to do: all contexts have ended or wait for what cannot come";

class Fnv {
 public:
  void mix(uint64_t value) {
    for (int i = 0; i < 8; ++i) {
      hash_ ^= value >> (8 * i) & 0xff;
      hash_ *= 0x100000001b3;
    }
  }
  template <class Range>
  void all(const Range& range) {
    for (const auto& item : range) mix(item);
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325;
};

void mix_engine(Fnv& h, const emulator::EngineState& s) {
  for (const auto* file : {&s.a, &s.b, &s.s_in, &s.s_out, &s.d_in, &s.d_out, &s.nn}) h.all(*file);
  h.all(s.local_memory);
  h.all(s.cam.tag);
  h.all(s.cam.state);
  h.all(s.cam.order);
  h.mix(s.crc_remainder);
  h.mix(s.codes.n << 3 | s.codes.z << 2 | s.codes.v << 1 | static_cast<int>(s.codes.c));
  h.mix(s.ctx_enables);
  for (const emulator::ContextRecord& c : s.contexts) {
    h.mix(static_cast<uint64_t>(c.state));
    h.mix(c.pc);
    h.mix(c.signals);
    h.mix(c.wakeup);
    h.all(c.lm);
    h.mix(c.executing);
    h.mix(c.aborted);
    h.mix(c.stalled);
  }
  h.mix(s.instructions);
  for (const emulator::BsetResult& found : s.bset) h.mix(found.value);
}

void set_register(emulator::EngineState& s, const image::RegisterWrite& w, unsigned context) {
  using image::RegisterKind;
  const unsigned slot = (16 * context + w.number) & 127;
  switch (w.kind) {
    case RegisterKind::gpr: (w.bank == isa::Bank::b ? s.b : s.a)[slot] = w.value; break;
    case RegisterKind::gpr_absolute: (w.bank == isa::Bank::b ? s.b : s.a)[w.number & 127] = w.value; break;
    case RegisterKind::xfer_s_read: s.s_in[slot] = w.value; break;
    case RegisterKind::xfer_s_write: s.s_out[slot] = w.value; break;
    case RegisterKind::xfer_d_read: s.d_in[slot] = w.value; break;
    case RegisterKind::xfer_d_write: s.d_out[slot] = w.value; break;
    case RegisterKind::neighbor: s.nn[w.number & 127] = w.value; break;
  }
}

}  // namespace

struct Session::Impl {
  Project project;
  Built built;
  std::unique_ptr<emulator::Machine> machine;
  std::unique_ptr<emulator::Units> units;
  std::unique_ptr<ControlProcessor> control;
  Observers observers;
  std::vector<std::pair<unsigned, std::shared_ptr<emulator::RecordingSink>>> sinks;
  std::string last_stop = "not run";

  const emulator::ChipOnBoard& chip() const { return built.board.chips.front(); }
  Tick period() const { return chip().chip.engine.period; }
  uint64_t cycles() const { return machine->now() / period(); }

  Result<bool> assemble_machine();
  Result<bool> attach_ports();
  void load_memory();
  void load_programs();

  struct Moved {
    uint64_t in = 0, out = 0, dropped = 0, core = 0, lost = 0;
    uint64_t done() const { return out + dropped + core + lost; }
  };
  Moved moved() const;
  Stop stop_of(const emulator::StopReason& reason) const;
  std::string place(unsigned engine, uint32_t address) const;
  const image::Image* image_of(unsigned engine) const;
  InspectTarget inspect_target() const;
};

Result<bool> Session::Impl::assemble_machine() {
  machine = std::make_unique<emulator::Machine>(emulator::MachineDescription(chip().chip));
  units = std::make_unique<emulator::Units>(chip(), *machine);
  machine->attach(*units);
  load_memory();
  if (built.control && built.control->program) {
    control = std::make_unique<ControlProcessor>(std::move(built.control->program), units->host(), ControlProcessor::Timing{});
    machine->attach(*control, emulator::Rank::control);
  }
  load_programs();
  return attach_ports();
}

void Session::Impl::load_memory() {
  emulator::HostPort& host = units->host();
  const auto write = [&](const image::MemoryWrite& w) {
    for (size_t i = 0; i < w.values.size(); ++i) {
      const HostAddress at = host_address(w.region, w.address + 4 * i);
      host.write(at.space, at.address, w.values[i]);
    }
  };
  if (built.control) {
    for (const image::MemoryWrite& w : built.control->memory) write(w);
    for (const control::RingSetup& ring : built.control->rings) {
      host.set_ring(ring.ring, ring.base, ring.longwords, ring.status_is_empty);
      for (uint32_t word : ring.contents) host.ring_put(ring.ring, std::span(&word, 1));
    }
  }
  for (const image::MemoryWrite& w : built.linked.memory) write(w);
}

void Session::Impl::load_programs() {
  for (const image::LoadedProgram& program : built.linked.programs) {
    machine->load(program.engine, program.words);
    const bool me1 = chip().chip.profile == isa::Profile::me1;
    const bool four = !me1 && program.image->contexts == 4;
    const unsigned mask = me1 ? (1u << chip().chip.contexts) - 1 : four ? 0x55 : 0xff;
    emulator::EngineState& state = machine->state(program.engine);
    for (const image::RegisterWrite& w : program.registers) {
      for (unsigned context = 0; context < emulator::kContexts; ++context)
        if ((mask >> context & 1) && (w.context < 0 || static_cast<unsigned>(w.context) == context)) set_register(state, w, context);
    }
    machine->write_csr(program.engine, isa::Csr::ctx_enables,
                       (four ? 1u << 31 : 0u) | (program.image->nn_self ? 1u << 20 : 0u) |
                           (program.image->lm_absolute[0] ? 1u << 16 : 0u) | (program.image->lm_absolute[1] ? 1u << 17 : 0u));
    machine->start(program.engine, mask);
  }
}

Result<bool> Session::Impl::attach_ports() {
  for (const PortEntry& entry : project.ports) {
    if (entry.port >= units->port_count())
      return fail("project-port", entry.range, fmt::format("{} has no port {}", built.board.name, entry.port),
                  fmt::format("its ports are 0 to {}", units->port_count() - 1));
    const emulator::PortDescription& port = units->port(entry.port);
    if (entry.in.kind != TrafficEntry::Kind::none) {
      TrafficContext context{built.board.ticks_per_second, port.bits_per_second, project.seed, {}};
      if (const auto mac = packet::parse_mac(port.mac)) context.port_mac = *mac;
      if (built.control)
        for (const control::PortSetup& setup : built.control->ports)
          if (setup.port == entry.port) context.port_mac.octets = setup.mac;
      auto source = make_source(entry, context);
      if (!source) return tl::unexpected(std::move(source.error()));
      units->set_source(entry.port, std::shared_ptr<emulator::FrameSource>(std::move(*source)));
    }
    if (entry.out) {
      auto sink = std::make_shared<emulator::RecordingSink>();
      units->set_sink(entry.port, sink);
      sinks.emplace_back(entry.port, std::move(sink));
    }
  }
  return true;
}

Session::Impl::Moved Session::Impl::moved() const {
  Moved m;
  for (unsigned p = 0; p < units->port_count(); ++p) {
    const emulator::PortCounters& c = units->counters(p);
    m.in += c.received_frames;
    m.out += c.transmitted_frames;
    m.lost += c.lost_overflow + c.lost_disabled + c.lost_length + c.lost_transmit_order + c.lost_transmit_length +
              c.lost_transmit_disabled;
  }
  if (built.control) {
    for (const control::CounterSetup& counter : built.control->counters) {
      const HostAddress at = host_address(counter.region, counter.address);
      (counter.kind == control::CounterSetup::Kind::dropped ? m.dropped : m.core) += units->host().read(at.space, at.address);
    }
  }
  return m;
}

const image::Image* Session::Impl::image_of(unsigned engine) const {
  for (const image::LoadedProgram& program : built.linked.programs)
    if (program.engine == engine) return program.image;
  return nullptr;
}

std::string Session::Impl::place(unsigned engine, uint32_t address) const {
  const image::Image* image = image_of(engine);
  if (!image || address >= image->lines.size()) return {};
  const image::Line& line = image->lines[address].place;
  if (line.file >= image->files.size()) return {};
  return fmt::format("{}:{}", image->files[line.file], line.line);
}

Stop Session::Impl::stop_of(const emulator::StopReason& reason) const {
  using emulator::StopKind;
  Stop stop;
  stop.engine = reason.engine;
  stop.context = reason.context;
  stop.address = reason.pc;
  const std::string where = place(reason.engine, reason.pc);
  stop.text = emulator::to_text(reason) + (where.empty() ? "" : fmt::format(" ({})", where));
  switch (reason.kind) {
    case StopKind::stepped: stop.kind = Stop::Kind::stepped; break;
    case StopKind::breakpoint:
    case StopKind::halted: stop.kind = Stop::Kind::breakpoint; break;
    case StopKind::undecodable:
    case StopKind::outside_store:
    case StopKind::local_memory:
    case StopKind::unserved: stop.kind = Stop::Kind::fault; break;
    case StopKind::idle:
      stop.kind = Stop::Kind::quiet;
      stop.engine = stop.context = -1;
      stop.text = kNothingLeft;
      break;
    case StopKind::asked:
      if (observers.checks() != nullptr && observers.checks()->wants_stop()) {
        const emulator::Finding& found = observers.checks()->findings().back();
        stop.kind = Stop::Kind::check;
        stop.engine = found.who.engine;
        stop.context = found.who.context;
        stop.address = found.pc;
        stop.text = found.text;
        break;
      }
      [[fallthrough]];
    case StopKind::limit:
      stop.kind = Stop::Kind::cycles;
      stop.engine = stop.context = -1;
      stop.text = "the cycle limit was reached";
      break;
  }
  return stop;
}

InspectTarget Session::Impl::inspect_target() const {
  InspectTarget target;
  target.engines = machine->engine_count();
  target.state = [this](unsigned engine) -> const emulator::EngineState& {
    return static_cast<const emulator::Machine&>(*machine).state(engine);
  };
  target.image = [this](unsigned engine) { return image_of(engine); };
  target.csr = [this](unsigned engine, unsigned context, uint32_t offset) {
    return machine->read_csr(engine, static_cast<isa::Csr>(offset), context);
  };
  target.host = &units->host();
  return target;
}

Session::Session() : impl_(std::make_unique<Impl>()) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(Project project, const Observation& observation) {
  auto built = build(project);
  if (!built) return tl::unexpected(std::move(built.error()));
  std::unique_ptr<Session> session(new Session);
  session->impl_->project = std::move(project);
  session->impl_->built = std::move(*built);
  auto done = session->impl_->assemble_machine();
  if (!done) return tl::unexpected(std::move(done.error()));
  session->impl_->observers.attach(observation, *session->impl_->machine, *session->impl_->units,
                                    session->impl_->built);
  return session;
}

Stop Session::run(const RunControl& control) {
  Impl& self = *impl_;
  Limits limits = self.project.limits;
  if (control.limits.cycles) limits.cycles = control.limits.cycles;
  if (control.limits.packets) limits.packets = control.limits.packets;
  if (control.limits.quiet_cycles) limits.quiet_cycles = control.limits.quiet_cycles;
  const auto& ports = self.project.ports;
  const bool traffic = std::any_of(ports.begin(), ports.end(),
                                   [](const PortEntry& p) { return p.in.kind != TrafficEntry::Kind::none; });
  // Without traffic a run ends when nothing can happen any more, or at a limit. A control program polls for ever, so then
  // quiet is the end.
  if (!limits.quiet_cycles && (traffic || self.control)) limits.quiet_cycles = kQuiet;

  const auto finish = [&](Stop::Kind kind, std::string text) {
    Stop stop;
    stop.kind = kind;
    stop.text = std::move(text);
    self.last_stop = stop.text;
    return stop;
  };
  if (self.observers.checks() != nullptr) self.observers.checks()->acknowledge();
  uint64_t last_done = self.moved().done();
  uint64_t last_move = self.cycles();
  while (true) {
    const uint64_t now = self.cycles();
    if (limits.cycles && now >= limits.cycles)
      return finish(Stop::Kind::cycles, fmt::format("the limit of {} cycles was reached", limits.cycles));
    const uint64_t next = limits.cycles ? std::min(now + kStride, limits.cycles) : now + kStride;
    const emulator::StopReason reason = self.machine->run_until(next * self.period());
    if (reason.kind != emulator::StopKind::limit && reason.kind != emulator::StopKind::idle) {
      Stop stop = self.stop_of(reason);
      self.last_stop = stop.text;
      return stop;
    }
    if (reason.kind == emulator::StopKind::idle) return finish(Stop::Kind::quiet, kNothingLeft);
    const Impl::Moved moved = self.moved();
    if (moved.done() != last_done) {
      last_done = moved.done();
      last_move = self.cycles();
    }
    if (limits.packets && moved.done() >= limits.packets)
      return finish(Stop::Kind::packets, fmt::format("the limit of {} packets was reached", limits.packets));
    const bool over = limits.quiet_cycles && self.units->input_finished() &&
                      self.cycles() - last_move >= limits.quiet_cycles;
    if (over) return finish(Stop::Kind::quiet, "all traffic has passed");
    if (control.interrupt && *control.interrupt) return finish(Stop::Kind::interrupted, "interrupted");
    if (control.progress) control.progress(self.cycles(), moved.out);
  }
}

Stop Session::step(unsigned engine) {
  if (impl_->observers.checks() != nullptr) impl_->observers.checks()->acknowledge();
  const Tick limit = impl_->machine->now() + kLongestStep * impl_->period();
  Stop stop = impl_->stop_of(impl_->machine->step_instruction(engine, limit));
  impl_->last_stop = stop.text;
  return stop;
}

Result<bool> Session::finish() {
  if (impl_->observers.checks() != nullptr) impl_->observers.checks()->finish();
  for (const PortEntry& entry : impl_->project.ports) {
    if (!entry.out) continue;
    for (const auto& [port, sink] : impl_->sinks) {
      if (port != entry.port) continue;
      auto done = sink->write_pcap(entry.out->string(), impl_->built.board.ticks_per_second);
      if (!done) return done;
    }
  }
  return true;
}

Diagnostics Session::findings() const {
  Diagnostics out;
  const emulator::Checks* checks = impl_->observers.checks();
  if (checks == nullptr) return out;
  for (const emulator::Finding& f : checks->findings())
    out.warning(fmt::format("check-{}", emulator::check_name(f.check)), {},
                f.count > 1 ? fmt::format("{} ({} times)", f.text, f.count) : f.text);
  if (checks->not_kept() > 0)
    out.warning("check-more", {}, fmt::format("{} more findings at other places were not kept", checks->not_kept()));
  return out;
}
Result<bool> Session::write_coverage(const std::string& path) const { return impl_->observers.write_coverage(path); }
Result<bool> Session::write_history(const std::string& path) const { return impl_->observers.write_history(path); }
const emulator::Coverage* Session::coverage() const { return impl_->observers.coverage(); }
Result<bool> Session::write_statistics(const std::string& path) const { return impl_->observers.write_statistics(path); }
std::string Session::statistics_text() const { return impl_->observers.statistics_text(); }
Result<bool> Session::write_profile(const std::string& path) const { return impl_->observers.write_profile(path); }
const emulator::Statistics* Session::statistics() const { return impl_->observers.statistics(); }
const emulator::Profile* Session::profile() const { return impl_->observers.profile(); }
const emulator::History* Session::history() const { return impl_->observers.history(); }

Result<uint32_t> Session::read(const std::string& name) const { return inspect(impl_->inspect_target(), name); }

uint64_t Session::state_hash() const {
  Fnv h;
  h.mix(impl_->machine->now());
  for (unsigned e = 0; e < impl_->machine->engine_count(); ++e)
    mix_engine(h, static_cast<const emulator::Machine&>(*impl_->machine).state(e));
  h.mix(impl_->units->state_hash());
  return h.value();
}

const Diagnostics& Session::warnings() const { return impl_->built.warnings; }
emulator::Machine& Session::machine() { return *impl_->machine; }
emulator::Units& Session::units() { return *impl_->units; }
const control::ControlProgram* Session::control() const { return impl_->control ? &impl_->control->program() : nullptr; }

Report Session::report() const {
  const Impl& self = *impl_;
  Report r;
  r.project = self.project.name;
  r.board = self.built.board.name;
  r.chip = self.chip().chip.name;
  r.stop = self.last_stop;
  r.seed = self.project.seed;
  r.cycles = self.cycles();
  const double ticks_per_second = static_cast<double>(self.built.board.ticks_per_second);
  r.clock_hz = ticks_per_second / static_cast<double>(self.period());
  r.instructions = self.machine->instructions();

  const Impl::Moved moved = self.moved();
  r.frames_in = moved.in;
  r.frames_out = moved.out;
  r.dropped = moved.dropped;
  r.handed_to_core = moved.core;
  r.lost = moved.lost;
  Tick first = emulator::kNever, last = 0;
  for (unsigned p = 0; p < self.units->port_count(); ++p) {
    const emulator::PortCounters& c = self.units->counters(p);
    PortFigures port;
    port.port = p;
    port.received_frames = c.received_frames;
    port.received_bytes = c.received_bytes;
    port.transmitted_frames = c.transmitted_frames;
    port.transmitted_bytes = c.transmitted_bytes;
    port.lost_mac = c.lost_overflow;
    port.lost_by_cause = {{"channel-disabled", c.lost_disabled},     {"too-long", c.lost_length},
                          {"transmit-order", c.lost_transmit_order}, {"transmit-too-long", c.lost_transmit_length},
                          {"transmit-disabled", c.lost_transmit_disabled}};
    for (const auto& [cause, count] : port.lost_by_cause) port.lost_other += count;
    r.bytes_in += c.received_bytes;
    r.bytes_out += c.transmitted_bytes;
    first = std::min(first, c.first_transmitted);
    last = std::max(last, c.last_transmitted);
    r.ports.push_back(std::move(port));
  }
  if (last > first) {
    // The first frame opens the interval and is not counted in it.
    const double seconds = static_cast<double>(last - first) / ticks_per_second;
    r.packets_per_second = static_cast<double>(r.frames_out - 1) / seconds;
    r.gigabits_per_second = 8e-9 * static_cast<double>(r.bytes_out) * static_cast<double>(r.frames_out - 1) /
                            static_cast<double>(r.frames_out) / seconds;
  }
  if (self.built.control) {
    for (const control::CounterSetup& counter : self.built.control->counters) {
      const HostAddress at = host_address(counter.region, counter.address);
      const uint64_t count = self.units->host().read(at.space, at.address);
      if (!count) continue;
      auto& list = counter.kind == control::CounterSetup::Kind::dropped ? r.drops : r.exceptions;
      list.push_back({counter.reason, static_cast<int>(counter.port), count});
    }
  }
  for (const image::LoadedProgram& program : self.built.linked.programs) {
    r.engine_programs.emplace_back(std::to_string(program.engine),
                                   fmt::format("{} ({} words)", program.image->name, program.words.size()));
    for (unsigned c = 0; c < emulator::kContexts; ++c) {
      const emulator::CycleCounters counters = self.machine->counters(program.engine, c);
      r.contexts.push_back({program.engine, c, counters.executing, counters.aborted, counters.stalled, counters.idle});
    }
  }
  std::sort(r.contexts.begin(), r.contexts.end(),
            [](const ContextFigures& a, const ContextFigures& b) { return std::pair(a.engine, a.context) < std::pair(b.engine, b.context); });
  for (const emulator::UnitView& unit : self.units->inspect()) {
    // Stand-ins for what the board does not have are worth a row only when a program turned to them.
    if (unit.counters.commands == 0 && (unit.name == "pci" || unit.name == "absent SRAM channel")) continue;
    UnitFigures u;
    u.name = std::string(unit.name);
    u.commands = unit.counters.commands;
    u.deepest_queue = unit.counters.deepest_inlet;
    const Tick elapsed = self.machine->now() * unit.directions;
    u.busy_permille = elapsed ? unit.counters.busy * 1000 / elapsed : 0;
    r.units.push_back(std::move(u));
  }
  return r;
}

}  // namespace weft::workbench
