// TCP inspection of the program beside the model: every state with every class of segments in both directions, every
// flag set, the edges of the windows, and long random exchanges.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>

#include "../control/route_tables.h"
#include "compare.h"
#include "golden.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint32_t kClient = 0x0a000002, kServer = 0xc6336407, kPublic = 0xc0000201;
constexpr uint64_t kSpacing = 4'000;  // nanoseconds between two frames; those of a flow are many times as far apart
enum : uint8_t { kFin = 1, kSyn = 2, kRst = 4, kPsh = 8, kAck = 16, kUrg = 32 };

/// Frames of many flows, dealt out in turn, so that those of one flow are far apart and keep their order.
class Schedule {
 public:
  void add(size_t flow, unsigned port, Bytes bytes) {
    if (flows_.size() <= flow) flows_.resize(flow + 1);
    flows_[flow].push_back({0, port, std::move(bytes)});
  }
  std::vector<SentFrame> frames() {
    std::vector<SentFrame> out;
    uint64_t at = 100'000;
    for (size_t left = 1; left != 0;) {
      left = 0;
      const uint64_t round = at;
      for (auto& flow : flows_) {
        if (flow.empty()) continue;
        out.push_back(std::move(flow.front()));
        out.back().at = at;
        flow.pop_front();
        at += kSpacing;
        left += flow.size();
      }
      at = std::max(at, round + kMinRound);
    }
    return out;
  }

 private:
  static constexpr uint64_t kMinRound = 60'000;
  std::vector<std::deque<SentFrame>> flows_;
};

/// A connection from the client inside to a server outside, seen from both.
struct Flow {
  Schedule& schedule;
  size_t number;
  uint32_t client_sequence = 100, server_sequence = 300;  // initial ones
  uint16_t port() const { return static_cast<uint16_t>(2000 + number); }
  void client(const TcpFields& f) { schedule.add(number, 0, tcp_frame(0, {kClient, kServer, port(), 80}, f)); }
  void server(const TcpFields& f) { schedule.add(number, 1, tcp_frame(1, {kServer, kPublic, 80, port()}, f)); }
  void from(unsigned direction, const TcpFields& f) { direction == 0 ? client(f) : server(f); }

  uint32_t c(uint32_t offset) const { return client_sequence + offset; }
  uint32_t s(uint32_t offset) const { return server_sequence + offset; }
  /// Leads it to a state.
  void lead_to(Tcp state) {
    const auto open = [&] {
      client({kSyn, c(0), 0});
      server({kSyn | kAck, s(0), c(1)});
      client({kAck, c(1), s(1)});
    };
    switch (state) {
      case Tcp::none: return;
      case Tcp::syn_sent: return client({kSyn, c(0), 0});
      case Tcp::syn_sent2: client({kSyn, c(0), 0}); return server({kSyn, s(0), 0});
      case Tcp::syn_received: client({kSyn, c(0), 0}); return server({kSyn | kAck, s(0), c(1)});
      case Tcp::established: return open();
      case Tcp::fin_wait: open(); return client({kFin | kAck, c(1), s(1)});
      case Tcp::close_wait: lead_to(Tcp::fin_wait); return server({kAck, s(1), c(2)});
      case Tcp::last_ack: lead_to(Tcp::close_wait); return server({kFin | kAck, s(1), c(2)});
      case Tcp::time_wait: lead_to(Tcp::last_ack); return client({kAck, c(2), s(2)});
      case Tcp::close: open(); return client({kRst, c(1), 0});
    }
  }
};

ModelConfig model_config(bool strict) {
  ModelConfig c = golden_config();
  c.tcp = {strict};
  return c;
}

FirewallRun firewall_run_of(const std::string& more) {
  FirewallRun run;
  run.config = golden_router("switch answers off\n" + more);
  run.rules = kGoldenRules;
  return run;
}

/// States and windows of all connections are those of the model.
void check_connections(const Compared& c) {
  CHECK(c.outcome.connections.size() == c.model.connections().size());
  for (const auto& seen : c.outcome.connections) {
    const ModelConnection* known = c.model.find({seen.protocol, seen.original.source, seen.original.destination,
                                                 seen.original.source_port, seen.original.destination_port});
    INFO(control::firewall::to_text(seen));
    REQUIRE(known != nullptr);
    CHECK(control::firewall::tcp_state_name(seen.state) ==
          control::firewall::tcp_state_name(static_cast<unsigned>(known->tcp.state)));
  }
}

}  // namespace

