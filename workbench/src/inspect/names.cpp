#include "inspect/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "inspect/named_slot.h"
#include "inspect/one_of.h"
#include "weft/base/json.h"
#include "weft/emulator/unit_inspector.h"

namespace weft::workbench {
namespace {

using emulator::EngineState;
using emulator::MemorySpace;
using image::RegisterKind;
using Kind = StateRef::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 4> kBuffers{
    {{"rbuf", Kind::rbuf}, {"tbuf", Kind::tbuf}, {"rfifo", Kind::rfifo}, {"tfifo", Kind::tfifo}}};

emulator::MediaBuffer buffer_of(Kind kind) {
  using emulator::MediaBuffer;
  return kind == Kind::rbuf    ? MediaBuffer::rbuf
         : kind == Kind::tbuf  ? MediaBuffer::tbuf
         : kind == Kind::rfifo ? MediaBuffer::rfifo
                               : MediaBuffer::tfifo;
}

constexpr const char* kForms =
    "names look like me0.ctx3.temp, me0.ctx3.pc, me0.a5, me0.csr.CTX_ENABLES, me0.lm[12], sram0[0x100], scratch[8], "
    "dram[0x40], ring2.count, port0.received, cycle, packets";

tl::unexpected<Diagnostics> unknown(std::string_view name, const std::string& why, const std::string& remedy = {}) {
  return fail("inspect-name", {}, fmt::format("'{}': {}", name, why), remedy.empty() ? kForms : remedy);
}

std::optional<unsigned> parse_number(std::string_view text) {
  unsigned value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || stop != text.data() + text.size() || error != std::errc()) return std::nullopt;
  return value;
}

/// "ring12" -> 12 for the prefix "ring".
std::optional<unsigned> numbered(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return parse_number(text.substr(prefix.size()));
}

/// The part before the first dot; `text` keeps the rest.
std::string_view take_part(std::string_view& text) {
  const size_t dot = text.find('.');
  const std::string_view part = text.substr(0, dot);
  text = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  return part;
}

class Resolver {
 public:
  Resolver(const EvalContext& scene, std::string_view name, std::optional<int64_t> index, bool indexed,
           const Location& where)
      : scene_(scene), name_(name), index_(index), indexed_(indexed), where_(where) {
    place_.name = std::string(name);
  }

  Result<StateRef> resolve() {
    if (auto memory = whole_memory()) return *memory;
    std::string_view rest = name_;
    const std::string_view first = take_part(rest);
    const bool more = rest.data() != nullptr && name_.find('.') != std::string_view::npos;
    if (const auto engine = numbered(first, "me"); engine && more) {
      if (*engine >= scene_.machine->engine_count())
        return unknown(name_, fmt::format("the chip has microengines me0 to me{}", scene_.machine->engine_count() - 1));
      place_.engine = static_cast<int>(*engine);
      return in_engine(rest);
    }
    if (numbered(first, "ctx") && more) return in_engine(name_);
    if (const auto ring = numbered(first, "ring"); ring && more) return ring_part(*ring, rest);
    if (const auto port = numbered(first, "port"); port && more) return port_part(*port, rest);
    if (first == "cap" && more) return cap_part(rest);
    if (indexed_) return in_engine(name_);
    // A register of the program comes first. Which program that is may be known only when the expression is asked.
    const auto known = known_name();
    if (known && !is_register(name_)) return *known;
    auto place = in_engine(name_);
    if (known && place && where_.engine < 0) place->elsewhere = std::make_shared<const StateRef>(*known);
    return place;
  }

 private:
  std::optional<StateRef> whole_memory() {
    if (!indexed_) return std::nullopt;
    const auto as = [&](Kind kind, int64_t base = 0) {
      place_.kind = kind;
      place_.number = index_.value_or(0);
      place_.context = static_cast<int>(base);
      return place_;
    };
    if (name_ == "scratch") return as(Kind::scratch);
    if (name_ == "dram") return as(Kind::dram);
    if (name_ == "msf") return as(Kind::msf);
    for (const auto& [name, kind] : kBuffers)
      if (name == name_) return as(kind);
    if (const auto channel = numbered(name_, "sram"); channel && *channel < 4) return as(Kind::sram, *channel);
    return std::nullopt;
  }

