// The control program of the DiffServ edge router on the IXP1200 (examples/diffserv-edge-1200, docs/diffserv.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/control/classify/vectors.h"
#include "weft/control/control.h"
#include "weft/control/diffserv/config.h"

namespace weft::control::diffserv {

/// Reads a configuration and builds tables, records and program.
Result<ControlSetup> load_diffserv_control(const std::string& path, const ControlOptions& options);

/// What meters of rules cannot be at this clock, and bursts that are too small for theirs. Diagnostic: edge-action.
Diagnostics meter_problems(const std::vector<Rule>& rules, uint64_t engine_hz, const BurstNeeds& needs);
/// The table of a rule set, to stand at a byte address of SRAM. Diagnostics: those of classify/vectors.h.
Result<classify::TableImage> rule_table(const std::vector<Rule>& rules, Classifier classifier, uint32_t at,
                                        uint32_t room, const SourceRange& where);
/// A bank: the records of a rule set, that of unmatched packets, and the root of the table. Buckets
/// are full at the time `now`.
std::vector<uint32_t> record_words(const std::vector<Rule>& rules, const Settings& settings, uint32_t root,
                                   uint64_t engine_hz, uint64_t now = 0);

struct ProgramSetup {
  ControlOptions options;
  std::string folder;  ///< of the configuration, where rule files of commands begin
  Settings settings;
  std::vector<Rule> rules;
  BurstNeeds needs;
  uint64_t tick_cycles = 200;   ///< of the clock, in cycles of the control processor
  bool first_fits_half = true;  ///< of the memory for rules: a second set has room beside it
  std::vector<CounterSetup> figures;
};
std::unique_ptr<ControlProgram> make_diffserv_program(ProgramSetup setup);

}  // namespace weft::control::diffserv
