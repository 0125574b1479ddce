// The commands of the console, and those that move the machine.
#include "debug_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "console.h"
#include "print.h"

namespace weft::cli::debug {

std::span<const Console::Command> Console::commands() {
  static constexpr std::array kCommands = {
      Command{"run", "r", "[LIMIT | EXPRESSION]",
              "go on to a stop; also to a limit ('5000 cycles', '+200 cycles', '5ms', '100 packets'), or until an "
              "expression is true",
              &Console::go_on},
      Command{"to", "", "PLACE", "go on to a place: forward.uc:120, loop#, 0x1f", &Console::to_place},
      Command{"step", "s", "[COUNT]", "to the next source line of the chosen context, also inside macros",
              &Console::step_line},
      Command{"next", "n", "[COUNT]", "the same; a macro call is one line", &Console::step_over},
      Command{"finish", "", "", "to the end of the macro call, or behind the rtn", &Console::step_out},
      Command{"stepi", "si", "[COUNT]", "one instruction of the chosen context", &Console::step_instruction},
      Command{"swap", "", "[COUNT]", "one instruction; when the context leaves by it, until it runs again",
              &Console::step_swap},
      Command{"again", "", "[COUNT]", "until the context has left the engine and runs again", &Console::step_again},
      Command{"back", "b", "[COUNT]", "undo an instruction of the chosen context", &Console::back},
      Command{"rewind", "", "", "back to the last stop before this moment, or to the start", &Console::rewind},
      Command{"goto", "", "CYCLE | TIME", "to a moment, forwards or back: 5000, 5ms", &Console::go_to},
      Command{"break", "", "PLACE [OPTIONS]", "stop before a place", &Console::add_location},
      Command{"watch", "", "NAME [OPTIONS]", "stop when a register or longword has changed", &Console::add_change},
      Command{"stop", "", "KIND TARGET [OPTIONS]",
              "stop at read, write, change, signal, ring, packet, swap, stall, condition, uninitialised; options: on "
              "0,2 (microengines), contexts 0,3, bytes 64, after 5 (hits), once, if EXPRESSION, log TEXT",
              &Console::add_any},
      Command{"stops", "", "", "list the stops", &Console::list_stops},
      Command{"delete", "", "NUMBER | all", "remove a stop", &Console::delete_stops},
      Command{"on", "", "NUMBER", "let a stop work again", &Console::switch_on},
      Command{"off", "", "NUMBER", "let a stop rest", &Console::switch_off},
      Command{"context", "c", "[me0.ctx3 | 0.3]", "choose the context that steps and names are of", &Console::choose},
      Command{"contexts", "", "[me0]", "what all contexts do, or those of a microengine", &Console::show_contexts},
      Command{"list", "l", "[LINES]", "the source around the chosen context", &Console::list_source},
      Command{"words", "", "[COUNT]", "its words as instructions", &Console::list_words},
      Command{"registers", "", "[NAME]", "registers of the chosen context that hold something here, or those of a name",
              &Console::show_registers},
      Command{"signals", "", "", "its signals", &Console::show_signals},
      Command{"csrs", "", "", "its local CSRs", &Console::show_csrs},
      Command{"memory", "m", "NAME[ADDRESS] [COUNT]", "longwords from an address on: memory sram0[0x100] 16",
              &Console::show_memory},
      Command{"units", "", "", "commands that wait in units, and rings", &Console::show_units},
      Command{"print", "p", "EXPRESSION", "the value of an expression", &Console::print},
      Command{"set", "", "NAME = EXPRESSION", "change a register, local CSR, program counter or longword",
              &Console::set},
      Command{"who", "", "NAME", "who wrote a register or longword last", &Console::who_wrote},
      Command{"writes", "", "NAME", "who writes it next, up to the latest moment that was reached",
              &Console::who_writes},
      Command{"report", "", "", "the report as 'weft run' prints it", &Console::show_report},
      Command{"help", "h", "[COMMAND]", "this list, or one of it", &Console::help},
      Command{"quit", "q", "", "end", &Console::quit},
  };
  return kCommands;
}

Console::Console(workbench::Session& session, std::string folder, const std::atomic<bool>* interrupt)
    : session_(session), inspector_(workbench::inspect(session)), folder_(std::move(folder)), interrupt_(interrupt) {
  const workbench::MachineView machine = inspector_->machine();
  if (machine.contexts.empty()) return;
  chosen_ = machine.contexts.front().id;
  for (const workbench::ContextView& c : machine.contexts)
    if (c.state == emulator::ContextState::executing) {
      chosen_ = c.id;
      return;
    }
}

const Console::Command* Console::find(std::string_view word) {
  const Command* found = nullptr;
  unsigned beginning = 0;
  for (const Command& command : commands()) {
    if (word == command.name || (word == command.brief && !word.empty())) return &command;
    if (!std::string_view(command.name).starts_with(word)) continue;
    found = &command;
    ++beginning;
  }
  return beginning == 1 ? found : nullptr;
}

Console::Outcome Console::execute(std::string_view line, const SourceRange& at) {
  at_ = at;
  std::string_view rest = trimmed(line);
  if (rest.empty() || rest.starts_with('#')) return Outcome::good;
  const std::string_view word = take_word(rest);
  const Command* command = find(word);
  if (command == nullptr) return wrong(fmt::format("'{}' is not a command", word), "'help' lists the commands");
  if (*command->arguments == '\0' && !rest.empty())
    return wrong(fmt::format("'{}' stands alone, and here comes '{}'", command->name, rest),
                 fmt::format("'help {}' says what it does", command->name));
  return (this->*command->run)(rest);
}

Console::Outcome Console::wrong(const Diagnostics& problems) const {
  report(problems.changed([&](Diagnostic& d) {
    if (!d.range || d.range.begin.line == 0) d.range = at_;
  }));
  return Outcome::wrong;
}

Console::Outcome Console::wrong(std::string text, std::string remedy) const {
  Diagnostics out;
  out.error("debug-command", at_, std::move(text), std::move(remedy));
  return wrong(out);
}

std::optional<uint64_t> Console::number(std::string_view rest, uint64_t otherwise) const {
  if (rest.empty()) return otherwise;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error == std::errc() && end == rest.data() + rest.size() && value != 0) return value;
  wrong(fmt::format("'{}' is not a number from 1 on", rest));
  return std::nullopt;
}

