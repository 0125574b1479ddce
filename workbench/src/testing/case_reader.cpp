#include "testing/case_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "project/build.h"
#include "project/defines.h"
#include "testing/fields.h"
#include "testing/generate.h"
#include "testing/invariants.h"
#include "weft/base/limits.h"
#include "weft/base/paths.h"

namespace weft::workbench::testing {
namespace fs = std::filesystem;

/// Of those with one name the last one, which stands in the later level.
template <class T, class Name>
static void keep_last(std::vector<T>& all, Name name) {
  std::unordered_set<std::string> seen;
  std::vector<T> kept;
  for (auto at = all.rbegin(); at != all.rend(); ++at)
    if (seen.insert(name(*at)).second) kept.push_back(std::move(*at));
  all.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

const Level* CaseReader::last_with(const char* name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
    if (level->node.has(name)) return &*level;
  return nullptr;
}

std::vector<JsonNode> CaseReader::list(const JsonNode& parent, const char* name) {
  const JsonNode node = parent.get(name);
  if (!node.is_null() && !node.is_array()) node.wrong(out_, fmt::format("'{}' is a list", name), "write [ ... ]");
  return node.items();
}

void CaseReader::read(Case& to) {
  collect_frames();
  program(to);
  if (const Level* level = last_with("seed")) to.project.seed = row_.number(level->node.get("seed"), out_);
  if (const Level* level = last_with("limit")) {
    const JsonNode limit = level->node.get("limit");
    limit.only({"cycles", "packets", "quiet"}, out_);
    if (limit.has("cycles")) to.project.limits.cycles = row_.number(limit.get("cycles"), out_, 1);
    if (limit.has("packets")) to.project.limits.packets = row_.number(limit.get("packets"), out_, 1);
    if (limit.has("quiet")) to.project.limits.quiet_cycles = row_.number(limit.get("quiet"), out_, 1);
  }
  to.checks = *parse_check_modes("warn");
  if (const Level* level = last_with("check")) {
    const JsonNode node = level->node.get("check");
    const auto modes = parse_check_modes(row_.text(node, out_));
    if (modes)
      to.checks = *modes;
    else
      node.wrong(out_, modes.error().list().front().text, modes.error().list().front().remedy);
  }
  for (const Level& level : levels_) {
    for (Longwords& words : longwords(level.node.get("set"), false)) to.set.push_back(std::move(words));
  }
  keep_last(to.set, [](const Longwords& words) -> const std::string& { return words.place; });
  frames_in(to);
  random_frames(to);
  for (const JsonNode& line : list(test(), "commands")) {
    const std::string text = row_.text(line, out_);
    to.commands += text + "\n";
    to.command_places.insert(to.command_places.end(),
                             1 + static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), line.range());
  }
  if (test().has("fails")) to.fails = row_.text(test().get("fails"), out_);
  expectations(to);
}

void CaseReader::program(Case& to) {
  static constexpr const char* kKinds[] = {"code", "source", "project"};
  const Level* chosen = nullptr;
  for (auto level = levels_.rbegin(); level != levels_.rend() && chosen == nullptr; ++level) {
    const auto count =
        std::count_if(std::begin(kKinds), std::end(kKinds), [&](const char* kind) { return level->node.has(kind); });
    if (count > 1) level->node.wrong(out_, "a test runs one thing", "name 'code', 'source' or 'project'");
    if (count > 0) chosen = &*level;
  }
  if (chosen == nullptr) {
    test().wrong(out_, "nothing says what this test runs",
                 "add \"code\" (lines of microcode), \"source\" (a file) or \"project\" (a weft.json)");
  } else if (chosen->node.has("project")) {
    existing_project(to, *chosen);
  } else {
    generated_program(to, *chosen);
  }
}

void CaseReader::generated_program(Case& to, const Level& level) {
  Project& project = to.project;
  project.folder = levels_.back().folder;
  project.name = to.name;
  project.board = board("generic-2400");
  project.board_range = board_range();
  ProgramEntry entry;
  entry.engines = {0};
  if (level.node.has("source")) {
    const JsonNode node = level.node.get("source");
    entry.file = level.folder / row_.text(node, out_);
    entry.range = node.range();
  } else {
    inline_code(entry, level.node.get("code"), to.name);
  }
  definitions(entry);
  for (const Level& l : levels_) {
    for (const JsonNode& dir : list(l.node, "include")) entry.include_dirs.push_back(l.folder / dir.string(out_));
    for (const auto& [name, value] : l.node.get("constants").members())
      project.constants[name] = row_.number(value, out_, 0, UINT32_MAX);
  }
  entry.include_dirs.push_back(level.folder);
  if (const Level* l = last_with("case_sensitive")) entry.case_sensitive = l->node.get("case_sensitive").boolean(out_);
  project.programs.push_back(std::move(entry));
  project.limits.cycles = 100'000;
  contexts(to);
  if (last_with("override") != nullptr)
    test().wrong(out_, "'override' changes values of a project, and this test runs none");
}

void CaseReader::inline_code(ProgramEntry& entry, const JsonNode& node, const std::string& test) {
  std::string text;
  if (node.is_array()) {
    for (const JsonNode& line : node.items()) {
      text += written(line) + "\n";
      if (text.size() <= limits::kSourceBytes) continue;
      out_.error("input-limit", line.range(),
                 fmt::format("the program has more than {} MiB", limits::kSourceBytes >> 20),
                 "take shorter values of the row, or fewer lines");
      break;
    }
  } else {
    text = written(node) + "\n";
  }
  // The end is a place to stop at; it is not executed.
  text += fmt::format("{}:\nctx_arb[bpt]\nnop\n", kEndLabel);
  // Below the test file, which is not a folder, so that no file can have this name: coverage and mutants leave it out.
  std::string name = test;
  std::replace(name.begin(), name.end(), '/', '_');
  entry.file = fmt::format("{}/{}.uc", levels_.back().document->source()->name(), name);
  entry.text = std::move(text);
  const fs::path& folder = levels_.back().folder;
  entry.text_folder = folder.empty() ? "." : folder;
  entry.range = node.range();
}

void CaseReader::definitions(ProgramEntry& entry) {
  for (const Level& level : levels_)
    for (const auto& [name, value] : level.node.get("define").members())
      add_define(entry, name, row_.text(value, out_), value, out_);
  keep_last(entry.defines, [](const auto& define) -> const std::string& { return define.first; });
}

void CaseReader::contexts(Case& to) {
  to.contexts = 1;
  const Level* level = last_with("contexts");
  if (level == nullptr) return;
  const JsonNode node = level->node.get("contexts");
  to.contexts = static_cast<unsigned>(row_.number(node, out_, 1, 255));
  auto board = board_of(to.project);
  if (!board) {
    out_.append(std::move(board.error()));
    return;
  }
  const emulator::ChipDescription& chip = board->chips.front().chip;
  if (to.contexts >> chip.contexts != 0)
    node.wrong(out_,
               fmt::format("{} has {} contexts, and {:#x} names others too", chip.name, chip.contexts, to.contexts),
               fmt::format("bit c is context c: write 1 to {:#x}", (1u << chip.contexts) - 1));
}

std::string CaseReader::written(const JsonNode& node) {
  if (node.is_string()) return row_.text(node, out_);
  node.wrong(out_, "a text is expected here");
  return {};
}

std::string CaseReader::board(std::string fallback) {
  if (!board_.empty()) return row_.name(board_, last_with("board")->node.get("board").range(), out_);
  const Level* level = last_with("board");
  return level == nullptr ? std::move(fallback) : written(level->node.get("board"));
}

SourceRange CaseReader::board_range() const {
  const Level* level = last_with("board");
  return level == nullptr ? SourceRange{} : level->node.get("board").range();
}

void CaseReader::existing_project(Case& to, const Level& level) {
  const JsonNode node = level.node.get("project");
  const fs::path path = level.folder / row_.text(node, out_);
  Overrides overrides;
  for (const Level& l : levels_)
    for (const auto& [name, value] : l.node.get("override").members()) {
      overrides.set.emplace_back(name,
                                 value.is_object() || value.is_array() ? value.raw().dump() : row_.text(value, out_));
      overrides.set_places[name] = value.range();
    }
  // As in all files, a board that is a path begins at the file that names it; in a project that is the project's
  // folder.
  if (const std::string chosen = board({}); !chosen.empty()) {
    const bool is_path = chosen.find('/') != std::string::npos || chosen.ends_with(".json");
    overrides.set.emplace_back("board",
                               is_path ? tidy(fs::absolute(last_with("board")->folder / chosen)).string() : chosen);
    overrides.set_places["board"] = board_range();
  }
  to.project_file = path.string();
  auto project = load_project(path.string(), overrides);
  if (project) {
    to.project = std::move(*project);
    return;
  }
  out_.append(project.error().changed([&](Diagnostic& d) {
    d.notes.push_back({node.range(), "the test names the project here"});
  }));
}

/// Whether a number alone, also one as JSON writes it (1e300), has more bits than a longword. What any other expression
/// is, shows when it is evaluated.
static bool is_beyond_longword(const std::string& text) {
  const size_t first = text.find_first_not_of(" -");
  if (first == std::string::npos || !std::isdigit(static_cast<unsigned char>(text[first]))) return false;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);  // takes 0x too
  return std::string_view(end).find_first_not_of(' ') == std::string_view::npos &&
         (value < double{INT32_MIN} || value > double{UINT32_MAX});
}

