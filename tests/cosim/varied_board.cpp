#include "varied_board.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "compare.h"
#include "must.h"
#include "weft/base/temporary_folder.h"

namespace weft::test {
namespace {

using Json = nlohmann::ordered_json;

Json read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return Json::parse(in, nullptr, true, true);  // with comments
}

void write(const std::filesystem::path& path, const Json& json) { std::ofstream(path) << json.dump(1); }

bool is_one_of(const std::string& name, const std::set<std::string>& names) { return names.count(name) != 0; }

/// A figure for `name`, which is `value` on the shipped chip.
uint64_t other_figure(Random& random, const std::string& name, uint64_t value) {
  // Places in queues: few are full sooner.
  if (is_one_of(name, {"inlet", "ordered", "optimize_mem", "priority", "bank_queue", "lock_misses", "locks",
                       "freelist_depth", "receive_requests"}))
    return random.chance(1, 3) ? random.between(1, 3) : random.between(1, value + 4);
  if (name == "clock_divider") return random.between(1, 4);
  if (name == "near_full_percent") return random.between(10, 100);
  if (is_one_of(name, {"row_miss", "turn_round", "queue_access"})) return random.below(30);
  if (name == "banks") return uint64_t{1} << random.below(4);
  if (name == "row_bytes") return uint64_t{128} << random.below(6);
  if (name == "bytes_per_clock") return value / (uint64_t{1} << random.below(3));  // so many ticks are whole
  if (name.starts_with("abort_")) return random.below(6);
  if (is_one_of(name, {"same_me_signal", "neighbor_signal", "neighbor_write"})) return random.between(1, 24);
  if (name == "timestamp_cycles") return random.between(1, 32);
  if (name.starts_with("steps_")) return value;  // they depend on each other
  // Latencies.
  return random.chance(1, 3) ? random.between(1, 4) : random.between(1, 2 * value + 4);
}

/// What is not time or places: programs and boards depend on it.
bool is_fixed(const std::string& name) {
  return is_one_of(name, {"bytes", "scratch_bytes", "channel_bytes", "buffer_bytes", "channels", "rings", "queue_array",
                          "freelists", "lists", "fifo_elements", "count", "contexts", "clock_mhz_max",
                          "control_store_words", "local_memory_longwords", "unloaded", "unloaded_write"});
}

void vary_unit(Random& random, Json& unit, const std::string& unit_name) {
  for (auto& [name, figure] : unit.items()) {
    if (is_fixed(name) || !figure.contains("value") || !figure["value"].is_number_unsigned()) continue;
    if (!random.chance(1, 2)) continue;
    uint64_t value = other_figure(random, name, figure["value"].get<uint64_t>());
    if (unit_name == "hash" && name == "access") value += 4;  // not less than steps_48
    figure["value"] = value;
  }
  const auto value = [&](const char* name) { return unit[name]["value"].get<uint64_t>(); };
  if (unit.contains("refresh_interval")) {
    const bool refreshes = random.chance(1, 3);
    unit["refresh_interval"]["value"] = refreshes ? random.between(200, 4000) : 0;
    unit["refresh_cycles"]["value"] = refreshes ? random.below(100) : 0;
  }
  const auto sum = [&](const char* of, const char* access) {
    if (unit.contains(of)) unit[of]["value"] = value("command") + value(access) + value("reply");
  };
  sum("unloaded", "access");
  sum("unloaded_write", "access_write");
}

/// The control processor, links, and what comes in by ports.
void vary_board(Random& random, Json& board) {
  const auto vary = [&](Json& node, const char* name, uint64_t from, uint64_t to) {
    if (node.contains(name) && random.chance(1, 2)) node[name]["value"] = random.between(from, to);
  };
  for (Json& chip : board["chips"]) {
    if (!chip.contains("media_bus")) continue;
    vary(chip["media_bus"], "overhead_clocks", 0, 6);
    if (random.chance(1, 4)) chip["media_bus"]["mpacket_bytes"]["value"] = uint64_t{64} << random.below(3);
  }
  if (Json& control = board["control"]; !control.is_null()) {
    vary(control, "poll_cycles", 50, 3000);
    vary(control, "bridge_cycles", 0, 60);
    vary(control, "outstanding_reads", 1, 6);
    vary(control, "outstanding_writes", 1, 6);
    vary(control, "burst_longwords", 1, 8);
    vary(control, "patience_cycles", 0, 3000);
    for (const char* const work : {"cycles_per_interrupt", "cycles_per_packet", "cycles_per_route"})
      vary(control, work, 0, 3000);
  }
  if (board.contains("links"))
    for (Json& link : board["links"]) {
      vary(link, "latency_clocks", 1, 40);
      vary(link, "buffer_mpackets", 1, 16);
    }
  for (Json& port : board["ports"]) vary(port, "receive_buffer", 64, 4096);
}

std::filesystem::path shipped(const char* kind, const std::string& name) {
  return std::filesystem::path(WEFT_SOURCE_DIR "/emulator") / kind / (name + ".json");
}

}  // namespace

std::string write_varied_board(Random& random, const std::string& name, const std::filesystem::path& folder,
                               bool whole) {
  Json board = read(shipped("boards", name));
  unsigned number = 0;
  for (Json& on_board : board["chips"]) {
    Json chip = read(shipped("chips", on_board["chip"]));
    // All figures stand in the file of the chip on which others are based.
    std::string base = on_board["chip"];
    while (chip.contains("based_on")) chip = read(shipped("chips", base = chip["based_on"]));
    chip["name"] = base + "-varied";
    if (random.chance(1, 2)) vary_unit(random, chip["engines"], "engines");
    for (auto& [unit_name, unit] : chip["units"].items()) vary_unit(random, unit, unit_name);
    const std::filesystem::path file = folder / ("chip" + std::to_string(number++) + ".json");
    write(file, chip);
    on_board["chip"] = file.string();
  }
  if (whole) vary_board(random, board);
  const std::filesystem::path file = folder / "board.json";
  write(file, board);
  return file.string();
}

emulator::ChipOnBoard varied_chip(uint64_t seed, const std::string& name) {
  Random random(seed);
  const TemporaryFolder folder("weft-varied");
  const std::string path = write_varied_board(random, name, folder.path());
  return must(emulator::load_board(path, {WEFT_SOURCE_DIR "/emulator"})).chips[0];
}

emulator::ChipOnBoard chip_of(uint64_t seed, const std::string& name) {
  return seed % 2 == 0 ? board(name.c_str()) : varied_chip(seed, name);
}

}  // namespace weft::test
