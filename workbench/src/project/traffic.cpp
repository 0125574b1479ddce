#include "project/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "project/build.h"
#include "project/destinations.h"

namespace weft::workbench {
namespace {

class GeneratedSource : public emulator::FrameSource {
 public:
  GeneratedSource(packet::TrafficGenerator generator, uint64_t ticks_per_second)
      : generator_(generator), ticks_per_microsecond_(ticks_per_second / 1'000'000) {
    copies_.emplace(0, std::move(generator));
  }

  std::optional<emulator::Frame> next() override {
    auto packet = advance();
    if (!packet) return std::nullopt;
    emulator::Frame frame;
    frame.bytes = std::move(packet->bytes);
    frame.earliest = packet->nanoseconds * ticks_per_microsecond_ / 1000;
    return frame;
  }
  void rewind(uint64_t given) override {
    if (given == given_) return;
    const auto copy = std::prev(copies_.upper_bound(given));
    if (given < given_ || copy->first > given_) {
      generator_ = copy->second;
      given_ = copy->first;
    }
    while (given_ < given && advance()) {
    }
  }
  uint64_t left() const override { return generator_.left(); }

 private:
  /// Copies on the way, at multiples of step_, keep a rewind short; there are at most kCopies.
  static constexpr size_t kCopies = 64;

  std::optional<packet::CapturedPacket> advance() {
    auto packet = generator_.next();
    if (!packet) return packet;
    ++given_;
    if (given_ % step_ == 0) {
      copies_.try_emplace(given_, generator_);
      if (copies_.size() > kCopies) {
        step_ *= 2;
        std::erase_if(copies_, [this](const auto& copy) { return copy.first % step_ != 0; });
      }
    }
    return packet;
  }

