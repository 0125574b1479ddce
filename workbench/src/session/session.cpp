// Puts a session together, and answers questions about it.
#include "weft/workbench/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "project/commands.h"
#include "project/design.h"
#include "project/traffic.h"
#include "session/impl.h"
#include "weft/base/paths.h"
#include "weft/base/record.h"
#include "weft/packet/bytes.h"

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
  board = std::make_unique<emulator::Board>(built.board);
  for (unsigned c = 0; c < board->chip_count(); ++c) {
    chips.push_back(std::make_unique<Chip>());
    chips[c]->machine = &board->machine(c);
    chips[c]->units = &board->units(c);
    for (unsigned p = 0; p < chips[c]->units->port_count(); ++p) {
      const unsigned number = chips[c]->units->port(p).board_number;
      ports.resize(std::max<size_t>(ports.size(), number + 1));
      ports[number] = {c, p};
    }
  }
  for (unsigned c = 0; c < chips.size(); ++c) {
    load_memory(c);
    load_programs(c);
    make_scene(c);
  }
  find_counter_runs();
  if (built.control && built.control->program) start_control(built.control_chip, std::move(built.control->program));
  return attach_ports();
}

void Session::Impl::start_control(unsigned number, std::unique_ptr<control::ControlProgram> program) {
  Chip& chip = *chips[number];
  chip.control = std::make_unique<ControlProcessor>(std::move(program), chip.scene, *built.board.control);
  chip.control->on_text = [this](const std::string& text) {
    if (on_log && !guard.repeating) on_log(text);
  };
  chip.control->on_replaced = [this, number] { find_images(number); };
  chip.machine->attach(*chip.control, emulator::Rank::control);
}

/// Which program's names hold for an engine: control stores may have been replaced.
void Session::Impl::find_images(unsigned number) {
  Chip& chip = *chips[number];
  for (unsigned e = 0; e < chip.scene.images.size(); ++e) {
    chip.scene.images[e] = built_image(number, e);
    if (!chip.control) continue;
    const auto words = chip.machine->words(e);
    for (const ControlCommand& c : chip.control->commands())
      for (const ControlCommand::Store& store : c.stores)
        if (store.engine == e && std::equal(words.begin(), words.end(), store.words.begin(), store.words.end()))
          chip.scene.images[e] = store.image.get();
  }
  if (chip.observers.checks() != nullptr) chip.observers.checks()->programs_replaced(chip.scene.images);
}

bool Session::Impl::has_control() const {
  return std::any_of(chips.begin(), chips.end(), [](const auto& c) { return c->control != nullptr; });
}
bool Session::Impl::observed() const {
  return std::any_of(chips.begin(), chips.end(), [](const auto& c) { return c->observers.any(); });
}
bool Session::Impl::input_finished() const {
  return std::all_of(chips.begin(), chips.end(), [](const auto& c) { return c->units->input_finished(); });
}
void Session::Impl::pause_observers(bool on) {
  for (const auto& c : chips) c->observers.pause_observers(*c->machine, on);
  observers_paused = on;
}
void Session::Impl::acknowledge_checks() {
  for (const auto& c : chips)
    if (c->observers.checks() != nullptr) c->observers.checks()->acknowledge();
}

unsigned Session::Impl::take_chip(std::string& text) const {
  for (unsigned c = 0; c < chips.size(); ++c) {
    const std::string& name = chip(c).name;
    if (name.empty() || text.size() <= name.size() || !text.starts_with(name) || text[name.size()] != ':') continue;
    text.erase(0, std::min(text.find_first_not_of(' ', name.size() + 1), text.size()));
    return c;
  }
  return 0;
}