  /// A figure of the run, or a constant of the project.
  std::optional<StateRef> known_name() const {
    static constexpr std::pair<std::string_view, Kind> kPlain[] = {{"cycle", Kind::cycle},
                                                                   {"tick", Kind::tick},
                                                                   {"time", Kind::nanoseconds},
                                                                   {"me", Kind::engine_number},
                                                                   {"ctx", Kind::context_number}};
    static constexpr std::pair<std::string_view, Figure> kFigures[] = {
        {"packets", Figure::packets}, {"received", Figure::received}, {"transmitted", Figure::transmitted},
        {"dropped", Figure::dropped}, {"core", Figure::core},         {"lost", Figure::lost}};
    StateRef place = place_;
    for (const auto& [name, kind] : kPlain)
      if (name == name_) return place.kind = kind, place;
    for (const auto& [name, figure] : kFigures)
      if (name == name_) return place.kind = Kind::figure, place.number = static_cast<int64_t>(figure), place;
    const auto constant = scene_.constants.find(std::string(name_));
    if (constant == scene_.constants.end()) return std::nullopt;
    return place.kind = Kind::constant, place.number = constant->second, place;
  }

  Result<StateRef> ring_part(unsigned ring, std::string_view field) {
    place_.number = ring;
    if (ring >= 16) return unknown(name_, "scratch has the rings 0 to 15");
    const auto kind = one_of<Kind>(
        field,
        {{"count", Kind::ring_count}, {"size", Kind::ring_size}, {"head", Kind::ring_head}, {"tail", Kind::ring_tail}});
    if (!kind) return unknown(name_, fmt::format("a ring has no '{}'", field), "a ring has count, size, head and tail");
    place_.kind = *kind;
    return place_;
  }
  Result<StateRef> port_part(unsigned port, std::string_view field) {
    place_.number = port;
    if (port >= port_count(scene_))
      return unknown(name_, port_count(scene_) == 0
                                ? "the board has no ports"
                                : fmt::format("the board has the ports 0 to {}", port_count(scene_) - 1));
    const auto kind = one_of<Kind>(
        field, {{"received", Kind::port_received}, {"transmitted", Kind::port_transmitted}, {"lost", Kind::port_lost}});
    if (!kind)
      return unknown(name_, fmt::format("a port has no '{}'", field), "a port has received, transmitted and lost");
    place_.kind = *kind;
    return place_;
  }
  Result<StateRef> cap_part(std::string_view field) {
    std::vector<std::string> names;
    for (const isa::NamedValue& csr : isa::cap_csrs(scene_.profile)) {
      if (csr.name == field) {
        place_.kind = Kind::cap;
        place_.number = csr.value;
        return place_;
      }
      names.emplace_back(csr.name);
    }
    return not_found(field, names, fmt::format("there is no CAP CSR '{}'", field));
  }

  Result<StateRef> in_engine(std::string_view rest) {
    const int engine = place_.engine >= 0 ? place_.engine : where_.engine;
    if (rest.starts_with("ctx") && rest.find('.') != std::string_view::npos) {
      const std::string_view part = take_part(rest);
      const auto context = parse_number(part.substr(3));
      if (!context || *context >= emulator::kContexts || rest.empty())
        return unknown(name_, "a context is ctx0 to ctx7, and a dot and a name follow it");
      place_.context = static_cast<int>(*context);
    }
    if (rest == "lm" && indexed_) {
      place_.kind = Kind::local_memory;
      place_.number = index_.value_or(0);
      return place_;
    }
    if (indexed_) return symbol(fmt::format("{}[{}]", rest, index_.value_or(-1)), engine);
    if (rest.empty()) return unknown(name_, "a name follows the dot");
    if (rest == "pc" || rest == "state" || rest == "signals" || rest == "instructions") {
      place_.kind = rest == "pc"        ? Kind::pc
                    : rest == "state"   ? Kind::state
                    : rest == "signals" ? Kind::signals
                                        : Kind::instructions;
      return place_;
    }
    if (rest.starts_with("csr.")) return local_csr(rest.substr(4));
    if (rest.starts_with("sig.")) return signal(rest.substr(4), engine);
    if (rest.ends_with("#")) return label(rest, engine);
    if (!is_register(rest, engine) && rest.size() > 1 && (rest[0] == 'a' || rest[0] == 'b')) {
      if (const auto slot = parse_number(rest.substr(1)); slot && *slot < 128) {
        place_.kind = rest[0] == 'a' ? Kind::gpr_a : Kind::gpr_b;
        place_.number = *slot;
        return place_;
      }
    }
    return symbol(std::string(rest), engine);
  }

