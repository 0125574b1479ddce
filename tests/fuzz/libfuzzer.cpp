// The entry that libFuzzer calls; the target is chosen when it is compiled.
#include <cstddef>
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::fuzz::WEFT_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
