// Destinations of generated traffic: prefixes of both families, and tables.
#include "project/destinations.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "folder.h"
#include "weft/base/files.h"
#include "weft/control/address.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

TrafficEntry from(const std::string& text, uint32_t flows = 100) {
  TrafficEntry entry;
  entry.destinations = text;
  entry.flows = flows;
  return entry;
}

std::string problem(const Result<packet::Destinations>& r) {
  REQUIRE_FALSE(r.has_value());
  const Diagnostic& d = r.error().list().front();
  return d.code + ": " + d.text;
}

}  // namespace

TEST_CASE("destinations lie under their prefixes") {
  const auto list = destinations_of(from("198.51.100.0/24 192.0.2.2 203.0.112.0/23"), {}, 7);
  REQUIRE(list.has_value());
  const auto& v4 = std::get<std::vector<packet::Ipv4Address>>(*list);
  REQUIRE(v4.size() == 100);
  for (size_t i = 0; i < 100; i += 3) CHECK(v4[i].value >> 8 == 0xc63364);
  for (size_t i = 1; i < 100; i += 3) CHECK(v4[i].value == 0xc0000202);
  std::set<uint32_t> seen;
  for (size_t i = 2; i < 100; i += 3) {
    seen.insert(v4[i].value);
    CHECK(v4[i].value >> 9 == 0xcb0070 >> 1);
  }
  CHECK(seen.size() > 20);

  const auto six = destinations_of(from("2001:db8:c::/46"), {}, 7);
  REQUIRE(six.has_value());
  std::set<uint8_t> sixth;
  for (const auto& a : std::get<std::vector<packet::Ipv6Address>>(*six)) {
    CHECK(std::vector<uint8_t>(a.octets.begin(), a.octets.begin() + 5) ==
          std::vector<uint8_t>{0x20, 0x01, 0x0d, 0xb8, 0});
    sixth.insert(a.octets[5]);
  }
  CHECK(sixth == std::set<uint8_t>{12, 13, 14, 15});
  CHECK(problem(destinations_of(from("10.0.0.0/8 2001:db8::/32"), {}, 1)) ==
        "traffic-destination: IPv4 and IPv6 prefixes stand side by side");
  CHECK(problem(destinations_of(from("2001:db8::/129"), {}, 1)) ==
        "traffic-destination: '2001:db8::/129' is not an IPv4 or IPv6 prefix");
}

TEST_CASE("of a table each prefix length gives its share") {
  const Folder folder;
  std::string text = "# prefix next-hop\n";
  for (int i = 0; i < 60; ++i) text += "10." + std::to_string(i) + ".0.0/16 1\n";
  for (int i = 0; i < 30; ++i) text += "11.0." + std::to_string(i) + ".0/24\t2\n";
  for (int i = 0; i < 10; ++i) text += "12.0.0." + std::to_string(i) + "/32 3\n";
  folder.write("table.txt", text);
  TrafficEntry entry;
  entry.table = folder.path() / "table.txt";
  entry.distinct = 20;
  const auto list = destinations_of(entry, {}, 3);
  REQUIRE(list.has_value());
  std::map<uint32_t, std::set<uint32_t>> by_first;
  for (const auto& a : std::get<std::vector<packet::Ipv4Address>>(*list)) by_first[a.value >> 24].insert(a.value);
  CHECK(by_first[10].size() == 12);
  CHECK(by_first[11].size() == 6);
  CHECK(by_first[12].size() == 2);
  CHECK(std::get<std::vector<packet::Ipv4Address>>(*destinations_of(entry, {}, 3)) ==
        std::get<std::vector<packet::Ipv4Address>>(*list));
  CHECK(std::get<std::vector<packet::Ipv4Address>>(*destinations_of(entry, {}, 4)) !=
        std::get<std::vector<packet::Ipv4Address>>(*list));

  entry.vias = 3;
  entry.via = 2;
  entry.distinct = 30;  // all rows by next hop 2
  const auto second = destinations_of(entry, {}, 3);
  for (const auto& a : std::get<std::vector<packet::Ipv4Address>>(*second)) CHECK(a.value >> 24 == 11);
  entry.vias = 0;

  entry.distinct = 101;
  CHECK(problem(destinations_of(entry, {}, 3)).ends_with("holds 100 prefixes, and 101 destinations are wanted"));
  folder.write("table.txt", "10.0.0.0/8 1\n\n  ten 2\n");
  const auto wrong = destinations_of(entry, {}, 3);
  CHECK(problem(wrong) == "traffic-destination: 'ten' is not a prefix");
  CHECK(wrong.error().list().front().range.begin == Position{3, 3});
}

