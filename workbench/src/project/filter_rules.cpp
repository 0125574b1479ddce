#include "project/filter_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace weft::workbench {

namespace {

struct Store {
  std::string_view name;
  std::string_view where;
  std::string_view import;
};
/// In the order of FILTER_STORE, which begins at 1 (lib/microblocks/filter/filter.uc).
constexpr std::array kStores{
    Store{"sram", "in SRAM", "i$filter_store_sram"},
    Store{"local", "in local memory", "i$filter_store_local"},
    Store{"compiled", "compiled into it", "i$filter_store_compiled"},
};

/// As the project would name it.
std::string from_project(const Project& project, const std::filesystem::path& file) {
  return file.lexically_proximate(project.folder).generic_string();
}

/// Comments name the file and its lines; the same rules may stand in another one.
std::string without_comments(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    out += line.substr(0, line.find("//"));
    out += '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string defined_store(const Project& project) {
  for (const ProgramEntry& entry : project.programs)
    for (const auto& [name, value] : entry.defines)
      if (name == "FILTER_STORE") return value;
  return {};
}

void check_rules(const Project& project, size_t number, const image::Image& image, const std::string& compiled,
                 const control::RulesSetup& rules, Diagnostics& out) {
  const auto own = std::ranges::find_if(
      kStores, [&](const Store& s) { return std::ranges::find(image.imports, s.import) != image.imports.end(); });
  const auto asked = std::ranges::find(kStores, rules.store, &Store::name);
  if (own == kStores.end() || asked == kStores.end()) return;
  const ProgramEntry& entry = project.programs[number];
  const auto note = [&](Diagnostic& d) {
    if (rules.place.begin.line != 0) d.notes.push_back({rules.place, "the control program's rules are named here"});
  };
  if (own != asked) {
    std::string set = fmt::format("--set programs.{}.define.FILTER_STORE={}", number, asked - kStores.begin() + 1);
    if (asked->name == "compiled" && entry.rules.empty())
      set += fmt::format(" --set programs.{}.rules={}", number,
                         rules.file.empty() ? "FILE" : from_project(project, rules.file));
    note(out.error("project-rules", entry.range,
                   fmt::format("this program has its rules {}, but the rule store of the control program is {}",
                               own->where, asked->name),
                   fmt::format("build the program for that store: {}; or give the control program the store {}: --set "
                               "control.options.store={}",
                               set, own->name, own->name)));
    return;
  }
  if (own->name != "compiled") return;
  if (entry.rules.empty()) {
    out.error(
        "project-rules", entry.range,
        "the rules compiled into this Image can be neither compared with those of the control program nor replaced",
        "name its source, with \"rules\"");
    return;
  }
  if (without_comments(compiled) == without_comments(rules.compiled)) return;
  const std::string theirs =
      rules.file.empty() ? "has none and accepts everything" : fmt::format("has those of {}", rules.file);
  const std::string same = rules.file.empty() ? "leave FILTER_STORE and \"rules\" of the program out"
                                              : fmt::format("take the same for the program: --set programs.{}.rules={}",
                                                            number, from_project(project, rules.file));
  note(out.error("project-rules", entry.rules_range,
                 fmt::format("the rules of {} are compiled into {}, but the control program {}", entry.rules.string(),
                             entry.file.string(), theirs),
                 fmt::format("{}; or for the control program: {}", same, rules.remedy)));
}

}  // namespace weft::workbench
