#include "recording/manifest.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "recording/archive.h"
#include "recording/contents.h"
#include "weft/base/binary.h"
#include "weft/base/json.h"

namespace weft::workbench {
namespace {

constexpr const char* kFormat = "weft-recording";
constexpr uint64_t kVersion = 3;

using Json = nlohmann::ordered_json;

std::string hex(uint64_t value) { return fmt::format("{:#018x}", value); }

Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
  Json out = Json::array();
  for (const auto& [key, value] : list) out.push_back({key, value});
  return out;
}
Json ports(const std::vector<std::pair<unsigned, std::string>>& list) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [port, name] : list)
    out.emplace_back(std::to_string(port), name == "-" ? name : std::filesystem::absolute(name).string());
  return pairs(out);
}

std::vector<std::pair<std::string, std::string>> read_pairs(const JsonNode& list, Diagnostics& out) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const JsonNode& item : list.items())
    if (const auto parts = item.items(); parts.size() == 2)
      pairs.emplace_back(parts[0].string(out), parts[1].string(out));
    else
      item.wrong(out, "a pair is expected");
  return pairs;
}
std::vector<std::pair<unsigned, std::string>> read_ports(const JsonNode& list, Diagnostics& out) {
  std::vector<std::pair<unsigned, std::string>> ports;
  for (const auto& [port, name] : read_pairs(list, out))
    ports.emplace_back(static_cast<unsigned>(std::strtoul(port.c_str(), nullptr, 10)), name);
  return ports;
}

}  // namespace

Manifest::Part part_of(std::string_view bytes) {
  uint64_t hash = kHashStart;
  size_t at = 0;
  for (uint64_t word = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    hash = stored::mix(hash, word);
  }
  for (; at < bytes.size(); ++at) hash = stored::mix(hash, static_cast<unsigned char>(bytes[at]));
  return {bytes.size(), hash};
}

std::string sum_of(std::string_view manifest) { return hex(part_of(manifest).checksum) + "\n"; }

std::string to_json(const Manifest& m) {
  Json out;
  out["format"] = kFormat;
  out["version"] = kVersion;
  out["weft"] = m.info.weft;
  out["layout"] = hex(m.layout);
  out["fingerprint"] = hex(m.fingerprint);
  out["project"] = m.project;
  out["name"] = m.name;
  out["root"] = m.root;
  out["called"] = m.called;
  Json options;
  options["set"] = pairs(m.overrides.set);
  options["in"] = ports(m.overrides.in);
  options["out"] = ports(m.overrides.out);
  if (m.overrides.seed) options["seed"] = *m.overrides.seed;
  out["options"] = options;
  out["commands"] = pairs(m.commands);
  const Observation& o = m.info.observation;
  out["observation"] = {{"coverage", o.coverage},
                        {"history", o.history},
                        {"statistics", o.statistics},
                        {"profile", o.profile},
                        {"packets", o.packets},
                        {"segments", o.history_limits.segments},
                        {"references", o.history_limits.references},
                        {"signals", o.history_limits.signals},
                        {"most-packets", o.packet_limits.packets},
                        {"steps", o.packet_limits.steps},
                        {"tag-pages", o.packet_limits.tag_pages},
                        {"frames", o.packet_limits.frames},
                        {"writes", o.packet_limits.writes},
                        {"queue-changes", o.packet_limits.queue_changes}};
  out["end"] = {{"cycle", m.info.cycle},
                {"stop", m.info.stop},
                {"state", hex(m.state)},
                {"checkpoints", m.info.checkpoints},
                {"lost", m.info.lost}};
  Json parts;
  for (const auto& [name, part] : m.parts) parts[name] = {{"bytes", part.bytes}, {"checksum", hex(part.checksum)}};
  out["parts"] = parts;
  return out.dump(2) + "\n";
}

Result<Manifest> read_manifest(const std::string& path, const std::string& text) {
  auto document = JsonDocument::parse(make_source(path + ": " + kManifest, text));
  if (!document) return damaged_recording(path, "its manifest cannot be read");
  const JsonNode root = document->root();
  Diagnostics wrong;
  Manifest m;
  if (root.get("format").string(wrong) != kFormat)
    return damaged_recording(path, "its manifest is not that of a recording");
  m.info.weft = root.require("weft", wrong).string(wrong);
  m.layout = root.require("layout", wrong).u64(wrong);
  const uint64_t version = root.require("version", wrong).u64(wrong);
  if (wrong.has_errors()) return damaged_recording(path, wrong.list().front().text);
  if (version != kVersion || m.info.weft != WEFT_VERSION || m.layout != SessionContents::layout())
    return fail("recording-version", whole_file(path),
                m.info.weft == WEFT_VERSION
                    ? fmt::format("another build of Weft {} has made this recording", m.info.weft)
                    : fmt::format("Weft {} has made this recording, and this is Weft {}", m.info.weft, WEFT_VERSION),
                "open it with the program that made it, or unpack it (tar --zstd -xf) and record its project again");
  m.fingerprint = root.require("fingerprint", wrong).u64(wrong);
  m.project = root.require("project", wrong).string(wrong);
  m.name = root.require("name", wrong).string(wrong);
  m.root = root.require("root", wrong).string(wrong);
  for (const auto& [name, called] : root.require("called", wrong).members()) m.called[name] = called.string(wrong);
  const JsonNode options = root.require("options", wrong);
  m.overrides.set = read_pairs(options.get("set"), wrong);
  m.overrides.in = read_ports(options.get("in"), wrong);
  m.overrides.out = read_ports(options.get("out"), wrong);
  if (options.has("seed")) m.overrides.seed = options.get("seed").u64(wrong);
  m.commands = read_pairs(root.get("commands"), wrong);
  const JsonNode watched = root.require("observation", wrong);
  Observation& o = m.info.observation;
  o.coverage = watched.require("coverage", wrong).boolean(wrong);
  o.history = watched.require("history", wrong).boolean(wrong);
  o.statistics = watched.require("statistics", wrong).boolean(wrong);
  o.profile = watched.require("profile", wrong).boolean(wrong);
  o.packets = watched.require("packets", wrong).boolean(wrong);
  o.history_limits.segments = watched.require("segments", wrong).u64(wrong);
  o.history_limits.references = watched.require("references", wrong).u64(wrong);
  o.history_limits.signals = watched.require("signals", wrong).u64(wrong);
  o.packet_limits.packets = watched.require("most-packets", wrong).u64(wrong);
  o.packet_limits.steps = watched.require("steps", wrong).u64(wrong);
  o.packet_limits.tag_pages = watched.require("tag-pages", wrong).u64(wrong);
  o.packet_limits.writes = watched.require("writes", wrong).u64(wrong);
  o.packet_limits.queue_changes = watched.require("queue-changes", wrong).u64(wrong);
  o.packet_limits.frames = watched.require("frames", wrong).boolean(wrong);
  const JsonNode end = root.require("end", wrong);
  m.info.cycle = end.require("cycle", wrong).u64(wrong);
  m.info.stop = end.require("stop", wrong).string(wrong);
  m.state = end.require("state", wrong).u64(wrong);
  m.info.checkpoints = end.require("checkpoints", wrong).u64(wrong);
  for (const JsonNode& item : end.get("lost").items()) m.info.lost.push_back(item.string(wrong));
  for (const auto& [name, part] : root.require("parts", wrong).members())
    m.parts[name] = {part.require("bytes", wrong).u64(wrong), part.require("checksum", wrong).u64(wrong)};
  if (wrong.has_errors()) return damaged_recording(path, wrong.list().front().text);
  return m;
}

}  // namespace weft::workbench
