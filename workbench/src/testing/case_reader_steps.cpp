// The steps of a sequence: frames and commands get their times by the "run" steps before them, so that the whole
// sequence is known before it begins and is the same on every host.
#include <fmt/format.h>

#include "testing/case_reader.h"
#include "testing/shapes.h"
#include "weft/base/paths.h"

namespace weft::workbench::testing {
namespace {

/// Nanoseconds of a sequence: an hour of the chip, which no host executes in the time of a test.
constexpr uint64_t kLongest = 3'600'000'000'000;

constexpr const char* kStepKinds =
    "a step is one of {\"in\": [...]}, {\"command\": \"...\"}, {\"run\": \"50us\"} and {\"expect\": {...}}";

}  // namespace

std::vector<JsonNode> CaseReader::step_list(std::filesystem::path& folder) {
  JsonNode node = test().get("steps");
  if (node.is_string()) {
    const std::filesystem::path path = tidy(folder / row_.text(node, out_));
    auto document = JsonDocument::read(path.string());
    if (!document) {
      out_.append(document.error().changed([&](Diagnostic& d) {
        d.notes.push_back({node.range(), "the test names its steps here"});
      }));
      return {};
    }
    steps_document_ = std::make_unique<JsonDocument>(std::move(*document));
    folder = path.parent_path();
    const JsonNode root = steps_document_->root();
    if (!root.is_object()) {
      root.wrong(out_, "a file of steps is one object", "write {\"version\": 1, \"steps\": [...]}");
      return {};
    }
    root.only({"version", "description", "steps"}, out_);
    (void)root.get("description").string(out_, "");
    if (root.require("version", out_).u64(out_, 0, UINT64_MAX, 1) != 1)
      root.get("version").wrong(out_, "this version of step files is not known", "this program reads version 1");
    if (!root.has("steps")) {
      root.require("steps", out_);
      return {};
    }
    node = root.get("steps");
  }
  if (!node.is_array())
    node.wrong(out_, "'steps' is a list, or the name of a file with one",
               "write [{\"run\": \"50us\"}, ...] or \"FILE.json\"");
  else if (node.items().empty())
    node.wrong(out_, "there is no step in this list", kStepKinds);
  return node.items();
}

void CaseReader::steps(Case& to) {
  if (to.project_file.empty())
    test().get("steps").wrong(out_, "'steps' are of a project, and this test runs a program of its own",
                              "name a \"project\", or use \"set\" and \"expect\"");
  for (const char* name : {"in", "commands", "limit"})
    if (test().has(name))
      test().get(name).wrong(out_, fmt::format("'{}' has no time in a test with 'steps'", name),
                             "make it a step: {\"in\": [...]}, {\"command\": \"...\"}, {\"run\": \"50us\"}");
  std::filesystem::path folder = levels_.back().folder;
  const std::vector<JsonNode> list = step_list(folder);
  for (PortEntry& port : to.project.ports) port.in = {};
  // Quiet and packets end no sequence: it ends after its last step.
  to.project.limits = {0, 0, UINT64_MAX};
  uint64_t now = 0;
  size_t number = 0;
  std::vector<std::pair<uint64_t, JsonNode>> begun;  // what needs time after it
  for (const JsonNode& step : list) {
    ++number;
    if (!step.is_object() || step.members().size() != 1) {
      step.wrong(out_, "this is not a step", kStepKinds);
      continue;
    }
    step.only({"in", "command", "run", "expect"}, out_);
    check_shapes(step, out_);
    if (step.has("run")) {
      const uint64_t time = nanoseconds(step.get("run"));
      if (time == 0 || time > kLongest - now)
        step.wrong(out_, time == 0 ? "a run takes time" : "the steps take more than an hour of the chip",
                   "write for example {\"run\": \"50us\"}");
      else
        now += time;
    } else if (step.has("in")) {
      if (step.get("in").is_array() && step.get("in").items().empty())
        step.wrong(out_, "no frame enters in this step",
                   "write [{\"port\": 0, \"frame\": ...}], or leave the step out");
      name_frames(step, steps_document_ ? *steps_document_ : *levels_.back().document);
      const uint64_t last = enter(to, step.get("in").items(), now, folder);
      begun.emplace_back(last, step);
    } else if (step.has("command")) {
      const std::string line = row_.text(step.get("command"), out_);
      if (line.find_first_not_of(" \t") == std::string::npos || line.find('\n') != std::string::npos)
        step.wrong(out_, "a command is one line", "write for example {\"command\": \"route del 10.0.0.0/8\"}");
      else if (line.starts_with("at "))
        step.wrong(out_, "the steps say when a command is given",
                   "leave 'at ...:' out, and put a {\"run\": \"50us\"} in front");
      to.step_commands.push_back({now, line, step.get("command").range()});
      begun.emplace_back(now, step);
    } else if (step.has("expect")) {
      const JsonNode node = step.get("expect");
      if (node.has("recorded"))
        node.get("recorded")
            .wrong(out_, "outputs are recorded for a whole test",
                   "write \"expect\": {\"recorded\": FILE} beside \"steps\"");
      to.expect_steps.push_back({number, now, node.range(), expected(node, folder)});
    }
  }
  if (now == 0 && !out_.has_errors())
    test().get("steps").wrong(out_, "no time passes in these steps", "add a step {\"run\": \"50us\"}");
  to.steps_end = now;
  if (to.expect_steps.empty() && test().get("expect").is_null() && to.fails.empty())
    test().get("steps").wrong(out_, "nothing is expected in these steps",
                              "add a step {\"expect\": {...}}, or \"expect\" beside \"steps\"");
  for (const auto& [time, step] : begun)
    if (now > 0 && time >= now)
      step.wrong(out_, fmt::format("this is to happen at {} ns, and the steps end at {} ns", time, now),
                 "let time pass in a step after it: {\"run\": \"50us\"}");
}

}  // namespace weft::workbench::testing
