// Commands to the control processor during a run, from a file:
//
//   # comment
//   at 10000: write scratch[0x100] = 5          engine cycles; 20us, 5ms and 1s are times
//   at 100 packets: print {ring1.count} on ring 1
//   at 2ms: load 2 other.uc                     replaces the control store of microengine 2
//   at 3ms: route 10.0.0.0/8 via 192.0.2.2      anything else goes to the control program
//   at 4ms on egress: print {ring1.count}       on a board of several chips: by the control processor of that one
//
// They are done in their order, chip by chip, each at the first poll of the control processor at or after its time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inspect/expression.h"
#include "weft/workbench/project.h"

namespace weft::control {
class ControlProgram;
}

namespace weft::workbench {

struct ControlCommand {
  std::string line;  ///< after the colon
  bool by_packets = false;
  uint64_t at = 0;  ///< ticks or packets
  enum class What : uint8_t { write, print, load, program } what = What::program;
  std::optional<Expression> place, value;
  std::optional<Template> text;
  /// What goes into control stores: `load` has one, a command of the program as many as there are engines that get its
  /// rules.
  struct Store {
    unsigned engine = 0;
    std::vector<uint64_t> words;
    std::shared_ptr<const image::Image> image;
  };
  std::vector<Store> stores;

  bool is_due(const EvalContext& scene) const;
  /// What `write` writes; from -2^31 on, negative ones as two's complement. Diagnostics: those of the expression, and
  /// command-line for what 32 bits do not hold.
  Result<uint32_t> word(const EvalContext& scene) const;
};

/// What commands need beside the scene.
struct CommandContext {
  std::vector<std::string> chips;  ///< of the board, by name; empty names on a board of one
  unsigned chip = 0;               ///< whose commands are wanted
  unsigned default_chip = 0;       ///< of lines that name none
  const control::ControlProgram* program = nullptr;
  /// Assembles or reads a program for an engine, and links it.
  std::function<Result<std::pair<std::shared_ptr<const image::Image>, std::vector<uint64_t>>>(const std::string& file,
                                                                                              unsigned engine)>
      load;
  /// The programs with "rules", assembled with others.
  std::function<Result<std::vector<ControlCommand::Store>>(const std::string& compiled_rules)> compile;
};

/// Every wrong line is reported, with code command-line or that of the expression in it.
Result<std::vector<ControlCommand>> parse_commands(const SourceFilePtr& source, const EvalContext& scene,
                                                   const CommandContext& context);

/// "10000", "20us", "5ms", "1s" as ticks.
std::optional<uint64_t> parse_time(std::string_view text, const EvalContext& scene);
/// The largest number of its unit, such as "3074457345s", when the text is a time or a number of packets that is
/// larger.
std::optional<std::string> largest_of(std::string_view text, const EvalContext& scene);
/// A time, or "100 packets", as a limit of a run; nothing when it is neither. Cycles of the text are those of the
/// scene's chip, cycles of the limit have `period` ticks. A limit of 0 is Limits{}, which is none.
std::optional<Limits> parse_limits(std::string_view text, const EvalContext& scene, emulator::Tick period);

}  // namespace weft::workbench
