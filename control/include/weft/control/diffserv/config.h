// The configuration of a DiffServ edge router: a router's (../config.h) with lines of its own, and the rule files that it names.
//
//   rules edge.rules                        one or more files, in the order in which they are named (docs/diffserv.md)
//   classifier linear|range                 how rules are searched; the receiving program must be built for the same one
//   class AF1 quantum 1920 queue 32         bytes a round, frames that may wait
//   quanta 120 ratio 2                      BE 120, AF4 240, ... AF1 1920, EF 3840
//   precedence 32 24 16                     frames that may wait before a green, yellow or red one
//   tick 1000                               nanoseconds of the clock that meters read
#pragma once

#include <array>
#include <optional>

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
  /// 32 frames of 60 bytes are at least one quantum of each AF class, so that one with small frames keeps its share.
  std::array<ClassSettings, kClasses> classes{{{3840}, {1920}, {960}, {480}, {240}, {120}}};
  std::array<uint32_t, 3> precedence{32, 24, 16};  ///< by colour
  uint32_t tick = 1000;
};

struct DiffservConfig {
  RouterConfig router;
  std::vector<Rule> rules;
  Settings settings;
};

/// Every problem of the files is reported, each with its place and a remedy.
Result<DiffservConfig> read_diffserv_config(const std::string& path, unsigned ports, const std::map<std::string, std::string>& options = {});

}  // namespace weft::control::diffserv
