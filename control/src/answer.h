// What the control processor answers to a packet that the engines have handed over: from one frame to the frames that
// leave, or to the reason for silence. No machine, no time of its own: docs/router.md has the rules.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "weft/control/address.h"
#include "weft/control/layout.h"
#include "weft/control/mpls/label.h"
#include "weft/packet/address.h"
#include "weft/packet/bytes.h"

namespace weft::control {

/// One of the router's links: a port, or a VLAN of a port.
struct LinkView {
  struct Address4 {
    uint32_t address = 0;
    uint8_t length = 24;
    uint32_t hosts() const {
      return length == 0 ? ~uint32_t{0} : static_cast<uint32_t>((uint64_t{1} << (32 - length)) - 1);
    }
    bool contains(uint32_t a) const { return ((a ^ address) & ~hosts()) == 0; }
  };
  struct Address6 {
    packet::Ipv6Address address;
    uint8_t length = 64;
  };
  unsigned port = 0;
  uint16_t vlan = 0;  ///< 0: frames without a tag
  Mac mac{};
  uint32_t mtu = 1500;
  std::vector<Address4> addresses;
  std::vector<Address6> addresses6;
};

/// What the table says about an address.
struct HopView {
  uint8_t reason = 0;  ///< 0: forward; otherwise a Reason
  unsigned port = 0;
  uint16_t vlan = 0;
  uint32_t mtu = 0;
  Mac destination{}, source{};
  /// Of an unresolved one: the station that it leads to; none: the destination itself.
  std::optional<uint32_t> gateway = {};
  std::optional<packet::Ipv6Address> gateway6 = {};
  mpls::LabelStack labels = {};                  ///< pushed onto packets; `mtu` is without them
  const std::array<uint8_t, 64>* tcs = nullptr;  ///< of labels, by the DSCP; null: its top three bits
};

/// What the table says about a label.
struct LabelView {
  mpls::Lsp lsp;
  HopView hop;  ///< where it has one
};

/// What an answer may know about the router.
class RouterView {
 public:
  virtual ~RouterView() = default;
  virtual const std::vector<LinkView>& links() const = 0;
  virtual HopView lookup(uint32_t address) const = 0;
  virtual HopView lookup6(const packet::Ipv6Address& address) const = 0;
  virtual bool martians() const = 0;
  // Routers without labels know none.
  virtual std::optional<LabelView> label(uint32_t) const { return std::nullopt; }
  virtual uint8_t dscp_of(uint8_t tc) const { return static_cast<uint8_t>(tc << 3); }
};

/// At most so many packets a second in the long run, and `burst` at once (RFC 1812 4.3.2.8, RFC 4443 2.4 f).
class TokenBucket {
 public:
  TokenBucket() : TokenBucket(1000, 50) {}
  TokenBucket(uint64_t per_second, uint64_t burst) : per_second_(per_second), burst_(burst), credit_(burst * kSecond) {}
  static TokenBucket unlimited();
  /// Takes one if there is one. Times never run backwards.
  bool take(uint64_t nanoseconds);

 private:
  static constexpr uint64_t kSecond = 1'000'000'000;  ///< a token, in units of 1 / per_second ns
  uint64_t per_second_, burst_, credit_;
  uint64_t last_ = 0;
  bool limited_ = true;
};

/// Questions for the MAC of a station, as often as one of its packets comes and a second has passed (RFC 1122 2.3.2.1).
struct Asked {
  unsigned times = 0;
  uint64_t last = 0;  ///< nanoseconds
};
inline constexpr size_t kAskedMost = 256;    ///< stations; of more the one asked longest ago is forgotten
inline constexpr unsigned kAskedInVain = 3;  ///< so many without an answer: the station is unreachable
inline constexpr uint64_t kAskAgain = 1'000'000'000;

/// What answers remember from packet to packet.
struct AnswerState {
  TokenBucket errors;
  std::map<packet::Ipv6Address, Asked> asked = {};  ///< IPv4 addresses as ::ffff:a.b.c.d
  uint16_t identification = 1;                      ///< of the next IPv4 packet that the router itself sends
};

/// What became of a packet.
enum class Outcome : uint8_t {
  forwarded,
  fragmented,
  time_exceeded,         // 11/0, ICMPv6 3/0
  no_route,              // 3/0, ICMPv6 1/0
  host_unreachable,      // 3/1, ICMPv6 1/3
  too_big,               // 3/4, ICMPv6 2/0
  parameter_problem,     // 12/0, ICMPv6 4/2
  beyond_scope,          // ICMPv6 1/2
  port_unreachable,      // 3/3, ICMPv6 1/4
  protocol_unreachable,  // 3/2, ICMPv6 4/1
  echo_reply,
  arp_reply,
  neighbour_advertisement,
  asked,   // for the MAC of the next hop; the packet is gone
  learnt,  // an ARP reply or a neighbour advertisement for us
  // From here on nothing leaves. First what nobody here waits for:
  local,                // for the router itself, but no service takes it
  multicast,            // or broadcast
  arp,                  // not for us
  neighbour_discovery,  // not for us, or not valid
  link_local,           // a destination that must not leave its link
  router_alert,         // MPLS label 1
  // an error that must not be sent:
  error_about_error,
  error_about_fragment,
  error_about_group,   // sent to a broadcast or multicast address, of the link or of IP
  error_about_source,  // no single host could be answered
  rate_limited,
  no_way_back,  // the source cannot be reached
  // and what is refused:
  options_checksum,
  malformed,
  source_martian,
  destination_martian,
  link_broadcast,
  directed_broadcast,
  discard_route,
  source_route,
  option_discard,  // IPv6: an unknown option that asks for it
  no_interface,    // no such VLAN on the port
  label_stack,     // without an end, or with something after it that no label leads to
  label_too_big,   // a labelled packet beyond the MTU, and nobody to tell
};
inline constexpr size_t kOutcomes = static_cast<size_t>(Outcome::label_too_big) + 1;
std::string_view outcome_name(Outcome outcome);
constexpr bool refused(Outcome outcome) { return outcome >= Outcome::options_checksum; }

struct OutgoingFrame {
  unsigned port = 0;
  packet::Bytes bytes;  ///< from the destination MAC on, not padded
};

/// A station of a link that has told its MAC address.
struct LearntNeighbour {
  std::variant<uint32_t, packet::Ipv6Address> address;
  unsigned port = 0;
  uint16_t vlan = 0;
  Mac mac{};
};

struct Answer {
  Outcome outcome = Outcome::malformed;
  std::vector<OutgoingFrame> frames = {};
  std::vector<LearntNeighbour> learnt = {};
};

/// The pieces of a frame with an IPv4 packet that is ready to leave, but longer than the MTU of its next hop: each has
/// the frame's link header.
Answer fragment(const RouterView& router, packet::ByteView frame);

/// `frame`: all octets that came in, with a VLAN tag if there was one. `nanoseconds`: since midnight UT of any day.
Answer answer(const RouterView& router, unsigned port, Reason reason, packet::ByteView frame, AnswerState& state,
              uint64_t nanoseconds);

}  // namespace weft::control