  Result<StateRef> local_csr(std::string_view csr) {
    const isa::CsrInfo* info = isa::find_csr(scene_.profile, csr);
    if (!info) {
      std::vector<std::string> names;
      for (const isa::CsrInfo& c : isa::csrs(scene_.profile)) names.emplace_back(c.name);
      return not_found(csr, names, fmt::format("there is no local CSR '{}'", csr));
    }
    place_.kind = Kind::csr;
    place_.number = info->offset;
    return place_;
  }

  Result<StateRef> signal(std::string_view name, int engine) {
    std::vector<std::string> names;
    for (const image::Image* image : images(engine)) {
      for (const image::Signal& s : image->signals) {
        if (s.name == name) {
          place_.kind = Kind::named_signal;
          place_.symbol = std::string(name);
          return place_;
        }
        names.push_back(s.name);
      }
    }
    return not_found(name, names, fmt::format("no program there has a signal '{}'", name));
  }

  Result<StateRef> label(std::string_view name, int engine) {
    std::vector<std::string> names;
    for (const image::Image* image : images(engine)) {
      for (const image::Label& l : image->labels) {
        if (l.name == name) {
          place_.kind = Kind::constant;
          place_.number = l.address;
          return place_;
        }
        names.push_back(l.name);
      }
    }
    return not_found(name, names, fmt::format("no program there has a label '{}'", name));
  }

  Result<StateRef> symbol(std::string text, int engine) {
    place_.kind = Kind::symbol;
    if (text.ends_with(".out")) {
      place_.write_side = true;
      text.resize(text.size() - 4);
    }
    place_.symbol = text;
    place_.ranges.resize(scene_.images.size());
    bool found = false;
    std::vector<std::string> names;
    for (size_t e = 0; e < scene_.images.size(); ++e) {
      const image::Image* image = scene_.images[e];
      if (!image || (engine >= 0 && static_cast<size_t>(engine) != e)) continue;
      for (const image::Register& r : image->registers) {
        if (r.name == text)
          place_.ranges[e].push_back(&r), found = true;
        else
          names.push_back(r.name);
      }
    }
    if (found) return place_;
    if (engine >= 0 && images(engine).empty())
      return unknown(name_, fmt::format("me{} runs no program with names", engine));
    // A dot that nothing explains: a misspelt first part.
    if (engine < 0 && name_.find('.') != std::string_view::npos)
      return unknown(name_, "this is not a name of anything in the machine");
    return not_found(text, names,
                     engine >= 0
                         ? fmt::format("the program of me{} has no register '{}'", engine, text)
                         : fmt::format("'{}' is not a register of a program, and nothing else in the machine", text));
  }

  std::vector<const image::Image*> images(int engine) const {
    std::vector<const image::Image*> out;
    for (size_t e = 0; e < scene_.images.size(); ++e)
      if (scene_.images[e] && (engine < 0 || static_cast<size_t>(engine) == e)) out.push_back(scene_.images[e]);
    return out;
  }
  bool is_register(std::string_view name) const { return is_register(name, where_.engine); }
  bool is_register(std::string_view name, int engine) const {
    for (const image::Image* image : images(engine))
      if (std::any_of(image->registers.begin(), image->registers.end(),
                      [&](const image::Register& r) { return r.name == name; }))
        return true;
    return false;
  }
  tl::unexpected<Diagnostics> not_found(std::string_view word, const std::vector<std::string>& names,
                                        const std::string& why) const {
    const auto close = nearest(word, names);
    return unknown(name_, why, close ? fmt::format("did you mean '{}'?", *close) : "");
  }