std::string CaseReader::longword(const JsonNode& node) {
  std::string text = row_.text(node, out_);
  if (is_beyond_longword(text))
    out_.error("test-number", node.range(), fmt::format("'{}' has more than the 32 bits of a longword", text),
               "write a list, one value for each longword of a memory");
  return text;
}

std::vector<Longwords> CaseReader::longwords(const JsonNode& object, bool masks) {
  std::vector<Longwords> all;
  for (const auto& [written, node] : object.members()) {
    Longwords words{row_.name(written, node.range(), out_), {}, 0xffffffff, node.range()};
    JsonNode value = node;
    if (node.is_object()) {
      if (!masks) {
        node.wrong(out_, "what is set is a value or a list of them", "write 5 or [1, 2]; \"is\" is for \"expect\"");
        continue;
      }
      node.only({"is", "mask"}, out_);
      value = node.require("is", out_);
      if (node.has("mask")) words.mask = static_cast<uint32_t>(row_.number(node.get("mask"), out_, 0, UINT32_MAX));
    }
    if (value.is_array()) {
      for (const JsonNode& one : value.items()) words.values.push_back(longword(one));
    } else {
      words.values.push_back(longword(value));
    }
    all.push_back(std::move(words));
  }
  return all;
}

Amount CaseReader::amount(const JsonNode& node) {
  Amount a;
  a.range = node.range();
  if (!node.is_object()) {
    a.min = a.max = row_.number(node, out_);
    return a;
  }
  node.only({"least", "most"}, out_);
  if (node.has("least")) a.min = row_.number(node.get("least"), out_);
  if (node.has("most")) a.max = row_.number(node.get("most"), out_);
  if (a.min > a.max) node.wrong(out_, fmt::format("no number is at least {} and at most {}", a.min, a.max));
  return a;
}

