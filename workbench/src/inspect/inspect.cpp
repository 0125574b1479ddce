#include "weft/workbench/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "inspect/context_past.h"
#include "inspect/state_views.h"
#include "weft/emulator/unit_inspector.h"
#include "weft/isa/isa.h"
#include "weft/workbench/session.h"

namespace weft::workbench {

namespace {

using emulator::ContextState;
using emulator::MemorySpace;
using image::RegisterKind;

std::string physical_name(const image::Register& r) {
  const char* bank = r.bank == isa::Bank::b ? "b" : "a";
  switch (r.kind) {
    case RegisterKind::gpr: return fmt::format("{}{}", bank, r.number);
    case RegisterKind::gpr_absolute: return fmt::format("@{}{}", bank, r.number);
    case RegisterKind::xfer_s_read: return fmt::format("${}", r.number);
    case RegisterKind::xfer_s_write: return fmt::format("${} out", r.number);
    case RegisterKind::xfer_d_read: return fmt::format("$${}", r.number);
    case RegisterKind::xfer_d_write: return fmt::format("$${} out", r.number);
    case RegisterKind::neighbor: return fmt::format("n${}", r.number);
  }
  return {};
}

LiveRange range_of(const image::Image& image, const image::Register& r) {
  LiveRange out{r.begin, r.end, physical_name(r), {}, {}, 0, 0};
  const auto place = [&](uint32_t address, std::string& file, uint32_t& line) {
    if (address >= image.lines.size()) return;
    const image::LineRow& row = image.lines[address];
    const image::Line& at = row.macros.empty() ? row.place : row.macros.back().second;
    if (at.line == 0 || at.file >= image.files.size()) return;
    file = image.files[at.file];
    line = at.line;
  };
  place(r.begin, out.file, out.line);
  place(r.end > r.begin ? r.end - 1 : r.begin, out.last_file, out.last_line);
  return out;
}

/// The signals that a context sleeps on, by the names that are alive where it sleeps.
std::string waits_on(const image::Image* image, const emulator::ContextRecord& c, isa::Profile profile) {
  if (c.state != ContextState::sleep) return {};
  std::string names;
  unsigned count = 0;
  for (unsigned number = 1; number < 16; ++number) {
    if (!c.awaits(number)) continue;
    std::string name;
    if (image != nullptr)
      for (const image::Signal& s : image->signals) {
        const bool alive = c.pc >= s.begin && c.pc <= s.end;
        if (alive && (s.number == number || (s.doubled && s.number + 1 == number))) name = s.name;
      }
    for (const isa::NamedValue& fixed : isa::signal_names(profile))
      if (name.empty() && fixed.value == number) name = std::string(fixed.name);
    if (name.empty()) name = fmt::format("signal {}", number);
    if (names.ends_with(name)) continue;  // the second one of a pair
    names += (names.empty() ? "" : ", ") + name;
    ++count;
  }
  return count > 1 && c.awaits_any() ? "any of " + names : names;
}

/// Length of what the assembler puts before labels: a letter, three digits or more, "_". 0: nothing.
size_t numbered(std::string_view label, char letter) {
  if (label.empty() || (label[0] | 0x20) != letter) return 0;
  const size_t end = label.find_first_not_of("0123456789", 1);
  return end != std::string_view::npos && end >= 4 && label[end] == '_' ? end + 1 : 0;
}

/// It has asked for a frame and sleeps until one comes: the tracker still has the one before, whose work is done.
bool waits_for_frame(const emulator::ContextRecord& c, emulator::ContextRef who,
                     const std::vector<emulator::WaitingContext>& waiting) {
  return c.state == ContextState::sleep && std::ranges::any_of(waiting, [&](const emulator::WaitingContext& w) {
           return w.context.engine == who.engine && w.context.context == who.context && c.awaits(w.signal);
         });
}

class SessionInspector final : public Inspector {
 public:
  explicit SessionInspector(Session& session) : session_(session), chips_(session.chips()) {}

  MachineView machine() const override {
    MachineView out;
    out.chips = chips_;
    emulator::Machine& first = session_.machine();
    out.cycle = first.now() / first.timing().period;
    out.nanoseconds = static_cast<uint64_t>(static_cast<double>(first.now()) * 1e9 /
                                            static_cast<double>(session_.ticks_per_second()));
    for (unsigned chip = 0; chip < chips_.size(); ++chip) add_chip(chip, out);
    return out;
  }

