// Host code for x86-64, by asmjit: the words of a stretch, with the bodies of semantics/. What surrounds them, and
// which host registers are free, is in x86_frame.h. Code is written through another mapping than that in which it runs,
// so that no memory is both writable and executable.
#include <asmjit/x86.h>

#include <cassert>
#include <cstdlib>
#include <string_view>

#include "semantics/bodies.h"
#include "translate/host_code.h"
#include "translate/x86_frame.h"
#include "weft/isa/effects.h"

namespace weft::emulator::translate {
namespace {

namespace body = semantics::body;

class X86Words : public X86Frame {
 public:
  using X86Frame::X86Frame;

  void emit() {
    begin();
    for (size_t k = 0; k < stretch_.count; ++k) word(k);
    end();
  }

 private:
  void word(size_t k) {
    const Op& o = op(k);
    if (leaves_[k].local) find_local_memory(k);
    if (leaves_[k].branch) return branch(k);
    semantics::dispatch(*o.source, [&]<class Body, semantics::Fixed kFixed>() -> int {
      if constexpr (std::is_same_v<Body, body::alu>)
        alu(k, kFixed.op);
      else if constexpr (std::is_same_v<Body, body::alu_shf>)
        alu_shf(k, kFixed.shift);
      else if constexpr (std::is_same_v<Body, body::dbl_shf>)
        dbl_shf(k, kFixed.shift);
      else if constexpr (std::is_same_v<Body, body::asr>)
        asr(k, kFixed.shift);
      else if constexpr (std::is_same_v<Body, body::ld_field>)
        field(k, kFixed.shift, true);
      else if constexpr (std::is_same_v<Body, body::ld_field_w_clr>)
        field(k, kFixed.shift, false);
      else if constexpr (std::is_same_v<Body, body::immed>)
        immed(o);
      else if constexpr (std::is_same_v<Body, body::immed_part>)
        immed_part(o);
      else
        assert(false);  // leaves_of() has no host code for it
      return 0;
    });
  }

  void immed(const Op& o) { put(o, o.value); }
  void immed_part(const Op& o) {
    load(x86::eax, o.old);
    a_.and_(x86::eax, ~o.mask);
    a_.or_(x86::eax, o.value);
    put(o, x86::eax);
  }

  /// r10d = the operation on eax and `right`.
  void combine(isa::AluOp op, const x86::Gp& right) {
    using isa::AluOp;
    a_.mov(x86::r10d, right);
    switch (op) {
      case AluOp::not_b: a_.not_(x86::r10d); break;
      case AluOp::and_: a_.and_(x86::r10d, x86::eax); break;
      case AluOp::or_: a_.or_(x86::r10d, x86::eax); break;
      case AluOp::not_and:  // ~a & b
        a_.mov(x86::r11d, x86::eax);
        a_.not_(x86::r11d);
        a_.and_(x86::r10d, x86::r11d);
        break;
      case AluOp::and_not:  // a & ~b
        a_.not_(x86::r10d);
        a_.and_(x86::r10d, x86::eax);
        break;
      default: break;
    }
  }
  /// r10 = `first` + `second` (in r11d) + one or the carry, as semantics::add().
  void add(const x86::Gp& first, bool one, bool carry) {
    if (carry) {
      a_.mov(x86::r10d, hot(kSum + 4, 4));
      a_.and_(x86::r10d, 1);
      a_.add(x86::r10, first.r64());
      a_.add(x86::r10, x86::r11);
    } else {
      a_.lea(x86::r10, x86::ptr(first.r64(), x86::r11, 0, one ? 1 : 0));
    }
  }

  void alu(size_t k, isa::AluOp operation) {
    using isa::AluOp;
    const Op& o = op(k);
    load(x86::eax, o.left);
    load(x86::ecx, o.right);
    x86::Gp first = x86::eax;
    bool adds = true;
    switch (operation) {
      case AluOp::add:
      case AluOp::add_carry: a_.mov(x86::r11d, x86::ecx); break;
      case AluOp::add16: a_.movzx(x86::r11d, x86::cx); break;
      case AluOp::add8: a_.movzx(x86::r11d, x86::cl); break;
      case AluOp::sub:
      case AluOp::sub_carry:
        a_.mov(x86::r11d, x86::ecx);
        a_.not_(x86::r11d);
        break;
      case AluOp::b_sub_a:
        a_.mov(x86::r11d, x86::eax);
        a_.not_(x86::r11d);
        first = x86::ecx;
        break;
      case AluOp::xor_:
        a_.mov(x86::r10d, x86::ecx);
        a_.xor_(x86::r10d, x86::eax);
        adds = false;
        break;
      default:
        combine(operation, x86::ecx);
        adds = false;
        break;
    }
    if (adds) {
      const bool carry = operation == AluOp::add_carry || operation == AluOp::sub_carry;
      add(first, operation == AluOp::sub || operation == AluOp::b_sub_a, carry);
    }
    previous(k, true);
    if (!adds) {
      codes(k);
    } else if (codes_asked_[k]) {
      a_.mov(hot(kSum), x86::r10);
      a_.xor_(first, x86::r10d);
      a_.xor_(x86::r11d, x86::r10d);
      a_.and_(first, x86::r11d);
      a_.mov(hot(kOverflow, 4), first);
    }
    put(o, x86::r10d);
  }

