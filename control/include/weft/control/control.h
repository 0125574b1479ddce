// What a control program hands to the workbench: everything that is put into the machine before cycle 0, and the
// program that runs beside the engines afterwards.
//
// Loading before cycle 0 is free; what the program does later is timed (ControlProgram below).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/fields.h"
#include "weft/control/address.h"
#include "weft/image/link.h"

namespace weft::control {

/// A scratch ring as it stands at cycle 0: base CSR and content.
struct RingSetup {
  unsigned ring = 0;
  uint32_t base = 0;               ///< byte address in scratch
  uint32_t longwords = 0;          ///< 128, 256, 512 or 1024
  bool status_is_empty = false;    ///< what br_inp_state tests: false = full
  std::vector<uint32_t> contents;  ///< put in this order
  std::string name;
};

/// What the machine and the traffic generators must know about a port.
struct PortSetup {
  unsigned port = 0;
  std::string name;
  Mac mac{};
  uint32_t mtu = 1500;                    ///< IP bytes
  std::vector<std::string> interfaces{};  ///< names: one, or those of its VLANs
};

/// A buffer pool: its free list is `ring`, so free buffers = longwords in that ring.
struct PoolSetup {
  std::string name;
  unsigned ring = 0;
  uint64_t base = 0;  ///< DRAM byte address of the first buffer
  uint32_t bytes = 0;
  uint32_t count = 0;
};

/// A counter that microcode keeps in memory, for the report.
struct CounterSetup {
  enum class Kind : uint8_t {
    dropped,
    to_core,
    made,    ///< frames that the program has made itself: copies of a packet, answers
    figure,  ///< one of a service's own, which tells the fate of no packet that the others do not tell
  } kind = Kind::dropped;
  std::string reason;  ///< as in the mark `.drop reason` or `.exception reason`; of a figure its column: "sent"
  static constexpr unsigned kAllPorts = ~0u;
  unsigned port = 0;  ///< port by which the packet came in; of a figure any, or kAllPorts
  image::Region region = image::Region::scratch;
  uint64_t address = 0;
  std::string row = {};  ///< of a figure: "EF"
};

/// One line of a program's own report, in a fixed order.
struct ControlCount {
  std::string reason;
  unsigned port = 0;
  bool dropped = false;  ///< the control program refused it (bad options checksum, say), or had no way to send it
  uint64_t packets = 0;
  std::string outcome = {};  ///< what became of them: "time_exceeded"
  bool operator==(const ControlCount&) const = default;
  WEFT_FIELDS(ControlCount, reason, port, dropped, packets, outcome)
};

/// One access to the machine by the control processor's own port. It takes time and competes with the engines.
struct Access {
  enum class Kind : uint8_t {
    read,
    write,
    ring_get,
    ring_put,
    ring_count,  ///< one result: longwords on a scratch ring, after all puts before it
  } kind = Kind::read;
  image::Region region = image::Region::scratch;  ///< read, write
  uint64_t address = 0;                           ///< byte address; rings: the number of a scratch ring
  uint32_t count = 1;                             ///< longwords to read or get; an empty ring gives zeros
  std::vector<uint32_t> values;                   ///< to write or put
};

struct Event {
  enum class Kind : uint8_t {
    interrupt,  ///< an engine has raised XSCALE_INT_A
    results,    ///< the accesses of the last reaction have been made
    command,    ///< of the user, during the run
    timer,      ///< the time that a reaction asked for has passed
  } kind = Kind::interrupt;
  std::vector<uint32_t> results;  ///< what was read and got, in the order of the accesses
  std::string command;
  uint64_t nanoseconds = 0;  ///< since cycle 0
  WEFT_FIELDS(Event, kind, results, command, nanoseconds)
};

/// What a program does about an event: it computes, then its accesses are made in their order, then it gets their
/// results as an event. A reaction without accesses ends the task.
struct Reaction {
  uint64_t cycles = 0;  ///< of the control processor
  std::vector<Access> accesses;
  bool locked = false;        ///< from the first of them to the last one a memory controller serves nobody else
  uint64_t timer_cycles = 0;  ///< not 0: a timer event so many cycles later, in place of one asked for before
  /// Bit n: after the accesses the n-th of the engines that run programs with "rules" (ControlOptions::rule_engines)
  /// gets its control store from the command that was begun last (ControlProgram::compiled_rules). Several are written
  /// one after the other; then all contexts of these engines start at 0, and the event with the results follows.
  uint32_t load_stores = 0;
  std::string text = {};  ///< not empty: the answer to a command, for the user
};

/// Software beside the engines: handlers over one plain state that clone() copies (snapshots). Nothing of a handler
/// outlives its call.
class ControlProgram {
 public:
  virtual ~ControlProgram() = default;
  virtual std::unique_ptr<ControlProgram> clone() const = 0;
  virtual std::string name() const = 0;
  virtual Reaction on(const Event& event) = 0;
  /// Whether Event::command may be this. Diagnostic: control-command.
  virtual Result<bool> check_command(const std::string& command) const = 0;
  /// What a command puts in the place of compiled_rules.uc (docs/project.md, "rules"); empty: nothing. The programs
  /// that include it are assembled with it when the command is read, so that what does not fit is an error of the
  /// command's line, before the run.
  virtual Result<std::string> compiled_rules(const std::string& command) const {
    static_cast<void>(command);
    return std::string();
  }
  virtual std::vector<ControlCount> counts() const = 0;
  /// Packets taken from the exception ring since cycle 0.
  virtual uint64_t packets() const = 0;
  /// Packets that it keeps now, to give them back to the engines: they have no end yet.
  virtual uint64_t kept() const { return 0; }
  /// The handles of the buffers that it has now, of packets that it keeps or works on.
  virtual std::vector<uint32_t> kept_buffers() const { return {}; }
};

/// The rules that a control program has at cycle 0 and replaces in the run: its filter programs must have the same
/// ones, in the same store. A program tells its store by an import variable that it declares, i$filter_store_STORE
/// (lib/microblocks/filter).
struct RulesSetup {
  std::string store;     ///< "sram", "local" or "compiled"
  std::string file;      ///< empty: there are none, everything is accepted
  std::string compiled;  ///< of the store "compiled": what stands in the place of compiled_rules.uc
  SourceRange place;     ///< of the line that names them; without a file when options do
  std::string remedy;    ///< how another file is named
};

struct ControlSetup {
  std::vector<image::MemoryWrite> memory;
  std::map<std::string, uint64_t> constants;        ///< import variables, without "i$"
  std::map<std::string, image::Withheld> withheld;  ///< those of programs that are built for another configuration
  std::vector<RingSetup> rings;
  std::vector<PortSetup> ports;
  std::vector<PoolSetup> pools;
  std::vector<CounterSetup> counters;
  std::unique_ptr<ControlProgram> program;
  std::optional<RulesSetup> rules;
  std::vector<std::string> files;  ///< every file read
  std::string summary;             ///< "2 interfaces, 5 routes, trie 512 KB": one line for people
};

/// What the board offers to the tables; the defaults are the board generic-2400.
struct ControlOptions {
  std::array<uint64_t, 2> sram_bytes{64u << 20, 64u << 20};  ///< per channel
  uint64_t dram_bytes = 64u << 20;
  unsigned ports = 4;
  uint64_t engine_kilohertz = 600'000;   ///< clock of the microengines
  uint64_t control_kilohertz = 600'000;  ///< and of the control processor
  /// Control-processor cycles, without accesses, for an exception packet, an interrupt and a new route (board file:
  /// control).
  uint64_t cycles_per_packet = 0;
  uint64_t cycles_per_interrupt = 0;
  uint64_t cycles_per_route = 0;
  uint32_t buffers = 960;              ///< when the configuration does not say
  std::vector<unsigned> rule_engines;  ///< those that run programs with "rules"
  std::string filter_store;            ///< FILTER_STORE of the first program that defines it; empty: none does
  /// Changed switches: option name to value, as in a configuration line "switch NAME VALUE".
  std::map<std::string, std::string> switches;
};

/// Reads a router configuration (docs/router-configuration.md) and builds everything that the forwarder's microcode
/// needs.
Result<ControlSetup> load_ipv4_control(const std::string& path, const ControlOptions& options = {});

}  // namespace weft::control