  std::vector<RegisterView> registers(ContextId id) const override {
    const image::Image* image = session_.program(id.engine, id.chip);
    if (image == nullptr) return {};
    const uint32_t pc = session_.machine(id.chip).state(id.engine).contexts[id.context].pc;
    std::vector<RegisterView> out;
    for (const image::Register& r : image->registers) {
      const bool alive = pc >= r.begin && pc < r.end;
      const bool write_side = r.kind == RegisterKind::xfer_s_write || r.kind == RegisterKind::xfer_d_write;
      const auto known = std::ranges::find_if(
          out, [&](const RegisterView& v) { return v.name == r.name && v.physical.ends_with(" out") == write_side; });
      RegisterView& view =
          known != out.end() ? *known : (out.push_back({r.name, physical_name(r), {}, {}}), out.back());
      view.ranges.push_back(range_of(*image, r));
      if (!alive || view.value) continue;
      view.physical = physical_name(r);
      view.value = value_of(id, r);
    }
    for (RegisterView& view : out) std::ranges::stable_sort(view.ranges, {}, &LiveRange::begin);
    std::ranges::stable_sort(
        out, [](const RegisterView& a, const RegisterView& b) { return a.value.has_value() > b.value.has_value(); });
    return out;
  }

  std::vector<uint32_t> memory(unsigned chip, image::Region region, uint64_t address, unsigned count) const override {
    std::vector<uint32_t> out;
    const uint64_t size = memory_size(chip, region);
    if (size == 0) return out;
    const emulator::HostPort port(session_.units(chip));
    const auto [space, channel] = space_of(region);
    for (uint64_t at = address; out.size() < count && at + 4 <= size; at += 4)
      out.push_back(port.read(space, static_cast<uint32_t>(channel << 30 | at)));
    return out;
  }

  uint64_t memory_size(unsigned chip, image::Region region) const override {
    if (region == image::Region::local) return 0;
    const auto [space, channel] = space_of(region);
    return emulator::HostPort(session_.units(chip)).size(space, channel);
  }

  Result<int64_t> evaluate(const std::string& expression, ContextId where) const override {
    const std::string of_chip = chips_.size() > 1 ? chips_.at(where.chip) + ": " + expression : expression;
    return session_.evaluate(of_chip, static_cast<int>(where.engine), static_cast<int>(where.context));
  }

  const image::Image* program(unsigned chip, unsigned engine) const override { return session_.program(engine, chip); }

  Report report() const override { return session_.report(); }

  const emulator::History* history(unsigned chip) const override { return session_.history(chip); }
  const emulator::Coverage* coverage(unsigned chip) const override { return session_.coverage(chip); }
  const emulator::Statistics* statistics(unsigned chip) const override { return session_.statistics(chip); }
  const emulator::PacketTracker* packets(unsigned chip) const override { return session_.packets(chip); }
  const emulator::Profile* profile(unsigned chip) const override { return session_.profile(chip); }
  uint64_t cycle() const override { return session_.machine().now() / ticks_per_cycle(); }
  uint64_t observed_cycle() const override { return session_.observed().now / ticks_per_cycle(); }
  uint64_t counted_cycle() const override { return session_.counted().now / ticks_per_cycle(); }
  uint64_t ticks_per_cycle() const override { return session_.machine().timing().period; }
  uint64_t ticks_per_second() const override { return session_.ticks_per_second(); }
  Result<bool> check_breakpoint(const Breakpoint& breakpoint) const override {
    return session_.check_breakpoint(breakpoint);
  }

  std::vector<uint64_t> words(unsigned chip, unsigned engine) const override {
    const auto loaded = session_.machine(chip).words(engine);
    return {loaded.begin(), loaded.end()};
  }
  emulator::EngineTiming timing(unsigned chip) const override { return session_.machine(chip).timing(); }
  std::vector<MemoryInfo> memories(unsigned chip) const override { return StateViews(session_, chip).memories(); }
  std::vector<MemorySymbol> symbols(unsigned chip) const override { return session_.symbols(chip); }
  std::vector<uint32_t> longwords(unsigned chip, const std::string& memory, uint64_t address,
                                  unsigned count) const override {
    return StateViews(session_, chip).longwords(memory, address, count);
  }
  std::optional<uint64_t> find(unsigned chip, const std::string& memory, const std::vector<uint8_t>& bytes,
                               uint64_t from, uint64_t end, unsigned align) const override {
    return StateViews(session_, chip).find(memory, bytes, from, end, align);
  }
  std::vector<CsrView> local_csrs(ContextId id) const override {
    return StateViews(session_, id.chip).local_csrs(id.engine, id.context);
  }
  std::vector<CsrView> chip_csrs(unsigned chip) const override { return StateViews(session_, chip).chip_csrs(); }
  EngineDetail engine(ContextId id) const override {
    return StateViews(session_, id.chip).engine(id.engine, id.context);
  }
  UnitsDetail units(unsigned chip) const override { return StateViews(session_, chip).units(); }

 private:
  static std::pair<MemorySpace, unsigned> space_of(image::Region region) {
    switch (region) {
      case image::Region::sram0: return {MemorySpace::sram, 0};
      case image::Region::sram1: return {MemorySpace::sram, 1};
      case image::Region::sram2: return {MemorySpace::sram, 2};
      case image::Region::sram3: return {MemorySpace::sram, 3};
      case image::Region::dram: return {MemorySpace::dram, 0};
      case image::Region::scratch:
      case image::Region::local: break;
    }
    return {MemorySpace::scratch, 0};
  }

