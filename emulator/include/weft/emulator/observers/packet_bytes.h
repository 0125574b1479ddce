// What programs did with the bytes of a packet: who wrote which, and where each byte of the frame that left came from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

/// A command that moved or changed bytes of a packet.
struct PacketWrite {
  enum class Kind : uint8_t {
    stored,   ///< an mpacket went from a receive element to the buffer, as it came
    buffer,   ///< an instruction wrote into the buffer
    copied,   ///< the buffer went to a transmit element
    element,  ///< an instruction wrote into a transmit element: bytes that are put before the payload, or instead
              ///< of it
  } kind = Kind::buffer;
  uint8_t engine = 0, context = 0;
  uint16_t pc = 0;
  uint16_t place = 0;  ///< index into PacketTracker::places()
  uint64_t cycle = 0;  ///< engine cycle in which the unit performed it
  int32_t offset =
      0;  ///< first byte, counted from the first byte of the frame that arrived; `element`: of the one that left
  uint32_t length = 0;  ///< bytes
  uint32_t first = 0;   ///< `buffer` and `element`: its bytes begin here in PacketBytes::written
  WEFT_FIELDS(PacketWrite, kind, engine, context, pc, place, cycle, offset, length, first)
};

/// A run of bytes of the frame that left.
struct PacketPiece {
  static constexpr int32_t kReceived = -1;  ///< they came with the frame, and nobody changed them
  static constexpr int32_t kUnknown = -2;   ///< nobody was seen to write them
  uint32_t length = 0;
  int32_t source = kReceived;  ///< or the index of the write
  uint32_t from = 0;  ///< first byte in the frame that arrived, in the write, or (unknown) in PacketBytes::written
  WEFT_FIELDS(PacketPiece, length, source, from)
};

struct PacketBytes {
  std::vector<PacketWrite> writes;  ///< in the order in which they were performed
  std::vector<uint8_t> written;
  std::vector<PacketPiece> sent;  ///< of the first frame with its number that left, from front to end; empty: none did
  uint32_t missing = 0;           ///< writes beyond PacketLimits::writes
  uint32_t unexplained = 0;       ///< bytes of the frame that left whose writer is not known
  WEFT_FIELDS(PacketBytes, writes, written, sent, missing, unexplained)
};

/// Bytes that lie somewhere, and what they are: by address, in runs. What lies in a buffer or a transmit element.
class ByteSources {
 public:
  struct Run {
    uint64_t at = 0;
    uint32_t length = 0;
    uint32_t packet = 0;  ///< 0: nothing is known
    int32_t source = PacketPiece::kUnknown;
    uint32_t from = 0;  ///< as in PacketPiece
    WEFT_FIELDS(Run, at, length, packet, source, from)
  };
  void set(const Run& run);
  /// What lies there, without a gap: unknown runs have packet 0.
  std::vector<Run> look(uint64_t at, uint32_t length) const;

 private:
  friend struct weft::fields::Access;
  WEFT_FIELDS(ByteSources, runs_)
  std::map<uint64_t, Run> runs_;
};

/// Which byte of which write made the byte at `offset` of the frame that left; none: it came with the frame, or is not
/// known.
struct ByteOrigin {
  int32_t source = PacketPiece::kUnknown;
  uint32_t from = 0;
};
ByteOrigin origin_of(const PacketBytes& bytes, uint32_t offset);

/// The frame as it left. Empty when none did, or when the frame that arrived was not kept.
std::vector<uint8_t> sent_frame(const std::vector<uint8_t>& received, const PacketBytes& bytes);
/// Where the frame that left began in the buffer, in bytes from the first one that arrived, with what was put in front
/// of it counted off: -4 when four bytes more stand before it. None: nothing left, or nothing of it came from the
/// buffer.
std::optional<int32_t> start_in_buffer(const PacketBytes& bytes);

/// A frame as it stood, with the write that made each byte.
struct FrameState {
  std::vector<uint8_t> bytes;
  std::vector<int32_t> source;  ///< of each byte: index of a write, kReceived or kUnknown
};
FrameState received_state(const std::vector<uint8_t>& received);
/// The buffer after the first `writes` of PacketBytes::writes. It begins with the byte with which the frame will leave
/// as soon as that place has a header that was written, else with the first byte that arrived.
FrameState buffer_state(const std::vector<uint8_t>& received, const PacketBytes& bytes, size_t writes);
FrameState sent_state(const std::vector<uint8_t>& received, const PacketBytes& bytes);

}  // namespace weft::emulator
