// Breakpoints as the user wrote them become what the debugger looks for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <set>
#include <sstream>

#include "inspect/one_of.h"
#include "session/debugger.h"
#include "session/locations.h"

namespace weft::workbench {
namespace {

using emulator::kContexts;

tl::unexpected<Diagnostics> wrong_target(const std::string& target, const std::string& what,
                                         const std::string& remedy) {
  return fail("breakpoint-target", {}, fmt::format("'{}': {}", target, what), remedy);
}

std::optional<unsigned> target_number(std::string_view text) {
  unsigned value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || stop != text.data() + text.size() || error != std::errc()) return std::nullopt;
  return value;
}

/// "me0" or "me0.ctx3", and what follows; nothing when it does not begin so.
struct EngineAndContext {
  int engine = -1, context = -1;
  std::string_view rest;
};
std::optional<EngineAndContext> engine_and_context(std::string_view text, unsigned engines) {
  if (!text.starts_with("me")) return std::nullopt;
  const size_t dot = text.find('.');
  const auto engine = target_number(text.substr(2, dot == std::string_view::npos ? dot : dot - 2));
  if (!engine || *engine >= engines) return std::nullopt;
  EngineAndContext out{static_cast<int>(*engine), -1,
                       dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1)};
  if (!out.rest.starts_with("ctx")) return out;
  const size_t second = out.rest.find('.');
  const auto context = target_number(out.rest.substr(3, second == std::string_view::npos ? second : second - 3));
  if (!context || *context >= kContexts) return std::nullopt;
  out.context = static_cast<int>(*context);
  out.rest = second == std::string_view::npos ? std::string_view() : out.rest.substr(second + 1);
  return out;
}

bool is_register(StateRef::Kind kind) {
  using K = StateRef::Kind;
  return kind == K::symbol || kind == K::gpr_a || kind == K::gpr_b || kind == K::local_memory;
}
bool is_memory(StateRef::Kind kind) {
  using K = StateRef::Kind;
  return kind == K::scratch || kind == K::sram || kind == K::dram;
}
/// What only the instructions of its engine, pushes and signals change.
bool is_of_engine(StateRef::Kind kind) {
  using K = StateRef::Kind;
  return is_register(kind) || kind == K::csr || kind == K::pc || kind == K::state || kind == K::signals ||
         kind == K::named_signal || kind == K::instructions;
}
bool is_per_context(const StateRef& place) {
  using K = StateRef::Kind;
  if (place.kind != K::symbol)
    return place.kind == K::csr || place.kind == K::pc || place.kind == K::state || place.kind == K::signals ||
           place.kind == K::named_signal;
  for (const auto& engine : place.ranges)
    for (const image::Register* r : engine)
      if (r->kind == image::RegisterKind::gpr_absolute || r->kind == image::RegisterKind::neighbor) return false;
  return true;
}

}  // namespace

Result<bool> Debugger::prepare(Entry& entry) const {
  switch (entry.b.kind) {
    case Kind::location: return prepare_location(entry);
    case Kind::read:
    case Kind::write:
    case Kind::change: return prepare_access(entry);
    case Kind::condition: {
      auto value = Expression::parse(entry.b.target, scene_, {});
      if (!value) return tl::unexpected(std::move(value.error()));
      const auto now = value->evaluate(scene_, {});
      if (!now && now.error().list().front().code != "inspect-dead") return tl::unexpected(now.error());
      const Expression::Depends& on = value->depends();
      if (!on.engines && !on.units && !on.time)
        return wrong_target(entry.b.target, "its value never changes",
                            "name a register, memory or time, such as me0.ctx3.n == 5; for a place: me0.ctx3.pc == "
                            "me0.loop#, or 'break loop#' of weft debug");
      entry.value = std::move(*value);
      return true;
    }
    default: return prepare_event(entry);
  }
}

Result<bool> Debugger::prepare_location(Entry& entry) const {
  Breakpoint& b = entry.b;
  std::vector<const image::Image*> asked;
  for (const unsigned engine : b.engines)
    if (engine >= scene_.images.size())
      return fail("breakpoint-engine", {}, fmt::format("there is no microengine {}", engine),
                  fmt::format("the chip has 0 to {}", scene_.images.size() - 1));
  for (unsigned engine = 0; engine < scene_.images.size(); ++engine) {
    const image::Image* image = scene_.images[engine];
    const bool wanted = b.engines.empty() || std::find(b.engines.begin(), b.engines.end(), engine) != b.engines.end();
    if (!image || !wanted) continue;
    asked.push_back(image);
    for (const uint32_t address : words_at(*image, b.target)) b.words.emplace_back(engine, address);
  }
  if (b.words.empty()) return tl::unexpected(no_such_place(asked, b.target));
  if ((b.contexts & 0xff) == 0)
    return wrong_target(b.target, "no context is chosen", "contexts is a mask: 1 is context 0, 0xff all");
  return true;
}