  const EvalContext& scene_;
  std::string_view name_;
  std::optional<int64_t> index_;
  bool indexed_;
  Location where_;
  StateRef place_;
};

struct Owner {
  unsigned engine = 0, context = 0;
};

Result<int> engine_of(const StateRef& place, const Location& where) {
  const int engine = place.engine >= 0 ? place.engine : where.engine;
  if (engine < 0)
    return unknown(place.name, "no microengine is named, and the expression is not asked at one",
                   "write me0.ctx0 and a dot before it");
  return engine;
}

/// Whose registers the place means.
Result<Owner> owner(const EvalContext& scene, const StateRef& place, const Location& where) {
  const auto known = engine_of(place, where);
  if (!known) return tl::unexpected(known.error());
  const int engine = *known;
  int context = place.context;
  if (context < 0 && engine == where.engine) context = where.context;
  const EngineState& state = std::as_const(*scene.machine).state(static_cast<unsigned>(engine));
  if (context < 0) context = state.running >= 0 ? state.running : 0;
  return Owner{static_cast<unsigned>(engine), static_cast<unsigned>(context)};
}

/// No program whose register it could be is meant, and the name is known without one (StateRef::elsewhere).
bool is_elsewhere(const StateRef& place, const Location& where) {
  return place.elsewhere != nullptr && (where.engine < 0 || place.ranges[static_cast<size_t>(where.engine)].empty());
}

/// A transfer register has two sides: "$x" is the read side where that is live, "$x.out" the write side.
Result<uint32_t*> symbol_slot(const EvalContext& scene, const StateRef& place, const Owner& who) {
  if (place.ranges[who.engine].empty())
    return unknown(place.name, fmt::format("the program of me{} has no register '{}'", who.engine, place.symbol),
                   "name the microengine");
  EngineState& state = scene.machine->state(who.engine);
  const uint32_t pc = state.contexts[who.context].pc;
  if (const image::Register* r = live_range(place.ranges[who.engine], pc, place.write_side))
    return named_slot(state, *r, who.context);
  return fail("inspect-dead", {},
              fmt::format("'{}' holds nothing at 0x{:x}, where context {} stands", place.name, pc, who.context),
              "step to a place between its definition and its last use");
}

MemorySpace space_of(Kind kind) {
  return kind == Kind::scratch ? MemorySpace::scratch : kind == Kind::dram ? MemorySpace::dram : MemorySpace::sram;
}

/// Checks an address; the channel of SRAM stands in Place::context.
Result<uint32_t> address_of(const EvalContext& scene, const StateRef& place) {
  const unsigned channel = place.kind == Kind::sram ? static_cast<unsigned>(place.context) : 0;
  const uint64_t size = scene.units->host().size(space_of(place.kind), channel);
  const std::string written = fmt::format("{}[0x{:x}]", place.name, static_cast<uint64_t>(place.number));
  if (size == 0) {
    const unsigned channels = emulator::UnitInspector(*scene.units).sram_channels();
    return unknown(written, fmt::format("the chip has no {}", place.name),
                   channels == 1 ? "it has sram0" : fmt::format("it has sram0 to sram{}", channels - 1));
  }
  if (place.number < 0 || static_cast<uint64_t>(place.number) >= size)
    return unknown(written, fmt::format("{} has {} bytes", place.name, size), "use an address inside it");
  if (place.number % 4 != 0)
    return unknown(written, "the address of a longword is a multiple of 4", "use a multiple of 4");
  return static_cast<uint32_t>(place.number) | channel << 30;
}

/// The byte of a media buffer that a place names.
Result<uint32_t> buffer_offset(const EvalContext& scene, const StateRef& place) {
  const uint32_t bytes = emulator::UnitInspector(*scene.units).buffer_bytes(buffer_of(place.kind));
  const std::string written = fmt::format("{}[0x{:x}]", place.name, static_cast<uint64_t>(place.number));
  if (bytes == 0)
    return unknown(written, fmt::format("the chip has no {}", place.name),
                   "IXP2400 and IXP2800 have rbuf and tbuf, the IXP1200 has rfifo and tfifo");
  if (place.number < 0 || place.number >= bytes)
    return unknown(written, fmt::format("{} has {} bytes", place.name, bytes), "use an address inside it");
  if (place.number % 4 != 0)
    return unknown(written, "the address of a longword is a multiple of 4", "use a multiple of 4");
  return static_cast<uint32_t>(place.number);
}

/// The address of a media register, of which the MSF takes 14 bits.
Result<uint32_t> msf_address(const EvalContext& scene, const StateRef& place) {
  constexpr int64_t kBytes = 0x4000;
  const std::string written = fmt::format("{}[0x{:x}]", place.name, static_cast<uint64_t>(place.number));
  if (emulator::UnitInspector(*scene.units).buffer_bytes(emulator::MediaBuffer::rbuf) == 0)
    return unknown(written, "the chip has no msf", "the registers of the IXP1200's FBI are cap. and a name");
  if (place.number < 0 || place.number >= kBytes)
    return unknown(written, fmt::format("msf has {} bytes", kBytes), "use an address inside it");
  if (place.number % 4 != 0)
    return unknown(written, "the address of a register is a multiple of 4", "use a multiple of 4");
  return static_cast<uint32_t>(place.number);
}

Result<bool> local_memory_number(const StateRef& place) {
  if (place.number >= 0 && place.number < emulator::kLocalMemory) return true;
  return unknown(place.name, fmt::format("local memory has {} longwords", emulator::kLocalMemory),
                 "use a smaller number");
}

/// What stands in brackets as a number is right or wrong before anything runs.
Result<bool> check_number(const EvalContext& scene, const StateRef& place) {
  const auto done = [](const auto& result) { return result ? Result<bool>(true) : tl::unexpected(result.error()); };
  switch (place.kind) {
    case Kind::scratch:
    case Kind::sram:
    case Kind::dram: return done(address_of(scene, place));
    case Kind::rbuf:
    case Kind::tbuf:
    case Kind::rfifo:
    case Kind::tfifo: return done(buffer_offset(scene, place));
    case Kind::msf: return done(msf_address(scene, place));
    case Kind::local_memory: return local_memory_number(place);
    default: return true;
  }
}

uint64_t port_lost(const emulator::PortCounters& c) {
  return c.lost_overflow + c.lost_disabled + c.lost_length + c.lost_transmit_order + c.lost_transmit_length +
         c.lost_transmit_disabled;
}

}  // namespace

