// What libFuzzer calls; the target is chosen when it is compiled.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "mutators.h"

// Of libFuzzer.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

const weft::fuzz::Target& target() {
  static const weft::fuzz::Target& kTarget = *weft::fuzz::find_target(WEFT_FUZZ_TARGET);
  return kTarget;
}

std::string mutate_bytes(std::string bytes) {
  const size_t size = bytes.size();
  bytes.resize(2 * size + 16);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size, bytes.size()));
  return bytes;
}

std::string_view text(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// 0: it has no room.
size_t put(const std::string& bytes, uint8_t* data, size_t max) {
  if (bytes.empty() || bytes.size() > max) return 0;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace

/// Boards and chips stand where everything else of the repository stands that targets read.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return setenv("WEFT_DATA", (weft::fuzz::source_folder() / "emulator").c_str(), 0) == 0 ? 0 : 1;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target().run(text(data, size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  const size_t made = put(weft::fuzz::mutate(target(), text(data, size), seed, mutate_bytes), data, max_size);
  return made != 0 ? made : LLVMFuzzerMutate(data, size, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                            uint8_t* out, size_t max_size, unsigned seed) {
  return put(weft::fuzz::cross(target(), text(a, a_size), text(b, b_size), seed), out, max_size);
}
