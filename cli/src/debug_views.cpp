// What the console shows of a machine that stands still.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "debug_console.h"
#include "print.h"
#include "weft/base/files.h"
#include "weft/isa/isa.h"

namespace weft::cli::debug {
namespace {

using workbench::ContextId;
using workbench::ContextView;

std::string_view to_text(emulator::ContextState state) {
  switch (state) {
    case emulator::ContextState::inactive: return "inactive";
    case emulator::ContextState::executing: return "executing";
    case emulator::ContextState::ready: return "ready";
    case emulator::ContextState::sleep: return "asleep";
  }
  return {};
}

/// "me0.ctx3", or "egress: me0.ctx3".
std::string name_of(const workbench::MachineView& machine, ContextId id) {
  const std::string& chip = machine.chips.at(id.chip);
  return fmt::format("{}{}me{}.ctx{}", chip, chip.empty() ? "" : ": ", id.engine, id.context);
}

/// A context that sleeps stands behind the word that waits.
std::string_view stands(const ContextView& c) { return c.state == emulator::ContextState::sleep ? "before" : "at"; }

std::string place_of(const ContextView& c) {
  std::string out = c.line != 0 ? fmt::format("{}:{}", c.file, c.line) : fmt::format("word {:#x}", c.pc);
  if (!c.label.empty()) out += fmt::format(" ({})", c.label);
  return out;
}

/// "0 to 3, 5".
std::string ranges(const std::vector<unsigned>& numbers) {
  std::string out;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", numbers[i]);
    if (last > i) out += fmt::format("{}{}", last == i + 1 ? ", " : " to ", numbers[last]);
    i = last + 1;
  }
  return out;
}

std::string value_text(uint32_t value) { return fmt::format("{:#010x} {}", value, value); }

}  // namespace

std::optional<ContextView> Console::view(const workbench::MachineView& machine) const {
  for (const ContextView& c : machine.contexts)
    if (c.id == chosen_) return c;
  return std::nullopt;
}

std::string Console::chosen() const { return name_of(inspector_->machine(), chosen_); }

void Console::show_position() const {
  const workbench::MachineView machine = inspector_->machine();
  print_out("cycle {}, {} ns; {} packets in, {} out, {} dropped\n", machine.cycle, machine.nanoseconds,
            machine.received, machine.transmitted, machine.dropped);
  const auto c = view(machine);
  if (!c) return;
  print_out("{} {} {} {}{}\n", name_of(machine, c->id), to_text(c->state), stands(*c), shown(place_of(*c)),
            c->waits_on.empty() ? "" : ", waits for " + c->waits_on);
  if (c->line == 0) return;
  if (const auto text = read_source(c->file)) print_out("{:>6}  {}\n", c->line, (*text)->line(c->line));
}

// "me0.ctx3" or "0.3"; of another chip behind "egress:".
Console::Outcome Console::choose(std::string_view rest) {
  const workbench::MachineView machine = inspector_->machine();
  if (rest.empty()) {
    show_position();
    return Outcome::good;
  }
  const size_t colon = rest.find(':');
  const bool names_chip = colon != std::string_view::npos;
  const std::string chip(trimmed(rest.substr(0, names_chip ? colon : 0)));
  const std::string wanted(trimmed(names_chip ? rest.substr(colon + 1) : rest));
  for (const ContextView& c : machine.contexts) {
    if (names_chip ? machine.chips.at(c.id.chip) != chip : c.id.chip != chosen_.chip) continue;
    if (wanted != fmt::format("me{}.ctx{}", c.id.engine, c.id.context) &&
        wanted != fmt::format("{}.{}", c.id.engine, c.id.context))
      continue;
    chosen_ = c.id;
    show_position();
    return Outcome::good;
  }
  return wrong(fmt::format("no context with a program is called '{}'", rest),
               "'contexts' lists them; write me0.ctx3 or 0.3");
}

// Contexts of a microengine that do the same stand in one line.
Console::Outcome Console::show_contexts(std::string_view rest) {
  const workbench::MachineView machine = inspector_->machine();
  bool any = false;
  for (const workbench::EngineView& engine : machine.engines) {
    const std::string& chip = machine.chips.at(engine.chip);
    const std::string name = fmt::format("{}{}me{}", chip, chip.empty() ? "" : ": ", engine.engine);
    if (!rest.empty() && rest != name && rest != fmt::format("me{}", engine.engine)) continue;
    any = true;
    print_out("{} {}\n", name, engine.program);
    std::vector<std::pair<std::string, std::vector<unsigned>>> lines;
    for (const ContextView& c : machine.contexts) {
      if (c.id.chip != engine.chip || c.id.engine != engine.engine) continue;
      std::string what(to_text(c.state));
      if (c.state != emulator::ContextState::inactive) what += fmt::format(" {} {}", stands(c), shown(place_of(c)));
      if (!c.waits_on.empty()) what += ", waits for " + c.waits_on;
      const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == what; });
      if (same == lines.end())
        lines.push_back({what, {c.id.context}});
      else
        same->second.push_back(c.id.context);
    }
    for (const auto& [what, contexts] : lines) print_out("  ctx {}: {}\n", ranges(contexts), what);
  }
  if (!any) return wrong(fmt::format("no microengine with a program is called '{}'", rest), "write me0");
  return Outcome::good;
}

