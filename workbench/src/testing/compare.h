// What a run gave, against what its test expects.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testing/suite.h"
#include "weft/workbench/session.h"

namespace weft::workbench::testing {

/// A frame that is not as expected.
struct WrongFrame {
  unsigned port = 0;
  size_t number = 0;            ///< of all that have left by the port, from 0
  std::optional<size_t> octet;  ///< the first that is wrong; none: the whole frame was not expected
  emulator::Tick at = 0;        ///< its last bit had left
};

struct Difference {
  SourceRange range;  ///< of the expectation
  std::string text;   ///< may have several lines; those after the first are indented
  std::string kind =
      {};  ///< of what must hold of any run: a fault, the code of a check, an invariant; empty: of this very one
  std::string place = {};  ///< of a longword that is not as expected
  std::optional<WrongFrame> frame = {};
};

struct Costs {
  uint64_t instructions = 0, cycles = 0;
};

/// What had been counted when an earlier part of the run ended.
struct Counted {
  std::vector<size_t> frames;  ///< that had left, by port
  std::map<std::string, uint64_t> drops, exceptions;
  Costs costs;
};
Counted count(Session& session);

/// Appends a difference for everything that is not as expected. What stood in `before` does not count any more; `range`
/// is the place of what has no expectation of its own, such as a frame that nobody expects.
void compare(Session& session, const Case& test, const Expectations& expect, const SourceRange& range,
             const Counted& before, std::vector<Difference>& out);

/// The place of longword `index` after `place`: "sram0[0x100]" and 2 give "sram0[0x108]". Nothing for a register, or
/// an address that is not a number, unless the index is 0.
std::optional<std::string> nth_place(const std::string& place, size_t index);

/// Problems of an expression, at the place of the test where it stands.
Diagnostics at_place(const Diagnostics& problems, const SourceRange& range, const std::string& expression);

}  // namespace weft::workbench::testing
