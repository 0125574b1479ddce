#include "model.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::test {

namespace {

constexpr uint64_t kWay = 0x0a0000000000;

unsigned get(const Bytes& b, size_t at, size_t bytes) {
  unsigned v = 0;
  for (size_t i = 0; i < bytes; ++i) v = v << 8 | b.at(at + i);
  return v;
}
uint64_t mac(const Bytes& b, size_t at) { return uint64_t{get(b, at, 3)} << 24 | get(b, at + 3, 3); }
void put(Bytes& b, uint64_t v, size_t bytes) {
  for (size_t i = bytes; i-- > 0;) b.push_back(static_cast<uint8_t>(v >> (8 * i)));
}
void put_entry(Bytes& b, unsigned label, unsigned tc, bool bottom, unsigned ttl) {
  put(b, uint64_t{label} << 12 | tc << 9 | (bottom ? 0x100u : 0u) | ttl, 4);
}

/// Of a header of 20 octets: the sum of its halves, all of them.
uint16_t sum_of(const Bytes& p) {
  unsigned sum = 0;
  for (size_t i = 0; i < 20; i += 2) sum += get(p, i, 2);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}
bool sound4(const Bytes& p) { return p.size() >= 20 && p[0] == 0x45 && sum_of(p) == 0xffff; }
void mend4(Bytes& p) {
  p[10] = p[11] = 0;
  const unsigned sum = 0xffffu & ~sum_of(p);
  p[10] = static_cast<uint8_t>(sum >> 8);
  p[11] = static_cast<uint8_t>(sum);
}
std::string text_of(uint64_t m) {
  return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", m >> 40, m >> 32 & 0xff, m >> 24 & 0xff,
                     m >> 16 & 0xff, m >> 8 & 0xff, m & 0xff);
}
std::string text_of(const std::vector<MplsModel::Push>& pushes) {
  std::string out;
  for (const MplsModel::Push& p : pushes) {
    out += fmt::format(" {} {}", p.label, p.ttl ? p.tc ? "pipe" : "uniform-tc" : p.tc ? "uniform-ttl" : "uniform");
    if (p.ttl) out += fmt::format(" ttl {}", *p.ttl);
    if (p.tc) out += fmt::format(" tc {}", *p.tc);
  }
  return out;
}

}  // namespace

std::string MplsModel::config() const {
  std::string out = fmt::format("mpls labels {}\nmpls table {}\n", table, split ? "split" : "combined");
  for (size_t i = 0; i < interfaces.size(); ++i) {
    const auto& n = interfaces[i];
    out += fmt::format("interface {} port {} mac {} mtu {}{}{}\n", names[i], n.port, text_of(n.mac), n.mtu,
                       n.vlan ? fmt::format(" vlan {}", n.vlan) : "", n.any_mac ? " any-mac" : "");
    size_t at = 0;
    while (at < networks[i].size()) {
      const size_t end = std::min(networks[i].find(' ', at), networks[i].size());
      out += fmt::format("address {} {}\n", names[i], networks[i].substr(at, end - at));
      at = end + 1;
    }
    if (enabled[n.port]) out += fmt::format("mpls interface {}\n", names[i]);
  }
  for (const Station& s : stations) {
    if (s.mac != 0) out += fmt::format("neighbour {} mac {}\n", s.address, text_of(s.mac));
  }
  for (const auto& [from, to] : tc_of_dscp) out += fmt::format("mpls tc-map dscp {} tc {}\n", from, to);
  for (const auto& [from, to] : dscp_of_tc) out += fmt::format("mpls dscp-map tc {} dscp {}\n", from, to);
  for (const Route& r : routes) {
    out += fmt::format("route {}{}{} via {}\n", r.prefix, r.pushes.empty() ? "" : " push", text_of(r.pushes),
                       stations[r.station].address);
  }
  for (const auto& [label, l] : labels) {
    const char* mode = l.uniform_ttl ? l.uniform_tc ? "uniform" : "uniform-ttl" : l.uniform_tc ? "uniform-tc" : "pipe";
    const char* bottom = l.bottom == Bottom::required ? " bottom" : l.bottom == Bottom::refused ? " not-bottom" : "";
    out += fmt::format("label {} ", label);
    if (l.what == Label::Do::swap)
      out += fmt::format("swap {}{}{} via {}", l.out, l.pushes.empty() ? "" : " push", text_of(l.pushes),
                         stations[l.station].address);
    else
      out += fmt::format("pop {} {}", l.pops, mode) + (l.version ? fmt::format(" ipv{}", l.version) : "") +
             (l.what == Label::Do::pop_forward ? " via " + stations[l.station].address : "");
    out += bottom + std::string("\n");
  }
  return out + (explicit_uniform ? "mpls mode uniform\n" : "mpls mode pipe\n");
}

