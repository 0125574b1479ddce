// Configurations of control programs, with the tables that are made of them, and the rules and routes that they name.
#include "project/build.h"
#include "targets.h"
#include "weft/base/render.h"
#include "weft/control/classify/rule_file.h"
#include "weft/control/classify/vectors.h"
#include "weft/control/diffserv/rules.h"
#include "weft/control/route_file.h"

namespace weft::fuzz {
namespace {

/// Configuration and, after a line "%%", a file that it names. The tables are made as before a run.
void configure(const char* example, const char* named, std::string_view input) {
  const std::string path = (source_folder() / "examples" / example).string();
  static const auto kProject = workbench::load_project(path);
  promise(kProject.has_value() && kProject->control.has_value(), "the examples are good");
  static const auto kBoard = workbench::board_of(*kProject);
  promise(kBoard.has_value(), "the boards of the examples are good");
  constexpr std::string_view kBreak = "\n%%\n";
  const size_t end = std::min(input.find(kBreak), input.size());
  const TemporaryFolder folder;
  workbench::Project project = *kProject;
  project.control->config = put(folder, "router.conf", input.substr(0, end));
  put(folder, named, input.substr(std::min(end + kBreak.size(), input.size())));
  const auto made = workbench::load_control(project, *kBoard, 0);
  if (!made) refused(made.error());
}

}  // namespace

void mpls(std::string_view input) { configure("mpls-router", "routes.txt", input); }

void diffserv(std::string_view input) { configure("diffserv-edge-1200", "edge.rules", input); }

void match_rules(std::string_view input) {
  const TemporaryFolder folder;
  const std::string path = put(folder, "edge.rules", input).string();
  const auto read = control::classify::read_rule_file(path);
  if (!read) refused(read.error());
  const auto actions = control::diffserv::read_rules(path);
  if (!actions) return refused(actions.error());
  promise(read.has_value(), "rules that a service takes are rules");
  for (const control::diffserv::Rule& rule : *actions)
    promise(!control::diffserv::to_text(rule.action).empty(), "every action can be written");
}

void routes(std::string_view input) {
  const SourceFilePtr file = make_source("routes.txt", std::string(input));
  Diagnostics problems;
  control::RouterConfig hops;
  const std::vector<control::IpAddress> known;
  const auto rows = control::read_route_rows(file, known, problems);
  for (const auto& hop : rows.hops) promise(hop.range.begin.line <= file->line_count(), "hops stand in their file");
  promise(render_text(problems).empty() == problems.empty(), "every diagnostic can be shown");
}

}  // namespace weft::fuzz