TEST_CASE("Every state meets every class of segments in both directions") {
  for (const bool strict : {false, true}) {
    Schedule schedule;
    size_t number = 0;
    constexpr std::array<uint8_t, 6> kClasses{kSyn, kSyn | kAck, kFin | kAck, kAck, kRst, kPsh};
    for (unsigned state = 0; state < kTcpStates; ++state) {
      for (const uint8_t flags : kClasses) {
        for (unsigned direction = 0; direction < 2; ++direction) {
          Flow flow{schedule, number++, 100, 300};
          const auto t = static_cast<Tcp>(state);
          flow.lead_to(t);
          const bool client_finished =
              state >= static_cast<unsigned>(Tcp::fin_wait) && t != Tcp::close && t != Tcp::syn_sent2;
          const bool server_finished = t == Tcp::last_ack || t == Tcp::time_wait;
          const bool starts = (flags & kSyn) != 0;
          const uint32_t client_next = starts ? flow.c(0) : flow.c(client_finished ? 2 : 1),
                         server_next = starts ? flow.s(0) : flow.s(server_finished ? 2 : 1);
          const uint32_t client_acks = flow.s(server_finished ? 2 : 1), server_acks = flow.c(client_finished ? 2 : 1);
          const bool acks = (flags & kAck) != 0;
          if (direction == 0)
            flow.client({flags, client_next, acks ? client_acks : 0});
          else
            flow.server({flags, server_next, acks ? server_acks : 0});
        }
      }
    }
    CHECK(number == 120);
    const Compared c = run_and_compare(firewall_run_of(strict ? "firewall strict-windows on\n" : ""), schedule.frames(),
                                       model_config(strict));
    check_connections(c);
    CHECK(c.decisions.at("invalid_state") > 40);
  }
}

TEST_CASE("Every flag set, with data and without, is taken or refused in a connection and outside of one") {
  Schedule schedule;
  size_t number = 0;
  for (unsigned flags = 0; flags < 64; ++flags) {
    for (unsigned direction = 0; direction < 2; ++direction) {
      for (const bool open : {true, false}) {
        Flow flow{schedule, number++};
        if (open) flow.lead_to(Tcp::established);
        const uint32_t sequence = (flags & kSyn) != 0 ? 0 : 1;
        flow.from(direction, {static_cast<uint8_t>(flags),
                              direction == 0 ? flow.c(sequence) : flow.s(sequence),
                              (flags & kAck) != 0 ? (direction == 0 ? flow.s(1) : flow.c(1)) : 0,
                              65535,
                              {},
                              flags % 3 == 0 ? 12u : 0u});
        // ECE and CWR do not count.
        if (open)
          flow.from(direction, {static_cast<uint8_t>(kAck | 0xc0), direction == 0 ? flow.c(1) : flow.s(1),
                                direction == 0 ? flow.s(1) : flow.c(1)});
      }
    }
  }
  const Compared c = run_and_compare(firewall_run_of(""), schedule.frames(), model_config(false));
  check_connections(c);
}