void MplsModel::finish() {
  DualReference base;
  base.interfaces = interfaces;
  for (size_t i = 0; i < interfaces.size(); ++i) {
    const std::string& list = networks[i];
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(' ', at), list.size());
      const std::string one = list.substr(at, end - at), address = one.substr(0, one.find('/'));
      at = end + 1;
      base.route(address + (one.find(':') == std::string::npos ? "/32" : "/128"), "core local");
      base.route(one, "core unresolved");  // the stations of it are routes of their own
    }
  }
  by_route_ = base;
  for (size_t s = 0; s < stations.size(); ++s) {
    DualReference direct;
    direct.interfaces = interfaces;
    ways_.push_back({s, {}});
    for (const char* all : {"0.0.0.0/0", "::/0"}) {
      if (stations[s].mac != 0)
        direct.route(all, stations[s].interface, kWay + ways_.size() - 1);
      else
        direct.route(all, "core unresolved");
    }
    by_station_.push_back(direct);
    if (stations[s].mac != 0)
      by_route_.route(stations[s].address + (stations[s].address.find(':') == std::string::npos ? "/32" : "/128"),
                      stations[s].interface, kWay + ways_.size() - 1);
  }
  for (const Route& r : routes) {
    ways_.push_back({r.station, r.pushes});
    if (stations[r.station].mac != 0)
      by_route_.route(r.prefix, stations[r.station].interface, kWay + ways_.size() - 1);
    else
      by_route_.route(r.prefix, "core unresolved");
  }
}

unsigned MplsModel::tc(unsigned d) const {
  const auto found = tc_of_dscp.find(d);
  return found == tc_of_dscp.end() ? d >> 3 : found->second;
}
unsigned MplsModel::dscp(unsigned t) const {
  const auto found = dscp_of_tc.find(t);
  return found == dscp_of_tc.end() ? t << 3 : found->second;
}

RouterDecision MplsModel::leave(size_t station, const Bytes& packet, unsigned type) const {
  const Station& s = stations[station];
  const auto& out = interfaces[s.interface];
  if (s.mac == 0) return {"core unresolved", 0, {}};
  if (packet.size() > out.mtu) return {"core mtu", 0, {}};
  Bytes frame;
  put(frame, s.mac, 6);
  put(frame, out.mac, 6);
  if (out.vlan != 0) put(frame, 0x81000000u | out.vlan, 4);
  put(frame, type, 2);
  frame.insert(frame.end(), packet.begin(), packet.end());
  return {"sent", out.port, padded(std::move(frame))};
}

/// The reference's answer, and what the way that it chose does besides.
RouterDecision MplsModel::ip(unsigned port, const DualReference& reference, const Bytes& frame) const {
  const DualReference::Decision d = reference.decide(port, frame);
  if (d.text != "sent") return {d.text, 0, {}};
  const Way& way = ways_.at(mac(d.frame, 0) - kWay);
  const size_t behind = get(d.frame, 12, 2) == 0x8100 ? 18 : 14;
  Bytes packet(d.frame.begin() + static_cast<std::ptrdiff_t>(behind), d.frame.end());
  const bool six = packet[0] >> 4 == 6;
  packet.resize(six ? 40 + get(packet, 4, 2) : get(packet, 2, 2));
  if (way.pushes.empty()) return leave(way.station, packet, six ? 0x86dd : 0x0800);
  const unsigned ttl = six ? packet[7] : packet[8],
                 of_packet = tc((six ? get(packet, 0, 2) >> 6 : packet[1] >> 2) & 63u);
  Bytes stack;
  for (size_t i = way.pushes.size(); i-- > 0;)
    put_entry(stack, way.pushes[i].label, way.pushes[i].tc.value_or(of_packet), i == 0,
              way.pushes[i].ttl.value_or(ttl));
  stack.insert(stack.end(), packet.begin(), packet.end());
  return leave(way.station, stack, 0x8847);
}

RouterDecision MplsModel::exposed(unsigned port, Bytes p, const Label& last, const Entry& top) const {
  const unsigned version = last.version != 0 ? last.version : p.empty() ? 0 : p[0] >> 4;
  if (version != 4 && version != 6) return {"drop version", 0, {}};
  const auto lower = [&](uint8_t& ttl) {
    if (last.uniform_ttl && top.ttl < ttl) ttl = static_cast<uint8_t>(top.ttl);
  };
  if (version == 4 && sound4(p)) {
    lower(p[8]);
    if (last.uniform_tc) p[1] = static_cast<uint8_t>(dscp(top.tc) << 2 | (p[1] & 3));
    mend4(p);
  } else if (version == 6 && p.size() >= 40) {
    lower(p[7]);
    if (last.uniform_tc) {
      const unsigned first = (get(p, 0, 2) & 0xf03fu) | dscp(top.tc) << 6;
      p[0] = static_cast<uint8_t>(first >> 8);
      p[1] = static_cast<uint8_t>(first);
    }
  }
  Bytes frame;
  const auto own = std::find_if(interfaces.begin(), interfaces.end(), [&](const auto& i) { return i.port == port; });
  put(frame, own->mac, 6);
  put(frame, 0x020000000001, 6);
  put(frame, version == 4 ? 0x0800 : 0x86dd, 2);
  frame.insert(frame.end(), p.begin(), p.end());
  return ip(port, last.what == Label::Do::pop_forward ? by_station_[last.station] : by_route_, frame);
}

