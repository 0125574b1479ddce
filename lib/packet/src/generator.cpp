#include "weft/packet/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "weft/packet/layers.h"

namespace weft::packet {
namespace {

constexpr uint32_t kRandomFlows = 1024;
constexpr uint32_t kPortsPerSource = 50000;
constexpr uint16_t kFirstPort = 10000;
constexpr uint32_t kMin = 64, kMaxSize = 9018;  ///< octets of a frame with its check sequence
constexpr uint32_t kMillion = 1'000'000;
constexpr uint32_t kLabelOctets = 4, kLabels = 1u << 20;
constexpr size_t kMaxLabels = 8;
/// 0, 1, 2 ... 255, 0, 1 ...
constexpr std::array<uint8_t, 2048> kRamp = [] {
  std::array<uint8_t, 2048> out{};
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<uint8_t>(i);
  return out;
}();

/// Record Route of one slot and an end of options (RFC 791); in IPv6 a hop-by-hop header that holds a PadN (RFC 8200).
constexpr uint32_t kOptionOctets = 8;

uint32_t headers(bool version6) { return 14U + (version6 ? 40U : 20U) + 8U; }

size_t destination_count(const Destinations& destinations) {
  if (const auto* list = std::get_if<std::vector<Ipv4Address>>(&destinations)) return list->size();
  if (const auto* list = std::get_if<std::vector<Ipv6Address>>(&destinations)) return list->size();
  return kRandomFlows;
}

/// What changes an Internet checksum, as RFC 1624 equation 3.
class Changes {
 public:
  void change(uint32_t before, uint32_t after) {
    sum_ += ~before >> 16;
    sum_ += ~before & 0xffff;
    sum_ += after >> 16;
    sum_ += after & 0xffff;
  }
  uint16_t checksum(uint16_t before) const {
    uint64_t sum = sum_ + static_cast<uint16_t>(~before);
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
  }

