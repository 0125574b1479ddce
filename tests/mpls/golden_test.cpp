// Single frames whose outcome is known: what another implementation did (tests/data/golden/mpls.json: TTL uniform at PUSH, the TC
// of the low DSCP bits; pipe at POP), and vectors of a further one's tests for uniform and pipe.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "router.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::test;

namespace {

/// One frame into port A of a router; what left, at most one frame.
struct One {
  std::string what;
  unsigned port = 0;
  Bytes frame;
};
One send(const std::string& config, const Bytes& frame, unsigned port = 0) {
  RouterRun run;
  run.example = "mpls-router";
  run.receivers = {0, 1};
  run.config = config + "switch answers off\n";
  run.in[port] = {{0, frame, false}};
  run.quiet = 20'000;
  const RouterOutcome o = run_router(run);
  CHECK(o.findings.empty());
  CHECK(o.buffers_after == kBuffers);
  for (const auto& [p, list] : o.out) {
    if (!list.empty()) return {"sent", p, list.at(0)};
  }
  for (const auto& row : o.report.drops) {
    if (row.count > 0) return {"drop " + row.reason, 0, {}};
  }
  for (const auto& row : o.report.exceptions) {
    if (row.count > 0) return {"core " + row.reason, 0, {}};
  }
  return {"nothing", 0, {}};
}

const std::string kPorts =
    "interface A port 0 mac 02:00:00:00:01:0a mtu 1512\ninterface B port 1 mac 02:00:00:00:01:0b mtu 1512\ninterface C port 2 mac 02:00:00:00:01:0c\n"
    "address A 10.0.0.1/24\naddress B 192.0.2.1/24\naddress B 2001:db8:b::1/64\naddress C 10.0.2.1/24\n"
    "neighbour 192.0.2.2 mac 02:00:00:00:00:0b\nneighbour 2001:db8:b::2 mac 02:00:00:00:00:0b\n"
    "mpls labels 1048576\nmpls interface A\nmpls interface B\n";

/// The configuration that does what a case's operation says.
std::string config_of(const nlohmann::json& operation, bool exposes_label) {
  std::string config = kPorts;
  for (unsigned d = 0; d < 64; ++d) config += fmt::format("mpls tc-map dscp {} tc {}\n", d, d & 7);
  std::string push;
  if (operation.contains("push")) {
    push = " push";
    for (const auto& label : operation["push"]) push += fmt::format(" {}", label.get<unsigned>());
  }
  const bool ip = operation["match"].is_string();
  // An ingress pushes by its routes; where labels are matched, IP packets leave by plain ones.
  config += fmt::format("route 0.0.0.0/0{} via 192.0.2.2\nroute ::/0{} via 2001:db8:b::2\n", ip ? push : "", ip ? push : "");
  if (ip) return config;
  const unsigned label = operation["match"];
  if (operation.contains("swap")) return config + fmt::format("label {} swap {}{} via 192.0.2.2\n", label, operation["swap"].get<unsigned>(), push);
  return config + fmt::format("label {} pop {}{} pipe\n", label, operation["pop"].get<unsigned>(), exposes_label ? " via 192.0.2.2" : "");
}

}  // namespace

TEST_CASE("The measured cases, byte for byte") {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/mpls.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  REQUIRE(golden["cases"].size() == 20);
  for (const auto& c : golden["cases"]) {
    INFO(c["id"].get<std::string>() << " " << c["case"].get<std::string>());
    const bool forwards = c["verdict"] == "forward";
    const bool exposes_label = forwards && c["operation"].contains("pop") && c["out"][0]["view"]["ethertype"] == "0x8847";
    const One got = send(config_of(c["operation"], exposes_label), padded(from_hex(c["in"])));
    if (!forwards) {
      // TTL 0 and 1: the core's decision, which is silence or an error about the packet behind.
      const unsigned ttl = c["in_view"]["stack"][0]["ttl"];
      CHECK(got.what == (ttl < 2 ? "core mpls_ttl" : "drop mpls_unknown_label"));
      continue;
    }
    REQUIRE(got.what == "sent");
    CHECK(got.port == 1);
    Bytes expected = padded(from_hex(c["out"][0]["frame"])), frame = got.frame;
    std::fill_n(expected.begin(), 12, 0);
    std::fill_n(frame.begin(), 12, 0);
    CHECK(frame == expected);
  }
}

