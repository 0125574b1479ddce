// Runs the IPv4 forwarder on frames and gives back everything that came of them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/base/temporary_folder.h"
#include "weft/packet/pcap.h"
#include "weft/workbench/report.h"
#include "weft/workbench/session.h"

namespace weft::test {

using packet::Bytes;
using packet::CapturedPacket;

using FramesByPort = std::map<unsigned, std::vector<CapturedPacket>>;

struct ForwarderSetup {
  std::string config;  ///< text of router.conf
  unsigned ports = 2;  ///< 1, 2 or 4: as many forwarding engines
  FramesByPort in;
  bool line_rate = true;
  std::string board = "generic-2400";
  workbench::Observation observation;
  uint64_t quiet = 20'000;  ///< engine cycles without a frame leaving, after the last one entered
};

struct ForwarderResult {
  FramesByPort out;
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

/// The ports of a project file: frames come from in0.pcap and so on, and leave into out0.pcap and so on.
std::string ports_text(unsigned number, const FramesByPort& in, bool line_rate);
/// Writes the project and its frames into the folder.
std::unique_ptr<workbench::Session> session_in(const TemporaryFolder& folder, const std::string& project,
                                               const FramesByPort& in, const workbench::Observation& observation = {});
/// Runs until it ends by itself, and keeps what is the same for all routers: buffers and packets are counted by others.
void run_to_end(workbench::Session& session, const TemporaryFolder& folder, unsigned ports, ForwarderResult& result);

/// Fails the running test case with the diagnostics when the project does not build or run.
ForwarderResult run_forwarder(const ForwarderSetup& setup);

Bytes from_hex(const std::string& text);
/// Zeros up to the 60 bytes of the shortest frame.
Bytes padded(Bytes frame);

/// The header checksum of an IPv4 frame, over a header of that many bytes.
void set_checksum(Bytes& frame, size_t header = 20);
/// Bytes of its IPv4 header, as it says itself.
size_t header_size(const Bytes& frame);

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
