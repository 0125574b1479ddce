// The units of one chip as the machine, the control processor and the inspection see them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/command.h"
#include "weft/emulator/core_access.h"
#include "weft/emulator/media.h"
#include "weft/emulator/memory.h"

namespace weft::emulator {

struct UnitCounters {
  uint64_t commands = 0;        ///< served
  uint64_t core_requests = 0;   ///< served for the control processor
  uint64_t refused = 0;         ///< tries that found the inlet full
  uint64_t longwords_read = 0;  ///< by microengines
  uint64_t longwords_written = 0;
  uint64_t deepest_inlet = 0;
  uint64_t faults = 0;  ///< accesses outside the memory, overfull rings, undefined registers; see last_fault
  Tick busy = 0;        ///< time in which data passed; for SRAM the sum over both directions
  bool operator==(const UnitCounters&) const = default;
  WEFT_FIELDS(UnitCounters, commands, core_requests, refused, longwords_read, longwords_written, deepest_inlet, faults,
              busy)
};

/// A word of a program, and the context that executed it.
struct WordPlace {
  bool known = false;  ///< false: the control processor, or nobody that is known
  ContextRef who;
  uint16_t pc = 0;
  bool operator==(const WordPlace&) const = default;
  WEFT_FIELDS(WordPlace, known, who, pc)
};

/// Faults that one word has caused, or that have the same words and no place. `by.who` is the first context.
struct UnitFault {
  WordPlace by;
  uint64_t count = 0;
  std::string text;  ///< one sentence, of the first of them
  WEFT_FIELDS(UnitFault, by, count, text)
};

struct UnitView {
  std::string_view name;
  UnitCounters counters;
  unsigned directions = 1;  ///< busy is at most directions x elapsed time
  std::string last_fault;   ///< one sentence, empty when there was none
  /// The first places of faults, in the order in which they came; UnitCounters::faults counts all.
  std::vector<UnitFault> faults = {};
};

/// A scratch ring or SRAM ring as it stands.
struct RingView {
  uint32_t base = 0;            ///< byte address; scratch only
  uint32_t size = 0;            ///< longwords; 0 = not set up
  uint32_t head = 0, tail = 0;  ///< longword numbers: get and put positions
  uint32_t count = 0;
  bool status_is_empty = false;  ///< scratch: the status line shows "empty" instead of "full"
};

/// An entry of an SRAM queue array. As a ring: head and tail are get and put positions (longword addresses).
struct QueueView {
  uint32_t head = 0;  ///< longword address in bits 23:0; cell count in 30:24, end of packet in 31
  uint32_t tail = 0;
  uint32_t count = 0;
  uint32_t ring_size_code = 0;  ///< 0-7 = 512 ... 64 K longwords
};

struct MediaView {
  unsigned mpacket_bytes = 0;
  unsigned free_elements = 0, full_elements = 0;  ///< RBUF
  std::vector<unsigned> waiting_contexts;         ///< per thread free list
  unsigned valid_tbuf_elements = 0, next_tbuf_element = 0;
};

/// Frames that stand in the media interface. Each is counted where its first byte is.
struct HeldFrames {
  enum class Where : uint8_t {
    mac,      ///< whole in the receive buffer of the MAC: nobody has taken a part of it
    waiting,  ///< in RBUF, or on the way to it: no context has been told of it
    handed,   ///< in RBUF: context `to` was told of it, and the element was not given back
    leaving,  ///< in TBUF, in the MAC, or on the wire
  } where{};
  unsigned port = 0;  ///< of the chip; links are counted on after the ports
  ContextRef to;
  uint64_t frames = 0;
};

class Units;
class UnitQueue;

/// What the control processor and debuggers reach. Everything here takes no time.
/// SRAM addresses carry the channel in bits 31:30, as in commands.
class HostPort {
 public:
  explicit HostPort(Units& units) : units_(&units) {}

  uint64_t size(MemorySpace space, unsigned channel = 0) const;
  uint32_t read(MemorySpace space, uint32_t address) const;
  /// Of `count` longwords one after the other.
  uint64_t sum(MemorySpace space, uint32_t address, unsigned count) const;
  void write(MemorySpace space, uint32_t address, uint32_t value);
  void read_bytes(MemorySpace space, uint32_t address, std::span<uint8_t> out) const;
  void write_bytes(MemorySpace space, uint32_t address, std::span<const uint8_t> in);

  /// `size` is 128, 256, 512 or 1,024 longwords, `base` a multiple of its bytes. Empties the ring.
  /// False when the numbers are not legal.
  bool set_ring(unsigned ring, uint32_t base, uint32_t size, bool status_is_empty = false);
  RingView ring(unsigned ring) const;
  /// All words or none.
  bool ring_put(unsigned ring, std::span<const uint32_t> words);
  std::optional<uint32_t> ring_get(unsigned ring);

  QueueView queue(unsigned channel, unsigned entry) const;
  void set_queue(unsigned channel, unsigned entry, const QueueView& value);
  /// As sram[enqueue] and sram[dequeue]: `buffer` is a longword address; dequeue gives 0 when the queue is empty.
  void enqueue(unsigned channel, unsigned entry, uint32_t buffer);
  uint32_t dequeue(unsigned channel, unsigned entry);

  /// MSF registers and buffers by MSF address, e.g. 0x44 = RBUF_ELEMENT_DONE. Writes may start transfers at `now`.
  uint32_t read_msf(uint32_t address) const;
  void write_msf(uint32_t address, uint32_t value, Tick now);
  /// TBUF, which programs can only write, by byte offset from its start.
  uint32_t read_tbuf(uint32_t offset) const;
  /// CAP CSRs by number, e.g. HASH_MULTIPLIER_48_1; on the IXP1200 CSRs of the FBI by offset, as the control processor
  /// reads and writes them.
  uint32_t read_cap(uint32_t csr) const;
  void write_cap(uint32_t csr, uint32_t value);

