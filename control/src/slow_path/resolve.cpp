// Asking for the MAC of a station: ARP requests (RFC 826) and neighbour solicitations (RFC 4861 7.2.2).
#include "parts.h"

namespace weft::control::answers {

namespace {

Ipv6Address key_of(const std::variant<uint32_t, Ipv6Address>& station) {
  if (const auto* six = std::get_if<Ipv6Address>(&station)) return *six;
  const uint32_t four = std::get<uint32_t>(station);
  Ipv6Address key;
  key.octets[10] = key.octets[11] = 0xff;
  for (unsigned i = 0; i < 4; ++i) key.octets[12 + i] = static_cast<uint8_t>(four >> (24 - 8 * i));
  return key;
}

std::optional<OutgoingFrame> arp_request(const LinkView& link, uint32_t target) {
  const uint32_t own = address_at(link, target);
  if (own == 0) return std::nullopt;
  Bytes p;
  packet::put32(p, 0x0001u << 16 | kTypeIpv4);
  packet::put32(p, 0x0604'0001);
  append(p, link.mac);
  packet::put32(p, own);
  append(p, Mac{});
  packet::put32(p, target);
  return framed(station(link, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), kTypeArp, p);
}

std::optional<OutgoingFrame> solicitation(const LinkView& link, const Ipv6Address& target) {
  const Ipv6Address* own = source_at(link, target);
  if (!own) return std::nullopt;
  Ipv6Address group;
  group.octets = {
      0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, target.octets[13], target.octets[14], target.octets[15]};
  Bytes message{135, 0, 0, 0, 0, 0, 0, 0};
  append(message, target.octets);
  message.push_back(1);  // the asker's MAC
  message.push_back(1);
  append(message, link.mac);
  const Mac mac{0x33, 0x33, 0xff, target.octets[13], target.octets[14], target.octets[15]};
  return framed(station(link, mac), kTypeIpv6, icmp6(*own, group, 255, std::move(message)));
}

Asked& remembered(AnswerState& state, const Ipv6Address& key) {
  if (state.asked.size() >= kAskedMost && !state.asked.contains(key)) {
    state.asked.erase(std::ranges::min_element(state.asked, {}, [](const auto& entry) { return entry.second.last; }));
  }
  return state.asked[key];
}

}  // namespace

Answer ask(const Incoming& in, const HopView& hop, const std::variant<uint32_t, Ipv6Address>& station,
           Answer (*unreachable)(const Incoming&)) {
  const LinkView* link = link_of(in.router, hop);
  if (!link) return silent(Outcome::no_interface);
  const auto* four = std::get_if<uint32_t>(&station);
  const auto question = four ? arp_request(*link, *four) : solicitation(*link, std::get<Ipv6Address>(station));
  if (!question) return unreachable(in);
  Asked& asked = remembered(in.state, key_of(station));
  const bool again = asked.times == 0 || in.nanoseconds - asked.last >= kAskAgain;
  const bool in_vain = asked.times > kAskedInVain || (asked.times == kAskedInVain && again);
  Answer out = in_vain ? unreachable(in) : silent(Outcome::asked);
  if (again) {
    asked = {asked.times + (asked.times <= kAskedInVain ? 1 : 0), in.nanoseconds};
    out.frames.push_back(*question);
  }
  return out;
}

void heard_of(AnswerState& state, const LearntNeighbour& neighbour) { state.asked.erase(key_of(neighbour.address)); }

}  // namespace weft::control::answers
