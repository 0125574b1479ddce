// The packet tracker: where each frame went, which way it took through the programs, and what it cost.
//
// Each longword in media buffers, memories and rings carries the number of a packet. Numbers move only with commands: a
// context works on the packet of the last numbered longword that it received, and what it writes carries that number.
// docs/observers.md says what that can and cannot see.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/observers/cell_ranges.h"
#include "weft/emulator/observers/histogram.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packet_bytes.h"
#include "weft/emulator/observers/pools.h"
#include "weft/emulator/observers/programs.h"

namespace weft::emulator {

struct CommandAccess;

enum class Verdict : uint8_t {
  in_flight,  ///< the run ended first
  forwarded,  ///< left by a port
  dropped,    ///< its buffer went back to its pool or to another packet, or a .drop mark was passed, and it never left
  to_core,    ///< taken by the control processor
  lost_in,    ///< at the receiving port
  lost_out,   ///< at the transmitting port
};
inline constexpr size_t kVerdicts = 6;
std::string_view to_text(Verdict verdict);

/// What programs say about a place: marks, or the last label where there are none.
struct PacketPlace {
  std::string stage, block, label;
  std::string name() const {
    return !stage.empty() ? stage : !block.empty() ? block : !label.empty() ? label : "(unnamed)";
  }
  bool operator==(const PacketPlace&) const = default;
  WEFT_FIELDS(PacketPlace, stage, block, label)
};

/// A stretch of a packet's way: one context at one place of its program.
struct PacketStep {
  uint8_t engine = 0, context = 0;
  uint16_t place = 0;         ///< index into PacketTracker::places()
  uint16_t pc = 0;            ///< its first word
  uint32_t busy = 0;          ///< cycles in which the context held the engine
  uint64_t from = 0, to = 0;  ///< engine cycles [from, to), from its first to its last word
  uint16_t last_pc = 0;       ///< its last word
  WEFT_FIELDS(PacketStep, engine, context, place, pc, busy, from, to, last_pc)
};

/// Cycles of one engine for one packet.
struct PacketCost {
  uint8_t engine = 0;
  uint32_t executing = 0, aborted = 0, stalled = 0;
  WEFT_FIELDS(PacketCost, engine, executing, aborted, stalled)
};

struct PacketRecord {
  uint32_t number = 0;  ///< from 1, in the order in which frames ended on the wires
  uint8_t port = 0;
  int16_t out_port = -1;
  Verdict verdict = Verdict::in_flight;
  bool damaged = false;
  uint16_t sent = 0;     ///< frames with its number that left
  uint32_t bytes = 0;    ///< without check sequence
  uint64_t frame = 0;    ///< of its port, from 1
  uint64_t arrived = 0;  ///< engine cycle of the last bit on the wire
  uint64_t ended = 0;    ///< engine cycle of the verdict
  uint64_t budget = 0;   ///< engine cycles that frame, preamble and gap take on the wire
  std::string reason;    ///< of drops, exceptions and losses: the mark, the cause, or the source line
  std::string line;      ///< "forward.uc:120": where the reason was given
  ContextRef reason_by;  ///< who gave it, when there is a line
  uint16_t reason_pc = 0;
  uint64_t reason_cycle = 0;  ///< when it was given
  std::vector<PacketCost> cost;
  std::vector<PacketStep> steps;
  uint32_t steps_missing = 0;
  std::vector<uint8_t> data;  ///< the frame, when PacketLimits::frames asks for it
  PacketBytes bytes_of;       ///< what became of its bytes, when PacketLimits::frames asks for it
  WEFT_FIELDS(PacketRecord, number, port, out_port, verdict, damaged, sent, bytes, frame, arrived, ended, budget,
              reason, line, reason_by, reason_pc, reason_cycle, cost, steps, steps_missing, data, bytes_of)
};

/// A ring or queue that programs use.
struct QueueName {
  enum class Kind : uint8_t { scratch_ring, sram_ring, sram_queue, list } kind = Kind::scratch_ring;
  unsigned channel = 0, number = 0;
  bool operator==(const QueueName&) const = default;
  std::string name() const;  ///< "scratch ring 3", "sram1 queue 9"
  WEFT_FIELDS(QueueName, kind, channel, number)
};
/// From `cycle` on it holds so many entries: longwords of rings, buffers of queues.
struct QueueChange {
  uint64_t cycle = 0;
  uint32_t depth = 0;
  uint16_t queue = 0;  ///< index into PacketTracker::queues()
  WEFT_FIELDS(QueueChange, cycle, depth, queue)
};

struct PacketLimits {
  size_t packets = 100'000;   ///< finished ones that are kept; then the oldest go. About 600 bytes each, plus the frame
  size_t steps = 64;          ///< of one packet
  size_t tag_pages = 16'384;  ///< of 1,024 longwords, 4 KB each; longwords beyond carry no number
  size_t queue_changes = 1'000'000;  ///< of all rings and queues, 16 bytes each; then the oldest go
  bool frames =
      false;  ///< keep the bytes of frames, and who wrote which of them: about 40 bytes a write and what was written
  size_t writes = 256;  ///< of one packet; those beyond are counted
};

/// All packets, kept or not.
struct PacketTotals {
  std::array<uint64_t, kVerdicts> by_verdict{};
  std::map<std::tuple<Verdict, std::string, uint8_t>, uint64_t> reasons;  ///< verdict, reason, port of arrival
  std::vector<Histogram> stage_time;                                      ///< by place: engine cycles of a step
  std::vector<Histogram> engine_busy;  ///< by engine: cycles in which it was held for one packet
  Histogram latency;                   ///< engine cycles from arrival to the end of the transmission
  uint64_t packets = 0;
  uint64_t unnumbered_sent = 0;     ///< frames that left without a number: made by the programs
  uint64_t not_kept = 0;            ///< records that went
  uint64_t untagged_longwords = 0;  ///< written when tag_pages was used up
  WEFT_FIELDS(PacketTotals, by_verdict, reasons, stage_time, engine_busy, latency, packets, unnumbered_sent, not_kept,
              untagged_longwords)
};

class PacketTracker : public Observer {
 public:
  /// Programs must be loaded; everything must outlive the observer.
  PacketTracker(const Machine& machine, Units& units, Images images, std::vector<BufferPool> pools,
                PacketLimits limits = {}, const std::vector<TableMemory>& tables = {});
  /// Gives every packet that is still under way its record. Call once, after the last run.
  void finish();

