// Test traffic: UDP frames at a share of the line rate, with flows whose packets carry sequence numbers.
//
// The same specification gives the same frames on every host. Sizes count the frame check sequence, as rates do; the
// frames themselves, like those of capture files, do not have it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/random.h"
#include "weft/packet/address.h"
#include "weft/packet/pcap.h"

namespace weft::packet {

/// How many of the frames have a size: `weight` of the sum of all weights.
struct SizeShare {
  uint32_t size = 64;
  uint32_t weight = 1;
};

/// 56 % 64 octets, 20 % 576, 24 % 1518, by packets: 515.36 octets in the mean.
std::vector<SizeShare> imix();

/// Where packets go: to each address of a list in turn, or to random addresses under a prefix.
struct RandomDestinations {
  Ipv4Address prefix{0xc6120000};  ///< 198.18.0.0/15, reserved for benchmarks
  uint8_t length = 15;
};
using Destinations = std::variant<RandomDestinations, std::vector<Ipv4Address>, std::vector<Ipv6Address>>;

/// Packets that a router's fast way does not finish: every 1000/permille-th packet, exactly as many as that says.
struct SpecialPackets {
  enum class Kind : uint8_t {
    none,
    local,    ///< to `destination` (or `destination6`) instead: one of the router's own addresses
    options,  ///< IPv4 with an empty Record Route option of one slot, IPv6 with a hop-by-hop header of padding
  } kind = Kind::none;
  uint32_t permille = 0;
  Ipv4Address destination;
  Ipv6Address destination6;
};

/// One entry of a label stack: flow f gets first + f modulo count.
struct LabelRange {
  uint32_t first = 0, count = 1;
};

/// Octets that a frame costs on a wire besides its own: those of IEEE 802.3, where a board says nothing else.
struct WireOverhead {
  uint32_t preamble = 8;  ///< with the start delimiter
  uint32_t gap = 12;      ///< at least, before the next preamble
  uint32_t check_sequence = 4;
  uint32_t sum() const { return preamble + gap + check_sequence; }
};

struct TrafficSpec {
  uint64_t seed = 1;
  uint64_t count = 1000;
  std::vector<SizeShare> sizes = {{64, 1}};  ///< with labels; shorter frames than 64 octets are padded to that
  Destinations destinations = RandomDestinations{};
  /// Packets of one flow have the same addresses and ports. 0: as many as there are destinations (1024 random ones).
  uint32_t flows = 0;
  uint32_t first_flow = 0;         ///< number of flow 0 in the stamps, so that several generators can be told apart
  bool random_flow_order = false;  ///< otherwise flow 0, 1, 2, ... in turn
  Mac source_mac{{0x02, 0, 0, 0, 0, 0x01}};
  Mac destination_mac{{0x02, 0, 0, 0, 0, 0x02}};
  Ipv4Address source{0xc6130001};  ///< 198.19.0.1; flow f uses source + f / 50000
  Ipv6Address source6{{0x20, 0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
  uint16_t destination_port = 9;  ///< discard
  uint8_t ttl = 64;
  uint64_t bits_per_second = 1'000'000'000;
  uint32_t load_millionths = 1'000'000;  ///< offered load, in millionths of the line rate
  WireOverhead wire;  ///< what the line rate is of. Sizes of frames are with kCheckSequence all the same.
  uint64_t start_nanoseconds = 0;
  SpecialPackets special;
  std::vector<LabelRange> labels = {};  ///< the top one first; none: IP packets. Their TTL is `ttl`.
};

/// Of Ethernet, which sizes of frames count.
inline constexpr uint32_t kCheckSequence = 4;

/// The mark at the start of each UDP payload that says which packet of which flow this is.
struct Stamp {
  uint32_t flow = 0;
  uint32_t sequence = 0;
  bool operator==(const Stamp&) const = default;
};
inline constexpr size_t kStampSize = 10;
std::optional<Stamp> read_stamp(ByteView frame);

class TrafficGenerator {
 public:
  /// Refuses (diagnostic "traffic-...") sizes too small for headers and stamp, empty lists, no labels, and a rate of 0.
  static Result<TrafficGenerator> create(TrafficSpec spec);

  /// The next frame with the time its first bit is sent, or nothing after `count`.
  std::optional<CapturedPacket> next();
  /// Frames that next() has not given yet.
  uint64_t left() const { return spec_.count - sent_; }

  /// Everything that distinguishes a flow.
  struct Flow {
    Ipv4Address source, destination;
    Ipv6Address source6, destination6;
    uint16_t source_port = 0;
    uint32_t sequence = 0;
  };
  const std::vector<Flow>& flows() const { return flows_; }

 private:
  explicit TrafficGenerator(TrafficSpec spec);
  uint32_t next_size();
  /// A frame of flow 0, from which those of the same size and kind are made.
  struct Mold {
    uint32_t size = 0;
    bool special = false;
    Bytes frame;
  };
  const Mold& mold_of(uint32_t size, bool special);
  Bytes build_mold(uint32_t size, bool special) const;
  Bytes frame_of(const Flow& flow, uint32_t size, bool special);

  TrafficSpec spec_;
  Random random_;
  bool version6_ = false;
  std::vector<Flow> flows_;
  std::vector<Mold> molds_;
  std::vector<uint32_t> block_;  // sizes still to come before the next shuffle
  uint64_t sent_ = 0;
  uint64_t octets_ = 0;  // on the wire so far, with what frames cost there besides
};

/// Checks that every flow came out in order, without loss and without copies.
class OrderChecker {
 public:
  /// Takes one received frame; frames without a stamp are counted apart.
  void note(ByteView frame);

  struct FlowCount {
    uint64_t received = 0;
    uint64_t reordered = 0;   ///< came after a packet with a higher number
    uint64_t duplicated = 0;  ///< came before
    uint32_t highest = 0;
    std::vector<bool> seen;
    /// Numbers up to the highest that did not come.
    uint64_t missing() const;
  };
  const std::map<uint32_t, FlowCount>& flows() const { return flows_; }
  uint64_t received() const;
  uint64_t reordered() const;
  uint64_t duplicated() const;
  uint64_t missing() const;
  uint64_t unstamped() const { return unstamped_; }

 private:
  std::map<uint32_t, FlowCount> flows_;
  uint64_t unstamped_ = 0;
};

}  // namespace weft::packet
