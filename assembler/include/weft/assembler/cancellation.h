// Asking a running assembly or indexing to stop.
#pragma once

#include <atomic>

namespace weft::assembler {

/// Shared by who asks and who works. Every stage looks at it some thousand times a second (once a line, or once in
/// about a thousand steps of a loop); after request() the work ends within a few milliseconds and its result says so.
class Cancellation {
 public:
  Cancellation() = default;
  virtual ~Cancellation() = default;
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  /// From any thread. There is no way back: a new run takes a new object.
  void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
  /// Looked at by the work. A derived class may count the looks, or decide otherwise.
  virtual bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

}  // namespace weft::assembler
