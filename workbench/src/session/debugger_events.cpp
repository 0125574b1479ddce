// What the debugger sees of a run, and what of it concerns a breakpoint.
#include <fmt/format.h>

#include <algorithm>

#include "inspect/named_slot.h"
#include "inspect/register_slots.h"
#include "session/debugger.h"

namespace weft::workbench {
namespace {

using emulator::Command;
using emulator::ContextRef;
using emulator::EngineState;
using emulator::kContexts;

struct Accesses {
  bool reads = false, writes = false;
  uint64_t begin = 0, end = 0;  ///< bytes
};

/// What a command does to memory by address. Rings and queues have no address of their own: watch them for changes.
Accesses accesses(const Command& command) {
  const isa::InsnInfo& info = isa::info(command.op);
  const std::string_view what = info.subcommand;
  Accesses out;
  if (what == "read" || what == "tbuf_wr")
    out.reads = true;
  else if (what == "write" || what == "rbuf_rd")
    out.writes = true;
  else if (what == "swap" || what == "incr" || what == "decr" || what == "add" || what == "sub" || what == "set" ||
           what == "clr" || what.starts_with("test_and_"))
    out.reads = out.writes = true;
  else
    return out;
  const bool atomic = out.reads && out.writes;
  uint64_t address = command.address;
  if (command.unit == isa::Unit::sram) address &= 0x3fffffff;
  out.begin = address & (command.unit == isa::Unit::dram ? ~uint64_t{7} : ~uint64_t{3});
  out.end = out.begin + (atomic ? 4 : uint64_t{command.count} * info.longwords_per_count * 4);
  return out;
}

bool serves(isa::Unit unit, StateRef::Kind kind) {
  return (unit == isa::Unit::scratch && kind == StateRef::Kind::scratch) ||
         (unit == isa::Unit::sram && kind == StateRef::Kind::sram) ||
         (unit == isa::Unit::dram && kind == StateRef::Kind::dram);
}

/// Where the watched register is while the context stands at `pc`; null when it is nowhere.
const uint32_t* watched_slot(const EngineState& s, const StateRef& place, ContextRef who, uint32_t pc) {
  switch (place.kind) {
    case StateRef::Kind::gpr_a: return &s.a[static_cast<size_t>(place.number)];
    case StateRef::Kind::gpr_b: return &s.b[static_cast<size_t>(place.number)];
    case StateRef::Kind::local_memory:
      return place.number >= 0 && place.number < emulator::kLocalMemory
                 ? &s.local_memory[static_cast<size_t>(place.number)]
                 : nullptr;
    case StateRef::Kind::symbol: break;
    default: return nullptr;
  }
  const unsigned context = place.context >= 0 ? static_cast<unsigned>(place.context) : who.context;
  const image::Register* r = live_range(place.ranges[who.engine], pc, place.write_side);
  return r == nullptr ? nullptr : named_slot(s, *r, context);
}

}  // namespace

bool Debugger::concerns_event(const Entry& entry, ContextRef who) {
  return (entry.engine < 0 || entry.engine == who.engine) && (entry.context < 0 || entry.context == who.context);
}

bool Debugger::concerns(const Entry& entry, ContextRef who) const {
  if (entry.place.engine >= 0 && entry.place.engine != who.engine) return false;
  return !entry.per_context || entry.place.context < 0 || entry.place.context == who.context;
}

void Debugger::check_change(Entry& entry, ContextRef who) {
  if (!concerns(entry, who)) return;
  const auto now = value_of(entry, {who.engine, who.context});
  if (!now) return;  // holds nothing here
  std::optional<int64_t>& last = entry.last[who.engine * kContexts + (entry.per_context ? who.context : 0u)];
  if (last == now) return;
  fire(entry, who,
       last ? fmt::format("{} changed from 0x{:x} to 0x{:x}", entry.b.target, static_cast<uint64_t>(*last),
                          static_cast<uint64_t>(*now))
            : fmt::format("{} holds 0x{:x} for the first time", entry.b.target, static_cast<uint64_t>(*now)));
  last = now;
}

void Debugger::check_accesses(const Entry& entry, ContextRef who, uint16_t pc) {
  if (entry.place.engine >= 0 && entry.place.engine != who.engine) return;
  if (entry.place.kind == StateRef::Kind::symbol && entry.per_context && entry.place.context >= 0 &&
      entry.place.context != who.context)
    return;
  const auto words = scene_.machine->words(who.engine);
  if (pc >= words.size()) return;
  const auto insn = isa::decode(scene_.profile, words[pc]);
  if (!insn) return;
  const EngineState& s = std::as_const(*scene_.machine).state(who.engine);
  if (entry.b.kind == Kind::write) {
    const uint32_t* written = slot_behind(s, who.context, *insn, insn->dest, false);
    if (written && written == watched_slot(s, entry.place, who, s.contexts[who.context].pc))
      fire(entry, who, fmt::format("{} was written: 0x{:x}", entry.b.target, *written));
    return;
  }
  const uint32_t* watched = watched_slot(s, entry.place, who, pc);
  if (!watched) return;
  for (const isa::Operand* o : {&insn->left, &insn->right})
    if (slot_behind(s, who.context, *insn, *o, true) == watched) {
      fire(entry, who, fmt::format("{} was read", entry.b.target));
      return;
    }
}

void Debugger::check_command(const Entry& entry, const Command& command) {
  if (!serves(command.unit, entry.place.kind)) return;
  if (entry.place.kind == StateRef::Kind::sram && command.address >> 30 != static_cast<unsigned>(entry.place.context))
    return;
  const Accesses a = accesses(command);
  const auto begin = static_cast<uint64_t>(entry.place.number);
  if (a.end <= begin || a.begin >= begin + entry.b.bytes) return;
  if (entry.b.kind == Kind::read ? a.reads : a.writes)
    fire(entry, command.from,
         fmt::format("{} of {} bytes at {}[0x{:x}]", isa::info(command.op).name, a.end - a.begin, entry.place.name,
                     a.begin));
}

/// After the word with the mark: the program has decided.
void Debugger::check_drop(const Entry& entry, ContextRef who, uint16_t pc) {
  const image::Image* image = scene_.images[who.engine];
  if (image == nullptr) return;
  for (const image::Mark& mark : image->marks)
    if (mark.address == pc && mark.kind == image::Mark::Kind::drop &&
        (entry.reason.empty() || entry.reason == mark.text))
      fire(entry, who, fmt::format("a packet is dropped: {}", mark.text));
}

void Debugger::check_unwritten(const Entry& entry, ContextRef who, uint16_t pc, uint64_t cycle) {
  if (!concerns_event(entry, who) || !writes_) return;
  const auto words = scene_.machine->words(who.engine);
  const auto insn = pc < words.size() ? isa::decode(scene_.profile, words[pc]) : std::nullopt;
  if (!insn) return;
  const EngineState& s = std::as_const(*scene_.machine).state(who.engine);
  for (const isa::Operand* o : {&insn->left, &insn->right}) {
    const uint32_t* read = slot_behind(s, who.context, *insn, *o, true);
    // Neighbor registers are written by another engine, or by a ring.
    if (read == nullptr || (read >= s.nn.data() && read < s.nn.data() + s.nn.size())) continue;
    if (writes_->before(who.engine, read, cycle)) continue;
    fire(entry, who, fmt::format("{} is read, which nothing has written", name_of(who, pc, read)));
    return;
  }
}

/// As the program calls it there.
std::string Debugger::name_of(ContextRef who, uint32_t pc, const uint32_t* slot) const {
  const EngineState& s = std::as_const(*scene_.machine).state(who.engine);
  const image::Image* image = scene_.images[who.engine];
  for (const image::Register& r : image ? image->registers : std::vector<image::Register>{})
    if (pc >= r.begin && pc <= r.end && named_slot(s, r, who.context) == slot) return r.name;
  const auto in = [slot](const auto& file) { return slot >= file.data() && slot < file.data() + file.size(); };
  if (in(s.a)) return fmt::format("a{}", (slot - s.a.data()) & 15);
  if (in(s.b)) return fmt::format("b{}", (slot - s.b.data()) & 15);
  if (in(s.local_memory)) return fmt::format("local memory {}", slot - s.local_memory.data());
  return "a transfer register";
}

void Debugger::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled) continue;
    switch (entry.b.kind) {
      case Kind::change:
        if (entry.of_engine) check_change(entry, who);
        break;
      case Kind::read:
      case Kind::write:
        if (!entry.memory) check_accesses(entry, who, pc);
        break;
      case Kind::condition: {
        const Expression::Depends depends = entry.value->depends();
        engines_changed_ = true;
        if (depends.engines || depends.time) dirty_ = true;
        break;
      }
      case Kind::stall: entry.stalled[who.engine * kContexts + who.context] = 0; break;
      case Kind::packet:
        if (entry.packet_event == PacketEvent::dropped) check_drop(entry, who, pc);
        break;
      case Kind::uninitialised: check_unwritten(entry, who, pc, cycle); break;
      default: break;
    }
  }
}

