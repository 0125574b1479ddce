// Single frames whose outcome is known: what another implementation did (tests/data/golden/mpls.json: TTL uniform at
// PUSH, the TC of the low DSCP bits; pipe at POP), and vectors of a further one's tests for uniform and pipe.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "router.h"
#include "weft/base/files.h"
#include "weft/packet/layers.h"

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
    "interface A port 0 mac 02:00:00:00:01:0a mtu 1512\ninterface B port 1 mac 02:00:00:00:01:0b mtu 1512\ninterface C "
    "port 2 mac 02:00:00:00:01:0c\n"
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
  config +=
      fmt::format("route 0.0.0.0/0{} via 192.0.2.2\nroute ::/0{} via 2001:db8:b::2\n", ip ? push : "", ip ? push : "");
  if (ip) return config;
  const unsigned label = operation["match"];
  if (operation.contains("swap"))
    return config + fmt::format("label {} swap {}{} via 192.0.2.2\n", label, operation["swap"].get<unsigned>(), push);
  return config + fmt::format("label {} pop {}{} pipe\n", label, operation["pop"].get<unsigned>(),
                              exposes_label ? " via 192.0.2.2" : "");
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
    const bool exposes_label =
        forwards && c["operation"].contains("pop") && c["out"][0]["view"]["ethertype"] == "0x8847";
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
                            "label 32 swap 33 via 192.0.2.2\nlabel 33 pop bottom\nlabel 3333 pop uniform\nlabel 335 "
                            "pop uniform\nlabel 333 pop\nlabel 334 swap 3 via 192.0.2.2\n"
                            "label 34 swap 45 push 44 33 via 192.0.2.2 ttl 64\nlabel 134 swap 46 push 44 33 via "
                            "192.0.2.2 ttl 64\nlabel 35 swap 44 push 43 uniform via 192.0.2.2\n"
                            "route 10.1.0.0/16 push 32 ttl 64 via 192.0.2.2\nroute 10.2.0.0/16 push 34 33 32 via "
                            "192.0.2.2 ttl 64\nroute 10.3.0.0/16 push 32 uniform via 192.0.2.2\n"
                            "route 2001:db8:3::/48 push 32 uniform via 2001:db8:b::2\nroute 10.4.0.0/16 push 46 "
                            "uniform 44 pipe ttl 32 via 192.0.2.2\n";
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
           {"SWAP and PUSH 2 above another, pipe",
            {{134, 45}, {99}},
            {},
            "sent",
            {{33, 64, 0}, {44, 64, 0}, {46, 44}, {99}}},
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
    if (v.tos >= 0 && v.inner.six)
      left[0] = static_cast<uint8_t>(0x60 | v.tos >> 4),
      left[1] = static_cast<uint8_t>((v.tos & 15) << 4 | (left[1] & 15));
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

TEST_CASE("A label switched path through three routers") {
  for (const bool uniform : {true, false}) {
    INFO((uniform ? "uniform" : "pipe"));
    // Port A of each receives, port B sends on; the MACs are those of the next router's port A.
    const std::string ports =
        "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b\naddress A "
        "10.0.0.1/24\naddress B 192.0.2.1/24\n"
        "neighbour 192.0.2.2 mac 02:00:00:00:01:0a\nmpls interface A\n" +
        std::string(uniform ? "mpls mode uniform\n" : "mpls mode pipe\n");
    Inner inner;
    inner.ttl = 64;
    inner.tos = 0xb8;
    const Bytes came = inner_packet(0, inner);
    const One first = send(ports + "route 198.51.100.0/24 push 100 via 192.0.2.2\n", labelled_frame(0, {}, came));
    REQUIRE(first.what == "sent");
    const One second = send(ports + "label 100 swap 200 via 192.0.2.2\n", first.frame);
    REQUIRE(second.what == "sent");
    const One third = send(ports + "label 200 pop\nroute 198.51.100.0/24 via 192.0.2.2\n", second.frame);
    REQUIRE(third.what == "sent");
    const auto entry = [](const Bytes& f) {
      return static_cast<uint32_t>(f[14]) << 24 | static_cast<uint32_t>(f[15]) << 16 |
             static_cast<uint32_t>(f[16]) << 8 | f[17];
    };
    CHECK(entry(first.frame) == (100u << 12 | (uniform ? 5u << 9 | 0x100 | 63 : 0x100 | 255)));
    CHECK(entry(second.frame) == (200u << 12 | (uniform ? 5u << 9 | 0x100 | 62 : 0x100 | 254)));
    CHECK(third.frame[12] == 0x08);
    CHECK(third.frame[22] == (uniform ? 61 : 62));
    // DSCP 46 became TC 5; a uniform path gives its class selector back, a pipe the DSCP itself.
    CHECK(third.frame[15] == (uniform ? 40 << 2 : 0xb8));
    CHECK(Bytes(third.frame.begin() + 26, third.frame.end()) == Bytes(came.begin() + 12, came.end()));
  }
}

