// The forwarder of bench/programs/forward1200 on the board nctu-1200: its programs, its tables, random traffic for it,
// and what must become of every frame, worked out without the program.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/random.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/media.h"
#include "weft/emulator/units.h"

namespace weft::forward1200 {

inline constexpr unsigned kPorts = 9, kEngines = 6, kHops = 18, kFilters = 6;

struct Route {
  uint32_t prefix = 0;
  unsigned length = 0;  ///< bits
  unsigned hop = 0;
};

/// Hop h is behind port min(h, 8): as much for the Gigabit port as it has more of the line.
unsigned port_of(unsigned hop);

/// Random routes, and the same for a seed on every host.
std::vector<Route> make_routes(uint64_t seed);
/// The longest prefix, found by looking at all; -1 when there is none.
int hop_of(const std::vector<Route>& routes, uint32_t address);

/// Matches where the bits of both masks have their values. Ports: source in 31:16, destination in 15:0.
struct Filter {
  uint32_t source_mask = 0, source = 0, ports_mask = 0, ports = 0;
};
std::array<Filter, kFilters> make_filters();
/// The first that matches, else kFilters.
unsigned class_of(const std::vector<uint8_t>& frame);

/// A frame, and the frame that leaves for it; empty when it must be dropped.
struct Pair {
  std::vector<uint8_t> in, out;
  unsigned port = 0;  ///< by which it leaves
};
/// `faulty` in a thousand frames have something wrong. Bytes 42 to 45 hold port and number.
std::vector<Pair> make_frames(const std::vector<Route>& routes, unsigned port, size_t count, unsigned faulty,
                              uint64_t seed);
/// Port and number in bytes 42 to 45.
uint32_t number_of(const std::vector<uint8_t>& frame);

/// The shortest time between two frames of 60 bytes on the wire of a port.
emulator::Tick frame_time(const emulator::PortDescription& port);

/// Gives the frames again and again, `limit` of them, one each `spacing` ticks, or back to back.
class Traffic final : public emulator::FrameSource {
 public:
  Traffic(std::shared_ptr<const std::vector<Pair>> frames, uint64_t limit, emulator::Tick spacing)
      : frames_(std::move(frames)), limit_(limit), spacing_(spacing) {}
  std::optional<emulator::Frame> next() override;
  void rewind(uint64_t given) override { given_ = given; }

 private:
  std::shared_ptr<const std::vector<Pair>> frames_;
  uint64_t limit_;
  emulator::Tick spacing_;
  uint64_t given_ = 0;
};

/// What the program has counted in scratch.
struct Counters {
  std::array<uint32_t, kPorts> received{}, sent{};
  std::array<uint32_t, 10> dropped{};  ///< by reason: layout.uc
  std::array<uint32_t, kFilters + 1> classes{};
  uint64_t all_sent() const;
  uint64_t all_dropped() const;
};

/// Images of the six engines.
Result<std::vector<std::vector<uint64_t>>> programs();

/// A machine with programs and tables, all contexts started.
class Forwarder {
 public:
  Forwarder(const emulator::ChipOnBoard& chip, const std::vector<std::vector<uint64_t>>& programs,
            const std::vector<Route>& routes);
  Counters counters();

  emulator::Machine machine;
  emulator::Units units;
};

}  // namespace weft::forward1200