TEST_CASE("Vectors for uniform and pipe") {
  const std::string pipes = kPorts +
      "mpls mode pipe\nroute 0.0.0.0/0 via 192.0.2.2\nroute ::/0 via 2001:db8:b::2\n"
      "label 32 swap 33 via 192.0.2.2\nlabel 33 pop bottom\nlabel 3333 pop uniform\nlabel 335 pop uniform\nlabel 333 pop\nlabel 334 swap 3 via 192.0.2.2\n"
      "label 34 swap 45 push 44 33 via 192.0.2.2 ttl 64\nlabel 134 swap 46 push 44 33 via 192.0.2.2 ttl 64\nlabel 35 swap 44 push 43 uniform via 192.0.2.2\n"
      "route 10.1.0.0/16 push 32 ttl 64 via 192.0.2.2\nroute 10.2.0.0/16 push 34 33 32 via 192.0.2.2 ttl 64\nroute 10.3.0.0/16 push 32 uniform via 192.0.2.2\n"
      "route 2001:db8:3::/48 push 32 uniform via 2001:db8:b::2\nroute 10.4.0.0/16 push 46 uniform 44 pipe ttl 32 via 192.0.2.2\n";
  using Stack = std::vector<StackEntry>;
  struct Vector {
    const char* what;
    Stack in;
    Inner inner;
    std::string verdict;
    Stack out = {};
    int ttl = -1, tos = -1;  ///< of the IP packet; -1: as it came
    unsigned port = 0;
  };
  const auto to = [](const char* address, unsigned ttl, unsigned tos) {
    Inner i;
    i.destination = address;
    i.ttl = ttl;
    i.tos = tos;
    i.six = i.destination.find(':') != std::string::npos;
    i.octets = i.six ? 66 : 46;
    return i;
  };
  Inner broken;
  broken.bad_sum = true;
  Inner tall;
  tall.ttl = 80;
  const Inner six = to("2001:db8:c::7", 64, 0), six_expired = to("2001:db8:c::7", 1, 0);
  for (const Vector& v : std::vector<Vector>{
           {"SWAP at the bottom", {{32, 32, 1}}, {}, "sent", {{33, 31, 1}}},
           {"SWAP above another", {{32, 21, 7}, {99}}, {}, "sent", {{33, 20, 7}, {99}}},
           {"POP, pipe", {{33}}, {}, "sent", {}, 63, 0},
           {"POP, bad inner checksum", {{33}}, broken, "drop checksum"},
           {"POP, uniform", {{3333, 55, 3}}, {}, "sent", {}, 54, 0x60},
           {"POP, uniform, label below the packet's", {{3333, 66, 4}}, tall, "sent", {}, 65, 0x80},
           {"POP, uniform, never raised", {{3333, 66, 4}}, {}, "sent", {}, 63, 0x80},
           {"POP, uniform, 63 over 64", {{3333, 63, 0}}, {}, "sent", {}, 62, 0},
           {"POP to IPv6, uniform", {{335, 27, 4}}, six, "sent", {}, 26, 0x80},
           {"POP to IPv6, hop limit 1", {{333}}, six_expired, "core ttl"},
           {"implicit null", {{334}}, {}, "sent", {}, 63, 0},
           {"not at the bottom", {{33}, {99}}, {}, "drop mpls_bottom"},
           {"SWAP and PUSH 2, pipe", {{34, 3}}, {}, "sent", {{33, 64, 0}, {44, 64, 0}, {45, 2}}},
           {"SWAP and PUSH 2 above another, pipe", {{134, 45}, {99}}, {}, "sent", {{33, 64, 0}, {44, 64, 0}, {46, 44}, {99}}},
           {"SWAP and PUSH, uniform", {{35, 3}}, {}, "sent", {{43, 2}, {44, 2}}},
           {"PUSH 1, pipe", {}, to("10.1.0.1", 64, 0), "sent", {{32, 64, 0}}, 63},
           {"PUSH 3, pipe", {}, to("10.2.0.1", 44, 0xff), "sent", {{32, 64, 0}, {33, 64, 0}, {34, 64, 0}}, 43},
           {"PUSH 1, uniform", {}, to("10.3.0.1", 54, 0xbe), "sent", {{32, 53, 5}}, 53},
           {"PUSH 1, uniform, IPv6", {}, to("2001:db8:3::1", 54, 0xbe), "sent", {{32, 53, 5}}, 53},
           {"pipe over uniform", {}, to("10.4.0.1", 24, 0), "sent", {{44, 32, 0}, {46, 23, 0}}, 23},
           {"explicit null without TTL", {{0, 0}}, {}, "core mpls_ttl"},
           {"interface without MPLS", {{32}}, {}, "drop mpls_disabled", {}, -1, -1, 2},
       }) {
    INFO(v.what);
    const Bytes packet = inner_packet(v.port, v.inner);
    const One got = send(pipes, labelled_frame(v.port, v.in, packet), v.port);
    CHECK(got.what == v.verdict);
    if (v.verdict != "sent" || got.what != "sent") continue;
    Bytes left = packet;
    const size_t ttl = v.inner.six ? 7 : 8;
    if (v.ttl >= 0) left[ttl] = static_cast<uint8_t>(v.ttl);
    if (v.tos >= 0 && v.inner.six) left[0] = static_cast<uint8_t>(0x60 | v.tos >> 4), left[1] = static_cast<uint8_t>((v.tos & 15) << 4 | (left[1] & 15));
    if (v.tos >= 0 && !v.inner.six) left[1] = static_cast<uint8_t>(v.tos);
    if (!v.inner.six) {
      unsigned sum = 0;
      left[10] = left[11] = 0;
      for (size_t i = 0; i < 20; i += 2) sum += left[i] << 8 | left[i + 1];
      sum = (sum & 0xffff) + (sum >> 16);
      sum = ~((sum & 0xffff) + (sum >> 16)) & 0xffff;
      left[10] = static_cast<uint8_t>(sum >> 8);
      left[11] = static_cast<uint8_t>(sum);
    }
    Bytes expected = labelled_frame(v.port, v.out, left);
    Bytes frame = got.frame;
    std::fill_n(expected.begin(), 12, 0);
    std::fill_n(frame.begin(), 12, 0);
    CHECK(frame == expected);
  }
}
