// weft chip: chip and board descriptions.
#include "weft/emulator/chip.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>

#include "commands.h"
#include "console.h"
#include "print.h"
#include "weft/base/json.h"
#include "weft/workbench/project.h"

namespace weft::cli {
namespace {

using emulator::DescriptionKind;

int list_chips(const std::vector<std::string>& folders) {
  for (const auto& [kind, title] :
       {std::pair{DescriptionKind::chip, "chips"}, std::pair{DescriptionKind::board, "boards"}}) {
    print_out("{}:\n", title);
    for (const std::string& name : emulator::list_descriptions(kind, folders)) {
      const auto document = emulator::find_description(kind, name, folders);
      Diagnostics ignored;
      print_out("  {:<16} {}\n", name, document ? document->root().get("summary").string(ignored) : "");
    }
  }
  return kDone;
}

/// With the file that says a number, when there are several of them.
void print_numbers(const std::vector<emulator::SourcedNumber>& numbers) {
  std::set<std::string> files;
  for (const emulator::SourcedNumber& n : numbers) files.insert(n.file);
  for (const emulator::SourcedNumber& n : numbers) {
    const std::string file = std::filesystem::path(n.file).stem().string();
    print_out("{:<40} {:<14} {}{}\n", n.path, n.value, files.size() > 1 ? fmt::format("{:<14} ", file) : "", n.source);
  }
}

/// The chips of a board, and what joins them.
void print_chips(const emulator::BoardDescription& board) {
  for (size_t c = 0; c < board.chips.size(); ++c) {
    const emulator::ChipOnBoard& chip = board.chips[c];
    print_out("chip {}{}: {}", c, chip.name.empty() ? "" : " " + chip.name, chip.chip.name);
    std::string ports;
    for (const emulator::PortDescription& port : chip.ports) ports += fmt::format(" {}", port.board_number);
    print_out("{}\n", ports.empty() ? ", no ports" : ", ports" + ports);
  }
  for (const emulator::LinkDescription& link : board.links)
    print_out("link {}: {} channel {} > {} channel {}\n", link.name, board.chips[link.from_chip].name,
              board.chips[link.from_chip].links[link.from_end].channel, board.chips[link.to_chip].name,
              board.chips[link.to_chip].links[link.to_end].channel);
}

int show_chip(const std::string& name, const std::vector<std::string>& folders) {
  const auto chip = emulator::load_chip(name, folders);
  if (chip) {
    print_out("{}: {}\n", chip->name, chip->summary);
    if (!chip->based_on.empty()) print_out("based on {}\n", chip->based_on);
    print_out("\n");
    print_numbers(chip->numbers);
    return kDone;
  }
  const auto board = emulator::load_board(name, folders);
  if (board) {
    print_out("{}: {}\n", board->name, board->summary);
    print_chips(*board);
    print_out("\n");
    print_numbers(board->numbers);
    return kDone;
  }
  // Both fail; the kind whose file exists has the better message.
  const bool is_chip = emulator::find_description(DescriptionKind::chip, name, folders).has_value();
  const bool is_board = emulator::find_description(DescriptionKind::board, name, folders).has_value();
  if (is_chip == is_board && name.find('/') == std::string::npos && !name.ends_with(".json")) {
    std::vector<std::string> names = emulator::list_descriptions(DescriptionKind::chip, folders);
    for (std::string& other : emulator::list_descriptions(DescriptionKind::board, folders))
      names.push_back(std::move(other));
    Diagnostics problem;
    const auto close = nearest(name, names);
    problem.error("description-missing", {}, fmt::format("there is no chip and no board '{}'", name),
                  close ? fmt::format("did you mean '{}'? 'weft chip list' names all", *close)
                        : "'weft chip list' names all; a file is named by its path");
    report(problem);
    return kWrongInput;
  }
  // A file says by its format which of the two it is.
  if (const Diagnostics problems = is_chip && is_board ? emulator::check_description(name, folders) : Diagnostics();
      problems.has_errors())
    report(problems);
  else
    report(is_board ? board.error() : chip.error());
  return kWrongInput;
}

int check_chip(const std::string& file, const std::vector<std::string>& folders) {
  const Diagnostics problems = emulator::check_description(file, folders);
  report(problems);
  if (problems.has_errors()) return kWrongInput;
  print_out("{}: good\n", file);
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
    if (list_app->parsed()) return list_chips(folders);
    return show_app->parsed() ? show_chip(*name, folders) : check_chip(*name, folders);
  };
}

}  // namespace weft::cli
