#include "testing/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "testing/times.h"
#include "weft/base/random.h"
#include "weft/packet/bytes.h"
#include "weft/packet/generator.h"

namespace weft::workbench::testing {
namespace {

using nlohmann::json;
using packet::Bytes;

// Octets of a frame without check sequence: a MAC delivers none that is shorter than the header of Ethernet, and one
// that is longer than 1,514 is refused by most ports.
constexpr uint64_t kMinOctets = 14, kMaxOctets = 1514;

/// Layers by "ipv4" or "mpls#2"; the index, or nothing.
std::optional<size_t> layer_at(const json& layers, std::string name) {
  if (!layers.is_array()) return std::nullopt;
  uint64_t nth = 1;
  if (const size_t hash = name.find('#'); hash != std::string::npos) {
    const auto number = parse_number(std::string_view(name).substr(hash + 1));
    if (!number || *number == 0) return std::nullopt;
    nth = *number;
    name.resize(hash);
  }
  for (size_t i = 0; i < layers.size(); ++i)
    if (layers[i].is_object() && layers[i].contains(name) && --nth == 0) return i;
  return std::nullopt;
}

constexpr std::string_view kFieldRemedy = "write LAYER.FIELD, LAYER#2.FIELD for the second layer of a kind, or payload";

/// False, and nothing is changed, when there is no such layer, or it has no fields.
[[nodiscard]] bool set_field(json& layers, const std::string& field, const json& value) {
  const size_t dot = field.find('.');
  const auto index = layer_at(layers, field.substr(0, dot));
  if (!index) return false;
  json& layer = layers[*index][field.substr(0, std::min(field.find('#'), dot))];
  if (dot == std::string::npos) {
    layer = value;
    return true;
  }
  if (!layer.is_object()) return false;
  layer[field.substr(dot + 1)] = value;
  return true;
}

/// What tells one flow from another, of the fields that are varied.
bool is_of_flow(const std::string& field) {
  static constexpr std::array<std::string_view, 7> kFields{"source",     "destination", "id",         "label",
                                                           "flow_label", "protocol",    "next_header"};
  const size_t dot = field.find('.');
  return dot != std::string::npos &&
         std::find(kFields.begin(), kFields.end(), std::string_view(field).substr(dot + 1)) != kFields.end();
}

/// The layers of a named frame, also of one that is another with changes.
json layers_of(const std::string& name, const NamedFrames& named, const Row& row, const JsonNode& place,
               Diagnostics& out, unsigned depth = 0) {
  const auto found = named.find(name);
  if (found == named.end() || depth > 16) {
    std::vector<std::string> names;
    if (may_guess(out))
      for (const auto& [known, unused] : named) names.push_back(known);
    const auto near = nearest(name, names);
    out.error(
        "test-generate", place.range(),
        depth > 16 ? fmt::format("'{}' is the same as itself", name) : fmt::format("no frame has the name '{}'", name),
        near && depth <= 16 ? fmt::format("did you mean '{}'?", *near) : "name it below \"frames\"");
    return {};
  }
  const JsonNode& node = found->second.node;
  if (!node.is_object()) return node.raw();
  json layers = layers_of(row.text(node.get("same_as"), out), named, row, node, out, depth + 1);
  for (const auto& [written, value] : node.get("change").members()) {
    const std::string field = row.name(written, value.range(), out);
    if (!set_field(layers, field, value.raw()))
      out.error("test-generate", value.range(),
                fmt::format("'{}' changes '{}', which is in none of its layers", name, field),
                std::string(kFieldRemedy));
  }
  return layers;
}

void damage(GeneratedFrame& frame, Random& random) {
  using Damage = GeneratedFrame::Damage;
  Bytes& bytes = frame.bytes;
  if (frame.damage == Damage::flip) {
    for (uint64_t n = random.between(1, 8); n > 0; --n) {
      const uint64_t bit = random.below(8 * bytes.size());
      bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 0x80 >> bit % 8);
    }
  } else if (frame.damage == Damage::cut) {
    if (bytes.size() > kMinOctets) bytes.resize(random.between(kMinOctets, bytes.size() - 1));
  } else if (frame.damage == Damage::random) {
    // Half of them keep their header of Ethernet: the others do not come far.
    const size_t kept = random.chance(1, 2) ? std::min<size_t>(bytes.size(), 14) : 0;
    bytes.resize(random.between(kMinOctets, kMaxOctets));
    for (size_t i = kept; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(random.below(256));
  }
}

}  // namespace

Bytes FrameGenerator::octets(const Base& base, const json& layers, Diagnostics& out) const {
  auto document = JsonDocument::parse(
      make_source(fmt::format("frame '{}' of \"generate\"", base.name), json{{"frame", layers}}.dump()));
  if (!document) {
    out.append(std::move(document.error()));
    return {};
  }
  return read_frame(document->root().get("frame"), {}, row_, out);
}

json FrameGenerator::changed(const Base& base, const GeneratedFrame& frame) const {
  json layers = base.layers;
  for (const auto& [field, value] : frame.changes) (void)set_field(layers, field, value);  // read() has tried it
  return layers;
}

Bytes FrameGenerator::build(const GeneratedFrame& frame) const {
  const Base& base = bases_[frame.base];
  json layers = changed(base, frame);
  if (!frame.stamp.empty() && base.payload != 0) {
    json& payload = layers[base.payload]["payload"];
    const uint64_t octets = payload.is_number_unsigned() ? payload.get<uint64_t>() : 0;
    std::string hex;
    for (uint64_t i = 0; i < octets; ++i)
      hex += fmt::format("{:02x}", i < frame.stamp.size() ? frame.stamp[i] : static_cast<uint8_t>(i));
    payload = hex;
  }
  Diagnostics none;  // read() has built each frame with each field's bounds
  return octets(base, layers, none);
}

bool FrameGenerator::can_stamp() const {
  return std::any_of(bases_.begin(), bases_.end(), [](const Base& b) { return b.payload != 0; });
}

std::shared_ptr<const FrameGenerator> FrameGenerator::read(const JsonNode& node, const NamedFrames& named,
                                                           const Row& row, json test, Diagnostics& out) {
  if (!node.is_object()) {
    node.wrong(out, "'generate' says which frames are made",
               "write {\"count\": 200, \"ports\": [0], \"frames\": [NAME, ...]}");
    return nullptr;
  }
  const size_t before = out.error_count();
  node.only({"count", "ports", "frames", "vary", "damage", "gap"}, out);
  for (const char* name : {"ports", "frames"})
    if (node.require(name, out); node.has(name) && (!node.get(name).is_array() || node.get(name).items().empty()))
      node.get(name).wrong(out, fmt::format("'{}' is a list of at least one", name), "write [ ... ]");
  for (const char* name : {"vary", "damage"})
    if (node.has(name) && !node.get(name).is_object())
      node.get(name).wrong(out, fmt::format("'{}' has names in it", name), "write {\"name\": value, ...}");
  auto made = std::make_shared<FrameGenerator>();
  made->row_ = row;
  made->test_ = std::move(test);
  made->count_ = row.number(node.require("count", out), out, 1, 100'000);
  for (const JsonNode& port : node.get("ports").items())
    made->ports_.push_back(static_cast<unsigned>(row.number(port, out, 0, 255)));
  for (const JsonNode& name : node.get("frames").items()) {
    Base base;
    base.name = row.text(name, out);
    base.layers = layers_of(base.name, named, row, name, out);
    if (base.layers.is_array()) {
      const auto udp = layer_at(base.layers, "udp");
      if (udp && *udp + 1 < base.layers.size() && base.layers[*udp + 1].contains("payload") &&
          base.layers[*udp + 1]["payload"].is_number_unsigned())
        base.payload = *udp + 1;
    }
    made->bases_.push_back(std::move(base));
  }
  for (const auto& [written, values] : node.get("vary").members()) {
    Vary vary;
    vary.field = row.name(written, values.range(), out);
    const auto items = values.items();
    if (items.empty()) {
      values.wrong(out, fmt::format("'{}' has no values to choose from", vary.field),
                   "write [LEAST, MOST], or a list of values");
      continue;
    }
    for (const JsonNode& value : items) vary.values.push_back(row.value(value, out));
    vary.range = items.size() == 2 && vary.values[0].is_number_unsigned() && vary.values[1].is_number_unsigned();
    if (vary.range) {
      vary.low = vary.values[0].get<uint64_t>();
      vary.high = vary.values[1].get<uint64_t>();
      if (vary.low > vary.high)
        values.wrong(out, fmt::format("no number is at least {} and at most {}", vary.low, vary.high));
    }
    const size_t index = made->vary_.size();
    bool used = false;
    for (Base& base : made->bases_) {
      if (json tried = base.layers; !set_field(tried, vary.field, vary.values.front())) continue;
      base.varied.push_back(index);
      used = true;
      for (const json& value : vary.values) {
        GeneratedFrame frame;
        frame.changes = {{vary.field, value}};
        Diagnostics problems;
        made->octets(base, made->changed(base, frame), problems);
        if (problems.has_errors()) {
          const Diagnostic& first = problems.list().front();
          out.error("test-generate", values.range(),
                    fmt::format("'{}' of frame '{}' cannot be {}: {}", vary.field, base.name, value.dump(), first.text),
                    first.remedy);
          break;
        }
      }
    }
    if (!used && !made->bases_.empty() && out.error_count() == before)
      values.wrong(out, fmt::format("no frame of \"frames\" has a layer for '{}'", vary.field),
                   std::string(kFieldRemedy));
    made->vary_.push_back(std::move(vary));
  }
  if (out.error_count() == before)
    for (const Base& base : made->bases_) {
      Diagnostics problems;
      if (made->octets(base, base.layers, problems).size() < kMinOctets || problems.has_errors())
        out.error("test-generate", node.get("frames").range(),
                  fmt::format("frame '{}' cannot be made: {}", base.name,
                              problems.empty() ? "it has less than 14 octets" : problems.list().front().text));
    }
  const JsonNode harm = node.get("damage");
  harm.only({"flip", "cut", "random"}, out);
  for (const auto& [name, to] :
       {std::pair("flip", &made->flip_), std::pair("cut", &made->cut_), std::pair("random", &made->random_)})
    if (harm.has(name)) *to = static_cast<uint32_t>(row.number(harm.get(name), out, 0, 1000));
  if (made->flip_ + made->cut_ + made->random_ > 1000)
    harm.wrong(out, "more than all frames would be damaged",
               "flip, cut and random count of 1,000 frames; together they are at most 1000");
  if (node.has("gap")) {
    const auto ends = node.get("gap").items();
    if (ends.size() != 2) {
      node.get("gap").wrong(out, "'gap' is the shortest and the longest time from frame to frame",
                            "write [\"100ns\", \"5us\"]");
    } else {
      made->gap_ = {read_nanoseconds(ends[0], row, out), read_nanoseconds(ends[1], row, out)};
      if (made->gap_.low > made->gap_.high)
        node.get("gap").wrong(out, "the shortest gap is longer than the longest one");
    }
  }
  if (out.error_count() > before) return nullptr;
  return made;
}

std::vector<GeneratedFrame> FrameGenerator::expand(uint64_t seed) const {
  Random random(seed);
  std::vector<GeneratedFrame> frames;
  std::map<std::string, std::pair<uint32_t, uint32_t>> flows;  // number, and packets so far
  uint64_t at = 0;
  for (uint64_t i = 0; i < count_; ++i) {
    GeneratedFrame frame;
    frame.at = at;
    at += random.between(gap_.low, gap_.high);
    frame.port = ports_[random.below(ports_.size())];
    frame.base = random.below(bases_.size());
    const Base& base = bases_[frame.base];
    std::string flow = fmt::format("{} {}", frame.port, frame.base);
    uint64_t payload = base.payload != 0 ? base.layers[base.payload]["payload"].get<uint64_t>() : 0;
    for (const size_t v : base.varied) {
      const Vary& vary = vary_[v];
      json value =
          vary.range ? json(random.between(vary.low, vary.high)) : vary.values[random.below(vary.values.size())];
      if (is_of_flow(vary.field)) flow += fmt::format(" {}={}", vary.field, value.dump());
      if (vary.field == "payload") payload = value.is_number_unsigned() ? value.get<uint64_t>() : 0;
      frame.changes.emplace_back(vary.field, std::move(value));
    }
    const uint64_t fate = random.below(1000);
    using Damage = GeneratedFrame::Damage;
    frame.damage = fate < flip_                    ? Damage::flip
                   : fate < flip_ + cut_           ? Damage::cut
                   : fate < flip_ + cut_ + random_ ? Damage::random
                                                   : Damage::none;
    if (frame.damage == Damage::none && payload >= packet::kStampSize) {
      auto& [number, packets] = flows.try_emplace(flow, static_cast<uint32_t>(flows.size()), 0).first->second;
      packet::put16(frame.stamp, 0x5766);
      packet::put32(frame.stamp, number);
      packet::put32(frame.stamp, packets++);
    }
    frame.bytes = build(frame);
    damage(frame, random);
    frames.push_back(std::move(frame));
  }
  return frames;
}

void put_frames(Project& project, const std::vector<GeneratedFrame>& frames) {
  for (PortEntry& port : project.ports) port.in = {};
  for (const GeneratedFrame& frame : frames) {
    auto port = std::find_if(project.ports.begin(), project.ports.end(),
                             [&](const PortEntry& p) { return p.port == frame.port; });
    if (port == project.ports.end()) port = project.ports.insert(port, PortEntry{frame.port, {}, {}, {}});
    port->in.kind = TrafficEntry::Kind::listed;
    port->in.frames.push_back({frame.at, frame.bytes, false});
  }
  project.keep_frames = true;
}

}  // namespace weft::workbench::testing
