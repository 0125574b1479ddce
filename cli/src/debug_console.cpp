// The commands of the console, and those that move the machine.
#include "debug_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "console.h"
#include "print.h"

namespace weft::cli::debug {

std::span<const Console::Command> Console::commands() {
  static constexpr std::array kCommands = {
      Command{"run", "r c", "[LIMIT | EXPRESSION]",
              "go on to a stop; also to a limit ('5000 cycles', '+200 cycles', '5ms', '100 packets'), or until an "
              "expression is true",
              &Console::go_on},
      Command{"to", "", "PLACE", "go on to a place: forward.uc:120, loop#, 0x1f", &Console::to_place},
      Command{"step", "s", "[COUNT]", "to the next source line of the chosen context, also inside macros",
              &Console::step_line},
      Command{"next", "n", "[COUNT]", "the same; a macro call is one line", &Console::step_over},
      Command{"finish", "", "",
              "to the end of the macro call, or behind the rtn; outside of both until the step is given up",
              &Console::step_out},
      Command{"stepi", "si", "[COUNT]", "one instruction of the chosen context", &Console::step_instruction},
      Command{"swap", "", "[COUNT]", "one instruction; when the context leaves by it, until it runs again",
              &Console::step_swap},
      Command{"again", "", "[COUNT]", "until the context has left the engine and runs again", &Console::step_again},
      Command{"back", "", "[COUNT]", "undo an instruction of the chosen context", &Console::back},
      Command{"rewind", "", "", "back to the last stop before this moment, or to the start", &Console::rewind},
      Command{"goto", "", "CYCLE | TIME", "to a moment, forwards or back: 5000, 5ms", &Console::go_to},
      Command{"break", "b", "PLACE [OPTIONS]", "stop before a place", &Console::add_location},
      Command{"watch", "", "NAME [OPTIONS]", "stop when a register (of any context) or a longword has changed",
              &Console::add_change},
      Command{"stop", "", "KIND TARGET [OPTIONS]",
              "stop at read, write, change, signal, ring, packet, swap, stall, condition, uninitialised; options: on "
              "0,2 (microengines), contexts 0,3, bytes 64, after 5 (hits), once, if EXPRESSION, log TEXT",
              &Console::add_any},
      Command{"stops", "", "", "list the stops", &Console::list_stops},
      Command{"delete", "", "NUMBER | all", "remove a stop", &Console::delete_stops},
      Command{"on", "", "NUMBER", "let a stop work again", &Console::switch_on},
      Command{"off", "", "NUMBER", "let a stop rest", &Console::switch_off},
      Command{"context", "", "[me0.ctx3 | 0.3]", "choose the context that steps and names are of", &Console::choose},
      Command{"contexts", "", "[me0]", "what all contexts do, or those of a microengine", &Console::show_contexts},
      Command{"list", "l", "[LINES]", "the source around the chosen context", &Console::list_source},
      Command{"calls", "bt", "", "the macro calls that the chosen context is in", &Console::show_calls},
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

namespace {

bool is_short_form(std::string_view forms, std::string_view word) {
  while (!forms.empty()) {
    if (take_word(forms) == word) return true;
  }
  return false;
}

}  // namespace

const Console::Command* Console::find(std::string_view word, std::string& several) {
  std::vector<const Command*> begun;
  for (const Command& command : commands()) {
    const std::string_view name = command.name;
    if (word == name || is_short_form(command.brief, word)) return &command;
    // "contexts" is no rival of "context".
    if (name.starts_with(word) && (begun.empty() || !name.starts_with(begun.back()->name))) begun.push_back(&command);
  }
  if (begun.size() == 1) return begun.front();
  for (const Command* command : begun) several.append(several.empty() ? "" : ", ").append(command->name);
  return nullptr;
}

Console::Outcome Console::execute(std::string_view line, const SourceRange& at) {
  at_ = at;
  std::string_view rest = trimmed(line);
  if (rest.empty() || rest.starts_with('#')) return Outcome::good;
  const std::string_view word = take_word(rest);
  std::string several;
  const Command* command = find(word, several);
  if (!several.empty()) return wrong(fmt::format("'{}' may be {}", word, several), "write more of it");
  if (command == nullptr) return wrong(fmt::format("'{}' is not a command", word), "'help' lists the commands");
  if (*command->arguments == '\0' && !rest.empty())
    return wrong(fmt::format("'{}' takes nothing, and here comes '{}'", command->name, rest),
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
  const std::vector<std::string> chips = session_.chips();
  const bool names_one = std::any_of(chips.begin(), chips.end(), [&](const std::string& chip) {
    return !chip.empty() && name.starts_with(chip + ":");
  });
  return chosen_.chip == 0 || names_one ? std::string(name) : chips[chosen_.chip] + ": " + std::string(name);
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
  const workbench::ContextId before = chosen_;
  if (stop->engine >= 0) {
    chosen_.chip = stop->chip;
    chosen_.engine = static_cast<unsigned>(stop->engine);
    if (stop->context >= 0) chosen_.context = static_cast<unsigned>(stop->context);
  }
  print_out("{}\n", shown(stop->text));
  if (chosen_ != before) print_out("{} is the chosen context now\n", chosen());
  show_position();
  return Outcome::good;
}

// "+200 cycles" counts from here.
Console::Outcome Console::go_on(std::string_view rest) {
  const uint64_t here = inspector_->cycle();
  if (rest.empty()) {
    const workbench::Stop stop = session_.run(control());
    const Outcome outcome = stopped(stop);
    if (stop.kind == workbench::Stop::Kind::cycles && inspector_->cycle() == here)
      print_out("'run +1000 cycles' goes beyond the limit of the project\n");
    return outcome;
  }
  // Limits are of the board, as 'goto' and the position.
  std::string limit = rest.front() >= '0' && rest.front() <= '9' ? std::string(rest) : of_chip(rest);
  if (rest.front() == '+') {
    std::string_view unit = rest.substr(1);
    const std::string_view digits = take_word(unit);
    const auto more = number(digits, 0);
    if (!more) return Outcome::wrong;
    if (!unit.empty() && unit != "cycles")
      return wrong(fmt::format("'{}' counts from here in cycles alone", rest), "write +200 cycles");
    limit = fmt::format("{} cycles", here + *more);
  }
  return stopped(session_.run_until(limit, control()));
}

Console::Outcome Console::to_place(std::string_view rest) {
  if (rest.empty()) return wrong("no place is named", "write a place such as forward.uc:120, loop# or 0x1f");
  return stopped(session_.run_to(of_chip(rest), {}, 0xff, control()));
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
    const auto now = view(inspector_->machine());
    if (!now || now->state == emulator::ContextState::inactive) break;  // it has ended
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
  const auto ticks = session_.ticks(std::string(rest));
  if (!ticks) return wrong(fmt::format("'{}' is not a moment", rest), "write a whole number: 5000, 20us, 5ms or 1s");
  return stopped(session_.go_to({*ticks, 0}, control()));
}

Console::Outcome Console::help(std::string_view rest) {
  if (!rest.empty()) {
    std::string several;
    const Command* command = find(rest, several);
    if (command == nullptr) return wrong(fmt::format("'{}' is not a command", rest), "'help' lists the commands");
    print_out("{}{}{}{}\n  {}\n", command->name, *command->arguments ? " " : "", command->arguments,
              *command->brief ? fmt::format("   (short: {})", command->brief) : "", command->help);
    return Outcome::good;
  }
  for (const Command& command : commands()) {
    const std::string form = fmt::format("{}{}{}", command.name, *command.arguments ? " " : "", command.arguments);
    print_out("{:<32} {}\n", form, command.help);
  }
  print_out("A command may be shortened as far as it stays clear; short forms: {}.\n", [] {
    std::string out;
    for (const Command& c : commands())
      for (std::string_view forms = c.brief; !forms.empty();)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", take_word(forms), c.name);
    return out;
  }());
  return Outcome::good;
}

Console::Outcome Console::quit(std::string_view) { return Outcome::quit; }

}  // namespace weft::cli::debug
