// Chip files.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "chip/sourced.h"

namespace weft::emulator {
namespace {

constexpr uint32_t kMax = 1'000'000;  // cycles; a latency beyond it is a slip of the pen

void check_sum(SourcedReader& in, const JsonNode& unit, const UnitTiming& t, uint32_t access, uint32_t unloaded,
               const char* name) {
  const uint32_t sum = t.command + access + t.reply;
  if (!in.diagnostics().has_errors() && sum != unloaded)
    in.contradiction(unit, {name, "command", std::string_view(name) == "unloaded" ? "access" : "access_write", "reply"},
                     "chip-latency",
                     fmt::format("the parts sum to {} ({} command + {} access + {} reply), not to {}", sum, t.command,
                                 access, t.reply, unloaded),
                     "change a part or the sum, so that the parts explain the unloaded figure");
}

UnitTiming timing_without_inlet(SourcedReader& in, const JsonNode& unit) {
  UnitTiming out;
  out.command = in.u32(unit, "command", 1, kMax);
  out.access = in.u32(unit, "access", 1, kMax);
  out.reply = in.u32(unit, "reply", 1, kMax);
  out.unloaded = in.u32(unit, "unloaded", 1, kMax);
  check_sum(in, unit, out, out.access, out.unloaded, "unloaded");
  return out;
}

UnitTiming read_timing(SourcedReader& in, const JsonNode& unit) {
  const uint32_t inlet = in.u32(unit, "inlet", 1, 1024);
  UnitTiming out = timing_without_inlet(in, unit);
  out.inlet = inlet;
  return out;
}

/// IXP1200: writes have parts of their own.
void write_timing(SourcedReader& in, const JsonNode& unit, UnitTiming& out) {
  out.access_write = in.u32(unit, "access_write", 1, kMax);
  out.unloaded_write = in.u32(unit, "unloaded_write", 1, kMax);
  check_sum(in, unit, out, out.access_write, out.unloaded_write, "unloaded_write");
}

void read_engines(SourcedReader& in, const JsonNode& node, ChipDescription& chip) {
  const isa::ProfileSizes& sizes = isa::sizes(chip.profile);
  const bool me2 = chip.profile == isa::Profile::me2;
  if (me2)
    node.only({"count", "contexts", "numbers", "clock_mhz_max", "control_store_words", "local_memory_longwords",
               "abort_branch", "abort_branch_cc", "abort_branch_test", "abort_swap", "same_me_signal",
               "neighbor_signal", "neighbor_write", "timestamp_cycles"},
              in.diagnostics());
  else
    node.only({"count", "contexts", "numbers", "clock_mhz_max", "control_store_words", "abort_branch",
               "abort_branch_cc", "abort_branch_test", "abort_swap"},
              in.diagnostics());
  chip.engines = in.u32(node, "count", 1, 16);
  chip.contexts = in.u32(node, "contexts", 1, sizes.contexts);
  for (const uint64_t number : in.list(node, "numbers", 0, 0x1f))
    chip.engine_numbers.push_back(static_cast<uint8_t>(number));
  if (!in.diagnostics().has_errors()) {
    if (chip.engine_numbers.size() != chip.engines)
      in.contradiction(
          node, {"numbers", "count"}, "chip-range",
          fmt::format("{} number{} for {} engine{}", chip.engine_numbers.size(),
                      chip.engine_numbers.size() == 1 ? "" : "s", chip.engines, chip.engines == 1 ? "" : "s"),
          fmt::format("name the hardware number of each engine once: \"numbers\" of \"engines\" is a list of {}",
                      chip.engines));
    else if (!std::is_sorted(chip.engine_numbers.begin(), chip.engine_numbers.end(), std::less_equal<>()))
      in.diagnostics().error("chip-range", node.get("numbers").get("value").range(), "engine numbers must rise",
                             "list them in the order of the neighbor chain");
  }
  chip.engine_hz_max = in.u64(node, "clock_mhz_max", 1, 100'000) * 1'000'000;
  EngineTiming& engine = chip.engine;
  engine.profile = chip.profile;
  engine.contexts = chip.contexts;
  engine.control_store = in.u32(node, "control_store_words", 16, sizes.control_store);
  engine.abort_branch = in.u32(node, "abort_branch", 0, 16);
  engine.abort_branch_cc = in.u32(node, "abort_branch_cc", 0, 16);
  engine.abort_branch_test = in.u32(node, "abort_branch_test", 0, 16);
  engine.abort_swap = in.u32(node, "abort_swap", 0, 16);
  if (!me2) return;
  chip.local_memory = in.u32(node, "local_memory_longwords", 1, kLocalMemory);
  engine.same_me_signal = in.u32(node, "same_me_signal", 1, 40);
  engine.neighbor_signal = in.u32(node, "neighbor_signal", 1, 40);
  engine.neighbor_write = in.u32(node, "neighbor_write", 1, 40);
  engine.timestamp_cycles = in.u32(node, "timestamp_cycles", 1, 1024);
}

/// What the memory parts decide, in both generations.
void read_dram_parts(SourcedReader& in, const JsonNode& node, DramDescription& dram) {
  Diagnostics& out = in.diagnostics();
  dram.bytes = in.u64(node, "bytes", 4096, 4ull << 30);
  dram.bytes_per_clock = in.u32(node, "bytes_per_clock", 1, 256);
  dram.banks = in.u32(node, "banks", 1, 64);
  dram.row_bytes = in.u32(node, "row_bytes", 128, 1 << 20);
  dram.row_miss = in.u32(node, "row_miss", 0, 10'000);
  dram.turn_round = in.u32(node, "turn_round", 0, 10'000);
  dram.refresh_interval = in.u32(node, "refresh_interval", 0, kMax);
  dram.refresh_cycles = in.u32(node, "refresh_cycles", 0, kMax);
  if (!out.has_errors() && dram.refresh_interval != 0 && dram.refresh_cycles >= dram.refresh_interval)
    in.contradiction(node, {"refresh_cycles", "refresh_interval"}, "chip-range",
                     "a refresh takes longer than the time between two",
                     "make refresh_cycles smaller than refresh_interval");
}

void read_memories(SourcedReader& in, const JsonNode& units, ChipDescription& chip) {
  Diagnostics& out = in.diagnostics();
  if (const JsonNode node = units.require("scratch", out); !node.is_null()) {
    node.only(
        {"bytes", "rings", "clock_divider", "near_full_percent", "inlet", "command", "access", "reply", "unloaded"},
        out);
    chip.scratch.bytes = in.u32(node, "bytes", 512, 1 << 20);
    chip.scratch.rings = in.u32(node, "rings", 1, 16);
    chip.scratch.clock_divider = in.u32(node, "clock_divider", 1, 64);
    chip.scratch.near_full_percent = in.u32(node, "near_full_percent", 1, 100);
    chip.scratch.timing = read_timing(in, node);
  }
  if (const JsonNode node = units.require("sram", out); !node.is_null()) {
    node.only({"channels", "channel_bytes", "queue_array", "bytes_per_clock", "queue_access", "inlet", "command",
               "access", "reply", "unloaded"},
              out);
    chip.sram.channels = in.u32(node, "channels", 1, 4);
    chip.sram.channel_bytes = in.u64(node, "channel_bytes", 4096, 64ull << 20);
    chip.sram.queue_array = in.u32(node, "queue_array", 1, 64);
    chip.sram.bytes_per_clock = in.u32(node, "bytes_per_clock", 1, 64);
    chip.sram.queue_access = in.u32(node, "queue_access", 0, 10'000);
    chip.sram.timing = read_timing(in, node);
  }
  if (const JsonNode node = units.require("dram", out); !node.is_null()) {
    node.only({"bytes", "bytes_per_clock", "banks", "row_bytes", "row_miss", "turn_round", "refresh_interval",
               "refresh_cycles", "inlet", "command", "access", "reply", "unloaded"},
              out);
    read_dram_parts(in, node, chip.dram);
    chip.dram.timing = read_timing(in, node);
  }
}

void read_hash(SourcedReader& in, const JsonNode& node, HashDescription& hash) {
  hash.steps_48 = in.u32(node, "steps_48", 1, 1000);
  hash.steps_64 = in.u32(node, "steps_64", hash.steps_48, 1000);
  hash.timing = read_timing(in, node);
  if (!in.diagnostics().has_errors() && hash.timing.access < hash.steps_48)
    in.contradiction(node, {"access", "steps_48"}, "chip-range", "the access is shorter than its steps in the array",
                     "add the cycles into and out of the array to steps_48");
}

void read_others(SourcedReader& in, const JsonNode& units, ChipDescription& chip) {
  Diagnostics& out = in.diagnostics();
  if (const JsonNode node = units.require("hash", out); !node.is_null()) {
    node.only({"steps_48", "steps_64", "steps_128", "inlet", "command", "access", "reply", "unloaded"}, out);
    chip.hash.steps_128 = in.u32(node, "steps_128", 1, 1000);
    read_hash(in, node, chip.hash);
    if (!out.has_errors() && chip.hash.steps_128 < chip.hash.steps_64)
      in.contradiction(node, {"steps_128", "steps_64"}, "chip-range", "128 bits take fewer steps than 64",
                       "make steps_128 at least steps_64");
  }
  if (const JsonNode node = units.require("msf", out); !node.is_null()) {
    node.only({"buffer_bytes", "freelists", "freelist_depth", "status_push", "clock_divider", "inlet", "command",
               "access", "reply", "unloaded"},
              out);
    chip.msf.buffer_bytes = in.u32(node, "buffer_bytes", 1024, 8192);
    chip.msf.freelists = in.u32(node, "freelists", 1, 3);
    chip.msf.freelist_depth = in.u32(node, "freelist_depth", 1, 1024);
    chip.msf.status_push = in.u32(node, "status_push", 1, 10'000);
    chip.msf.clock_divider = in.u32(node, "clock_divider", 1, 64);
    chip.msf.timing = read_timing(in, node);
  }
  if (const JsonNode node = units.require("cap", out); !node.is_null()) {
    node.only({"clock_divider", "inlet", "command", "access", "reply", "unloaded"}, out);
    chip.cap.clock_divider = in.u32(node, "clock_divider", 1, 64);
    chip.cap.timing = read_timing(in, node);
  }
}

// --- profile me1

void read_memories1200(SourcedReader& in, const JsonNode& units, ChipDescription& chip) {
  Diagnostics& out = in.diagnostics();
  if (const JsonNode node = units.require("sram", out); !node.is_null()) {
    node.only({"bytes", "bytes_per_clock", "turn_round", "locks", "lists", "ordered", "optimize_mem", "priority",
               "lock_misses", "command", "access", "access_write", "reply", "unloaded", "unloaded_write"},
              out);
    chip.sram.channels = 1;
    chip.sram.channel_bytes = in.u64(node, "bytes", 4096, 64ull << 20);
    chip.sram.bytes_per_clock = in.u32(node, "bytes_per_clock", 1, 64);
    chip.sram1200.turn_round = in.u32(node, "turn_round", 0, 10'000);
    chip.sram1200.locks = in.u32(node, "locks", 1, 1024);
    chip.sram1200.lists = in.u32(node, "lists", 1, 8);
    chip.sram1200.ordered = in.u32(node, "ordered", 1, 1024);
    chip.sram1200.optimize_mem = in.u32(node, "optimize_mem", 1, 1024);
    chip.sram1200.priority = in.u32(node, "priority", 1, 1024);
    chip.sram1200.lock_misses = in.u32(node, "lock_misses", 1, 1024);
    chip.sram.timing = timing_without_inlet(in, node);
    write_timing(in, node, chip.sram.timing);
  }
  if (const JsonNode node = units.require("sdram", out); !node.is_null()) {
    node.only({"bytes", "bytes_per_clock", "banks", "row_bytes", "row_miss", "turn_round", "refresh_interval",
               "refresh_cycles", "ordered", "bank_queue", "priority", "command", "access", "access_write", "reply",
               "unloaded", "unloaded_write"},
              out);
    read_dram_parts(in, node, chip.dram);
    chip.sdram1200.ordered = in.u32(node, "ordered", 1, 1024);
    chip.sdram1200.bank_queue = in.u32(node, "bank_queue", 1, 1024);
    chip.sdram1200.priority = in.u32(node, "priority", 1, 1024);
    chip.dram.timing = timing_without_inlet(in, node);
    write_timing(in, node, chip.dram.timing);
  }
}

void read_fbi(SourcedReader& in, const JsonNode& units, ChipDescription& chip) {
  Diagnostics& out = in.diagnostics();
  if (const JsonNode node = units.require("fbi", out); !node.is_null()) {
    node.only({"scratch_bytes", "clock_divider", "fifo_elements", "ready_step", "receive_requests", "receive_start",
               "receive_done", "inlet", "command", "access", "access_write", "reply", "unloaded", "unloaded_write"},
              out);
    chip.scratch.bytes = in.u32(node, "scratch_bytes", 512, 1 << 20);
    chip.fbi.clock_divider = in.u32(node, "clock_divider", 1, 64);
    chip.fbi.fifo_elements = in.u32(node, "fifo_elements", 1, 16);
    chip.fbi.ready_step = in.u32(node, "ready_step", 1, 10'000);
    chip.fbi.receive_requests = in.u32(node, "receive_requests", 1, 64);
    chip.fbi.receive_start = in.u32(node, "receive_start", 1, 10'000);
    chip.fbi.receive_done = in.u32(node, "receive_done", 1, 10'000);
    chip.fbi.timing = read_timing(in, node);
    write_timing(in, node, chip.fbi.timing);
  }
  if (const JsonNode node = units.require("hash", out); !node.is_null()) {
    node.only({"steps_48", "steps_64", "inlet", "command", "access", "reply", "unloaded"}, out);
    read_hash(in, node, chip.hash);
  }
}

std::optional<isa::Profile> profile_of(SourcedReader& in, const JsonNode& root) {
  const JsonNode node = root.require("profile", in.diagnostics());
  if (node.is_null()) return std::nullopt;
  const std::string text = node.string(in.diagnostics());
  if (text == "me1") return isa::Profile::me1;
  if (text == "me2") return isa::Profile::me2;
  node.wrong(in.diagnostics(), fmt::format("there is no profile '{}'", text),
             "\"me1\" is the IXP1200, \"me2\" are IXP2400 and IXP2800");
  return std::nullopt;
}

}  // namespace

namespace {

/// The document with everything that it takes from the chips on which it is based. `above` are those that are based on
/// it. `family` becomes the name of the last of them.
Result<JsonDocument> with_bases(const JsonDocument& document, const std::vector<std::string>& data_folders,
                                std::vector<std::string> above, std::string& family) {
  Diagnostics out;
  const JsonNode root = document.root();
  check_format(root, "weft-chip", out);
  family = root.require("name", out).string(out);
  root.require("summary", out);
  const JsonNode base_node = root.get("based_on");
  const std::string wanted = base_node.string(out);
  if (out.has_errors()) return tl::unexpected(std::move(out));
  if (base_node.is_null()) return document;
  const auto with_note = [&](const Diagnostics& problems) {
    for (Diagnostic d : problems) {
      if (!d.range)
        d.range = base_node.range();
      else
        d.notes.push_back({base_node.range(), "a chip is based on it here"});
      out.add(std::move(d));
    }
    return tl::unexpected(std::move(out));
  };
  auto base = find_description(DescriptionKind::chip, beside(document, wanted), data_folders);
  if (!base) return with_note(base.error());
  above.push_back(document.source()->name());
  if (std::find(above.begin(), above.end(), base->source()->name()) != above.end()) {
    out.error("chip-base", base_node.range(),
              fmt::format("the chip is based on itself: {} > {}", fmt::join(above, " > "), base->source()->name()),
              "let one of these files say everything itself");
    return tl::unexpected(std::move(out));
  }
  auto whole_base = with_bases(*base, data_folders, std::move(above), family);
  if (!whole_base) return with_note(whole_base.error());
  if (const JsonNode profile = root.get("profile"), other = whole_base->root().get("profile");
      !profile.is_null() && !other.is_null() && profile.raw() != other.raw()) {
    out.error("chip-base", profile.range(),
              fmt::format("the profile is {}, that of the base is {}", profile.raw().dump(), other.raw().dump()),
              "leave the profile out: it is that of the base");
    return tl::unexpected(std::move(out));
  }
  // A number comes with its source, or not at all.
  return document.over(*whole_base, [](const JsonNode& node) { return node.has("value") || node.has("source"); });
}

/// A mistake that shows in a base is one of the chip that is based on it: says which one it is.
Diagnostics with_variant(const Diagnostics& problems, const JsonDocument& own) {
  Diagnostics out;
  for (Diagnostic d : problems) {
    const bool elsewhere = d.range && d.range.file != own.source();
    if (elsewhere && own.root().has("based_on"))
      d.notes.push_back({own.root().get("based_on").range(), "this chip is based on it"});
    out.add(std::move(d));
  }
  return out;
}

}  // namespace

Result<ChipDescription> read_chip(const JsonDocument& own, const std::vector<std::string>& data_folders) {
  ChipDescription chip;
  SourcedReader in(chip.numbers, own.source());
  Diagnostics& out = in.diagnostics();
  const auto document = with_bases(own, data_folders, {}, chip.family);
  if (!document) return tl::unexpected(document.error());
  const JsonNode root = document->root();
  root.only({"format", "version", "name", "based_on", "profile", "summary", "engines", "units"}, out);
  if (out.has_errors()) return tl::unexpected(std::move(out));
  chip.based_on = own.root().get("based_on").string(out);
  chip.name = in.text(root, "name");
  chip.summary = in.text(root, "summary");
  const auto profile = profile_of(in, root);
  if (!profile) return tl::unexpected(std::move(out));
  chip.profile = *profile;
  if (const JsonNode engines = root.require("engines", out); !engines.is_null()) read_engines(in, engines, chip);
  if (const JsonNode units = root.require("units", out); !units.is_null()) {
    if (chip.profile == isa::Profile::me1) {
      units.only({"sram", "sdram", "fbi", "hash"}, out);
      read_memories1200(in, units, chip);
      read_fbi(in, units, chip);
    } else {
      units.only({"scratch", "sram", "dram", "hash", "msf", "cap"}, out);
      read_memories(in, units, chip);
      read_others(in, units, chip);
    }
  }
  if (out.has_errors()) return tl::unexpected(with_variant(out, own));
  return chip;
}

}  // namespace weft::emulator
