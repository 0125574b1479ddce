// The router's microcode beside the model: all nine operations at all sizes, and tables, modes, stacks and packets at
// random. WEFT_FULL=1: ten times as many.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "../control/route_tables.h"
#include "router.h"

using namespace weft;
using namespace weft::test;
using Label = MplsModel::Label;
using Frames = std::map<unsigned, std::vector<workbench::ListedFrame>>;

namespace {

constexpr std::array<unsigned, 8> kSizes{40, 110, 238, 494, 1006, 1262, 1264, 1500};  // octets of the IP packet

MplsModel::Push random_push(Random& random) {
  MplsModel::Push p{random.chance(1, 20) ? (random.chance(1, 2) ? 0u : 2u)
                                         : static_cast<unsigned>(random.between(16, 0xfffff))};
  if (random.chance(1, 2)) p.ttl = static_cast<unsigned>(random.between(1, 255));
  if (random.chance(1, 2)) p.tc = static_cast<unsigned>(random.below(8));
  return p;
}
std::vector<MplsModel::Push> random_pushes(Random& random, unsigned count) {
  std::vector<MplsModel::Push> out;
  while (out.size() < count) out.push_back(random_push(random));
  return out;
}

Label random_label(Random& random) {
  Label l;
  l.station = random.below(random.chance(1, 10) ? 12 : 10);
  const auto kind = random.below(4);
  if (kind < 2) {
    l.out = static_cast<unsigned>(random.between(16, 0xfffff));
    l.pushes = random_pushes(random, static_cast<unsigned>(random.below(3)));
  } else {
    l.what = kind == 2 ? Label::Do::pop : Label::Do::pop_forward;
    l.pops = static_cast<unsigned>(random.chance(1, 2) ? 1 : random.between(1, 3));
    l.uniform_ttl = random.chance(1, 2);
    l.uniform_tc = random.chance(1, 2);
    if (random.chance(1, 10)) l.version = random.chance(1, 2) ? 4 : 6;
  }
  if (random.chance(1, 8)) l.bottom = random.chance(1, 2) ? MplsModel::Bottom::required : MplsModel::Bottom::refused;
  return l;
}

/// Labels 16 to 63, and those beside the end of the table; routes that push none to three labels.
/// `closed`: port 3 takes no labels for certain, as it otherwise may.
MplsModel random_router(Random& random, bool closed = false) {
  MplsModel m = four_ports(random.chance(1, 2) ? 1512 : 1400);
  m.table = random.chance(1, 2) ? 100 : 65536;
  m.explicit_uniform = random.chance(1, 2);
  for (unsigned label = 16; label < 64; ++label) {
    if (random.chance(9, 10)) m.labels[label] = random_label(random);
  }
  m.labels[m.table - 1] = random_label(random);
  for (unsigned i = 0; i < 12; ++i) {
    const bool six = i % 2 != 0;
    const size_t station = random.chance(1, 10) ? (six ? kUnknown6 : kUnknown4) : 2 * random.below(5) + (six ? 1 : 0);
    m.routes.push_back({six ? fmt::format("2001:db8:{}::/48", 200 + i) : fmt::format("20.{}.0.0/16", i), station,
                        random_pushes(random, i / 2 % 4)});
  }
  m.routes.push_back({"0.0.0.0/0", 2, {}});
  m.routes.push_back({"::/0", 3, {}});
  for (unsigned i = 0; i < 6; ++i) {
    m.tc_of_dscp[static_cast<unsigned>(random.below(64))] = static_cast<unsigned>(random.below(8));
    m.dscp_of_tc[static_cast<unsigned>(random.below(8))] = static_cast<unsigned>(random.below(64));
  }
  m.enabled[3] = random.chance(3, 4) && !closed;
  m.finish();
  return m;
}

unsigned random_ttl(Random& random) {
  return static_cast<unsigned>(random.chance(1, 12)  ? random.below(3)
                               : random.chance(1, 8) ? 255 - random.below(3)
                                                     : random.between(3, 254));
}

Bytes random_frame(Random& random, const MplsModel& model, unsigned port, uint32_t number) {
  Inner in;
  in.six = random.chance(1, 3);
  in.number = number;
  in.ttl = random_ttl(random);
  in.tos = static_cast<unsigned>(random.below(256));
  const unsigned route = static_cast<unsigned>(random.below(12));
  if (random.chance(3, 4))
    in.destination = in.six ? fmt::format("2001:db8:{}::{:x}", 200 + (route | 1), number + 1)
                            : fmt::format("20.{}.{}.{}", route & ~1u, number >> 8 & 255, number & 255);
  in.octets = static_cast<unsigned>(random.chance(1, 3)   ? random.between(1380, 1512)
                                    : random.chance(1, 2) ? random.between(32, 80)
                                                          : random.between(32, 700));
  if (in.six) in.octets = std::max(in.octets, 52u);
  in.bad_sum = random.chance(1, 40);
  std::vector<StackEntry> stack(random.chance(1, 4)   ? 0
                                : random.chance(1, 6) ? random.between(4, 6)
                                                      : random.between(1, 3));
  for (StackEntry& e : stack) {
    const auto kind = random.below(20);
    e.label = static_cast<unsigned>(kind == 0   ? random.below(16)
                                    : kind == 1 ? model.table - random.below(2)
                                    : kind == 2 ? random.below(0x100000)
                                    : kind == 3 ? 2 * random.below(2)
                                                : random.between(16, 63));
    e.ttl = random_ttl(random);
    e.tc = static_cast<unsigned>(random.below(8));
  }
  Bytes packet = inner_packet(port, in);
  if (random.chance(1, 30)) packet[0] = static_cast<uint8_t>(random.next32());  // version, header length
  if (random.chance(1, 60)) packet.resize(random.below(packet.size()));
  Bytes frame =
      labelled_frame(port, stack, packet.empty() ? Bytes{0x45} : packet, port == 3 && random.chance(1, 3) ? 100 : 0);
  const size_t behind = frame[12] == 0x81 ? 18 : 14;
  if (!stack.empty() && random.chance(1, 50)) frame[behind - 1] = 0x48;
  if (random.chance(1, 60)) frame[0] |= 1;
  if (random.chance(1, 60)) frame[5] ^= 0x80;
  return frame;
}

Frames random_frames(Random& random, const MplsModel& model, unsigned count) {
  Frames in;
  for (uint32_t n = 0; n < count; ++n) {
    const unsigned port = n % kRouterPorts;
    // Far from line rate, so that no ring is ever full: what is compared is what is done with each packet.
    in[port].push_back({uint64_t{n} * 4'000, random_frame(random, model, port, n), false});
  }
  return in;
}

}  // namespace

TEST_CASE("Tables, modes, stacks and packets at random: what the microcode makes of them is what the rules say") {
  const uint64_t seed = seed_or(3032);
  std::map<std::string, uint64_t> met;
  const unsigned rounds = full_run() ? 60 : 6;
  uint64_t forwarded = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    INFO("WEFT_SEED=" << seed << ", round " << round);
    Random random(seed + round);
    const MplsModel model = random_router(random, round == 0);
    Comparison found;
    check_router(model, random_frames(random, model, 3'000), &found);
    forwarded += found.forwarded;
    for (const auto& [text, count] : found.expected) met[text] += count;
  }
  // Everything was met that a label can lead to.
  CHECK(forwarded > rounds * 1'000);
  for (const char* text : {"drop mpls_unknown_label", "drop mpls_reserved_label", "drop mpls_bottom", "drop mpls_stack",
                           "drop mpls_disabled", "core mpls_ttl", "core mpls_router_alert", "core mpls_multicast",
                           "core unresolved", "core mtu", "core ttl", "drop checksum", "drop version",
                           "drop link_broadcast", "drop not_for_us", "drop total_length"}) {
    INFO(text);
    CHECK(met[text] > 0);
  }
}

TEST_CASE("Split tables, and entries that are read whole, do the same") {
  const uint64_t seed = seed_or(3033);
  constexpr uint64_t kRouters = 3;
  for (const char* define : {"MPLS_TABLE_SPLIT", "MPLS_TABLE_WHOLE"}) {
    uint64_t forwarded = 0;
    for (uint64_t router = 0; router < kRouters; ++router) {
      INFO(define << ", WEFT_SEED=" << seed << ", router " << router);
      Random random(seed + router);
      MplsModel model = random_router(random);
      model.split = std::string_view(define) == "MPLS_TABLE_SPLIT";
      Comparison found;
      check_router(model, random_frames(random, model, 1'000), &found, define);
      forwarded += found.forwarded;
    }
    // One of them may forward little, because few of its labels lead anywhere. Over the seeds 520 to 640 three of them
    // forwarded 1,098 of 3,000 frames or more.
    INFO(define << ", WEFT_SEED=" << seed);
    CHECK(forwarded > 900);
  }
}

TEST_CASE("All nine operations at all sizes, uniform and pipe, IPv4 and IPv6, with and without a VLAN") {
  for (const bool uniform : {true, false}) {
    INFO((uniform ? "uniform" : "pipe"));
    MplsModel m = four_ports(1528);
    const auto push = [&](unsigned label) {
      return MplsModel::Push{label, uniform ? std::nullopt : std::optional(99u),
                             uniform ? std::nullopt : std::optional(6u)};
    };
    m.explicit_uniform = uniform;
    // PUSH: networks by how many labels; SWAP and POP: labels by their count, 100 + n by B and 200 + n into the VLAN.
    for (unsigned n = 1; n <= 3; ++n) {
      std::vector<MplsModel::Push> labels;
      for (unsigned k = 0; k < n; ++k) labels.push_back(push(500 + k));
      m.routes.push_back({fmt::format("20.{}.0.0/16", n), 2, labels});
      m.routes.push_back({fmt::format("20.{}.0.0/16", 10 + n), 8, labels});
      m.routes.push_back({fmt::format("2001:db8:{}::/48", 200 + n), 3, labels});
      m.routes.push_back({fmt::format("2001:db8:{}::/48", 210 + n), 9, labels});
      labels.pop_back();
      for (const unsigned base : {100u, 200u}) {
        Label swap;
        swap.out = 600 + n;
        swap.pushes = labels;
        swap.station = base == 100 ? 2 : 8;
        m.labels[base + n] = swap;
        Label pop;
        pop.what = Label::Do::pop;
        pop.pops = n;
        pop.uniform_ttl = pop.uniform_tc = uniform;
        m.labels[base + 10 + n] = pop;
        pop.what = Label::Do::pop_forward;
        pop.station = swap.station;
        m.labels[base + 20 + n] = pop;
      }
    }
    m.routes.push_back({"0.0.0.0/0", 2, {}});
    m.routes.push_back({"::/0", 9, {}});
    m.finish();
    Frames in;
    uint32_t number = 0;
    const auto add = [&](const std::vector<StackEntry>& stack, Inner inner, unsigned port, unsigned vlan) {
      inner.number = number;
      in[port].push_back(
          {uint64_t{number} * 10'000, labelled_frame(port, stack, inner_packet(port, inner), vlan), false});
      ++number;
    };
    for (const unsigned octets : kSizes) {
      for (const bool six : {false, true}) {
        for (const unsigned vlan : {0u, 100u}) {
          const unsigned port = vlan ? 3 : 0;
          Inner inner;
          inner.six = six;
          inner.octets = six ? std::max(octets, 52u) : octets;
          inner.tos = 0xb9;
          for (unsigned n = 1; n <= 3; ++n) {
            for (const unsigned network : {n, 10 + n}) {
              inner.destination =
                  six ? fmt::format("2001:db8:{}::1", 200 + network) : fmt::format("20.{}.0.1", network);
              add({}, inner, port, vlan);
            }
            inner.destination.clear();
            for (const unsigned base : {100u, 200u}) {
              add({{base + n, 40, 5}}, inner, port, vlan);
              add({{base + n, 200, 2}, {99, 1, 1}}, inner, port, vlan);
              for (const unsigned kind : {10u, 20u}) {
                std::vector<StackEntry> stack{{base + kind + n, 40, 5}, {77, 30, 1}, {78, 2, 7}};
                stack.resize(n);
                add(stack, inner, port, vlan);
                stack.push_back({base + n, 70, 3});  // one more: looked up, or exposed to the next router
                add(stack, inner, port, vlan);
              }
            }
          }
        }
      }
    }
    Comparison found;
    check_router(m, in, &found);
    for (const auto& [text, met] : found.expected) UNSCOPED_INFO(text << ": " << met);
    CHECK(found.forwarded == number);
  }
}
