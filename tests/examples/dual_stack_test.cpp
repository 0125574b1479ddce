// The dual-stack router: the golden cases of both versions, and damaged frames against a reference.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "dual_reference.h"
#include "forwarder.h"
#include "must.h"
#include "weft/base/files.h"
#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"
#include "weft/packet/layers.h"
#include "weft/workbench/project.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint64_t kMac = 0x020000000100;  // + 0a to 0d: the router's ports
constexpr uint64_t kStation = 0x020000000000;

std::string example() { return std::string(WEFT_SOURCE_DIR) + "/examples/dual-stack-router"; }

/// Configuration `text` in a file for as long as this lives.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text) { must(write_file(path(), text)); }
  std::string path() const { return folder_ / "router.conf"; }

 private:
  TemporaryFolder folder_;
};

/// The example's configuration with this MTU, and without the route that the golden cases do not have.
std::string router(unsigned mtu_of_b) {
  std::string text = must(read_file(example() + "/router.conf"));
  const std::string other = "route 203.0.113.0/24";
  const size_t begin = text.find(other);
  REQUIRE(begin != std::string::npos);
  text.erase(begin, text.find('\n', begin) - begin);
  const std::string line = "interface B port 1 mac 02:00:00:00:01:0b";
  const size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  return text.insert(at + line.size(), fmt::format(" mtu {}", mtu_of_b));
}

struct Outcome {
  std::map<unsigned, std::vector<Bytes>> out;
  std::map<std::string, uint64_t> count;  ///< "drop REASON", "core REASON"
};

std::string text_of(const std::map<std::string, uint64_t>& count) {
  std::string text;
  for (const auto& [name, n] : count) text += fmt::format("{} {}\n", name, n);
  return text;
}

/// The router of the example, with these frames at one port and nothing else.
Outcome run(const std::string& config, unsigned port, const std::vector<workbench::ListedFrame>& frames,
            uint64_t quiet) {
  const ConfigFile file(config + "switch answers off\n");  // or its frames would be among those that leave
  workbench::Project project = must(workbench::load_project(example()));
  project.control->config = file.path();
  for (workbench::PortEntry& p : project.ports) p.in = {};
  project.ports.at(port).in.kind = workbench::TrafficEntry::Kind::listed;
  project.ports.at(port).in.frames = frames;
  project.keep_frames = true;
  project.limits.quiet_cycles = quiet;
  workbench::Observation observation;
  observation.checks = must(workbench::parse_check_modes("off,buffer-free=warn,buffer-leak=warn,access=warn"));
  auto session = must(workbench::Session::create(std::move(project), observation));
  REQUIRE(session->run({}).kind == workbench::Stop::Kind::quiet);
  must(session->finish());
  INFO(render_text(session->findings()));
  CHECK(session->findings().empty());
  Outcome result;
  for (unsigned p = 0; p < 4; ++p) {
    for (const auto& f : session->sent(p)) result.out[p].push_back(padded(f.bytes));
  }
  const workbench::Report report = session->report();
  for (const auto& d : report.drops) result.count["drop " + d.reason] += d.count;
  for (const auto& d : report.exceptions) result.count["core " + d.reason] += d.count;
  return result;
}

std::map<std::string, std::string> golden_decisions() {
  std::map<std::string, std::string> list;
  const auto all = [&](std::initializer_list<const char*> cases, const std::string& decision) {
    for (const char* c : cases) list[std::string("ip-") + c] = decision;
  };
  all({"001", "003", "005", "011", "017", "024", "039", "040", "041", "042", "043", "045"}, "sent");
  all({"047", "049", "053", "054", "057", "058", "059", "069"}, "sent");
  all({"004", "006"}, "drop checksum");
  all({"007", "051"}, "drop version");
  all({"008"}, "drop header_length");
  all({"009", "010", "052"}, "drop total_length");
  all({"012", "013", "014", "015", "016", "018", "037", "055", "056"}, "drop source_martian");
  all({"019", "020", "060"}, "drop destination_martian");
  all({"023"}, "drop directed_broadcast");
  all({"027"}, "drop not_for_us");
  all({"002", "035", "036", "048", "050"}, "core ttl");
  all({"021", "022", "061"}, "core multicast");
  all({"025", "038", "063", "064"}, "core no_route");
  all({"026", "065"}, "core local");
  all({"028", "029", "030", "031", "032", "033", "034", "066", "067", "068"}, "core options");
  all({"044", "046", "070", "071"}, "core mtu");
  all({"062"}, "core link_local");
  return list;
}