  const std::deque<PacketRecord>& records() const { return records_; }  ///< in the order in which they ended
  /// Rings and queues in the order of their first use, and how full they were.
  const std::vector<QueueName>& queues() const { return queues_; }
  const std::deque<QueueChange>& queue_changes() const { return queue_changes_; }
  uint64_t queue_changes_lost() const { return queue_changes_lost_; }  ///< older ones that went
  /// Those that are under way, by number. Their verdict is in_flight.
  std::vector<const PacketRecord*> under_way() const;
  const PacketTotals& totals() const { return totals_; }
  const std::vector<PacketPlace>& places() const { return places_; }
  const std::vector<BufferPool>& pools() const { return pools_; }
  const Machine& machine() const { return machine_; }
  const Images& images() const { return images_; }
  /// The packet a context works on; 0 = none.
  uint32_t packet_of(ContextRef who) const;

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stall(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_state(ContextRef who, ContextState state, uint64_t cycle) override;
  void on_issue(const Command& command) override;
  void on_serve(const Command& command, Tick at) override;
  void on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override;
  void on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override;
  void on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override;
  void on_pushes(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, Tick at) override;
  void on_media(const MediaEvent& event) override;
  void on_host_ring(unsigned ring, bool put, uint32_t word) override;
  bool may_stop() const override { return false; }

 private:
  friend struct weft::fields::Access;
  WEFT_FIELDS(PacketTracker, totals_, places_, contexts_, live_, records_, open_, answering_, answered_, freeing_,
              freeing_by_, freeing_pc_, tags_, links_, rings_, rbuf_, tbuf_, held_, elements_, pulling_, queues_,
              queue_changes_, queue_changes_lost_, handed_, neighbor_, owners_, ports_, last_number_, finished_)
  friend struct Mending;
  struct Live {
    PacketRecord record;
    std::array<uint8_t, 16> holders{};  ///< per engine: contexts that work on it
    unsigned outgoing = 0;              ///< transmit elements and frames that carry it
    bool dropping = false;              ///< a .drop mark was passed
    bool losing = false;                ///< a port has lost it; transmit elements may still carry the rest
    bool in_pool = false;               ///< it was stored in a buffer of a pool, so that its handle is known
    ByteSources buffer;                 ///< by byte address in DRAM
    struct Stored {
      uint64_t address = 0;
      uint32_t offset = 0, length = 0;  ///< in the frame
      WEFT_FIELDS(Stored, address, offset, length)
    };
    std::vector<Stored> stored;  ///< where mpackets went
    WEFT_FIELDS(Live, record, holders, outgoing, dropping, losing, in_pool, buffer, stored)
  };
  struct ContextShadow {
    uint32_t packet = 0;
    Live* live = nullptr;
    int step = -1;  ///< index into the packet's steps
    uint16_t pc = 0;
    bool handed_on = false;  ///< it is on a ring or queue: what the context does after its next swap is not for it
    bool charged = false;
    int cost = -1;      ///< index into the packet's costs; -1: not known
    uint32_t lent = 0;  ///< the packet that another engine has taken over from it, while it has no other one
    // `live` is found again by `packet`, and `cost` by the engine.
    WEFT_FIELDS(ContextShadow, packet, fields::left_out(live), step, pc, handed_on, charged, fields::left_out(cost),
                lent)
  };
  struct Open {  ///< a command under way that carries numbers
    ContextRef from;
    uint16_t pc = 0;
    uint32_t packet = 0;
    bool taken_over = false;  ///< from a ring or queue: other engines have done their part
    uint8_t count = 0;
    std::array<uint32_t, 32> tags{};
    uint32_t by_handle = 0;  ///< bit i: longword i hands its packet over only when it has a handle in it
    WEFT_FIELDS(Open, from, pc, packet, taken_over, count, tags, by_handle)
  };
  struct Word {
    uint16_t place = 0;
    int16_t mark = -1;                        ///< index of a .drop or .exception mark at this word
    bool ring_put = false, ring_get = false;  ///< next-neighbor ring
    bool is_plain() const { return !ring_put && !ring_get && mark < 0; }
  };
  struct Element {  ///< what a receive element holds of its frame
    uint32_t first = 0, length = 0;
    WEFT_FIELDS(Element, first, length)
  };
  struct Pulling {        ///< longwords that a command takes from transfer registers for a packet
    uint32_t packet = 0;  ///< 0: none
    PacketWrite write;
    uint64_t at = 0;
    unsigned done = 0;
    uint32_t byte_mask = 0xff;  ///< of a quadword; bit 7 is the first byte
    WEFT_FIELDS(Pulling, packet, write, at, done, byte_mask)
  };
  struct PortShadow {
    uint64_t frames = 0;
    std::deque<uint32_t> arriving;    ///< in the MAC: packets
    uint32_t gathering = 0;           ///< the frame whose end has not come
    uint32_t before = 0;              ///< the one that a start has cut off
    bool sop = false;                 ///< of the last element
    bool discarding = false;          ///< the frame is lost: so is what comes of it until the next one begins
    std::vector<PacketPiece> pieces;  ///< of the frame that is gathered
    struct Leaving {
      uint32_t packet = 0;  ///< 0 = without number
      std::vector<PacketPiece> pieces;
      WEFT_FIELDS(Leaving, packet, pieces)
    };
    std::deque<Leaving> leaving;
    WEFT_FIELDS(PortShadow, frames, arriving, gathering, before, sop, discarding, pieces, leaving)
  };

  /// Of the packet that the context works on.
  static PacketCost& cost_of(ContextShadow& context, uint8_t engine);
  /// One word; the cycles that it takes, with those that are lost behind it.
  uint32_t charge(PacketCost& cost, uint8_t engine) const;
  /// on_execute() of a word that is more than another one of the same step.
  void look_closer(ContextRef who, const Word& word, uint16_t pc, uint64_t cycle);
  void use_ring(ContextRef who, const Word& word);
  void mark_passed(Live& live, const Word& word, ContextRef who, uint16_t pc, uint64_t cycle);
  Open& add_open(uint64_t sequence);
  void erase_open(uint64_t sequence);
  ContextShadow& context(ContextRef who) { return contexts_[who.engine * kContexts + who.context]; }
  Live* find(uint32_t packet);
  uint64_t now_cycle() const { return machine_.now() / machine_.timing().period; }
  void describe_programs();
  void receive(ContextRef who, uint32_t packet, bool taken_over);
  void leave(ContextRef who);
  void hand_on(ContextRef who);
  void end(Live& live, Verdict verdict);
  void keep(PacketRecord&& record);
  void set_tag(uint64_t cell, uint32_t packet);
  uint32_t tag(uint64_t cell) const;
  /// A longword with the number of the packet that is read there may be of a table.
  bool needs_handle(uint64_t cell, uint32_t packet);
  /// The value has a handle of one of the packet's buffers in it.
  bool has_handle(uint32_t value, uint32_t packet) const;
  /// Longword i of the answer makes who asked for it work on the packet whose number it carries.
  bool hands_over(const Open& open, unsigned i, uint32_t value);
  uint32_t take_from_ring(unsigned ring);
  void buffer_freed(size_t pool, uint32_t handle, const ContextRef* by, uint16_t pc);
  void buffer_filled(uint64_t byte_address, uint32_t packet);
  void release_outgoing(uint32_t packet);
  std::string place_text(ContextRef who, uint16_t pc) const;
  void bytes_served(const Command& command, const CommandAccess& access, uint32_t packet);
  void bytes_stored(const CommandAccess& access, PacketWrite write);
  void bytes_copied(const CommandAccess& access, PacketWrite write);
  void bytes_pulled(uint32_t value);
  void bytes_taken(const MediaEvent& event, uint32_t packet, PortShadow& port);
  void bytes_sent(PacketRecord& record, std::vector<PacketPiece> pieces, const std::vector<uint8_t>* frame) const;
  std::optional<int32_t> frame_offset(const Live& live, uint64_t address) const;
  /// The index of the write, kUnknown when there are too many.
  int32_t note_write(PacketBytes& bytes, const PacketWrite& write) const;
  void queue_served(const CommandAccess& access);
  void note_depth(QueueName queue, uint32_t depth);
  void arrive(const MediaEvent& event);
  void transmit_element(const MediaEvent& event);
  void lose_outgoing(uint32_t packet, std::string_view cause);
  void end_lost(uint32_t packet);

  const Machine& machine_;
  EngineStates states_;
  Units& units_;
  Images images_;
  std::vector<BufferPool> pools_;
  CellRanges buffers_;  ///< of the pools
  CellRanges tables_;   ///< they carry no numbers
  PacketLimits limits_;
  PacketTotals totals_;
  std::vector<PacketPlace> places_;
  std::vector<std::vector<Word>> words_;         ///< [engine][pc]
  std::vector<std::span<const Word>> programs_;  ///< the same, quicker to reach
  std::vector<ContextShadow> contexts_;
  std::unordered_map<uint32_t, std::unique_ptr<Live>> live_;
  std::deque<PacketRecord> records_;
  std::unordered_map<uint64_t, Open> open_;
  std::vector<std::unordered_map<uint64_t, Open>::node_type> spare_;  ///< places of it, to be used again
  Open* answer_ = nullptr;
  uint64_t answering_ = kUnasked;
  unsigned answered_ = 0;
  std::optional<size_t> freeing_;  ///< the pool whose free list the command in service puts on
  ContextRef freeing_by_;
  uint16_t freeing_pc_ = 0;
  std::unordered_map<uint64_t, std::unique_ptr<std::array<uint32_t, 1024>>> tags_;
  std::unordered_map<uint64_t, uint32_t> links_;  ///< channel and link of an enqueued buffer
  std::array<std::deque<uint32_t>, 16> rings_;    ///< scratch rings, oldest entry first; 0 = without number
  std::vector<uint32_t> rbuf_;                    ///< per receive element
  std::vector<uint32_t> tbuf_;                    ///< per longword
  std::vector<Element> held_;                     ///< per receive element
  std::vector<QueueName> queues_;
  std::deque<QueueChange> queue_changes_;
  uint64_t queue_changes_lost_ = 0;
  ByteSources elements_;  ///< by byte address in the transmit elements
  Pulling pulling_;
  std::map<std::pair<uint8_t, uint8_t>, std::deque<uint32_t>> handed_;  ///< engine and register of a status
  std::vector<std::deque<uint32_t>> neighbor_;                          ///< per reading engine
  std::vector<std::vector<uint32_t>> owners_;                           ///< [pool][buffer]
  std::vector<PortShadow> ports_;
  uint32_t last_number_ = 0;
  bool finished_ = false;
};

/// Text: totals, reasons, stages.
std::string to_text(const PacketTracker& tracker);
/// Version 1 (docs/observers.md).
void write_json(const PacketTracker& tracker, const ByteSink& out);
/// One row per packet.
void write_csv(const PacketTracker& tracker, const ByteSink& out);
/// Frames as they arrived, in the order of arrival, with verdict and way as comments; one interface per port. Needs
/// PacketLimits::frames.
void write_pcapng(const PacketTracker& tracker, uint64_t ticks_per_second, const ByteSink& out);

}  // namespace weft::emulator
