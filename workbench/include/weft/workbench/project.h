// A project as the user wrote it: weft.json, read and checked, with nothing built yet.
//
// The format is described in docs/project.md and docs/schemas/project.schema.json. Relative names start at the
// project's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/json.h"
#include "weft/emulator/observers/pools.h"
#include "weft/image/link.h"

namespace weft::workbench {

/// A chip of the board by name; empty on a board of one chip. The board, which knows the names, is read later.
struct ChipName {
  std::string name;
  SourceRange range;  ///< of the name, or of what lacks it
};

/// One program and the microengines that run it.
struct ProgramEntry {
  ChipName chip;
  std::filesystem::path file;
  std::optional<std::string> text;    ///< microcode that stands in no file; `file` is what messages call it
  std::filesystem::path text_folder;  ///< where names in #include of `text` begin
  bool is_image = false;              ///< an Image to load; otherwise microcode to assemble
  bool case_sensitive = false;        ///< names that differ by case alone are different names
  std::vector<unsigned> engines;
  std::vector<std::pair<std::string, std::string>> defines;
  std::map<std::string, SourceRange> define_places;  ///< by name, of those that stand in a file
  std::vector<std::filesystem::path> include_dirs;
  std::filesystem::path rules;  ///< firewall rules that the program includes as compiled_rules.uc; empty: none
  SourceRange rules_range;
  SourceRange range;
};

/// A frame of a test. It is sent at its time, or after the one before it.
struct ListedFrame {
  uint64_t nanoseconds = 0;
  std::vector<uint8_t> bytes;  ///< without check sequence
  bool damaged = false;        ///< arrives with a wrong check sequence
};

/// Of the generated packets of a port.
inline constexpr uint32_t kMaxFlows = 1u << 20;

/// Traffic into a port: a capture, a generator, or frames of a list.
struct TrafficEntry {
  enum class Kind : uint8_t { none, capture, generated, listed } kind = Kind::none;
  std::vector<ListedFrame> frames;
  std::filesystem::path capture;
  SourceRange capture_range;  ///< of its name; line 0: the command line gave it
  bool line_rate = true;      ///< captures: back to back instead of at their own time stamps
  /// Captures at their time stamps: later by so much than on the clock that all these captures of the project share.
  int64_t offset_nanoseconds = 0;
  // Generated traffic (lib/packet/traffic.h):
  uint64_t count = 0;
  std::string size = "64";      ///< frame bytes including the check sequence, or "imix"
  std::string destinations;     ///< "random", or a list of prefixes of one family separated by blanks
  std::filesystem::path table;  ///< instead: rows that begin with a prefix; each prefix length gets its share
  uint32_t via = 0,
           vias = 0;      ///< only its rows whose next hop is a number n with n modulo vias = via; 0 vias: all rows
  uint32_t distinct = 0;  ///< destinations taken from the table; 0 = one for each flow
  std::string source;     ///< empty: 198.19.0.1, or 2001:2::1
  /// Packets in between that are not for the router's fast way (packet::SpecialPackets).
  enum class Special : uint8_t { none, local, options } special = Special::none;
  uint32_t special_permille = 0;
  std::string special_to;  ///< local: the router's address
  uint32_t flows = 64;
  uint32_t first_flow = 0;      ///< in the stamps of the packets
  std::string destination_mac;  ///< empty: the MAC that the control program gives the port
  std::string source_mac = "02:00:00:00:00:01";
  double rate = 1.0;    ///< share of the line rate
  uint64_t repeat = 1;  ///< captures: how many times
  struct Label {
    uint32_t first = 0, last = 0;
  };
  std::vector<Label> labels;  ///< MPLS, the top one first; the flows take those of a range in turn
};

struct PortEntry {
  unsigned port = 0;
  TrafficEntry in;
  std::optional<std::filesystem::path> out;  ///< capture file to write; "-" is standard output
  SourceRange range;
};

struct ControlEntry {
  ChipName chip;
  std::string program;  ///< "ipv4"; empty: there are commands alone, and no configuration
  std::filesystem::path config;
  std::map<std::string, std::string> options;
  std::string commands;                     ///< lines for the run as a user starts it, `weft run` (docs/debugging.md)
  std::vector<SourceRange> command_places;  ///< of each of these lines
  SourceRange range;
  SourceRange program_range, config_range;  ///< of these values; line 0: the command line gives them

