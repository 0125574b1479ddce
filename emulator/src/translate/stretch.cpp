#include "translate/stretch.h"

#include "semantics/bodies.h"
#include "weft/isa/effects.h"

namespace weft::emulator::translate {
namespace {

namespace body = semantics::body;

/// There is host code for the body.
template <class Body, class... Bodies>
inline constexpr bool kIsOneOf = (std::is_same_v<Body, Bodies> || ...);
template <class Body>
inline constexpr bool kHasHostCode = kIsOneOf<Body, body::alu, body::alu_shf, body::dbl_shf, body::asr, body::ld_field,
                                              body::ld_field_w_clr, body::immed, body::immed_part>;

/// A branch to the word that it names, which looks at nothing but codes, registers and the context.
bool is_own_branch(const isa::Effects& effects) {
  using isa::Condition;
  switch (effects.condition) {
    case Condition::signal:
    case Condition::not_signal:
    case Condition::state:
    case Condition::not_state:
    case Condition::none: return false;
    default: return effects.goes == isa::BranchTo::word;
  }
}

/// By an amount that the word before leaves.
bool shifts_by_previous(const Operation& o) {
  return o.shift == isa::ShiftKind::left_indirect || o.shift == isa::ShiftKind::right_indirect;
}

}  // namespace

bool is_always_taken(const Op& op) { return isa::is_plain_branch(op.source->id); }

Leaves leaves_of(const Program& program, const Op& op) {
  if (!op.plain) return {};
  const Operation& o = *op.source;
  const isa::InsnInfo& info = isa::info(o.id);
  const isa::Effects& effects = isa::effects(o.id);
  Leaves out;
  if (semantics::dispatch(o, []<class Body, semantics::Fixed>() { return kHasHostCode<Body>; })) {
    out.host_code = true;
    out.codes = info.sets_cc && (!effects.cc_by_token || o.load_cc);
    out.previous = info.previous_alu;
    out.asks_carry = effects.has(isa::Role::op) && isa::alu_op_info(o.op).reads_carry;
    out.asks_previous = (effects.reads & isa::states(isa::State::previous)) != 0 || shifts_by_previous(o);
  } else if (is_own_branch(effects)) {
    out = {.host_code = !o.guess && op.target < program.words, .branch = true};
  }
  out.local = op.lm || o.post.any;
  return out;
}

Stretch stretch_at(const Program& program, size_t first) {
  Stretch out{first, 0};
  while (out.count < kMaxWords && first + out.count < program.words) {
    const Op& op = program.ops[first + out.count];
    const Leaves leaves = leaves_of(program, op);
    if (!leaves.host_code) break;
    ++out.count;
    if (leaves.branch && (is_always_taken(op) || op.defer != 0)) break;
  }
  return out;
}

std::vector<bool> heads(const Program& program) {
  std::vector<bool> entered(program.words + 1), out(program.words);
  for (size_t i = 0; i < program.words; ++i) {
    const Op& op = program.ops[i];
    const bool branches = leaves_of(program, op).branch;
    if ((branches || op.source->has_target) && op.target < program.words) entered[op.target] = true;
    if (op.pairs) entered[std::min(i + 2, program.words)] = true;
  }
  size_t left = 0;  // words of the last stretch that are still to come
  for (size_t i = 0; i < program.words; ++i) {
    if (left > 0) --left;
    if (left > 0 && !entered[i]) continue;
    const Stretch stretch = stretch_at(program, i);
    const Op& op = program.ops[i];
    const bool branch_alone = stretch.count == 1 && leaves_of(program, op).branch && op.defer == 0;
    if (stretch.count < 2 && !branch_alone) continue;
    out[i] = true;
    left = stretch.count;
  }
  return out;
}

}  // namespace weft::emulator::translate
