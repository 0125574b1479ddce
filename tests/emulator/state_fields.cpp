// Each field of each state record counts: in the hash, in files, and where states are compared.
#include <catch2/catch.hpp>

#include "../support/flip.h"
#include "units/units_state.h"
#include "units_support.h"
#include "weft/emulator/board.h"
#include "weft/emulator/stored.h"

using namespace weft;
using namespace weft::emulator;

namespace {

BoardState board_of(const MachineState& state) { return {{state}, {}}; }
BoardState board_of(const UnitsState& state) { return {{}, {std::make_shared<const UnitsState>(state)}}; }

std::string file_of(const BoardState& state) {
  ByteWriter out;
  put_state(out, state);
  return out.take();
}

template <class State>
size_t check_each_field(State& state) {
  test::fill(state);
  const State before = state;
  const uint64_t hash = Hash().add(before).value();
  const std::string file = file_of(board_of(before));
  size_t flips = 0;
  test::flip_each(state, "", [&](const std::string& path) {
    INFO(path);
    ++flips;
    const BoardState changed = board_of(state);
    if (Hash().add(state).value() == hash) FAIL_CHECK("the hash is the same");
    const std::string bytes = file_of(changed);
    if (bytes == file) FAIL_CHECK("the file is the same");
    // It is named, and alone.
    const std::vector<Difference> found = weft::differences(before, state);
    if (found.empty() || !found.front().path.starts_with(path)) FAIL_CHECK("it is not the difference");
    BoardState read;
    ByteReader in(bytes);
    if (!get_state(in, read) || in.left() != 0 || !differences(changed, read).empty())
      FAIL_CHECK("it is not read back");
  });
  CHECK(Hash().add(state).value() == hash);  // all is undone
  return flips;
}

}  // namespace

TEST_CASE("each field of a machine's state changes hash, file and difference") {
  MachineState state;
  // A place for each of the records that it names: engines with contexts, programs, admissions.
  CHECK(check_each_field(state) > 250);
}

TEST_CASE("each field of the units' states changes hash, file and difference") {
  UnitsState later{Ixp2000State()}, first{Ixp1200State()};
  CHECK(check_each_field(later) > 1000);
  CHECK(check_each_field(first) > 600);
}

TEST_CASE("the hashes of machine and units are those of the states that they save") {
  for (const char* name : {"generic-2400", "nctu-1200"}) {
    const auto description = load_board(name, {WEFT_SOURCE_DIR "/emulator"});
    REQUIRE(description);
    Board board(*description);
    board.machine().load(0, std::vector<uint64_t>(16, 0));
    board.machine().start(0, 1);
    const BoardState state = board.save();
    CHECK(board.units().state_hash() == Hash().add(*state.units[0]).value());
    CHECK(board.machine().state_hash() == Hash().add(state.machines[0]).value());
    // A frame that will be told as damaged, or not: the state differs at once.
    UnitsState changed = *state.units[0];
    std::visit([](auto& chip) { chip.ports.at(0).arriving_damaged = true; }, changed.chip);
    board.units().restore(changed);
    CHECK(board.units().state_hash() == Hash().add(changed).value());
    CHECK(board.units().state_hash() != Hash().add(*state.units[0]).value());
    const auto found = differences(state, board.save());
    REQUIRE(found.size() == 1);
    CHECK(found[0] == Difference{"units[0].chip.ports[0].arriving_damaged", "0x0", "0x1"});
  }
}

TEST_CASE("memories with the same contents are the same state, however they came by them") {
  PagedMemory left(1 << 20), right(1 << 20);
  left.write(0x8000, 5);
  left.write(0x8000, 0);
  CHECK(Hash().add(left).value() == Hash().add(right).value());
  CHECK(weft::differences(left, right).empty());
  left.write(0x8004, 7);
  right.write(0x8004, 9);
  CHECK(Hash().add(left).value() != Hash().add(right).value());
  CHECK(weft::differences(left, right) == std::vector<Difference>{{"pages[32768][1]", "0x7", "0x9"}});
}
