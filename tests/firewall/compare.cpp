#include "compare.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>

#include "weft/packet/layers.h"

namespace weft::test {

namespace {

std::string hex(const Bytes& b) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const uint8_t octet : b) out += {kDigits[octet >> 4], kDigits[octet & 15]};
  return out;
}

packet::Ethernet link(unsigned port) {
  return {.destination = {{2, 0, 0, 0, 1, static_cast<uint8_t>(0x0a + port)}},
          .source = {{2, 0, 0, 0, 0, static_cast<uint8_t>(0x0a + port)}}};
}

}  // namespace

void tag(Bytes& frame, size_t number) {
  packet::set16(frame, 18, static_cast<unsigned>(number & 0xffff));
  packet::set16(frame, 24, 0);
  uint32_t sum = 0;
  for (size_t i = 14; i < 34; i += 2) sum += packet::get16(frame, i);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  packet::set16(frame, 24, ~sum & 0xffff);
}

Compared run_and_compare(FirewallRun run, std::vector<SentFrame> frames, const ModelConfig& config,
                         const CompareOptions& options) {
  std::map<uint16_t, std::vector<size_t>> by_tag;
  for (size_t i = 0; i < frames.size(); ++i) {
    tag(frames[i].bytes, i);
    by_tag[static_cast<uint16_t>(i)].push_back(i);
    run.in[frames[i].port].push_back({frames[i].at, frames[i].bytes, false});
  }
  Compared c{run_firewall(run), {}, FirewallModel(config)};

  // Of the frames with a tag the one that came in last before it left: they are far apart.
  std::vector<const LeftFrame*> left(frames.size(), nullptr);
  size_t strange = 0;
  for (const LeftFrame& f : c.outcome.out) {
    const size_t* found = nullptr;
    for (const size_t& i : by_tag[packet::get16(f.bytes, 18)]) {
      if (frames[i].at < f.at) found = &i;
    }
    if (!found || left[*found])
      ++strange;
    else
      left[*found] = &f;
  }
  CHECK(strange == 0);

  std::deque<uint32_t> ended;  // ticks
  std::map<std::pair<uint8_t, uint16_t>, uint32_t>
      released;  // ports, and when: the program gives them back some time later
  std::map<std::pair<uint8_t, uint16_t>, uint32_t>
      in_hands;  // ports that a flow had asked for when it found no entry, and when
  size_t wrong = 0, faulty = 0;
  const auto complain = [&](size_t i, const std::string& what) {
    if (++wrong <= 5)
      UNSCOPED_INFO("frame " << i << " at " << frames[i].at << " ns by port " << frames[i].port << ": " << what
                             << "\n  in       " << hex(frames[i].bytes));
  };
  std::map<std::string, uint64_t> expected;
  for (size_t i = 0; i < frames.size(); ++i) {
    const uint32_t now = options.first_tick + static_cast<uint32_t>(frames[i].at / options.tick);
    const size_t before = c.model.connections().size();
    for (const auto& port : c.model.expire(now)) released[port] = now;
    for (size_t n = c.model.connections().size(); n < before; ++n) ended.push_back(now);
    while (!ended.empty() && now - ended.front() > options.release_ticks) ended.pop_front();
    const LeftFrame* observed = left[i];
    const auto choose = [&](uint8_t protocol, uint16_t wanted, bool free) -> uint16_t {
      const auto late = released.find({protocol, wanted});
      // Who finds the table full gives the port back that it was given, through the resource engine.
      constexpr uint32_t kGivenBack = 20;
      const auto hand = in_hands.find({protocol, wanted});
      const bool surely_free = free && (late == released.end() || now - late->second > options.release_ticks) &&
                               (hand == in_hands.end() || now - hand->second > kGivenBack);
      if (!observed && surely_free) return wanted;
      if (!observed) {
        // Identifiers are free or in use whatever the range of ports is.
        const unsigned first = protocol == 1 ? 1 : config.first_port, last = protocol == 1 ? 65535 : config.last_port;
        for (unsigned port = first; port <= last; ++port) {
          const auto given_back = released.find({protocol, static_cast<uint16_t>(port)});
          if (!c.model.port_free(protocol, static_cast<uint16_t>(port)) ||
              (given_back != released.end() && now - given_back->second <= options.release_ticks))
            continue;
          complain(i, "has not left, though port or identifier " + std::to_string(port) + " is free");
          break;
        }
        return 0;
      }
      const uint16_t chosen = packet::get16(observed->bytes, protocol == 1 ? 38 : 34);
      if (chosen == wanted) return chosen;
      // The mapping that has just ended may still be there: its station's port gets the same one.
      const auto ended_now = released.find({protocol, chosen});
      const bool kept = ended_now != released.end() && now - ended_now->second <= options.release_ticks;
      if (surely_free && !kept) complain(i, "its own port was free");
      // The program counts ticks from when its engines begin, and reads the count a moment before or after a change of
      // it.
      constexpr uint32_t kAhead = 2;
      if (!c.model.port_free(protocol, chosen)) {
        for (const auto& port : c.model.expire(now + kAhead)) released[port] = now;
      }
      if (!c.model.port_free(protocol, chosen)) complain(i, "got a port that is in use");
      if (protocol != 1 && (chosen < config.first_port || chosen > config.last_port))
        complain(i, "got a port outside of the range");
      return chosen;
    };
    // No entry, although by the model there is room: right only if others have ended a short time ago.
    const auto full = [&] {
      constexpr size_t kInHands = 4;
      return !observed && c.model.connections().size() + ended.size() + kInHands >= config.connections;
    };
    const ModelOutcome outcome = c.model.process(frames[i].port, frames[i].bytes, now, choose, full);
    const bool forwarded = outcome.kind == ModelOutcome::Kind::forwarded;
    if (!observed && outcome.reason == "connection_table_full") {
      const Bytes& b = frames[i].bytes;
      in_hands[{b[23], packet::get16(b, b[23] == 1 ? 38 : 34)}] = now;
    }
    ++c.decisions[forwarded ? "forwarded" : outcome.reason];
    if (!forwarded) ++expected[outcome.reason];
    if (forwarded != (observed != nullptr)) {
      complain(i,
               forwarded ? "has not left" : "has left, but " + outcome.reason + "\n  out      " + hex(observed->bytes));
      continue;
    }
    if (!observed) continue;
    if (observed->port != outcome.port)
      complain(i, "left by another port");
    else if (without_padding(observed->bytes) != outcome.frame)
      complain(i, "left otherwise\n  expected " + hex(outcome.frame) + "\n  out      " + hex(observed->bytes));
    faulty += !checksum_faults(observed->bytes).empty();
  }
  CHECK(wrong == 0);
  CHECK(faulty == 0);
  // A flow without a port and one without an entry look alike from outside.
  const auto together = [&](const std::string& a, const std::string& b) { return expected[a] + expected[b]; };
  CHECK(c.outcome.dropped("connection_table_full") + c.outcome.dropped("ports_exhausted") ==
        together("connection_table_full", "ports_exhausted"));
  for (const auto& [reason, count] : expected) {
    INFO("reason " << reason);
    if (reason == "connection_table_full" || reason == "ports_exhausted") continue;
    CHECK(c.outcome.dropped(reason) + c.outcome.to_core(reason) == count);
  }
  check_accounts(c.outcome);
  return c;
}