std::string Console::shown(std::string text) const {
  if (folder_.empty()) return text;
  for (size_t at = text.find(folder_); at != std::string::npos; at = text.find(folder_, at))
    text.erase(at, folder_.size());
  return text;
}

std::string Console::of_chip(std::string_view name) const {
  if (chosen_.chip == 0 || name.find(": ") != std::string_view::npos) return std::string(name);
  return session_.chips()[chosen_.chip] + ": " + std::string(name);
}

Result<int64_t> Console::evaluate(std::string_view expression) const {
  const std::vector<std::string> chips = session_.chips();
  for (unsigned c = 0; c < chips.size(); ++c) {
    if (chips[c].empty() || !expression.starts_with(chips[c] + ":")) continue;
    const workbench::ContextId there{c, 0, 0};
    return inspector_->evaluate(std::string(trimmed(expression.substr(chips[c].size() + 1))),
                                c == chosen_.chip ? chosen_ : there);
  }
  return inspector_->evaluate(std::string(expression), chosen_);
}

workbench::RunControl Console::control() const {
  workbench::RunControl out;
  out.interrupt = interrupt_;
  return out;
}

Console::Outcome Console::stopped(const Result<workbench::Stop>& stop) {
  if (!stop) return wrong(stop.error());
  if (stop->engine >= 0) {
    chosen_.chip = stop->chip;
    chosen_.engine = static_cast<unsigned>(stop->engine);
    if (stop->context >= 0) chosen_.context = static_cast<unsigned>(stop->context);
  }
  print_out("{}\n", shown(stop->text));
  show_position();
  return Outcome::good;
}

