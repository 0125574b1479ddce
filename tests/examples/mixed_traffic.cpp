#include "mixed_traffic.h"

#include <fmt/format.h>

#include <memory>

#include "dual_reference.h"
#include "reference.h"
#include "weft/packet/layers.h"

namespace weft::test {

using packet::Layer;

namespace {

constexpr size_t kLongest = 2040;  // of a frame in a buffer of 2,048 bytes
constexpr size_t kLongestAtPort = 9600;
constexpr uint64_t kRouterMac = 0x02000000010a;   // + port
constexpr uint64_t kStationMac = 0x02000000000a;  // + port
constexpr uint64_t kTaggedStation = 0x020000000064;

std::string mac_text(uint64_t mac) {
  return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", mac >> 40, mac >> 32 & 255, mac >> 24 & 255,
                     mac >> 16 & 255, mac >> 8 & 255, mac & 255);
}
packet::Mac mac_of(uint64_t value) {
  packet::Mac mac;
  for (size_t i = 0; i < 6; ++i) mac.octets[i] = static_cast<uint8_t>(value >> (40 - 8 * i));
  return mac;
}

/// Behind interface n lie 10.0.n.0/24 and 2001:db8:n::/64 with station 2, and 20.n.0.0/16 and 2001:db8:10n::/48 through
/// it.
std::string network4(size_t n) { return fmt::format("10.0.{}.", n); }
std::string network6(size_t n) { return fmt::format("2001:db8:{}::", n); }
std::string behind4(size_t n) { return fmt::format("20.{}.", n); }
std::string behind6(size_t n) { return fmt::format("2001:db8:10{}:", n); }

}  // namespace

RouterCase forwarder_case(bool any_mac) {
  RouterCase c;
  c.run.example = "ipv4-forwarder";
  c.run.receivers = {0};
  c.ports = 2;
  const auto r = std::make_shared<ReferenceRouter>();
  for (unsigned p = 0; p < 2; ++p) {
    c.run.config += fmt::format(
        "interface P{0} port {0} mac {1} mtu {2} {3}\naddress P{0} {4}1/24\nneighbour {4}2 mac {5}\nroute {6}0.0/16 "
        "via {4}2\n",
        p, mac_text(kRouterMac + p), p == 0 ? 1500 : 1400, any_mac ? "any-mac" : "", network4(p),
        mac_text(kStationMac + p), behind4(p));
    r->ports.push_back({kRouterMac + p, 0x0a000001 | p << 8, 24, p == 0 ? 1500u : 1400u, any_mac});
    r->hops.push_back({p, kStationMac + p});
  }
  for (unsigned p = 0; p < 2; ++p) {
    r->hops.push_back({p, 0});
    r->routes.add({0x0a000000 | p << 8, 24}, 2 + p);
    r->routes.add({0x0a000002 | p << 8, 32}, p);
    r->routes.add({0x14000000 | p << 16, 16}, p);
  }
  c.run.config += "route 0.0.0.0/0 via 10.0.1.2\n";
  r->routes.add({0, 0}, 1);
  c.reference = [r](unsigned port, const Bytes& frame) {
    auto d = r->decide(port, frame);
    // The engines hand on what has options; the checksum is the core's business.
    return RouterDecision{d.text == "core options_checksum" ? "core options" : d.text, d.port, std::move(d.frame)};
  };
  return c;
}

RouterCase dual_stack_case(bool any_mac) {
  RouterCase c;
  c.run.example = "dual-stack-router";
  c.run.receivers = {0, 1};
  c.ports = 4;
  c.ipv6 = c.vlan = true;
  const auto r = std::make_shared<DualReference>();
  for (size_t n = 0; n < 5; ++n) {
    const unsigned port = n < 4 ? static_cast<unsigned>(n) : 3, mtu = n == 1 ? 1400 : 1500;
    const uint64_t station = n < 4 ? kStationMac + n : kTaggedStation;
    c.run.config +=
        fmt::format("interface P{} port {} {} mtu {} {}\n", n, port,
                    n < 4 ? "mac " + mac_text(kRouterMac + n) : "vlan 100", mtu, any_mac && n < 4 ? "any-mac" : "");
    c.run.config += fmt::format("address P{0} {1}1/24\naddress P{0} {2}1/64\n", n, network4(n), network6(n));
    c.run.config +=
        fmt::format("neighbour {0}2 mac {2}\nneighbour {1}2 mac {2}\n", network4(n), network6(n), mac_text(station));
    c.run.config +=
        fmt::format("route {}0.0/16 via {}2\nroute {}:/48 via {}2\n", behind4(n), network4(n), behind6(n), network6(n));
    r->interfaces.push_back({port, n < 4 ? 0u : 100u, kRouterMac + port, mtu, any_mac});
    r->route(network4(n) + "0/24", "core unresolved");
    r->route(network4(n) + "0/32", "drop directed_broadcast");
    r->route(network4(n) + "255/32", "drop directed_broadcast");
    r->route(network4(n) + "1/32", "core local");
    r->route(network4(n) + "2/32", n, station);
    r->route(network6(n) + "/64", "core unresolved");
    r->route(network6(n) + "/128", "core local");  // every router of the network
    r->route(network6(n) + "1/128", "core local");
    r->route(network6(n) + "2/128", n, station);
    r->route(behind4(n) + "0.0/16", n, station);
    r->route(behind6(n) + ":/48", n, station);
    r->broadcasts.push_back(static_cast<uint32_t>(0x0a0000ff | n << 8));
    if (n < 4) r->route(fmt::format("fe80::ff:fe00:{:x}/128", 0x10a + n), "core local");
  }
  r->route("fe80::/10", "core link_local");
  c.run.config += "route 0.0.0.0/0 via 10.0.1.2\nroute ::/0 via 2001:db8:2::2\n";
  r->route("0.0.0.0/0", 1, kStationMac + 1);
  r->route("::/0", 2, kStationMac + 2);
  c.reference = [r](unsigned port, const Bytes& frame) {
    if (frame.size() > kLongestAtPort) return RouterDecision{"lost", 0, {}};
    if (frame.size() > kLongest) return RouterDecision{"drop too_long", 0, {}};
    auto d = r->decide(port, frame);
    return RouterDecision{d.text, d.port, std::move(d.frame)};
  };
  return c;
}