TEST_CASE("A program for one kind of label table is not loaded with the other") {
  for (const bool split : {false, true}) {
    auto project = workbench::load_project(std::string(WEFT_SOURCE_DIR) + "/examples/mpls-router");
    REQUIRE(project);
    const std::string config =
        (std::filesystem::temp_directory_path() / fmt::format("weft-mpls-{}.conf", split)).string();
    REQUIRE(write_file(config, kPorts + (split ? "mpls table split\n" : "")));
    project->control->config = config;
    for (auto& p : project->programs) p.defines.emplace_back("MPLS_TABLE_SPLIT", split ? "0" : "1");
    const auto session = workbench::Session::create(std::move(*project), {});
    std::filesystem::remove(config);
    REQUIRE_FALSE(session);
    const Diagnostic& problem = session.error().list().front();
    CHECK(problem.code == "link-unresolved-import");
    CHECK(problem.text.find(split ? "'i$mpls_table'" : "'i$mpls_split_table'") != std::string::npos);
    // Both places: the line, or that there is none, and what the programs are built with.
    const size_t line = static_cast<size_t>(std::ranges::count(kPorts, '\n')) + 1;
    CHECK(problem.text.find(config + (split ? fmt::format(":{} says mpls table split", line)
                                            : " has no line mpls table split")) != std::string::npos);
    CHECK(problem.remedy.find(split ? "\"MPLS_TABLE_SPLIT\": 1" : "\"MPLS_TABLE_SPLIT\": 0") != std::string::npos);
  }
}

TEST_CASE("A label without TTL is answered from the control processor, by the transmitters of the router") {
  RouterRun run;
  run.example = "mpls-router";
  run.receivers = {0, 1};
  run.config = kPorts +
               "neighbour 10.0.0.2 mac 02:00:00:00:00:0a\nlabel 100 swap 101 via 192.0.2.2\nlabel 102 pop\nroute "
               "198.51.100.0/24 push 103 via 192.0.2.2\n";
  Inner inner;
  inner.octets = 300;
  const Bytes packet = inner_packet(0, inner);
  // One whose TTL has ended; one that goes on; one that the core has to forward, for its options, into a path.
  run.in[0].push_back({0, labelled_frame(0, {{100, 1, 0}, {7, 9, 0}}, packet), false});
  run.in[0].push_back({10'000, labelled_frame(0, {{100, 64, 0}}, packet), false});
  packet::Ipv4 ip;
  ip.source = *packet::parse_ipv4("10.0.0.2");
  ip.destination = *packet::parse_ipv4("198.51.100.7");
  ip.ttl = 40;
  ip.options = {1, 1, 1, 0};
  const Bytes with_options =
      packet::build({packet::Ethernet{}, ip, packet::Udp{1000, 9}, packet::Payload{Bytes(20, 7)}});
  run.in[0].push_back(
      {20'000, labelled_frame(0, {{102, 30, 0}}, Bytes(with_options.begin() + 14, with_options.end())), false});
  const RouterOutcome o = run_router(run);
  CHECK(o.findings.empty());
  CHECK(o.buffers_after == kBuffers);
  CHECK(o.core_sent() == 2);
  REQUIRE(o.out.at(0).size() == 1);
  const Bytes& error = o.out.at(0)[0];
  CHECK(error[12] == 0x08);
  CHECK(error[34] == 11);
  CHECK(Bytes(error.begin() + 42, error.end()) == packet);
  REQUIRE(o.out.at(1).size() == 2);
  for (const Bytes& f : o.out.at(1)) {
    const bool swapped = f[17] == 63;
    CHECK(Bytes(f.begin() + 12, f.begin() + 18) ==
          (swapped ? Bytes{0x88, 0x47, 0x00, 0x06, 0x51, 63} : Bytes{0x88, 0x47, 0x00, 0x06, 0x71, 29}));
    if (!swapped) CHECK(f[26] == 29);  // the label's TTL, as it was the smaller one
  }
}