  bool has_program() const { return !program.empty(); }
};

/// A buffer pool (emulator/observers/pools.h): what the packet tracker and the buffer checks know of buffers.
struct PoolEntry {
  std::string name;
  ChipName chip;
  emulator::BufferPool pool;
  bool fill = false;  ///< at cycle 0 all its buffers are on the free list
  SourceRange range;
};

/// A ring as it is at cycle 0.
struct RingEntry {
  std::string name;  ///< may be empty
  ChipName chip;
  bool sram = false;     ///< a ring of the queue array of `channel`; otherwise a scratch ring
  unsigned number = 0;   ///< ring, or entry of the queue array
  unsigned channel = 0;  ///< of SRAM
  uint64_t base = 0;     ///< byte address, a multiple of the ring's bytes
  uint32_t longwords = 0;
  bool status_is_empty = false;    ///< what br_inp_state tests of a scratch ring; otherwise full
  std::vector<uint32_t> contents;  ///< put in this order
  SourceRange range;
};

/// What a program counts of the packets that it drops or hands to the control processor for one reason, or of the
/// frames that it makes.
struct ReasonEntry {
  std::string name;
  ChipName chip;
  bool to_core = false;      ///< handed to the control processor; otherwise dropped
  bool made = false;         ///< neither: frames that the program has made itself
  std::string block;         ///< a memory block of the programs in which the counter lies; empty: `region`
  image::Region region{};    ///< of `address`
  uint64_t address = 0;      ///< bytes; with a block: in it
  unsigned ports = 0;        ///< a counter for each of so many ports by which packets come in; 0: one counter
  uint64_t port_stride = 4;  ///< bytes from the counter of a port to that of the next one
  SourceRange range;
};

/// Memory that outlives packets: what is read from there makes nobody work on another packet (the packet tracker).
struct TableEntry {
  ChipName chip;
  std::string block;       ///< a memory block of the programs, as a whole; empty: `region`
  image::Region region{};  ///< of `address`
  uint64_t address = 0, bytes = 0;
  SourceRange range;
};

/// When a run ends; the first that holds. Zero means "not given".
struct Limits {
  uint64_t cycles = 0;        ///< engine cycles
  uint64_t packets = 0;       ///< frames transmitted, dropped or handed to the core, together
  uint64_t quiet_cycles = 0;  ///< after the last frame has entered: cycles without any frame leaving
};

struct Project {
  std::filesystem::path folder;
  std::string name;
  std::string board;
  SourceRange board_range;  ///< of its name
  uint64_t seed = 1;
  std::vector<ProgramEntry> programs;
  std::vector<image::Space> spaces;
  std::map<std::string, uint64_t> constants;
  std::vector<PortEntry> ports;
  std::optional<ControlEntry> control;
  std::vector<PoolEntry> pools;  ///< empty: those of the control program
  std::vector<RingEntry> rings;  ///< beside those of the control program
  std::vector<ReasonEntry> reasons;
  std::vector<TableEntry> tables;
  Limits limits;
  bool keep_frames = false;  ///< what leaves by any port is kept for Session::sent()
  JsonDocument document;
  /// Values of the file that the command line or a test changes: where each stands, or what holds it, and a note.
  std::vector<std::pair<SourceRange, Note>> changes;
};

/// What the command line, or a test, changes: --in PORT=PCAP, --out PORT=PCAP, --set KEY=VALUE, --seed.
struct Overrides {
  std::vector<std::pair<unsigned, std::string>> in, out;
  /// A path into weft.json with dots ("limits.cycles", "ports.0.in.count") and a JSON value or plain text.
  std::vector<std::pair<std::string, std::string>> set;
  /// By path: where a test file says so, of what does not come from the command line.
  std::map<std::string, SourceRange> set_places = {};
  std::optional<uint64_t> seed;
  /// Absolute names below the first folder stand below the second one: files of a recording, which are elsewhere now.
  std::optional<std::pair<std::filesystem::path, std::filesystem::path>> moved = {};
};

/// `path` is a folder with a weft.json, or that file.
Result<Project> load_project(const std::string& path, const Overrides& overrides = {});

/// The folder with chips/ and boards/: $WEFT_DATA, or beside the installed program, or the source tree.
std::filesystem::path data_folder();

}  // namespace weft::workbench
