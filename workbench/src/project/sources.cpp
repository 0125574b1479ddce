#include "weft/workbench/sources.h"

#include <mutex>

#include "project/build.h"
#include "weft/base/files.h"
#include "weft/control/firewall/compiled_rules.h"

namespace weft::workbench {
namespace {

/// The microcode that rules compile to, made when a program includes it: from the rules as they stand on the disk then.
/// The control program, which only names the ports, is loaded once; whoever opens a project does not wait for it.
class RuleTexts {
 public:
  RuleTexts(Project project, emulator::BoardDescription board)
      : project_(std::move(project)), board_(std::move(board)) {}

  Result<std::string> text(size_t program, unsigned chip) {
    std::call_once(loaded_, [this] {
      if (!project_.control || !project_.control->has_program()) return;
      Diagnostics ignored;  // the build says them
      auto control =
          load_control(project_, board_, chip_of(project_.control->chip, "the control program", board_, ignored));
      if (control) control_ = std::move(*control);
    });
    return compiled_rules(project_.programs[program], board_.chips[chip].chip, control_);
  }

 private:
  const Project project_;
  const emulator::BoardDescription board_;
  std::once_flag loaded_;
  std::optional<control::ControlSetup> control_;
};

}  // namespace

Result<std::vector<ProgramSource>> program_sources(const Project& project) {
  auto board = board_of(project);
  if (!board) return tl::unexpected(std::move(board.error()));
  Diagnostics problems;
  std::vector<ProgramSource> out;
  std::shared_ptr<RuleTexts> rules;
  for (size_t at = 0; at < project.programs.size(); ++at) {
    const ProgramEntry& entry = project.programs[at];
    if (entry.is_image) continue;
    const unsigned number = chip_of(entry.chip, "this program", *board, problems);
    out.push_back({entry.file.string(), number, entry.engines, assembler_options(entry, board->chips[number])});
    if (entry.rules.empty()) continue;
    if (!rules) rules = std::make_shared<RuleTexts>(project, *board);
    out.back().options.read = [rules, at, number](const std::string& path) -> Result<SourceFilePtr> {
      if (std::filesystem::path(path).filename() != control::firewall::kCompiledRules) return read_source(path);
      auto text = rules->text(at, number);
      if (!text) return tl::unexpected(std::move(text.error()));
      return make_source(path, std::move(*text));
    };
  }
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  return out;
}

}  // namespace weft::workbench
