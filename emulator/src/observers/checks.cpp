// Findings: names, places and texts. The checks themselves are in the other checks_*.cpp.
#include "weft/emulator/observers/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "observers/buffers.h"
#include "observers/races.h"

namespace weft::emulator {

using namespace checks;

std::string_view check_code(Check check) {
  switch (check) {
    case Check::uninitialised: return "check-uninitialised";
    case Check::transfer: return "check-transfer";
    case Check::signal_twice: return "check-signal-twice";
    case Check::signal_unawaited: return "check-signal-unawaited";
    case Check::endless_wait: return "check-endless-wait";
    case Check::ring: return "check-ring";
    case Check::access: return "check-access";
    case Check::csr_latency: return "check-csr-latency";
    case Check::codes: return "check-codes";
    case Check::signal_lost: return "check-signal-lost";
    case Check::race: return "check-race";
    case Check::buffer_free: return "check-buffer-free";
    case Check::buffer_leak: return "check-buffer-leak";
    case Check::control_store: return "check-control-store";
    case Check::read_alignment: return "check-read-alignment";
    case Check::hash: return "check-hash";
  }
  return {};
}

std::string_view check_name(Check check) { return check_code(check).substr(std::string_view("check-").size()); }

Checks::Checks(const Machine& machine, Images images, const CheckModes& modes, Units* units,
               std::vector<BufferPool> pools)
    : machine_(machine),
      images_(std::move(images)),
      modes_(modes),
      programs_(machine),
      period_(machine.timing().period),
      is_me1_(machine.timing().profile == isa::Profile::me1),
      engines_(machine.engine_count()),
      units_(units) {
  if (units != nullptr && on(Check::race)) races_ = std::make_unique<Races>(machine.engine_count());
  if (units != nullptr && !pools.empty() && (on(Check::buffer_free) || on(Check::buffer_leak)))
    buffers_ = std::make_unique<Buffers>(std::move(pools), *units);
  serving_ = std::make_unique<CommandAccess>();
  const EngineStates states(machine);
  for (unsigned e = 0; e < machine.engine_count(); ++e) engines_[e].state = &states[e];
  read_commands();
  read_words();
  for (unsigned e = 0; e < machine.engine_count(); ++e)
    for (unsigned c = 0; c < kContexts; ++c) {
      ContextNow& now = engines_[e].now[c];
      now.pending = static_cast<uint16_t>(machine.state(e).contexts[c].signals & 0xfffe);
      engines_[e].last_pc[c] = machine.state(e).contexts[c].pc;
      engines_[e].contexts[c].asleep_since = machine.cycles(e);
    }
}

Checks::~Checks() = default;

bool Checks::may_stop() const {
  return std::any_of(modes_.begin(), modes_.end(), [](CheckMode mode) { return mode == CheckMode::stop; });
}

void Checks::take_present_values() {
  for (unsigned e = 0; e < engines_.size(); ++e) {
    const EngineState& s = state_of(e);
    EngineShadow& shadow = engines_[e];
    for (unsigned i = 0; i < 128; ++i) {
      if (s.a[i] != 0) shadow.write(bank_a, i);
      if (s.b[i] != 0) shadow.write(bank_b, i);
      if (s.s_in[i] != 0) shadow.write(s_in, i);
      if (s.d_in[i] != 0) shadow.write(d_in, i);
      if (s.s_out[i] != 0) shadow.write(s_out, i);
      if (s.d_out[i] != 0) shadow.write(d_out, i);
    }
    for (unsigned i = 0; i < kLocalMemory; ++i)
      if (s.local_memory[i] != 0) shadow.local_memory.set(i);
  }
}

void Checks::mark_register(unsigned engine, image::RegisterKind kind, isa::Bank bank, unsigned physical) {
  using image::RegisterKind;
  EngineShadow& shadow = engines_.at(engine);
  physical &= 127;
  switch (kind) {
    case RegisterKind::gpr:
    case RegisterKind::gpr_absolute: shadow.write(bank == isa::Bank::b ? bank_b : bank_a, physical); break;
    case RegisterKind::xfer_s_read: shadow.write(s_in, physical); break;
    case RegisterKind::xfer_d_read: shadow.write(d_in, physical); break;
    case RegisterKind::xfer_s_write: shadow.write(s_out, physical); break;
    case RegisterKind::xfer_d_write: shadow.write(d_out, physical); break;
    case RegisterKind::neighbor: break;  // not followed: another engine writes them
  }
}

void Checks::mark_written(const uint32_t* slot) {
  for (unsigned e = 0; e < engines_.size(); ++e) {
    const EngineState& s = state_of(e);
    EngineShadow& shadow = engines_[e];
    const auto mark = [slot](const auto& values, auto write) {
      const uint32_t* first = values.data();
      if (!std::less<>()(slot, first) && std::less<>()(slot, first + values.size()))
        write(static_cast<unsigned>(slot - first));
    };
    mark(s.a, [&](unsigned i) { shadow.write(bank_a, i); });
    mark(s.b, [&](unsigned i) { shadow.write(bank_b, i); });
    mark(s.s_in, [&](unsigned i) { shadow.write(s_in, i); });
    mark(s.d_in, [&](unsigned i) { shadow.write(d_in, i); });
    mark(s.s_out, [&](unsigned i) { shadow.write(s_out, i); });
    mark(s.d_out, [&](unsigned i) { shadow.write(d_out, i); });
    mark(s.local_memory, [&](unsigned i) { shadow.local_memory.set(i); });
  }
}

std::string Checks::place(ContextRef who, uint16_t pc) const {
  const std::string source = source_place(images_, who.engine, pc);
  return fmt::format("me{} ctx {} at {}{:#x}", who.engine, who.context, source.empty() ? "" : source + ", word ", pc);
}

std::string Checks::describe(const Party& party) const {
  switch (party.kind) {
    case Party::Kind::unknown: return "something outside the programs";
    case Party::Kind::media: return "the receiver of the media interface";
    case Party::Kind::word:
      return fmt::format("{} of {} in cycle {}", isa::info(party.op).name, place(party.who, party.pc), party.cycle);
  }
  return {};
}

std::string Checks::line_of(ContextRef who, uint16_t pc) const {
  std::string source = source_place(images_, who.engine, pc);
  return source.empty() ? fmt::format("me{} {:#x}", who.engine, pc) : source;
}

void Checks::add(Check check, ContextRef who, uint16_t pc, uint64_t cycle, uint64_t detail, const std::string& what,
                 const Party* other) {
  if (!on(check)) return;
  const auto key = std::tuple(check, who.engine, pc, detail);
  if (const auto at = known_.find(key); at != known_.end()) {
    ++findings_[at->second].count;
    return;
  }
  std::tuple<Check, std::string, std::string> lines(check, {}, {});
  if (other != nullptr) {
    std::string here = line_of(who, pc), there = line_of(other->who, other->pc);
    if (there < here) std::swap(here, there);
    lines = {check, std::move(here), std::move(there)};
    if (const auto at = known_lines_.find(lines); at != known_lines_.end()) {
      known_[key] = at->second;
      ++findings_[at->second].count;
      return;
    }
  }
  if (findings_.size() >= kMaxFindings) {
    ++not_kept_;
    return;
  }
  known_[key] = findings_.size();
  if (other != nullptr) known_lines_[std::move(lines)] = findings_.size();
  findings_.push_back({check, who, pc, cycle, 1, fmt::format("{}, cycle {}: {}", place(who, pc), cycle, what)});
  if (modes_[static_cast<size_t>(check)] == CheckMode::stop) stop_ = true;
}

std::string Checks::gpr_name(ContextRef who, uint16_t pc, isa::Bank bank, unsigned physical) const {
  using image::RegisterKind;
  const char letter = bank == isa::Bank::b ? 'b' : 'a';
  if (const image::Image* image = image_of(images_, who.engine)) {
    for (const image::Register& r : image->registers) {
      if (r.bank != bank || pc < r.begin || pc > r.end) continue;
      const bool relative = r.kind == RegisterKind::gpr && ((16 * who.context + r.number) & 127) == physical;
      const bool absolute = r.kind == RegisterKind::gpr_absolute && r.number == physical;
      if (relative || absolute) return fmt::format("{} ({}{})", r.name, letter, r.number);
    }
  }
  return physical / 16 == who.context ? fmt::format("{}{}", letter, physical % 16)
                                      : fmt::format("@{}{}", letter, physical);
}

std::string Checks::transfer_name(ContextRef who, uint16_t pc, bool d, bool write, unsigned physical) const {
  using image::RegisterKind;
  const RegisterKind kind = d ? (write ? RegisterKind::xfer_d_write : RegisterKind::xfer_d_read)
                              : (write ? RegisterKind::xfer_s_write : RegisterKind::xfer_s_read);
  std::string number = fmt::format("{}{}", d ? "$$" : "$", physical % 16);
  if (const image::Image* image = image_of(images_, who.engine))
    for (const image::Register& r : image->registers)
      if (r.kind == kind && ((16 * who.context + r.number) & 127) == physical && pc >= r.begin && pc <= r.end)
        return fmt::format("{} ({})", r.name, number);
  return number;
}

std::string Checks::signal_name(unsigned engine, uint16_t pc, unsigned number) const {
  if (const image::Image* image = image_of(images_, engine))
    for (const image::Signal& s : image->signals)
      if ((s.number == number || (s.doubled && s.number + 1 == number)) && pc >= s.begin && pc <= s.end)
        return fmt::format("{} (s{})", s.name, number);
  // On an IXP1200 signals are the events of units and have names of their own.
  if (machine_.timing().profile == isa::Profile::me1)
    for (const isa::NamedValue& known : isa::signal_names(isa::Profile::me1))
      if (known.value == number) return fmt::format("{} (s{})", known.name, number);
  return fmt::format("s{}", number);
}

}  // namespace weft::emulator
