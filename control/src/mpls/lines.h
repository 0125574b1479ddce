// Words about labels, in lines of the configuration and in commands. Nothing here knows a file: a problem names its
// word.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "weft/control/mpls/config.h"
#include "weft/control/route_file.h"

namespace weft::control::mpls {

struct Problem {
  size_t word = 0;
  std::string code, text, remedy;
};

/// What follows `label`: words from 1 on. Labels are checked against `labels`, the size of the table, when it is not 0.
struct LabelWords {
  LabelLine line;
  size_t via = 0;  ///< the word with the next hop; 0: none
  std::optional<Problem> problem;
};
LabelWords read_label(std::span<const Word> words, const Mode& mode, uint32_t labels);

/// A route: [PREFIX] `push` LABELS `via` ADDRESS [modes], from the word `push` on.
struct PushWords {
  LabelStack labels;
  IpAddress via;
  size_t via_word = 0;
  std::optional<Problem> problem;
};
PushWords read_pushes(std::span<const Word> words, size_t at, const Mode& mode);

/// A line that begins with `mpls`, but for `mpls interface`.
std::optional<Problem> read_mpls(std::span<const Word> words, Config& config);

}  // namespace weft::control::mpls
