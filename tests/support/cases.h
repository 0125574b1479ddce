// What random tests are told by the environment: other cases, and more of them. A test prints its seed with
// INFO("WEFT_SEED=" << seed).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace weft::test {

/// With WEFT_FULL=1 the long run.
inline bool full_run() {
  const char* text = std::getenv("WEFT_FULL");
  return text && std::string(text) == "1";
}
inline uint64_t seed_or(uint64_t usual) {
  const char* text = std::getenv("WEFT_SEED");
  return text ? std::strtoull(text, nullptr, 0) : usual;
}

}  // namespace weft::test
