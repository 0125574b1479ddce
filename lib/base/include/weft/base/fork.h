// Children by fork() in a process that has threads.
//
// A child has one thread, the one that forked, and locks that another thread held at that moment stay locked in it for
// ever: those inside of a library, and those of a static that is just being made. So who takes such locks says so, and
// fork_alone() waits until nobody does.
#pragma once

#include <sys/types.h>

namespace weft {

/// While it lives, no child is forked. May be nested.
class NoFork {
 public:
  NoFork();
  ~NoFork();
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;
};

/// As fork(), at a moment when no other thread has a NoFork; the thread itself must have none.
pid_t fork_alone();

}  // namespace weft