// "+200 cycles" counts from here.
Console::Outcome Console::go_on(std::string_view rest) {
  if (rest.empty()) return stopped(session_.run(control()));
  std::string limit(rest);
  if (rest.front() == '+') {
    std::string_view unit = rest.substr(1);
    const std::string_view digits = take_word(unit);
    const auto more = number(digits, 0);
    if (!more) return Outcome::wrong;
    if (!unit.empty() && unit != "cycles")
      return wrong(fmt::format("'{}' counts from here in cycles alone", rest), "write +200 cycles");
    limit = fmt::format("{} cycles", inspector_->cycle() + *more);
  }
  return stopped(session_.run_until(limit, control()));
}

Console::Outcome Console::to_place(std::string_view rest) {
  if (rest.empty()) return wrong("no place is named", "write a place such as forward.uc:120, loop# or 0x1f");
  return stopped(session_.run_to(std::string(rest), {}, 0xff, control()));
}

Console::Outcome Console::steps(std::string_view rest, workbench::Step how) {
  const auto count = number(rest, 1);
  if (!count) return Outcome::wrong;
  const auto c = view(inspector_->machine());
  if (!c || c->state == emulator::ContextState::inactive)
    return wrong(fmt::format("{} is inactive: it executes nothing", chosen()),
                 "choose another one; 'contexts' lists them");
  workbench::Stop stop;
  for (uint64_t i = 0; i < *count; ++i) {
    stop = session_.step(chosen_.engine, static_cast<int>(chosen_.context), how, chosen_.chip, control());
    if (stop.kind != workbench::Stop::Kind::stepped) break;
  }
  return stopped(stop);
}

Console::Outcome Console::back(std::string_view rest) {
  const auto count = number(rest, 1);
  if (!count) return Outcome::wrong;
  Result<workbench::Stop> stop = workbench::Stop{};
  for (uint64_t i = 0; i < *count; ++i) {
    stop = session_.step_back(chosen_.engine, static_cast<int>(chosen_.context), chosen_.chip, control());
    if (!stop || stop->kind != workbench::Stop::Kind::stepped) break;
  }
  return stopped(stop);
}

Console::Outcome Console::rewind(std::string_view) { return stopped(session_.run_back(control())); }

Console::Outcome Console::go_to(std::string_view rest) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  const std::string_view unit = trimmed(rest.substr(static_cast<size_t>(end - rest.data())));
  const uint64_t second = inspector_->ticks_per_second();
  uint64_t ticks = 0;
  if (unit.empty() || unit == "cycles")
    ticks = inspector_->ticks_per_cycle();
  else if (unit == "ns")
    ticks = second / 1'000'000'000;
  else if (unit == "us")
    ticks = second / 1'000'000;
  else if (unit == "ms")
    ticks = second / 1'000;
  else if (unit == "s")
    ticks = second;
  if (error != std::errc() || end == rest.data() || ticks == 0 || value > UINT64_MAX / 2 / ticks)
    return wrong(fmt::format("'{}' is not a moment", rest), "write a cycle or a time, such as 5000, 20us or 5ms");
  return stopped(session_.go_to({value * ticks, 0}, control()));
}

Console::Outcome Console::help(std::string_view rest) {
  if (!rest.empty()) {
    const Command* command = find(rest);
    if (command == nullptr) return wrong(fmt::format("'{}' is not a command", rest), "'help' lists the commands");
    print_out("{}{}{}{}\n  {}\n", command->name, *command->brief ? fmt::format(" ({})", command->brief) : "",
              *command->arguments ? " " : "", command->arguments, command->help);
    return Outcome::good;
  }
  for (const Command& command : commands()) {
    const std::string form = fmt::format("{}{}{}", command.name, *command.arguments ? " " : "", command.arguments);
    print_out("{:<32} {}\n", form, command.help);
  }
  print_out("A command may be shortened as far as it stays clear; short forms: {}.\n", [] {
    std::string out;
    for (const Command& c : commands())
      if (*c.brief) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", c.brief, c.name);
    return out;
  }());
  return Outcome::good;
}

Console::Outcome Console::quit(std::string_view) { return Outcome::quit; }

}  // namespace weft::cli::debug
