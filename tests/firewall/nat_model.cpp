#include "nat_model.h"

#include <algorithm>

#include "weft/packet/checksum.h"

namespace weft::test {

using packet::get16;
using packet::get32;
using packet::set16;

namespace {

constexpr size_t kIp = 14;
constexpr uint8_t kIcmp = 1, kTcp = 6, kUdp = 17;

void set32(Bytes& b, size_t at, uint32_t value) {
  set16(b, at, value >> 16);
  set16(b, at + 2, value & 0xffff);
}

/// Ones' complement sum of whole bytes, as RFC 1071 writes it: an own one, so that the library's is not compared with
/// itself.
uint32_t sum_of(const Bytes& b, size_t from, size_t to, uint32_t sum = 0) {
  for (size_t i = from; i < to; ++i) sum += (i - from) % 2 == 0 ? uint32_t{b[i]} << 8 : b[i];
  return sum;
}
uint16_t folded(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

/// An IPv4 packet at `at`, up to `end` octets of the frame.
struct Ip {
  size_t at = 0, header = 20, end = 0;
  uint8_t protocol = 0;
  uint32_t source = 0, destination = 0;
  bool later_fragment = false, fragment = false;
  size_t payload() const { return at + header; }
};

std::optional<Ip> ip_at(const Bytes& b, size_t at) {
  if (b.size() < at + 20 || b[at] >> 4 != 4) return std::nullopt;
  Ip ip;
  ip.at = at;
  ip.header = (b[at] & 15) * 4u;
  ip.end = std::min(b.size(), at + get16(b, at + 2));
  ip.protocol = b[at + 9];
  ip.source = get32(b, at + 12);
  ip.destination = get32(b, at + 16);
  const unsigned fragment = get16(b, at + 6);
  ip.later_fragment = (fragment & 0x1fff) != 0;
  ip.fragment = (fragment & 0x3fff) != 0;
  if (ip.header < 20 || ip.payload() > ip.end) return std::nullopt;
  return ip;
}

size_t checksum_offset(uint8_t protocol) { return protocol == kTcp ? 16 : protocol == kUdp ? 6 : 2; }

void finish_header(Bytes& b, size_t at) {
  set16(b, at + 10, 0);
  set16(b, at + 10, static_cast<uint16_t>(~folded(sum_of(b, at, at + (b[at] & 15) * 4u))));
}

uint16_t transport_checksum(const Bytes& b, const Ip& ip) {
  uint32_t sum = 0;
  if (ip.protocol != kIcmp)
    sum = sum_of(b, ip.at + 12, ip.at + 20) + ip.protocol + static_cast<uint32_t>(ip.end - ip.payload());
  return static_cast<uint16_t>(~folded(sum_of(b, ip.payload(), ip.end, sum)));
}

bool is_error_type(uint8_t type) { return type == 3 || type == 4 || type == 5 || type == 11 || type == 12; }

/// The query that a type asks or answers; none for other messages.
std::optional<std::pair<uint8_t, bool>> query_of(uint8_t type) {
  switch (type) {
    case 8: return std::pair{uint8_t{8}, true};
    case 0: return std::pair{uint8_t{8}, false};
    case 13:
    case 15:
    case 17: return std::pair{type, true};
    case 14:
    case 16:
    case 18: return std::pair{static_cast<uint8_t>(type - 1), false};
    default: return std::nullopt;
  }
}

/// The tuple of a packet; none when its transport header is cut short, or an ICMP message is not a query.
std::optional<ModelTuple> tuple_of(const Bytes& b, const Ip& ip) {
  ModelTuple t{ip.protocol, ip.source, ip.destination, 0, 0};
  const size_t at = ip.payload();
  if (ip.protocol == kTcp || ip.protocol == kUdp) {
    if (ip.end < at + 8) return std::nullopt;
    t.source_port = get16(b, at);
    t.destination_port = get16(b, at + 2);
  } else if (ip.protocol == kIcmp) {
    if (ip.end < at + 8) return std::nullopt;
    const auto query = query_of(b[at]);
    if (!query) return std::nullopt;
    const uint16_t id = get16(b, at + 4);
    t.source_port = query->second ? id : query->first;
    t.destination_port = query->second ? query->first : id;
  }
  return t;
}

/// Puts addresses and ports into a packet. Its checksums, where there are any, change by what has changed.
void rewrite(Bytes& b, const Ip& ip, const ModelTuple& as, bool ports) {
  const uint32_t old_source = get32(b, ip.at + 12), old_destination = get32(b, ip.at + 16);
  set32(b, ip.at + 12, as.source);
  set32(b, ip.at + 16, as.destination);
  finish_header(b, ip.at);
  if (!ports) return;
  const size_t at = ip.payload();
  uint32_t old_sum = 0, new_sum = 0;  // of the words that the transport checksum covers and that change
  if (ip.protocol != kIcmp) {
    for (const uint32_t w : {old_source, old_destination}) old_sum += (w >> 16) + (w & 0xffff);
    for (const uint32_t w : {as.source, as.destination}) new_sum += (w >> 16) + (w & 0xffff);
  }
  if (ip.protocol == kTcp || ip.protocol == kUdp) {
    old_sum += uint32_t{get16(b, at)} + get16(b, at + 2);
    set16(b, at, as.source_port);
    set16(b, at + 2, as.destination_port);
    new_sum += uint32_t{as.source_port} + as.destination_port;
  } else if (ip.protocol == kIcmp) {
    const auto query = query_of(b[at]);
    if (!query) return;
    const uint16_t id = query->second ? as.source_port : as.destination_port;
    old_sum += get16(b, at + 4);
    set16(b, at + 4, id);
    new_sum += id;
  } else {
    return;
  }
  const size_t where = at + checksum_offset(ip.protocol);
  if (where + 2 > ip.end) return;
  const uint16_t checksum = get16(b, where);
  if (ip.protocol == kUdp && checksum == 0) return;
  // RFC 1624, eqn 3, in whole sums.
  uint16_t now =
      static_cast<uint16_t>(~folded(uint32_t{static_cast<uint16_t>(~checksum)} + 5 * 0xffffu - old_sum + new_sum));
  if (ip.protocol == kUdp && now == 0) now = 0xffff;
  set16(b, where, now);
}

Segment segment_of(const Bytes& b, const Ip& ip) {
  const size_t at = ip.payload();
  Segment s;
  const uint8_t flags = b[at + 13];
  s.fin = flags & 1;
  s.syn = flags & 2;
  s.rst = flags & 4;
  s.psh = flags & 8;
  s.ack = flags & 16;
  s.urg = flags & 32;
  s.sequence = get32(b, at + 4);
  s.acknowledgment = get32(b, at + 8);
  s.window = get16(b, at + 14);
  const size_t header = (b[at + 12] >> 4) * 4u;
  s.length = static_cast<uint32_t>(ip.end - at - header);
  for (size_t o = at + 20; o < at + header && b[o] != 0;) {
    if (b[o] == 1) {
      ++o;
      continue;
    }
    if (o + 1 >= at + header) break;
    const size_t length = b[o + 1];
    if (length < 2 || o + length > at + header) break;
    if (b[o] == 3 && length == 3) s.scale = b[o + 2];
    if (b[o] == 5) {
      for (size_t block = o + 2; block + 8 <= o + length; block += 8) {
        const uint32_t right = get32(b, block + 4);
        if (!s.sack_right || static_cast<int32_t>(right - *s.sack_right) > 0) s.sack_right = right;
      }
    }
    o += length;
  }
  return s;
}

bool valid_tcp(const Bytes& b, const Ip& ip) {
  const size_t at = ip.payload();
  if (ip.end < at + 20) return false;
  const size_t header = (b[at + 12] >> 4) * 4u;
  return header >= 20 && at + header <= ip.end;
}

ModelOutcome drop(std::string reason) { return {ModelOutcome::Kind::dropped, std::move(reason), 0, {}}; }
ModelOutcome core(std::string reason) { return {ModelOutcome::Kind::core, std::move(reason), 0, {}}; }

}  // namespace

struct FirewallModel::Packet {
  unsigned port;
  Bytes frame;
  Ip ip;
};

std::optional<FirewallModel::Match> FirewallModel::lookup(const ModelTuple& tuple) const {
  const auto found = tuples_.find(tuple);
  return found == tuples_.end() ? std::nullopt : std::optional(found->second);
}

const ModelConnection* FirewallModel::find(const ModelTuple& tuple) const {
  const auto match = lookup(tuple);
  return match ? &connections_.at(match->id) : nullptr;
}

bool FirewallModel::port_free(uint8_t protocol, uint16_t port) const {
  if (port == 0 || used_ports_.contains({protocol, port})) return false;
  return std::ranges::none_of(
      config_.forwardings, [&](const ModelForwarding& f) { return f.protocol == protocol && f.public_port == port; });
}

size_t FirewallModel::ports_in_use(uint8_t protocol) const {
  return static_cast<size_t>(std::ranges::count_if(used_ports_, [&](const auto& p) { return p.first == protocol; }));
}

void FirewallModel::refresh(ModelConnection& c, uint32_t now) const {
  switch (c.tuple[0].protocol) {
    case kTcp: c.expires = now + config_.tcp_timeouts.at(c.tcp.state); break;
    case kUdp: c.expires = now + (c.replied ? config_.udp_both : config_.udp); break;
    case kIcmp: c.expires = now + config_.icmp; break;
    default: c.expires = now + config_.other;
  }
}

std::vector<std::pair<uint8_t, uint16_t>> FirewallModel::expire(uint32_t now) {
  std::vector<std::pair<uint8_t, uint16_t>> ports;
  for (auto it = connections_.begin(); it != connections_.end();) {
    if (static_cast<int32_t>(it->second.expires - now) > 0) {
      ++it;
      continue;
    }
    for (const ModelTuple& t : it->second.tuple) tuples_.erase(t);
    if (it->second.mapped) {
      const ModelTuple& t = it->second.tuple[0];
      const auto mapping = mappings_.find({t.protocol, t.source, t.source_port});
      if (--mapping->second.connections == 0) {
        ports.emplace_back(t.protocol, mapping->second.public_port);
        used_ports_.erase(ports.back());
        mappings_.erase(mapping);
      }
    }
    it = connections_.erase(it);
  }
  std::erase_if(fragments_, [&](const auto& f) { return static_cast<int32_t>(f.second.ends - now) <= 0; });
  return ports;
}

/// What the router does with a packet to `destination`: forwarding is left to the caller.
ModelOutcome FirewallModel::routed(const Packet& p, uint32_t destination, ModelHop& hop) const {
  if (std::ranges::find(config_.addresses, destination) != config_.addresses.end()) return core("local");
  const auto found = config_.route(destination);
  if (!found) return core("no_route");
  if (!found->known) return core("unresolved");
  if (p.frame[kIp + 8] <= 1) return core("ttl");
  hop = *found;
  return {ModelOutcome::Kind::forwarded, {}, hop.port, {}};
}

/// A packet leaves as the tuple says.
ModelOutcome FirewallModel::leave(Packet& p, const ModelTuple& as, uint32_t) {
  ModelHop hop;
  ModelOutcome out = routed(p, as.destination, hop);
  if (out.kind != ModelOutcome::Kind::forwarded) return out;
  rewrite(p.frame, p.ip, as, !p.ip.later_fragment);
  --p.frame[kIp + 8];
  finish_header(p.frame, kIp);
  for (unsigned i = 0; i < 6; ++i) {
    p.frame[i] = static_cast<uint8_t>(hop.mac >> (40 - 8 * i));
    p.frame[6 + i] = static_cast<uint8_t>(config_.macs[hop.port] >> (40 - 8 * i));
  }
  p.frame.resize(p.ip.end);
  out.frame = std::move(p.frame);
  return out;
}

/// Found by the packet that it quotes. Addresses of the error itself change as those of a packet of its direction
/// would: a third-party router keeps its own where only the destination is translated.
ModelOutcome FirewallModel::icmp_error(Packet& p, uint32_t now) {
  const auto inner = ip_at(p.frame, p.ip.payload() + 8);
  if (!inner || inner->end > p.ip.end || inner->later_fragment) return drop("unknown_flow");
  const auto quoted = tuple_of(p.frame, *inner);
  if (!quoted || inner->end < inner->payload() + 8) return drop("unknown_flow");
  const auto match = lookup(quoted->turned());
  if (!match) return drop("unknown_flow");
  const ModelConnection& c = connections_.at(match->id);
  const ModelTuple incoming = c.tuple[match->direction], outgoing = c.tuple[1 - match->direction].turned();
  ModelTuple outer{kIcmp, p.ip.source, p.ip.destination, 0, 0};
  if (incoming.destination != outgoing.destination) outer.destination = outgoing.destination;
  if (incoming.source != outgoing.source) outer.source = outgoing.source;
  ModelHop hop;
  const ModelOutcome out = routed(p, outer.destination, hop);
  if (out.kind != ModelOutcome::Kind::forwarded) return out;
  rewrite(p.frame, *inner, c.tuple[1 - match->direction], true);
  const size_t at = p.ip.payload();
  set16(p.frame, at + 2, 0);
  set16(p.frame, at + 2, transport_checksum(p.frame, p.ip));
  Packet changed{p.port, p.frame, p.ip};
  return leave(changed, outer, now);
}

ModelOutcome FirewallModel::process(unsigned port, const Bytes& frame, uint32_t now, const ChoosePort& choose,
                                    const TableFull& full) {
  expire(now);
  const auto ip = ip_at(frame, kIp);
  if (!ip) return drop("short_packet");
  Packet p{port, frame, *ip};
  const FragmentKey key{ip->source, ip->destination, get16(frame, kIp + 4), ip->protocol};
  ModelTuple tuple;
  if (ip->later_fragment) {
    const auto first = fragments_.find(key);
    if (first == fragments_.end()) return drop("fragment_lost");
    tuple = first->second.tuple;
    const auto match = lookup(tuple);
    if (!match) return drop("fragment_lost");
    ModelConnection& c = connections_.at(match->id);
    ++c.packets[match->direction];
    return leave(p, c.tuple[1 - match->direction].turned(), now);
  }
  if (ip->protocol == kIcmp && ip->end >= ip->payload() + 8 && is_error_type(frame[ip->payload()]))
    return icmp_error(p, now);
  const auto of_packet = tuple_of(frame, *ip);
  if (!of_packet) return drop("invalid_state");
  tuple = *of_packet;
  if (ip->protocol == kTcp && !valid_tcp(frame, *ip)) return drop("invalid_state");
  if (ip->fragment) fragments_[key] = {tuple, now + config_.fragment_life};

  if (const auto match = lookup(tuple)) {
    ModelConnection& c = connections_.at(match->id);
    if (tuple.protocol == kTcp) {
      const bool ended = c.tcp.state == Tcp::time_wait || c.tcp.state == Tcp::close;
      const TcpVerdict verdict = inspect(c.tcp, segment_of(frame, *ip), match->direction, config_.tcp);
      if (verdict == TcpVerdict::refused) return drop("invalid_state");
      c.replied |= match->direction == 1;
      if (ended && c.tcp.state == Tcp::syn_sent) c.replied = false;  // opened anew
      if (verdict == TcpVerdict::passed) refresh(c, now);
    } else {
      c.replied |= match->direction == 1;
      refresh(c, now);
    }
    ++c.packets[match->direction];
    return leave(p, c.tuple[1 - match->direction].turned(), now);
  }

  // ---- a new flow
  TcpConnection tcp;
  if (tuple.protocol == kTcp && inspect(tcp, segment_of(frame, *ip), 0, config_.tcp) != TcpVerdict::passed)
    return drop("invalid_state");
  if (port != config_.outside && config_.public_address != 0 && tuple.destination == config_.public_address &&
      !config_.hairpin)
    return core("local");
  ModelTuple arriving = tuple;  // after the destination's translation
  bool forwarded = false;
  const bool to_public = config_.public_address != 0 && tuple.destination == config_.public_address &&
                         (port == config_.outside || config_.hairpin);
  if (to_public) {
    for (const ModelForwarding& f : config_.forwardings) {
      if (f.protocol != tuple.protocol || f.public_port != tuple.destination_port) continue;
      arriving.destination = f.inside;
      arriving.destination_port = f.inside_port;
      forwarded = true;
    }
    if (!forwarded) return core("local");
  }
  if (tuple.protocol == kIcmp && !query_of(frame[ip->payload()])->second) return drop("invalid_state");
  ModelHop hop;
  const ModelOutcome way = routed(p, arriving.destination, hop);
  if (way.kind != ModelOutcome::Kind::forwarded) return way;
  if (!config_.accepts({arriving, port, hop.port, forwarded})) return drop("filtered");
  if (config_.public_address != 0 && port == config_.outside && hop.port != config_.outside && !forwarded &&
      !config_.accept_untranslated)
    return drop("not_translated");
  if (connections_.size() >= config_.connections || (full && full())) return drop("connection_table_full");
  ModelTuple leaving = arriving;
  std::optional<Station> station;
  const bool hairpinned = forwarded && port != config_.outside;
  if (config_.public_address != 0 && port != config_.outside && (hop.port == config_.outside || hairpinned)) {
    leaving.source = config_.public_address;
    if (tuple.protocol == kTcp || tuple.protocol == kUdp || tuple.protocol == kIcmp) {
      station = {tuple.protocol, tuple.source, tuple.source_port};
      const auto mapping = mappings_.find(*station);
      leaving.source_port = mapping != mappings_.end() ? mapping->second.public_port
                                                       : choose(tuple.protocol, tuple.source_port,
                                                                port_free(tuple.protocol, tuple.source_port));
      if (leaving.source_port == 0) return drop("ports_exhausted");
    }
  }
  ModelConnection c{{tuple, leaving.turned()}, tcp, false, station.has_value(), 0, {1, 0}};
  if (tuples_.contains(c.tuple[1])) return drop("not_translated");
  refresh(c, now);
  if (station) {
    Mapping& mapping = mappings_[*station];
    mapping.public_port = leaving.source_port;
    ++mapping.connections;
    used_ports_.emplace(tuple.protocol, leaving.source_port);
  }
  const uint64_t id = next_id_++;
  tuples_[c.tuple[0]] = {id, 0};
  tuples_[c.tuple[1]] = {id, 1};
  connections_[id] = c;
  return leave(p, leaving, now);
}

// ---- what leaves, looked at without knowing what came in

namespace {

void packet_faults(const Bytes& b, size_t at, bool quoted, std::vector<std::string>& out) {
  const std::string where = quoted ? "quoted " : "";
  const auto ip = ip_at(b, at);
  if (!ip) {
    out.push_back(where + "IPv4 header is cut short");
    return;
  }
  if (folded(sum_of(b, ip->at, ip->payload())) != 0xffff) out.push_back(where + "IPv4 header checksum");
  if (ip->fragment || at + get16(b, at + 2) > b.size()) return;
  if (ip->protocol != kTcp && ip->protocol != kUdp && ip->protocol != kIcmp) return;
  const size_t where_sum = ip->payload() + checksum_offset(ip->protocol);
  if (where_sum + 2 > ip->end) return;
  if (ip->protocol == kUdp && get16(b, where_sum) == 0) return;
  const uint16_t sum = static_cast<uint16_t>(~transport_checksum(b, *ip));  // with the field in it
  if (sum != 0xffff)
    out.push_back(where + (ip->protocol == kTcp ? "TCP" : ip->protocol == kUdp ? "UDP" : "ICMP") + " checksum");
  if (!quoted && ip->protocol == kIcmp && is_error_type(b[ip->payload()]) && ip->end >= ip->payload() + 28)
    packet_faults(b, ip->payload() + 8, true, out);
}

}  // namespace

std::vector<std::string> checksum_faults(const Bytes& frame) {
  std::vector<std::string> out;
  packet_faults(frame, kIp, false, out);
  return out;
}

Bytes without_padding(const Bytes& frame) {
  const auto ip = ip_at(frame, kIp);
  return ip ? Bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(ip->end)) : frame;
}

}  // namespace weft::test
