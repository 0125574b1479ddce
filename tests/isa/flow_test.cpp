// Flow of little programs of both profiles: successors and cycles counted by hand from the rules of docs/timing.md.
#include "weft/isa/flow.h"

#include <catch2/catch.hpp>

#include "little_programs.h"

namespace weft::isa_test {
namespace {

constexpr LostCycles kMe2{2, 3, 3, 2}, kMe1{1, 2, 2, 1};

std::vector<uint32_t> list(std::span<const uint32_t> words) { return {words.begin(), words.end()}; }
using Words = std::vector<uint32_t>;

/// Words that may issue within `limit` cycles after word 0, with the first cycle of each.
std::vector<std::pair<uint32_t, unsigned>> soon(const Flow& flow, unsigned limit) {
  std::vector<std::pair<uint32_t, unsigned>> out;
  flow.within_cycles(0, limit, [&](uint32_t n, unsigned cycles) {
    out.emplace_back(n, cycles);
    return true;
  });
  return out;
}

}  // namespace

TEST_CASE("a branch goes after its deferred slots") {
  const Little p{br(4, 2), nop(), nop(), nop(), halt()};
  const Flow flow(p, kMe2);
  CHECK(list(flow.next(0)) == Words{1});
  CHECK(list(flow.next(1)) == Words{2});
  CHECK(list(flow.next(2)) == Words{4});
  CHECK(flow.shadow_of(1) == 0);
  CHECK(flow.shadow_of(3) == -1);
  CHECK_FALSE(flow.reached(3));
  CHECK(flow.last_slot(0) == 2);
  CHECK(flow.stops(4));
  CHECK_FALSE(flow.runs_off(4));
  CHECK(list(flow.previous(4)) == Words{2, 3});
}

TEST_CASE("a slot that a branch enters is also a plain word") {
  const Little p{br(4, 1), nop(), nop(), br(1), halt()};
  const Flow flow(p, kMe2);
  CHECK(list(flow.next(1)) == Words{2, 4});
}

TEST_CASE("a branch in a slot comes instead of the one before it") {
  const Little p{br(6, 2), br(7, 2), nop(), nop(), nop(), halt(), halt(), halt()};
  const Flow flow(p, kMe2);
  CHECK(list(flow.next(2)) == Words{3, 6});
  CHECK(list(flow.next(3)) == Words{7});
}

TEST_CASE("both ways of a condition, and the end of the program") {
  const Little p{beq(2), nop(), beq(9, 1), nop()};
  const Flow flow(p, kMe2);
  CHECK(list(flow.next(0)) == Words{1, 2});
  CHECK(flow.runs_off(3));
  CHECK_FALSE(flow.runs_off(2));
}

TEST_CASE("jumps through registers, and words that are none") {
  Little p{nop(), rtn(), nop(), halt()};
  Flow flow(p, kMe2);
  CHECK(flow.goes_anywhere(1));
  CHECK(list(flow.next(1)).empty());
  Flow::Seen seen = flow.walk_behind(0, [](uint32_t) { return Flow::Walk::on; });
  CHECK(seen.unknown);
  CHECK(seen.by_register);
  p.words[1] = std::nullopt;
  flow = Flow(p, kMe2);
  seen = flow.walk_behind(0, [](uint32_t) { return Flow::Walk::on; });
  CHECK(seen.unknown);
  CHECK_FALSE(seen.by_register);
}

TEST_CASE("a walk stops where it is told, and says where contexts stop") {
  const Little p{nop(), beq(3), kill(), br(0)};
  const Flow flow(p, kMe2);
  Words visited;
  Flow::Seen seen = flow.walk_behind(0, [&](uint32_t n) {
    visited.push_back(n);
    return n == 3 ? Flow::Walk::past : Flow::Walk::on;
  });
  std::sort(visited.begin(), visited.end());
  CHECK(visited == Words{1, 2, 3});
  CHECK(seen.stop);
  CHECK_FALSE(seen.unknown);
  seen = flow.walk_behind(0, [](uint32_t n) { return n == 1 ? Flow::Walk::end : Flow::Walk::on; });
  CHECK(seen.ended);
  visited.clear();
  flow.walk({1}, [&](uint32_t n) { return visited.push_back(n), Flow::Walk::past; });
  CHECK(visited == Words{1});
}

TEST_CASE("cycles between words: a taken branch aborts, slots that are filled come off") {
  const Little plain{br(2), nop(), nop()}, filled{br(3, 1), nop(), nop(), nop()}, code{beq(2), nop(), nop()};
  CHECK(Flow(plain, kMe2).cycles(0, 2) == 3);
  CHECK(Flow(plain, kMe1).cycles(0, 2) == 2);
  CHECK(Flow(plain, {0, 0, 0, 0}).cycles(0, 2) == 1);
  CHECK(Flow(filled, kMe2).cycles(0, 1) == 1);
  CHECK(Flow(filled, kMe2).cycles(1, 3) == 2);
  CHECK(Flow(code, kMe2).cycles(0, 2) == 4);
  CHECK(Flow(Little{br(1), nop()}, kMe2).cycles(0, 1) == 3);  // to the next word
  CHECK(Flow(Little{br(2, 1), nop(), nop()}, kMe2).cycles(1, 2) == 2);
  CHECK(Flow(code, kMe2).cycles(0, 1) == 1);
}

TEST_CASE("a wrong guess costs the way that was not taken") {
  Instruction guessed = beq(2);
  guessed[Role::guess] = 1;
  const Flow flow(Little{guessed, nop(), nop()}, kMe1);
  CHECK(flow.cycles(0, 2) == 2);  // as an unconditional branch of this part
  CHECK(flow.cycles(0, 1) == 3);  // two fetched words are lost
  CHECK(cost_of(guessed, kMe1).taken == 1);
  CHECK(cost_of(guessed, kMe1).not_taken == 2);
}

TEST_CASE("soon after a word: in the order of time, until the context leaves") {
  // 0 nop, 1 beq 4, 2 nop, 3 swap with a slot, 4 slot or target, 5 nop
  const Little p{nop(), beq(5), nop(), arb(2, 1), nop(), nop()};
  CHECK(soon(Flow(p, kMe2), 5) == std::vector<std::pair<uint32_t, unsigned>>{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
  const Flow fast(p, {0, 0, 0, 0});
  CHECK(soon(fast, 3) == std::vector<std::pair<uint32_t, unsigned>>{{1, 1}, {2, 2}, {5, 2}, {3, 3}});
  const Little swap{nop(), arb(2), nop()};
  CHECK(soon(Flow(swap, kMe2), 9) == std::vector<std::pair<uint32_t, unsigned>>{{1, 1}});
}

TEST_CASE("what is lost without a chip file is what the deferred slots can fill") {
  const LostCycles me2 = default_lost(Profile::me2), me1 = default_lost(Profile::me1);
  CHECK(std::array{me2.branch, me2.branch_cc, me2.branch_test, me2.swap} == std::array{2u, 3u, 3u, 2u});
  CHECK(std::array{me1.branch, me1.branch_cc, me1.branch_test, me1.swap} == std::array{1u, 2u, 2u, 1u});
}

}  // namespace weft::isa_test
