// Connections of all kinds are opened and closed at random, more than the table holds, with time-outs of milliseconds;
// afterwards every port, entry and buffer is accounted for. WEFT_FULL=1: 100,000 connections.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>

#include "../control/route_tables.h"
#include "compare.h"
#include "golden.h"
#include "weft/base/random.h"
#include "weft/emulator/units.h"

using namespace weft;
using namespace weft::test;
namespace fw = control::firewall;

namespace {

constexpr uint64_t kTick = 10'000;  // nanoseconds
constexpr uint32_t kPublic = 0xc0000201, kInsideServer = 0x0a000002;
enum : uint8_t { kFin = 1, kSyn = 2, kRst = 4, kPsh = 8, kAck = 16 };

const char* const kTimes =
    "switch answers off\ntick 10us\nscan 500us\n"
    "timeout tcp-syn-sent 3ms\ntimeout tcp-syn-received 3ms\ntimeout tcp-established 6ms\ntimeout tcp-fin-wait "
    "3ms\ntimeout tcp-close-wait 3ms\n"
    "timeout tcp-last-ack 3ms\ntimeout tcp-time-wait 2ms\ntimeout tcp-close 2ms\ntimeout tcp-syn-sent2 3ms\n"
    "timeout udp 2ms\ntimeout udp-both-ways 4ms\ntimeout icmp 2ms\ntimeout fragment 2ms\n";

ModelConfig model_config(size_t connections) {
  ModelConfig c = golden_config();
  c.connections = connections;
  c.tcp_timeouts = {{Tcp::syn_sent, 300},  {Tcp::syn_received, 300}, {Tcp::established, 600},
                    {Tcp::fin_wait, 300},  {Tcp::close_wait, 300},   {Tcp::last_ack, 300},
                    {Tcp::time_wait, 200}, {Tcp::close, 200},        {Tcp::syn_sent2, 300}};
  c.udp = 200;
  c.udp_both = 400;
  c.icmp = 200;
  c.fragment_life = 200;
  return c;
}

/// One connection's frames, in the order in which they come.
using Script = std::deque<SentFrame>;

Script tcp_script(Random& random, uint32_t inside, uint16_t port, uint32_t server) {
  Script out;
  const uint32_t c = random.next32(), s = random.next32();
  const auto client = [&](const TcpFields& f) { out.push_back({0, 0, tcp_frame(0, {inside, server, port, 80}, f)}); };
  const auto peer = [&](const TcpFields& f) { out.push_back({0, 1, tcp_frame(1, {server, kPublic, 80, port}, f)}); };
  client({kSyn, c, 0});
  const uint64_t how = random.below(10);
  if (how == 0) return out;  // nobody answers
  if (how == 1) {
    peer({kRst | kAck, 0, c + 1});  // refused
    return out;
  }
  peer({kSyn | kAck, s, c + 1});
  if (how == 2) return out;
  client({kAck, c + 1, s + 1});
  client({kAck | kPsh, c + 1, s + 1, 65535, {}, 40});
  peer({kAck, s + 1, c + 41});
  if (how == 3) return out;  // silent from now on
  if (how == 4) {
    client({kRst, c + 41, 0});
    return out;
  }
  client({kFin | kAck, c + 41, s + 1});
  peer({kAck, s + 1, c + 42});
  peer({kFin | kAck, s + 1, c + 42});
  client({kAck, c + 42, s + 2});
  return out;
}

Script forwarded_script(Random& random, uint32_t remote, uint16_t port) {
  Script out;
  const uint32_t c = random.next32(), s = random.next32();
  const Ends in{remote, kPublic, port, 8080}, back{kInsideServer, remote, 80, port};
  out.push_back({0, 1, tcp_frame(1, in, {kSyn, c, 0})});
  out.push_back({0, 0, tcp_frame(0, back, {kSyn | kAck, s, c + 1})});
  out.push_back({0, 1, tcp_frame(1, in, {kAck, c + 1, s + 1})});
  if (random.chance(1, 2)) out.push_back({0, 1, tcp_frame(1, in, {kRst, c + 1, 0})});
  return out;
}

/// An error about a packet that went out, as the network sees that packet.
Bytes unreachable(const Bytes& went_out, uint32_t router) {
  Bytes quoted(went_out.begin() + 14, went_out.begin() + 14 + 28);
  uint32_t sum = 0x0303;
  for (size_t i = 0; i < quoted.size(); i += 2) sum += packet::get16(quoted, i);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  Bytes body{3, 3, static_cast<uint8_t>(~sum >> 8), static_cast<uint8_t>(~sum), 0, 0, 0, 0};
  body.insert(body.end(), quoted.begin(), quoted.end());
  Bytes frame = udp_frame(1, {router, kPublic, 0, 0}, body.size() - 8);
  frame[23] = 1;
  std::copy(body.begin(), body.end(), frame.begin() + 34);
  return frame;
}

/// Frames of `count` connections; `parallel` are under way at any time.
std::vector<SentFrame> openings(Random& random, size_t count, size_t parallel, uint64_t spacing) {
  std::vector<SentFrame> out;
  std::deque<Script> active;
  size_t begun = 0;
  uint64_t at = 200'000;
  while (begun < count || !active.empty()) {
    while (active.size() < parallel && begun < count) {
      // Ports of inside stations repeat after a long time only; those that shall collide are few.
      const auto port = static_cast<uint16_t>(2000 + begun % 50'000);
      const uint32_t remote = 0xc6336400 | static_cast<uint32_t>(random.below(254) + 1),
                     inside = random.chance(1, 2) ? 0x0a000002 : 0x0a000003;
      ++begun;
      switch (random.below(10)) {
        case 0:
        case 1:
        case 2: active.push_back(tcp_script(random, inside, port, remote)); break;
        case 3: active.push_back(forwarded_script(random, remote, port)); break;
        case 4:
          active.push_back({{0, 0, udp_frame(0, {inside, remote, port, 53}, random.below(40), random.chance(3, 4))}});
          break;
        case 5:
          active.push_back({{0, 0, udp_frame(0, {inside, remote, port, 53})},
                            {0, 1, udp_frame(1, {remote, kPublic, 53, port}, 30)},
                            {0, 0, udp_frame(0, {inside, remote, port, 53}, 3)}});
          break;
        case 6:
          active.push_back(
              {{0, 0, echo_frame(0, inside, remote, port, false)}, {0, 1, echo_frame(1, remote, kPublic, port, true)}});
          break;
        case 7: {  // the same port from many stations: others are chosen. Nobody can answer here, as the choice is the
                   // program's.
          const uint32_t station = 0xc6120000 | static_cast<uint32_t>(random.below(65536));
          const Ends ends{station, remote, 1500, 53};
          const uint64_t what = random.below(3);
          active.push_back({{0, 0,
                             what == 0   ? udp_frame(0, ends)
                             : what == 1 ? tcp_frame(0, ends, {kSyn, random.next32(), 0})
                                         : echo_frame(0, station, remote, 77, false)}});
          break;
        }
        case 8: {  // one port of a station, many places at a time: all from one public port, and each may answer to it
          const auto shared = static_cast<uint16_t>(1600 + random.below(3));
          const Ends there{inside, remote, shared, static_cast<uint16_t>(1 + random.below(4))};
          const uint64_t what = random.below(3);
          Script s{{0, 0,
                    what == 0   ? udp_frame(0, there)
                    : what == 1 ? tcp_frame(0, there, {kSyn, random.next32(), 0})
                                : echo_frame(0, inside, remote, shared, false)}};
          active.push_back(std::move(s));
          break;
        }
        default: {  // a packet, and an error about it; or an error about nothing
          const Bytes there = udp_frame(0, {inside, remote, port, 53});
          const Bytes outside = udp_frame(1, {kPublic, remote, port, 53});
          Script s;
          if (random.chance(4, 5)) s.push_back({0, 0, there});
          s.push_back({0, 1, unreachable(outside, random.chance(1, 2) ? remote : 0xc0000263)});
          active.push_back(std::move(s));
        }
      }
    }
    Script script = std::move(active.front());
    active.pop_front();
    out.push_back(std::move(script.front()));
    out.back().at = at;
    script.pop_front();
    if (!script.empty()) active.push_back(std::move(script));
    at += spacing;
    // Now and then silence, in which everything ends.
    if (random.chance(1, 20'000)) at += 12'000'000;
  }
  return out;
}

std::map<std::string, uint64_t> open_and_close(const std::string& more, size_t connections, size_t parallel,
                                               uint32_t first_tick, uint32_t free_head, uint16_t first_port,
                                               uint16_t last_port, uint64_t seed) {
  INFO("WEFT_SEED=" << seed);
  Random random(seed);
  const size_t count = full_run() ? 100'000 : 2'000;
  FirewallRun run;
  run.config = golden_router(std::string(kTimes) + fmt::format("connections {}\n", connections) + more);
  run.config.replace(run.config.find("ports 1024-65535"), 16, fmt::format("ports {}-{}", first_port, last_port));
  run.rules = kGoldenRules;
  run.quiet = 9'000'000;  // 15 ms: the last connections end
  run.prepare = [&](workbench::Session& session) {
    auto& host = session.units().host();
    const auto set = [&](uint32_t longword, uint32_t value) {
      host.write(emulator::MemorySpace::scratch, fw::kRunning + longword * 4, value);
    };
    set(fw::kNow, first_tick);
    set(fw::kFreeHead, free_head);
    set(fw::kFreeTail, static_cast<uint32_t>(free_head + connections));
  };
  ModelConfig config = model_config(connections);
  config.first_port = first_port;
  config.last_port = last_port;
  // What has ended is found within a scan (50 ticks) and handed out again after the grace time of 1.75 ms (175 ticks).
  const Compared c = run_and_compare(run, openings(random, count, parallel, 4'000), config, {kTick, first_tick, 300});
  CHECK(c.outcome.connections.empty());
  CHECK(c.outcome.free_entries + 1 >= connections);
  for (const uint32_t ports : c.outcome.ports_in_use) CHECK(ports == 0);
  CHECK(c.outcome.running[fw::kReleased] == c.outcome.running[fw::kCreated]);
  CHECK(c.outcome.running[fw::kExpired] == c.outcome.running[fw::kCreated]);
  fmt::print("{} connections asked for, table of {}: {} made;", count, connections, c.outcome.running[fw::kCreated]);
  for (const auto& [what, n] : c.decisions) fmt::print(" {} {}", n, what);
  fmt::print("\n");
  return c.decisions;
}

}  // namespace

TEST_CASE("Connections are opened and closed at random, and everything is accounted for") {
  open_and_close("", 4096, 40, 0, 0, 1024, 65535, seed_or(91));
}

TEST_CASE("The same with more connections than the table holds, and counters just below their wrap") {
  auto decisions = open_and_close("", 128, 40, 0xffffff00, 0xffffffc0, 1024, 65535, seed_or(92));
  CHECK(decisions["connection_table_full"] > 0);
}

TEST_CASE("The same with fewer ports than connections want") {
  auto decisions = open_and_close("", 2048, 40, 0x7fffff80, 0x7ffffff0, 1500, 1501, seed_or(93));
  CHECK(decisions["ports_exhausted"] > 0);
}
