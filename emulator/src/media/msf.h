// The media and switch fabric interface: RBUF, TBUF, their free lists and sequences, and the buses to the MACs.
//
// Receive: when the ingress bus is idle, an RBUF element is free and a port holds a frame, the next mpacket crosses the
// bus (round robin over ports, then links); its element goes on the full list of a thread free list, and meets a
// waiting context. Transmit: elements go out in the order of their numbers, each when its control word has been written
// completely. Both buffers may be divided into two or three partitions, each with an order and a sequence of its own.
// Register offsets and fields: docs/timing-units.md.
#pragma once

#include <deque>
#include <optional>

#include "media/link.h"
#include "media/port.h"
#include "units/dram.h"
#include "units/unit_model.h"

namespace weft::emulator {

namespace msf {
inline constexpr uint32_t kRxControl = 0x00, kTxControl = 0x04, kTxValidate = 0x20, kRxThreadFreelist = 0x30,
                          kRxPortMap = 0x40, kRbufElementDone = 0x44, kRxFreelistTimeout = 0x50, kTxSequence = 0x60,
                          kTbufControl = 0x1800, kBufferData = 0x2000;
inline constexpr uint32_t kStatusSop = 1u << 15, kStatusEop = 1u << 14, kStatusError = 1u << 10, kStatusNull = 1u << 9;
}  // namespace msf

/// How a buffer of 8 KB is divided (hardware manual): whole; 3/4 and 1/4; 1/2, 3/8 and 1/8.
struct Partitions {
  unsigned count = 1;
  unsigned first(unsigned partition, unsigned elements) const {
    constexpr unsigned kEighths[3][4] = {{0, 8, 8, 8}, {0, 6, 8, 8}, {0, 4, 7, 8}};
    return elements * kEighths[count - 1][partition] / 8;
  }
  unsigned size(unsigned partition, unsigned elements) const {
    return first(partition + 1, elements) - first(partition, elements);
  }
  unsigned of(unsigned element, unsigned elements) const {
    unsigned partition = 0;
    while (partition + 1 < count && element >= first(partition + 1, elements)) ++partition;
    return partition;
  }
};

/// A context that asked for work.
struct FreelistEntry {
  ContextRef context;
  uint8_t xfer = 0;  ///< physical number
  uint8_t signal = 0;
  Tick since = 0;
  WEFT_FIELDS(FreelistEntry, context, xfer, signal, since)
};
/// What a context writes to RX_THREAD_FREELIST_n (R7): 3:0 register, 6:4 context, 15:12 signal; the engine in 9:7 on
/// chips of eight engines, in 10:7 on larger ones.
inline FreelistEntry freelist_entry(uint32_t value, unsigned engines) {
  FreelistEntry entry;
  entry.context = {static_cast<uint8_t>(value >> 7 & (engines > 8 ? 15 : 7)), static_cast<uint8_t>(value >> 4 & 7)};
  entry.xfer = static_cast<uint8_t>(16 * entry.context.context + (value & 15));
  entry.signal = static_cast<uint8_t>(value >> 12 & 15);
  return entry;
}

/// What a filled RBUF element holds, and who was told of it.
struct RbufFrame {
  bool sop = false, handed = false;
  uint8_t port = 0;  ///< after the ports, links are counted on
  ContextRef to;
  WEFT_FIELDS(RbufFrame, sop, handed, port, to)
};

struct ReceiveTransfer {
  bool active = false;
  uint8_t port = 0, element = 0;  ///< after the ports, links are counted on
  uint32_t first = 0, length = 0;
  Tick end = kNever;
  WEFT_FIELDS(ReceiveTransfer, active, port, element, first, length, end)
};

struct TransmitTransfer {
  bool active = false;
  uint8_t element = 0, partition = 0;
  Tick end = kNever;
  WEFT_FIELDS(TransmitTransfer, active, element, partition, end)
};

struct MsfState {
  std::array<uint32_t, 2048> rbuf{}, tbuf{};
  std::array<uint32_t, 256> tbuf_control{};
  std::array<bool, 128> tbuf_valid{};
  std::array<bool, 128> rbuf_free{};
  std::array<RbufFrame, 128> rbuf_frames{};
  std::array<uint32_t, 64> registers{};              ///< plain ones, by offset / 4
  std::array<std::deque<uint8_t>, 3> free_elements;  ///< by partition
  std::array<std::deque<std::array<uint32_t, 2>>, 3> full;
  std::array<std::deque<FreelistEntry>, 3> waiting;
  std::array<Tick, 3> last_push{};
  ReceiveTransfer receive;
  TransmitTransfer transmit;
  std::array<WordPlace, 128> tbuf_by{};  ///< who has written the control word of an element
  uint8_t last_port = 0;                 ///< round robin
  std::array<uint8_t, 3> next_tbuf{};    ///< by partition, counted from its first element
  uint8_t last_partition = 0;            ///< that sent: round robin
  std::array<uint8_t, 3> tx_sequence{};
  Tick free = 0;
  WEFT_FIELDS(MsfState, rbuf, tbuf, tbuf_control, tbuf_valid, rbuf_free, rbuf_frames, registers, free_elements, full,
              waiting, last_push, receive, transmit, tbuf_by, last_port, next_tbuf, last_partition, tx_sequence, free)
};

class Msf final : public UnitModel, public MediaBuffers {
 public:
  using State = MsfState;
  Msf(const MsfDescription& description, const MediaBusDescription& media, const std::vector<PortDescription>& ports,
      const std::vector<LinkEndDescription>& links, const ChipDescription& chip, Bus& bus);