size_t port_count(const EvalContext& scene) {
  return scene.ports.empty() ? scene.units->port_count() : scene.ports.size();
}
const emulator::PortCounters& port_counters(const EvalContext& scene, size_t port) {
  if (scene.ports.empty()) return scene.units->counters(static_cast<unsigned>(port));
  return scene.ports[port].first->counters(scene.ports[port].second);
}

const image::Register* live_range(const std::vector<const image::Register*>& ranges, uint32_t pc, bool write_side) {
  const image::Register* just_ended = nullptr;
  for (const image::Register* r : ranges) {
    const bool is_write = r->kind == RegisterKind::xfer_s_write || r->kind == RegisterKind::xfer_d_write;
    if (is_write != write_side || pc < r->begin || pc > r->end) continue;
    if (pc < r->end) return r;
    just_ended = r;
  }
  return just_ended;
}

bool takes_index(std::string_view name) {
  return name == "scratch" || name == "dram" || name == "msf" || name == "rbuf" || name == "tbuf" || name == "rfifo" ||
         name == "tfifo" || name.starts_with("sram") || name == "lm" || name.ends_with(".lm");
}

Result<StateRef> resolve(const EvalContext& scene, std::string_view name, std::optional<int64_t> index, bool indexed,
                         const Location& where) {
  auto place = Resolver(scene, name, index, indexed, where).resolve();
  if (!place || !index) return place;
  if (auto inside = check_number(scene, *place); !inside) return tl::unexpected(std::move(inside.error()));
  return place;
}