  /// Of a result without carry, in r10d.
  void codes(size_t k) {
    if (!codes_asked_[k]) return;
    a_.mov(hot(kSum), x86::r10);
    a_.mov(hot(kOverflow, 4), 0);
  }
  /// Left operand (or 0), right operand and result, in eax, ecx and r10d.
  void previous(size_t k, bool left) {
    if (!previous_asked_[k]) return;
    if (left)
      a_.mov(state(kPrevious + offsetof(PreviousAlu, left)), x86::eax);
    else
      a_.mov(state(kPrevious + offsetof(PreviousAlu, left)), 0);
    a_.mov(state(kPrevious + offsetof(PreviousAlu, right)), x86::ecx);
    a_.mov(state(kPrevious + offsetof(PreviousAlu, result)), x86::r10d);
  }

  /// r10d = ecx, shifted. An amount of the word before is taken from cl, which is ecx again at the end.
  void shifted(isa::ShiftKind kind, unsigned amount) {
    using isa::ShiftKind;
    a_.mov(x86::r10d, x86::ecx);
    if (kind == ShiftKind::left_indirect || kind == ShiftKind::right_indirect) {
      load_amount();
      kind == ShiftKind::left_indirect ? a_.shl(x86::r10d, x86::cl) : a_.shr(x86::r10d, x86::cl);
      a_.mov(x86::ecx, x86::r11d);
      return;
    }
    if (amount == 0) return;
    switch (kind) {
      case ShiftKind::left: a_.shl(x86::r10d, amount); break;
      case ShiftKind::right: a_.shr(x86::r10d, amount); break;
      case ShiftKind::rotate_left: a_.rol(x86::r10d, amount); break;
      case ShiftKind::rotate_right: a_.ror(x86::r10d, amount); break;
      default: break;
    }
  }
  /// cl = the amount that the word before leaves, of which the host takes five bits, too; ecx is kept in r11d.
  void load_amount() {
    a_.mov(x86::r11d, x86::ecx);
    a_.mov(x86::ecx, state(kPrevious + offsetof(PreviousAlu, left)));
  }
  /// r10d = the lower half of {eax, ecx}, shifted to the right.
  void pair_shifted(isa::ShiftKind kind, unsigned amount) {
    a_.mov(x86::r10d, x86::ecx);
    if (kind == isa::ShiftKind::right_indirect) {
      load_amount();
      a_.shrd(x86::r10d, x86::eax, x86::cl);
      a_.mov(x86::ecx, x86::r11d);
    } else if (kind != isa::ShiftKind::none && amount != 0) {
      a_.shrd(x86::r10d, x86::eax, amount);
    }
  }
  void alu_shf(size_t k, isa::ShiftKind kind) {
    const Op& o = op(k);
    load(x86::eax, o.left);
    load(x86::ecx, o.right);
    shifted(kind, o.amount);
    combine(o.op, x86::r10d);
    previous(k, true);
    codes(k);
    put(o, x86::r10d);
  }
  void dbl_shf(size_t k, isa::ShiftKind kind) {
    const Op& o = op(k);
    load(x86::eax, o.left);
    load(x86::ecx, o.right);
    pair_shifted(kind, o.amount);
    previous(k, true);
    codes(k);
    put(o, x86::r10d);
  }
  // The sign is that of the result of the word before.
  void asr(size_t k, isa::ShiftKind kind) {
    const Op& o = op(k);
    load(x86::ecx, o.right);
    a_.mov(x86::eax, state(kPrevious + offsetof(PreviousAlu, result)));
    a_.sar(x86::eax, 31);
    pair_shifted(kind, o.amount);
    previous(k, false);
    codes(k);
    put(o, x86::r10d);
  }
  void field(size_t k, isa::ShiftKind kind, bool keeps) {
    const Op& o = op(k);
    load(x86::ecx, o.right);
    shifted(kind, o.amount);
    a_.and_(x86::r10d, o.mask);
    if (keeps) {
      load(x86::eax, o.old);
      a_.and_(x86::eax, ~o.mask);
      a_.or_(x86::r10d, x86::eax);
    }
    previous(k, false);
    codes(k);
    put(o, x86::r10d);
  }

