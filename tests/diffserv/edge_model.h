// An edge router in plain C++: rules are tried one by one, and what they say is done byte by byte. It shares nothing
// with the tables, the records or the blocks; routing is that of ReferenceRouter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../examples/reference.h"

namespace weft::test {

struct ModelRule {
  // first and last value of source, destination, source port, destination port, protocol, DSCP
  std::array<uint64_t, 6> low{}, high{0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f};
  unsigned cls = 5;
  std::optional<unsigned> dscp;  ///< none: kept

  std::string text() const;  ///< as a line of a rule file
};

struct EdgeModel {
  ReferenceRouter router;
  std::vector<ModelRule> rules;

  struct Decision : ReferenceRouter::Decision {
    unsigned cls = 5;
  };
  Decision decide(unsigned in_port, const Bytes& frame) const;
};

/// The six values that rules look at, of a frame with an IPv4 header without options.
std::array<uint64_t, 6> header_of(const Bytes& frame);

}  // namespace weft::test
