// Runs the IPv4 forwarder on frames and gives back everything that came of them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "weft/packet/pcap.h"
#include "weft/workbench/report.h"
#include "weft/workbench/session.h"

namespace weft::test {

using packet::Bytes;
using packet::CapturedPacket;

struct ForwarderSetup {
  std::string config;  ///< text of router.conf
  unsigned ports = 2;  ///< 1, 2 or 4: as many forwarding engines
  std::map<unsigned, std::vector<CapturedPacket>> in;
  bool line_rate = true;
  std::string board = "generic-2400";
  workbench::Observation observation;
  uint64_t quiet = 20'000;  ///< engine cycles without a frame leaving, after the last one entered
};

struct ForwarderResult {
  std::map<unsigned, std::vector<CapturedPacket>> out;
  workbench::Report report;
  workbench::Stop stop;
  /// In the free list, or in the hands of the receiving engine: a spare of each context, one left over from a discarded
  /// frame for each port.
  unsigned free_buffers = 0;
  uint64_t state_hash = 0;
  /// What the observers saw, when they were asked for.
  std::deque<emulator::PacketRecord> packets;
  emulator::PacketTotals packet_totals;
  std::map<std::string, std::string> packet_files;  ///< by ending: txt, json, csv, pcapng
  std::vector<CapturedPacket> packet_capture;       ///< the last one read back
  Diagnostics findings;

  uint64_t dropped(const std::string& reason) const;
  uint64_t to_core(const std::string& reason) const;
  uint64_t sent() const;
  /// "sent", "drop REASON" or "core REASON", for a run of one frame.
  std::string decision() const;
};

inline constexpr unsigned kBuffers = 960;

/// Fails the running test case with the diagnostics when the project does not build or run.
ForwarderResult run_forwarder(const ForwarderSetup& setup);

Bytes from_hex(const std::string& text);
/// Zeros up to the 60 bytes of the shortest frame.
Bytes padded(Bytes frame);

/// A UDP frame of `size` bytes (without check sequence) whose payload begins with `index`.
struct UdpFrame {
  uint64_t destination_mac = 0, source_mac = 0x020000000001;
  uint32_t source = 0, destination = 0;
  uint16_t source_port = 1024;
  uint8_t ttl = 64;
  uint32_t size = 60;
  uint32_t index = 0;
};
Bytes make_frame(const UdpFrame& f);
uint32_t frame_index(const Bytes& frame);
uint64_t frame_mac(const Bytes& frame);

}  // namespace weft::test
