// The configuration of a DiffServ edge router: a router's (../config.h) with lines of its own, and the rule files that
// it names.
//
//   rules edge.rules                        one or more files, in the order in which they are named (docs/diffserv.md)
//   classifier linear|range                 how rules are searched; the receiving program must be built for the same
//   one class AF1 quantum 1024 queue 32         bytes a round, frames that may wait quanta 64 ratio 2 BE 64, AF4 128,
//   ... AF1 1024, EF 2048 precedence 32 24 16                     frames that may wait before a green, yellow or red
//   one tick 1000                               nanoseconds of the clock that meters read
#pragma once

#include <array>
#include <optional>
#include <string>

#include "weft/control/config.h"
#include "weft/control/diffserv/layout.h"
#include "weft/control/diffserv/rules.h"

namespace weft::control::diffserv {

enum class Classifier : uint8_t { linear, range };

inline constexpr uint32_t kMinQuantum = 16, kMaxQuantum = 16384;

struct ClassSettings {
  uint32_t quantum = 0;  ///< bytes a round
  uint32_t queue = kQueueSlots;
};

struct Settings {
  Classifier classifier = Classifier::linear;
  std::string classifier_said;  ///< where, for a diagnostic; empty: nowhere
  /// A full queue of the shortest frames, 32 of 60 bytes (no check sequence), is more than an AF class may send in a
  /// round, with what it kept of the round before: so it stays backlogged and has its share.
  std::array<ClassSettings, kClasses> classes{{{2048}, {1024}, {512}, {256}, {128}, {64}}};
  std::array<uint32_t, 3> precedence{32, 24, 16};  ///< by colour
  uint32_t tick = 1000;
};

struct DiffservConfig {
  RouterConfig router;
  std::vector<Rule> rules;
  Settings settings;
};

/// Every problem of the files is reported, each with its place and a remedy.
Result<DiffservConfig> read_diffserv_config(const std::string& path, unsigned ports,
                                            const std::map<std::string, std::string>& options = {});

}  // namespace weft::control::diffserv
