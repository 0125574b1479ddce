// The firewall's configuration: what right lines mean, and that each wrong one is told with its place and a remedy. The
// memory that is made of it.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "firewall/firewall.h"
#include "table_memory.h"
#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"

using namespace weft;
using namespace weft::control;
using namespace weft::control::firewall;

namespace {

const std::string kRouter =
    "interface A port 0 mac 02:00:00:00:01:0a\ninterface B port 1 mac 02:00:00:00:01:0b\n"
    "address A 10.0.0.1/24\naddress B 192.0.2.1/24\n";  // four lines

class Folder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = folder_ / name;
    REQUIRE(write_file(file, text));
    return file;
  }

 private:
  TemporaryFolder folder_;
};

Result<ReadConfig> read(const std::string& lines, const std::map<std::string, std::string>& switches = {}) {
  const Folder folder;
  return read_firewall_config(folder.write("router.conf", kRouter + lines), 3, switches);
}

FirewallConfig right(const std::string& lines) {
  auto config = read(lines);
  if (!config) FAIL(render_text(config.error()));
  return config->firewall;
}

}  // namespace

TEST_CASE("The lines of the firewall's configuration") {
  const FirewallConfig c = right(
      "nat outside B address 192.0.2.1 ports 2000-3000\nforward tcp 8080 to 10.0.0.2:80\nforward udp 5353 to 10.0.0.3\n"
      "rules web.rules store local\nconnections 1000\nfragments 10\ntimeout udp 90s\ntimeout tcp-established "
      "3h\ntimeout fragment 5s\ntick 100us\nscan 20ms\n"
      "firewall hairpin on\nfirewall strict-windows on\nfirewall strict-windows off\nfirewall match-every-packet on # "
      "all of them\n");
  REQUIRE(c.nat);
  CHECK(c.nat->address == 0xc0000201);
  CHECK(c.nat->first_port == 2000);
  CHECK(c.nat->last_port == 3000);
  REQUIRE(c.forwardings.size() == 2);
  CHECK(c.forwardings[0].protocol == 6);
  CHECK(c.forwardings[0].public_port == 8080);
  CHECK(c.forwardings[0].inside == 0x0a000002);
  CHECK(c.forwardings[0].inside_port == 80);
  CHECK(c.forwardings[1].protocol == 17);
  CHECK(c.forwardings[1].inside_port == 5353);  // the same when left out
  REQUIRE(c.rules);
  CHECK(c.rules->path.ends_with("/web.rules"));
  CHECK(c.rules->store == "local");
  CHECK(c.connections == 1000);
  CHECK(c.fragments == 10);
  CHECK(c.timeouts[static_cast<size_t>(Timeout::udp)] == 90'000'000'000);
  CHECK(c.timeouts[static_cast<size_t>(Timeout::tcp_established)] == 3 * 3'600'000'000'000);
  CHECK(c.fragment_life == 5'000'000'000);
  CHECK(c.tick == 100'000);
  CHECK(c.scan == 20'000'000);
  CHECK(c.switches == (kSwitchHairpin | kSwitchForceMatch));
}

TEST_CASE("Usual time-outs are at least those that the RFCs ask for") {
  const FirewallConfig c = right("");
  const auto of = [&](Timeout t) { return c.timeouts[static_cast<size_t>(t)]; };
  constexpr Nanoseconds kMinute = 60'000'000'000;
  CHECK(of(Timeout::tcp_established) >= 124 * kMinute);  // RFC 5382 REQ-5
  for (const Timeout t :
       {Timeout::tcp_syn_sent, Timeout::tcp_syn_received, Timeout::tcp_fin_wait, Timeout::tcp_close_wait,
        Timeout::tcp_last_ack, Timeout::tcp_time_wait, Timeout::tcp_syn_sent2}) {
    CHECK(of(t) >= 4 * kMinute);
  }
  CHECK(of(Timeout::udp) >= 2 * kMinute);       // RFC 4787 REQ-5
  CHECK(of(Timeout::udp_both) >= 5 * kMinute);  // the same, recommended
  CHECK(of(Timeout::icmp) >= kMinute);          // RFC 5508 REQ-2
  for (const TimeoutName& t : timeout_names()) CHECK(of(t.timeout) == t.usual);
}

TEST_CASE("Switches of the firewall can be changed beside those of the router") {
  const auto both = read("", {{"hairpin", "on"}, {"martians", "off"}});
  REQUIRE(both);
  CHECK(both->firewall.switches == kSwitchHairpin);
  CHECK_FALSE(both->router.martians);
  const auto wrong = read("", {{"hairpin", "yes"}});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().list().front().code == "control-switch");
}

TEST_CASE("Labels and IPv6 are refused at their lines, in the firewall's name") {
  const std::vector<std::tuple<std::string, unsigned, std::string>> cases{
      {"mpls interface A", 1, "control-labels"},
      {"mpls labels 1024", 1, "control-labels"},
      {"label 100 swap 200 via 192.0.2.2", 1, "control-labels"},
      {"route 198.51.100.0/24 push 500 via 192.0.2.2", 23, "control-labels"},
      {"address A 2001:db8::1/64", 11, "control-family"},
      {"neighbour 2001:db8::2 mac 02:00:00:00:00:0a", 11, "control-family"},
      {"route 2001:db8:1::/48 via 2001:db8::2", 7, "control-family"},
      {"route 2001:db8:1::/48 discard", 7, "control-family"},
      {"routes-from table.txt via 2001:db8::2", 27, "control-family"},
  };
  for (const auto& [line, column, code] : cases) {
    INFO(line);
    const auto config = read(line + "\n");
    REQUIRE_FALSE(config);
    REQUIRE(config.error().size() == 1);
    const Diagnostic& d = config.error().list().front();
    CHECK(d.code == code);
    CHECK(d.range.begin.line == 5);
    CHECK(d.range.begin.column == column);
    CHECK_THAT(d.text, Catch::Contains("the program 'firewall'"));
    CHECK_FALSE(d.remedy.empty());
  }
  CHECK(read("route 198.51.100.0/24 via 192.0.2.2\n"));
}

TEST_CASE("A switch that there is not: the list has those of the firewall") {
  const auto wrong = read("", {{"hairpn", "on"}});
  REQUIRE_FALSE(wrong);
  const std::string remedy = wrong.error().list().front().remedy;
  CHECK_THAT(remedy, Catch::Contains("did you mean 'hairpin'?") && Catch::Contains("strict-windows") &&
                         Catch::Contains("martians"));
}

TEST_CASE("Tables that do not fit into memory are an error of their line") {
  const Folder folder;
  ControlOptions options;
  options.sram_bytes = {8u << 20, 8u << 20};
  const auto line_of = [&](const std::string& lines) {
    const auto setup = load_firewall_control(folder.write("router.conf", kRouter + lines), options);
    REQUIRE_FALSE(setup);
    const Diagnostic& d = setup.error().list().front();
    CHECK(d.code == "control-connections");
    CHECK_FALSE(d.remedy.empty());
    return d.range.begin.line;
  };
  CHECK(line_of("connections 1048576\n") == 5);
  CHECK(line_of("fragments 1048576\n") == 5);
  CHECK(line_of("fragments 16\nconnections 200000\n") == 6);
  CHECK(line_of("connections 1000\nfragments 1048576\n") == 6);
}

TEST_CASE("The store of the rules: option, line, what the programs define") {
  const Folder folder;
  folder.write("a.rules", "accept in A\ndefault drop\n");
  const auto store = [&](const std::string& line, const std::string& option, const std::string& defined,
                         std::vector<unsigned> engines) {
    ControlOptions options;
    if (!option.empty()) options.switches["store"] = option;
    options.filter_store = defined;
    options.rule_engines = std::move(engines);
    const auto setup = load_firewall_control(folder.write("router.conf", kRouter + line + "\n"), options);
    if (!setup) FAIL(render_text(setup.error()));
    REQUIRE(setup->rules);
    CHECK(setup->rules->compiled.empty() == (setup->rules->store != "compiled"));
    return setup->rules->store;
  };
  CHECK(store("rules a.rules", "", "", {}) == "sram");
  CHECK(store("rules a.rules", "", "2", {}) == "local");
  CHECK(store("rules a.rules", "", "1", {3}) == "sram");  // "rules" of a program that has them in SRAM
  CHECK(store("rules a.rules", "", "", {3}) == "compiled");
  CHECK(store("rules a.rules store sram", "", "3", {3}) == "sram");
  CHECK(store("rules a.rules store sram", "local", "3", {3}) == "local");
  CHECK(store("", "", "", {}) == "sram");
  ControlOptions options;
  options.switches["store"] = "dram";
  const auto wrong = load_firewall_control(folder.write("router.conf", kRouter), options);
  REQUIRE_FALSE(wrong);
  CHECK_THAT(wrong.error().list().front().remedy, Catch::Contains("sram, local or compiled"));
}

TEST_CASE("Memory rests as long as packets may wait for rules in SRAM, and a command brings no more of them") {
  const Folder folder;
  const auto write_rules = [&](const std::string& name, unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i) text += fmt::format("drop source 10.1.{}.{}\n", i / 256, i % 256);
    folder.write(name, text);
  };
  const auto load = [&](unsigned rules, const std::string& store) {
    write_rules("a.rules", rules);
    const std::string lines = "rules a.rules store " + store + "\n";
    auto setup = load_firewall_control(folder.write("router.conf", kRouter + lines), ControlOptions{});
    if (!setup) FAIL(render_text(setup.error()));
    return std::move(*setup);
  };
  // 59 packets before it, three engines, 24 cycles an entry, and as much for others: 8,496 cycles, 531 units.
  CHECK(load(3, "sram").constants.at("fw_grace") == kGraceUnits);
  CHECK(load(122, "sram").constants.at("fw_grace") == kGraceUnits);
  CHECK(load(123, "sram").constants.at("fw_grace") == 124 * 531);
  CHECK(load(1022, "sram").constants.at("fw_grace") == 1023 * 531);
  CHECK(load(79, "local").constants.at("fw_grace") == kGraceUnits);

  const ControlSetup few = load(3, "sram");
  write_rules("b.rules", 122);
  CHECK(few.program->check_command("rules b.rules"));
  write_rules("b.rules", 123);
  const auto refused = few.program->check_command("rules b.rules");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().list().front().code == "firewall-rules-size");
  CHECK_THAT(refused.error().list().front().text, Catch::Contains("124, more than the 123"));
  CHECK(load(200, "sram").program->check_command("rules b.rules"));
}

