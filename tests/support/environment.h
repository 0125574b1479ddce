// What the environment says of a test: which seeds, and how many.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace weft {

/// The number in an environment variable, `otherwise` when it is not set.
inline uint64_t number_of(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

}  // namespace weft