 private:
  uint64_t sum_ = 0;
};

tl::unexpected<Diagnostics> refuse(std::string code, std::string text, std::string remedy) {
  return fail(std::move(code), {}, std::move(text), std::move(remedy));
}

}  // namespace

std::vector<SizeShare> imix() { return {{64, 14}, {576, 5}, {1518, 6}}; }

Result<TrafficGenerator> TrafficGenerator::create(TrafficSpec spec) {
  const bool version6 = std::holds_alternative<std::vector<Ipv6Address>>(spec.destinations);
  const uint32_t min =
      headers(version6) + static_cast<uint32_t>(kStampSize + spec.labels.size() * kLabelOctets) + kCheckSequence;
  if (spec.labels.size() > kMaxLabels)
    return refuse("traffic-labels", fmt::format("a stack of {} labels is too deep", spec.labels.size()),
                  fmt::format("write up to {}", kMaxLabels));
  for (const LabelRange& label : spec.labels) {
    if (label.count == 0 || label.first >= kLabels || label.count > kLabels - label.first)
      return refuse("traffic-labels", fmt::format("there are no {} labels from {} on", label.count, label.first),
                    "labels are numbers from 0 to 1048575");
  }
  uint64_t weight = 0;
  for (const SizeShare& share : spec.sizes) {
    weight += share.weight;
    if (share.size < min || share.size > kMaxSize)
      return refuse("traffic-size", fmt::format("frame size {} is not possible", share.size),
                    fmt::format("frames here have {} to {} octets with their check sequence", min, kMaxSize));
  }
  if (weight == 0 || weight > 1'000'000)
    return refuse("traffic-size", "the weights of the frame sizes must add up to 1 to 1,000,000", "");
  if (destination_count(spec.destinations) == 0)
    return refuse("traffic-destinations", "the list of destinations is empty", "give at least one address");
  if (const auto* random = std::get_if<RandomDestinations>(&spec.destinations); random && random->length > 32)
    return refuse("traffic-destinations", fmt::format("prefix length {} is more than 32", random->length), "");
  if (spec.special.permille > 1000) return refuse("traffic-special", "at most 1000 of 1000 packets can be special", "");
  if (spec.bits_per_second == 0 || spec.load_millionths == 0 || spec.load_millionths > kMillion)
    return refuse("traffic-rate", "the rate must be above 0 and the load 1 to 1,000,000 millionths", "");
  return TrafficGenerator(std::move(spec));
}

TrafficGenerator::TrafficGenerator(TrafficSpec spec) : spec_(std::move(spec)), random_(spec_.seed) {
  const size_t destinations = destination_count(spec_.destinations);
  flows_.resize(spec_.flows != 0 ? spec_.flows : destinations);
  for (size_t i = 0; i < flows_.size(); ++i) {
    Flow& flow = flows_[i];
    flow.source.value = spec_.source.value + static_cast<uint32_t>(i / kPortsPerSource);
    flow.source6 = spec_.source6;
    flow.source_port = static_cast<uint16_t>(kFirstPort + i % kPortsPerSource);
    if (const auto* list = std::get_if<std::vector<Ipv4Address>>(&spec_.destinations)) {
      flow.destination = (*list)[i % destinations];
    } else if (const auto* list6 = std::get_if<std::vector<Ipv6Address>>(&spec_.destinations)) {
      flow.destination6 = (*list6)[i % destinations];
      version6_ = true;
    } else {
      const auto& random = std::get<RandomDestinations>(spec_.destinations);
      const uint32_t host_bits = random.length == 0 ? UINT32_MAX : (UINT32_MAX >> (random.length - 1)) >> 1;
      flow.destination.value = (random.prefix.value & ~host_bits) | (random_.next32() & host_bits);
    }
  }
}

uint32_t TrafficGenerator::next_size() {
  // Each block holds every size exactly as often as its weight says, in random order: shares are exact, not expected.
  if (block_.empty()) {
    uint32_t divisor = 0;
    for (const SizeShare& share : spec_.sizes) divisor = std::gcd(divisor, share.weight);
    for (const SizeShare& share : spec_.sizes)
      block_.insert(block_.end(), share.weight / std::max(divisor, 1u), share.size);
    for (size_t i = block_.size(); i > 1; --i) std::swap(block_[i - 1], block_[random_.below(i)]);
  }
  const uint32_t size = block_.back();
  block_.pop_back();
  return size;
}

const TrafficGenerator::Mold& TrafficGenerator::mold_of(uint32_t size, bool special) {
  for (const Mold& mold : molds_)
    if (mold.size == size && mold.special == special) return mold;
  return molds_.emplace_back(Mold{size, special, build_mold(size, special)});
}

Bytes TrafficGenerator::build_mold(uint32_t size, bool special) const {
  const bool options = special && spec_.special.kind == SpecialPackets::Kind::options;
  const bool local = special && spec_.special.kind == SpecialPackets::Kind::local;
  Bytes payload;
  payload.reserve(size);
  put16(payload, 0x5766);  // "Wf", before flow and number
  payload.resize(size - kCheckSequence - headers(version6_) - spec_.labels.size() * kLabelOctets -
                 (options ? kOptionOctets : 0));
  for (size_t i = kStampSize; i < payload.size();) {  // byte i is i modulo 256
    const size_t first = i % 256, count = std::min(payload.size() - i, kRamp.size() - first);
    std::copy_n(kRamp.begin() + static_cast<std::ptrdiff_t>(first), count,
                payload.begin() + static_cast<std::ptrdiff_t>(i));
    i += count;
  }

  std::vector<Layer> layers;
  layers.reserve(5 + spec_.labels.size());
  layers.push_back(Ethernet{.destination = spec_.destination_mac, .source = spec_.source_mac});
  for (const LabelRange& label : spec_.labels) layers.push_back(Mpls{.label = label.first, .ttl = spec_.ttl});
  if (!version6_) {
    Ipv4 header{.identification = 0,
                .ttl = spec_.ttl,
                .source = {},
                .destination = local ? spec_.special.destination : Ipv4Address{}};
    if (options) header.options = {7, 7, 4, 0, 0, 0, 0, 0};
    layers.push_back(std::move(header));
  } else {
    layers.push_back(Ipv6{.hop_limit = spec_.ttl,
                          .source = spec_.source6,
                          .destination = local ? spec_.special.destination6 : Ipv6Address{}});
    if (options) layers.push_back(Options6{});
  }
  layers.push_back(Udp{.source = 0, .destination = spec_.destination_port});
  layers.push_back(Payload{std::move(payload)});
  Bytes frame = build(layers);
  frame.resize(std::max<size_t>(frame.size(), kMin - kCheckSequence), 0);
  return frame;
}

Bytes TrafficGenerator::frame_of(const Flow& flow, uint32_t size, bool special) {
  const auto number = static_cast<uint32_t>(&flow - flows_.data());
  const bool options = special && spec_.special.kind == SpecialPackets::Kind::options;
  const bool local = special && spec_.special.kind == SpecialPackets::Kind::local;
  Bytes frame = mold_of(size, special).frame;
  size_t at = 14;
  for (const LabelRange& label : spec_.labels) {
    store32(&frame[at], load32(&frame[at]) + (number % label.count << 12));
    at += kLabelOctets;
  }
  const size_t ip = at, udp = headers(version6_) - 14 - 8 + ip + (options ? kOptionOctets : 0), stamp = udp + 8;
  Changes header, datagram;  // the datagram's sum has the addresses, too
  const auto change32 = [&frame](size_t to, uint32_t value, Changes& sum) {
    sum.change(load32(&frame[to]), value);
    store32(&frame[to], value);
  };
  const auto address = [&](size_t to, uint32_t value) {
    header.change(load32(&frame[to]), value);
    change32(to, value, datagram);
  };
  if (!version6_) {
    change32(ip + 4, static_cast<uint32_t>(sent_ & 0xffff) << 16 | get16(frame, ip + 6), header);
    address(ip + 12, flow.source.value);
    if (!local) address(ip + 16, flow.destination.value);
    set16(frame, ip + 10, header.checksum(get16(frame, ip + 10)));
  } else if (!local) {
    for (size_t i = 0; i < 16; i += 4) change32(ip + 24 + i, get32(flow.destination6.octets, i), datagram);
  }
  change32(udp, uint32_t{flow.source_port} << 16 | spec_.destination_port, datagram);
  change32(stamp + 2, spec_.first_flow + number, datagram);
  change32(stamp + 6, flow.sequence, datagram);
  const uint16_t checksum = datagram.checksum(get16(frame, udp + 6));
  set16(frame, udp + 6, checksum == 0 ? uint16_t{0xffff} : checksum);
  return frame;
}

std::optional<CapturedPacket> TrafficGenerator::next() {
  if (sent_ == spec_.count) return {};
  uint32_t size = next_size();
  const size_t index = spec_.random_flow_order ? random_.below(flows_.size()) : sent_ % flows_.size();
  Flow& flow = flows_[index];
  const uint64_t permille = spec_.special.kind == SpecialPackets::Kind::none ? 0 : spec_.special.permille;
  const bool special = (sent_ + 1) * permille / 1000 != sent_ * permille / 1000;
  if (special && spec_.special.kind == SpecialPackets::Kind::options)
    size = std::max<uint32_t>(size,
                              headers(version6_) + kOptionOctets + static_cast<uint32_t>(kStampSize) + kCheckSequence);

  CapturedPacket packet;
  packet.bytes = frame_of(flow, size, special);
  ++flow.sequence;
  // octets * 8 bits * 10^9 ns/s * 10^6 overflows 64 bits after some frames.
  __extension__ using Wide = unsigned __int128;
  const Wide scaled = static_cast<Wide>(octets_) * 8 * 1'000'000'000 * kMillion;
  packet.nanoseconds =
      spec_.start_nanoseconds +
      static_cast<uint64_t>(scaled / (static_cast<Wide>(spec_.bits_per_second) * spec_.load_millionths));
  octets_ += packet.bytes.size() + spec_.wire.sum();
  ++sent_;
  return packet;
}

}  // namespace weft::packet
