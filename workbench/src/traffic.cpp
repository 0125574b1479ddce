#include "traffic.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <map>
#include <sstream>

#include "weft/packet/generator.h"

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
    while (given_ < given) advance();
  }

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

struct Prefix {
  packet::Ipv4Address address;
  uint8_t length = 32;
};

std::optional<Prefix> parse_prefix(const std::string& text) {
  const size_t slash = text.find('/');
  const auto address = packet::parse_ipv4(text.substr(0, slash));
  if (!address) return std::nullopt;
  Prefix prefix{*address, 32};
  if (slash != std::string::npos) {
    unsigned length = 0;
    const char* begin = text.data() + slash + 1;
    const char* end = text.data() + text.size();
    if (begin == end || std::from_chars(begin, end, length).ptr != end || length > 32) return std::nullopt;
    prefix.length = static_cast<uint8_t>(length);
  }
  return prefix;
}

/// "random", one prefix, or several prefixes that share the flows.
Result<packet::Destinations> destinations(const TrafficEntry& entry, const SourceRange& range, uint64_t seed) {
  if (entry.destinations == "random") return packet::Destinations{packet::RandomDestinations{{0}, 0}};
  std::vector<Prefix> prefixes;
  std::istringstream words(entry.destinations);
  for (std::string word; words >> word;) {
    const auto prefix = parse_prefix(word);
    if (!prefix)
      return fail("traffic-destination", range, fmt::format("'{}' is not an IPv4 prefix", word),
                  "write \"random\", or prefixes such as \"198.51.100.0/24 192.0.2.2/32\"");
    prefixes.push_back(*prefix);
  }
  if (prefixes.empty())
    return fail("traffic-destination", range, "no destination is named", "write \"random\" or a prefix");
  if (prefixes.size() == 1)
    return packet::Destinations{packet::RandomDestinations{prefixes[0].address, prefixes[0].length}};
  Random random(seed ^ 0x64657374);
  std::vector<packet::Ipv4Address> list;
  for (uint32_t flow = 0; flow < entry.flows; ++flow) {
    const Prefix& prefix = prefixes[flow % prefixes.size()];
    const uint32_t hosts = prefix.length == 0 ? UINT32_MAX : static_cast<uint32_t>((uint64_t{1} << (32 - prefix.length)) - 1);
    list.push_back({(prefix.address.value & ~hosts) | (random.next32() & hosts)});
  }
  return packet::Destinations{std::move(list)};
}

}  // namespace

Result<std::unique_ptr<emulator::FrameSource>> make_source(const PortEntry& port, const TrafficContext& context) {
  const TrafficEntry& entry = port.in;
  if (entry.kind == TrafficEntry::Kind::listed) {
    std::vector<emulator::Frame> frames;
    for (const ListedFrame& f : entry.frames)
      frames.push_back({f.bytes, f.nanoseconds * (context.ticks_per_second / 1'000'000) / 1000, f.damaged});
    return std::make_unique<emulator::ListSource>(std::move(frames));
  }
  if (entry.kind == TrafficEntry::Kind::capture) {
    emulator::PcapSourceOptions options;
    options.line_rate = entry.line_rate;
    options.repeat = entry.repeat;
    options.ticks_per_second = context.ticks_per_second;
    return emulator::pcap_source(entry.capture.string(), options);
  }

  packet::TrafficSpec spec;
  spec.seed = context.seed * 1000003 + port.port;
  spec.count = entry.count;
  spec.flows = entry.flows;
  spec.bits_per_second = context.bits_per_second;
  spec.load_permille = static_cast<uint32_t>(entry.rate * 1000 + 0.5);
  if (entry.size == "imix") spec.sizes = packet::imix();
  else spec.sizes = {{static_cast<uint32_t>(std::stoul(entry.size)), 1}};
  auto where = destinations(entry, port.range, spec.seed);
  if (!where) return tl::unexpected(std::move(where.error()));
  spec.destinations = std::move(*where);

  const auto source = packet::parse_ipv4(entry.source);
  const auto source_mac = packet::parse_mac(entry.source_mac);
  const auto destination_mac =
      entry.destination_mac.empty() ? std::optional(context.port_mac) : packet::parse_mac(entry.destination_mac);
  if (!source)
    return fail("traffic-source", port.range, fmt::format("'{}' is not an IPv4 address", entry.source), "write one such as \"198.19.0.1\"");
  if (!source_mac || !destination_mac)
    return fail("traffic-mac", port.range,
                fmt::format("'{}' is not a MAC address", source_mac ? entry.destination_mac : entry.source_mac),
                "write one such as \"02:00:00:00:00:01\"");
  spec.source = *source;
  spec.source_mac = *source_mac;
  spec.destination_mac = *destination_mac;

  auto generator = packet::TrafficGenerator::create(spec);
  if (!generator) return tl::unexpected(std::move(generator.error()));
  return std::make_unique<GeneratedSource>(std::move(*generator), context.ticks_per_second);
}

}  // namespace weft::workbench
