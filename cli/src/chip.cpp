// weft chip: chip and board descriptions.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "console.h"
#include "weft/emulator/chip.h"
#include "weft/workbench/project.h"

namespace weft::cli {
namespace {

using emulator::DescriptionKind;

int list(const std::vector<std::string>& folders) {
  for (const auto& [kind, title] : {std::pair{DescriptionKind::chip, "chips"}, std::pair{DescriptionKind::board, "boards"}}) {
    fmt::print("{}:\n", title);
    for (const std::string& name : emulator::list_descriptions(kind, folders)) {
      const auto document = emulator::find_description(kind, name, folders);
      Diagnostics ignored;
      fmt::print("  {:<16} {}\n", name, document ? document->root().get("summary").string(ignored) : "");
    }
  }
  return kDone;
}

void print_numbers(const std::vector<emulator::SourcedNumber>& numbers) {
  for (const emulator::SourcedNumber& n : numbers) fmt::print("{:<40} {:<14} {}\n", n.path, n.value, n.source);
}

int show(const std::string& name, const std::vector<std::string>& folders) {
  const auto chip = emulator::load_chip(name, folders);
  if (chip) {
    fmt::print("{}: {}\n\n", chip->name, chip->summary);
    print_numbers(chip->numbers);
    return kDone;
  }
  const auto board = emulator::load_board(name, folders);
  if (board) {
    fmt::print("{}: {}\n\n", board->name, board->summary);
    print_numbers(board->numbers);
    return kDone;
  }
  // Both fail; the kind whose file exists has the better message.
  const bool is_board = emulator::find_description(DescriptionKind::board, name, folders).has_value();
  report(is_board ? board.error() : chip.error());
  return kWrongInput;
}

int check(const std::string& file, const std::vector<std::string>& folders) {
  const Diagnostics problems = emulator::check_description(file, folders);
  report(problems);
  if (problems.has_errors()) return kWrongInput;
  fmt::print("{}: good\n", file);
  return kDone;
}

}  // namespace

Command declare_chip(CLI::App& app) {
  app.require_subcommand(1);
  auto name = std::make_shared<std::string>();
  CLI::App* list_app = app.add_subcommand("list", "names of all chips and boards");
  CLI::App* show_app = app.add_subcommand("show", "every number of a description with its source");
  show_app->add_option("NAME", *name, "chip or board, by name or file")->required();
  CLI::App* check_app = app.add_subcommand("check", "what is wrong with a description file");
  check_app->add_option("FILE", *name, "chip or board file")->required();
  return [name, list_app, show_app]() -> int {
    const std::vector<std::string> folders{workbench::data_folder().string()};
    if (list_app->parsed()) return list(folders);
    return show_app->parsed() ? show(*name, folders) : check(*name, folders);
  };
}

}  // namespace weft::cli
