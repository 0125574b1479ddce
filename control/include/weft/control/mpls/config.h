// What the lines of a configuration say that begin with `mpls` or `label`:
//
//   mpls labels 65536                     how many labels the table has (16 to 1048576)
//   mpls table combined|split
//   mpls mode uniform|pipe                of the lines that follow
//   mpls interface A                      its port takes labelled packets
//   mpls tc-map dscp 46 tc 5              the TC of labels pushed onto packets of this DSCP (0-63, or A-B)
//   mpls dscp-map tc 5 dscp 46            the DSCP of packets that leave a uniform LSP
//   label 33 pop [N] [ipv4|ipv6]          take N labels off (1), look up what is below
//   label 33 pop [N] via 192.0.2.2        the same, and leave by this neighbour
//   label 32[-39] swap 33 [push 44 45] via 192.0.2.2
//   route PREFIX push 32 33 via 192.0.2.2 (config.h)
//
// A range swaps its first label for the one given, the next for the next. Labels are pushed in their order: the last
// ends on top. `uniform`, `pipe`, `ttl N` and `tc N` after a label count for it, after the next hop for all of the
// line; `uniform-ttl` and `uniform-tc` share one of the two. `bottom` and `not-bottom`: anything else is dropped.
// Out-labels: 0 and 2 (explicit null), 16 to 1048575; swap 3 (implicit null) is pop via.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/base/source.h"
#include "weft/control/mpls/label.h"

namespace weft::control::mpls {

struct LabelLine {
  uint32_t first = 0, last = 0;
  Lsp lsp;
  SourceRange range = {};
};

/// Top three bits of the DSCP, and back (the class selectors).
constexpr std::array<uint8_t, 64> usual_tcs() {
  std::array<uint8_t, 64> out{};
  for (unsigned d = 0; d < 64; ++d) out[d] = static_cast<uint8_t>(d >> 3);
  return out;
}

struct Config {
  bool used = false;
  SourceRange where = {};  ///< the first word that uses labels
  uint32_t labels = 1u << 16;
  bool split = false;
  uint32_t table_line = 0;  ///< the line that says so, or the contrary; 0: none
  Mode mode = {};           ///< of lines from here on
  std::array<uint8_t, 64> tc_of_dscp = usual_tcs();
  std::array<uint8_t, 8> dscp_of_tc{0, 8, 16, 24, 32, 40, 48, 56};
  std::vector<LabelLine> lines;  ///< in file order; of two for one label the last counts
};

}  // namespace weft::control::mpls
