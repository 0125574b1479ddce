// Files of routes. One a row, either "prefix next-hop" or "address length next-hop"; rows that begin with `#` or `;`
// are comments. A next hop is an address, or a number n: the n-th (from 0, modulo their count) of those next hops that
// are of the prefix's family.
#pragma once

#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/config.h"

namespace weft::control {

struct NamedHop {
  IpAddress address;
  SourceRange range;
};

struct RouteRows {
  std::vector<Route> routes;
  std::vector<NamedHop> hops;  ///< next hops that rows name themselves, each run of equal ones once
};

/// Problems go to `out`, those of the first twenty rows that have some.
RouteRows read_route_rows(const SourceFilePtr& file, const std::vector<IpAddress>& hops, Diagnostics& out);

/// A prefix of a route: nothing may be set beyond its mask.
std::optional<Prefix> checked_prefix(const ParsedPrefix& parsed, const SourceRange& range, Diagnostics& out);

struct Word {
  std::string_view text;
  uint32_t column = 0;
};
/// The words of a line up to a `#`.
std::vector<Word> split_words(std::string_view line);
SourceRange range_of(const SourceFilePtr& file, uint32_t line, const Word& word);

}  // namespace weft::control
