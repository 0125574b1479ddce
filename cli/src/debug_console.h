// The debugger's console: one command a line, about a session that stands still (docs/debugging.md, "At the console").
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/workbench/inspect.h"
#include "weft/workbench/session.h"

namespace weft::cli::debug {

class Console {
 public:
  /// `folder`: files below it are shown without it. The session must outlive the console.
  Console(workbench::Session& session, std::string folder, const std::atomic<bool>* interrupt);

  enum class Outcome { good, wrong, quit };
  /// One command. Results go to standard output; what is wrong, to standard error, with `at` as its place. An empty
  /// line and a comment (#) do nothing.
  Outcome execute(std::string_view line, const SourceRange& at);
  /// "me0.ctx1": what names without a microengine are of.
  std::string chosen() const;
  /// Where the machine stands: its moment, and the line of the chosen context.
  void show_position() const;

 private:
  struct Command {
    const char* name;
    const char* brief;      ///< short forms besides the name, with blanks between them; empty: none
    const char* arguments;  ///< as help shows them
    const char* help;
    Outcome (Console::*run)(std::string_view rest);
  };
  static std::span<const Command> commands();
  /// The command of that name or short form, or of which alone it is the beginning; `several` gets the names when it is
  /// that of more than one.
  static const Command* find(std::string_view word, std::string& several);

  // --- going on and back (console.cpp)
  Outcome go_on(std::string_view rest);
  Outcome to_place(std::string_view rest);
  Outcome step_instruction(std::string_view rest) { return steps(rest, workbench::Step::instruction); }
  Outcome step_line(std::string_view rest) { return steps(rest, workbench::Step::line); }
  Outcome step_over(std::string_view rest) { return steps(rest, workbench::Step::over); }
  Outcome step_out(std::string_view rest) { return steps(rest, workbench::Step::out); }
  Outcome step_swap(std::string_view rest) { return steps(rest, workbench::Step::swap); }
  Outcome step_again(std::string_view rest) { return steps(rest, workbench::Step::again); }
  Outcome back(std::string_view rest);
  Outcome rewind(std::string_view rest);
  Outcome go_to(std::string_view rest);
  Outcome steps(std::string_view rest, workbench::Step how);
  Outcome stopped(const Result<workbench::Stop>& stop);
  workbench::RunControl control() const;

  // --- stops (stops.cpp)
  Outcome add_location(std::string_view rest) { return add_stop(rest, workbench::Breakpoint::Kind::location); }
  Outcome add_change(std::string_view rest) { return add_stop(rest, workbench::Breakpoint::Kind::change); }
  Outcome add_any(std::string_view rest) { return add_stop(rest, {}); }
  Outcome add_stop(std::string_view rest, std::optional<workbench::Breakpoint::Kind> kind);
  Outcome list_stops(std::string_view rest);
  Outcome delete_stops(std::string_view rest);
  Outcome switch_on(std::string_view rest) { return switch_stops(rest, true); }
  Outcome switch_off(std::string_view rest) { return switch_stops(rest, false); }
  Outcome switch_stops(std::string_view rest, bool on);

  // --- looking (views.cpp)
  Outcome choose(std::string_view rest);
  Outcome show_contexts(std::string_view rest);
  Outcome list_source(std::string_view rest);
  Outcome list_words(std::string_view rest);
  Outcome show_registers(std::string_view rest);
  Outcome show_signals(std::string_view rest);
  Outcome show_csrs(std::string_view rest);
  Outcome show_calls(std::string_view rest);
  Outcome show_memory(std::string_view rest);
  Outcome show_units(std::string_view rest);
  Outcome print(std::string_view rest);
  Outcome show_report(std::string_view rest);
  Outcome set(std::string_view rest);
  Outcome who_wrote(std::string_view rest) { return writer(rest, false); }
  Outcome who_writes(std::string_view rest) { return writer(rest, true); }
  Outcome writer(std::string_view rest, bool next);

  Outcome help(std::string_view rest);
  Outcome quit(std::string_view rest);

  /// Says what is wrong, at the place of the command where it has none.
  Outcome wrong(const Diagnostics& problems) const;
  /// The same of the command itself.
  Outcome wrong(std::string text, std::string remedy = {}) const;
  /// A whole number of `rest`, `otherwise` when it is empty; nothing after a message.
  std::optional<uint64_t> number(std::string_view rest, uint64_t otherwise) const;
  /// The value of an expression, which may begin with a chip.
  Result<int64_t> evaluate(std::string_view expression) const;
  /// A name with the chip before it, when the chosen one is not the first.
  std::string of_chip(std::string_view name) const;
  /// Without the folder before files' names.
  std::string shown(std::string text) const;
  std::optional<workbench::ContextView> view(const workbench::MachineView& machine) const;

  workbench::Session& session_;
  std::unique_ptr<workbench::Inspector> inspector_;
  std::string folder_;
  const std::atomic<bool>* interrupt_;
  workbench::ContextId chosen_;
  SourceRange at_;  ///< of the command that is executed
};

/// "forward.uc:120 on 0,2 contexts 0,3 after 5 once if n == 3 log n is {n}", the kind in front unless it is given.
/// Diagnostic: debug-command.
Result<workbench::Breakpoint> parse_stop(std::string_view text, std::optional<workbench::Breakpoint::Kind> kind);
/// "3 change ring3.count (2 hits, off)".
std::string to_text(const workbench::Breakpoint& stop);

/// The first word of `text`, which begins behind it and the blanks after it.
std::string_view take_word(std::string_view& text);
std::string_view trimmed(std::string_view text);

}  // namespace weft::cli::debug
