// Where a run stops, or leaves a message, because the user asked: at words, at accesses to registers and memory, at
// events.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft::workbench {

struct Breakpoint {
  enum class Kind : uint8_t {
    location,  ///< `target`: "forward.uc:120" (every place at which the line begins), "loop#", "0x1f"; before the word
    read,      ///< `target`: a register or memory by name, "me0.ctx3.temp", "scratch[0x100]"
    write,     ///< also when the value stays the same
    change,
    signal,     ///< raised: "me0.ctx3.done", a number or * in place of the name
    ring,       ///< scratch ring: "3 put", "3 get", "3 full", "3 empty"
    packet,     ///< "in", "out" or "lost", of one port: "0 in"; "dropped" by a program (its .drop mark), for a reason:
                ///< "dropped no_route"
    swap,       ///< a context leaves Executing: "me0.ctx3", "me0" or "*"
    stall,      ///< a context has stalled for more cycles in a row than: "me0 20", "* 20"
    condition,  ///< `target` is an expression; after the event that makes it true
    uninitialised,  ///< a context reads a register that nothing has written since the start of the run: "me0.ctx3",
                    ///< "me0" or "*"
  } kind = Kind::location;
  std::string target;
  /// Locations: microengines by number; empty = all whose program has the place.
  std::vector<unsigned> engines;
  unsigned contexts = 0xff;  ///< locations: bit c = context c
  uint32_t bytes = 4;        ///< memories: length of the range, at most 4,096 for changes
  std::string condition;     ///< an expression; empty = always. One that cannot be evaluated stops, with the reason
  uint64_t from_hit = 1;     ///< the first hit that counts
  std::string log;           ///< not empty: this text (with {expression}) is given out, and the run goes on
  bool enabled = true;
  bool once = false;  ///< removed when it has stopped the run

  // What the session fills in
  unsigned id = 0;
  uint64_t hits = 0;                                 ///< times that the condition held
  std::vector<std::pair<unsigned, uint32_t>> words;  ///< locations: (microengine, address)
  std::string problem;  ///< why it is nowhere in this machine; only where breakpoints are kept that are not
  /// Names of the chips of `words`, one for each, on a board of several; only where breakpoints are kept that are in
  /// more than one.
  std::vector<std::string> chips = {};

  bool operator==(const Breakpoint&) const = default;
};

/// How far a step goes, for one context.
enum class Step : uint8_t {
  instruction,
  line,   ///< to another source line, into macros
  over,   ///< to another line of the same level: a macro call is one step
  out,    ///< after the macro call, or after the rtn when the place is in no macro
  swap,   ///< one instruction; when the context leaves the engine by it, or does not have it, until it executes again
  again,  ///< until the context has left the engine, or does not have it, and executes again
};

}  // namespace weft::workbench