  packet::TrafficGenerator generator_;
  uint64_t ticks_per_microsecond_;
  uint64_t given_ = 0;
  uint64_t step_ = 1024;
  std::map<uint64_t, packet::TrafficGenerator> copies_;
};

}  // namespace

Result<bool> CaptureClock::read(const std::vector<PortEntry>& ports) {
  bool known = false;
  for (const PortEntry& port : ports) {
    if (port.in.kind != TrafficEntry::Kind::capture || port.in.line_rate) continue;
    auto packets = packet::read_pcap(port.in.capture.string());
    if (!packets)
      return tl::unexpected(named_at(packets.error(), port.in.capture_range ? port.in.capture_range : port.range,
                                     port.in.capture.string()));
    std::ranges::stable_sort(*packets, {}, &packet::CapturedPacket::nanoseconds);  // several queues may have written it
    if (!packets->empty()) {
      base_ = known ? std::min(base_, packets->front().nanoseconds) : packets->front().nanoseconds;
      known = true;
    }
    captures_[port.port] = std::move(*packets);
  }
  return true;
}

Result<std::vector<emulator::Frame>> CaptureClock::take(const PortEntry& port, uint64_t ticks_per_second) {
  constexpr uint64_t kBillion = 1'000'000'000;
  constexpr uint64_t kLongest = 3600 * kBillion;
  std::vector<emulator::Frame> out;
  std::vector<packet::CapturedPacket> packets = std::move(captures_[port.port]);
  const SourceRange where = port.in.capture_range ? port.in.capture_range : port.range;
  const int64_t offset = port.in.offset_nanoseconds;
  for (packet::CapturedPacket& captured : packets) {
    const uint64_t since = captured.nanoseconds - base_;
    if (out.empty() && offset < 0 && since < static_cast<uint64_t>(-offset))
      return fail("traffic-time", where,
                  fmt::format("the offset of port {} puts its first frame {} ns before the start", port.port,
                              static_cast<uint64_t>(-offset) - since),
                  fmt::format("its first frame is {} ns after the first one of all captures: go back by no more, or "
                              "move the other captures",
                              since));
    const uint64_t at =
        offset < 0 ? since - std::min(since, static_cast<uint64_t>(-offset)) : since + static_cast<uint64_t>(offset);
    if (out.empty() && at > kLongest)
      return fail(
          "traffic-time", where,
          fmt::format("the first frame of port {} comes {} s after the first one of all captures: they were "
                      "not recorded together",
                      port.port, at / kBillion),
          fmt::format("move it with \"offset\": \"-{}s\", or send it with \"timing\": \"line-rate\"", at / kBillion));
    out.push_back({std::move(captured.bytes),
                   at / kBillion * ticks_per_second + at % kBillion * (ticks_per_second / 1000) / (kBillion / 1000),
                   false});
  }
  return out;
}

packet::WireOverhead wire_overhead(const emulator::PortDescription& port) {
  return {port.preamble_bytes, port.gap_bytes, port.fcs_bytes};
}

Result<packet::TrafficSpec> traffic_spec(const PortEntry& port, const TrafficContext& context) {
  const TrafficEntry& entry = port.in;
  packet::TrafficSpec spec;
  spec.seed = context.seed * 1000003 + port.port;
  spec.count = entry.count;
  spec.flows = entry.flows;
  spec.first_flow = entry.first_flow;
  spec.bits_per_second = context.bits_per_second;
  spec.wire = context.wire;
  spec.load_millionths = static_cast<uint32_t>(std::lround(entry.rate * 1'000'000));
  if (entry.size == "imix")
    spec.sizes = packet::imix();
  else
    spec.sizes = {{static_cast<uint32_t>(std::stoul(entry.size)), 1}};
  auto where = destinations_of(entry, port.range, spec.seed);
  if (!where) return tl::unexpected(std::move(where.error()));
  spec.destinations = std::move(*where);

  const bool version6 = std::holds_alternative<std::vector<packet::Ipv6Address>>(spec.destinations);
  const auto source = version6 ? std::nullopt : packet::parse_ipv4(entry.source.empty() ? "198.19.0.1" : entry.source);
  const auto source6 = version6 ? packet::parse_ipv6(entry.source.empty() ? "2001:2::1" : entry.source) : std::nullopt;
  const auto source_mac = packet::parse_mac(entry.source_mac);
  const auto destination_mac =
      entry.destination_mac.empty() ? std::optional(context.port_mac) : packet::parse_mac(entry.destination_mac);
  if (!source && !source6)
    return fail(
        "traffic-source", port.range,
        fmt::format("'{}' is not an {} address, as the destinations are", entry.source, version6 ? "IPv6" : "IPv4"),
        version6 ? "write one such as \"2001:2::1\"" : "write one such as \"198.19.0.1\"");
  if (!source_mac || !destination_mac)
    return fail("traffic-mac", port.range,
                fmt::format("'{}' is not a MAC address", source_mac ? entry.destination_mac : entry.source_mac),
                "write one such as \"02:00:00:00:00:01\"");
  if (version6 && entry.size == "imix")
    spec.sizes.front().size = 78;  // the least that holds IPv6, UDP and a stamp, as in the paper
  if (source) spec.source = *source;
  if (source6) spec.source6 = *source6;
  spec.source_mac = *source_mac;
  spec.destination_mac = *destination_mac;
  for (const TrafficEntry::Label& label : entry.labels)
    spec.labels.push_back({label.first, label.last - label.first + 1});
  using Special = packet::SpecialPackets::Kind;
  if (entry.special != TrafficEntry::Special::none) {
    spec.special.kind = entry.special == TrafficEntry::Special::local ? Special::local : Special::options;
    spec.special.permille = entry.special_permille;
    const auto to = packet::parse_ipv4(entry.special_to);
    const auto to6 = packet::parse_ipv6(entry.special_to);
    if (spec.special.kind == Special::local && (version6 ? !to6 : !to))
      return fail("traffic-destination", port.range,
                  fmt::format("'{}' is not an {} address of the router", entry.special_to, version6 ? "IPv6" : "IPv4"),
                  "name one in 'special.to', of the same family as the destinations");
    if (to) spec.special.destination = *to;
    if (to6) spec.special.destination6 = *to6;
  }
  return spec;
}

Result<std::unique_ptr<emulator::FrameSource>> make_frame_source(const PortEntry& port, const TrafficContext& context) {
  const TrafficEntry& entry = port.in;
  if (entry.kind == TrafficEntry::Kind::listed) {
    std::vector<emulator::Frame> frames;
    for (const ListedFrame& f : entry.frames)
      frames.push_back({f.bytes, f.nanoseconds * (context.ticks_per_second / 1'000'000) / 1000, f.damaged});
    return std::make_unique<emulator::ListSource>(std::move(frames));
  }
  if (entry.kind == TrafficEntry::Kind::capture && !entry.line_rate && context.clock != nullptr) {
    auto frames = context.clock->take(port, context.ticks_per_second);
    if (!frames) return tl::unexpected(std::move(frames.error()));
    return std::make_unique<emulator::ListSource>(std::move(*frames));
  }
  if (entry.kind == TrafficEntry::Kind::capture) {
    emulator::PcapSourceOptions options;
    options.line_rate = entry.line_rate;
    options.repeat = entry.repeat;
    options.ticks_per_second = context.ticks_per_second;
    return emulator::pcap_source(entry.capture.string(), options);
  }

  auto spec = traffic_spec(port, context);
  if (!spec) return tl::unexpected(std::move(spec.error()));
  auto generator = packet::TrafficGenerator::create(std::move(*spec));
  if (!generator)
    return tl::unexpected(generator.error().changed([&](Diagnostic& d) {
      if (!d.range) d.range = port.range;
    }));
  return std::make_unique<GeneratedSource>(std::move(*generator), context.ticks_per_second);
}

}  // namespace weft::workbench
