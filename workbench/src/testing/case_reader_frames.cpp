// Frames of a case: those that enter, those that are expected, and those with a name.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "testing/case_reader.h"
#include "testing/fields.h"
#include "testing/times.h"
#include "weft/base/limits.h"
#include "weft/base/paths.h"
#include "weft/packet/pcap.h"

namespace weft::workbench::testing {
namespace fs = std::filesystem;

void CaseReader::collect_frames() {
  for (const Level& level : levels_)
    for (const auto& [name, node] : level.node.get("frames").members()) frames_[name] = {node, level.document};
  name_frames(test(), *levels_.back().document);
}

void CaseReader::name_frames(const JsonNode& parent, const JsonDocument& document) {
  for (const JsonNode& node : parent.get("in").items())
    if (node.has("name") && node.has("frame"))
      frames_[row_.text(node.get("name"), out_)] = {node.get("frame"), &document};
}

uint64_t CaseReader::nanoseconds(const JsonNode& node) { return read_nanoseconds(node, row_, out_); }

void CaseReader::frames_in(Case& to) {
  if (test().has("steps")) {
    steps(to);
  } else {
    if (test().has("in"))
      for (PortEntry& port : to.project.ports) port.in = {};
    enter(to, list(test(), "in"), 0, levels_.back().folder);
  }
  for (PortEntry& port : to.project.ports)
    std::stable_sort(port.in.frames.begin(), port.in.frames.end(),
                     [](const auto& a, const auto& b) { return a.nanoseconds < b.nanoseconds; });
  to.project.keep_frames = true;
}

PortEntry& CaseReader::entry_of_port(Project& project, const JsonNode& port, const SourceRange& place) {
  const auto number = static_cast<unsigned>(row_.number(port, out_, 0, 255));
  const auto found = std::ranges::find(project.ports, number, &PortEntry::port);
  return found != project.ports.end() ? *found : project.ports.emplace_back(PortEntry{number, {}, {}, place});
}

uint64_t CaseReader::enter(Case& to, const std::vector<JsonNode>& frames, uint64_t begin, const fs::path& folder) {
  uint64_t last = begin;
  for (const JsonNode& node : frames) {
    node.only({"port", "at", "every", "frame", "pcap", "skip", "count", "name", "damaged", "times"}, out_);
    PortEntry& port = entry_of_port(to.project, node.require("port", out_), node.range());
    if (node.has("frame") == node.has("pcap")) {
      node.wrong(out_, "what enters is either one 'frame' or the frames of a 'pcap'", "name one of the two");
      continue;
    }
    port.in.kind = TrafficEntry::Kind::listed;
    const uint64_t at = begin + (node.has("at") ? nanoseconds(node.get("at")) : 0);
    for (const char* name : {"skip", "count"})
      if (node.has(name) && !node.has("pcap"))
        node.get(name).wrong(out_, fmt::format("'{}' chooses packets of a 'pcap'", name),
                             "name a pcap, or leave it out");
    if (node.has("pcap")) {
      enter_capture(port.in, node, at, folder);
      if (!port.in.frames.empty()) last = std::max(last, port.in.frames.back().nanoseconds);
      continue;
    }
    ListedFrame frame{at, read_frame(node.get("frame"), frames_, row_, out_), is_damaged(node)};
    const uint64_t count = times(node), apart = every(node);
    if (!has_room(node, frame.bytes.size(), count)) return last;
    for (uint64_t i = 0; i < count; ++i, frame.nanoseconds += apart) port.in.frames.push_back(frame);
    if (!port.in.frames.empty()) last = std::max(last, port.in.frames.back().nanoseconds);
  }
  return last;
}

void CaseReader::enter_capture(TrafficEntry& to, const JsonNode& node, uint64_t at, const fs::path& folder) {
  const fs::path file = folder / row_.text(node.get("pcap"), out_);
  const auto packets = packet::read_pcap(file.string());
  if (!packets) {
    out_.append(packets.error());
    return;
  }
  const uint64_t skip = node.has("skip") ? row_.number(node.get("skip"), out_) : 0;
  const uint64_t count = node.has("count") ? row_.number(node.get("count"), out_, 1) : packets->size();
  if (skip >= packets->size())
    node.wrong(out_, fmt::format("{} has {} packets, and {} are left out", file.string(), packets->size(), skip),
               "a test without a frame would test nothing");
  const bool damaged = is_damaged(node);
  const uint64_t apart = every(node);
  for (uint64_t turn = times(node); turn > 0; --turn) {
    for (uint64_t i = skip; i < packets->size() && i - skip < count; ++i, at += apart) {
      const packet::Bytes& bytes = (*packets)[i].bytes;
      if (!has_room(node, bytes.size())) return;
      to.frames.push_back({at, bytes, damaged});
    }
  }
}

uint64_t CaseReader::times(const JsonNode& node) {
  return node.has("times") ? row_.number(node.get("times"), out_, 1, 1'000'000) : 1;
}

uint64_t CaseReader::every(const JsonNode& node) { return node.has("every") ? nanoseconds(node.get("every")) : 0; }

bool CaseReader::is_damaged(const JsonNode& node) {
  return node.has("damaged") && row_.boolean(node.get("damaged"), out_);
}

bool CaseReader::has_room(const JsonNode& node, uint64_t bytes, uint64_t count) {
  const bool full = frame_bytes_ > limits::kTestFrameBytes;  // then it has been said
  frame_bytes_ += count * (bytes + limits::kFrameCost);
  if (frame_bytes_ <= limits::kTestFrameBytes) return true;
  if (!full)
    out_.error("input-limit", node.range(),
               fmt::format("the frames of this test need more than {} MiB, with {} bytes more for each",
                           limits::kTestFrameBytes >> 20, limits::kFrameCost),
               "list fewer frames, or let a project generate them");
  return false;
}

void CaseReader::recorded_out(Expectations& to, const JsonNode& expect) {
  const JsonNode node = expect.get("recorded");
  const fs::path file = levels_.back().folder / row_.text(node, out_);
  if (expect.has("out"))
    node.wrong(out_, "'out' and 'recorded' both say which frames leave", "leave one of the two out");
  if (!file.filename().string().ends_with(".json") || file.filename().string().ends_with(".test.json"))
    node.wrong(out_, fmt::format("'{}' is not a name for a file with recorded outputs", file.filename().string()),
               "it ends in .json, and not in .test.json, as test files do");
  to.recorded = RecordedFile{tidy(file).string(), node.range()};
}

/// "ipv4.ttl": 63, "mpls#2.label": 17, "ipv4.tos": {"is": "0xb8", "mask": "0xfc"}.
std::vector<ExpectedField> CaseReader::fields_of(const JsonNode& node) {
  std::vector<ExpectedField> all;
  if (node.members().empty())
    node.wrong(out_, "no field is named, so that any frame would do", "write {\"ipv4.ttl\": 63}");
  for (const auto& [name, value] : node.members()) {
    auto named = read_field_name(name, value, out_);
    if (!named) continue;
    ExpectedField& field = *named;
    if (value.is_object()) value.only({"is", "mask"}, out_);
    const JsonNode is = value.is_object() ? value.require("is", out_) : value;
    if (value.is_object() && value.has("mask")) field.mask = row_.number(value.get("mask"), out_);
    if (field.mask || row_.value(is, out_).is_number())
      field.value = std::to_string(row_.number(is, out_));
    else
      field.value = row_.text(is, out_);
    all.push_back(std::move(field));
  }
  return all;
}

std::vector<std::string> CaseReader::ignored(const JsonNode& expect) {
  std::vector<std::string> all;
  for (const JsonNode& node : list(expect, "ignore")) {
    if (is_enough(out_, node.range())) break;
    const size_t before = out_.size();
    const std::string name = row_.text(node, out_);
    if (out_.size() > before) continue;
    if (name == kOtherOctets)
      all.push_back(name);
    else if (const auto field = read_field_name(name, node, out_))
      all.push_back(name_of(*field));
  }
  return all;
}

void CaseReader::capture_out(Expectations& to, const JsonNode& node, unsigned port, const fs::path& folder) {
  for (const char* name : {"after", "before"})
    if (node.has(name))
      node.get(name).wrong(out_, fmt::format("'{}' is of one 'frame'", name),
                           "list the frame whose time counts by itself");
  const auto packets = packet::read_pcap((folder / row_.text(node.get("pcap"), out_)).string());
  if (!packets) {
    out_.append(packets.error());
    return;
  }
  for (uint64_t turn = times(node); turn > 0; --turn) {
    for (const packet::CapturedPacket& p : *packets) {
      if (!has_room(node, p.bytes.size())) return;
      to.out->push_back({port, p.bytes, node.range()});
    }
  }
}

void CaseReader::frames_out(Expectations& to, const JsonNode& expect, const fs::path& folder) {
  to.out.emplace();
  for (const JsonNode& node : list(expect, "out")) {
    node.only({"port", "frame", "fields", "pcap", "times", "after", "before"}, out_);
    const auto port = static_cast<unsigned>(row_.number(node.require("port", out_), out_, 0, 255));
    if (node.has("frame") + node.has("pcap") + node.has("fields") != 1) {
      node.wrong(out_, "what leaves is one 'frame', 'fields' of one, or the frames of a 'pcap'",
                 "name one of the three");
      continue;
    }
    if (node.has("pcap")) {
      capture_out(to, node, port, folder);
      continue;
    }
    ExpectedFrame frame{port, {}, node.range()};
    if (node.has("fields"))
      frame.fields = fields_of(node.get("fields"));
    else
      frame.bytes = read_frame(node.get("frame"), frames_, row_, out_);
    if (node.has("after")) frame.after = nanoseconds(node.get("after"));
    if (node.has("before")) frame.before = nanoseconds(node.get("before"));
    if (frame.after && frame.before && *frame.after >= *frame.before)
      node.wrong(out_, "no moment is later than 'after' and earlier than 'before'");
    const uint64_t count = times(node);
    if (!has_room(node, frame.bytes.size(), count)) return;
    for (uint64_t i = 0; i < count; ++i) to.out->push_back(frame);
  }
}

}  // namespace weft::workbench::testing