  bool has_events() const override { return true; }
  Tick next_event() const override;
  void advance(Tick now) override;
  void settle(Tick now) override;
  void announce_pushes() override;

  void read_rbuf(uint32_t address, std::span<uint32_t> out) const override {
    for (size_t i = 0; i < out.size(); ++i) out[i] = state_.rbuf[(address / 4 + i) & 2047];
  }
  void write_tbuf(uint32_t address, std::span<const uint32_t> in) override {
    for (size_t i = 0; i < in.size(); ++i) state_.tbuf[(address / 4 + i) & 2047] = in[i];
  }

  uint32_t read_register(uint32_t address) const;
  void write_register(uint32_t address, uint32_t value, Tick now);
  /// Starts whatever a write has made possible. Commands do it themselves; a host calls it.
  void pump(Tick now);

  /// The caller may change them.
  std::vector<Port>& ports() {
    may_start_ = kAnything;
    ports_known_ = false;
    return ports_;
  }
  const std::vector<Port>& ports() const { return ports_; }
  std::vector<LinkEnd>& links() { return links_; }
  const std::vector<LinkEnd>& links() const { return links_; }
  unsigned rbuf_element_bytes() const { return 64u << std::min(2u, state_.registers[0] >> 2 & 3); }
  unsigned tbuf_element_bytes() const { return 64u << std::min(2u, state_.registers[1] >> 2 & 3); }
  /// Bits 1:0 of RX_CONTROL and TX_CONTROL (position chosen): partitions less one.
  Partitions rbuf_partitions() const { return {std::min(2u, state_.registers[0] & 3) + 1}; }
  Partitions tbuf_partitions() const { return {std::min(2u, state_.registers[1] & 3) + 1}; }
  unsigned rbuf_elements() const { return description_.buffer_bytes / rbuf_element_bytes(); }
  unsigned tbuf_elements() const { return description_.buffer_bytes / tbuf_element_bytes(); }
  /// Nothing is on its way between wire and buffers, or waits there. Commands are not counted.
  bool idle() const;
  /// Frames in RBUF and TBUF (Units::held()); those in the MACs are the ports' own.
  void add_held(std::vector<HeldFrames>& out) const;

  const MsfState& state() const { return state_; }
  void restore(const MsfState& state) {
    state_ = state;
    may_start_ = kAnything;
    ports_known_ = false;
  }

  Tick free_for(const Command&) const override { return state_.free; }
  /// A link counts how long it waits from the first time it is looked at, whatever made the unit look.
  bool serves_in_order() const override { return links_.empty(); }
  bool sends_ahead() const override { return true; }  // status_push
  bool is_private(const Command& command) const override;
  bool may_be_early(const Command& command) const override { return is_private(command) || !fills_buffers(command); }
  bool fills_buffers(const Command& command) const override;
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void unplan(const Command&, const PlanUndo& undo) override { state_.free = undo.was[0]; }
  void perform(Service& service) override;
  ServeAtOnce at_once(isa::InsnId op) const override;
  const void* buffers() const override { return static_cast<const MediaBuffers*>(this); }

