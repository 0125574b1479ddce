// Codecs of shift control (isa.md 3.5) and of the multiplier's steps (3.12).
#include "codecs.h"

namespace weft::isa::codec {
namespace {

constexpr uint32_t kRotate = 0, kRight = 1, kLeft = 2;

ShiftKind kind_of(const Instruction& insn) { return static_cast<ShiftKind>(insn[Role::shift]); }
void set(Instruction& insn, ShiftKind kind, uint32_t amount) {
  insn[Role::shift] = static_cast<uint32_t>(kind);
  insn[Role::amount] = amount;
}

Encoded check_amount(const Instruction& insn) {
  const uint32_t n = insn[Role::amount];
  const ShiftKind kind = kind_of(insn);
  const bool takes_none =
      kind == ShiftKind::none || kind == ShiftKind::left_indirect || kind == ShiftKind::right_indirect;
  if (takes_none && n != 0) return refuse(Role::amount, "this shift takes no amount", "leave it out");
  if (!takes_none && (n == 0 || n > 31))
    return refuse(Role::amount, "the shift amount is " + std::to_string(n) + "; it may be 1 to 31",
                  n == 0 ? "leave the shift out" : "use another instruction for shifts by 32 and more");
  return {};
}

Encoded shift_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  if (auto ok = check_amount(insn); !ok) return ok;
  const uint32_t n = insn[Role::amount];
  auto put = [&](uint32_t ctl, uint32_t amount) {
    u.field[0].put(word, ctl);
    u.field[1].put(word, amount);
  };
  switch (kind_of(insn)) {
    case ShiftKind::none: put(kRotate, 0); break;
    case ShiftKind::rotate_right: put(kRotate, n); break;
    case ShiftKind::rotate_left: put(kRotate, 32 - n); break;
    case ShiftKind::right: put(kRight, n); break;
    case ShiftKind::left: put(kLeft, 32 - n); break;
    case ShiftKind::right_indirect: put(kRight, 0); break;
    case ShiftKind::left_indirect: put(kLeft, 0); break;
    default: return refuse(Role::shift, "no such shift", "use <<n >>n <<rotn >>rotn <<indirect or >>indirect");
  }
  return {};
}
bool shift_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t ctl = u.field[0].get(word), n = u.field[1].get(word);
  if (ctl == kRotate) {
    // One word serves both directions; the shorter way is the one that is printed.
    if (n == 0)
      set(insn, ShiftKind::none, 0);
    else if (n <= 16)
      set(insn, ShiftKind::rotate_right, n);
    else
      set(insn, ShiftKind::rotate_left, 32 - n);
  } else if (ctl == kRight) {
    set(insn, n == 0 ? ShiftKind::right_indirect : ShiftKind::right, n);
  } else if (ctl == kLeft) {
    set(insn, n == 0 ? ShiftKind::left_indirect : ShiftKind::left, n == 0 ? 0 : 32 - n);
  } else {
    return false;
  }
  return true;
}

Encoded right_shift_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  const ShiftKind kind = kind_of(insn);
  if (kind != ShiftKind::right && kind != ShiftKind::right_indirect)
    return refuse(Role::shift, "only a right shift is possible here", "use >>n or >>indirect");
  if (auto ok = check_amount(insn); !ok) return ok;
  u.field[0].put(word, insn[Role::amount]);
  return {};
}
bool right_shift_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t n = u.field[0].get(word);
  set(insn, n == 0 ? ShiftKind::right_indirect : ShiftKind::right, n);
  return true;
}

// A start step leaves its size to the steps that follow: no bits.
Encoded mul_start_encode(const CodecUse&, Profile, const Instruction& insn, uint64_t&) {
  if (insn[Role::mul_size] > static_cast<uint32_t>(MulSize::m32x32))
    return refuse(Role::mul_size, "no such multiplication", "sizes are 24x8, 16x16 and 32x32");
  return {};
}
bool mul_start_decode(const CodecUse&, Profile, uint64_t, Instruction& insn) {
  insn[Role::mul_size] = static_cast<uint32_t>(MulSize::any);
  insn[Role::mul_step] = static_cast<uint32_t>(MulStep::start);
  return true;
}

bool step_exists(uint32_t size, uint32_t step) {
  const auto s = static_cast<MulStep>(step);
  switch (static_cast<MulSize>(size)) {
    case MulSize::m24x8: return s == MulStep::step1 || s == MulStep::last;
    case MulSize::m16x16: return s == MulStep::step1 || s == MulStep::step2 || s == MulStep::last;
    case MulSize::m32x32: return s >= MulStep::step1 && s <= MulStep::last2;
    default: return false;
  }
}
Encoded mul_step_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  const uint32_t size = insn[Role::mul_size], step = insn[Role::mul_step];
  if (!step_exists(size, step))
    return refuse(Role::mul_step, "this multiplication has no such step",
                  "24x8: step1, last; 16x16: step1, step2, last; 32x32: step1 to step4, last, last2");
  u.field[0].put(word, size);
  u.field[1].put(word, step - 1);
  return {};
}
bool mul_step_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  insn[Role::mul_size] = u.field[0].get(word);
  insn[Role::mul_step] = u.field[1].get(word) + 1;
  return step_exists(insn[Role::mul_size], insn[Role::mul_step]);
}

}  // namespace

const Codec shift{shift_encode, shift_decode};
const Codec right_shift{right_shift_encode, right_shift_decode};
const Codec mul_start{mul_start_encode, mul_start_decode};
const Codec mul_step{mul_step_encode, mul_step_decode};

}  // namespace weft::isa::codec
