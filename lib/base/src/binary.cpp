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
  // Whole pages: `before` bytes lie before the first one of the text.
  const size_t before = (kPage - reinterpret_cast<uintptr_t>(own_.data()) % kPage) % kPage;
  const auto pages = [&](size_t bytes) { return bytes < before ? 0 : (bytes - before) / kPage; };
  const size_t begin = pages(released_ + kPage - 1), end = pages(own_.size() - rest_.size());
  if (begin < end)  // a wish: it may fail
    ::madvise(own_.data() + before + begin * kPage, (end - begin) * kPage, MADV_DONTNEED);
  released_ = own_.size() - rest_.size();
  release_below_ = rest_.size() > kStep ? rest_.size() - kStep : 0;
}

}  // namespace weft