/// The example's configuration.
DualReference reference() {
  DualReference r;
  for (unsigned p = 0; p < 4; ++p) r.interfaces.push_back({p, 0, kMac + 0x0a + p, 1500});
  r.interfaces.push_back({3, 100, kMac + 0x0d, 1500});
  const std::vector<std::string> networks4{"10.0.0.", "192.0.2.", "10.0.2.", "10.0.3.", "10.1.0."};
  const std::vector<std::string> networks6{
      "2001:db8:a::", "2001:db8:b::", "2001:db8:2::", "2001:db8:3::", "2001:db8:64::"};
  const std::vector<uint64_t> stations{kStation + 0x0a, kStation + 0x0b, kStation + 0x0c, kStation + 0x0d,
                                       kStation + 0x64};
  for (size_t i = 0; i < 5; ++i) {
    r.route(networks4[i] + "0/24", "core unresolved");
    r.route(networks4[i] + "0/32", "drop directed_broadcast");
    r.route(networks4[i] + "255/32", "drop directed_broadcast");
    r.route(networks4[i] + "1/32", "core local");
    r.route(networks4[i] + "2/32", i, stations[i]);
    r.route(networks6[i] + "/64", "core unresolved");
    r.route(networks6[i] + "/128", "core local");  // every router of the network
    r.route(networks6[i] + "1/128", "core local");
    r.route(networks6[i] + "2/128", i, stations[i]);
  }
  r.broadcasts = {0x0a0000ff, 0xc00002ff, 0x0a0002ff, 0x0a0003ff, 0x0a0100ff};
  r.route("10.0.0.3/32", 0, stations[0]);
  r.route("fe80::/10", "core link_local");
  for (const char* port : {"a", "b", "c", "d"}) r.route(fmt::format("fe80::ff:fe00:10{}/128", port), "core local");
  r.route("198.51.100.0/24", 1, stations[1]);
  r.route("198.18.0.0/15", 0, stations[0]);
  r.route("203.0.113.0/24", 3, stations[3]);
  r.route("172.16.0.0/12", 4, stations[4]);
  r.route("100.64.0.0/10", 2, stations[2]);
  r.route("2001:db8:c::/48", 1, stations[1]);
  r.route("2001:db8:1a::/47", 0, stations[0]);
  r.route("2001:db8:d0::/44", 3, stations[3]);
  r.route("2001:db8:e000::/36", 4, stations[4]);
  r.route("2001:db8:f::/48", 2, stations[2]);
  r.route("2001:db8:dead::/48", "drop discard_route");
  return r;
}

packet::Mac mac_of(uint64_t value) {
  packet::Mac mac;
  for (size_t i = 0; i < 6; ++i) mac.octets[i] = static_cast<uint8_t>(value >> (40 - 8 * i));
  return mac;
}

