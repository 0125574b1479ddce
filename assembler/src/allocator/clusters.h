// Transfer registers that must stand at fixed distances from each other: a cluster is placed as one piece.
#pragma once

#include <vector>

#include "flow/liveness.h"

namespace weft::assembler {

struct Cluster {
  struct Member {
    int32_t web = -1;
    uint32_t offset = 0;  ///< from the base of the cluster
  };
  std::vector<Member> members;
  uint32_t width = 1;            ///< registers from base to the end of the last member
  std::optional<uint32_t> base;  ///< pinned
  uint32_t insn = 0;             ///< an instruction that asks for it
};

/// Reports commands whose registers have no declared order, and orders that contradict each other.
std::vector<Cluster> make_clusters(const Program& program, const Liveness& liveness, const Sources& sources,
                                   Diagnostics& out);

}  // namespace weft::assembler
