// Breakpoints: put in, decided upon, taken away.
#include "session/debugger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "session/locations.h"

namespace weft::workbench {

using emulator::ContextRef;
using emulator::kContexts;

Debugger::Entry* Debugger::find(unsigned id) {
  const auto at = entries_.find(id);
  return at == entries_.end() ? nullptr : &at->second;
}

Result<bool> Debugger::check(Breakpoint breakpoint) const {
  const auto entry = make(std::move(breakpoint));
  if (!entry) return tl::unexpected(entry.error());
  return true;
}

Result<unsigned> Debugger::add(Breakpoint breakpoint) {
  auto made = make(std::move(breakpoint));
  if (!made) return tl::unexpected(std::move(made.error()));
  Entry& entry = *made;
  const unsigned id = entry.b.id = next_id_;
  next_id_ += stride_;
  look(entry);
  entries_.emplace(id, std::move(entry));
  lay();
  return id;
}

Result<Debugger::Entry> Debugger::make(Breakpoint breakpoint) const {
  Entry entry;
  entry.b = std::move(breakpoint);
  Breakpoint& b = entry.b;
  b.hits = 0;
  b.words.clear();
  auto prepared = prepare(entry);
  if (!prepared) return tl::unexpected(std::move(prepared.error()));
  // Bare names mean the context that hits; with one microengine they are checked against its program.
  Location where{entry.engine >= 0 ? entry.engine : entry.place.engine, -1};
  if (b.kind == Kind::location) where.engine = b.engines.size() == 1 ? static_cast<int>(b.engines.front()) : -1;
  if (!b.condition.empty()) {
    auto condition = Expression::parse(b.condition, scene_, where);
    if (!condition) return tl::unexpected(std::move(condition.error()));
    entry.condition = std::move(*condition);
  }
  if (!b.log.empty()) {
    auto log = Template::parse(b.log, scene_, where);
    if (!log) return tl::unexpected(std::move(log.error()));
    entry.log = std::move(*log);
  }
  return entry;
}

Debugger::~Debugger() = default;

void Debugger::keep_first_writes() {
  if (writes_) return;
  writes_ = std::make_unique<FirstWrites>(*scene_.machine);
  scene_.machine->attach(*writes_);
}

bool Debugger::remove(unsigned id) {
  if (entries_.erase(id) == 0) return false;
  const auto wants = [](const auto& known) { return known.second.b.kind == Kind::uninitialised; };
  if (writes_ && std::none_of(entries_.begin(), entries_.end(), wants)) {
    scene_.machine->detach(*writes_);
    writes_ = nullptr;
  }
  lay();
  return true;
}

bool Debugger::enable(unsigned id, bool on) {
  Entry* entry = find(id);
  if (!entry) return false;
  if (on && !entry->b.enabled) look(*entry);
  entry->b.enabled = on;
  lay();
  return true;
}

std::vector<Breakpoint> Debugger::list() const {
  std::vector<Breakpoint> out;
  for (const auto& [id, entry] : entries_) out.push_back(entry.b);
  return out;
}

void Debugger::set_active(bool active) {
  active_ = active;
  lay();
  if (active) look();
}

void Debugger::look() {
  for (auto& [id, entry] : entries_) look(entry);
  if (writes_) writes_->take_present_values();
  fired_.clear();
  dirty_ = false;
}

std::map<unsigned, uint64_t> Debugger::hits() const {
  std::map<unsigned, uint64_t> out;
  for (const auto& [id, entry] : entries_) out[id] = entry.b.hits;
  return out;
}
void Debugger::set_hits(const std::map<unsigned, uint64_t>& hits) {
  for (auto& [id, entry] : entries_) {
    const auto known = hits.find(id);
    entry.b.hits = known == hits.end() ? 0 : known->second;
  }
}

/// Lays all words into the machine, and attaches the observer when anything needs it.
void Debugger::lay() {
  const auto old = std::exchange(laid_, {});
  bool watches = false;
  watches_time_ = false;
  if (active_) {
    for (const auto& [id, entry] : entries_) {
      if (!entry.b.enabled) continue;
      if (entry.b.kind != Kind::location) watches = true;
      if (entry.b.kind == Kind::condition) watches_time_ |= entry.value->depends().time;
      laid_.insert(entry.b.words.begin(), entry.b.words.end());
    }
  }
  if (held_.contexts != 0) laid_.emplace(held_.engine, held_.address);
  for (const auto& [engine, address] : old)
    if (!laid_.contains({engine, address})) scene_.machine->set_breakpoint(engine, address, 0);
  for (const auto& [engine, address] : laid_) lay_word(engine, address);
  if (watches == attached_) return;
  watches ? scene_.machine->attach(*this) : scene_.machine->detach(*this);
  attached_ = watches;
}

void Debugger::hold(const Held& held) {
  held_ = held;
  lay();
}

void Debugger::lay_word(unsigned engine, uint32_t address) {
  unsigned contexts = 0;
  for (const auto& [id, entry] : entries_)
    if (entry.b.enabled &&
        std::find(entry.b.words.begin(), entry.b.words.end(), std::pair(engine, address)) != entry.b.words.end())
      contexts |= entry.b.contexts;
  if (held_.engine == engine && held_.address == address) contexts |= held_.contexts;
  scene_.machine->set_breakpoint(engine, address, contexts & 0xff);
}

std::string Debugger::place_text(unsigned engine, uint32_t address) const {
  const image::Image* image = engine < scene_.images.size() ? scene_.images[engine] : nullptr;
  if (!image || address >= image->lines.size() || image->lines[address].place.file >= image->files.size())
    return fmt::format("0x{:x}", address);
  const image::Line& line = image->lines[address].place;
  return fmt::format("0x{:x}, {}:{}", address, image->files[line.file], line.line);
}

Debugger::Decision Debugger::decide(Entry& entry, const Location& where, uint32_t address, const std::string& what) {
  Breakpoint& b = entry.b;
  Decision out;
  out.id = b.id;
  out.kind = b.kind;
  out.engine = where.engine;
  out.context = where.context;
  out.address = address;
  const std::string who =
      where.engine < 0
          ? ""
          : fmt::format("{}me{} context {} at {}: ", scene_.chip.empty() ? "" : scene_.chip + " ", where.engine,
                        where.context, place_text(static_cast<unsigned>(where.engine), address));
  out.text = fmt::format("breakpoint {}: {}{}", b.id, who, what);
  if (entry.condition) {
    const auto value = entry.condition->evaluate(scene_, where);
    if (!value) {
      out.stop = true;
      out.failed = value.error().list().front().text;
      out.text = fmt::format("breakpoint {}: {}its condition '{}' cannot be evaluated: {}", b.id, who, b.condition,
                             out.failed);
      return out;
    }
    if (*value == 0) return out;
  }
  ++b.hits;
  if (b.hits < b.from_hit) return out;
  if (entry.log) {
    if (on_log && !rehearsing_) on_log(entry.log->render(scene_, where));
    return out;
  }
  out.stop = true;
  return out;
}

/// Neither hits nor a text to log count for a condition of which nobody knows whether it holds.
Debugger::Decision Debugger::cannot_decide(const Entry& entry, const std::string& why) {
  Decision out;
  out.stop = true;
  out.id = entry.b.id;
  out.kind = entry.b.kind;
  out.failed = why;
  out.text = fmt::format("breakpoint {}: '{}' cannot be evaluated: {}", entry.b.id, entry.b.target, why);
  return out;
}

Debugger::Decision Debugger::at_word(const emulator::StopReason& reason) {
  Decision out;
  std::vector<unsigned> spent;
  for (auto& [id, entry] : entries_) {
    const Breakpoint& b = entry.b;
    if (b.kind != Kind::location || !b.enabled || (b.contexts >> reason.context & 1) == 0) continue;
    if (std::find(b.words.begin(), b.words.end(), std::pair<unsigned, uint32_t>(reason.engine, reason.pc)) ==
        b.words.end())
      continue;
    const Decision one = decide(entry, {reason.engine, reason.context}, reason.pc, b.target);
    if (!one.stop) continue;
    if (!out.stop) out = one;
    if (b.once && !rehearsing_) spent.push_back(id);
  }
  for (const unsigned id : spent) remove(id);
  return out;
}

Debugger::Decision Debugger::after_event() {
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled) continue;
    if (entry.b.kind == Kind::condition) {
      const Expression::Depends depends = entry.value->depends();
      if (!(depends.time || (depends.engines && engines_changed_) || (depends.units && units_changed_))) continue;
      Truth now = truth_of(entry);
      if (now.is_true && !entry.last_truth.is_true) fire(entry, entry.b.target);
      if (!now.failed.empty() && entry.last_truth.failed.empty())
        fired_.push_back({entry.b.id, {}, false, 0, now.failed, true});
      entry.last_truth = std::move(now);
    } else if (entry.b.kind == Kind::change && units_changed_ && !entry.of_engine) {
      if (entry.memory) {
        std::vector<uint32_t> now = read_range(entry);
        for (size_t i = 0; i < now.size(); ++i)
          if (now[i] != entry.longwords[i]) {
            fire(entry, fmt::format("{}[0x{:x}] changed from 0x{:x} to 0x{:x}", entry.place.name,
                                    static_cast<uint64_t>(entry.place.number) + 4 * i, entry.longwords[i], now[i]));
            break;
          }
        entry.longwords = std::move(now);
      } else if (const auto now = value_of(entry, {}); now && now != entry.last[0]) {
        fire(entry, fmt::format("{} changed from {} to {}", entry.b.target, entry.last[0].value_or(0), *now));
        entry.last[0] = now;
      }
    }
  }
  units_changed_ = engines_changed_ = dirty_ = false;
  Decision out;
  std::vector<unsigned> spent;
  for (const Fired& fired : std::exchange(fired_, {})) {
    Entry* entry = find(fired.id);
    if (!entry) continue;
    const Location where = fired.has_who ? Location{fired.who.engine, fired.who.context} : Location{};
    const Decision one =
        fired.failed ? cannot_decide(*entry, fired.text) : decide(*entry, where, fired.address, fired.text);
    if (!one.stop) continue;
    if (!out.stop) out = one;
    if (entry->b.once && !rehearsing_) spent.push_back(fired.id);
  }
  for (const unsigned id : spent) remove(id);
  return out;
}

