// Runs the cases of a plan in processes of their own, several at once.
//
// A child sends its outcome through a pipe, as JSON, and ends. One that runs too long is killed, one that dies has crashed;
// neither harms the rest.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "weft/workbench/testing.h"

namespace weft::workbench {
namespace {

using Clock = std::chrono::steady_clock;

std::string to_wire(const CaseOutcome& o) {
  const nlohmann::json wire{{"verdict", static_cast<int>(o.verdict)}, {"text", o.text}, {"instructions", o.instructions}, {"cycles", o.cycles},
                            {"seconds", o.seconds}, {"coverage", o.coverage}};
  return wire.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// False when the text is not whole.
bool from_wire(const std::string& text, CaseOutcome& o) {
  const nlohmann::json wire = nlohmann::json::parse(text, nullptr, false);
  if (wire.is_discarded() || !wire.is_object()) return false;
  o.verdict = static_cast<Verdict>(wire.value("verdict", 0));
  o.text = wire.value("text", "");
  o.instructions = wire.value("instructions", uint64_t{0});
  o.cycles = wire.value("cycles", uint64_t{0});
  o.seconds = wire.value("seconds", 0.0);
  o.coverage = wire.value("coverage", "");
  return true;
}

void write_all(int file, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t done = ::write(file, text.data() + at, text.size() - at);
    if (done <= 0) return;
    at += static_cast<size_t>(done);
  }
}

class Pool {
 public:
  Pool(const TestPlan& plan, const TestOptions& options, const std::function<void(const CaseOutcome&)>& finished)
      : plan_(plan), options_(options), finished_(finished) {}

  TestRun run() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const size_t most = options_.jobs == 0 ? cores : options_.jobs;
    std::vector<std::optional<CaseOutcome>> outcomes(plan_.cases.size());
    size_t next = 0;
    bool stop = false;
    while (!children_.empty() || (!stop && next < plan_.cases.size())) {
      while (!stop && children_.size() < most && next < plan_.cases.size()) start(next++);
      wait();
      for (Child& child : ended_) {
        CaseOutcome outcome = result(child);
        finished_(outcome);
        stop = stop || (options_.fail_fast && !is_good(outcome.verdict));
        outcomes[child.index] = std::move(outcome);
      }
      ended_.clear();
    }
    TestRun run;
    for (auto& outcome : outcomes)
      if (outcome) run.outcomes.push_back(std::move(*outcome));
    return run;
  }

 private:
  struct Child {
    size_t index = 0;
    pid_t process = 0;
    int pipe = -1;
    Clock::time_point begin;
    std::string received;
    bool late = false;
    int status = 0;
  };

  void start(size_t index) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error(fmt::format("no pipe for a test: {}", std::strerror(errno)));
    std::fflush(nullptr);  // or a child would print what the parent has not yet written
    const pid_t process = ::fork();
    if (process < 0) throw std::runtime_error(fmt::format("no process for a test: {}", std::strerror(errno)));
    if (process == 0) {
      ::close(ends[0]);
      write_all(ends[1], to_wire(run_case(plan_.cases[index], options_)));
      ::close(ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    children_.push_back({index, process, ends[0], Clock::now(), {}, false, 0});
  }

  /// Until something has come from a child; children that have closed their pipe are moved to ended_.
  void wait() {
    std::vector<pollfd> files;
    for (const Child& child : children_) files.push_back({child.pipe, POLLIN, 0});
    ::poll(files.data(), files.size(), 100);
    for (size_t i = children_.size(); i-- > 0;) {
      Child& child = children_[i];
      bool closed = false;
      if (files[i].revents != 0) {
        char buffer[65'536];
        const ssize_t count = ::read(child.pipe, buffer, sizeof buffer);
        if (count > 0) child.received.append(buffer, static_cast<size_t>(count));
        else closed = true;
      }
      if (!closed && !child.late && Clock::now() - child.begin > options_.timeout) {
        ::kill(child.process, SIGKILL);
        child.late = true;
      }
      if (!closed) continue;
      ::close(child.pipe);
      ::waitpid(child.process, &child.status, 0);
      ended_.push_back(std::move(child));
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::sort(ended_.begin(), ended_.end(), [](const Child& a, const Child& b) { return a.index < b.index; });
  }

  CaseOutcome result(const Child& child) const {
    const TestPlan::Item& item = plan_.cases[child.index];
    CaseOutcome outcome{item.file, item.name, Verdict::crashed, {}, 0, 0, std::chrono::duration<double>(Clock::now() - child.begin).count(), {}};
    if (child.late) {
      outcome.verdict = Verdict::timed_out;
      outcome.text = fmt::format("  it did not end within {} s (--timeout)\n", std::chrono::duration<double>(options_.timeout).count());
    } else if (WIFSIGNALED(child.status)) {
      outcome.text = fmt::format("  the process ended by signal {} ({})\n  This is a fault of Weft; please report it with the test file.\n", WTERMSIG(child.status), ::strsignal(WTERMSIG(child.status)));
    } else if (!from_wire(child.received, outcome)) {
      outcome.text = "  the process ended without a result\n";
    }
    return outcome;
  }

  const TestPlan& plan_;
  const TestOptions& options_;
  const std::function<void(const CaseOutcome&)>& finished_;
  std::vector<Child> children_, ended_;
};

}  // namespace

TestRun run_tests(const TestPlan& plan, const TestOptions& options, const std::function<void(const CaseOutcome&)>& finished) {
  return Pool(plan, options, finished).run();
}

size_t TestRun::count(Verdict verdict) const {
  return static_cast<size_t>(std::count_if(outcomes.begin(), outcomes.end(), [=](const CaseOutcome& o) { return o.verdict == verdict; }));
}
bool TestRun::good() const {
  return std::all_of(outcomes.begin(), outcomes.end(), [](const CaseOutcome& o) { return is_good(o.verdict); });
}

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "ok";
    case Verdict::failed: return "FAILED";
    case Verdict::known: return "fails as known";
    case Verdict::cured: return "CURED";
    case Verdict::broken: return "BROKEN";
    case Verdict::timed_out: return "TOO LATE";
    case Verdict::crashed: return "CRASHED";
  }
  return "";
}

}  // namespace weft::workbench
