// Which words become host code together: a stretch of words that follow each other, up to one that others may see or
// that has no host code. Branches that are not taken lie within; one that always is, or has deferred slots, ends it.
#pragma once

#include <cstddef>
#include <vector>

#include "fast/operation.h"

namespace weft::emulator::translate {

using fast::Op;
using fast::Program;

struct Stretch {
  size_t first = 0, count = 0;
};

/// The longest stretch from this word on, at most kMaxWords; count 0 when the word has no host code.
inline constexpr size_t kMaxWords = 32;
Stretch stretch_at(const Program& program, size_t first);

/// By word: control may come there from elsewhere than the word before, and host code is worth while.
std::vector<bool> heads(const Program& program);

/// What a word of a stretch does beside its destination. A branch or a word that may be left to the interpreter wants
/// all that is before it to be in its place.
struct Leaves {
  bool host_code = false;  ///< there is some for it
  bool branch = false;
  bool codes = false;     ///< writes condition codes
  bool previous = false;  ///< and EngineState::previous
  bool asks_carry = false, asks_previous = false;
  bool local = false;  ///< local memory: where it is not there, the interpreter goes on with this word
};
Leaves leaves_of(const Program& program, const Op& op);

/// The value of the branch is known: it is taken.
bool is_always_taken(const Op& op);

}  // namespace weft::emulator::translate
