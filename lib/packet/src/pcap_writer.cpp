// Writes the pcap format by hand: 24 bytes of header and 16 per packet, so that the bytes do not depend on the host.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "weft/packet/pcap.h"

namespace weft::packet {
namespace {

constexpr uint32_t kNanosecondMagic = 0xa1b23c4d;
constexpr uint32_t kSnapLength = 262144;
constexpr uint64_t kSecond = 1'000'000'000;

void put16(std::FILE* out, uint32_t value) {
  const std::array<uint8_t, 2> bytes{static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8)};
  std::fwrite(bytes.data(), 1, bytes.size(), out);
}

void put32(std::FILE* out, uint32_t value) {
  put16(out, value & 0xffff);
  put16(out, value >> 16);
}

}  // namespace

Result<PcapWriter> PcapWriter::create(const std::string& path, LinkType link_type) {
  PcapWriter writer;
  writer.path_ = path;
  if (path == "-") {
    writer.stream_ = stdout;
  } else {
    auto file = AtomicFile::create(path);
    if (!file) return tl::unexpected(std::move(file.error()));
    writer.file_.emplace(std::move(*file));
    writer.stream_ = writer.file_->stream();
  }
  put32(writer.stream_, kNanosecondMagic);
  put16(writer.stream_, 2);  // version 2.4
  put16(writer.stream_, 4);
  put32(writer.stream_, 0);  // time zone, always 0
  put32(writer.stream_, 0);  // accuracy, always 0
  put32(writer.stream_, kSnapLength);
  put32(writer.stream_, static_cast<uint32_t>(link_type));
  return writer;
}

void PcapWriter::write(uint64_t nanoseconds, ByteView frame) {
  ++count_;
  const uint64_t seconds = nanoseconds / kSecond;
  if (seconds > std::numeric_limits<uint32_t>::max() && late_packet_ == 0) late_packet_ = count_;
  put32(stream_, static_cast<uint32_t>(seconds));
  put32(stream_, static_cast<uint32_t>(nanoseconds % kSecond));
  put32(stream_, static_cast<uint32_t>(frame.size()));
  put32(stream_, static_cast<uint32_t>(frame.size()));
  std::fwrite(frame.data(), 1, frame.size(), stream_);
}

Result<bool> PcapWriter::commit() {
  if (late_packet_ != 0)
    return fail(
        "pcap-time", whole_file(path_),
        fmt::format("the time of packet {} does not fit into the 32 bits of seconds of a pcap file", late_packet_));
  if (file_) return file_->commit();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return fail("file-unwritable", whole_file(path_), "cannot write to standard output",
                "check that the reader of the pipe is still there");
  return true;
}

Result<bool> write_pcap(const std::string& path, const std::vector<CapturedPacket>& packets, LinkType link_type) {
  auto writer = PcapWriter::create(path, link_type);
  if (!writer) return tl::unexpected(std::move(writer.error()));
  for (const CapturedPacket& packet : packets) writer->write(packet);
  return writer->commit();
}

}  // namespace weft::packet
