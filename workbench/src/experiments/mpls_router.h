// examples/mpls-router under the conditions of the paper: on each of its four ports the same operation, from A to B, B
// to A, C to D and D to C, so that input and output ports are equally many and equally fast.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "weft/base/temporary_folder.h"
#include "weft/workbench/papers.h"

namespace weft::workbench {

/// One of the nine of the NPF agreement (claim I19).
struct LabelOperation {
  enum class Kind : uint8_t { push, swap, pop } kind = Kind::swap;
  unsigned count = 1;  ///< labels pushed; labels pushed after the swap; labels popped

  std::string name() const;
  unsigned labels_in() const { return kind == Kind::push ? 0 : kind == Kind::swap ? 1 : count; }
  unsigned labels_out() const { return kind == Kind::push ? count : kind == Kind::swap ? 1 + count : 0; }
};
std::vector<LabelOperation> label_operations();

/// Octets of a frame on the wire, with preamble, gap and check sequence; the shortest is padded.
constexpr uint32_t wire_octets(uint32_t ip, unsigned labels) {
  const uint32_t frame = ip + 18 + 4 * labels;
  return (frame < 64 ? 64 : frame) + 20;
}
inline uint32_t wire_in(uint32_t ip, const LabelOperation& o) { return wire_octets(ip, o.labels_in()); }
/// Whoever swaps labels does not see where the IP packet ends, so padding stays; who routes it cuts it off.
inline uint32_t wire_out(uint32_t ip, const LabelOperation& o) {
  return o.kind == LabelOperation::Kind::swap ? wire_in(ip, o) + 4 * o.count : wire_octets(ip, o.labels_out());
}
/// The offer, in thousandths of the input line rate, at which the busier side is at its line rate.
inline uint32_t side_limit(uint32_t ip, const LabelOperation& o) {
  const uint32_t in = wire_in(ip, o), out = wire_out(ip, o);
  return out <= in ? 1000 : 1000 * in / out;
}

enum class LabelTableKind : uint8_t { combined, whole, split };

class LabelRouter {
 public:
  explicit LabelRouter(const PaperOptions& options) : options_(options) {}
  LabelRouter(const LabelRouter&) = delete;
  LabelRouter& operator=(const LabelRouter&) = delete;

  /// One operation, IP packets of one size.
  Result<TrialFigures> operation(const LabelOperation& operation, uint32_t ip, uint32_t permille, uint64_t packets);
  /// Labels of which so many tenths are swapped, the others swapped with one more pushed.
  Result<TrialFigures> mix(unsigned tenths, LabelTableKind table, uint64_t packets);
  /// SWAP with a full table of so many labels; each packet of a port has another of a quarter of them.
  Result<TrialFigures> paths(uint32_t labels, uint64_t packets);
  /// The largest label table, all of whose labels lead somewhere, beside the rest in two channels of so many bytes.
  Result<uint32_t> max_labels(uint64_t channel_bytes);

 private:
  struct Setting {
    std::string lines;                       ///< of the configuration, after interfaces and neighbours
    std::array<std::string, 4> to;           ///< destinations of the ports' packets
    std::vector<TrafficEntry::Label> stack;  ///< of port 0; the first label of port p is higher by p times `apart`
    uint32_t apart = 1'000;
    uint32_t flows = 64;
    LabelTableKind table = LabelTableKind::combined;
  };
  Result<TrialFigures> trial(const Setting& setting, const Offered& offered);
  Result<Project> project(const Setting& setting);

  const PaperOptions& options_;
  TemporaryFolder folder_{"weft-paper"};
};

}  // namespace weft::workbench