namespace {

/// Somewhere behind the router; now and then something that has an answer of its own.
packet::Ipv4Address target4(Random& random, unsigned interfaces) {
  static const char* const rare[] = {"10.0.0.1", "10.0.1.77", "10.0.1.255", "10.0.0.0",       "127.0.0.1",
                                     "0.1.2.3",  "224.0.0.5", "240.0.0.1",  "255.255.255.255"};
  if (random.chance(1, 25)) return *packet::parse_ipv4(rare[random.below(std::size(rare))]);
  if (random.chance(1, 20)) return {random.next32()};
  return {static_cast<uint32_t>(0x14000000 | random.below(interfaces) << 16 | random.below(65536))};
}
packet::Ipv6Address target6(Random& random, unsigned interfaces) {
  static const char* const rare[] = {"2001:db8:1::1", "2001:db8:1::77", "2001:db8:2::",      "::",     "::1",
                                     "ff02::1",       "fe80::9",        "fe80::ff:fe00:10a", "3fff::1"};
  if (random.chance(1, 25)) return *packet::parse_ipv6(rare[random.below(std::size(rare))]);
  return *packet::parse_ipv6(
      fmt::format("{}{:x}::{:x}", behind6(random.below(interfaces)), random.below(65536), random.below(65536)));
}
packet::Ipv4Address source4(Random& random, unsigned port) {
  static const char* const rare[] = {"10.0.0.255", "0.1.2.3", "127.0.0.1", "224.0.0.5", "240.0.0.1", "169.254.1.1"};
  if (random.chance(1, 40)) return *packet::parse_ipv4(rare[random.below(std::size(rare))]);
  return {static_cast<uint32_t>(0x0a000002 | port << 8)};
}
packet::Ipv6Address source6(Random& random, unsigned port) {
  static const char* const rare[] = {"::", "::1", "ff02::1", "fe80::1"};
  return *packet::parse_ipv6(random.chance(1, 40) ? rare[random.below(std::size(rare))] : network6(port) + "2");
}

Bytes ipv4_options(Random& random) {
  switch (random.below(6)) {
    case 0: return {7, 7, 4, 0, 0, 0, 0};                   // record route
    case 1: return {68, 12, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0};  // timestamp with address
    case 2: return {148, 4, 0, 0};                          // router alert
    case 3: return {131, 7, 4, 10, 0, 1, 2};                // loose source route
    case 4: return {7, 2, 0, 0};                            // record route without its pointer
    default: return {static_cast<uint8_t>(random.next32()), static_cast<uint8_t>(random.next32()), 0, 0};
  }
}
Bytes hop_by_hop(Random& random) {
  switch (random.below(4)) {
    case 0: return {5, 2, 0, 0};     // router alert
    case 1: return {0x3e, 0};        // unknown, to be skipped
    case 2: return {0xbe, 2, 1, 2};  // unknown, to be answered
    default: return {0x7e, 1, 0};    // unknown, to be dropped
  }
}

}  // namespace

