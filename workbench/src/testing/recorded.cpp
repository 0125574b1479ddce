#include "testing/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/packet/decode.h"
#include "weft/packet/difference.h"

namespace weft::workbench::testing {
namespace {

std::string hex(const packet::Bytes& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string described(const packet::Bytes& bytes) { return packet::one_line(packet::decode(bytes)); }

/// A text as JSON writes it.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Frames stand in one line each, so that tools which compare files show what has changed.
std::string to_text(const RecordedCases& cases) {
  std::string text = "{\n  \"version\": 1,\n  \"cases\": {";
  const char* comma = "";
  for (const auto& [name, frames] : cases) {
    text += fmt::format("{}\n    {}: [", comma, quoted(name));
    for (size_t i = 0; i < frames.size(); ++i)
      text += fmt::format("{}\n      {{\"port\": {}, \"frame\": \"{}\", \"is\": {}}}", i == 0 ? "" : ",",
                          frames[i].port, hex(frames[i].bytes), quoted(described(frames[i].bytes)));
    text += frames.empty() ? "]" : "\n    ]";
    comma = ",";
  }
  return text + "\n  }\n}\n";
}

/// The recorded frames of one port, in their order.
std::vector<packet::Bytes> of_port(const std::vector<ExpectedFrame>& frames, unsigned port) {
  std::vector<packet::Bytes> found;
  for (const ExpectedFrame& frame : frames)
    if (frame.port == port) found.push_back(frame.bytes);
  return found;
}

/// What differs in fields that count.
std::string changed_fields(const packet::Bytes& left, const packet::Bytes& right,
                           const std::vector<std::string>& ignored) {
  std::string text;
  for (const packet::FieldDifference& d : packet::differences(left, right))
    if (std::find(ignored.begin(), ignored.end(), d.layer + "." + d.field) == ignored.end())
      text += "      " + packet::to_string({d});
  return text;
}

}  // namespace

Result<RecordedCases> read_recorded(const std::string& path) {
  const auto document = JsonDocument::read(path);
  if (!document) return tl::unexpected(document.error());
  const JsonNode root = document->root();
  Diagnostics out;
  RecordedCases cases;
  if (!root.is_object()) {
    root.wrong(out, "a file with recorded outputs is one object",
               "remove the file and let 'weft test --update' write it");
    return tl::unexpected(std::move(out));
  }
  root.only({"version", "cases"}, out);
  if (root.require("version", out).u64(out, 0, UINT64_MAX, 1) != 1)
    root.get("version").wrong(out, "this version of recorded outputs is not known", "this program reads version 1");
  const JsonNode all = root.require("cases", out);
  if (!all.is_null() && !all.is_object()) all.wrong(out, "'cases' has names in it", "write {\"NAME\": [...]}");
  for (const auto& [name, list] : all.members()) {
    if (!list.is_array())
      list.wrong(out, "the frames of a case are a list", "write [{\"port\": 0, \"frame\": \"...\"}]");
    std::vector<ExpectedFrame>& frames = cases[name];
    for (const JsonNode& node : list.items()) {
      node.only({"port", "frame", "is"}, out);
      const auto port = static_cast<unsigned>(node.require("port", out).u64(out, 0, 255));
      frames.push_back({port, read_frame(node.require("frame", out), {}, {}, out), node.range()});
    }
  }
  if (out.has_errors()) return tl::unexpected(std::move(out));
  return cases;
}

std::optional<std::vector<ExpectedFrame>> recorded_frames(const Case& test, std::vector<Difference>& out) {
  const RecordedFile& file = *test.expect.recorded;
  std::error_code error;
  if (!std::filesystem::exists(file.path, error)) {
    out.push_back({file.range,
                   fmt::format("there is no file {} yet; 'weft test --update' writes it, to be looked at", file.path)});
    return std::nullopt;
  }
  auto cases = read_recorded(file.path);
  if (!cases) {
    out.push_back({file.range, render_text(cases.error())});
    return std::nullopt;
  }
  const auto found = cases->find(test.name);
  if (found != cases->end()) return std::move(found->second);
  out.push_back(
      {file.range, fmt::format("nothing is recorded for '{}' in {}; 'weft test --update' adds it, to be looked at",
                               test.name, file.path)});
  return std::nullopt;
}

std::optional<RecordedOutput> record(Session& session, const Case& test, std::vector<Difference>& out) {
  RecordedOutput now{test.expect.recorded->path, {}, {}};
  std::error_code error;
  RecordedCases cases;
  if (std::filesystem::exists(now.file, error)) {
    auto read = read_recorded(now.file);
    if (!read) {
      out.push_back({test.expect.recorded->range, render_text(read.error())});
      return std::nullopt;
    }
    cases = std::move(*read);
  }
  const auto entry = cases.find(test.name);
  if (entry == cases.end()) now.changes = "    recorded for the first time\n";
  const std::vector<ExpectedFrame> none;
  const auto& old = entry == cases.end() ? none : entry->second;
  unsigned ports = session.ports();
  for (const ExpectedFrame& frame : old) ports = std::max(ports, frame.port + 1);
  for (unsigned port = 0; port < ports; ++port) {
    const auto before = of_port(old, port);
    const auto sent = port < session.ports() ? session.sent(port) : std::vector<Session::SentFrame>();
    for (size_t i = 0; i < std::max(before.size(), sent.size()); ++i) {
      const std::string which = fmt::format("    frame {} from port {}", i + 1, port);
      if (i >= sent.size()) {
        now.changes += fmt::format("{} is gone: {}\n", which, described(before[i]));
        continue;
      }
      packet::Bytes bytes = sent[i].bytes;
      if (i >= before.size()) {
        now.changes += fmt::format("{} is new: {}\n", which, described(bytes));
      } else if (const std::string fields = changed_fields(before[i], bytes, test.expect.ignored); !fields.empty()) {
        now.changes += fmt::format("{} has changed:\n{}", which, fields);
      } else {
        bytes = before[i];
      }
      now.frames.push_back({port, std::move(bytes)});
    }
  }
  return now;
}

}  // namespace weft::workbench::testing

namespace weft::workbench {

using namespace testing;

Result<std::vector<std::string>> write_recorded(const TestRun& run) {
  struct File {
    bool changed = false;
    std::map<std::string, const CaseOutcome*> cases;
  };
  std::map<std::string, File> files;
  for (const CaseOutcome& outcome : run.outcomes) {
    if (!outcome.recorded || !is_good(outcome.verdict)) continue;
    File& file = files[outcome.recorded->file];
    const auto [other, fresh] = file.cases.emplace(outcome.name, &outcome);
    if (!fresh)
      return fail("test-recorded", whole_file(outcome.file),
                  fmt::format("{} would hold '{}' of this file and of {}", outcome.recorded->file, outcome.name,
                              other->second->file),
                  "give one of the tests another name, or another file for what is recorded");
    file.changed = file.changed || !outcome.recorded->changes.empty();
  }
  std::vector<std::string> written;
  for (const auto& [path, file] : files) {
    if (!file.changed) continue;
    RecordedCases cases;
    std::error_code error;
    if (std::filesystem::exists(path, error)) {
      auto read = read_recorded(path);
      if (!read) return tl::unexpected(std::move(read.error()));
      cases = std::move(*read);
    }
    for (const auto& [name, outcome] : file.cases) {
      std::vector<ExpectedFrame>& frames = cases[name];
      frames.clear();
      for (const RecordedOutput::Frame& frame : outcome->recorded->frames)
        frames.push_back({frame.port, frame.bytes, {}});
    }
    if (auto done = write_file(path, to_text(cases)); !done) return tl::unexpected(std::move(done.error()));
    written.push_back(path);
  }
  return written;
}

}  // namespace weft::workbench