  void add_chip(unsigned chip, MachineView& out) const {
    emulator::Machine& machine = session_.machine(chip);
    const emulator::History* history = session_.history(chip);
    const emulator::PacketTracker* packets = session_.packets(chip);
    out.has_history = history != nullptr;
    out.has_packets = packets != nullptr;
    const auto waiting = packets != nullptr ? emulator::UnitInspector(session_.units(chip)).waiting()
                                            : std::vector<emulator::WaitingContext>();
    const bool in_past =
        session_.observed() > session_.board().position();  // the tracker knows the latest moment alone
    for (unsigned engine = 0; engine < machine.engine_count(); ++engine) {
      const image::Image* image = session_.program(engine, chip);
      if (image == nullptr && machine.words(engine).empty()) continue;
      out.engines.push_back({chip, engine, image != nullptr ? image->name : "(words)"});
      const emulator::EngineState& state = machine.state(engine);
      for (unsigned context = 0; context < machine.timing().contexts; ++context) {
        const emulator::ContextRecord& c = state.contexts[context];
        const emulator::CycleCounters cycles = machine.counters(engine, context);
        ContextView view{
            {chip, engine, context}, c.state,        c.pc,           {},          {}, 0, waits_on(image, c, machine.timing().profile),
            cycles.executing,        cycles.aborted, cycles.stalled, cycles.idle, {}, {}};
        const emulator::ContextRef who{static_cast<uint8_t>(engine), static_cast<uint8_t>(context)};
        if (history != nullptr) view.in_state = clocks_[chip].cycles(*history, who, c.state, machine.cycles(engine));
        if (packets != nullptr && !in_past)
          view.packet = waits_for_frame(c, who, waiting) ? 0 : packets->packet_of(who);
        if (image != nullptr) {
          view.label = label_of(*image, c.pc);
          if (c.pc < image->lines.size() && image->lines[c.pc].place.line != 0) {
            const image::Line& at = image->lines[c.pc].place;
            view.file = image->files.at(at.file);
            view.line = at.line;
          }
        }
        out.contexts.push_back(std::move(view));
      }
    }
    const emulator::Units& units = session_.units(chip);
    for (unsigned port = 0; port < units.port_count(); ++port) {
      const emulator::PortCounters& counters = units.counters(port);
      out.received += counters.received_frames;
      out.transmitted += counters.transmitted_frames;
    }
    if (chip == 0) out.dropped = session_.report().dropped;
  }

  std::optional<uint32_t> value_of(ContextId id, const image::Register& r) const {
    const std::string name =
        r.kind == RegisterKind::xfer_s_write || r.kind == RegisterKind::xfer_d_write ? r.name + ".out" : r.name;
    const std::string of_chip = chips_.size() > 1 ? chips_.at(id.chip) + ": " : "";
    const auto value = session_.evaluate(fmt::format("{}me{}.ctx{}.{}", of_chip, id.engine, id.context, name));
    if (!value) return std::nullopt;
    return static_cast<uint32_t>(*value);
  }

  Session& session_;
  std::vector<std::string> chips_;
  mutable std::map<unsigned, StateClock> clocks_;  ///< by chip; what they note changes no answer
};

}  // namespace

std::vector<MemoryInfo> Inspector::memories(unsigned) const { return {}; }
std::vector<MemorySymbol> Inspector::symbols(unsigned) const { return {}; }
std::vector<uint32_t> Inspector::longwords(unsigned, const std::string&, uint64_t, unsigned) const { return {}; }
std::optional<uint64_t> Inspector::find(unsigned, const std::string&, const std::vector<uint8_t>&, uint64_t, uint64_t,
                                        unsigned) const {
  return std::nullopt;
}
std::vector<CsrView> Inspector::local_csrs(ContextId) const { return {}; }
std::vector<CsrView> Inspector::chip_csrs(unsigned) const { return {}; }
EngineDetail Inspector::engine(ContextId) const { return {}; }
UnitsDetail Inspector::units(unsigned) const { return {}; }

std::unique_ptr<Inspector> inspect(Session& session) { return std::make_unique<SessionInspector>(session); }

std::string label_of(const image::Image& image, uint32_t address) {
  const image::Label* best = nullptr;
  for (const image::Label& label : image.labels)
    if (label.address <= address && (best == nullptr || label.address >= best->address) &&
        numbered(label.name, 'l') == 0)
      best = &label;
  if (best == nullptr) return {};
  const std::string name = written_label(best->name);
  return best->address == address ? name : fmt::format("{}+{}", name, address - best->address);
}

std::string written_label(std::string_view label) { return std::string(label.substr(numbered(label, 'm'))); }

}  // namespace weft::workbench