Bytes tcp_frame(unsigned port, const Ends& e, const TcpFields& f) {
  return packet::build({link(port), packet::Ipv4{.source = {e.source}, .destination = {e.destination}},
                        packet::Tcp{.source = e.source_port,
                                    .destination = e.destination_port,
                                    .sequence = f.sequence,
                                    .acknowledgment = f.acknowledgment,
                                    .flags = f.flags,
                                    .window = f.window,
                                    .options = f.options},
                        packet::Payload{Bytes(f.data, 0x55)}});
}

Bytes udp_frame(unsigned port, const Ends& e, size_t data, bool checksum) {
  packet::Udp udp{.source = e.source_port, .destination = e.destination_port};
  if (!checksum) udp.checksum = 0;
  return packet::build({link(port), packet::Ipv4{.source = {e.source}, .destination = {e.destination}}, udp,
                        packet::Payload{Bytes(data, 0x5a)}});
}

Bytes echo_frame(unsigned port, uint32_t source, uint32_t destination, uint16_t identifier, bool reply) {
  return packet::build(
      {link(port), packet::Ipv4{.source = {source}, .destination = {destination}},
       packet::Icmp{.type = static_cast<uint8_t>(reply ? 0 : 8), .rest = uint32_t{identifier} << 16 | 1},
       packet::Payload{Bytes(16, 0x11)}});
}

}  // namespace weft::test
