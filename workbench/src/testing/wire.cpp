#include "testing/wire.h"

#include <nlohmann/json.hpp>

namespace weft::workbench::testing {
namespace {

using nlohmann::json;

json to_json(const SourceCoverage& coverage) {
  json files = json::object();
  for (const auto& [name, file] : coverage.files) {
    json lines = json::array(), words = json::array(), functions = json::array();
    for (const auto& [line, count] : file.lines) lines.push_back({line, count});
    for (const auto& [place, w] : file.words)
      words.push_back({place.first, place.second, w.executed, w.conditional, w.taken, w.not_taken});
    for (const auto& [label, f] : file.functions) functions.push_back({label, f.line, f.executed});
    files[name] = {{"lines", std::move(lines)}, {"words", std::move(words)}, {"functions", std::move(functions)}};
  }
  return files;
}

SourceCoverage coverage_of(const json& files) {
  SourceCoverage coverage;
  for (const auto& [name, from] : files.items()) {
    SourceCoverage::File& file = coverage.files[name];
    for (const json& l : from.at("lines")) file.lines[l.at(0)] = l.at(1);
    for (const json& w : from.at("words")) file.words[{w.at(0), w.at(1)}] = {w.at(2), w.at(3), w.at(4), w.at(5)};
    for (const json& f : from.at("functions")) file.functions[f.at(0)] = {f.at(1), f.at(2)};
  }
  return coverage;
}

}  // namespace

std::string to_wire(const CaseOutcome& o) {
  json recorded;
  if (o.recorded) {
    json frames = json::array();
    for (const auto& frame : o.recorded->frames) frames.push_back({frame.port, frame.bytes});
    recorded = {{"file", o.recorded->file}, {"frames", std::move(frames)}, {"changes", o.recorded->changes}};
  }
  json wire{{"verdict", static_cast<int>(o.verdict)},
            {"text", o.text},
            {"instructions", o.instructions},
            {"cycles", o.cycles},
            {"seconds", o.seconds},
            {"coverage", to_json(o.coverage)},
            {"recorded", std::move(recorded)}};
  if (o.seed) wire["seed"] = *o.seed;
  for (const CaseFailure& f : o.failures) wire["failures"].push_back({f.file, f.at.line, f.at.column, f.text});
  return wire.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string to_wire(const std::vector<std::string>& files) {
  return json(files).dump(-1, ' ', false, json::error_handler_t::replace);
}

void add_from_wire(const std::string& text, std::set<std::string>& files) {
  const json names = json::parse(text, nullptr, false);
  if (!names.is_array()) return;
  for (const json& name : names)
    if (name.is_string()) files.insert(name.get<std::string>());
}

std::string to_wire(const AssembledImage& image) {
  return json{{"key", image.key}, {"files", image.files}, {"image", image::to_json(image.image)}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
}

void add_from_wire(const std::string& text, ImageStore& store) {
  const json wire = json::parse(text, nullptr, false);
  if (!wire.is_object() || !wire.contains("image")) return;
  auto read = image::from_json(make_source("image", wire.at("image").get<std::string>()));
  if (read)
    store.keep({wire.at("key").get<std::string>(), std::move(*read), wire.at("files").get<std::vector<std::string>>()});
}

bool from_wire(const std::string& text, CaseOutcome& o) {
  const json wire = json::parse(text, nullptr, false);
  if (wire.is_discarded() || !wire.is_object()) return false;
  try {
    o.verdict = static_cast<Verdict>(wire.at("verdict").get<int>());
    o.text = wire.at("text");
    o.instructions = wire.at("instructions");
    o.cycles = wire.at("cycles");
    o.seconds = wire.at("seconds");
    if (wire.contains("seed")) o.seed = wire.at("seed").get<uint64_t>();
    if (wire.contains("failures"))
      for (const json& f : wire.at("failures")) o.failures.push_back({f.at(0), {f.at(1), f.at(2)}, f.at(3)});
    o.coverage = coverage_of(wire.at("coverage"));
    const json& recorded = wire.at("recorded");
    if (recorded.is_null()) return true;
    RecordedOutput& to = o.recorded.emplace();
    to.file = recorded.at("file");
    to.changes = recorded.at("changes");
    for (const json& frame : recorded.at("frames")) to.frames.push_back({frame.at(0), frame.at(1)});
  } catch (const json::exception&) {
    return false;
  }
  return true;
}

}  // namespace weft::workbench::testing