  // --- branches
  void branch(size_t k) {
    using isa::Condition;
    const Op& o = op(k);
    exits_.push_back({a_.newLabel(), k});
    const asmjit::Label taken = exits_.back().label;
    const x86::Mem sum = hot(kSum, 4), carry = hot(kSum + 4, 1), overflow = hot(kOverflow, 4);
    const auto n_is_v = [&] {
      a_.mov(x86::eax, sum);
      a_.xor_(x86::eax, overflow);
    };
    const auto context = [&] { a_.cmp(x86::byte_ptr(x86::r8, offsetof(EngineState, last_running)), o.number); };
    const auto bit = [&] {
      load(x86::eax, o.left);
      a_.bt(x86::eax, o.number);
    };
    const auto byte = [&] {
      load(x86::eax, o.left);
      a_.shr(x86::eax, o.number);
      a_.movzx(x86::eax, x86::al);
      a_.cmp(x86::eax, o.value);
    };
    switch (isa::effects(o.source->id).condition) {
      case Condition::z: a_.cmp(sum, 0), a_.je(taken); break;
      case Condition::not_z: a_.cmp(sum, 0), a_.jne(taken); break;
      case Condition::n: a_.cmp(sum, 0), a_.jl(taken); break;
      case Condition::not_n: a_.cmp(sum, 0), a_.jge(taken); break;
      case Condition::c: a_.test(carry, 1), a_.jnz(taken); break;
      case Condition::not_c: a_.test(carry, 1), a_.jz(taken); break;
      case Condition::v: a_.cmp(overflow, 0), a_.jl(taken); break;
      case Condition::not_v: a_.cmp(overflow, 0), a_.jge(taken); break;
      case Condition::ge: n_is_v(), a_.jns(taken); break;
      case Condition::lt: n_is_v(), a_.js(taken); break;
      case Condition::le:
        a_.cmp(sum, 0), a_.je(taken);
        n_is_v(), a_.js(taken);
        break;
      case Condition::gt: {
        const asmjit::Label not_taken = a_.newLabel();
        a_.cmp(sum, 0), a_.je(not_taken);
        n_is_v(), a_.jns(taken);
        a_.bind(not_taken);
        break;
      }
      case Condition::context: context(), a_.je(taken); break;
      case Condition::not_context: context(), a_.jne(taken); break;
      case Condition::bit: bit(), a_.jc(taken); break;
      case Condition::not_bit: bit(), a_.jnc(taken); break;
      case Condition::byte: byte(), a_.je(taken); break;
      case Condition::not_byte: byte(), a_.jne(taken); break;
      case Condition::always: a_.jmp(taken); break;
      default: assert(false);  // leaves_of() has no host code for it
    }
  }
};

class HostCodeX86 final : public HostCode {
 public:
  explicit HostCodeX86(Traced traced) : traced_(traced) {}
  Handler translate(const Program& program, const Stretch& stretch, Handler interpreted) override {
    asmjit::CodeHolder code;
    if (code.init(runtime_.environment()) != asmjit::kErrorOk) return nullptr;
    x86::Assembler assembler(&code);
    X86Words(assembler, program, stretch, interpreted, traced_).emit();
    Handler out = nullptr;
    return runtime_.add(&out, &code) == asmjit::kErrorOk ? out : nullptr;
  }

 private:
  static asmjit::JitAllocator::CreateParams mapped_twice() {
    asmjit::JitAllocator::CreateParams out{};
    out.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    return out;
  }
  Traced traced_;
  asmjit::JitAllocator::CreateParams params_ = mapped_twice();
  asmjit::JitRuntime runtime_{&params_};  ///< frees all code with itself
};

}  // namespace

std::unique_ptr<HostCode> make_host_code(Traced traced) {
  const char* const asked = std::getenv("WEFT_TRANSLATE");
  if (asked != nullptr && std::string_view(asked) == "off") return nullptr;
  return std::make_unique<HostCodeX86>(traced);
}

}  // namespace weft::emulator::translate
