// The measured scenarios of address translation and tracking (tests/data/golden/napt.json), and how an outcome is
// compared with them: by the model alone, and by the whole program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nat_model.h"

namespace weft::test {

struct GoldenFrame {
  unsigned port = 0;
  Bytes frame;
  std::vector<std::pair<size_t, size_t>> ignore;
};

struct GoldenCase {
  std::string id, name, verdict;
  unsigned port = 0;
  Bytes in;
  std::vector<GoldenFrame> out;
};

struct GoldenGroup {
  std::string name;
  std::vector<GoldenCase> cases;
};

std::vector<GoldenGroup> golden_groups();

/// What a block makes of a frame that the reference's router itself answered, and the cases in which a block that
/// rewrites packets one by one cannot do as the reference does; with the reason, for the test's output.
struct Departure {
  std::string ours;  ///< "drop REASON", "core REASON", "forward" (other frames, compared otherwise)
  std::string why;
};
const std::map<std::string, Departure>& departures();

/// The golden topology: A is inside, B outside.
ModelConfig golden_config();

/// Differences between a frame that left and the recorded one; empty: equal on all bytes but the ignored ones.
std::string golden_difference(const GoldenFrame& recorded, unsigned port, const Bytes& frame);

}  // namespace weft::test
