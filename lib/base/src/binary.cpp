#include "weft/base/binary.h"

#include <sys/mman.h>

#include <utility>

namespace weft {

namespace {

/// Bytes that are given back together, in whole pages.
constexpr size_t kStep = size_t{4} << 20;
constexpr uintptr_t kPage = 4096;

}  // namespace

ByteReader::ByteReader(std::string&& bytes) : own_(std::move(bytes)), rest_(own_) {
  release_below_ = own_.size() > kStep ? own_.size() - kStep : 0;
}

void ByteReader::release() {
  const auto begin = (reinterpret_cast<uintptr_t>(own_.data()) + released_ + kPage - 1) & ~(kPage - 1);
  const auto end = reinterpret_cast<uintptr_t>(rest_.data()) & ~(kPage - 1);
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);  // a wish: it may fail
  released_ = own_.size() - rest_.size();
  release_below_ = rest_.size() > kStep ? rest_.size() - kStep : 0;
}

}  // namespace weft