TEST_CASE("Durations") {
  CHECK(parse_duration("5ns") == 5);
  CHECK(parse_duration("7us") == 7'000);
  CHECK(parse_duration("7m") == 420'000'000'000);
  CHECK(parse_duration("0s") == 0);
  for (const char* text : {"", "5", "s", "-1s", "5 s", "1d", "5msx", "99999999999999999999s", "24001h"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
  CHECK(parse_duration("24000h"));
}

TEST_CASE("Every wrong line is told with its place") {
  struct Wrong {
    std::string line, code;
    uint32_t column;
  };
  const std::vector<Wrong> list{
      {"nat B address 192.0.2.1", "control-line", 1},
      {"nat outside B address 192.0.2.1 ports", "control-line", 1},
      {"nat outside B address 192.0.2.x", "control-address", 23},
      {"nat outside B address 2001:db8::1", "control-address", 23},
      {"nat outside B address 192.0.2.1 ports 5-4", "control-number", 39},
      {"nat outside B address 192.0.2.1 ports 0-4", "control-number", 39},
      {"nat outside B address 192.0.2.1 ports 1-65536", "control-number", 39},
      {"nat outside C address 192.0.2.1", "control-interface", 13},
      {"nat outside B address 192.0.2.9", "control-nat", 13},
      {"forward sctp 80 to 10.0.0.2", "control-line", 1},
      {"forward tcp 0 to 10.0.0.2", "control-number", 13},
      {"forward tcp 80 to 10.0.0.2:0", "control-address", 19},
      {"forward tcp 80 to 224.0.0.1:80", "control-address", 19},
      {"forward tcp 80 to 10.0.0.2:80", "control-forward", 13},  // without a public address
      {"rules", "control-line", 1},
      {"rules a b c", "control-line", 1},
      {"rules a store dram", "control-rules", 15},
      {"connections 0", "control-number", 13},
      {"connections 5 6", "control-number", 13},
      {"connections", "control-number", 1},
      {"fragments x", "control-number", 11},
      {"timeout udp", "control-line", 1},
      {"timeout upd 5s", "control-timeout", 9},
      {"timeout udp 5", "control-duration", 13},
      {"tick 0ms", "control-duration", 6},
      {"tick", "control-line", 1},
      {"scan 5", "control-duration", 6},
      {"firewall hairpin", "control-line", 1},
      {"firewall hairpins on", "control-switch", 10},
      {"firewall hairpin maybe", "control-switch", 10},
      {"natt outside B address 192.0.2.1", "control-line", 1},
  };
  for (const Wrong& w : list) {
    INFO(w.line);
    const auto result = read(w.line + "\n");
    REQUIRE_FALSE(result);
    REQUIRE(result.error().size() == 1);
    const Diagnostic& d = result.error().list().front();
    CHECK(d.code == w.code);
    CHECK(d.range.begin.line == 5);
    CHECK(d.range.begin.column == w.column);
    CHECK_FALSE(d.remedy.empty());
  }
  for (const auto& [lines, code] : std::vector<std::pair<std::string, std::string>>{
           {"nat outside B address 192.0.2.1\nnat outside B address 192.0.2.1\n", "control-nat"},
           {"nat outside B address 192.0.2.1\nforward tcp 80 to 10.0.0.2\nforward tcp 80 to 10.0.0.3\n",
            "control-forward"},
           {"nat outside B address 192.0.2.1\nforward tcp 80 to 192.0.2.2\n", "control-forward"},
           {"rules a\nrules b\n", "control-rules"}}) {
    INFO(lines);
    const auto result = read(lines);
    REQUIRE_FALSE(result);
    CHECK(result.error().list().front().code == code);
  }
  std::string many = "nat outside B address 192.0.2.1\n";
  for (unsigned i = 0; i < kMaxForwardings; ++i) many += fmt::format("forward tcp {} to 10.0.0.2:80\n", 100 + i);
  CHECK(read(many));
  CHECK_FALSE(read(many + "forward tcp 99 to 10.0.0.2:80\n"));
}

TEST_CASE("The outside interface has its port for itself: the engines know the outside by the port") {
  const auto shared =
      read("interface C port 1 vlan 20\naddress C 10.0.2.1/24\nnat outside B address 192.0.2.1\n");  // line 5
  REQUIRE_FALSE(shared);
  REQUIRE(shared.error().size() == 1);
  const Diagnostic& d = shared.error().list().front();
  CHECK(d.code == "control-nat");
  CHECK(d.range.begin.line == 7);
  CHECK(d.range.begin.column == 13);
  CHECK_THAT(d.text, Catch::Contains("B shares port 1 with C"));
  CHECK_THAT(d.remedy, Catch::Contains("a port of its own"));
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes.front().range.begin.line == 5);
  // VLANs of the inside are as they like, and so are those of both when nothing is translated.
  CHECK(read("interface C port 0 vlan 20\naddress C 10.0.2.1/24\nnat outside B address 192.0.2.1\n"));
  CHECK(read("interface C port 1 vlan 20\naddress C 10.0.2.1/24\n"));
}

TEST_CASE("Rules of a configuration name no interface whose port has several") {
  const Folder folder;
  const auto load = [&](const std::string& rule) {
    folder.write("a.rules", rule);
    return load_firewall_control(
        folder.write("router.conf", kRouter + "interface C port 0 vlan 20\naddress C 10.0.2.1/24\nrules a.rules\n"),
        ControlOptions{});
  };
  for (const char* name : {"A", "C"}) {
    INFO(name);
    const auto setup = load(fmt::format("accept out B\naccept in {}\n", name));
    REQUIRE_FALSE(setup);
    REQUIRE(setup.error().size() == 1);
    const Diagnostic& d = setup.error().list().front();
    CHECK(d.code == "firewall-rules");
    CHECK(d.range.begin.line == 2);
    CHECK(d.range.begin.column == 11);
    CHECK_THAT(d.text, Catch::Contains("port 0: A, C"));
    CHECK_THAT(d.remedy, Catch::Contains("write 0"));
  }
  CHECK(load("accept out B\naccept in 0\n"));
}

TEST_CASE("All tables have places of their own in SRAM, or an error says that they do not fit") {
  for (const uint32_t connections : {1u, 2u, 100u, 128u, 1000u, 32'768u}) {
    INFO(connections);
    FirewallConfig config = right(
        "nat outside B address 192.0.2.1 ports 2000-3000\nforward tcp 8080 to 10.0.0.2:80\nforward udp 33 to "
        "10.0.0.2:53\n");
    config.connections = connections;
    const std::array<uint64_t, 2> sram{4u << 20, 4u << 20};
    const auto m = FirewallMemory::plan(config, sram, "router.conf");
    REQUIRE(m);
    struct Range {
      uint64_t begin, bytes;
    };
    const std::vector<Range> ranges{{m->entries, uint64_t{m->entry_count} * kEntryBytes},
                                    {m->buckets, (uint64_t{m->bucket_mask} + 1) * 4},
                                    {m->free, (uint64_t{m->free_mask} + 1) * 4},
                                    {m->ports, 3 * kPortMapBytes},
                                    {m->mapping_buckets, (uint64_t{m->bucket_mask} + 1) * 4},
                                    {m->mappings, uint64_t{m->mapping_count} * kMappingBytes},
                                    {m->fragments, (uint64_t{m->fragment_mask} + 1) * kFragmentLongwords * 4},
                                    {m->rules, 2 * 32 * 1024}};
    for (size_t i = 0; i < ranges.size(); ++i) {
      const unsigned channel = static_cast<unsigned>(ranges[i].begin >> 30);
      CHECK(byte_of(static_cast<uint32_t>(ranges[i].begin)) >= m->left[channel]);
      CHECK(byte_of(static_cast<uint32_t>(ranges[i].begin)) + ranges[i].bytes <= sram[channel]);
      for (size_t k = 0; k < i; ++k)
        CHECK((ranges[i].begin + ranges[i].bytes <= ranges[k].begin ||
               ranges[k].begin + ranges[k].bytes <= ranges[i].begin));
    }
    CHECK(m->entries % 32 == 0);
    CHECK(m->fragments % 128 == 0);  // a bucket
    CHECK(m->fragment_mask + 1 == 1024 * kFragmentWays);
    CHECK(m->mappings % 16 == 0);
    CHECK(m->mapping_count >= connections + kFilterRingCount * 8);  // and one for each context that opens one
    CHECK(m->rules % 32 == 0);
    CHECK(m->bucket_mask + 1 >= 2 * connections);
    CHECK(m->free_mask + 1 >= connections);
    for (const uint32_t mask : {m->bucket_mask, m->free_mask, m->fragment_mask}) CHECK((mask & (mask + 1)) == 0);

    // What stands there at the start: every entry once on the free list, the forwarded ports and port 0 taken.
    const auto image = m->image(config);
    REQUIRE(image.size() == 3);
    CHECK(image[0].address == byte_of(m->free));
    const std::set<uint32_t> entries(image[0].values.begin(), image[0].values.end());
    CHECK(entries.size() == connections);
    CHECK(image[0].values.size() == connections);
    CHECK(*entries.begin() == m->entries);
    CHECK(*entries.rbegin() == m->entries + (connections - 1) * kEntryBytes);
    REQUIRE(image[1].values.size() == 3 * 2048);
    std::set<std::pair<size_t, size_t>> taken;
    for (size_t bit = 0; bit < 3 * 65536; ++bit) {
      if ((image[1].values[bit / 32] >> bit % 32 & 1) != 0) taken.insert({bit / 65536, bit % 65536});
    }
    CHECK(taken == std::set<std::pair<size_t, size_t>>{{0, 0}, {1, 0}, {2, 0}, {0, 8080}, {1, 33}});
    // Every mapping once in the stack of free ones; after the last one what the link of an unwritten longword says: 0.
    CHECK(image[2].address == byte_of(m->mappings));
    std::set<uint32_t> mappings{m->mapping(0)};
    for (size_t i = 0; i < image[2].values.size(); i += kMappingLongwords) mappings.insert(image[2].values[i]);
    CHECK(mappings.size() == m->mapping_count);
    CHECK(*mappings.rbegin() == m->mapping(m->mapping_count - 1));
  }
  // Without translation there are none.
  const auto plain = FirewallMemory::plan(right(""), {4u << 20, 4u << 20}, "router.conf");
  REQUIRE(plain);
  CHECK(plain->mapping_count == 0);
  CHECK(plain->image(right("")).size() == 2);
  FirewallConfig config = right("");
  config.connections = 43'000;
  const auto full = FirewallMemory::plan(config, {4u << 20, 4u << 20}, "router.conf");
  REQUIRE_FALSE(full);
  CHECK(full.error().list().front().code == "control-connections");
}

TEST_CASE("Times become ticks that are never too short") {
  FirewallConfig config = right("nat outside B address 192.0.2.1 ports 2000-3000\nforward tcp 8080 to 10.0.0.2:80\n");
  config.tick = 1'000'000;
  config.scan = 1'000'000'000;
  config.connections = 10'000;
  config.timeouts[static_cast<size_t>(Timeout::udp)] = 1'500'000;
  config.timeouts[static_cast<size_t>(Timeout::icmp)] = 1;
  const auto words = configuration_words(config, 2, 600'000);
  REQUIRE(words.size() == kConfigurationLongwords + kRunningLongwords + 1);
  CHECK(words[kPublicAddress] == 0xc0000201);
  CHECK(words[kZones] == 2);
  CHECK(words[kPortRange] == (2000u << 16 | 3000));
  CHECK(words[kConfigurationLongwords + kRunningLongwords] ==
        (1u << 16 | 65535));           // identifiers: all, whatever the ports are
  CHECK(words[kTickUnits] == 37'500);  // 1 ms at 600 MHz, 16 cycles each
  CHECK(words[kScanEntries] == 10);    // 10,000 entries in 1,000 ticks
  CHECK(words[kTimeouts + static_cast<size_t>(Timeout::udp)] == 2);
  CHECK(words[kTimeouts + static_cast<size_t>(Timeout::icmp)] == 1);
  CHECK(words[kForwardings] == 1);
  CHECK(words[kForwardingList] == (6u << 16 | 8080));
  CHECK(words[kForwardingList + 1] == 0x0a000002);
  CHECK(words[kForwardingList + 2] == 80);
  CHECK(words[kConfigurationLongwords + kFreeTail] == 10'000);
  // 3.75 units: a tick is not shorter than asked for, and the time-outs are counted in what it really is.
  config.tick = 100;
  config.timeouts.fill(1'500'000);
  const auto fast = configuration_words(config, 0, 600'000);
  CHECK(fast[kTickUnits] == 4);
  CHECK(fast[kTimeouts + static_cast<size_t>(Timeout::udp)] == 14'063);  // 56,250 units
  CHECK(fast[kScanEntries] == 1);
  // All entries at most, also when several scans were to be made in a tick.
  config.tick = 50'000'000'000;
  CHECK(configuration_words(config, 0, 600'000)[kScanEntries] == 10'000);
}

TEST_CASE("A tick and time-outs that the engines cannot count are errors of their lines") {
  struct Times {
    std::string lines;
    uint32_t line, column;  // 0: all is right
    std::string text, remedy;
  };
  const std::string kBrief =  // all time-outs that are longer than 229 s
      "timeout tcp-established 200s\ntimeout udp-both-ways 200s\ntimeout other 200s\n"
      "timeout tcp-syn-sent 1m\ntimeout tcp-syn-received 1m\ntimeout tcp-fin-wait 1m\ntimeout tcp-close-wait 1m\n"
      "timeout tcp-last-ack 1m\ntimeout tcp-time-wait 1m\ntimeout tcp-syn-sent2 1m\n";
  const std::vector<Times> list{
      {"", 0, 0, "", ""},
      {"tick 57266ms\n", 0, 0, "", ""},
      {"tick 57267ms\n", 5, 6, "too long", "tick 57s"},
      {"tick 24000h\n", 5, 6, "too long", "tick 57s"},
      {"tick 26ns\n", 5, 6, "too short", "tick 54ns"},
      {"tick 3465ns\n", 0, 0, "", ""},
      {"tick 1us\n", 5, 6, "'tcp-established', 7440s", "tick 3467ns"},
      {"tick 1us\ntimeout tcp-established 2000s\n", 0, 0, "", ""},
      {"tick 1us\ntimeout tcp-established 3000s\n", 6, 25, "3000s is too long", "at most 2176s"},
      {"timeout udp 596h\n", 0, 0, "", ""},
      {"timeout udp 597h\n", 5, 13, "too long for a tick of 1ms", "tick 1001us"},
      {"timeout fragment 24000h\n", 5, 18, "too long", "tick 41ms"},
      {"timeout fragment 24000h\ntick 41ms\n", 0, 0, "", ""},
      {kBrief + "tick 100ns\n", 0, 0, "", ""},
  };
  const Folder folder;
  const auto load = [&](const std::string& lines) {
    return load_firewall_control(folder.write("router.conf", kRouter + lines), ControlOptions{});
  };
  for (const Times& t : list) {
    INFO(t.lines);
    const auto result = load(t.lines);
    REQUIRE(result.has_value() == (t.line == 0));
    if (result) continue;
    REQUIRE(result.error().size() == 1);
    const Diagnostic& d = result.error().list().front();
    CHECK(d.code == "control-duration");
    CHECK(d.range.begin.line == t.line);
    CHECK(d.range.begin.column == t.column);
    INFO(d.text << "; " << d.remedy);
    CHECK(d.text.find(t.text) != std::string::npos);
    CHECK(d.remedy.find(t.remedy) != std::string::npos);
  }
  // Each line that is wrong, and one error for the usual ones.
  const auto all = load("timeout udp 3000s\ntimeout icmp 3000s\ntick 1us\n");
  REQUIRE_FALSE(all);
  CHECK(all.error().size() == 3);
}

TEST_CASE("The whole setup: rings, counters, constants and rules") {
  const Folder folder;
  folder.write("a.rules", "accept in A\ndefault drop\n");
  const std::string file =
      folder.write("router.conf", kRouter + "nat outside B address 192.0.2.1\nrules a.rules\nconnections 500\n");
  ControlOptions options;
  options.sram_bytes = {4u << 20, 4u << 20};
  auto setup = load_firewall_control(file, options);
  if (!setup) FAIL(render_text(setup.error()));
  std::set<unsigned> rings;
  for (const RingSetup& r : setup->rings) {
    INFO(r.name);
    CHECK(rings.insert(r.ring).second);
    CHECK(r.base % (r.longwords * 4) == 0);
    CHECK(r.contents.size() < r.longwords);
    for (const RingSetup& other : setup->rings) {
      CHECK((other.ring == r.ring || other.base + other.longwords * 4 <= r.base ||
             r.base + r.longwords * 4 <= other.base));
    }
    // Scratch besides the rings.
    for (const auto& [begin, bytes] :
         std::vector<std::pair<uint32_t, uint32_t>>{{kCountersBase, 1024},
                                                    {kConfigBase, kConfigLongwords * 4},
                                                    {kFirewallConfig, kAllLongwords * 4},
                                                    {kBucketLocks, kBucketLockLongwords * 4},
                                                    {kAnswers, kAnswerLongwords * 4}}) {
      CHECK((begin + bytes <= r.base || r.base + r.longwords * 4 <= begin));
    }
  }
  CHECK(rings == std::set<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  std::map<std::string, unsigned> counters;
  std::set<uint64_t> addresses;
  for (const CounterSetup& c : setup->counters) {
    ++counters[c.reason];
    CHECK(addresses.insert(c.address).second);
  }
  for (const FirewallReasonName& r : kFirewallReasonNames) CHECK(counters[std::string(r.name)] == kPorts);
  CHECK(counters["checksum"] == kPorts);
  for (const char* name : {"fw_entries", "fw_entry_count", "fw_buckets", "fw_bucket_mask", "fw_free", "fw_free_mask",
                           "fw_ports", "fw_mapping_buckets", "fw_fragments", "fw_fragment_mask", "fw_grace",
                           "filter_control", "ipv4_trie", "buffer_bytes"}) {
    INFO(name);
    CHECK(setup->constants.count(name) == 1);
  }
  CHECK(setup->program->name() == "firewall");
  CHECK(setup->program->check_command("show connections"));
  CHECK(setup->program->check_command("show connections 5"));
  CHECK_FALSE(setup->program->check_command("show connections all"));
  for (const auto& [command, remedy] :
       std::vector<std::pair<std::string, std::string>>{{"show connection", "show connections 20"},
                                                        {"show", "show connections 20"},
                                                        {"show route", "show route 192.0.2.0/24"},
                                                        {"frobnicate", "rules, show"}}) {
    INFO(command);
    const auto refused = setup->program->check_command(command);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().list().front().remedy, Catch::Contains(remedy));
  }
  CHECK(setup->program->check_command("route add 10.9.0.0/16 via 192.0.2.2"));
  CHECK(setup->program->check_command("rules a.rules"));
  CHECK_FALSE(setup->program->check_command("rules missing.rules"));

  const std::string too_many = folder.write("many.conf", kRouter + "buffers 600\n");
  const auto wrong = load_firewall_control(too_many, options);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().list().front().code == "control-buffers");
  CHECK(wrong.error().list().front().range.begin.line == 5);
}
