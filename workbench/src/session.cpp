// Puts a session together, and answers questions about it.
#include "weft/workbench/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "session_impl.h"
#include "state_hash.h"
#include "traffic.h"

namespace weft::workbench {
namespace {

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

Result<bool> Session::Impl::assemble_machine() {
  machine = std::make_unique<emulator::Machine>(emulator::MachineDescription(chip().chip));
  units = std::make_unique<emulator::Units>(chip(), *machine);
  machine->attach(*units);
  load_memory();
  load_programs();
  make_scene();
  if (built.control && built.control->program) start_control(std::move(built.control->program));
  return attach_ports();
}

void Session::Impl::start_control(std::unique_ptr<control::ControlProgram> program) {
  control = std::make_unique<ControlProcessor>(std::move(program), scene, *built.board.control);
  control->on_text = [this](const std::string& text) {
    if (debugger->on_log && !guard.repeating) debugger->on_log(text);
  };
  control->on_replaced = [this] { find_images(); };
  machine->attach(*control, emulator::Rank::control);
}

/// Which program's names hold for an engine: control stores may have been replaced.
void Session::Impl::find_images() {
  for (unsigned e = 0; e < scene.images.size(); ++e) {
    scene.images[e] = image_of(e);
    if (!control) continue;
    const auto words = machine->words(e);
    for (const ControlCommand& c : control->commands())
      if (c.what == ControlCommand::What::load && c.engine == e && std::equal(words.begin(), words.end(), c.words.begin(), c.words.end())) scene.images[e] = c.image.get();
  }
}

Result<bool> Session::add_commands(const SourceFilePtr& source) {
  Impl& self = *impl_;
  CommandContext context;
  context.program = self.control ? self.control->program() : nullptr;
  context.load = [&](const std::string& file, unsigned engine) {
    return build_one(self.project, self.built, (self.project.folder / file).lexically_normal(), engine);
  };
  auto commands = parse_commands(source, self.scene, context);
  if (!commands) return tl::unexpected(std::move(commands.error()));
  if (!self.control) {
    if (!self.built.board.control)
      return fail("project-control", whole_file(source->name()), fmt::format("the board {} does not describe a control processor, which does commands", self.built.board.name),
                  "add \"control\" to the board file (docs/board.schema.json)");
    self.start_control(nullptr);
  }
  self.control->add_commands(std::move(*commands));
  return true;
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
      auto sink = std::make_shared<CaptureSink>();
      units->set_sink(entry.port, sink);
      sinks.emplace_back(entry.port, std::move(sink));
    }
  }
  for (unsigned port = 0; project.keep_frames && port < units->port_count(); ++port) {
    if (std::any_of(sinks.begin(), sinks.end(), [&](const auto& sink) { return sink.first == port; })) continue;
    auto sink = std::make_shared<CaptureSink>();
    units->set_sink(port, sink);
    sinks.emplace_back(port, std::move(sink));
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

void Session::Impl::make_scene() {
  scene.machine = machine.get();
  scene.units = units.get();
  scene.ticks_per_second = built.board.ticks_per_second;
  scene.profile = chip().chip.profile;
  for (unsigned e = 0; e < machine->engine_count(); ++e) scene.images.push_back(image_of(e));
  for (const auto& [name, value] : project.constants) scene.constants[name] = static_cast<int64_t>(value);
  for (const image::Placement& block : built.linked.placements)
    if (block.engine < 0) scene.constants[block.name] = static_cast<int64_t>(block.address);
  scene.figure = [this](Figure figure) -> uint64_t {
    const Moved m = moved();
    switch (figure) {
      case Figure::packets: return m.done();
      case Figure::received: return m.in;
      case Figure::transmitted: return m.out;
      case Figure::dropped: return m.dropped;
      case Figure::core: return m.core;
      case Figure::lost: return m.lost;
    }
    return 0;
  };
}

Session::Session() : impl_(std::make_unique<Impl>()) { impl_->owner = this; }
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(Project project, const Observation& observation) {
  auto built = build(project);
  if (!built) return tl::unexpected(std::move(built.error()));
  std::unique_ptr<Session> session(new Session);
  session->impl_->project = std::move(project);
  session->impl_->built = std::move(*built);
  auto done = session->impl_->assemble_machine();
  if (!done) return tl::unexpected(std::move(done.error()));
  session->impl_->debugger = std::make_unique<Debugger>(session->impl_->scene);
  session->impl_->fingerprint = session->impl_->make_fingerprint();
  session->impl_->observers.attach(observation, *session->impl_->machine, *session->impl_->units,
                                    session->impl_->built, session->impl_->project.pools);
  // What observers have been told cannot be taken back when a fault ends a run in which engines ran ahead.
  session->impl_->machine->set_execution({!session->impl_->observers.any()});
  return session;
}

Result<bool> Session::finish() {
  impl_->observers.finish();
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

std::vector<Session::SentFrame> Session::sent(unsigned port) const {
  std::vector<SentFrame> frames;
  for (const auto& [number, sink] : impl_->sinks) {
    if (number != port) continue;
    for (uint64_t i = 0; i < sink->frames(); ++i) frames.push_back({sink->bytes(i), sink->tick(i)});
  }
  return frames;
}
unsigned Session::ports() const { return impl_->units->port_count(); }
std::string Session::place(unsigned engine, uint32_t address) const { return impl_->place(engine, address); }

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
std::string Session::coverage_lcov() const { return impl_->observers.coverage_lcov(); }
const emulator::Coverage* Session::coverage() const { return impl_->observers.coverage(); }
Result<bool> Session::write_statistics(const std::string& path) const { return impl_->observers.write_statistics(path); }
std::string Session::statistics_text() const { return impl_->observers.statistics_text(); }
Result<bool> Session::write_profile(const std::string& path) const { return impl_->observers.write_profile(path); }
Result<bool> Session::write_packets(const std::string& path) const { return impl_->observers.write_packets(path); }
const emulator::PacketTracker* Session::packets() const { return impl_->observers.packets(); }
const emulator::Statistics* Session::statistics() const { return impl_->observers.statistics(); }
const emulator::Profile* Session::profile() const { return impl_->observers.profile(); }
const emulator::History* Session::history() const { return impl_->observers.history(); }

Result<uint32_t> Session::read(const std::string& name) const {
  const auto value = evaluate(name);
  if (!value) return tl::unexpected(value.error());
  return static_cast<uint32_t>(*value);
}

Result<int64_t> Session::evaluate(const std::string& text, int engine, int context) const {
  const Where where{engine, context};
  const auto expression = Expression::parse(text, impl_->scene, where);
  if (!expression) return tl::unexpected(expression.error());
  return expression->evaluate(impl_->scene, where);
}

Result<bool> Session::write(const std::string& name, int64_t value, int engine, int context) {
  const Where where{engine, context};
  const auto expression = Expression::parse(name, impl_->scene, where);
  if (!expression) return tl::unexpected(expression.error());
  if (!expression->place())
    return fail("inspect-fixed", {}, fmt::format("'{}' is a computed value", name), "registers, local CSRs, pc and memories can be written");
  const Place& place = *expression->place();
  auto done = workbench::write(impl_->scene, place, where, value);
  emulator::Checks* checks = impl_->observers.checks();
  if (done && checks != nullptr && (place.kind == Place::Kind::symbol || place.kind == Place::Kind::gpr_a || place.kind == Place::Kind::gpr_b || place.kind == Place::Kind::local_memory)) {
    // From now on it counts as written. What is 0 looks as if nobody had written it, so something else stands there first.
    if (value == 0) done = workbench::write(impl_->scene, place, where, 1);
    checks->take_present_values();
    if (value == 0 && done) done = workbench::write(impl_->scene, place, where, value);
  }
  impl_->machine->wake();
  impl_->debugger->look();
  return done;
}

uint64_t Session::state_hash() const {
  Fnv h;
  h.mix(impl_->machine->now());
  for (unsigned e = 0; e < impl_->machine->engine_count(); ++e) mix_engine(h, *impl_->machine, e);
  h.mix(impl_->units->state_hash());
  if (impl_->control) impl_->control->mix_state(h);
  return h.value();
}

uint64_t Session::Impl::make_fingerprint() const {
  Fnv h;
  for (const std::string& text : {built.board.name, chip().chip.name}) h.mix(std::string_view(text));
  h.mix(project.seed);
  h.mix(units->port_count());
  for (const image::LoadedProgram& program : built.linked.programs) {
    h.mix(program.engine);
    h.all(program.words);
  }
  for (const emulator::MemoryChannel& channel : chip().sram) h.mix(channel.bytes);
  h.mix(chip().dram.bytes);
  h.mix(std::string_view(control && control->program() ? control->program()->name() : ""));
  return h.value();
}

const Diagnostics& Session::warnings() const { return impl_->built.warnings; }
emulator::Machine& Session::machine() { return *impl_->machine; }
emulator::Units& Session::units() { return *impl_->units; }
const control::ControlProgram* Session::control() const { return impl_->control ? impl_->control->program() : nullptr; }

}  // namespace weft::workbench
