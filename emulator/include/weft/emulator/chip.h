// Chip and board descriptions: every number about the hardware that the emulator uses, read from emulator/chips/*.json
// and emulator/boards/*.json. Each number in those files carries its source, or the word "chosen".
//
// A chip file speaks in cycles of the engine clock; a board file fixes the clocks and with them the tick.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/json.h"
#include "weft/emulator/command.h"
#include "weft/emulator/engine.h"

namespace weft::emulator {

/// A number of a description with its place in the file and its source, for `weft chip show`.
struct SourcedNumber {
  std::string path;  ///< JSON pointer, e.g. "/units/sram/unloaded"
  std::string value;
  std::string source;
  std::string file;  ///< that says it: of the description itself, or of the one that it is based on
};

/// The way of a command through a unit, in engine cycles. For the least access the parts sum to `unloaded`, which is
/// measured from the cycle in which the command is issued to the first cycle in which its context is Ready.
struct UnitTiming {
  uint32_t inlet = 0;     ///< commands that fit in the unit's inlet; when it is full, engines stall
  uint32_t command = 0;   ///< command bus: from the issuing engine to the inlet
  uint32_t access = 0;    ///< from leaving the inlet until the first data unit has passed
  uint32_t reply = 0;     ///< push or pull bus and signal
  uint32_t unloaded = 0;  ///< the sum
  uint32_t access_write = 0, unloaded_write = 0;  ///< IXP1200: the same for writes; 0 elsewhere
};

struct ScratchDescription {
  UnitTiming timing;
  uint32_t bytes = 0;
  uint32_t rings = 0;
  uint32_t clock_divider = 1;      ///< engine cycles per longword
  uint32_t near_full_percent = 0;  ///< a ring of which this share is used shows "full"
};

struct SramDescription {
  UnitTiming timing;
  uint32_t channels = 0;         ///< at most, on a board
  uint64_t channel_bytes = 0;    ///< at most, per channel
  uint32_t queue_array = 0;      ///< queue descriptors per channel
  uint32_t bytes_per_clock = 0;  ///< per direction, of the memory clock
  uint32_t queue_access = 0;     ///< extra engine cycles for the link access of enqueue and dequeue
};

struct DramDescription {
  UnitTiming timing;
  uint64_t bytes = 0;            ///< at most
  uint32_t bytes_per_clock = 0;  ///< of the memory clock; reads and writes share it
  // Figures of the memory parts, in engine cycles; 0 leaves the effect out.
  uint32_t banks = 1;
  uint32_t row_bytes = 2048;  ///< consecutive bytes of a bank; the next ones are in the next bank
  uint32_t row_miss = 0;      ///< to close a row and open another one
  uint32_t turn_round = 0;    ///< between a read and a write, or a write and a read
  uint32_t refresh_interval = 0, refresh_cycles = 0;  ///< all banks, each interval
};

struct HashDescription {
  UnitTiming timing;                                   ///< for one 48-bit hash
  uint32_t steps_48 = 0, steps_64 = 0, steps_128 = 0;  ///< engine cycles in the array
};

struct MsfDescription {
  UnitTiming timing;           ///< register and buffer access
  uint32_t buffer_bytes = 0;   ///< RBUF, and TBUF
  uint32_t clock_divider = 1;  ///< engine cycles per longword
  uint32_t freelists = 0;
  uint32_t freelist_depth = 0;  ///< waiting contexts per list
  uint32_t status_push = 0;     ///< engine cycles from "element full and context waiting" to the signal
};

struct CapDescription {
  UnitTiming timing;
  uint32_t clock_divider = 1;
};

// Units of the IXP1200. Depths of queues are numbers of commands, those on the way included.

struct Sram1200Description {
  uint32_t locks = 0;                                    ///< addresses that can be locked at once
  uint32_t lists = 0;                                    ///< hardware lists of push and pop
  uint32_t ordered = 0, optimize_mem = 0, priority = 0;  ///< depths
  uint32_t lock_misses = 0;                              ///< depth of the list of read_locks that wait
  uint32_t turn_round = 0;  ///< engine cycles between a read and a write, or a write and a read
};

struct Sdram1200Description {
  uint32_t ordered = 0, priority = 0;  ///< depths
  uint32_t bank_queue = 0;             ///< depth of the queue for even banks, and of that for odd ones
};

struct FbiDescription {
  UnitTiming timing;              ///< scratch, CSRs and FIFOs
  uint32_t clock_divider = 1;     ///< engine cycles per longword
  uint32_t fifo_elements = 0;     ///< of 64 bytes each, in the RFIFO and in the TFIFO
  uint32_t ready_step = 1;        ///< engine cycles of a step of the ready-bus sequencer
  uint32_t receive_requests = 1;  ///< that may be outstanding: REC_REQ_AVAIL is down when there are so many
  uint32_t receive_start = 0;     ///< engine cycles from the write of RCV_REQ until the IX bus can be taken for it
  uint32_t receive_done = 0;      ///< engine cycles from the end of the mpacket on the bus to start_receive
};

struct ChipDescription {
  std::string name;      ///< "ixp2400"
  std::string based_on;  ///< the chip of which only differences are said; empty: none
  std::string family;    ///< the name at the end of that chain: what IS_IXPTYPE asks a program's chip for
  std::string summary;
  isa::Profile profile = isa::Profile::me2;
  uint64_t engine_hz_max = 0;
  uint32_t engines = 0;
  uint32_t contexts = 0;                ///< per engine
  uint32_t local_memory = 0;            ///< longwords per engine
  EngineTiming engine;                  ///< `period` is set by the board
  std::vector<uint8_t> engine_numbers;  ///< hardware numbers in chip order: 0x00-0x03, 0x10-0x13
  ScratchDescription scratch;
  SramDescription sram;
  DramDescription dram;
  HashDescription hash;
  MsfDescription msf;
  CapDescription cap;
  // Profile me1 has no MSF and no CAP; `scratch.bytes`, `sram`, `dram` and `hash` hold what both generations know.
  Sram1200Description sram1200;
  Sdram1200Description sdram1200;
  FbiDescription fbi;
  std::vector<SourcedNumber> numbers;
};

/// The media side of one chip on a board: the bus between the MSF and the MACs.
struct MediaBusDescription {
  Tick period = 0;  ///< of the bus clock
  uint32_t bytes_per_clock = 0;
  uint32_t overhead_clocks = 0;   ///< per mpacket: selection and status
  uint32_t mpacket_bytes = 0;     ///< at start: 64, 128 or 256
  bool enabled_at_start = false;  ///< channels enabled and all RBUF elements free before cycle 0
};

struct PortDescription {
  std::string name;           ///< "gigabit0"
  uint32_t number = 0;        ///< position among the ports of its chip, counted from 0
  uint32_t board_number = 0;  ///< position in the board file; the same on a board of one chip
  uint32_t channel = 0;       ///< channel number in status and control words
  uint64_t bits_per_second = 0;
  Tick byte_ticks = 0;  ///< time of one byte on the wire
  uint32_t preamble_bytes = 0, gap_bytes = 0, fcs_bytes = 0;
  uint32_t minimum_frame = 0;  ///< without the check sequence; shorter frames are padded
  uint32_t maximum_frame = 0;  ///< without the check sequence; longer frames are dropped on receive
  uint32_t receive_buffer = 0, transmit_buffer = 0;  ///< of the MAC, in bytes
  bool hands_over_fcs = false;  ///< the last bytes that the MAC gives to the chip are those of the check sequence
  bool cut_through = false;     ///< mpackets leave the MAC while their frame still arrives; ports of an IXP1200
  std::string mac;              ///< address "02:00:00:00:00:00", for control programs
  /// Bytes after a frame that the chip gets of it.
  uint32_t handed_over() const { return hands_over_fcs ? fcs_bytes : 0; }
};

struct MemoryChannel {
  uint64_t bytes = 0;
  Tick period = 0;  ///< of the memory clock
};

/// One end of a link: it carries mpackets from the media interface of a chip to that of another (docs/timing.md, L).
struct LinkEndDescription {
  std::string link;  ///< "to-egress"
  bool sends = false;
  uint32_t channel = 0;          ///< in control words where it sends, in status words where it receives
  Tick latency = 0;              ///< of an mpacket, and of the word that its place is free again
  uint32_t buffer_mpackets = 0;  ///< that the receiving end holds
};

/// A chip as it sits on a board. `chip.engine.period` and all ticks are those of the board.
struct ChipOnBoard {
  std::string name;  ///< on a board of several chips: "ingress"
  ChipDescription chip;
  std::vector<MemoryChannel> sram;
  MemoryChannel dram;
  MediaBusDescription media;
  std::vector<PortDescription> ports;
  std::vector<LinkEndDescription> links;
};

/// Where a link begins and ends: chips by position on the board, ends by position in ChipOnBoard::links.
struct LinkDescription {
  std::string name;
  uint32_t from_chip = 0, from_end = 0, to_chip = 0, to_end = 0;
  Tick latency = 0;
};

/// The control processor of a board: how it reaches the memories, and what its software costs, in cycles of its clock.
struct ControlDescription {
  Tick period = 0;
  uint32_t poll_cycles = 0;    ///< between two looks at the interrupt lines while it has nothing to do
  uint32_t bridge_cycles = 0;  ///< between it and a memory unit, each way
  uint32_t outstanding_reads = 0, outstanding_writes = 0;  ///< at most
  uint32_t burst_longwords = 0;                            ///< at most, in one access
  uint32_t patience_cycles = 0;    ///< an access that has waited for so long comes before those of engines; 0 = never
  uint32_t store_word_cycles = 0;  ///< to write one word of a control store
  uint32_t cycles_per_interrupt = 0, cycles_per_packet = 0,
           cycles_per_route = 0;  ///< of handlers, without their accesses
};

struct BoardDescription {
  std::string name;  ///< "generic-2400"
  std::string summary;
  uint64_t ticks_per_second = 0;  ///< 6,000,000,000 for 1/6 ns
  std::vector<ChipOnBoard> chips;
  std::vector<LinkDescription> links;
  std::optional<ControlDescription> control;  ///< absent: nobody has given its figures
  std::vector<SourcedNumber> numbers;
};

/// Reads a description. Every mistake in the file is reported, not only the first.
///
/// Diagnostics beside those of JsonNode: chip-format, chip-source (a number without source), chip-latency (parts that
/// do not sum to the unloaded figure), chip-range, board-clock (a period that is not a whole number of ticks),
/// board-memory, board-port, description-missing.
/// A chip that is based on another one (chip-base): that is looked up in the data folders, or beside the file when it
/// is a path.
Result<ChipDescription> read_chip(const JsonDocument& document, const std::vector<std::string>& data_folders = {});
/// `data_folders` hold chips/ and boards/; the board's chip is looked up there.
Result<BoardDescription> read_board(const JsonDocument& document, const std::vector<std::string>& data_folders);

enum class DescriptionKind : uint8_t { chip, board };
/// The document of a chip or board. A name without slash and without ".json" is looked up in the folders in order;
/// anything else is a path.
Result<JsonDocument> find_description(DescriptionKind kind, const std::string& name_or_path,
                                      const std::vector<std::string>& data_folders);
/// Names of all descriptions of a kind in the folders, sorted.
std::vector<std::string> list_descriptions(DescriptionKind kind, const std::vector<std::string>& data_folders);

/// find_description and read_chip / read_board in one.
Result<ChipDescription> load_chip(const std::string& name_or_path, const std::vector<std::string>& data_folders);
Result<BoardDescription> load_board(const std::string& name_or_path, const std::vector<std::string>& data_folders);

/// A file that load_board() reads.
struct DescriptionFile {
  std::string path;
  /// The data folder in which it was found by its name, or in which that was found from which paths lead to it.
  std::optional<size_t> folder;
  bool operator==(const DescriptionFile&) const = default;
};
/// The board's own file, and those of its chips and of the chips on which these are based, with the first that cannot
/// be read of each. Only regular files are opened: a pipe would be empty after that, or never end.
std::vector<DescriptionFile> files_of_board(const std::string& name_or_path,
                                            const std::vector<std::string>& data_folders);

/// For `weft chip check FILE`: what is wrong with a chip or board file (its "format" says which), empty when nothing.
Diagnostics check_description(const std::string& path, const std::vector<std::string>& data_folders);

}  // namespace weft::emulator
