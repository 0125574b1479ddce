// How much is said: a short text can be wrong in very many places.
#pragma once

#include "source/token.h"

namespace weft::assembler {

/// Faults after which the parser and the resolver give up; loops and macros make them from a few lines.
constexpr size_t kMaxErrors = 5000;

/// Faults among the first of which a misspelt name is compared with all names that the program has.
constexpr size_t kMaxSuggested = 100;

/// The last message of a stage that gave up at `origin`.
Diagnostic too_many_errors(const Sources& sources, const Origin& origin);

/// Keeps the first ten messages of a code about one place; the last of them says in a note how many more there are. The
/// passes of a loop and the calls of a macro say the same again and again.
Diagnostics without_cascades(Diagnostics all);

}  // namespace weft::assembler
