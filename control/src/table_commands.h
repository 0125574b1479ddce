// The tables behind a command interface, and their changes as accesses that a control program makes.
//
//   route [add] PREFIX via ADDRESS    route [add] PREFIX discard    route del PREFIX
//   neighbour add ADDRESS mac MAC     neighbour del ADDRESS
//   routes-from FILE [via ADDRESS ...]
//   show route PREFIX|ADDRESS         counters
// and in a router with labels (mpls/config.h):
//   label [add] LABEL swap|pop ...    label del LABEL              show label LABEL    show labels
//   route [add] PREFIX push LABEL ... via ADDRESS
//
// A control program passes its events on: a command, then the results of what was asked for while busy(). No lock is
// taken: what a change prepares is in memory before what publishes it is written (table_memory.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tables.h"
#include "weft/control/config.h"
#include "weft/control/control.h"
#include "weft/control/route_file.h"

namespace weft::control {

/// Longer than any packet of a router is between the root of a trie and its next hop, in cycles of the control
/// processor (a program with longer ways says so in OwnWords).
inline constexpr uint64_t kGraceCycles = 600'000;

class TableCommands {
 public:
  TableCommands() = default;
  /// `mode`: of labels that do not say theirs.
  TableCommands(RouterTables tables, std::string folder, const ControlOptions& options, const mpls::Mode& mode = {},
                OwnWords own = {});

  /// Diagnostics: control-command, and those of configurations.
  Result<bool> check(const std::string& line) const;
  Reaction command(const std::string& line);
  /// A station has told its MAC; nothing to do when it is known.
  Reaction learnt(const IpAddress& address, const Mac& mac);
  bool busy() const { return busy_; }
  /// Of the accesses of the last reaction. When nothing is left to do the reaction has no accesses and busy() is false.
  Reaction results(const std::vector<uint32_t>& values);
  /// The grace time of what was taken out has passed; call it for timer events, no earlier than so long after the last
  /// as the reaction has said.
  Reaction timer();

  const RouterTables& tables() const { return tables_; }

 private:
  struct Command;
  Result<Command> parse(const std::string& line) const;
  Result<Command> parse_label(std::span<const Word> words, const std::string& line) const;
  bool labels() const { return tables_.labels().labels() != 0; }
  Result<std::vector<Route>> rows(const Command& command) const;
  Reaction run(const TableChange& change, uint64_t cycles);
  Reaction next();
  Reaction more_routes();
  Reaction done(std::string text = {});
  Reaction done(const Diagnostics& why);
  std::string counters(const std::vector<uint32_t>& values) const;
  std::string describe(const RouterTables::Answer& answer) const;
  std::string describe_label(uint32_t label) const;

  RouterTables tables_;
  std::string folder_;
  mpls::Mode mode_;
  OwnWords own_;
  uint64_t per_route_ = 0;
  bool busy_ = false, timer_runs_ = false, wants_counters_ = false;
  std::vector<TableWrite> publish_;                   ///< when what was prepared stands in memory
  std::shared_ptr<const std::vector<Route>> routes_;  ///< of a file, from next_route_ on
  size_t next_route_ = 0;
};

}  // namespace weft::control