TEST_CASE("Segments at and one beside every edge of the windows") {
  for (const bool strict : {false, true}) {
    Schedule schedule;
    size_t number = 0;
    struct Scales {
      int client, server;  // -1: not offered
    };
    for (const Scales scales : {Scales{-1, -1}, Scales{7, 3}, Scales{-1, 7}, Scales{14, 15}}) {
      for (const uint32_t begin : {100u, 0xffffff00u}) {  // data goes across 2^32 in the second
        const auto option = [](int scale) { return scale < 0 ? Bytes{} : Bytes{3, 3, static_cast<uint8_t>(scale)}; };
        const bool both = scales.client >= 0 && scales.server >= 0;
        const uint32_t window = uint32_t{1000} << (both ? std::min(scales.server, 14) : 0);  // what the server allows
        // The client's data begin at `first` after what the server has acknowledged; with the edge at which they end
        // or begin.
        for (const int64_t first :
             {int64_t{0}, int64_t{window} - 1, int64_t{window}, int64_t{window} + 1, int64_t{window} + 200,
              2 * int64_t{window} + 1, int64_t{-1000}, int64_t{-1001}, int64_t{-66'000}, int64_t{-70'000}}) {
          Flow flow{schedule, number++, begin, begin + 0x1000};
          flow.client({kSyn, flow.c(0), 0, 1000, option(scales.client)});
          flow.server({kSyn | kAck, flow.s(0), flow.c(1), 1000, option(scales.server)});
          flow.client({kAck, flow.c(1), flow.s(1), 1000});
          flow.server({kAck, flow.s(1), flow.c(1), 1000});
          flow.client({kAck | kPsh, flow.c(static_cast<uint32_t>(1 + first)), flow.s(1), 1000, {}, 10});
          flow.client({kAck | kPsh, flow.c(1), flow.s(1), 1000, {}, 100});  // and on it goes
        }
        // Acks: of everything, of one octet that was not sent, of old data.
        for (const int64_t ack : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{-66'000}, int64_t{-66'001},
                                  int64_t{-70'000}, int64_t{50'000}}) {
          Flow flow{schedule, number++, begin, begin + 0x1000};
          flow.client({kSyn, flow.c(0), 0, 1000, option(scales.client)});
          flow.server({kSyn | kAck, flow.s(0), flow.c(1), 1000, option(scales.server)});
          flow.client({kAck | kPsh, flow.c(1), flow.s(1), 1000, {}, 100});
          flow.server({kAck, flow.s(1), flow.c(static_cast<uint32_t>(101 + ack)), 1000});
          flow.server({kAck | kPsh, flow.s(1), flow.c(101), 1000, {}, 20});
        }
        // The right edge of a block of selective acknowledgments stands for the ack.
        for (const uint32_t right : {50u, 101u, 102u, 5000u}) {
          Flow flow{schedule, number++, begin, begin + 0x1000};
          flow.client({kSyn, flow.c(0), 0, 1000, option(scales.client)});
          flow.server({kSyn | kAck, flow.s(0), flow.c(1), 1000, option(scales.server)});
          flow.client({kAck | kPsh, flow.c(1), flow.s(1), 1000, {}, 100});
          Bytes sack{1, 1, 5, 10};
          packet::put32(sack, flow.c(20));
          packet::put32(sack, flow.c(right));
          flow.server({kAck, flow.s(1), flow.c(1), 1000, sack});
        }
        // A zero window and the probe beyond it.
        Flow flow{schedule, number++, begin, begin + 0x1000};
        flow.client({kSyn, flow.c(0), 0, 1000, option(scales.client)});
        flow.server({kSyn | kAck, flow.s(0), flow.c(1), 1000, option(scales.server)});
        flow.client({kAck, flow.c(1), flow.s(1), 1000});
        flow.server({kAck, flow.s(1), flow.c(1), 0});
        flow.client({kAck, flow.c(1), flow.s(1), 1000, {}, 1});
        // Resets: before, at and after what is expected.
        for (const int64_t off : {-1, 0, 1, 100, 101, 5000}) {
          for (unsigned direction = 0; direction < 2; ++direction) {
            Flow reset{schedule, number++, begin, begin + 0x1000};
            reset.client({kSyn, reset.c(0), 0, 1000, option(scales.client)});
            reset.server({kSyn | kAck, reset.s(0), reset.c(1), 1000, option(scales.server)});
            reset.client({kAck | kPsh, reset.c(1), reset.s(1), 1000, {}, 100});
            reset.from(direction,
                       {kRst, static_cast<uint32_t>((direction == 0 ? reset.c(1) : reset.s(1)) + off), 0, 0});
          }
        }
      }
    }
    const Compared c = run_and_compare(firewall_run_of(strict ? "firewall strict-windows on\n" : ""), schedule.frames(),
                                       model_config(strict));
    check_connections(c);
    CHECK(c.decisions.at("invalid_state") > 50);
  }
}

