#include "router.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "weft/packet/layers.h"

namespace weft::test {

MplsModel four_ports(uint32_t mtu) {
  MplsModel m;
  for (unsigned i = 0; i < 5; ++i) {
    const unsigned port = std::min(i, 3u);
    m.interfaces.push_back({port, i == kVlanInterface ? 100u : 0u, kRouterMac + port, mtu, false});
    m.names.push_back(i == kVlanInterface ? "D.100" : std::string(1, static_cast<char>('A' + i)));
    m.networks.push_back(fmt::format("10.0.{0}.1/24 2001:db8:{0}::1/64", i));
    m.stations.push_back({fmt::format("10.0.{}.2", i), i, kStationMac + i});
    m.stations.push_back({fmt::format("2001:db8:{}::2", i), i, kStationMac + i});
  }
  m.stations.push_back({"10.0.1.99", 1, 0});
  m.stations.push_back({"2001:db8:1::99", 1, 0});
  m.enabled.assign(kRouterPorts, true);
  return m;
}

Bytes inner_packet(unsigned port, const Inner& in) {
  const unsigned headers = (in.six ? 40u : 20u) + 8;
  Bytes payload(std::max(in.octets, headers + 4) - headers, static_cast<uint8_t>(in.number));
  for (size_t i = 0; i < 4; ++i) payload[i] = static_cast<uint8_t>(in.number >> (24 - 8 * i));
  std::vector<packet::Layer> layers{packet::Ethernet{}};
  if (in.six) {
    packet::Ipv6 ip;
    ip.source = *packet::parse_ipv6(in.source.empty() ? fmt::format("2001:db8:{}::2", port) : in.source);
    ip.destination = *packet::parse_ipv6(in.destination.empty() ? "2001:db8:c::7" : in.destination);
    ip.hop_limit = static_cast<uint8_t>(in.ttl);
    ip.traffic_class = static_cast<uint8_t>(in.tos);
    layers.push_back(ip);
  } else {
    packet::Ipv4 ip;
    ip.source = *packet::parse_ipv4(in.source.empty() ? fmt::format("10.0.{}.2", port) : in.source);
    ip.destination = *packet::parse_ipv4(in.destination.empty() ? "198.51.100.7" : in.destination);
    ip.ttl = static_cast<uint8_t>(in.ttl);
    ip.tos = static_cast<uint8_t>(in.tos);
    layers.push_back(ip);
  }
  layers.push_back(packet::Udp{static_cast<uint16_t>(1024 + port), 9});
  layers.push_back(packet::Payload{payload});
  const Bytes frame = packet::build(layers);
  Bytes out(frame.begin() + 14, frame.begin() + 14 + std::max(in.octets, headers + 4));
  if (in.bad_sum && !in.six) out[10] ^= 0x40;
  return out;
}

Bytes labelled_frame(unsigned port, const std::vector<StackEntry>& stack, const Bytes& packet, unsigned vlan) {
  const auto put = [](Bytes& b, uint64_t v, size_t bytes) {
    for (size_t i = bytes; i-- > 0;) b.push_back(static_cast<uint8_t>(v >> (8 * i)));
  };
  Bytes f;
  put(f, kRouterMac + port, 6);
  put(f, kStationMac + port, 6);
  if (vlan != 0) put(f, 0x81000000u | vlan, 4);
  put(f, !stack.empty() ? 0x8847u : packet[0] >> 4 == 6 ? 0x86ddu : 0x0800u, 2);
  for (size_t i = 0; i < stack.size(); ++i)
    put(f, uint64_t{stack[i].label} << 12 | stack[i].tc << 9 | (i + 1 == stack.size() ? 0x100u : 0u) | stack[i].ttl, 4);
  f.insert(f.end(), packet.begin(), packet.end());
  return padded(std::move(f));
}

RouterOutcome check_router(const MplsModel& model, const std::map<unsigned, std::vector<workbench::ListedFrame>>& in,
                           Comparison* found, const std::string& define) {
  RouterRun run;
  run.example = "mpls-router";
  run.receivers = {0, 1};
  run.config = model.config() + "switch answers off\n";
  run.in = in;
  if (!define.empty()) run.defines.emplace_back(define, "1");
  const RouterOutcome outcome = run_router(run);
  const Comparison c = compare(
      run, outcome, [&](unsigned port, const Bytes& frame) { return model.decide(port, frame); }, false);
  // For whoever looks for the fault: a few frames that should have left and did not, and of those that did instead.
  std::map<std::pair<unsigned, Bytes>, std::pair<int, Bytes>> open;
  for (const auto& [port, list] : in) {
    for (const auto& f : list) {
      const RouterDecision d = model.decide(port, f.bytes);
      if (d.text != "sent") continue;
      auto& o = open[{d.port, d.frame}];
      ++o.first;
      o.second = f.bytes;
    }
  }
  for (const auto& [port, list] : outcome.out) {
    for (const Bytes& f : list) --open[{port, f}].first;
  }
  int told = 0;
  for (const auto& [key, o] : open) {
    if (o.first == 0 || ++told > 8) continue;
    const auto hex = [](const Bytes& b) {
      std::string text;
      for (size_t i = 0; i < std::min<size_t>(b.size(), 80); ++i) text += fmt::format("{:02x}", b[i]);
      return text;
    };
    UNSCOPED_INFO((o.first > 0 ? "should have left by " : "left by ")
                  << key.first << ": " << hex(key.second) << (o.second.empty() ? "" : "\n  came as " + hex(o.second)));
  }
  CHECK(c.missing == 0);
  CHECK(c.foreign == 0);
  if (found) *found = c;
  return outcome;
}

}  // namespace weft::test