Result<bool> Session::add_commands(const SourceFilePtr& source) {
  Impl& self = *impl_;
  CommandContext context;
  for (unsigned c = 0; c < self.chips.size(); ++c) context.chips.push_back(self.chip(c).name);
  context.default_chip = self.built.control_chip;
  Diagnostics problems;
  std::vector<std::vector<ControlCommand>> lists;
  for (unsigned c = 0; c < self.chips.size(); ++c) {
    const auto& control = self.chips[c]->control;
    context.chip = c;
    context.program = control ? control->program() : nullptr;
    context.load = [&](const std::string& file, unsigned engine) {
      return build_one(self.project, self.built, c, tidy(self.project.folder / file), engine).map([&](OneProgram one) {
        self.built.files.insert(self.built.files.end(), one.files.begin(), one.files.end());
        return std::pair(std::move(one.image), std::move(one.words));
      });
    };
    context.compile = [&](const std::string& rules) -> Result<std::vector<ControlCommand::Store>> {
      std::vector<ControlCommand::Store> stores;
      auto built = build_rules(self.project, self.built, c, rules);
      if (!built) return tl::unexpected(std::move(built.error()));
      for (OneProgram& one : *built) stores.push_back({one.engine, std::move(one.words), std::move(one.image)});
      return stores;
    };
    auto commands = parse_commands(source, self.chips[c]->scene, context);
    if (!commands)
      problems.append(std::move(commands.error()));
    else
      lists.push_back(std::move(*commands));
  }
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  for (unsigned c = 0; c < self.chips.size(); ++c) {
    if (lists[c].empty() && c != context.default_chip) continue;
    if (!self.chips[c]->control) {
      if (!self.built.board.control)
        return fail("project-control", whole_file(source->name()),
                    fmt::format("the board {} does not describe a control processor, which does commands",
                                self.built.board.name),
                    "add \"control\" to the board file (docs/schemas/board.schema.json)");
      self.start_control(c, nullptr);
    }
    self.chips[c]->control->add_commands(std::move(lists[c]));
  }
  self.commands.push_back(source);
  return true;
}

void Session::Impl::load_memory(unsigned number) {
  emulator::HostPort& host = chips[number]->units->host();
  const auto write = [&](const image::MemoryWrite& w) {
    packet::Bytes bytes(4 * w.values.size());  // at once: tables of routes are large
    for (size_t i = 0; i < w.values.size(); ++i) packet::store32(&bytes[4 * i], w.values[i]);
    const HostAddress at = host_address(w.region, w.address);
    host.write_bytes(at.space, at.address & ~3u, bytes);
  };
  if (built.control && built.control_chip == number) {
    for (const image::MemoryWrite& w : built.control->memory) write(w);
    for (const control::RingSetup& ring : built.control->rings) {
      host.set_ring(ring.ring, ring.base, ring.longwords, ring.status_is_empty);
      for (uint32_t word : ring.contents) host.ring_put(ring.ring, std::span(&word, 1));
    }
  }
  load_rings(project, built, number, host);
  for (const image::MemoryWrite& w : built.chips[number].linked.memory) {
    if (w.region != image::Region::local) {
      write(w);
      continue;
    }
    // One memory for all contexts of its microengine; no bus reaches it. The linker keeps blocks inside of it.
    std::span<uint32_t> memory = chips[number]->machine->state(static_cast<unsigned>(w.engine)).local_memory;
    for (size_t i = 0; i < w.values.size() && w.address / 4 + i < memory.size(); ++i)
      memory[w.address / 4 + i] = w.values[i];
  }
}

void Session::Impl::load_programs(unsigned number) {
  emulator::Machine* machine = chips[number]->machine;
  const emulator::ChipDescription& description = chip(number).chip;
  for (const image::LoadedProgram& program : built.chips[number].linked.programs) {
    machine->load(program.engine, program.words);
    const bool me1 = description.profile == isa::Profile::me1;
    const bool four = !me1 && program.image->contexts == 4;
    const unsigned mask = me1 ? (1u << description.contexts) - 1 : four ? 0x55 : 0xff;
    emulator::EngineState& state = machine->state(program.engine);
    for (const image::RegisterWrite& w : program.registers) {
      for (unsigned context = 0; context < emulator::kContexts; ++context)
        if ((mask >> context & 1) && (w.context < 0 || static_cast<unsigned>(w.context) == context))
          set_register(state, w, context);
    }
    machine->write_csr(program.engine, isa::Csr::ctx_enables,
                       (four ? 1u << 31 : 0u) | (program.image->nn_self ? 1u << 20 : 0u) |
                           (program.image->lm_absolute[0] ? 1u << 16 : 0u) |
                           (program.image->lm_absolute[1] ? 1u << 17 : 0u));
    machine->start(program.engine, mask);
  }
}

