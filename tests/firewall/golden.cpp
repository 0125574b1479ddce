#include "golden.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "weft/base/files.h"
#include "weft/packet/layers.h"

namespace weft::test {

namespace {

Bytes from_hex(const std::string& text) {
  Bytes out;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    out.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return out;
}
std::string to_hex(const Bytes& b) {
  std::string out;
  for (const uint8_t octet : b) out += fmt::format("{:02x}", octet);
  return out;
}

}  // namespace

std::vector<GoldenGroup> golden_groups() {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/napt.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  const auto port = [](const nlohmann::json& name) { return name == "A" ? 0u : 1u; };
  std::vector<GoldenGroup> groups;
  for (const auto& g : golden["groups"]) {
    GoldenGroup group{g["group"], {}};
    for (const auto& c : g["cases"]) {
      GoldenCase one{c["id"], c["case"], c["verdict"], port(c["port"]), from_hex(c["in"]), {}};
      for (const auto& o : c["out"]) {
        GoldenFrame frame{port(o["port"]), from_hex(o["frame"]), {}};
        for (const auto& range : o["ignore"]) frame.ignore.emplace_back(range[0].get<size_t>(), range[1].get<size_t>());
        one.out.push_back(std::move(frame));
      }
      group.cases.push_back(std::move(one));
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

const std::map<std::string, Departure>& departures() {
  static const std::string core = "the control processor answers";
  static const std::string checksum =
      "the reference verifies the UDP checksum; here the receiver does (RFC 1122 4.1.3.4), and a translator changes it "
      "by "
      "what it has changed (RFC 3022 4.1, RFC 1624)";
  static const std::string syn =
      "the reference's own stack answers; an unsolicited SYN gets no answer (RFC 5382 REQ-4)";
  static const std::string segment =
      "the reference's own stack answers with a reset, which is for an end of the connection (RFC 9293 3.10.7); what a "
      "filter refuses may go without an answer (RFC 1812 5.2.7.1)";
  static const std::string fragments =
      "the reference holds fragments until all are there and cuts them anew; a router puts nothing together that it "
      "forwards (RFC 1812 5.2.6)";
  static const std::map<std::string, Departure> list{
      {"nat-003", {"core local", core}},
      {"nat-004", {"core local", core}},
      {"nat-009", {"core ttl", core}},
      {"nat-010", {"core ttl", core}},
      {"nat-012", {"forward", checksum}},
      {"nat-021", {"core local", syn}},
      {"nat-025", {"drop invalid_state", segment}},
      {"nat-034", {"drop invalid_state", segment}},
      {"nat-059", {"forward", fragments}},
      {"nat-060", {"forward", fragments}},
      {"nat-061", {"forward", fragments}},
  };
  return list;
}

ModelConfig golden_config() {
  ModelConfig c;
  c.macs = {0x02000000010a, 0x02000000010b};
  c.addresses = {0x0a000001, 0xc0000201};
  c.public_address = 0xc0000201;
  c.forwardings = {{6, 8080, 0x0a000002, 80}, {17, 5353, 0x0a000002, 53}};
  for (unsigned s = 1; s < kTcpStates; ++s) c.tcp_timeouts[static_cast<Tcp>(s)] = 1'000'000;
  c.route = [](uint32_t a) -> std::optional<ModelHop> {
    constexpr uint64_t kInside = 0x02000000000a, kOutside = 0x02000000000b;
    if (a == 0x0a000002 || a == 0x0a000003 || a >> 17 == 0xc6120000 >> 17) return ModelHop{0, kInside, true};
    if (a == 0xc0000202 || a >> 8 == 0xc63364) return ModelHop{1, kOutside, true};
    if (a >> 8 == 0x0a0000) return ModelHop{0, 0, false};
    if (a >> 8 == 0xc00002) return ModelHop{1, 0, false};
    return std::nullopt;
  };
  c.accepts = [](const NewFlow& f) { return f.in_port == 0 || f.forwarded; };
  return c;
}

std::string golden_difference(const GoldenFrame& recorded, unsigned port, const Bytes& frame) {
  if (port != recorded.port) return fmt::format("left by port {} instead of {}", port, recorded.port);
  const auto comparable = [&](Bytes b) {
    b = packet::padded(std::move(b));
    for (const auto& [offset, length] : recorded.ignore) {
      for (size_t i = offset; i < offset + length && i < b.size(); ++i) b[i] = 0;
    }
    return b;
  };
  const Bytes left = comparable(frame), right = comparable(recorded.frame);
  return left == right ? std::string() : fmt::format("\n  ours      {}\n  recorded  {}", to_hex(left), to_hex(right));
}

}  // namespace weft::test
