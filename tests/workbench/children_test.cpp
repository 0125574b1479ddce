// Work in child processes: results of any size, what goes wrong, and that none of them is left behind.
#include "testing/children.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <stdexcept>
#include <thread>

#include "weft/assembler/assembler.h"
#include "weft/workbench/session.h"

using weft::workbench::testing::Children;
using namespace std::chrono_literals;

namespace {

std::map<size_t, Children::Ended> all(Children& children) {
  std::map<size_t, Children::Ended> ended;
  while (children.running() > 0)
    for (Children::Ended& e : children.wait()) ended[e.id] = std::move(e);
  return ended;
}

extern "C" void ignore(int) {}

/// Signals that interrupt system calls, many times a second.
class Disturbance {
 public:
  Disturbance() {
    struct sigaction action {};
    action.sa_handler = ignore;  // without SA_RESTART
    ::sigaction(SIGALRM, &action, &old_);
    set(500);
  }
  ~Disturbance() {
    set(0);
    ::sigaction(SIGALRM, &old_, nullptr);
  }

 private:
  static void set(suseconds_t microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  }
  struct sigaction old_ {};
};

}  // namespace

TEST_CASE("children give what they were asked for") {
  Children children(60s);
  for (size_t i = 0; i < 5; ++i)
    REQUIRE(children.start(i, [i] { return std::string(i * 1'000'000, static_cast<char>('a' + i)); }));
  const auto ended = all(children);
  REQUIRE(ended.size() == 5);
  for (const auto& [id, e] : ended) {
    CAPTURE(id, e.why);
    REQUIRE(e.result);
    CHECK(*e.result == std::string(id * 1'000'000, static_cast<char>('a' + id)));
    CHECK_FALSE(e.late);
  }
}

TEST_CASE("signals in the middle of reads and writes lose nothing") {
  const Disturbance disturbance;
  Children children(60s);
  for (size_t i = 0; i < 4; ++i)
    REQUIRE(children.start(i, [i] {
      const Disturbance again;  // timers are not inherited
      return std::string(3'000'000, static_cast<char>('a' + i));
    }));
  for (const auto& [id, e] : all(children)) {
    CAPTURE(id, e.why);
    REQUIRE(e.result);
    CHECK(*e.result == std::string(3'000'000, static_cast<char>('a' + id)));
  }
}

TEST_CASE("children that do not come to their end say why") {
  Children children(300ms);
  REQUIRE(children.start(0, []() -> std::string { throw std::runtime_error("no more room"); }));
  REQUIRE(children.start(1, []() -> std::string {
    ::kill(::getpid(), SIGKILL);
    return "";
  }));
  REQUIRE(children.start(2, []() -> std::string { ::_exit(0); }));
  REQUIRE(children.start(3, []() -> std::string {
    while (true) ::pause();
  }));
  const auto ended = all(children);
  CHECK(ended.at(0).why.find("no more room") != std::string::npos);
  CHECK(ended.at(1).why.find("signal 9") != std::string::npos);
  CHECK(ended.at(2).why == "the process ended without a result");
  CHECK(ended.at(3).late);
  for (const auto& [id, e] : ended) CHECK_FALSE(e.result);
}

TEST_CASE("what children say before their end is known, also of those that come to none") {
  Children children(60s);
  const std::string long_line(300'000, 'x');
  REQUIRE(children.start(0, [&](const Children::Say& say) {
    say("first");
    say(long_line);
    return std::string("-a result\n+of lines\n");
  }));
  REQUIRE(children.start(1, [](const Children::Say& say) -> std::string {
    say("before");
    ::kill(::getpid(), SIGKILL);
    return "";
  }));
  REQUIRE(children.start(2, [](const Children::Say& say) -> std::string {
    say("room");
    throw std::runtime_error("no more");
  }));
  REQUIRE(children.start(3, [] { return std::string("silent"); }));
  const auto ended = all(children);
  using Said = std::vector<std::string>;
  CHECK(ended.at(0).said == Said{"first", long_line});
  CHECK(ended.at(0).result == "-a result\n+of lines\n");
  CHECK(ended.at(1).said == Said{"before"});
  CHECK_FALSE(ended.at(1).result);
  CHECK(ended.at(2).said == Said{"room"});
  CHECK(ended.at(2).why.find("no more") != std::string::npos);
  CHECK(ended.at(3).said.empty());
  CHECK(ended.at(3).result == "silent");
}

TEST_CASE("the interrupt of a terminal does not end children, but their parent's end does") {
  int ids[2];
  REQUIRE(::pipe(ids) == 0);
  pid_t process = 0;
  {
    Children children(60s);
    REQUIRE(children.start(0, [&]() -> std::string {
      const pid_t own = ::getpid();
      ::raise(SIGINT);
      if (::write(ids[1], &own, sizeof own) != sizeof own) return "";
      while (true) ::pause();
    }));
    REQUIRE(::read(ids[0], &process, sizeof process) == sizeof process);
    CHECK(::kill(process, 0) == 0);
  }
  CHECK(::kill(process, 0) != 0);
  ::close(ids[0]);
  ::close(ids[1]);
}

#ifndef __SANITIZE_ADDRESS__  // what its allocator has locked stays locked: GCC 12's knows nothing of fork()
TEST_CASE("children work although other threads assemble and build sessions when they are forked") {
  // What such a thread has locked stays locked for ever in a child that is forked meanwhile.
  const std::string text =
      ".reg a b\nimmed[a, 1]\n.while (a < 3)\nalu[a, a, +, 1]\n.endw\nalu[b, a, +, a]\nctx_arb[kill]\n";
  const auto assemble = [&text](int n) {
    return std::to_string(
        weft::assembler::assemble(weft::make_source(fmt::format("p{}.uc", n), text), {}).diagnostics.size());
  };
  std::atomic<bool> over = false;
  std::vector<std::thread> others;
  for (int t = 0; t < 3; ++t)
    others.emplace_back([&] {
      for (int n = 0; !over; ++n) {
        assemble(n);
        if (auto project = weft::workbench::load_project(WEFT_SOURCE_DIR "/examples/first", {}))
          weft::workbench::Session::create(std::move(*project));
      }
    });
  size_t ended = 0;
  {
    Children children(std::chrono::seconds(20));
    constexpr size_t kChildren = 150;
    for (size_t next = 0; next < kChildren || children.running() > 0;) {
      while (next < kChildren && children.running() < 4 && children.start(next, [&] { return assemble(0); })) ++next;
      for (const Children::Ended& e : children.wait()) {
        INFO(e.why);
        CHECK(e.result.has_value());
        ++ended;
      }
    }
    CHECK(ended == kChildren);
  }
  over = true;
  for (std::thread& t : others) t.join();
}
#endif
