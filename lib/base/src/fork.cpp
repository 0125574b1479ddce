#include "weft/base/fork.h"

#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <new>
#include <shared_mutex>

namespace weft {
namespace {

// For the process, as fork() is.
std::shared_mutex free_to_fork;
thread_local unsigned held = 0;  ///< by this thread

}  // namespace

NoFork::NoFork() {
  if (held++ == 0) free_to_fork.lock_shared();
}
NoFork::~NoFork() {
  if (--held == 0) free_to_fork.unlock_shared();
}

pid_t fork_alone() {
  assert(held == 0);
  free_to_fork.lock();
  const pid_t process = ::fork();
  const int problem = errno;
  if (process == 0)
    new (&free_to_fork) std::shared_mutex;  // its owner is a thread of the parent
  else
    free_to_fork.unlock();
  errno = problem;
  return process;
}

}  // namespace weft