/// A frame of either version, with or without a tag; some are aimed at what is rare, some are damaged afterwards.
Bytes random_frame(Random& random, unsigned port) {
  static const char* const sources4[] = {"10.0.0.255",      "0.1.2.3",     "127.0.0.1",  "224.0.0.5", "240.0.0.1",
                                         "255.255.255.255", "169.254.1.1", "10.1.0.255", "1.2.3.4",   "0.0.48.100"};
  static const char* const targets4[] = {
      "198.51.100.7", "198.19.255.1", "203.0.113.9", "172.31.255.255",  "172.32.0.0", "100.127.1.1",
      "10.0.0.1",     "10.0.0.2",     "10.0.2.9",    "10.0.3.255",      "192.0.2.0",  "127.0.0.1",
      "0.1.2.3",      "224.0.0.1",    "240.0.0.1",   "255.255.255.255", "9.9.9.9"};
  static const char* const sources6[] = {"::",      "::1",     "::2",     "ff02::1",
                                         "fe80::1", "febf::1", "fec0::1", "::ffff:1.2.3.4"};
  static const char* const targets6[] = {"2001:db8:c::7",
                                         "2001:db8:1b::1",
                                         "2001:db8:1c::1",
                                         "2001:db8:df::1",
                                         "2001:db8:e000::",
                                         "2001:db8:efff::1",
                                         "2001:db8:f000::1",
                                         "2001:db8:f::1",
                                         "2001:db8:dead::1",
                                         "2001:db8:3::2",
                                         "2001:db8:3::3",
                                         "2001:db8:b::",
                                         "2001:db8:64::1",
                                         "fe80::ff:fe00:10a",
                                         "fe80::1",
                                         "ff02::1",
                                         "::",
                                         "::1",
                                         "::2",
                                         "3fff::1"};
  std::vector<packet::Layer> layers;
  const uint64_t to = random.chance(1, 14)   ? 0x02000000ffff
                      : random.chance(1, 14) ? 0xffffffffffff
                                             : kMac + 0x0a + port;
  layers.push_back(packet::Ethernet{.destination = mac_of(to), .source = mac_of(kStation + 0x0a)});
  if (random.chance(1, 3))
    layers.push_back(packet::Vlan{.id = static_cast<uint16_t>(random.chance(3, 4) ? 100 : random.below(4096)),
                                  .priority = static_cast<uint8_t>(random.below(8))});
  const uint8_t hops =
      random.chance(1, 8) ? static_cast<uint8_t>(random.below(3)) : static_cast<uint8_t>(random.between(2, 255));
  if (random.chance(1, 2)) {
    layers.push_back(packet::Ipv4{
        .ttl = hops,
        .source = *packet::parse_ipv4(random.chance(2, 3) ? "10.0.0.2" : sources4[random.below(std::size(sources4))]),
        .destination = *packet::parse_ipv4(targets4[random.below(std::size(targets4))])});
  } else {
    layers.push_back(packet::Ipv6{
        .hop_limit = hops,
        .source =
            *packet::parse_ipv6(random.chance(2, 3) ? "2001:db8:a::2" : sources6[random.below(std::size(sources6))]),
        .destination = *packet::parse_ipv6(targets6[random.below(std::size(targets6))])});
  }
  layers.push_back(packet::Udp{.source = 1000, .destination = 9});
  layers.push_back(packet::Payload{Bytes(random.chance(1, 5) ? random.between(1420, 1480) : random.below(120),
                                         static_cast<uint8_t>(random.next32()))});
  Bytes b = packet::build(layers);
  if (random.chance(1, 4))
    b[12 + random.below(std::min<size_t>(b.size() - 12, 48))] ^= static_cast<uint8_t>(1u << random.below(8));
  if (random.chance(1, 12)) b.resize(random.between(14, b.size()));
  if (random.chance(1, 20)) {
    for (size_t i = 14; i < b.size(); ++i) b[i] = static_cast<uint8_t>(random.next32());
  }
  return b;
}

}  // namespace

TEST_CASE("The dual-stack router decides the golden cases of both versions") {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/ip_forwarding.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  const auto decisions = golden_decisions();
  size_t compared = 0;
  for (const auto& c : golden["cases"]) {
    const std::string id = c["id"];
    INFO(id << " " << std::string(c["case"]));
    REQUIRE(decisions.count(id) == 1);
    const std::string& decision = decisions.at(id);
    const Outcome result =
        run(router(c["egress_mtu"]), c["port"] == "A" ? 0 : 1, {{0, from_hex(c["in"]), false}}, 20'000);
    if (decision != "sent") {
      CHECK(text_of(result.count) == text_of({{decision, 1}}));
      continue;
    }
    CHECK(result.count.empty());
    REQUIRE(c["out"].size() == 1);
    const unsigned port = c["out"][0]["port"] == "A" ? 0 : 1;
    REQUIRE(result.out.count(port) == 1);
    CHECK(result.out.at(port) == std::vector<Bytes>{padded(from_hex(c["out"][0]["frame"]))});
    ++compared;
  }
  CHECK(compared == 20);
}

TEST_CASE("The dual-stack router and the reference: 6000 frames, many of them damaged") {
  const DualReference expected_of = reference();
  for (const unsigned port : {0u, 3u}) {
    Random random(100 + port);
    std::vector<workbench::ListedFrame> frames;
    std::map<std::string, uint64_t> expected;
    std::map<unsigned, std::vector<Bytes>> sent;
    for (uint64_t i = 0; i < 3000; ++i) {
      frames.push_back({i * 20'000, random_frame(random, port), false});
      auto d = expected_of.decide(port, frames.back().bytes);
      if (d.text == "sent")
        sent[d.port].push_back(std::move(d.frame));
      else
        ++expected[d.text];
    }
    INFO("port " << port);
    const Outcome result = run(must(read_file(example() + "/router.conf")), port, frames, 200'000);
    CHECK(text_of(result.count) == text_of(expected));
    CHECK(expected.size() > 20);
    for (unsigned p = 0; p < 4; ++p) {
      INFO("to port " << p);
      const auto out = result.out.count(p) ? result.out.at(p) : std::vector<Bytes>{};
      REQUIRE(out.size() == sent[p].size());
      CHECK(sent[p].size() > 20);
      size_t different = 0;
      for (size_t i = 0; i < out.size(); ++i) different += out[i] != sent[p][i];
      CHECK(different == 0);
    }
  }
}
