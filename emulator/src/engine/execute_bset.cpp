// find_bset and the loads of its results (me1; isa.md 12.2, E17).
#include <bit>

#include "engine/execute.h"
#include "engine/microengine.h"

namespace weft::emulator::execute {
namespace {

constexpr unsigned kField = 16;  ///< bits; also the result of an empty field

/// The `number`th newest result that has landed.
uint32_t result(const Engine& e, unsigned number) {
  for (const BsetResult& found : e.s.bset)
    if (found.due <= e.s.next_cycle && --number == 0) return found.value;
  return 0;
}

}  // namespace

Outcome find_bset(Engine& e, const Operation& o) {
  const auto field = static_cast<uint16_t>(e.read(o.left) >> (o.amount & 31));
  auto& found = e.s.bset;
  found[2] = found[1];
  found[1] = found[0];
  found[0] = {field == 0 ? kField : static_cast<uint32_t>(std::countr_zero(field)), e.s.next_cycle + 2};
  return Outcome::done;
}

Outcome load_bset_result1(Engine& e, const Operation& o) {
  e.write(o.dest, result(e, 1));
  return Outcome::done;
}

Outcome load_bset_result2(Engine& e, const Operation& o) {
  e.write(o.dest, result(e, 2));
  return Outcome::done;
}

}  // namespace weft::emulator::execute
