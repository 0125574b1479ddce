// The order of accesses, compared with one that knows no clocks: each thread has the set of all commands that it knows
// to come first, and sets are passed on whole.
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "cases.h"
#include "observers/races.h"

using namespace weft::test;
using namespace weft::emulator;

namespace {

using Kind = CommandAccess::Kind;
using Lock = CommandAccess::Lock;
using Deeds = std::set<uint32_t>;  ///< numbers of commands
/// Longword, engine, context, pc, cycle, whether it wrote.
using Found = std::vector<std::tuple<Cell, unsigned, unsigned, unsigned, uint64_t, bool>>;

constexpr unsigned kEngines = 3, kThreads = kEngines * kContexts + 1, kHost = kThreads - 1;

class SetsOfDeeds {
 public:
  uint32_t issued(unsigned t) {
    known_[t].insert(++deeds_);
    return deeds_;
  }
  const Deeds& of(unsigned t) const { return known_[t]; }
  void learn(unsigned t, const Deeds& what) { known_[t].insert(what.begin(), what.end()); }
  void put(unsigned t, const std::string& object) { objects_[object].insert(known_[t].begin(), known_[t].end()); }
  void get(unsigned t, const std::string& object) { learn(t, objects_[object]); }

  void write_shared(ContextRef who, unsigned object) { writers_[{who.engine, object}] = who.context; }
  void read_shared(ContextRef who, unsigned object) {
    const auto at = writers_.find({who.engine, object});
    if (at != writers_.end()) learn(Races::thread(who), known_[who.engine * kContexts + at->second]);
  }

  Found serve(const CommandAccess& access, ContextRef who, uint32_t deed, uint16_t pc, uint64_t cycle) {
    found_.clear();
    const unsigned t = Races::thread(who);
    if (access.lock == Lock::take) get(t, lock_of(access.locked));
    const bool write = access.kind == Kind::write || access.kind == Kind::media_in;
    if (access.kind == Kind::ring_put || access.kind == Kind::enqueue) put(t, ring_of(access));
    if (access.kind == Kind::atomic) {
      locks_.insert(access.cells[0]);
      put(t, lock_word(access.cells[0]));
    }
    if (write || access.kind == Kind::read || access.kind == Kind::media_out)
      for (unsigned i = 0; i < access.count; ++i) {
        const Cell cell = access.cells[i];
        if (!locks_.contains(cell))
          touch(cell, write, {t, deed, who, pc, cycle});
        else if (write)
          put(t, lock_word(cell));
      }
    if (access.lock == Lock::give) put(t, lock_of(access.locked));
    return found_;
  }
  void answered(const CommandAccess& access, unsigned t) {
    if (access.kind == Kind::ring_get || access.kind == Kind::dequeue) get(t, ring_of(access));
    if (access.kind == Kind::read || (access.kind == Kind::atomic && access.answers))
      for (unsigned i = 0; i < access.count; ++i)
        if (locks_.contains(access.cells[i])) get(t, lock_word(access.cells[i]));
  }
  static std::string ring_of(const CommandAccess& a) {
    return "ring" + std::to_string(static_cast<int>(a.space)) + "." + std::to_string(a.list);
  }

 private:
  struct Access {
    unsigned thread = 0;
    uint32_t deed = 0;
    ContextRef who;
    uint16_t pc = 0;
    uint64_t cycle = 0;
  };
  struct Longword {
    std::optional<Access> write, reads[2];
  };
  static std::string lock_of(Cell cell) { return "locked" + std::to_string(cell); }
  static std::string lock_word(Cell cell) { return "lock" + std::to_string(cell); }
  bool ordered(const std::optional<Access>& before, unsigned t) const {
    return !before || before->thread == t || known_[t].contains(before->deed);
  }
  void check(const std::optional<Access>& before, Cell cell, unsigned t, bool wrote) {
    if (ordered(before, t)) return;
    for (const auto& [c, engine, context, pc, cycle, w] : found_)
      if (engine == before->who.engine && context == before->who.context && pc == before->pc) return;
    found_.emplace_back(cell, before->who.engine, before->who.context, before->pc, before->cycle, wrote);
  }
  void touch(Cell cell, bool write, const Access& now) {
    Longword& l = longwords_[cell];
    check(l.write, cell, now.thread, true);
    if (write) {
      for (const auto& read : l.reads) check(read, cell, now.thread, false);
      l = {};
      l.write = now;
    } else if (ordered(l.reads[0], now.thread)) {
      l.reads[0] = now;
    } else {
      if (!ordered(l.reads[1], now.thread)) l.reads[0] = l.reads[1];
      l.reads[1] = now;
    }
  }

