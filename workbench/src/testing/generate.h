// Random frames of a test: "generate" is read once, and expanded by a seed into the frames that enter.
//
// The same seed gives the same frames on every host. Each frame keeps what it was made of, so that a failing case can
// be made simpler without guessing (shrink.h).
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testing/frame_reader.h"
#include "weft/workbench/project.h"

namespace weft::workbench::testing {

struct GeneratedFrame {
  enum class Damage : uint8_t { none, flip, cut, random };

  unsigned port = 0;
  uint64_t at = 0;                                              ///< nanoseconds
  size_t base = 0;                                              ///< which of the named frames
  std::vector<std::pair<std::string, nlohmann::json>> changes;  ///< fields with other values than the named frame has
  packet::Bytes stamp;  ///< put over the start of the UDP payload; empty when there is no room, or with damage
  Damage damage = Damage::none;
  packet::Bytes bytes;  ///< what enters
};

class FrameGenerator {
 public:
  /// Diagnostics: test-generate, and those of frames. `test`: the object of the test, as JSON that lacks "generate".
  static std::shared_ptr<const FrameGenerator> read(const JsonNode& node, const NamedFrames& named, const Row& row,
                                                    nlohmann::json test, Diagnostics& out);

  std::vector<GeneratedFrame> expand(uint64_t seed) const;
  /// The octets of a frame, without its damage.
  packet::Bytes build(const GeneratedFrame& frame) const;
  bool can_stamp() const;
  /// The test without "generate", to be written down with other frames.
  const nlohmann::json& test() const { return test_; }

 private:
  struct Base {
    std::string name;
    nlohmann::json layers;       ///< of a frame in hexadecimal: its text
    size_t payload = 0;          ///< index of the layer that a stamp has room in; 0 = none
    std::vector<size_t> varied;  ///< indices of vary_ that name a layer of this frame
  };
  struct Vary {
    std::string field;
    bool range = false;
    uint64_t low = 0, high = 0;
    std::vector<nlohmann::json> values;
  };
  struct Span {
    uint64_t low = 0, high = 0;
  };

  packet::Bytes octets(const Base& base, const nlohmann::json& layers, Diagnostics& out) const;
  nlohmann::json changed(const Base& base, const GeneratedFrame& frame) const;

  Row row_;
  nlohmann::json test_;
  uint64_t count_ = 0;
  std::vector<unsigned> ports_;
  std::vector<Base> bases_;
  std::vector<Vary> vary_;
  uint32_t flip_ = 0, cut_ = 0, random_ = 0;  ///< of 1,000 frames
  Span gap_{1000, 1000};                      ///< nanoseconds from the start of a frame to that of the next one
};

/// Puts frames on the ports of a project, in place of its own traffic.
void put_frames(Project& project, const std::vector<GeneratedFrame>& frames);

}  // namespace weft::workbench::testing
