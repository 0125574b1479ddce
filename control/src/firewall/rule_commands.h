// The firewall's rules in the memories of a chip, and the command that replaces them while packets pass:
//
//   rules FILE
//
// Tables in SRAM and local memory: the new one is written where no engine reads, then its address, one longword. What
// was read before stays as it is until the next command, which waits for kRuleGraceCycles. Compiled rules: one filter
// engine after the other stops between two packets, gets its control store, and starts again; its packets wait in the
// ring before it.
//
// A control program passes its events on, as with TableCommands: a command, then the results of what was asked for
// while busy().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/control/control.h"
#include "weft/control/firewall/rules.h"

namespace weft::control::firewall {

/// Longer than a packet is searched for, for each entry of the old table, in cycles of the control processor.
inline constexpr uint64_t kRuleGraceCycles = 2'000;

enum class FilterStore : uint8_t { sram, local, compiled };
std::optional<FilterStore> filter_store(std::string_view name);
/// When nobody names one: what the filter programs define; else compiled when there are programs with "rules", else
/// sram.
FilterStore usual_store(const ControlOptions& options);

/// Where the block filter looks (lib/microblocks/filter/filter.uc).
struct RulePlaces {
  uint32_t control = 0;  ///< i$filter_control: kFilterControlLongwords in scratch
  image::Region region = image::Region::sram0;
  bool both_channels = false;        ///< the same on the other one of sram0 and sram1 (FILTER_CHANNELS 2)
  std::array<uint32_t, 2> tables{};  ///< byte addresses as engines know them, multiples of 32
  uint32_t table_bytes = 0;          ///< room of each
  /// Entries of a table in SRAM that a command may bring, when they are fewer: packets wait longer with more.
  size_t command_entries = SIZE_MAX;
};
inline constexpr uint32_t kFilterTable = 0, kFilterPause = 1, kFilterStopped = 4;  ///< longwords of the control block
inline constexpr uint32_t kFilterControlLongwords = 12;
inline constexpr unsigned kFilterEngines = 3;

class RuleCommands {
 public:
  RuleCommands() = default;
  /// `engines`: how many filter engines are to stop, for compiled rules. Diagnostic: firewall-rules-size.
  static Result<RuleCommands> make(RuleSet rules, FilterStore store, const RulePlaces& places,
                                   std::vector<PortName> ports, std::string folder, unsigned engines);

  /// What is in memory at cycle 0.
  std::vector<image::MemoryWrite> image() const;
  const RuleSet& rules() const { return rules_; }
  /// What the filter programs have to have; `place` and `remedy` are left to the caller.
  RulesSetup setup() const;

  static bool is_command(const std::string& line);
  /// Diagnostics: control-command, those of rule files, firewall-rules-size.
  Result<bool> check(const std::string& line) const;
  /// For ControlProgram::compiled_rules.
  Result<std::string> compiled(const std::string& line) const;
  Reaction command(const Event& event);
  bool busy() const { return phase_ != Phase::idle; }
  Reaction results(const Event& event);

 private:
  enum class Phase : uint8_t { idle, grace, writing, publishing, pausing, loading };

  Result<RuleSet> read(const std::string& line) const;
  Result<bool> fits(const RuleSet& rules) const;
  Reaction write_table();
  Reaction pause();
  std::vector<image::Region> regions() const;
  uint32_t table_word() const { return places_.tables[version_ % 2] | (version_ & 0x1f); }
  Access control_write(uint32_t longword, std::vector<uint32_t> values) const;

  RuleSet rules_;
  FilterStore store_ = FilterStore::sram;
  RulePlaces places_;
  std::vector<PortName> ports_;
  std::string folder_;
  unsigned engines_ = 0;
  unsigned engine_ = 0;  ///< that is being loaded
  uint32_t version_ = 0;
  uint64_t published_ = 0;  ///< nanoseconds since cycle 0 of the last publication
  size_t old_entries_ = 0;  ///< of the table that it took out
  Phase phase_ = Phase::idle;
};

}  // namespace weft::control::firewall