Result<bool> Session::Impl::attach_ports() {
  CaptureClock clock;
  if (auto read = clock.read(project.ports); !read) return read;
  for (const PortEntry& entry : project.ports) {
    if (entry.port >= ports.size())
      return fail("project-port", entry.range, fmt::format("{} has no port {}", built.board.name, entry.port),
                  ports.empty() ? "it has none" : fmt::format("its ports are 0 to {}", ports.size() - 1));
    const auto [on, number] = ports[entry.port];
    emulator::Units* units = chips[on]->units;
    const emulator::PortDescription& port = units->port(number);
    if (entry.in.kind != TrafficEntry::Kind::none) {
      TrafficContext context{built.board.ticks_per_second, port.bits_per_second, project.seed, {}, &clock,
                             wire_overhead(port)};
      if (const auto mac = packet::parse_mac(port.mac)) context.port_mac = *mac;
      if (built.control && built.control_chip == on)
        for (const control::PortSetup& setup : built.control->ports)
          if (setup.port == number) context.port_mac.octets = setup.mac;
      auto source = make_frame_source(entry, context);
      if (!source)
        return tl::unexpected(named_at(source.error(), entry.in.capture_range ? entry.in.capture_range : entry.range,
                                       entry.in.capture.string()));
      units->set_source(number, std::shared_ptr<emulator::FrameSource>(std::move(*source)));
    }
    if (entry.out) {
      auto sink = std::make_shared<CaptureSink>();
      units->set_sink(number, sink);
      sinks.emplace_back(entry.port, std::move(sink));
    }
  }
  for (unsigned port = 0; project.keep_frames && port < ports.size(); ++port) {
    if (std::any_of(sinks.begin(), sinks.end(), [&](const auto& sink) { return sink.first == port; })) continue;
    auto sink = std::make_shared<CaptureSink>();
    chips[ports[port].first]->units->set_sink(ports[port].second, sink);
    sinks.emplace_back(port, std::move(sink));
  }
  return true;
}

Session::Impl::FrameTotals Session::Impl::frame_totals() const {
  FrameTotals m;
  for (const auto& [on, number] : ports) {
    const emulator::PortCounters& c = chips[on]->units->counters(number);
    m.in += c.received_frames;
    m.out += c.transmitted_frames;
    m.lost += c.lost_overflow + c.lost_disabled + c.lost_length + c.lost_transmit_order + c.lost_transmit_length +
              c.lost_transmit_disabled;
  }
  for (const CounterRun& run : counter_runs) {
    const emulator::HostPort& host = chips[run.on]->units->host();
    uint64_t& sum = run.dropped ? m.dropped : m.core;
    sum += host.sum(run.at.space, run.at.address, static_cast<unsigned>(run.count));
  }
  return m;
}

// Sums are taken many times in a run.
void Session::Impl::find_counter_runs() {
  for (const auto& [on, counter] : built.counters) {
    using Kind = control::CounterSetup::Kind;
    if (counter.kind == Kind::figure || counter.kind == Kind::made) continue;
    counter_runs.push_back({on, host_address(counter.region, counter.address), counter.kind == Kind::dropped, 1});
  }
  const auto place = [](const CounterRun& r) { return std::tuple(r.on, r.dropped, r.at.space, r.at.address); };
  std::sort(counter_runs.begin(), counter_runs.end(),
            [&](const CounterRun& a, const CounterRun& b) { return place(a) < place(b); });
  std::vector<CounterRun> joined;
  for (const CounterRun& next : counter_runs) {
    if (!joined.empty()) {
      CounterRun& last = joined.back();
      const auto behind = static_cast<uint32_t>(last.at.address + 4 * last.count);
      if (place(next) == std::tuple(last.on, last.dropped, last.at.space, behind)) {
        ++last.count;
        continue;
      }
    }
    joined.push_back(next);
  }
  counter_runs = std::move(joined);
}