void Debugger::on_stall(ContextRef who, uint16_t, uint64_t) {
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled || entry.b.kind != Kind::stall || !concerns_event(entry, who)) continue;
    if (++entry.stalled[who.engine * kContexts + who.context] == entry.stalled_for + 1)
      fire(entry, who, fmt::format("stalled for more than {} cycles", entry.stalled_for));
  }
}

void Debugger::on_state(ContextRef who, emulator::ContextState state, uint64_t) {
  if (state == emulator::ContextState::executing || state == emulator::ContextState::ready) return;
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled || entry.b.kind != Kind::swap || !concerns_event(entry, who)) continue;
    fire(entry, who, "the context leaves the engine");
  }
}

void Debugger::on_serve(const Command& command, emulator::Tick) {
  units_changed_ = dirty_ = true;
  const std::string_view what = isa::info(command.op).subcommand;
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled) continue;
    if ((entry.b.kind == Kind::read || entry.b.kind == Kind::write) && entry.memory) check_command(entry, command);
    if (entry.b.kind != Kind::ring || command.unit != isa::Unit::scratch || (what != "put" && what != "get")) continue;
    if ((command.address / 4 & 15) != entry.ring) continue;
    const auto ring = scene_.units->host().ring(entry.ring);
    const bool hit = entry.ring_event == RingEvent::put    ? what == "put"
                     : entry.ring_event == RingEvent::get  ? what == "get"
                     : entry.ring_event == RingEvent::full ? what == "put" && ring.count + command.count >= ring.size
                                                           : what == "get" && ring.count <= command.count;
    if (hit)
      fire(entry, command.from,
           fmt::format("scratch ring {}: {} of {} longwords, {} of {} were on it", entry.ring, what, command.count,
                       ring.count, ring.size));
  }
}