Console::Outcome Console::list_source(std::string_view rest) {
  const auto count = number(rest, 5);
  if (!count) return Outcome::wrong;
  const auto c = view(inspector_->machine());
  if (!c || c->line == 0) return wrong("no source line is known of this place", "'words' shows instructions");
  const auto text = read_source(c->file);
  if (!text) return wrong(text.error());
  const uint32_t around = static_cast<uint32_t>(std::min<uint64_t>(*count, 1'000));
  const uint32_t first = c->line > around ? c->line - around : 1;
  print_out("{}\n", shown(c->file));
  for (uint32_t line = first; line <= std::min((*text)->line_count(), c->line + around); ++line)
    print_out("{} {:>5}  {}\n", line == c->line ? "->" : "  ", line, (*text)->line(line));
  return Outcome::good;
}

// Innermost first, as they are written.
Console::Outcome Console::show_calls(std::string_view) {
  const auto c = view(inspector_->machine());
  const image::Image* image = inspector_->program(chosen_.chip, chosen_.engine);
  if (!c || image == nullptr || c->pc >= image->lines.size() || c->line == 0)
    return wrong("no source line is known of this place", "'words' shows instructions");
  print_out("{}:{}\n", shown(c->file), c->line);
  for (const auto& [macro, call] : image->lines[c->pc].macros) {
    if (call.file >= image->files.size()) continue;
    print_out("in {}, called at {}:{}\n", macro, shown(image->files[call.file]), call.line);
  }
  return Outcome::good;
}

Console::Outcome Console::list_words(std::string_view rest) {
  const auto count = number(rest, 5);
  if (!count) return Outcome::wrong;
  const auto c = view(inspector_->machine());
  const std::vector<uint64_t> words = inspector_->words(chosen_.chip, chosen_.engine);
  if (!c || words.empty()) return wrong("the chosen microengine has no program");
  const isa::Profile profile = inspector_->timing(chosen_.chip).profile;
  const uint64_t around = std::min<uint64_t>(*count, words.size());
  const uint64_t first = c->pc > around ? c->pc - around : 0;
  for (uint64_t at = first; at < words.size() && at <= c->pc + around; ++at) {
    const auto insn = isa::decode(profile, words[at]);
    const std::string place = session_.place(chosen_.engine, static_cast<uint32_t>(at), chosen_.chip);
    print_out("{} {:#06x}  {:<48} {}\n", at == c->pc ? "->" : "  ", at,
              insn ? isa::print(profile, *insn, isa::PrintNames()) : fmt::format(".word {:#x}", words[at]),
              shown(place));
  }
  return Outcome::good;
}

Console::Outcome Console::show_registers(std::string_view rest) {
  bool any = false;
  for (const workbench::RegisterView& r : inspector_->registers(chosen_)) {
    if (rest.empty() ? !r.value.has_value() : r.name != rest) continue;
    any = true;
    print_out("{:<24} {:<8} {}\n", r.name, r.physical, r.value ? value_text(*r.value) : "holds nothing here");
  }
  if (!any && !rest.empty())
    return wrong(fmt::format("the program has no register '{}'", rest), "'registers' lists those that hold something");
  if (!any) print_out("no register holds anything here\n");
  return Outcome::good;
}

Console::Outcome Console::show_signals(std::string_view) {
  const workbench::EngineDetail detail = inspector_->engine(chosen_);
  for (const workbench::SignalView& s : detail.signals)
    print_out("{:>2} {}{}{}\n", s.number, s.name, s.arrived ? ", has come" : "", s.awaited ? ", is awaited" : "");
  if (detail.signals.empty()) print_out("no signal has a name here, has come or is awaited\n");
  if (detail.waits_for_any) print_out("one of those that are awaited is enough\n");
  return Outcome::good;
}

Console::Outcome Console::show_csrs(std::string_view) {
  for (const workbench::CsrView& csr : inspector_->local_csrs(chosen_))
    print_out("{:<28} {}\n", csr.shown, csr.value ? value_text(*csr.value) : "not read: that would change it");
  return Outcome::good;
}

// "sram0[0x100] 16": local memory counts in longwords, all others in bytes.
Console::Outcome Console::show_memory(std::string_view rest) {
  const size_t open = rest.find('['), close = rest.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return wrong(fmt::format("'{}' is not a longword of a memory", rest), "write sram0[0x100] or me0.lm[4]");
  const auto count = number(trimmed(rest.substr(close + 1)), 8);
  if (!count) return Outcome::wrong;
  const std::string name(trimmed(rest.substr(0, open)));
  const auto first = evaluate(rest.substr(open + 1, close - open - 1));
  if (!first) return wrong(first.error());
  const bool local = name == "lm" || name.ends_with(".lm");
  const int64_t each = local ? 1 : 4;
  constexpr uint64_t kMaxShown = 4'096;
  std::string line;
  for (uint64_t i = 0; i < std::min(*count, kMaxShown); ++i) {
    const int64_t at = *first + static_cast<int64_t>(i) * each;
    const auto value = evaluate(fmt::format("{}[{}]", name, at));
    if (!value) {
      if (!line.empty()) print_out("{}\n", line);
      return wrong(value.error());
    }
    if (i % 4 == 0) line = fmt::format("{:#010x} ", at);
    line += fmt::format(" {:08x}", static_cast<uint32_t>(*value));
    if (i % 4 != 3) continue;
    print_out("{}\n", line);
    line.clear();
  }
  if (!line.empty()) print_out("{}\n", line);
  if (*count > kMaxShown) print_out("no more than {} longwords are shown at once\n", kMaxShown);
  return Outcome::good;
}

Console::Outcome Console::show_units(std::string_view) {
  const workbench::UnitsDetail units = inspector_->units(chosen_.chip);
  for (const workbench::CommandQueueDetail& q : units.queues) {
    if (q.commands.empty() && q.answers == 0) continue;
    print_out("{}{}{}: {} command{}, {} answer{} on the way\n", q.unit, q.queue.empty() ? "" : " ", q.queue,
              q.commands.size(), q.commands.size() == 1 ? "" : "s", q.answers, q.answers == 1 ? "" : "s");
    for (const workbench::CommandDetail& c : q.commands) {
      const emulator::ContextRef from = c.waiting.command.from;
      const std::string who =
          c.waiting.of_core ? "control processor" : fmt::format("me{}.ctx{}", from.engine, from.context);
      const bool is_number = c.signal.starts_with("signal ");
      const std::string signal = (is_number ? ", " : ", signal ") + c.signal;
      print_out("  {} {} {}, sent in cycle {}{}\n", who, c.text, c.address, c.issued, c.signal.empty() ? "" : signal);
    }
  }
  for (const workbench::RingDetail& ring : units.rings)
    print_out("{}{}: {}{} longwords\n", ring.name, ring.label.empty() ? "" : " (" + ring.label + ")", ring.count,
              ring.size ? fmt::format(" of {}", *ring.size) : "");
  return Outcome::good;
}

Console::Outcome Console::print(std::string_view rest) {
  if (rest.empty()) return wrong("no expression is named", "write print n + 1, or print me0.ctx3.pc");
  const auto value = evaluate(rest);
  if (!value) return wrong(value.error());
  if (*value >= 0)
    print_out("{} ({:#x})\n", *value, *value);
  else
    print_out("{}\n", *value);
  return Outcome::good;
}

Console::Outcome Console::show_report(std::string_view) {
  print_lines(to_text(session_.report()));
  cli::report(session_.findings());
  return Outcome::good;
}

Console::Outcome Console::set(std::string_view rest) {
  const size_t equals = rest.find('=');
  const std::string_view name = trimmed(rest.substr(0, equals));
  if (equals == std::string_view::npos || name.empty())
    return wrong(fmt::format("'{}' does not say what is set to what", rest), "write set n = 5");
  const auto value = evaluate(trimmed(rest.substr(equals + 1)));
  if (!value) return wrong(value.error());
  const auto done =
      session_.write(of_chip(name), *value, static_cast<int>(chosen_.engine), static_cast<int>(chosen_.context));
  return done ? Outcome::good : wrong(done.error());
}

Console::Outcome Console::writer(std::string_view rest, bool next) {
  if (rest.empty()) return wrong("nothing is named", "write who n, or who scratch[0x40]");
  const std::string name = of_chip(rest);
  const int engine = static_cast<int>(chosen_.engine), context = static_cast<int>(chosen_.context);
  const auto found = next ? session_.next_write(name, engine, context, interrupt_)
                          : session_.last_write(name, engine, context, interrupt_);
  if (!found) return wrong(found.error());
  if (*found)
    print_out("{}\n", shown(to_text(**found)));
  else
    print_out("nobody {} it {}\n", next ? "writes" : "wrote",
              next ? "up to the latest moment that was reached" : "before");
  return Outcome::good;
}

}  // namespace weft::cli::debug