 private:
  static ServedAtOnce read_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                   uint32_t* registers, Tick arrival);
  static ServedAtOnce write_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival);
  static ServedAtOnce fast_wr_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                      uint32_t address, uint32_t* registers, Tick arrival);
  /// write_register() can do what it is asked, and fills no buffer.
  bool may_write_register(uint32_t address, uint32_t value) const;
  /// Times of a command that is served at once: it starts at `start` and moves so many longwords.
  ServedAtOnce occupied(Tick start, unsigned longwords, const AtOnceTerms& terms);
  /// Bits 31:28 of RX_CONTROL and TX_CONTROL enable one bus channel each. With MPHY-32 (bit 18) on the undivided bus
  /// (21:20 = 0) all PHYs share the first.
  static bool enabled(uint32_t control, unsigned channel) {
    const bool shared = (control >> 20 & 3) == 0 && (control >> 18 & 1) != 0;
    return (control >> (shared ? 28 : 28 + channel) & 1) != 0;
  }
  bool receive_enabled(const Port& port) const { return enabled(state_.registers[0], port.description().channel); }
  bool transmit_enabled(const Port& port) const { return enabled(state_.registers[1], port.description().channel); }
  /// Only four channels have an enable bit. A link whose channel is disabled waits; nothing is lost on it.
  static bool enabled(uint32_t control, const LinkEnd& link) {
    return link.description().channel > 3 || enabled(control, link.description().channel);
  }
  bool is_list(unsigned list, const FreelistEntry& entry) const {
    return list < description_.freelists && entry.context.engine < engines_;
  }
  unsigned freelist_of(unsigned channel) const;
  unsigned rbuf_partition_of(unsigned channel) const;
  void divide_rbuf();
  /// The element that a partition sends next; nothing while it is not valid or its MAC has no room.
  std::optional<unsigned> sendable(unsigned partition, Tick now);
  Tick bus_time(uint32_t bytes) const;
  Tick on_bus_clock(Tick now) const { return (now + media_.period - 1) / media_.period * media_.period; }
  Tick timeout_due(unsigned list) const;
  /// The first of all lists.
  Tick first_timeout() const;
  Tick ports_next() const;

  /// Runs a port, and tells a watcher what its counters say.
  void run_port(Port& port, Tick now);
  void tell(MediaEvent::Kind kind, const Port& port, Tick now, std::string_view cause = {},
            const std::vector<uint8_t>* bytes = nullptr) const;
  void tell(MediaEvent event, const LinkEnd& link, Tick now) const;
  void run_link(LinkEnd& link, Tick now);
  LinkEnd* link_of(unsigned channel);
  void start_receive(Tick now);
  void begin_receive(size_t from, uint32_t first, uint32_t length, Tick now);
  void end_link_receive(LinkEnd& link, Tick now);
  void fill(std::span<const uint8_t> bytes, uint32_t flags, unsigned channel);
  void end_receive(Tick now);
  void start_transmit(Tick now);
  void end_transmit(Tick now);
  void hand_out(Tick now);
  void push_status(unsigned list, const std::array<uint32_t, 2>& status, Tick now);
  void free_element(uint32_t element);
  void add_waiting(unsigned list, uint32_t value, Tick now);
  void write_tbuf_control(uint32_t index, uint32_t value);

  struct TbufFields {
    uint32_t payload, prepend, prepend_first, payload_first;
    uint8_t channel;
    bool sop, eop, skip;
  };
  TbufFields tbuf_fields(unsigned element) const;
  void link_transmit(LinkEnd& link, unsigned element, std::vector<uint8_t> bytes, const TbufFields& fields, Tick now);
  void watched_transmit(Port& port, unsigned element, std::span<const uint8_t> bytes, const TbufFields& fields,
                        Tick now);

  MsfDescription description_;
  MediaBusDescription media_;
  unsigned engines_;
  std::vector<Port> ports_;
  std::vector<LinkEnd> links_;
  MsfState state_;
  /// What may start since pump() has looked.
  static constexpr unsigned kHandOut = 1, kReceive = 2, kTransmit = 4, kAnything = 7;
  unsigned may_start_ = kAnything;
  mutable bool ports_known_ = false;  ///< ports_next_ is up to date
  mutable Tick ports_next_ = kNever;  ///< the first event of a port
};

}  // namespace weft::emulator
