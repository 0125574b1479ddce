#include "test_mutate.h"

#include <fmt/format.h>
#include <unistd.h>

#include "commands.h"
#include "console.h"
#include "print.h"

namespace weft::cli {
namespace {

using workbench::BlockMutation;
using workbench::MutantOutcome;
using MutantState = MutantOutcome::State;

std::string paths_text(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += " " + shell_quoted(path);
  return text;
}

/// "after next#, 2nd of 3 such lines": line numbers change with every line that comes before.
std::string context_text(const MutantOutcome& m) {
  std::string text = m.label.empty() ? "" : (m.label.ends_with('#') ? "after " : "in ") + m.label;
  if (m.of > 1) text += fmt::format("{}number {} of {} such lines", text.empty() ? "" : ", ", m.nth, m.of);
  return text;
}

void print_change(const MutantOutcome& m) {
  const std::string context = context_text(m);
  print_out("    {}\n", m.line_text);
  if (!context.empty()) print_out("    {}\n", context);
  print_out("    {}  ->  {}\n", m.before, m.after);
}

void print_survivor(const MutantOutcome& m, const MutateOptions& options) {
  print_out("  survived: {}\n", m.id);
  print_change(m);
  if (m.cases == 0)
    print_out("    no test executes this instruction\n");
  else
    print_out("    {} {} it and passed\n", m.cases, m.cases == 1 ? "case executed" : "cases executed");
  print_out("    again: weft test{} --mutate --mutant {}\n", paths_text(options.paths), shell_quoted(m.id));
}

std::string mutant_counts(size_t made, size_t killed, size_t survived, size_t equivalent) {
  const size_t judged = made - equivalent;
  return fmt::format("{} mutants, {} killed, {} survived, {} equivalent: {:.1f} %", made, killed, survived, equivalent,
                     judged == 0 ? 100.0 : 100.0 * static_cast<double>(killed) / static_cast<double>(judged));
}

void print_block(const BlockMutation& block, const MutateOptions& options) {
  for (const MutantOutcome& m : block.mutants)
    if (m.state == MutantState::survived) print_survivor(m, options);
  for (const MutantOutcome& m : block.mutants)
    if (m.state == MutantState::equivalent && !options.quiet)
      print_out("  equivalent{}: {}: {}\n", m.by_hand ? " (listed)" : "", m.id, m.reason);
  if (!options.quiet)
    print_out("  made from {} mutants; {} more changes have no word\n", block.possible, block.refused);
}

void print_one(const MutantOutcome& m) {
  print_out("{}\n", m.id);
  print_change(m);
  switch (m.state) {
    case MutantState::killed: print_out("  killed by {}\n", m.killer), print_lines(m.killer_text); break;
    case MutantState::survived: print_out("  survived: {} cases executed it and passed\n", m.cases); break;
    case MutantState::equivalent: print_out("  equivalent{}: {}\n", m.by_hand ? " (listed)" : "", m.reason); break;
  }
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  const bool plain =
      !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,") ==
                           std::string::npos;
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

int mutate(const workbench::TestPlan& plan, const MutateOptions& options, Messages& messages) {
  const bool line = isatty(STDERR_FILENO) != 0;
  const auto blocks = block_files(plan, options.paths);
  if (blocks.empty()) {
    print_error(
        "weft test: no source of microcode lies below the folders of these tests; name the folder of the "
        "sources, or \"blocks\" in a test file\n");
    return kWrongInput;
  }
  const workbench::MutationRun run =
      run_mutations(plan, blocks, options.mutation, [&](size_t done, size_t all, const char* what) {
        if (line) print_error("\r\033[K{} of {} {} ", done, all, what);
      });
  if (line) print_error("\r\033[K");
  messages.reads({run.read.begin(), run.read.end()});
  if (run.interrupted) {
    print_error("weft test: interrupted\n");
    return kInterrupted;
  }
  bool good = !plan.problems.has_errors() && run.problems.empty() && run.failed.empty();
  for (const workbench::CaseOutcome& o : run.failed)
    print_out("{}: {}: {} without any change: no mutant is judged by it\n", o.file, o.name, to_text(o.verdict));
  report(run.problems);

  if (!options.mutation.only.empty()) {
    for (const BlockMutation& block : run.blocks)
      for (const MutantOutcome& m : block.mutants) {
        print_one(m);
        good = good && m.state != MutantState::survived;
      }
    return good ? kDone : kWrongInput;
  }
  size_t made = 0, killed = 0, survived = 0, equivalent = 0;
  for (const BlockMutation& block : run.blocks) {
    made += block.mutants.size();
    killed += block.count(MutantState::killed);
    survived += block.count(MutantState::survived);
    equivalent += block.count(MutantState::equivalent);
    if (!block.executed) {
      print_out("{}: no test executes it\n", block.file);
      good = false;
      continue;
    }
    if (block.possible == 0) {
      if (!options.quiet) print_out("{}: no instruction of its own\n", block.file);
      continue;
    }
    const bool low = block.percent() < options.floor;
    print_out("{}: {}{}\n", block.file,
              mutant_counts(block.mutants.size(), block.count(MutantState::killed), block.count(MutantState::survived),
                            block.count(MutantState::equivalent)),
              low ? fmt::format(", below the floor of {} %", options.floor) : "");
    print_block(block, options);
    good = good && !low;
  }
  print_out("\n{} blocks: {}\n", run.blocks.size(), mutant_counts(made, killed, survived, equivalent));
  return good ? kDone : kWrongInput;
}

}  // namespace weft::cli
