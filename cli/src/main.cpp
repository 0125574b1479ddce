// The `weft` command. docs/cli.md is its contract.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <map>
#include <string_view>
#include <vector>

#include "commands.h"
#include "print.h"
#include "streams.h"
#include "vendor_options.h"
#include "weft/base/paths.h"
#include "weft/base/run_time.h"

int main(int argc, char** argv) {
  using namespace weft::cli;
  const struct AtEnd {
    ~AtEnd() { weft::note_run_time(); }
  } at_end;
  open_streams();
  CLI::App app{"Weft: assembler and emulator for network-processor microengines", "weft"};
  app.set_version_flag("--version", "weft " WEFT_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* root, const CLI::Error& error) {
    std::string name = "weft";
    for (auto used = root->get_subcommands(); !used.empty(); used = used.front()->get_subcommands())
      name += " " + used.front()->get_name();
    return fmt::format("{}: {}\nTry '{} --help'.\n", name, weft::printable(beginning(error.what())), name);
  });

  std::map<CLI::App*, Command> commands;
  const auto add = [&](const char* name, const char* what, Command (*declare)(CLI::App&)) {
    CLI::App* sub = app.add_subcommand(name, what);
    commands[sub] = declare(*sub);
  };
  add("asm", "assemble microcode to an Image or to words", declare_asm);
  add("dis", "turn an Image or raw words back into source", declare_dis);
  add("run", "run a project on the emulated chip", declare_run);
  add("debug", "stop, step and go back in a run, at a console", declare_debug);
  add("test", "run tests of microcode", declare_test);
  add("bench", "measure throughput, latency and loss of a project", declare_bench);
  add("fmt", "write source files in house style", declare_fmt);
  add("index", "list the names of a program, or say what is at a place", declare_index);
  add("explain", "say what a diagnostic means, with an example and the cure", declare_explain);
  add("chip", "list, show and check chip and board descriptions", declare_chip);
  add("rules", "turn firewall rules into microcode or tables", declare_rules);

  std::string help_topic;
  CLI::App* help = app.add_subcommand("help", "show what a command does");
  help->add_option("COMMAND", help_topic, "the command");
  commands[help] = [&]() -> int {
    if (help_topic.empty()) {
      print_lines(app.help());
      return kDone;
    }
    for (const auto& [sub, run] : commands) {
      if (sub->get_name() != help_topic) continue;
      print_lines(sub->help());
      return kDone;
    }
    print_error("weft: there is no command '{}'; 'weft help' lists them\n", help_topic);
    return kWrongUsage;
  };

  for (size_t i = 1; i < static_cast<size_t>(argc); ++i) {
    const std::string_view word = argv[i], before = argv[i - 1];
    // A variable of a script that is not set, most often. An empty --filter is none.
    const bool no_value = word.starts_with("--") && word.find('=') == word.size() - 1 && word != "--filter=";
    if (!no_value && (!word.empty() || before == "--filter")) continue;
    print_error("weft: {} an empty value; give one, or leave it out\n",
                word.empty() ? fmt::format("after '{}' comes", before) : fmt::format("'{}' has", word));
    return kWrongUsage;
  }

  // CLI11 keeps names with one dash to one letter; compilers spell this one -MD.
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "asm") {
    auto ours = translate_vendor_options(words);
    if (!ours) {
      print_error("weft asm: {}\n", ours.error());
      return kWrongUsage;
    }
    words = std::move(*ours);
  }
  for (std::string& word : words)
    if (word == "-MD") word = "--MD";
  std::reverse(words.begin(), words.end());  // as CLI11 takes them

  try {
    app.parse(words);
    const int status = commands.at(app.get_subcommands().front())();
    return finish_output() || status != kDone ? status : kWrongInput;
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error) == 0 ? kDone : kWrongUsage;
    return finish_output() || status != kDone ? status : kWrongInput;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0 && !finish_output()) return kWrongInput;  // print_out() throws then
    print_error(
        "weft: internal fault: {}\nThis is a fault of Weft {}. Please report it with the command line and the "
        "input files.\n",
        error.what(), WEFT_VERSION);
    return kFault;
  }
}