  uint32_t deeds_ = 0;
  std::array<Deeds, kThreads> known_;
  std::map<std::string, Deeds> objects_;
  std::map<std::pair<unsigned, unsigned>, unsigned> writers_;
  std::set<Cell> locks_;
  std::map<Cell, Longword> longwords_;
  Found found_;
};

Found found_by(const Races& races) {
  Found out;
  for (const Races::Race& race : races.found())
    out.emplace_back(race.cell, race.other.who.engine, race.other.who.context, race.other.pc, race.other.cycle,
                     race.other.wrote);
  return out;
}

Cell scratch(uint64_t longword) { return cell_of(MemorySpace::scratch, 0, 4 * longword); }

struct UnderWay {
  CommandAccess access;
  ContextRef who;
  uint16_t pc = 0;
  uint64_t cycle = 0;
  uint32_t issued = 0, deed = 0;
};

/// Both kinds are told the same, command after command.
class Pair {
 public:
  explicit Pair(uint64_t seed) : random_(seed) {}
  unsigned races = 0, silent = 0;

  void step() {
    const ContextRef who = any_context();
    const unsigned t = Races::thread(who);
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3: return issue(who);
      case 4:
      case 5:
      case 6:
      case 7: return serve();
      case 8:
      case 9: return answer();
      case 10: return signal(who);
      case 11: return take(who);
      case 12: {
        const uint8_t other = static_cast<uint8_t>(below(kContexts));
        fast_.follow(who, other);
        return plain_.learn(t, Deeds(plain_.of(who.engine * kContexts + other)));
      }
      case 13: {
        const unsigned object = below(3);
        if (below(2) == 0) {
          fast_.write_shared(who, object);
          plain_.write_shared(who, object);
        } else {
          fast_.read_shared(who, object);
          plain_.read_shared(who, object);
        }
        return;
      }
      case 14: {
        const std::string ring = "neighbor";
        if (below(2) == 0) {
          fast_.next_neighbor_put(who, who.engine);
          plain_.put(t, ring + std::to_string(who.engine));
        } else {
          fast_.next_neighbor_get(who);
          plain_.get(t, ring + std::to_string(who.engine));
        }
        return;
      }
      default: {
        CommandAccess access;
        access.list = below(2);
        const bool put = below(2) == 0;
        fast_.host_ring(access.list, put);
        put ? plain_.put(kHost, SetsOfDeeds::ring_of(access)) : plain_.get(kHost, SetsOfDeeds::ring_of(access));
      }
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  /// Few contexts do most of it, so that they meet each other.
  ContextRef any_context() {
    return {static_cast<uint8_t>(below(kEngines)), static_cast<uint8_t>(below(below(4) == 0 ? kContexts : 2))};
  }

  void issue(ContextRef who) {
    static constexpr Kind kKinds[] = {Kind::read,    Kind::read,     Kind::write,     Kind::write,
                                      Kind::atomic,  Kind::ring_get, Kind::ring_put,  Kind::enqueue,
                                      Kind::dequeue, Kind::media_in, Kind::media_out, Kind::none};
    UnderWay command;
    CommandAccess& access = command.access;
    access.kind = kKinds[below(std::size(kKinds))];
    access.list = below(2);
    access.answers = below(2) == 0;
    access.count = access.kind == Kind::atomic ? 1 : 1 + below(4);
    // Around the end of a page; the locks are in it, too.
    const uint64_t first = access.kind == Kind::atomic ? 254 + 3 * below(2) : 250 + below(12);
    for (unsigned i = 0; i < access.count; ++i) access.cells[i] = scratch(first + i);
    if (below(8) == 0) {
      access.lock = below(2) == 0 ? Lock::take : Lock::give;
      access.locked = scratch(below(2));
    }
    command.who = who;
    command.pc = static_cast<uint16_t>(below(40));
    command.cycle = ++cycle_;
    command.issued = fast_.issued(who);
    command.deed = plain_.issued(Races::thread(who));
    issued_.push_back(command);
  }
  void serve() {
    if (issued_.empty()) return;
    const UnderWay c = issued_.front();
    issued_.pop_front();
    fast_.command(c.access, c.who, c.issued, c.pc, c.cycle, weft::isa::InsnId{});
    const Found expected = plain_.serve(c.access, c.who, c.deed, c.pc, c.cycle);
    CHECK(found_by(fast_) == expected);
    ++(expected.empty() ? silent : races);
    served_.push_back(c);
  }
  void answer() {
    if (served_.empty()) return;
    const UnderWay c = served_.front();
    served_.pop_front();
    fast_.answered(Races::order_of(c.access), c.who);
    plain_.answered(c.access, Races::thread(c.who));
  }
  void signal(ContextRef who) {
    signals_.emplace_back(fast_.release(Races::thread(who)), plain_.of(Races::thread(who)));
    if (signals_.size() < 2 || below(3) != 0) return;
    // Nobody has taken the one before: who takes it takes both.
    auto& [clock, deeds] = signals_[signals_.size() - 2];
    fast_.join(clock, signals_.back().first);
    deeds.insert(signals_.back().second.begin(), signals_.back().second.end());
    signals_.pop_back();
  }
  void take(ContextRef who) {
    if (signals_.empty()) return;
    fast_.acquire(Races::thread(who), signals_.front().first);
    plain_.learn(Races::thread(who), signals_.front().second);
    signals_.pop_front();
  }

  std::mt19937_64 random_;
  Races fast_{kEngines};
  SetsOfDeeds plain_;
  uint64_t cycle_ = 0;
  std::deque<UnderWay> issued_, served_;
  std::deque<std::pair<Races::Snapshot, Deeds>> signals_;
};

CommandAccess access_to(Kind kind, Cell cell) {
  CommandAccess access;
  access.kind = kind;
  access.count = 1;
  access.cells[0] = cell;
  return access;
}

}  // namespace

TEST_CASE("clocks find the races that sets of commands find") {
  const uint64_t first = seed_or(1);
  unsigned races = 0, silent = 0;
  for (uint64_t seed = first; seed < first + (full_run() ? 2000 : 200); ++seed) {
    INFO("WEFT_SEED=" << seed);
    Pair pair(seed);
    for (unsigned i = 0; i < 1500; ++i) pair.step();
    races += pair.races;
    silent += pair.silent;
  }
  CHECK(races > 5000);
  CHECK(silent > 5000);
}

TEST_CASE("the oldest page is forgotten, and locks in it are not") {
  constexpr ContextRef kFirst{0, 0}, kSecond{1, 0};
  Races races(2);
  const auto serve = [&](Kind kind, ContextRef who, uint64_t longword) {
    races.command(access_to(kind, scratch(longword)), who, races.issued(who), 1, 1, {});
    return races.found().size();
  };
  CHECK(serve(Kind::write, kFirst, 0) == 0);
  CHECK(serve(Kind::atomic, kFirst, 1) == 0);
  CHECK(serve(Kind::write, kFirst, 256) == 0);
  for (uint64_t page = 2; page < Races::kMaxPages; ++page) serve(Kind::write, kFirst, 256 * page);
  CHECK(races.pages_forgotten() == 0);
  CHECK(serve(Kind::read, kSecond, 0) == 1);
  serve(Kind::write, kFirst, 256 * Races::kMaxPages);
  CHECK(races.pages_forgotten() == 1);
  serve(Kind::write, kFirst, 256 * (Races::kMaxPages + 1));
  CHECK(races.pages_forgotten() == 2);
  CHECK(serve(Kind::read, kSecond, 0) == 0);
  CHECK(serve(Kind::read, kSecond, 256) == 0);
  // Plain accesses to a lock do not race.
  CHECK(serve(Kind::write, kFirst, 1) == 0);
  CHECK(serve(Kind::read, kSecond, 1) == 0);
  // The lock orders what comes behind it.
  CHECK(serve(Kind::write, kFirst, 7) == 0);
  CHECK(serve(Kind::write, kFirst, 1) == 0);
  races.answered(Races::order_of(access_to(Kind::read, scratch(1))), kSecond);
  CHECK(serve(Kind::read, kSecond, 7) == 0);
}

TEST_CASE("rows of clocks are joined alike in all ways") {
  const uint64_t seed = seed_or(3);
  INFO("WEFT_SEED=" << seed);
  std::mt19937_64 random(seed);
  for (size_t length = clock_rows::kStep; length <= 10 * clock_rows::kStep; length += clock_rows::kStep) {
    std::vector<uint32_t> a(length), b(length), expected(length);
    for (size_t i = 0; i < length; ++i) {
      // Also such as differ in the highest bit.
      a[i] = static_cast<uint32_t>(random() >> (random() % 4 == 0 ? 32 : 60));
      b[i] = static_cast<uint32_t>(random() >> (random() % 4 == 0 ? 32 : 60));
      expected[i] = a[i] < b[i] ? b[i] : a[i];
    }
    for (const clock_rows::Join join : {clock_rows::quickest_join(), clock_rows::Join{clock_rows::join_anywhere}}) {
      std::vector<uint32_t> into = a;
      join(into.data(), b.data(), length);
      CHECK(into == expected);
    }
  }
}