const image::Image* Session::Impl::image_of(unsigned number, unsigned engine) const {
  const auto& images = chips[number]->scene.images;
  return engine < images.size() ? images[engine] : nullptr;
}

const image::Image* Session::Impl::built_image(unsigned number, unsigned engine) const {
  for (const image::LoadedProgram& program : built.chips[number].linked.programs)
    if (program.engine == engine) return program.image;
  return nullptr;
}

std::string Session::Impl::place(unsigned number, unsigned engine, uint32_t address) const {
  const image::Image* image = image_of(number, engine);
  if (!image || address >= image->lines.size()) return {};
  const image::Line& line = image->lines[address].place;
  if (line.file >= image->files.size()) return {};
  return fmt::format("{}:{}", image->files[line.file], line.line);
}

SourceRange Session::Impl::source_place(unsigned number, unsigned engine, uint32_t address) const {
  const image::Image* image = image_of(number, engine);
  if (!image || address >= image->lines.size()) return {};
  const image::Line& at = image->lines[address].place;
  if (at.file >= image->files.size()) return {};
  const std::string& name = image->files[at.file];
  auto text = read_source(name);
  const SourceFilePtr file = text ? std::move(*text) : make_source(name, "");
  const std::string_view line = file->line_count() < at.line ? std::string_view() : file->line(at.line);
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return {file, {at.line, static_cast<uint32_t>(begin + 1)}, {at.line, static_cast<uint32_t>(line.size() + 1)}};
}