Result<int64_t> read(const EvalContext& scene, const StateRef& place, const Location& where) {
  if (is_elsewhere(place, where)) return read(scene, *place.elsewhere, where);
  const emulator::Machine& machine = *scene.machine;
  const auto port = [&]() -> const emulator::PortCounters& {
    return port_counters(scene, static_cast<size_t>(place.number));
  };
  const auto ring = [&] { return scene.units->host().ring(static_cast<unsigned>(place.number)); };
  switch (place.kind) {
    case Kind::constant: return place.number;
    case Kind::figure: return static_cast<int64_t>(scene.figure(static_cast<Figure>(place.number)));
    case Kind::cycle: return static_cast<int64_t>(machine.now() / machine.timing().period);
    case Kind::tick: return static_cast<int64_t>(machine.now());
    case Kind::nanoseconds: {
      const uint64_t per_us = scene.ticks_per_second / 1'000'000;
      return static_cast<int64_t>(machine.now() / per_us * 1000 + machine.now() % per_us * 1000 / per_us);
    }
    case Kind::ring_count: return ring().count;
    case Kind::ring_size: return ring().size;
    case Kind::ring_head: return ring().head;
    case Kind::ring_tail: return ring().tail;
    case Kind::port_received: return static_cast<int64_t>(port().received_frames);
    case Kind::port_transmitted: return static_cast<int64_t>(port().transmitted_frames);
    case Kind::port_lost: return static_cast<int64_t>(port_lost(port()));
    case Kind::cap: return emulator::UnitInspector(*scene.units).csr(static_cast<uint32_t>(place.number));
    case Kind::msf: {
      const auto address = msf_address(scene, place);
      if (!address) return tl::unexpected(address.error());
      return scene.units->host().read_msf(*address);
    }
    case Kind::scratch:
    case Kind::sram:
    case Kind::dram: {
      const auto address = address_of(scene, place);
      if (!address) return tl::unexpected(address.error());
      return scene.units->host().read(space_of(place.kind), *address);
    }
    case Kind::rbuf:
    case Kind::tbuf:
    case Kind::rfifo:
    case Kind::tfifo: {
      const auto offset = buffer_offset(scene, place);
      if (!offset) return tl::unexpected(offset.error());
      return emulator::UnitInspector(*scene.units).read_buffer(buffer_of(place.kind), *offset);
    }
    default: break;
  }
  const auto who = owner(scene, place, where);
  if (!who) return tl::unexpected(who.error());
  const EngineState& state = machine.state(who->engine);
  const emulator::ContextRecord& context = state.contexts[who->context];
  switch (place.kind) {
    case Kind::engine_number: return who->engine;
    case Kind::context_number: return who->context;
    case Kind::gpr_a: return state.a[static_cast<size_t>(place.number)];
    case Kind::gpr_b: return state.b[static_cast<size_t>(place.number)];
    case Kind::pc: return context.pc;
    case Kind::state: return static_cast<int64_t>(context.state);
    case Kind::signals: return context.signals;
    case Kind::instructions: return static_cast<int64_t>(state.instructions);
    case Kind::csr: return machine.read_csr(who->engine, static_cast<isa::Csr>(place.number), who->context);
    case Kind::local_memory: {
      if (auto inside = local_memory_number(place); !inside) return tl::unexpected(std::move(inside.error()));
      return state.local_memory[static_cast<size_t>(place.number)];
    }
    case Kind::named_signal: {
      const image::Image* image = scene.images[who->engine];
      for (const image::Signal& s : image ? image->signals : std::vector<image::Signal>{})
        if (s.name == place.symbol && context.pc >= s.begin && context.pc <= s.end)
          return context.signals >> s.number & 1;
      return fail(
          "inspect-dead", {},
          fmt::format("'{}' has no number at 0x{:x}, where context {} stands", place.name, context.pc, who->context),
          "step to a place between its first and its last use");
    }
    case Kind::symbol: {
      const auto slot = symbol_slot(scene, place, *who);
      if (!slot) return tl::unexpected(slot.error());
      return **slot;
    }
    default: return 0;
  }
}

