// Capture files: pcap and pcapng in, pcap with nanosecond time stamps out.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/files.h"
#include "weft/packet/bytes.h"

namespace weft::packet {

/// Link types as capture files number them; others keep their number.
enum class LinkType : int { null = 0, ethernet = 1, raw_ip = 101, linux_cooked = 113 };

/// One frame of a capture, from the first octet of its link header; no preamble and no frame check sequence.
struct CapturedPacket {
  uint64_t nanoseconds = 0;  ///< since 1970 in files of real captures; since cycle 0 in ours
  Bytes bytes;
};

struct PcapReadOptions {
  /// Every room of Weft works on Ethernet frames, so any other link type is refused unless this is empty.
  std::optional<LinkType> required = LinkType::ethernet;
  /// Take packets of which the capture holds only the beginning. They cannot be sent as frames, so the default refuses.
  bool allow_snapped = false;
};

/// Reads a capture packet by packet, so that a file may be larger than memory.
///
/// Diagnostics: file-missing, file-unreadable, pcap-format (not a capture), pcap-truncated (the file ends inside a
/// packet), pcap-damaged (a packet without bytes, too), pcap-link-type, pcap-snapped. Those about a packet name its
/// number as Wireshark counts (from 1) and the byte of the file where its record starts.
class PcapReader {
 public:
  /// "-" is standard input.
  static Result<PcapReader> open(const std::string& path, const PcapReadOptions& options = {});
  PcapReader(PcapReader&&) noexcept;
  PcapReader& operator=(PcapReader&&) noexcept;
  ~PcapReader();

  /// The next packet, or nothing at the end of the file.
  Result<std::optional<CapturedPacket>> next();
  LinkType link_type() const;
  /// Packets that next() has given so far.
  uint64_t count() const;

 private:
  struct State;
  explicit PcapReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The whole capture.
Result<std::vector<CapturedPacket>> read_pcap(const std::string& path, const PcapReadOptions& options = {});

/// Writes a pcap file: little-endian, nanosecond magic, version 2.4. The same packets give the same bytes on every
/// host. The file appears under its name on commit() only.
class PcapWriter {
 public:
  /// "-" is standard output.
  static Result<PcapWriter> create(const std::string& path, LinkType link_type = LinkType::ethernet);

  void write(uint64_t nanoseconds, ByteView frame);
  void write(const CapturedPacket& packet) { write(packet.nanoseconds, packet.bytes); }
  /// Fails with file-unwritable, or with pcap-time when a time stamp did not fit (32 bits of seconds).
  Result<bool> commit();
  uint64_t count() const { return count_; }

 private:
  PcapWriter() = default;
  std::string path_;
  std::optional<AtomicFile> file_;  // empty for standard output
  std::FILE* stream_ = nullptr;
  uint64_t count_ = 0;
  uint64_t late_packet_ = 0;  // number of the first packet whose time did not fit, 0 for none
};

Result<bool> write_pcap(const std::string& path, const std::vector<CapturedPacket>& packets,
                        LinkType link_type = LinkType::ethernet);

}  // namespace weft::packet