Result<bool> Debugger::prepare_access(Entry& entry) const {
  Breakpoint& b = entry.b;
  auto value = Expression::parse(b.target, scene_, {});
  if (!value) return tl::unexpected(std::move(value.error()));
  const StateRef* place = value->place();
  if (place == nullptr) {
    if (b.kind != Kind::change)
      return wrong_target(b.target, "only registers and memories can be watched for being read or written",
                          "watch it for a change, or name a register or a longword");
    entry.of_engine = value->depends().engines && !value->depends().units;
    if (value->depends().engines)
      return wrong_target(b.target, "a computed value of registers cannot be watched for a change",
                          "watch one register, or stop at a condition");
  } else {
    entry.place = *place;
    entry.memory = is_memory(place->kind);
    entry.of_engine = is_of_engine(place->kind);
    entry.per_context = is_per_context(*place);
    if (b.kind != Kind::change && !entry.memory && !is_register(place->kind))
      return wrong_target(b.target, "only registers and memories can be watched for being read or written",
                          "watch it for a change");
  }
  entry.last.resize(size_t{scene_.machine->engine_count()} * kContexts);
  if (entry.memory) {
    if (b.bytes == 0 || b.bytes % 4 != 0 || (b.kind == Kind::change && b.bytes > 4096))
      return wrong_target(b.target, fmt::format("a range of {} bytes cannot be watched", b.bytes),
                          "ranges are multiples of 4 bytes, for changes at most 4,096");
    StateRef last = entry.place;
    last.number += b.bytes - 4;
    for (const StateRef* end : {place, static_cast<const StateRef*>(&last)})
      if (auto inside = read(scene_, *end, {}); !inside) return tl::unexpected(inside.error());
  }
  entry.value = std::move(*value);
  return true;
}

Result<bool> Debugger::prepare_drop(Entry& entry) const {
  const std::string& target = entry.b.target;
  const size_t begin = target.find_first_not_of(' ', target.find("dropped") + 7);
  if (begin != std::string::npos) entry.reason = target.substr(begin, target.find_last_not_of(' ') - begin + 1);
  entry.packet_event = PacketEvent::dropped;
  std::set<std::string> reasons;
  for (const image::Image* image : scene_.images)
    for (const image::Mark& mark : image ? image->marks : std::vector<image::Mark>{})
      if (mark.kind == image::Mark::Kind::drop) reasons.insert(mark.text);
  if (reasons.empty())
    return wrong_target(target, "no program of this chip marks where it drops packets",
                        "write .drop REASON there, or watch 'dropped' for a change");
  if (entry.reason.empty() || reasons.contains(entry.reason)) return true;
  return wrong_target(target, fmt::format("no program drops a packet for '{}'", entry.reason),
                      fmt::format("the reasons are {}", fmt::join(reasons, ", ")));
}

Result<bool> Debugger::prepare_event(Entry& entry) const {
  Breakpoint& b = entry.b;
  const unsigned engines = scene_.machine->engine_count();
  std::istringstream words(b.target);
  std::string first, second, more;
  words >> first >> second >> more;
  if (b.kind == Kind::ring) {
    const auto ring = target_number(first);
    if (!ring || *ring > 15 || !more.empty())
      return wrong_target(b.target, "a ring is 0 to 15, and put, get, full or empty follows", "for example: 3 full");
    entry.ring = *ring;
    const auto event = one_of<RingEvent>(
        second,
        {{"put", RingEvent::put}, {"get", RingEvent::get}, {"full", RingEvent::full}, {"empty", RingEvent::empty}});
    if (!event)
      return wrong_target(b.target, fmt::format("a ring has no event '{}'", second),
                          "the events are put, get, full and empty");
    entry.ring_event = *event;
    return true;
  }
  if (b.kind == Kind::packet) {
    if (first == "dropped") return prepare_drop(entry);
    if (!second.empty()) {
      const auto port = target_number(first);
      if (!port || *port >= port_count(scene_))
        return wrong_target(b.target, "there is no such port",
                            fmt::format("the board has {} ports", port_count(scene_)));
      if (!scene_.ports.empty() && scene_.ports[*port].first != scene_.units)
        return wrong_target(b.target, fmt::format("port {} is not one of the chip {}", *port, scene_.chip),
                            "write the name of its chip and a colon in front");
      entry.port = static_cast<int>(scene_.ports.empty() ? *port : scene_.ports[*port].second);
    }
    const std::string& word = second.empty() ? first : second;
    const auto event =
        one_of<PacketEvent>(word, {{"in", PacketEvent::in}, {"out", PacketEvent::out}, {"lost", PacketEvent::lost}});
    if (!event)
      return wrong_target(b.target, fmt::format("a packet has no event '{}'", word),
                          "the events are in, out, lost and dropped");
    entry.packet_event = *event;
    return true;
  }
  // Of any microengine: of all that have a program, as far as the event tells them apart.
  const bool any = first == "*" && b.kind != Kind::signal;
  const auto who = any ? std::optional(EngineAndContext{}) : engine_and_context(first, engines);
  if (!who)
    return wrong_target(b.target, "a microengine, and perhaps a context, is expected first", "for example: me0.ctx3");
  entry.engine = who->engine;
  entry.context = who->context;
  if (b.kind == Kind::stall) {
    const auto cycles = target_number(second);
    if (!cycles || !more.empty() || !who->rest.empty())
      return wrong_target(b.target, "a number of cycles follows the context", "for example: me0 20");
    entry.stalled_for = *cycles;
    entry.stalled.resize(size_t{engines} * kContexts);
    return true;
  }
  if (!second.empty() || (b.kind != Kind::signal && !who->rest.empty()))
    return wrong_target(b.target, "something follows that was not expected", "for example: me0.ctx3");
  if (b.kind == Kind::swap || b.kind == Kind::uninitialised) return true;
  if (who->rest.empty())
    return wrong_target(b.target, "a signal follows the context", "write its name, its number, or *");
  entry.signal = std::string(who->rest);
  if (entry.signal == "*" || target_number(entry.signal)) return true;
  const image::Image* image = scene_.images[static_cast<size_t>(who->engine)];
  for (const image::Signal& s : image ? image->signals : std::vector<image::Signal>{})
    if (s.name == entry.signal) return true;
  return wrong_target(b.target, fmt::format("the program of me{} has no signal '{}'", who->engine, entry.signal),
                      "write its name, its number, or *");
}

}  // namespace weft::workbench