namespace {

/// Which row of a table an address belongs to, by looking at every row.
size_t longest_match(const std::vector<std::pair<control::Prefix, uint32_t>>& table, uint32_t address) {
  size_t best = table.size();
  for (size_t i = 0; i < table.size(); ++i) {
    const control::Prefix& p = table[i].first;
    if (p.length != 0 && (p.address.v4() ^ address) >> (32 - p.length) != 0) continue;
    if (best == table.size() || p.length > table[best].first.length) best = i;
  }
  return best;
}

std::vector<std::pair<control::Prefix, uint32_t>> rows_of(const std::string& text) {
  std::vector<std::pair<control::Prefix, uint32_t>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string prefix;
    uint32_t via = 0;
    if (!(words >> prefix >> via) || prefix[0] == '#') continue;
    out.emplace_back(*control::parse_prefix(prefix).value, via);
  }
  return out;
}

}  // namespace

TEST_CASE("the longest match of a destination is the row for which it was drawn") {
  const Folder folder;
  // Rows of port 1 with holes of port 2 in them, nested, and one that holes fill.
  std::string text = "10.0.0.0/8 1\n10.128.0.0/9 2\n10.64.0.0/10 2\n10.160.0.0/11 1\n10.160.0.0/12 2\n";
  text += "11.0.0.0/16 1\n11.0.0.0/17 2\n11.0.128.0/17 2\n";
  text += "12.0.0.0/24 1\n";
  for (int i = 0; i < 255; ++i) text += "12.0.0." + std::to_string(i) + "/32 2\n";  // one address is left
  folder.write("table.txt", text);
  const auto table = rows_of(text);
  TrafficEntry entry;
  entry.table = folder.path() / "table.txt";
  entry.via = 1;
  entry.vias = 4;
  entry.distinct = 3;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto list = destinations_of(entry, {}, seed);
    REQUIRE(list.has_value());
    std::set<size_t> rows;
    for (const auto& a : std::get<std::vector<packet::Ipv4Address>>(*list)) {
      const size_t row = longest_match(table, a.value);
      INFO(a.value);
      REQUIRE(row < table.size());
      CHECK(table[row].second == 1);
      rows.insert(row);
    }
    CHECK(rows.size() == 3);  // of four rows of port 1 one has no address of its own
  }
  entry.distinct = 4;
  CHECK(problem(destinations_of(entry, {}, 1)).find("only 3 of the prefixes") != std::string::npos);
  // The same in a list.
  const auto list = destinations_of(from("10.0.0.0/8 10.0.0.0/9"), {}, 3);
  REQUIRE(list.has_value());
  const auto& v4 = std::get<std::vector<packet::Ipv4Address>>(*list);
  for (size_t i = 0; i < v4.size(); ++i) CHECK(v4[i].value >> 23 == (i % 2 == 0 ? 0x15 : 0x14));
  CHECK(problem(destinations_of(from("10.0.0.0/8 10.0.0.0/9 10.128.0.0/9"), {}, 3)) ==
        "traffic-destination: every address of 10.0.0.0/8 lies in a longer prefix of the list, too");
}

TEST_CASE("destinations of the dual-stack router's tables leave by the ports of their rows") {
  const std::string path = WEFT_SOURCE_DIR "/examples/dual-stack-router/bench/tables/ipv4.txt";
  const auto text = read_file(path);
  REQUIRE(text);
  const auto table = rows_of(*text);
  TrafficEntry entry;
  entry.table = path;
  entry.vias = 4;
  entry.distinct = 1000;
  for (entry.via = 0; entry.via < 4; ++entry.via) {
    const auto list = destinations_of(entry, {}, 2);
    REQUIRE(list.has_value());
    size_t wrong = 0;
    std::map<uint8_t, size_t> lengths;
    for (const auto& a : std::get<std::vector<packet::Ipv4Address>>(*list)) {
      const size_t row = longest_match(table, a.value);
      wrong += row == table.size() || table[row].second % 4 != entry.via ? 1 : 0;
      if (row < table.size()) ++lengths[table[row].first.length];
    }
    CHECK(wrong == 0);
    // Each length has its share, to a row.
    std::map<uint8_t, size_t> rows;
    size_t all = 0;
    for (const auto& [prefix, via] : table)
      if (via % 4 == entry.via) ++rows[prefix.length], ++all;
    for (const auto& [length, count] : rows) {
      const double share = 1000.0 * static_cast<double>(count) / static_cast<double>(all);
      CAPTURE(static_cast<int>(length), share);
      CHECK(std::abs(static_cast<double>(lengths[length]) - share) <= 2);
    }
  }
}
