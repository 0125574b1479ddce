// The match words of a rule: what they mean, and what each mistake says.
#include "weft/control/classify/match.h"

#include <catch2/catch.hpp>

#include "mistake.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::control;
using namespace weft::control::classify;

namespace {

struct Reading {
  Match match;
  Diagnostics out;
  size_t at = 0;  ///< the first word that was not taken
  bool failed = false;
};

Reading read(const std::string& line) {
  const auto file = make_source("rules.txt", "# first line\n" + line + "\n");
  const auto words = split_words(file->line(2));
  Reading r;
  MatchReader reader(file, 2, words, r.out);
  while (reader.take(r.at)) {
  }
  r.match = reader.match();
  r.failed = reader.failed();
  return r;
}

}  // namespace

TEST_CASE("match words: ranges, prefixes, addresses, names and wildcards") {
  const auto r = read(
      "source 10.1.0.0/16 destination 192.0.2.7 source-port 1024-65535 destination-port 80 protocol tcp dscp ef : x");
  REQUIRE_FALSE(r.failed);
  CHECK(r.out.empty());
  CHECK(r.at == 12);
  CHECK(r.match[Field::source] == Range{0x0a010000, 0x0a01ffff});
  CHECK(r.match[Field::destination] == Range{0xc0000207, 0xc0000207});
  CHECK(r.match[Field::source_port] == Range{1024, 65535});
  CHECK(r.match[Field::destination_port] == Range{80, 80});
  CHECK(r.match[Field::protocol] == Range{6, 6});
  CHECK(r.match[Field::dscp] == Range{46, 46});
  CHECK(to_text(r.match) ==
        "source 10.1.0.0-10.1.255.255 destination 192.0.2.7 source-port 1024-65535 destination-port 80 protocol 6 dscp "
        "46");

  const auto mask = read("source 10.0.0.0/255.0.0.0 destination 10.0.0.9-10.0.1.3 dscp af11-af13 protocol 0-255");
  CHECK_FALSE(mask.failed);
  CHECK(mask.match[Field::source] == Range{0x0a000000, 0x0affffff});
  CHECK(mask.match[Field::destination] == Range{0x0a000009, 0x0a000103});
  CHECK(mask.match[Field::dscp] == Range{10, 14});
  CHECK(mask.match[Field::protocol] == full_range(Field::protocol));

  CHECK(read("source any destination * source-port * protocol any").match == Match{});
  CHECK(read("source 0.0.0.0/0 dscp 0-63").match == Match{});
  CHECK(read("class EF").at == 0);
  CHECK(read("").match == Match{});
  CHECK(to_text(Match{}) == "any");
}

TEST_CASE("match words: both ends of every field belong to it") {
  for (const Field f : kAllFields) {
    Match match;
    match[f] = {20, 30};
    for (const auto& [value, inside] : {std::pair{19u, false}, {20u, true}, {25u, true}, {30u, true}, {31u, false}}) {
      Header header{};
      header[static_cast<size_t>(f)] = value;
      CHECK(match.contains(header) == inside);
    }
  }
}

TEST_CASE("match words: each mistake names its place and the way out") {
  const Mistake mistakes[] = {
      {"source 10.0.0.1/8", 8, "bits set beyond its mask", "10.0.0.0/8 for the network, or 10.0.0.1 for one host"},
      {"source 10.0.0.0/33", 8, "not a length from 0 to 32", "/24"},
      {"source 10.0.0", 8, "not an IPv4 address", "192.0.2.0/24"},
      {"destination 2001:db8::1", 13, "IPv6", "192.0.2.1"},
      {"destination 2001:db8::/32", 13, "IPv6", "192.0.2.1"},
      {"source 10.0.0.9-10.0.0.1", 8, "ends before it begins", "smaller end first"},
      {"source 10.0.0.9-", 8, "'' is not an IPv4 address", "192.0.2.1-192.0.2.9"},
      {"source-port 65536", 13, "not a number from 0 to 65535", "1024-65535"},
      {"source-port 9-3", 13, "ends before it begins", "smaller end first"},
      {"destination-port -5", 18, "''", "1024-65535"},
      {"destination-port http", 18, "'http' is not a number", "80"},
      {"protocol 256", 10, "neither a protocol by name nor a number from 0 to 255", "tcp, 17"},
      {"protocol tcpp", 10, "neither a protocol", "did you mean 'tcp'?"},
      {"dscp 64", 6, "number from 0 to 63", "46, ef"},
      {"dscp af14", 6, "neither a dscp", "did you mean 'af1"},
      {"dscp", 1, "the field dscp has no value", "write dscp and then 46"},
      {"protocol tcp source any protocol udp", 25, "the field protocol is there twice", "two rules"},
  };
  for (const Mistake& m : mistakes) {
    INFO(m.line);
    const auto r = read(m.line);
    CHECK(r.failed);
    check_mistake(m, r.out);
    CHECK(r.out.begin()->code == "classify-match");
  }
}
