// What a run did, in figures. Text for people, JSON for programs (version 1).
//
// Frame sizes in rates include the 4-byte check sequence; the wire rate also counts preamble and gap (20 bytes).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::workbench {

struct PortFigures {
  unsigned port = 0;
  uint64_t received_frames = 0, received_bytes = 0;        ///< taken from the wire
  uint64_t transmitted_frames = 0, transmitted_bytes = 0;  ///< sent to the wire
  uint64_t lost_mac = 0;                                   ///< receive buffer of the MAC was full
  uint64_t lost_other = 0;                                 ///< errors, aborts, transmit underruns
  std::vector<std::pair<std::string, uint64_t>> lost_by_cause;
};

/// Packets that a program dropped, or handed to the control processor, for one reason at one port.
struct ReasonFigures {
  std::string reason;
  int port = -1;  ///< -1: not known
  uint64_t count = 0;
};

/// Packets that have no end: they were taken from the wire and did not leave, and nobody says that they were dropped,
/// handed to the control processor or lost.
struct HeldFigures {
  std::string place;  ///< where they are, or where they were last seen
  int port = -1;      ///< by which they came, or leave; -1: not known
  uint64_t count = 0;
};

/// Faults of a unit that one word of a program has caused.
struct FaultFigures {
  std::string unit, chip;
  int engine = -1, context = -1;  ///< -1: no program; the control processor, or nobody that is known
  unsigned address = 0;           ///< in the control store
  std::string place;              ///< "receive.uc:88"; empty: not known
  uint64_t count = 0;
  std::string text;  ///< of the first of them
};

/// What a service counts of its own, a row for each class, label or the like.
struct ServiceFigures {
  std::string row;
  int port = -1;                                          ///< -1: of all
  std::vector<std::pair<std::string, uint64_t>> columns;  ///< the same ones in every row of a port or of all
};

struct ContextFigures {
  unsigned engine = 0, context = 0;
  uint64_t executing = 0, aborted = 0, stalled = 0, idle = 0;  ///< cycles; they sum to the run
  std::string chip = {};  ///< its name; empty on a board of one chip, here and below
};

struct UnitFigures {
  std::string name;
  uint64_t commands = 0;
  uint64_t busy_permille = 0;  ///< share of the unit's data time that was used
  uint64_t deepest_queue = 0;
  std::string chip = {};
  uint64_t faults = 0;  ///< what it could not do as it was asked
  std::string last_fault = {};
};

/// A link between two chips.
struct LinkFigures {
  std::string name, from, to;
  uint64_t mpackets = 0, bytes = 0, frames = 0;  ///< sent
  uint64_t delivered = 0;                        ///< mpackets of these that stand in RBUF, or stood there
  uint64_t waits = 0;                            ///< elements that found no free place at the other end
  uint64_t waited_permille = 0;                  ///< share of the time in which they held up the transmit buffer
  uint64_t buffer_max = 0;                       ///< most mpackets in the buffer of the receiving end
};

struct Report {
  std::string project, board, chip,
      stop;            ///< `chip`: "ixp2400"; "ingress: ixp2400, egress: ixp2400" when there are several
  bool ended = false;  ///< nothing moved any more; else the run was cut, and packets may be on their way
  uint64_t seed = 0;
  uint64_t cycles = 0;        ///< engine cycles that have begun, of the first chip
  double clock_hz = 0;        ///< engine clock
  uint64_t instructions = 0;  ///< executed, all engines
  uint64_t frames_in = 0, bytes_in = 0, frames_out = 0, bytes_out = 0;
  uint64_t dropped = 0, handed_to_core = 0, lost = 0;
  /// frames_in + made = frames_out + dropped + handed_to_core + lost + held.
  uint64_t made = 0;                 ///< sent beyond what came: by the control processor, or by programs
  uint64_t held = 0;                 ///< without an end
  std::vector<HeldFigures> held_at;  ///< their sum is `held`
  /// False: programs have made frames that nobody counts. Each may hide a packet without an end: `made` and `held` are
  /// the least that they can be.
  bool held_known = true;
  /// Between the first and the last transmitted frame: packets a second at the chip's clock.
  double packets_per_second = 0;
  double gigabits_per_second = 0;  ///< frames with check sequence
  std::vector<PortFigures> ports;
  std::vector<ReasonFigures> drops, exceptions;
  std::vector<ReasonFigures> makes;     ///< frames that the programs have made, as they count them
  std::vector<ReasonFigures> core;      ///< what the control program made of its packets: "ttl: time_exceeded"
  uint64_t commands_left = 0;           ///< commands to the control processor that were not done when the run ended
  std::string first_left;               ///< the first of them, after its time
  std::vector<ServiceFigures> service;  ///< rows in which something was counted
  std::vector<ContextFigures> contexts;
  std::vector<UnitFigures> units;
  std::vector<FaultFigures> faults;  ///< at most 16 places of a unit; UnitFigures::faults counts all
  std::vector<LinkFigures> links;
  std::vector<std::pair<std::string, std::string>> engine_programs;  ///< "0", or "egress.0" -> "receive.uc (215 words)"
};

/// As in Report::engine_programs.
std::string engine_name(const std::string& chip, unsigned engine);

std::string to_text(const Report& report);
std::string to_json(const Report& report);

}  // namespace weft::workbench