Result<uint32_t*> register_slot(const EvalContext& scene, const StateRef& place, const Location& where) {
  if (is_elsewhere(place, where)) return register_slot(scene, *place.elsewhere, where);
  switch (place.kind) {
    case Kind::gpr_a:
    case Kind::gpr_b:
    case Kind::local_memory:
    case Kind::symbol: break;
    default:
      return fail("inspect-fixed", {}, fmt::format("'{}' is not a register", place.name),
                  "name a register or a longword of local memory");
  }
  const auto who = owner(scene, place, where);
  if (!who) return tl::unexpected(who.error());
  EngineState& state = scene.machine->state(who->engine);
  switch (place.kind) {
    case Kind::gpr_a: return &state.a[static_cast<size_t>(place.number)];
    case Kind::gpr_b: return &state.b[static_cast<size_t>(place.number)];
    case Kind::local_memory: {
      if (auto inside = local_memory_number(place); !inside) return tl::unexpected(std::move(inside.error()));
      return &state.local_memory[static_cast<size_t>(place.number)];
    }
    default: return symbol_slot(scene, place, *who);
  }
}

Result<bool> check_write(const StateRef& place, const Location& where) {
  if (is_elsewhere(place, where)) return check_write(*place.elsewhere, where);
  switch (place.kind) {
    case Kind::scratch:
    case Kind::sram:
    case Kind::dram:
    case Kind::tbuf:
    case Kind::rfifo:
    case Kind::cap:
    case Kind::msf: return true;
    case Kind::gpr_a:
    case Kind::gpr_b:
    case Kind::symbol:
    case Kind::local_memory:
    case Kind::csr:
    case Kind::pc: return engine_of(place, where).map([](int) { return true; });
    default:
      return fail("inspect-fixed", {}, fmt::format("'{}' cannot be written", place.name),
                  "registers, local CSRs, pc and memories can");
  }
}

Result<bool> write(const EvalContext& scene, const StateRef& place, const Location& where, uint32_t word) {
  if (is_elsewhere(place, where)) return write(scene, *place.elsewhere, where, word);
  if (auto possible = check_write(place, where); !possible) return possible;
  emulator::HostPort& host = scene.units->host();
  switch (place.kind) {
    case Kind::scratch:
    case Kind::sram:
    case Kind::dram: {
      const auto address = address_of(scene, place);
      if (!address) return tl::unexpected(address.error());
      host.write(space_of(place.kind), *address, word);
      return true;
    }
    case Kind::tbuf:
    case Kind::rfifo: {
      const auto offset = buffer_offset(scene, place);
      if (!offset) return tl::unexpected(offset.error());
      constexpr uint32_t kTbufData = 0x2000;  // MSF address
      if (place.kind == Kind::tbuf)
        host.write_msf(kTbufData + *offset, word, scene.machine->now());
      else
        host.write_rfifo(*offset, word);
      return true;
    }
    case Kind::cap: host.write_cap(static_cast<uint32_t>(place.number), word); return true;
    case Kind::msf: {
      const auto address = msf_address(scene, place);
      if (!address) return tl::unexpected(address.error());
      host.write_msf(*address, word, scene.machine->now());
      return true;
    }
    default: break;
  }
  if (place.kind == Kind::pc || place.kind == Kind::csr) {
    const auto who = owner(scene, place, where);
    if (!who) return tl::unexpected(who.error());
    if (place.kind == Kind::pc)
      scene.machine->state(who->engine).contexts[who->context].pc = static_cast<uint16_t>(word & 0x1fff);
    else
      scene.machine->write_csr(who->engine, static_cast<isa::Csr>(place.number), word, who->context);
    return true;
  }
  const auto slot = register_slot(scene, place, where);
  if (!slot) return tl::unexpected(slot.error());
  **slot = word;
  return true;
}

}  // namespace weft::workbench
