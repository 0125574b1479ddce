// Work in processes of its own: several at once, each with a limit of time, none of which can harm another.
//
// A child computes a text, sends it through a pipe and ends; what must be known although it may not come to its end it
// says before. It ignores the interrupt of a terminal, which goes to the
// whole group: the parent decides, and kills its children whenever it ends itself.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::workbench::testing {

class Children {
 public:
  explicit Children(std::chrono::milliseconds timeout) : timeout_(timeout) {}
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  /// Kills those that still run.
  ~Children();

  size_t running() const { return children_.size(); }
  using Say = std::function<void(const std::string&)>;
  /// Runs `work` in a process, with what takes texts of one line that it says before its end. False when the host has
  /// no room for one more now; others run then. Throws when none runs.
  bool start(size_t id, const std::function<std::string(const Say&)>& work);
  bool start(size_t id, const std::function<std::string()>& work);

  struct Ended {
    size_t id = 0;
    std::optional<std::string> result;  ///< what `work` gave; nothing when it did not come to its end
    std::vector<std::string> said;      ///< what it has said before its end
    bool late = false;                  ///< it was killed because it took too long
    std::string why;                    ///< without a result: "the process ended by signal 11 (Segmentation fault)"
    double seconds = 0;
  };
  /// Waits until children have ended, or for a tenth of a second; gives those, in the order of their ids.
  std::vector<Ended> wait();

 private:
  using Clock = std::chrono::steady_clock;
  struct Child {
    size_t id = 0;
    pid_t process = 0;
    int pipe = -1;
    Clock::time_point begin;
    std::string received;
    bool late = false;
  };
  /// False when the pipe has been closed.
  static bool receive(Child& child);
  static Ended end_of(Child& child);

  std::chrono::milliseconds timeout_;
  std::vector<Child> children_;
};

}  // namespace weft::workbench::testing
