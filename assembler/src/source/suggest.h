// "Did you mean ...": the names that resemble a misspelt one, and the fix that puts the nearest in its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/token.h"

namespace weft::assembler {

/// The candidates near `word`, the nearest first, at most three. Letters that changed places count as one fault; about
/// a third of the letters may be wrong; case hardly counts, and `word` itself is not a candidate. `certain` when the
/// first is nearer than all others.
struct Suggestions {
  std::vector<std::string> names;
  bool certain = false;
  explicit operator bool() const { return !names.empty(); }
};
Suggestions suggestions(std::string_view word, const std::vector<std::string>& candidates);

/// "did you mean 'a', 'b' or 'c'?"
std::string did_you_mean(const Suggestions& near);

/// Gives `d` the fix of writing the nearest name for `word`, if it is certain and `word` stands at `origin` as written
/// (it does not when a define brought it there).
void fix_name(Diagnostic& d, const Sources& sources, const Origin& origin, std::string_view word,
              const Suggestions& near);

/// Gives `d` the fix of inserting `text` before `origin`, or after it.
void fix_insert(Diagnostic& d, const Sources& sources, const Origin& origin, std::string text, bool behind = false);

}  // namespace weft::assembler