void Debugger::on_media(const emulator::MediaEvent& event) {
  using K = emulator::MediaEvent::Kind;
  units_changed_ = dirty_ = true;
  if (event.port >= scene_.units->port_count()) return;  // a link to another chip
  const unsigned number = scene_.units->port(event.port).board_number;
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled || entry.b.kind != Kind::packet || (entry.port >= 0 && entry.port != event.port)) continue;
    const bool in = entry.packet_event == PacketEvent::in && event.kind == K::arrived;
    const bool out = entry.packet_event == PacketEvent::out && event.kind == K::sent;
    const bool lost =
        entry.packet_event == PacketEvent::lost && (event.kind == K::lost_in || event.kind == K::lost_out);
    if (!in && !out && !lost) continue;
    fire(entry, fmt::format("port {}: a frame {}{}", number,
                            in    ? "has arrived"
                            : out ? "has left"
                                  : "was lost: ",
                            lost ? event.cause : ""));
  }
}

void Debugger::on_host_ring(unsigned ring, bool put, uint32_t) {
  units_changed_ = dirty_ = true;
  for (auto& [id, entry] : entries_)
    if (entry.b.enabled && entry.b.kind == Kind::ring && entry.ring == ring &&
        entry.ring_event == (put ? RingEvent::put : RingEvent::get))
      fire(entry, fmt::format("scratch ring {}: {} by the control processor", ring, put ? "put" : "get"));
}

void Debugger::on_pull(ContextRef to, bool d, unsigned number, uint32_t, emulator::Tick) {
  const EngineState& s = std::as_const(*scene_.machine).state(to.engine);
  for (auto& [id, entry] : entries_)
    if (entry.b.enabled && entry.b.kind == Kind::read && !entry.memory && concerns(entry, to) &&
        watched_slot(s, entry.place, to, s.contexts[to.context].pc) == &(d ? s.d_out : s.s_out)[number & 127])
      fire(entry, to, fmt::format("{} was taken by a unit", entry.b.target));
}

void Debugger::on_push(ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick) {
  units_changed_ = dirty_ = true;
  const EngineState& s = std::as_const(*scene_.machine).state(to.engine);
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled) continue;
    if (entry.b.kind == Kind::change && entry.of_engine) check_change(entry, to);
    if (entry.b.kind == Kind::write && !entry.memory && concerns(entry, to) &&
        watched_slot(s, entry.place, to, s.contexts[to.context].pc) == &(d ? s.d_in : s.s_in)[number & 127])
      fire(entry, to, fmt::format("{} was written by a unit: 0x{:x}", entry.b.target, value));
  }
}

void Debugger::signalled(ContextRef to, unsigned number) {
  engines_changed_ = true;
  for (auto& [id, entry] : entries_) {
    if (!entry.b.enabled) continue;
    if (entry.b.kind == Kind::condition) dirty_ = true;
    if (entry.b.kind != Kind::signal || entry.engine != to.engine ||
        (entry.context >= 0 && entry.context != to.context))
      continue;
    bool hit = entry.signal == "*" || entry.signal == std::to_string(number);
    const image::Image* image = scene_.images[to.engine];
    const uint32_t pc = std::as_const(*scene_.machine).state(to.engine).contexts[to.context].pc;
    if (!hit && image)
      hit =
          std::any_of(image->signals.begin(), image->signals.end(), [&, &name = entry.signal](const image::Signal& s) {
            return s.name == name && (s.number == number || (s.doubled && s.number + 1 == number)) && pc >= s.begin &&
                   pc <= s.end;
          });
    if (hit)
      fire(entry, to, fmt::format("signal {} was raised", entry.signal == "*" ? std::to_string(number) : entry.signal));
  }
}
void Debugger::on_signal(ContextRef to, unsigned number, emulator::Tick) { signalled(to, number); }
void Debugger::on_local_signal(ContextRef to, unsigned number, uint64_t) { signalled(to, number); }

}  // namespace weft::workbench
