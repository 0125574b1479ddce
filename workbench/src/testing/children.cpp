#include "testing/children.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "weft/base/fork.h"
#include "weft/base/run_time.h"

namespace weft::workbench::testing {
namespace {

// The first octet of what a child sends; what it says before the result ends with a line end.
constexpr char kResult = '+', kException = '!', kSaid = '-';

void write_all(int file, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t done = ::write(file, text.data() + at, text.size() - at);
    if (done > 0)
      at += static_cast<size_t>(done);
    else if (done < 0 && errno == EINTR)
      continue;
    else
      return;
  }
}

[[noreturn]] void be_child(int pipe, const std::function<std::string(const Children::Say&)>& work, pid_t parent) {
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);  // the parent may be gone
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) ::_exit(1);
  restart_run_time();
  std::string text;
  // Nothing may go on above this frame: that is the parent's program.
  try {
    text = kResult + work([pipe](const std::string& said) { write_all(pipe, kSaid + said + '\n'); });
  } catch (const std::exception& e) {
    text = kException + std::string(e.what());
  } catch (...) {
    text = kException + std::string("an exception");
  }
  write_all(pipe, text);
  note_run_time();
  ::_exit(0);
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Children::~Children() {
  for (const Child& child : children_) ::kill(child.process, SIGKILL);
  for (const Child& child : children_) {
    ::close(child.pipe);
    wait_for(child.process);
  }
}

bool Children::start(size_t id, const std::function<std::string()>& work) {
  return start(id, [&work](const Say&) { return work(); });
}

bool Children::start(size_t id, const std::function<std::string(const Say&)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) {
    if (!children_.empty()) return false;
    throw std::runtime_error(fmt::format("no pipe for a test: {}", std::strerror(errno)));
  }
  std::fflush(nullptr);  // or a child would print what the parent has not yet written
  const pid_t parent = ::getpid();
  const pid_t process = fork_alone();
  if (process == 0) {
    ::close(ends[0]);
    be_child(ends[1], work, parent);
  }
  const int problem = errno;
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    if (!children_.empty()) return false;
    throw std::runtime_error(fmt::format("no process for a test: {}", std::strerror(problem)));
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  children_.push_back({id, process, ends[0], Clock::now(), {}, false});
  return true;
}

bool Children::receive(Child& child) {
  char buffer[65'536];
  while (true) {
    const ssize_t count = ::read(child.pipe, buffer, sizeof buffer);
    if (count > 0)
      child.received.append(buffer, static_cast<size_t>(count));
    else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return true;
    else if (count == 0 || errno != EINTR)
      return false;
  }
}

Children::Ended Children::end_of(Child& child) {
  ::close(child.pipe);
  const int status = wait_for(child.process);
  Ended ended;
  ended.id = child.id;
  ended.late = child.late;
  ended.seconds = std::chrono::duration<double>(Clock::now() - child.begin).count();
  while (child.received.starts_with(kSaid) && child.received.find('\n') != std::string::npos) {
    const size_t end = child.received.find('\n');
    ended.said.push_back(child.received.substr(1, end - 1));
    child.received.erase(0, end + 1);
  }
  if (child.late)
    ended.why = "it took too long";
  else if (WIFSIGNALED(status))
    ended.why = fmt::format("the process ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  else if (child.received.starts_with(kException))
    ended.why = fmt::format("the process met with: {}", child.received.substr(1));
  else if (!child.received.starts_with(kResult) || WEXITSTATUS(status) != 0)
    ended.why = "the process ended without a result";
  else
    ended.result = child.received.substr(1);
  return ended;
}

std::vector<Children::Ended> Children::wait() {
  std::vector<pollfd> files;
  for (const Child& child : children_) files.push_back({child.pipe, POLLIN, 0});
  ::poll(files.data(), files.size(), 100);  // a signal ends it too: then nothing is there
  std::vector<Ended> ended;
  for (size_t i = children_.size(); i-- > 0;) {
    Child& child = children_[i];
    const bool open = files[i].revents == 0 || receive(child);
    if (open && !child.late && Clock::now() - child.begin > timeout_) {
      ::kill(child.process, SIGKILL);
      child.late = true;
    }
    if (open) continue;
    ended.push_back(end_of(child));
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::sort(ended.begin(), ended.end(), [](const Ended& a, const Ended& b) { return a.id < b.id; });
  return ended;
}

}  // namespace weft::workbench::testing