void Session::Impl::make_scene(unsigned number) {
  EvalContext& scene = chips[number]->scene;
  scene.machine = chips[number]->machine;
  scene.units = chips[number]->units;
  if (several()) scene.chip = chip(number).name;
  for (const auto& [on, port] : ports) scene.ports.emplace_back(chips[on]->units, port);
  scene.ticks_per_second = built.board.ticks_per_second;
  scene.profile = chip(number).chip.profile;
  for (unsigned e = 0; e < scene.machine->engine_count(); ++e) scene.images.push_back(built_image(number, e));
  for (const auto& [name, value] : project.constants) scene.constants[name] = static_cast<int64_t>(value);
  for (const image::Placement& block : built.chips[number].linked.placements)
    if (block.engine < 0) scene.constants[block.name] = static_cast<int64_t>(block.address);
  scene.figure = [this](Figure figure) -> uint64_t {
    const FrameTotals m = frame_totals();
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

Result<std::unique_ptr<Session>> Session::create(Project project, const Observation& observation,
                                                 std::vector<std::string>* read) {
  auto built = build(project, read);
  if (!built) return tl::unexpected(std::move(built.error()));
  return create(std::move(project), observation, std::move(*built));
}

Result<std::unique_ptr<Session>> Session::create(Project project, const Observation& observation, Built&& built) {
  std::unique_ptr<Session> session(new Session);
  session->impl_->project = std::move(project);
  session->impl_->built = std::move(built);
  session->impl_->observation = observation;
  auto done = session->impl_->assemble_machine();
  if (!done) return tl::unexpected(std::move(done.error()));
  Impl& self = *session->impl_;
  self.fingerprint = self.make_fingerprint();
  for (unsigned c = 0; c < self.chips.size(); ++c) {
    Impl::Chip& chip = *self.chips[c];
    chip.debugger = std::make_unique<Debugger>(chip.scene, c + 1, static_cast<unsigned>(self.chips.size()));
    chip.observers.attach(observation, *chip.machine, *chip.units, self.built, c, self.project.pools);
  }
  // What others have been told cannot be taken back when a fault ends a run in which engines ran ahead (repeat.cpp).
  self.board->set_execution({std::all_of(self.chips.begin(), self.chips.end(),
                                         [](const auto& chip) { return chip->observers.can_go_back(); })});
  return session;
}

Result<bool> Session::finish() {
  for (const auto& chip : impl_->chips) {
    const control::ControlProgram* software = chip->control ? chip->control->program() : nullptr;
    chip->observers.finish(software != nullptr ? software->kept_buffers() : std::vector<uint32_t>());
  }
  Diagnostics problems;
  for (const PortEntry& entry : impl_->project.ports) {
    if (!entry.out) continue;
    for (const auto& [port, sink] : impl_->sinks) {
      if (port != entry.port) continue;
      auto done = sink->write_pcap(entry.out->string(), impl_->built.board.ticks_per_second);
      if (!done) problems.append(std::move(done.error()));
    }
  }
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
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
const image::Image* Session::program(unsigned engine, unsigned chip) const { return impl_->image_of(chip, engine); }
unsigned Session::ports() const { return static_cast<unsigned>(impl_->ports.size()); }
const emulator::PortDescription& Session::port_description(unsigned port) const {
  const auto& [on, number] = impl_->ports.at(port);
  return impl_->chips[on]->units->port(number);
}
std::optional<emulator::Tick> Session::ticks(const std::string& time) const {
  return parse_time(time, impl_->chips.front()->scene);
}
uint64_t Session::ticks_per_second() const { return impl_->built.board.ticks_per_second; }
std::string Session::place(unsigned engine, uint32_t address, unsigned chip) const {
  return impl_->place(chip, engine, address);
}

Diagnostics Session::findings() const {
  Diagnostics out;
  for (unsigned c = 0; c < impl_->chips.size(); ++c) {
    const emulator::Checks* checks = impl_->chips[c]->observers.checks();
    if (checks == nullptr) continue;
    for (const emulator::Finding& f : checks->findings())
      out.warning(std::string(emulator::check_code(f.check)), impl_->source_place(c, f.who.engine, f.pc),
                  impl_->prefix(c) + (f.count > 1 ? fmt::format("{} ({} times)", f.text, f.count) : f.text));
    if (checks->not_kept() > 0)
      out.warning("check-more", {},
                  impl_->prefix(c) + fmt::format("{} more findings at other places were not kept", checks->not_kept()));
  }
  return out;
}

Result<bool> Session::Impl::write_files(const std::string& path,
                                        Result<bool> (Observers::*write)(const std::string&) const) const {
  for (unsigned c = 0; c < chips.size(); ++c) {
    auto done = (chips[c]->observers.*write)(several() ? file_of_chip(path, chip(c).name) : path);
    if (!done) return done;
  }
  return true;
}
Result<bool> Session::write_coverage(const std::string& path) const {
  return impl_->write_files(path, &Observers::write_coverage);
}
Result<bool> Session::write_history(const std::string& path) const {
  return impl_->write_files(path, &Observers::write_history);
}
Result<bool> Session::write_statistics(const std::string& path) const {
  return impl_->write_files(path, &Observers::write_statistics);
}
Result<bool> Session::write_profile(const std::string& path) const {
  return impl_->write_files(path, &Observers::write_profile);
}
Result<bool> Session::write_packets(const std::string& path) const {
  return impl_->write_files(path, &Observers::write_packets);
}
std::string Session::coverage_lcov() const {
  std::string out;
  for (const auto& chip : impl_->chips) out += chip->observers.coverage_lcov();
  return out;
}
std::string Session::statistics_text() const {
  std::string out;
  for (const auto& chip : impl_->chips) {
    if (impl_->several()) out += fmt::format("{}chip {}\n", out.empty() ? "" : "\n", chip->scene.chip);
    out += chip->observers.statistics_text();
  }
  return out;
}
const emulator::Coverage* Session::coverage(unsigned chip) const { return impl_->chips.at(chip)->observers.coverage(); }
const emulator::PacketTracker* Session::packets(unsigned chip) const {
  return impl_->chips.at(chip)->observers.packets();
}
const emulator::Statistics* Session::statistics(unsigned chip) const {
  return impl_->chips.at(chip)->observers.statistics();
}
const emulator::Profile* Session::profile(unsigned chip) const { return impl_->chips.at(chip)->observers.profile(); }
const emulator::History* Session::history(unsigned chip) const { return impl_->chips.at(chip)->observers.history(); }

Result<uint32_t> Session::read(const std::string& name) const {
  const auto value = evaluate(name);
  if (!value) return tl::unexpected(value.error());
  return static_cast<uint32_t>(*value);
}

Result<int64_t> Session::evaluate(const std::string& text, int engine, int context) const {
  const Location where{engine, context};
  std::string rest = text;
  const EvalContext& scene = impl_->chips[impl_->take_chip(rest)]->scene;
  const auto expression = Expression::parse(rest, scene, where);
  if (!expression) return tl::unexpected(expression.error());
  return expression->evaluate(scene, where);
}

Result<bool> Session::write(const std::string& name, int64_t value, int engine, int context) {
  const Location where{engine, context};
  std::string rest = name;
  Impl::Chip& chip = *impl_->chips[impl_->take_chip(rest)];
  const auto expression = Expression::parse(rest, chip.scene, where);
  if (!expression) return tl::unexpected(expression.error());
  if (!expression->place())
    return fail("inspect-fixed", {}, fmt::format("'{}' is a computed value", name),
                "registers, local CSRs, pc and memories can be written");
  if (value < INT32_MIN || value > int64_t{UINT32_MAX})
    return fail("inspect-range", {}, fmt::format("{} does not fit into the 32 bits of '{}'", value, name),
                "write a value from -2147483648 to 4294967295");
  const auto word = static_cast<uint32_t>(value);
  const StateRef& place = *expression->place();
  const auto before = static_cast<uint32_t>(workbench::read(chip.scene, place, where).value_or(0));
  auto done = workbench::write(chip.scene, place, where, word);
  emulator::Checks* checks = chip.observers.checks();
  if (done && checks != nullptr &&
      (place.kind == StateRef::Kind::symbol || place.kind == StateRef::Kind::gpr_a ||
       place.kind == StateRef::Kind::gpr_b || place.kind == StateRef::Kind::local_memory)) {
    if (const auto slot = register_slot(chip.scene, place, where)) checks->mark_written(*slot);
  }
  impl_->board->wake();
  chip.debugger->look();
  if (done) {
    const auto number = static_cast<unsigned>(
        std::find_if(impl_->chips.begin(), impl_->chips.end(), [&](const auto& c) { return c.get() == &chip; }) -
        impl_->chips.begin());
    impl_->note_edit({number, place, where, word, before});
  }
  return done;
}

uint64_t Session::state_hash() const {
  Hash h;
  for (const auto& chip : impl_->chips) {
    h.add(chip->machine->state_hash()).add(chip->units->state_hash());
    if (chip->control) h.add(chip->control->state_hash());
  }
  return h.value();
}

uint64_t Session::Impl::make_fingerprint() const {
  Hash h;
  h.add(std::string_view(built.board.name));
  h.add(project.seed);
  h.add(ports.size());
  for (unsigned c = 0; c < chips.size(); ++c) {
    h.add(std::string_view(chip(c).chip.name));
    for (const image::LoadedProgram& program : built.chips[c].linked.programs) {
      h.add(program.engine);
      h.add(program.words);
    }
    for (const emulator::MemoryChannel& channel : chip(c).sram) h.add(channel.bytes);
    h.add(chip(c).dram.bytes);
    const auto& control = chips[c]->control;
    h.add(std::string_view(control && control->program() ? control->program()->name() : ""));
  }
  return h.value();
}

const Diagnostics& Session::warnings() const { return impl_->built.warnings; }
const std::vector<std::string>& Session::files() const { return impl_->built.files; }
emulator::Board& Session::board() { return *impl_->board; }
std::vector<std::string> Session::chips() const {
  std::vector<std::string> out;
  for (const emulator::ChipOnBoard& chip : impl_->built.board.chips) out.push_back(chip.name);
  return out;
}
emulator::Machine& Session::machine(unsigned chip) { return impl_->board->machine(chip); }
emulator::Units& Session::units(unsigned chip) { return impl_->board->units(chip); }
const control::ControlProgram* Session::control() const {
  const auto& control = impl_->chips[impl_->built.control_chip]->control;
  return control ? control->program() : nullptr;
}

}  // namespace weft::workbench