void Debugger::fire(const Entry& entry, ContextRef who, std::string text) {
  const uint32_t pc = std::as_const(*scene_.machine).state(who.engine).contexts[who.context].pc;
  fired_.push_back({entry.b.id, who, true, pc, std::move(text), false});
}
void Debugger::fire(const Entry& entry, std::string text) {
  fired_.push_back({entry.b.id, {}, false, 0, std::move(text), false});
}

std::optional<int64_t> Debugger::value_of(const Entry& entry, const Location& where) const {
  const auto value = entry.value->evaluate(scene_, where);
  return value ? std::optional(*value) : std::nullopt;
}

// A register lives from its definition to its last use; a condition on it is false in between, and no mistake.
Debugger::Truth Debugger::truth_of(const Entry& condition) const {
  const auto value = condition.value->evaluate(scene_, {});
  if (value) return {*value != 0, {}};
  const Diagnostic& why = value.error().list().front();
  return {false, why.code == "inspect-dead" ? std::string() : why.text};
}

std::vector<uint32_t> Debugger::read_range(const Entry& entry) const {
  std::vector<uint32_t> out(entry.b.bytes / 4);
  StateRef place = entry.place;
  for (uint32_t& word : out) {
    word = static_cast<uint32_t>(read(scene_, place, {}).value_or(0));
    place.number += 4;
  }
  return out;
}

void Debugger::look(Entry& entry) {
  const unsigned engines = scene_.machine->engine_count();
  std::fill(entry.stalled.begin(), entry.stalled.end(), 0);
  if (entry.b.kind == Kind::condition) entry.last_truth = truth_of(entry);
  if (entry.b.kind != Kind::change) return;
  if (entry.memory) {
    entry.longwords = read_range(entry);
    return;
  }
  if (!entry.of_engine) {
    entry.last[0] = value_of(entry, {});
    return;
  }
  for (unsigned e = 0; e < engines; ++e)
    for (unsigned c = 0; c < kContexts; ++c) {
      const ContextRef who{static_cast<uint8_t>(e), static_cast<uint8_t>(c)};
      if (concerns(entry, who) && (entry.per_context || c == 0))
        entry.last[e * kContexts + (entry.per_context ? c : 0)] =
            value_of(entry, {static_cast<int>(e), static_cast<int>(c)});
    }
}

}  // namespace weft::workbench
