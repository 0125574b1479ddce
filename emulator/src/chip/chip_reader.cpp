// Chip files.
#include <fmt/format.h>

#include <algorithm>

#include "chip/sourced.h"

namespace weft::emulator {
namespace {

constexpr uint32_t kMost = 1'000'000;  // cycles; a latency beyond it is a slip of the pen

UnitTiming timing(SourcedReader& in, const JsonNode& unit) {
  UnitTiming out;
  out.inlet = in.u32(unit, "inlet", 1, 1024);
  out.command = in.u32(unit, "command", 1, kMost);
  out.access = in.u32(unit, "access", 1, kMost);
  out.reply = in.u32(unit, "reply", 1, kMost);
  out.unloaded = in.u32(unit, "unloaded", 1, kMost);
  const uint32_t sum = out.command + out.access + out.reply;
  if (!in.diagnostics().has_errors() && sum != out.unloaded)
    in.diagnostics().error(
        "chip-latency", unit.get("unloaded").range(),
        fmt::format("the parts sum to {} ({} command + {} access + {} reply), not to {}", sum, out.command, out.access,
                    out.reply, out.unloaded),
        "change a part or the sum, so that the parts explain the unloaded figure");
  return out;
}

void read_engines(SourcedReader& in, const JsonNode& node, ChipDescription& chip) {
  node.only({"count", "contexts", "numbers", "clock_mhz_max", "control_store_words", "local_memory_longwords",
             "abort_branch", "abort_branch_cc", "abort_branch_test", "abort_swap", "same_me_signal", "neighbor_signal",
             "neighbor_write", "timestamp_cycles"},
            in.diagnostics());
  chip.engines = in.u32(node, "count", 1, 16);
  chip.contexts = in.u32(node, "contexts", 1, kContexts);
  for (const uint64_t number : in.list(node, "numbers", 0, 0x1f)) chip.engine_numbers.push_back(static_cast<uint8_t>(number));
  if (!in.diagnostics().has_errors()) {
    const JsonNode numbers = node.get("numbers").get("value");
    if (chip.engine_numbers.size() != chip.engines)
      in.diagnostics().error("chip-range", numbers.range(),
                             fmt::format("{} numbers for {} engines", chip.engine_numbers.size(), chip.engines),
                             "name the hardware number of each engine once");
    else if (!std::is_sorted(chip.engine_numbers.begin(), chip.engine_numbers.end(), std::less_equal<>()))
      in.diagnostics().error("chip-range", numbers.range(), "engine numbers must rise",
                             "list them in the order of the neighbor chain");
  }
  chip.engine_hz_max = in.u64(node, "clock_mhz_max", 1, 100'000) * 1'000'000;
  chip.local_memory = in.u32(node, "local_memory_longwords", 1, kLocalMemory);
  EngineTiming& engine = chip.engine;
  engine.control_store = in.u32(node, "control_store_words", 16, 8192);
  engine.abort_branch = in.u32(node, "abort_branch", 0, 16);
  engine.abort_branch_cc = in.u32(node, "abort_branch_cc", 0, 16);
  engine.abort_branch_test = in.u32(node, "abort_branch_test", 0, 16);
  engine.abort_swap = in.u32(node, "abort_swap", 0, 16);
  engine.same_me_signal = in.u32(node, "same_me_signal", 1, 40);
  engine.neighbor_signal = in.u32(node, "neighbor_signal", 1, 40);
  engine.neighbor_write = in.u32(node, "neighbor_write", 1, 40);
  engine.timestamp_cycles = in.u32(node, "timestamp_cycles", 1, 1024);
}

void read_memories(SourcedReader& in, const JsonNode& units, ChipDescription& chip) {
  Diagnostics& out = in.diagnostics();
  if (const JsonNode node = units.require("scratch", out); !node.is_null()) {
    node.only({"bytes", "rings", "clock_divider", "near_full_percent", "inlet", "command", "access", "reply", "unloaded"}, out);
    chip.scratch.bytes = in.u32(node, "bytes", 512, 1 << 20);
    chip.scratch.rings = in.u32(node, "rings", 1, 16);
    chip.scratch.clock_divider = in.u32(node, "clock_divider", 1, 64);
    chip.scratch.near_full_percent = in.u32(node, "near_full_percent", 1, 100);
    chip.scratch.timing = timing(in, node);
  }
  if (const JsonNode node = units.require("sram", out); !node.is_null()) {
    node.only({"channels", "channel_bytes", "queue_array", "bytes_per_clock", "queue_access", "inlet", "command", "access",
               "reply", "unloaded"},
              out);
    chip.sram.channels = in.u32(node, "channels", 1, 4);
    chip.sram.channel_bytes = in.u64(node, "channel_bytes", 4096, 64ull << 20);
    chip.sram.queue_array = in.u32(node, "queue_array", 1, 64);
    chip.sram.bytes_per_clock = in.u32(node, "bytes_per_clock", 1, 64);
    chip.sram.queue_access = in.u32(node, "queue_access", 0, 10'000);
    chip.sram.timing = timing(in, node);
  }
  if (const JsonNode node = units.require("dram", out); !node.is_null()) {
    node.only({"bytes", "bytes_per_clock", "banks", "row_bytes", "row_miss", "turn_round", "refresh_interval",
               "refresh_cycles", "inlet", "command", "access", "reply", "unloaded"},
              out);
    chip.dram.bytes = in.u64(node, "bytes", 4096, 4ull << 30);
    chip.dram.bytes_per_clock = in.u32(node, "bytes_per_clock", 1, 256);
    chip.dram.banks = in.u32(node, "banks", 1, 64);
    chip.dram.row_bytes = in.u32(node, "row_bytes", 128, 1 << 20);
    chip.dram.row_miss = in.u32(node, "row_miss", 0, 10'000);
    chip.dram.turn_round = in.u32(node, "turn_round", 0, 10'000);
    chip.dram.refresh_interval = in.u32(node, "refresh_interval", 0, kMost);
    chip.dram.refresh_cycles = in.u32(node, "refresh_cycles", 0, kMost);
    if (!out.has_errors() && chip.dram.refresh_interval != 0 && chip.dram.refresh_cycles >= chip.dram.refresh_interval)
      out.error("chip-range", node.get("refresh_cycles").range(), "a refresh takes longer than the time between two",
                "make refresh_cycles smaller than refresh_interval");
    chip.dram.timing = timing(in, node);
  }
}

void read_others(SourcedReader& in, const JsonNode& units, ChipDescription& chip) {
  Diagnostics& out = in.diagnostics();
  if (const JsonNode node = units.require("hash", out); !node.is_null()) {
    node.only({"steps_48", "steps_64", "steps_128", "inlet", "command", "access", "reply", "unloaded"}, out);
    chip.hash.steps_48 = in.u32(node, "steps_48", 1, 1000);
    chip.hash.steps_64 = in.u32(node, "steps_64", chip.hash.steps_48, 1000);
    chip.hash.steps_128 = in.u32(node, "steps_128", chip.hash.steps_64, 1000);
    chip.hash.timing = timing(in, node);
    if (!out.has_errors() && chip.hash.timing.access < chip.hash.steps_48)
      out.error("chip-range", node.get("access").range(), "the access is shorter than its steps in the array",
                "add the cycles into and out of the array to steps_48");
  }
  if (const JsonNode node = units.require("msf", out); !node.is_null()) {
    node.only({"buffer_bytes", "freelists", "freelist_depth", "status_push", "clock_divider", "inlet", "command", "access",
               "reply", "unloaded"},
              out);
    chip.msf.buffer_bytes = in.u32(node, "buffer_bytes", 1024, 8192);
    chip.msf.freelists = in.u32(node, "freelists", 1, 3);
    chip.msf.freelist_depth = in.u32(node, "freelist_depth", 1, 1024);
    chip.msf.status_push = in.u32(node, "status_push", 1, 10'000);
    chip.msf.clock_divider = in.u32(node, "clock_divider", 1, 64);
    chip.msf.timing = timing(in, node);
  }
  if (const JsonNode node = units.require("cap", out); !node.is_null()) {
    node.only({"clock_divider", "inlet", "command", "access", "reply", "unloaded"}, out);
    chip.cap.clock_divider = in.u32(node, "clock_divider", 1, 64);
    chip.cap.timing = timing(in, node);
  }
}

}  // namespace

Result<ChipDescription> read_chip(const JsonDocument& document) {
  ChipDescription chip;
  SourcedReader in(chip.numbers);
  Diagnostics& out = in.diagnostics();
  const JsonNode root = document.root();
  root.only({"format", "version", "name", "profile", "summary", "engines", "units"}, out);
  check_format(root, "weft-chip", out);
  if (out.has_errors()) return tl::unexpected(std::move(out));
  chip.name = in.text(root, "name");
  chip.summary = in.text(root, "summary");
  const JsonNode profile = root.require("profile", out);
  if (const std::string text = profile.string(out); !profile.is_null() && text != "me2")
    profile.wrong(out, fmt::format("there is no profile '{}'", text), "this version knows the profile 'me2'");
  if (const JsonNode engines = root.require("engines", out); !engines.is_null()) read_engines(in, engines, chip);
  if (const JsonNode units = root.require("units", out); !units.is_null()) {
    units.only({"scratch", "sram", "dram", "hash", "msf", "cap"}, out);
    read_memories(in, units, chip);
    read_others(in, units, chip);
  }
  if (out.has_errors()) return tl::unexpected(std::move(out));
  return chip;
}

}  // namespace weft::emulator
