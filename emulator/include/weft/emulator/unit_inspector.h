// What lies in the units of a chip, for those who look at a machine that stands: commands that wait, answers under way,
// buffers, flags and locks. Looking changes nothing, also where a read by a program or the control processor would.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/emulator/units.h"

namespace weft::emulator {

struct WaitingCommand {
  Command command;
  Tick arrival = 0;      ///< in the inlet; later than now: still on the command bus
  bool of_core = false;  ///< of the control processor: `command` has no context
};

struct CommandQueue {
  std::string name;       ///< "inlet"; IXP1200: "priority", "read_lock", "optimize_mem", "ordered", "even", "odd"
  unsigned capacity = 0;  ///< 0: without a bound
  std::vector<WaitingCommand> commands;  ///< the one that is served next first
};

struct AnswerUnderWay {
  uint64_t command = kUnasked;  ///< Command::sequence
  ContextRef to;
  bool d = false;
  uint8_t xfer = 0, count = 0;
  uint16_t signals = 0;  ///< bit s = signal s
  Tick at = 0;
};

struct UnitQueues {
  std::string name;
  bool held = false;  ///< by the control processor: commands of engines wait
  std::vector<CommandQueue> queues;
  std::vector<AnswerUnderWay> answers;  ///< in order of time
};

/// An element of RBUF, TBUF, RFIFO or TFIFO.
struct BufferElement {
  enum class State : uint8_t {
    free,
    used,   ///< RBUF: filled, and not given back. IXP1200: filled, and its status was read
    full,   ///< its status waits for somebody who takes it
    valid,  ///< TBUF and TFIFO: to be sent
  } state = State::free;
  unsigned number = 0, partition = 0, offset = 0, bytes = 0;  ///< bytes from the start of the buffer, and its size
  uint32_t status = 0;  ///< the first longword of the status, or of the control word
};

/// A context that waits on a thread free list, or for a receive request.
struct WaitingContext {
  unsigned list = 0;
  ContextRef context;
  unsigned xfer = 0, signal = 0;
  Tick since = 0;
};

/// A bit for each port: REC_RDY and XMIT_RDY as programs would read them now.
struct ReadyFlags {
  uint64_t receive = 0, transmit = 0;
};

enum class MediaBuffer : uint8_t { rbuf, tbuf, rfifo, tfifo };

/// What holds the longword in saved states: two of the same run that give the same value have the same longwords there,
/// and nobody has written any of them in between. The page is 16 KB.
const void* memory_page(const UnitsState& state, MemorySpace space, unsigned channel, uint64_t byte_address);

class UnitInspector {
 public:
  explicit UnitInspector(const Units& units) : units_(&units) {}

  std::vector<UnitQueues> queues() const;
  unsigned sram_channels() const;
  unsigned scratch_rings() const;
  /// The share of a scratch ring from which on its status line shows "full", in percent.
  bool ring_shows_full(unsigned ring) const;
  /// SRAM_CONTROL of a channel asks for cells (bit 0).
  bool cell_mode(unsigned channel) const;

  /// Bytes; 0: the chip has no such buffer.
  uint32_t buffer_bytes(MediaBuffer buffer) const;
  uint32_t read_buffer(MediaBuffer buffer, uint32_t offset) const;
  unsigned element_bytes(MediaBuffer buffer) const;
  std::vector<BufferElement> elements(MediaBuffer buffer) const;
  std::vector<WaitingContext> waiting() const;

  /// IXP1200: locked byte addresses in the order in which they were taken; nothing on other chips.
  std::vector<uint32_t> locks() const;
  unsigned lists() const;  ///< hardware lists; 0 on other chips
  std::optional<ReadyFlags> ready() const;

  /// A CAP CSR (IXP1200: of the FBI) as it stands; a read by the control processor may clear it.
  uint32_t csr(uint32_t number) const;

 private:
  const Units* units_;
};

}  // namespace weft::emulator