std::map<std::string, Amount> CaseReader::amounts(const JsonNode& object) {
  std::map<std::string, Amount> all;
  for (const auto& [name, node] : object.members()) all[row_.name(name, node.range(), out_)] = amount(node);
  return all;
}

void CaseReader::random_frames(Case& to) {
  if (!test().has("generate")) return;
  const JsonNode node = test().get("generate");
  if (to.project_file.empty())
    node.wrong(out_, "'generate' makes frames for the ports of a project, and this test runs none",
               "name a \"project\"");
  if (test().has("in")) node.wrong(out_, "'in' and 'generate' both say which frames enter", "leave one of the two out");
  if (test().has("steps"))
    node.wrong(out_, "'steps' and 'generate' both say which frames enter", "leave one of the two out");
  to.generator = FrameGenerator::read(node, frames_, row_, written_test(), out_);
  if (to.generator)
    for (const JsonNode& port : node.get("ports").items()) entry_of_port(to.project, port, port.range());
  to.project.keep_frames = true;
}

/// The test itself, as it would be written without a table and for one board.
nlohmann::json CaseReader::written_test() {
  nlohmann::json written = test().raw();
  for (const char* name : {"generate", "rows", "expect", "fails", "seed"}) written.erase(name);
  if (!board_.empty()) written["board"] = board_;
  const std::function<void(nlohmann::json&)> put_in = [&](nlohmann::json& value) {
    if (value.is_string())
      value = row_.name(value.get<std::string>(), test().range(), out_);
    else if (value.is_structured())
      for (nlohmann::json& part : value) put_in(part);
  };
  put_in(written);
  return written;
}

void CaseReader::expectations(Case& to) {
  const JsonNode node = test().get("expect");
  if (node.is_null() && to.fails.empty() && !test().has("steps")) {
    test().wrong(out_, "nothing is expected of this test", "add \"expect\"");
    return;
  }
  to.expect = expected(node, levels_.back().folder);
  if (node.has("invariants") && to.project_file.empty())
    node.get("invariants").wrong(out_, "invariants are of projects, and this test runs none", "name a \"project\"");
  for (const Invariant& one : to.expect.invariants)
    if (one.kind == Invariant::Kind::order && to.generator && !to.generator->can_stamp())
      node.get("invariants")
          .wrong(out_, "no frame of \"generate\" has room for the mark by which order is seen",
                 "add a frame of layers with udp and, after it, a payload of 10 octets or more");
}

Expectations CaseReader::expected(const JsonNode& node, const fs::path& folder) {
  node.only({"values", "out", "recorded", "ignore", "drops", "exceptions", "instructions", "cycles", "invariants"},
            out_);
  Expectations e;
  e.values = longwords(node.get("values"), true);
  e.ignored = ignored(node);
  if (node.has("out")) frames_out(e, node, folder);
  if (node.has("recorded")) recorded_out(e, node);
  if (node.has("drops")) e.drops = amounts(node.get("drops"));
  if (node.has("exceptions")) e.exceptions = amounts(node.get("exceptions"));
  if (node.has("instructions")) e.instructions = amount(node.get("instructions"));
  if (node.has("cycles")) e.cycles = amount(node.get("cycles"));
  for (const JsonNode& one : list(node, "invariants")) read_invariant(one, row_, e.invariants, out_);
  return e;
}

}  // namespace weft::workbench::testing