RouterDecision MplsModel::labelled(unsigned port, const Bytes& p) const {
  size_t at = 0;
  const auto entry = [&](size_t place) {
    return Entry{get(p, place, 3) >> 4, get(p, place + 2, 1) >> 1 & 7u, get(p, place + 2, 1) & 1u,
                 get(p, place + 3, 1)};
  };
  Entry top = entry(0);
  for (unsigned taken = 0;;) {
    Label l;
    if (top.label >= table) return {"drop mpls_unknown_label", 0, {}};
    const auto found = labels.find(top.label);
    if (found != labels.end()) {
      l = found->second;
    } else if (top.label == 1) {
      return {"core mpls_router_alert", 0, {}};
    } else if (top.label == 0 || top.label == 2) {
      l.what = Label::Do::pop;
      l.version = top.label == 0 ? 4 : 6;
      l.uniform_ttl = l.uniform_tc = explicit_uniform;
    } else {
      return {top.label < 16 ? "drop mpls_reserved_label" : "drop mpls_unknown_label", 0, {}};
    }
    if (top.ttl < 2) return {"core mpls_ttl", 0, {}};
    const auto wrong = [&](const Entry& e) {
      return (l.bottom == Bottom::required && !e.bottom) || (l.bottom == Bottom::refused && e.bottom);
    };
    if (l.what == Label::Do::swap) {
      if (wrong(top)) return {"drop mpls_bottom", 0, {}};
      Bytes out;
      for (size_t i = l.pushes.size(); i-- > 0;)
        put_entry(out, l.pushes[i].label, l.pushes[i].tc.value_or(top.tc), false,
                  l.pushes[i].ttl.value_or(top.ttl - 1));
      put_entry(out, l.out, top.tc, top.bottom, top.ttl - 1);
      out.insert(out.end(), p.begin() + static_cast<std::ptrdiff_t>(at + 4), p.end());
      return leave(l.station, out, 0x8847);
    }
    Entry removed = top;
    for (unsigned n = 1; n < l.pops; ++n) {
      if (removed.bottom) return {"drop mpls_bottom", 0, {}};
      removed = entry(at + 4 * n);
    }
    if (wrong(removed)) return {"drop mpls_bottom", 0, {}};
    taken += l.pops;
    if (taken > 3) return {"drop mpls_stack", 0, {}};
    at += size_t{4} * l.pops;
    if (removed.bottom) return exposed(port, Bytes(p.begin() + static_cast<std::ptrdiff_t>(at), p.end()), l, top);
    Entry below = entry(at);
    const bool leaves = l.what == Label::Do::pop_forward;
    if (l.uniform_ttl) below.ttl = std::min(below.ttl, leaves ? top.ttl - 1 : top.ttl);
    if (l.uniform_tc) below.tc = top.tc;
    if (leaves && below.ttl == 0) return {"core mpls_ttl", 0, {}};  // RFC 3032 2.4.2
    if (leaves) {
      Bytes out;
      put_entry(out, below.label, below.tc, below.bottom, below.ttl);
      out.insert(out.end(), p.begin() + static_cast<std::ptrdiff_t>(at + 4), p.end());
      return leave(l.station, out, 0x8847);
    }
    top = below;
  }
}

RouterDecision MplsModel::decide(unsigned port, const Bytes& frame) const {
  const bool tagged = get(frame, 12, 2) == 0x8100 && frame.size() >= 18;
  const size_t behind = tagged ? 18 : 14;
  const unsigned type = get(frame, behind - 2, 2);
  if (type != 0x8847 && type != 0x8848) return ip(port, by_route_, frame);
  // Who takes the frame at all: as if it were an ARP request, which the reference lets pass there.
  Bytes link(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(behind));
  link[behind - 2] = 0x08;
  link[behind - 1] = 0x06;
  link.resize(60);
  const std::string taken = by_route_.decide(port, link).text;
  if (taken != "core arp") return {taken, 0, {}};
  if (!enabled[port]) return {"drop mpls_disabled", 0, {}};
  if (type == 0x8848) return {"core mpls_multicast", 0, {}};
  if (frame[0] & 1) return {"drop link_broadcast", 0, {}};
  if (frame.size() - (behind - 14) < 38) return {"drop short_packet", 0, {}};
  return labelled(port, Bytes(frame.begin() + static_cast<std::ptrdiff_t>(behind), frame.end()));
}

}  // namespace weft::test