TEST_CASE("Random exchanges leave every connection as the model has it") {
  const uint64_t seed = seed_or(83);
  INFO("WEFT_SEED=" << seed);
  Random random(seed);
  const size_t flows = full_run() ? 4'000 : 400, segments = 40;
  Schedule schedule;
  for (size_t n = 0; n < flows; ++n) {
    Flow flow{schedule, n, random.next32(), random.next32()};
    const auto option = [&] {
      return random.chance(1, 2) ? Bytes{3, 3, static_cast<uint8_t>(random.below(15))} : Bytes{};
    };
    uint32_t client = 1, server = 1;  // offsets of what each has sent
    if (random.chance(9, 10)) {
      if (random.chance(1, 10)) client += 1 + static_cast<uint32_t>(random.below(100));  // with data, RFC 7413
      flow.client({kSyn, flow.c(0), 0, static_cast<uint16_t>(random.below(65536)), option(), client - 1});
      if (random.chance(1, 5)) {  // once more, as it was or with a number beside it, with other options or without
        const uint32_t by = random.chance(1, 2) ? 0 : static_cast<uint32_t>(random.below(200)) - 100;
        flow.client({kSyn, flow.c(by), 0, static_cast<uint16_t>(random.below(65536)), option(), client - 1});
      }
      if (random.chance(1, 10)) {  // both open at once
        flow.server({kSyn, flow.s(0), 0, static_cast<uint16_t>(random.below(65536)), option()});
        if (random.chance(1, 2))
          flow.client({kSyn | kAck, flow.c(0), flow.s(1), static_cast<uint16_t>(random.below(65536)), option()});
      }
      if (random.chance(9, 10))
        flow.server({kSyn | kAck, flow.s(0), flow.c(random.chance(4, 5) ? client : 1),
                     static_cast<uint16_t>(random.below(65536)), option()});
      if (random.chance(9, 10))
        flow.client({kAck, flow.c(client), flow.s(1), static_cast<uint16_t>(random.below(65536))});
    }
    for (size_t i = 0; i < segments; ++i) {
      const unsigned direction = static_cast<unsigned>(random.below(2));
      uint32_t& own = direction == 0 ? client : server;
      const uint32_t other = direction == 0 ? server : client;
      // Mostly what a station would send; sometimes beside it, by a little or by much.
      const auto off = [&]() -> uint32_t {
        if (random.chance(3, 4)) return 0;
        const uint32_t by =
            random.chance(1, 2) ? static_cast<uint32_t>(random.below(3)) : static_cast<uint32_t>(random.below(200'000));
        return random.chance(1, 2) ? by : 0 - by;
      };
      const size_t data = random.chance(1, 2) ? random.below(200) : 0;
      uint8_t flags = kAck;
      if (random.chance(1, 25))
        flags = random.chance(1, 2) ? kFin | kAck : kRst;
      else if (random.chance(1, 25))
        flags = random.chance(1, 2) ? kSyn : kSyn | kAck;
      else if (random.chance(1, 40))
        flags = static_cast<uint8_t>(random.below(64));
      const uint32_t sequence = ((flags & kSyn) != 0 ? 0 : own) + off(), ack = (flags & kAck) != 0 ? other + off() : 0;
      const uint32_t base = direction == 0 ? flow.client_sequence : flow.server_sequence,
                     peer = direction == 0 ? flow.server_sequence : flow.client_sequence;
      const bool bare = (flags & (kSyn | kRst)) != 0;
      flow.from(direction, {flags,
                            base + sequence,
                            (flags & kAck) != 0 ? peer + ack : 0,
                            static_cast<uint16_t>(random.chance(1, 10) ? 0 : random.below(65536)),
                            {},
                            bare ? 0 : data});
      if (!bare && sequence == own) own += static_cast<uint32_t>(data) + ((flags & kFin) != 0);
    }
  }
  const bool strict = random.chance(1, 2);
  const Compared c = run_and_compare(firewall_run_of(strict ? "firewall strict-windows on\n" : ""), schedule.frames(),
                                     model_config(strict));
  check_connections(c);
  fmt::print("{} flows: ", flows);
  for (const auto& [what, count] : c.decisions) fmt::print("{} {}  ", count, what);
  fmt::print("\n");
}
