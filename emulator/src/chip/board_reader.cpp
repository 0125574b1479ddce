// Board files: chips with their clocks and memories, ports, and links between chips.
#include <fmt/format.h>

#include <algorithm>

#include "chip/sourced.h"

namespace weft::emulator {
namespace {

constexpr size_t kMaxChips = 8;

MemoryChannel read_memory(SourcedReader& in, const JsonNode& node, uint64_t max, uint64_t ticks_per_ns) {
  node.only({"bytes", "clock_mhz"}, in.diagnostics());
  MemoryChannel out;
  out.bytes = in.u64(node, "bytes", 4096, max);
  out.period = in.period(node, "clock_mhz", ticks_per_ns);
  if (out.bytes % 4096 != 0)
    in.diagnostics().error("board-memory", node.get("bytes").range(), "the size must be a multiple of 4,096 bytes");
  return out;
}

// A beat (the least transfer of a memory) must be a whole number of ticks, for time is exact.
void check_beat(SourcedReader& in, const JsonNode& node, Tick period, uint64_t beat_bytes, uint64_t bytes_per_clock) {
  if (period * beat_bytes % bytes_per_clock == 0) return;
  in.diagnostics().error(
      "board-clock", node.get("clock_mhz").range(),
      fmt::format("{} bytes take no whole number of ticks at {} bytes a clock", beat_bytes, bytes_per_clock),
      "raise \"ticks_per_ns\"");
}

void read_media(SourcedReader& in, const JsonNode& node, uint64_t ticks_per_ns, ChipOnBoard& out) {
  node.only({"clock_mhz", "bytes_per_clock", "overhead_clocks", "mpacket_bytes", "enabled_at_start"}, in.diagnostics());
  MediaBusDescription& media = out.media;
  media.period = in.period(node, "clock_mhz", ticks_per_ns);
  media.bytes_per_clock = in.u32(node, "bytes_per_clock", 1, 64);
  media.overhead_clocks = in.u32(node, "overhead_clocks", 0, 1000);
  media.mpacket_bytes = in.u32(node, "mpacket_bytes", 64, 256);
  if (media.mpacket_bytes != 64 && media.mpacket_bytes != 128 && media.mpacket_bytes != 256)
    in.diagnostics().error("chip-range", node.get("mpacket_bytes").range(), "mpackets have 64, 128 or 256 bytes");
  media.enabled_at_start = in.boolean(node, "enabled_at_start");
}

void read_board_chip(SourcedReader& in, const JsonDocument& document, const JsonNode& node, uint64_t ticks_per_ns,
                     const std::vector<std::string>& data_folders, BoardDescription& board) {
  Diagnostics& out = in.diagnostics();
  node.only({"name", "chip", "clock_mhz", "sram", "dram", "media_bus"}, out);
  const JsonNode name = node.require("chip", out);
  const std::string wanted = name.string(out);
  if (name.is_string() && wanted.empty())
    name.wrong(out, "this text must not be empty", "name a chip that 'weft chip list' shows, or a file by its path");
  if (wanted.empty()) return;
  auto chip = load_chip(beside(document, wanted), data_folders);
  if (!chip) {
    Diagnostics inner = std::move(chip.error());
    for (Diagnostic d : inner.list()) {
      if (!d.range)
        d.range = name.range();
      else
        d.notes.push_back({name.range(), "the board asks for this chip here"});
      out.add(std::move(d));
    }
    return;
  }
  ChipOnBoard& placed = board.chips.emplace_back();
  placed.name = node.get("name").string(out);
  placed.chip = std::move(*chip);
  placed.chip.engine.period = in.period(node, "clock_mhz", ticks_per_ns);
  if (const Tick period = placed.chip.engine.period; period != 0) {
    // Faster than the fastest part: period shorter than 10^9 * ticks_per_ns / hz.
    if (period * placed.chip.engine_hz_max < ticks_per_ns * 1'000'000'000)
      out.error("chip-range", node.get("clock_mhz").range(),
                fmt::format("{} runs at {} MHz at most", placed.chip.name, placed.chip.engine_hz_max / 1'000'000));
  }
  const ChipDescription& limits = placed.chip;
  if (const JsonNode sram = node.require("sram", out); !sram.is_null()) {
    const auto channels = sram.items();
    if (!sram.is_array() || channels.empty() || channels.size() > limits.sram.channels)
      sram.wrong(out, fmt::format("a list of 1 to {} SRAM channels is expected here", limits.sram.channels));
    for (const JsonNode& item : channels) {
      placed.sram.push_back(read_memory(in, item, limits.sram.channel_bytes, ticks_per_ns));
      check_beat(in, item, placed.sram.back().period, 4, limits.sram.bytes_per_clock);
    }
  }
  if (const JsonNode dram = node.require("dram", out); !dram.is_null()) {
    placed.dram = read_memory(in, dram, limits.dram.bytes, ticks_per_ns);
    check_beat(in, dram, placed.dram.period, 8, limits.dram.bytes_per_clock);
  }
  if (const JsonNode media = node.require("media_bus", out); !media.is_null())
    read_media(in, media, ticks_per_ns, placed);
}

ControlDescription read_control(SourcedReader& in, const JsonNode& node, uint64_t ticks_per_ns) {
  node.only({"clock_mhz", "poll_cycles", "bridge_cycles", "outstanding_reads", "outstanding_writes", "burst_longwords",
             "patience_cycles", "store_word_cycles", "cycles_per_interrupt", "cycles_per_packet", "cycles_per_route"},
            in.diagnostics());
  ControlDescription out;
  out.period = in.period(node, "clock_mhz", ticks_per_ns);
  out.poll_cycles = in.u32(node, "poll_cycles", 1, 1'000'000'000);
  out.bridge_cycles = in.u32(node, "bridge_cycles", 0, 100'000);
  out.outstanding_reads = in.u32(node, "outstanding_reads", 1, 64);
  out.outstanding_writes = in.u32(node, "outstanding_writes", 1, 64);
  out.burst_longwords = in.u32(node, "burst_longwords", 1, 8);
  out.patience_cycles = in.u32(node, "patience_cycles", 0, 1'000'000'000);
  out.store_word_cycles = in.u32(node, "store_word_cycles", 0, 100'000);
  out.cycles_per_interrupt = in.u32(node, "cycles_per_interrupt", 0, 1'000'000'000);
  out.cycles_per_packet = in.u32(node, "cycles_per_packet", 0, 1'000'000'000);
  out.cycles_per_route = in.u32(node, "cycles_per_route", 0, 1'000'000'000);
  return out;
}

bool is_mac(const std::string& text) {
  if (text.size() != 17) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (i % 3 == 2 ? text[i] != ':' : !std::isxdigit(static_cast<unsigned char>(text[i]))) return false;
  return true;
}

bool is_name(const std::string& text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

/// Chips are told apart by name when there are several.
void check_chip_names(const std::vector<JsonNode>& nodes, Diagnostics& out) {
  std::vector<std::string> names;
  for (const JsonNode& node : nodes) {
    const JsonNode name = nodes.size() > 1 ? node.require("name", out) : node.get("name");
    if (name.is_null()) continue;
    Diagnostics seen;  // that it is not text was reported before
    const std::string text = name.string(seen);
    if (seen.has_errors()) continue;
    if (!is_name(text))
      out.error("board-chip", name.range(), fmt::format("'{}' is not a name of a chip", text),
                "begin with a letter; letters, digits, - and _ follow");
    else if (std::find(names.begin(), names.end(), text) != names.end())
      out.error("board-chip", name.range(), fmt::format("there are two chips '{}' on this board", text),
                "give each chip a name of its own");
    names.push_back(text);
  }
}

/// "from" or "to" of a link. Nothing when the place is not there.
std::optional<uint32_t> read_link_end(const JsonNode& node, bool sends, LinkEndDescription end, BoardDescription& board,
                                      Diagnostics& out) {
  if (node.is_null()) return std::nullopt;
  node.only({"chip", "channel"}, out);
  const JsonNode chip = node.require("chip", out), channel = node.require("channel", out);
  if (chip.is_null() || channel.is_null()) return std::nullopt;
  const auto index = static_cast<uint32_t>(chip.u64(out, 0, UINT32_MAX));
  end.sends = sends;
  end.channel = static_cast<uint32_t>(channel.u64(out, 0, 15));
  if (index >= board.chips.size()) {
    if (!board.chips.empty())
      out.error("board-link", chip.range(), fmt::format("there is no chip {} on this board", index),
                "chips count from 0");
    return std::nullopt;
  }
  ChipOnBoard& placed = board.chips[index];
  if (placed.chip.profile == isa::Profile::me1) {
    out.error("board-link", chip.range(),
              fmt::format("{} has no media interface that a link could join", placed.chip.name),
              "links join chips of the IXP2xxx");
    return std::nullopt;
  }
  std::string taken;
  for (const PortDescription& port : placed.ports)
    if (port.channel == end.channel) taken = "port '" + port.name + "'";
  for (const LinkEndDescription& other : placed.links)
    if (other.sends == sends && other.channel == end.channel) taken = "link '" + other.link + "'";
  if (!taken.empty())
    out.error("board-link", channel.range(), fmt::format("channel {} of the chip is taken by {}", end.channel, taken),
              "give the link a channel of its own, 0 to 15");
  placed.links.push_back(std::move(end));
  return index;
}

void read_link(SourcedReader& in, const JsonNode& node, uint64_t ticks_per_ns, BoardDescription& board) {
  Diagnostics& out = in.diagnostics();
  node.only({"name", "from", "to", "clock_mhz", "latency_clocks", "buffer_mpackets"}, out);
  LinkEndDescription end;
  end.link = in.text(node, "name");
  for (const LinkDescription& other : board.links)
    if (other.name == end.link)
      out.error("board-link", node.get("name").range(), fmt::format("there are two links '{}'", end.link),
                "give each link a name of its own");
  end.latency = in.period(node, "clock_mhz", ticks_per_ns) * in.u64(node, "latency_clocks", 1, 100'000);
  end.buffer_mpackets = in.u32(node, "buffer_mpackets", 1, 1 << 16);
  const auto from = read_link_end(node.require("from", out), true, end, board, out);
  const auto to = read_link_end(node.require("to", out), false, end, board, out);
  if (!from || !to) return;
  if (*from == *to)
    out.error("board-link", node.get("to").range(), "a link joins two chips, not a chip with itself",
              "name another chip");
  board.links.push_back({end.link, *from, static_cast<uint32_t>(board.chips[*from].links.size() - 1), *to,
                         static_cast<uint32_t>(board.chips[*to].links.size() - 1), end.latency});
}

void read_port(SourcedReader& in, const JsonNode& node, uint32_t number, BoardDescription& board) {
  Diagnostics& out = in.diagnostics();
  node.only({"name", "chip", "channel", "mac", "bits_per_second", "preamble_bytes", "gap_bytes", "fcs_bytes",
             "hands_over_fcs", "minimum_frame", "maximum_frame", "receive_buffer", "transmit_buffer"},
            out);
  PortDescription port;
  port.board_number = number;
  port.name = in.text(node, "name");
  const JsonNode chip = node.require("chip", out);
  const uint64_t index = chip.is_null() ? 0 : chip.u64(out);
  // The IX bus has 64 ready flags, the buses of later chips up to four channels.
  const bool ix_bus = index < board.chips.size() && board.chips[index].chip.profile == isa::Profile::me1;
  const JsonNode channel = node.require("channel", out);
  port.channel = channel.is_null() ? 0 : static_cast<uint32_t>(channel.u64(out, 0, ix_bus ? 63 : 3));
  port.cut_through = ix_bus;
  port.mac = in.text(node, "mac");
  if (!port.mac.empty() && !is_mac(port.mac))
    out.error("board-port", node.get("mac").range(), fmt::format("'{}' is not a MAC address", port.mac),
              "write six bytes in hexadecimal, e.g. \"02:00:00:00:00:01\"");
  port.bits_per_second = in.u64(node, "bits_per_second", 1'000'000, 100'000'000'000);
  port.preamble_bytes = in.u32(node, "preamble_bytes", 0, 64);
  port.gap_bytes = in.u32(node, "gap_bytes", 0, 1024);
  port.fcs_bytes = in.u32(node, "fcs_bytes", 0, 4);
  if (node.has("hands_over_fcs")) port.hands_over_fcs = in.boolean(node, "hands_over_fcs");
  if (port.hands_over_fcs && ix_bus)
    out.error("board-port", node.get("hands_over_fcs").range(), "the MACs of an IXP1200 keep the check sequence",
              "leave \"hands_over_fcs\" out");
  else if (port.hands_over_fcs && port.fcs_bytes != 4)
    out.error("board-port", node.get("hands_over_fcs").range(),
              "a check sequence that is handed over has the four bytes of IEEE 802.3", "let \"fcs_bytes\" be 4");
  port.minimum_frame = in.u32(node, "minimum_frame", 0, 1518);
  port.maximum_frame = in.u32(node, "maximum_frame", 64, 65535);
  port.receive_buffer = in.u32(node, "receive_buffer", 64, 1 << 24);
  port.transmit_buffer = in.u32(node, "transmit_buffer", 64, 1 << 24);
  if (port.bits_per_second != 0 && board.ticks_per_second != 0) {
    const uint64_t byte_time = 8 * board.ticks_per_second;
    if (byte_time % port.bits_per_second != 0)
      out.error("board-clock", node.get("bits_per_second").range(),
                "a byte at this rate takes no whole number of ticks", "raise \"ticks_per_ns\"");
    port.byte_ticks = byte_time / port.bits_per_second;
  }
  if (index >= board.chips.size()) {
    if (!board.chips.empty())
      out.error("board-port", chip.range(), fmt::format("there is no chip {} on this board", index),
                "chips count from 0");
    return;
  }
  const std::vector<PortDescription>& others = board.chips[index].ports;
  if (const auto other = std::ranges::find(others, port.channel, &PortDescription::channel); other != others.end())
    out.error("board-port", channel.range(), fmt::format("channel {} is taken by port '{}'", port.channel, other->name),
              fmt::format("give each port of a chip a channel of its own, 0 to {}", ix_bus ? 63 : 3));
  if (std::ranges::find(others, port.name, &PortDescription::name) != others.end())
    out.error("board-port", node.get("name").range(), fmt::format("there are two ports '{}'", port.name));
  port.number = static_cast<uint32_t>(board.chips[index].ports.size());
  board.chips[index].ports.push_back(std::move(port));
}

}  // namespace

Result<BoardDescription> read_board(const JsonDocument& document, const std::vector<std::string>& data_folders) {
  BoardDescription board;
  SourcedReader in(board.numbers);
  Diagnostics& out = in.diagnostics();
  const JsonNode root = document.root();
  root.only({"format", "version", "name", "summary", "ticks_per_ns", "chips", "ports", "links", "control"}, out);
  check_format(root, "weft-board", out);
  if (out.has_errors()) return tl::unexpected(std::move(out));
  board.name = in.text(root, "name");
  board.summary = in.text(root, "summary");
  const uint64_t ticks_per_ns = in.u64(root, "ticks_per_ns", 1, kMaxTicks);
  board.ticks_per_second = ticks_per_ns * 1'000'000'000;
  if (const JsonNode chips = root.require("chips", out); !chips.is_null()) {
    const auto items = chips.items();
    if (!chips.is_array() || items.empty() || items.size() > kMaxChips) {
      chips.wrong(out, fmt::format("a list of 1 to {} chips is expected here", kMaxChips));
    } else {
      for (const JsonNode& chip : items) read_board_chip(in, document, chip, ticks_per_ns, data_folders, board);
      check_chip_names(items, out);
      // Ports and links name chips by number; after a chip that is wrong the numbers would be others.
      if (board.chips.size() != items.size()) board.chips.clear();
    }
  }
  if (const JsonNode control = root.get("control"); !control.is_null())
    board.control = read_control(in, control, ticks_per_ns);
  if (const JsonNode ports = root.require("ports", out); !ports.is_null()) {
    if (!ports.is_array()) ports.wrong(out, "a list of ports is expected here");
    uint32_t number = 0;
    for (const JsonNode& port : ports.items()) read_port(in, port, number++, board);
  }
  if (const JsonNode links = root.get("links"); !links.is_null()) {
    if (!links.is_array()) links.wrong(out, "a list of links is expected here");
    for (const JsonNode& link : links.items()) read_link(in, link, ticks_per_ns, board);
  }
  if (out.has_errors()) return tl::unexpected(std::move(out));
  return board;
}

}  // namespace weft::emulator
