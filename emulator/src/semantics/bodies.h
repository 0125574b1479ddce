// What instructions do: one function for each, used by the stepper (engine/execute.cpp) and the fast engine
// (fast/handlers.cpp). Time, order and what is in flight are their business.
//
// A body is a template over a view of the decoded word and the engine that executes it, cheap to copy:
//
//   left() right() old()          operands; `old` is the destination, read as a source
//   put(value)                    writes the destination
//   state() record() context()    EngineState; record and number of the executing context
//   code_n() .. code_c()          condition codes, which are not in state(); set_codes(LazyCodes)
//   op() shift() amount()         fields that most words have, amount 0 to 31
//   value() mask() load_cc()      constant or value to compare, bytes as bits
//   number() target()             context, signal, state or bit; a byte as its lowest bit
//   word()                        the whole decoded word, for fields that few have
//   cycle()                       in which the word executes
//
// and what few of them ask: csr_is_read, read_csr, write_csr, write_lm (constant.h, cam.h), input_state (branch.h),
// leaves (context.h), engine, address_shift, data_is_register (command.h).
//
// What a body returns says how execution goes on: nothing, with the next word; bool, a branch that is taken or not;
// Jump, there; Shadow::Kind, the context leaves. That of commands completes a Command, which the engine sends.
#pragma once

#include <type_traits>

#include "semantics/alu.h"
#include "semantics/branch.h"
#include "semantics/bset.h"
#include "semantics/cam.h"
#include "semantics/command.h"
#include "semantics/constant.h"
#include "semantics/context.h"
#include "semantics/crc.h"
#include "semantics/multiply.h"
#include "semantics/shift.h"

namespace weft::emulator::semantics {

/// The bodies as types, to choose functions by. lib/isa says which there are; one that is missing does not compile.
namespace body {
#define WEFT_BODY(name)                    \
  struct name {                            \
    template <class View, class... Out>    \
    static auto run(View v, Out&... out) { \
      return semantics::name(v, out...);   \
    }                                      \
  };
#include "weft/isa/bodies.inc"
}  // namespace body

/// Bodies that are compiled once for each operation, or each kind of shift, so that a step decides nothing twice.
template <class Body>
inline constexpr bool kByOp = std::is_same_v<Body, body::alu>;
template <class Body>
inline constexpr bool kByShift =
    std::is_same_v<Body, body::alu_shf> || std::is_same_v<Body, body::dbl_shf> || std::is_same_v<Body, body::asr> ||
    std::is_same_v<Body, body::ld_field> || std::is_same_v<Body, body::ld_field_w_clr>;

/// The operation or shift that it was compiled for.
struct Fixed {
  isa::AluOp op{};
  isa::ShiftKind shift{};
};

template <class Body, class Make>
auto choose_op(isa::AluOp op, Make make) {
  switch (op) {
// clang-format off
#define WEFT_ALU_OP(name) \
    case isa::AluOp::name: return make.template operator()<Body, Fixed{.op = isa::AluOp::name}>();
#include "weft/isa/bodies.inc"
    // clang-format on
  }
  return make.template operator()<Body, Fixed{}>();
}

template <class Body, class Make>
auto choose_shift(isa::ShiftKind shift, Make make) {
  using isa::ShiftKind;
  switch (shift) {
    case ShiftKind::none: break;
    case ShiftKind::left: return make.template operator()<Body, Fixed{.shift = ShiftKind::left}>();
    case ShiftKind::right: return make.template operator()<Body, Fixed{.shift = ShiftKind::right}>();
    case ShiftKind::rotate_left: return make.template operator()<Body, Fixed{.shift = ShiftKind::rotate_left}>();
    case ShiftKind::rotate_right: return make.template operator()<Body, Fixed{.shift = ShiftKind::rotate_right}>();
    case ShiftKind::left_indirect: return make.template operator()<Body, Fixed{.shift = ShiftKind::left_indirect}>();
    case ShiftKind::right_indirect: return make.template operator()<Body, Fixed{.shift = ShiftKind::right_indirect}>();
  }
  return make.template operator()<Body, Fixed{}>();
}

template <class Body, class Make>
auto choose(isa::AluOp op, isa::ShiftKind shift, Make make) {
  if constexpr (kByOp<Body>)
    return choose_op<Body>(op, make);
  else if constexpr (kByShift<Body>)
    return choose_shift<Body>(shift, make);
  else
    return make.template operator()<Body, Fixed{}>();
}

/// What `make.operator()<Body, Fixed>()` makes for the body of a decoded word.
template <class Word, class Make>
auto dispatch(const Word& word, Make make) {
  switch (word.id) {
// clang-format off
#define WEFT_BODY_OF(insn, name) \
    case isa::InsnId::insn: return choose<body::name>(word.op, word.shift, make);
#include "weft/isa/bodies.inc"
    // clang-format on
  }
  return choose<body::immed>(word.op, word.shift, make);  // no id has another number
}

}  // namespace weft::emulator::semantics
