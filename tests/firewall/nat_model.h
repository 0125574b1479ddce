// A firewall with address and port translation as the standards and the facts describe it, on whole frames. An
// independent model for tests: checksums are computed in full, nothing of it comes from the microcode.
//
// Where a free port has to be chosen any will do, so the model asks for one: the caller says what it has seen.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tcp_model.h"
#include "weft/packet/bytes.h"

namespace weft::test {

using packet::Bytes;

struct ModelTuple {
  uint8_t protocol = 0;
  uint32_t source = 0, destination = 0;
  uint16_t source_port = 0, destination_port = 0;
  auto operator<=>(const ModelTuple&) const = default;
  ModelTuple turned() const { return {protocol, destination, source, destination_port, source_port}; }
};

struct ModelHop {
  unsigned port = 0;
  uint64_t mac = 0;  ///< of the neighbour
  bool known = true;
};

struct ModelForwarding {
  uint8_t protocol = 6;
  uint16_t public_port = 0;
  uint32_t inside = 0;
  uint16_t inside_port = 0;
};

struct NewFlow {
  ModelTuple tuple;  ///< after the destination's translation
  unsigned in_port = 0, out_port = 0;
  bool forwarded = false;
};

struct ModelConfig {
  std::vector<uint64_t> macs;       ///< of the ports
  std::vector<uint32_t> addresses;  ///< of the ports
  unsigned outside = 1;             ///< port
  uint32_t public_address = 0;      ///< 0: no translation
  uint16_t first_port = 1024, last_port = 65535;
  std::vector<ModelForwarding> forwardings;
  bool hairpin = false;
  bool accept_untranslated = false;  ///< new flows from outside to inside without a forwarding
  TcpRules tcp;
  size_t connections = 16384;
  uint32_t fragment_life = 30'000;
  std::map<Tcp, uint32_t> tcp_timeouts;  ///< ticks
  uint32_t udp = 120'000, udp_both = 300'000, icmp = 60'000, other = 600'000;
  /// Where an address is: none for a network that nobody knows.
  std::function<std::optional<ModelHop>(uint32_t address)> route;
  std::function<bool(const NewFlow&)> accepts;
};

struct ModelConnection {
  ModelTuple tuple[2];  ///< as packets of the two directions come in
  TcpConnection tcp;
  bool replied = false;
  bool mapped = false;  ///< it is one of the connections of its station's port
  uint32_t expires = 0;
  uint64_t packets[2] = {0, 0};
};

struct ModelOutcome {
  enum class Kind : uint8_t { forwarded, dropped, core } kind = Kind::dropped;
  std::string reason;  ///< as the counters call it
  unsigned port = 0;
  Bytes frame;
};

class FirewallModel {
 public:
  explicit FirewallModel(ModelConfig config) : config_(std::move(config)) {}

  /// Chooses a port that is free; gets what was wanted, and whether that is free. 0: there is none. It is not asked
  /// while the station's port has a public one: it has the same for every destination (RFC 4787 and 5382, REQ-1).
  using ChoosePort = std::function<uint16_t(uint8_t protocol, uint16_t wanted, bool free)>;
  /// Whether a new connection finds no entry. Asked when there is room by the model's own count: entries that have
  /// ended are given back some time later.
  using TableFull = std::function<bool()>;
  /// A valid frame with an untagged IPv4 packet without options.
  ModelOutcome process(unsigned port, const Bytes& frame, uint32_t now, const ChoosePort& choose,
                       const TableFull& full = {});
  /// Ends what has expired; says which public ports (protocol, port) have become free.
  std::vector<std::pair<uint8_t, uint16_t>> expire(uint32_t now);

  bool port_free(uint8_t protocol, uint16_t port) const;
  const std::map<uint64_t, ModelConnection>& connections() const { return connections_; }
  size_t ports_in_use(uint8_t protocol) const;
  /// The connection that a tuple belongs to.
  const ModelConnection* find(const ModelTuple& tuple) const;

 private:
  struct Packet;
  struct Match {
    uint64_t id = 0;
    unsigned direction = 0;
  };
  std::optional<Match> lookup(const ModelTuple& tuple) const;
  ModelOutcome icmp_error(Packet& p, uint32_t now);
  ModelOutcome leave(Packet& p, const ModelTuple& as, uint32_t now);
  ModelOutcome routed(const Packet& p, uint32_t destination, ModelHop& hop) const;
  void refresh(ModelConnection& c, uint32_t now) const;

  ModelConfig config_;
  std::map<uint64_t, ModelConnection> connections_;
  std::map<ModelTuple, Match> tuples_;
  struct Station {
    uint8_t protocol;
    uint32_t address;
    uint16_t port;
    auto operator<=>(const Station&) const = default;
  };
  struct Mapping {
    uint16_t public_port = 0;
    size_t connections = 0;
  };
  std::map<Station, Mapping> mappings_;
  std::set<std::pair<uint8_t, uint16_t>> used_ports_;  ///< of the mappings, by protocol
  struct FragmentKey {
    uint32_t source, destination;
    uint16_t identification;
    uint8_t protocol;
    auto operator<=>(const FragmentKey&) const = default;
  };
  struct Fragments {
    ModelTuple tuple;
    uint32_t ends = 0;
  };
  std::map<FragmentKey, Fragments> fragments_;
  uint64_t next_id_ = 1;
};

/// What is wrong with the checksums of an Ethernet frame with IPv4, the packet quoted in an ICMP error among them;
/// empty: nothing. Fragments have none but that of their header.
std::vector<std::string> checksum_faults(const Bytes& frame);

/// Everything of a frame that the network reads, without padding.
Bytes without_padding(const Bytes& frame);

}  // namespace weft::test
