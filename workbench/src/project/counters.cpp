// Counters of packets and of services: where the control program keeps them, and where the project says that its
// programs count reasons.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "project/design.h"
#include "project/taken.h"

namespace weft::workbench {
namespace {

using image::Region;

}  // namespace

void add_counters(const Project& project, Built& built, Diagnostics& out) {
  built.counters.clear();
  using Counter = control::CounterSetup;
  std::map<std::tuple<unsigned, Region, uint64_t>, std::string> counted;  // chip, address: reason
  const auto add = [&](unsigned chip, Counter counter) {
    if (counter.kind != Counter::Kind::figure)
      counted.try_emplace({chip, counter.region, counter.address}, counter.reason);
    built.counters.emplace_back(chip, std::move(counter));
  };
  if (built.control)
    for (const Counter& counter : built.control->counters) add(built.control_chip, counter);
  std::vector<std::optional<TakenPlaces>> others(built.board.chips.size());
  for (const ReasonEntry& entry : project.reasons) {
    const size_t before = out.size();
    const unsigned chip = chip_of(entry.chip, "this reason", built.board, out);
    if (out.size() != before) continue;
    Region region = entry.region;
    uint64_t address = entry.address, room = 0;
    if (entry.block.empty()) {
      room = memory_bytes(region, built.board.chips[chip]);
    } else {
      const image::Placement* block = find_block(built.chips[chip], entry.block, entry.range, "project-reason", out);
      if (block == nullptr) continue;
      region = block->region;
      address = block->address + entry.address;
      room = block->address + block->size;
    }
    const unsigned count = std::max(entry.ports, 1u);
    const uint64_t last = address + entry.port_stride * (count - 1);
    if (room < 4 || last > room - 4) {
      out.error("project-reason", entry.range,
                fmt::format("the counter of '{}' at {:#x} does not lie in {}", entry.name, last,
                            entry.block.empty() ? "that memory" : fmt::format("the block '{}'", entry.block)),
                fmt::format("it ends at {:#x}", room));
      continue;
    }
    auto same = counted.end();
    for (unsigned port = 0; port < count && same == counted.end(); ++port)
      same = counted.find({chip, region, address + entry.port_stride * port});
    if (same != counted.end()) {
      out.error("project-reason", entry.range,
                fmt::format("'{}' and '{}' are counted at one place, {:#x}", entry.name, same->second,
                            std::get<uint64_t>(same->first)),
                "give each reason a counter of its own: a packet would count twice");
      continue;
    }
    // A program's own counter lies in no table; those of the control program are known by their reasons.
    Taken mine{region, address, last + 4, fmt::format("the counter of '{}'", entry.name), entry.range};
    if (!check_free(mine, taken_by_control(built, chip), "project-reason", out)) continue;
    bool is_free = true;
    if (entry.block.empty()) {
      if (!others[chip]) others[chip].emplace(taken_by_programs(project, built, chip));
      for (unsigned port = 0; port < count && is_free; ++port) {  // others may be between the counters of ports
        mine.begin = address + entry.port_stride * port;
        mine.end = mine.begin + 4;
        if (const Taken* other = others[chip]->under(mine)) is_free = check_free(mine, {*other}, "project-reason", out);
      }
    }
    if (!is_free) continue;
    for (unsigned port = 0; port < count; ++port)
      add(chip, Counter{entry.to_core ? Counter::Kind::to_core
                        : entry.made  ? Counter::Kind::made
                                      : Counter::Kind::dropped,
                        entry.name, entry.ports == 0 ? Counter::kAllPorts : port, region,
                        address + entry.port_stride * port});
  }
}

}  // namespace weft::workbench