  /// Contexts that have written XSCALE_INT_A (line 0) or XSCALE_INT_B (line 1), of engines 0-7 (group 0) or 8-15 (group
  /// 1): bit (engine % 8) * 8 + context.
  uint64_t interrupts(unsigned line, unsigned group = 0) const;
  /// Returns and clears them.
  uint64_t take_interrupts(unsigned line, unsigned group = 0);

  // --- accesses that take time
  /// False where the chip has no such port to the memory, or there is no memory: nothing was asked then.
  bool request(const CoreRequest& request, Tick now);
  /// Who hears of the answers; null: nobody.
  void set_listener(CoreListener* listener);

  // --- IXP1200; on other chips there is nothing
  /// Locks of sram[read_lock], by byte address. `lock` is false when all locks are taken.
  bool locked(uint32_t address) const;
  bool lock(uint32_t address);
  void unlock(uint32_t address, Tick now);
  /// Longword addresses on a hardware list, head first.
  std::vector<uint32_t> list(unsigned number) const;
  /// Writes head and links.
  void set_list(unsigned number, std::span<const uint32_t> addresses);
  /// Longwords of the FIFOs, by byte offset: 64 bytes an element.
  uint32_t read_rfifo(uint32_t offset) const;
  void write_rfifo(uint32_t offset, uint32_t value);
  uint32_t read_tfifo(uint32_t offset) const;

 private:
  /// The memory behind an address, which becomes the address inside it; null where there is none.
  PagedMemory* locate(MemorySpace space, uint32_t& address) const;
  Units* units_;
};

/// A copy of everything that units, MSF and ports know. Opaque; copying shares memory pages.
class UnitsState;

/// All units of one chip, created from the description.
class Units {
 public:
  /// `bus` must outlive the units. The description must have passed its reader.
  Units(const ChipOnBoard& chip, Bus& bus);
  ~Units();
  Units(const Units&) = delete;
  Units& operator=(const Units&) = delete;

  /// The unit that serves a command. PCI is not modelled: its commands go to a unit that counts a fault and raises the
  /// signal, so that a program does not sleep for ever.
  Unit& route(const Command& command);
  /// In rank order, the order in which simultaneous events are run: msf, scratch, sram0, sram1, dram, hash, cap, pci,
  /// and the unit that refuses commands to SRAM channels that the board does not have; IXP1200: fbi, sram, sdram, hash,
  /// pci.
  std::span<Unit* const> actors() const;
  /// The place of the unit that serves the control processor's accesses; nothing where there is none.
  std::optional<size_t> core_place(MemorySpace space, uint32_t address) const;
  /// The first moment at which a unit can do something for the control processor; kNever when nothing is asked.
  Tick next_core_event() const;
  /// How long before it happens something that an engine did not ask for is known, in engine cycles: the lookahead of a
  /// conservative discrete-event simulation.
  struct Lookahead {
    static constexpr unsigned kNever = 1u << 30;  ///< it does not happen
    struct Unasked {
      unsigned in = 0;       ///< read transfer registers are written
      unsigned out = 0;      ///< write transfer registers are read
      unsigned signals = 0;  ///< are raised
    };
    Unasked media;  ///< by free lists
    Unasked cap;    ///< by commands to CAP or the FBI of another engine
    /// From a command of another engine that gives up a lock to the answer of one that waits for it.
    unsigned locks = kNever;
  };
  Lookahead lookahead() const;
  /// br_inp_state 2-13: SCR_RING0_STATUS to SCR_RING11_STATUS; IXP1200: 0 REC_REQ_AVAIL, 1 PUSH_PROTECT.
  bool input_state(unsigned number) const;

  HostPort& host();

  size_t port_count() const;
  const PortDescription& port(unsigned number) const;
  /// Null detaches. A source is asked for its first frame at once; none of its frames starts before `now`.
  void set_source(unsigned port, std::shared_ptr<FrameSource> source, Tick now = 0);
  void set_sink(unsigned port, std::shared_ptr<FrameSink> sink);
  const PortCounters& counters(unsigned port) const;
  size_t link_count() const;
  const LinkEndDescription& link(unsigned end) const;
  const LinkCounters& link_counters(unsigned end) const;
  /// Gives what end `end` has sent since the last call to end `to_end` of another chip, and the words about free places
  /// back. To be called at least once within the latency of the link. False when there was nothing.
  bool carry(unsigned end, Units& to, unsigned to_end);
  /// All sources have given their last frame, and it has ended on the wire.
  bool input_finished() const;
  /// It will not be before this tick; 0 when that is not known.
  Tick input_lasts_until() const;
  /// No frame is in a MAC buffer, on the media bus, waiting in RBUF or TBUF, or on its way out. What programs hold is
  /// not counted.
  bool media_idle() const;
  /// Frames that have come and are in the media interface, in the order of places and ports.
  std::vector<HeldFrames> held() const;

  std::vector<UnitView> inspect() const;
  MediaView media() const;
  /// media().mpacket_bytes alone.
  uint32_t mpacket_bytes() const;

  std::shared_ptr<const UnitsState> save() const;
  void restore(const UnitsState& state);
  /// A hash over all that save() copies.
  uint64_t state_hash() const;

 private:
  friend class HostPort;
  friend class UnitInspector;
  friend std::span<UnitQueue* const> queues_of(const Units& units);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::emulator