workbench::ListedFrame mixed_frame(Random& random, const RouterCase& router, unsigned port, uint32_t number,
                                   const Damage& damage) {
  const unsigned interfaces = router.vlan ? 5 : router.ports;
  const uint64_t to = random.chance(1, 50) ? 0x02000000ffff : random.chance(1, 50) ? 0xffffffffffff : kRouterMac + port;
  std::vector<Layer> layers{packet::Ethernet{.destination = mac_of(to), .source = mac_of(kStationMac + port)}};
  if (random.chance(1, router.vlan && port == 3 ? 3 : 50))
    layers.push_back(packet::Vlan{.id = static_cast<uint16_t>(random.chance(9, 10) ? 100 : random.below(4096)),
                                  .priority = static_cast<uint8_t>(random.below(8))});

  Bytes payload;
  for (const uint32_t word : {uint32_t{port}, number}) {
    for (unsigned shift = 32; shift > 0; shift -= 8) payload.push_back(static_cast<uint8_t>(word >> (shift - 8)));
  }
  const uint64_t size = random.chance(1, 10)    ? random.between(1300, 1472)
                        : random.chance(1, 100) ? random.between(2000, 3000)
                                                : random.below(300);
  while (payload.size() < size) payload.push_back(static_cast<uint8_t>(random.next32()));
  const uint8_t hops =
      random.chance(1, 60) ? static_cast<uint8_t>(random.below(2)) : static_cast<uint8_t>(random.between(2, 255));
  packet::Ipv4 v4{.identification = static_cast<uint16_t>(number),
                  .dont_fragment = random.chance(1, 2),
                  .ttl = hops,
                  .source = source4(random, port),
                  .destination = target4(random, interfaces)};
  const packet::Ipv6 v6{.flow_label = number & 0xfffff,
                        .hop_limit = hops,
                        .source = source6(random, port),
                        .destination = target6(random, interfaces)};
  const packet::Udp udp{.source = static_cast<uint16_t>(1024 + number % 64), .destination = 9};

  const uint64_t kind = random.below(100);
  if (kind < 3) {
    layers.push_back(packet::Arp{random.chance(1, 2) ? uint16_t{1} : uint16_t{2},
                                 mac_of(kStationMac + port),
                                 {0x0a000002 | port << 8},
                                 mac_of(kRouterMac + port),
                                 {random.chance(1, 2) ? 0x0a000001 | port << 8 : random.next32()}});
  } else if (kind < 5) {  // none of the router's protocols
    layers.front() =
        packet::Ethernet{.destination = mac_of(to),
                         .source = mac_of(kStationMac + port),
                         .type = random.chance(1, 2) ? uint16_t{0x8847} : static_cast<uint16_t>(random.next32())};
    layers.push_back(packet::Payload{payload});
  } else if (kind < 8) {
    v4.options = ipv4_options(random);
    layers.insert(layers.end(), {v4, udp, packet::Payload{payload}});
  } else if (kind < 13) {  // fragments; the later ones without a header of UDP
    v4.more_fragments = random.chance(1, 2);
    v4.fragment_offset = static_cast<uint16_t>(random.chance(1, 3) ? 0 : random.between(1, 200));
    v4.dont_fragment = false;
    v4.protocol = uint8_t{17};
    layers.insert(layers.end(), {v4, packet::Payload{payload}});
  } else if (kind < (router.ipv6 ? 55u : 95u)) {
    layers.push_back(v4);
    if (random.chance(1, 4))
      layers.push_back(packet::Tcp{.source = udp.source, .destination = 80, .sequence = number});
    else if (random.chance(1, 20))
      layers.push_back(packet::Icmp{.type = 8, .rest = number});
    else
      layers.push_back(udp);
    layers.push_back(packet::Payload{payload});
  } else {
    layers.push_back(v6);
    const uint64_t headers = random.below(20);
    if (headers == 0)
      layers.push_back(packet::Options6{.options = hop_by_hop(random)});
    else if (headers == 1)
      layers.push_back(packet::Options6{.destination = true, .options = hop_by_hop(random)});
    else if (headers == 2)
      layers.push_back(packet::Routing6{.type = 0, .data = Bytes(20, 1)});
    else if (headers == 3)
      layers.push_back(packet::Fragment6{
          .offset = static_cast<uint16_t>(random.below(100)), .more = true, .identification = number});
    layers.push_back(udp);
    layers.push_back(packet::Payload{payload});
  }

  workbench::ListedFrame frame;
  Bytes& b = frame.bytes = packet::padded(packet::build(layers));
  if (random.chance(damage.flips, 1000)) {
    for (uint64_t n = random.between(1, 3); n > 0; --n)
      b[random.below(std::min<size_t>(b.size(), 60))] ^= static_cast<uint8_t>(1u << random.below(8));
  }
  if (random.chance(damage.cuts, 1000)) b.resize(random.between(14, b.size()));
  if (random.chance(damage.noise, 1000)) {
    for (size_t i = random.below(40); i < b.size(); ++i) b[i] = static_cast<uint8_t>(random.next32());
  }
  // What cuts leave is padded by the sender.
  b = packet::padded(std::move(b));
  frame.damaged = random.chance(damage.check_sequence, 1000);
  return frame;
}

}  // namespace weft::test
