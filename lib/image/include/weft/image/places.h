// The words of an Image by their places in the source.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/image/image.h"

namespace weft::image {

/// A file and a line, and which of the words that the line makes each time it is used: 0 is the first one. A line of a
/// macro has the same places in every call and in every program, so that what is known of them can be put together.
struct WordPlace {
  uint32_t file = 0;  ///< index into Image::files
  uint32_t line = 0;  ///< 0: the word has no place
  uint32_t ordinal = 0;
};

/// One for each word.
std::vector<WordPlace> word_places(const Image& image);

}  // namespace weft::image
