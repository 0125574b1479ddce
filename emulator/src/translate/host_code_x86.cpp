// Host code for x86-64, by asmjit. Bodies are those of semantics/; what they do to time is that of
// fast/fast_engine.cpp.
//
// Registers: rdi, rsi and rdx have the arguments of a Handler (engine, word, cycle) until the end; r8 has the
// EngineState, r9 its registers of the executing context; rax, rcx, r10 and r11 are free. Code is written through
// another mapping than that in which it runs, so that no memory is both writable and executable.
#include <asmjit/x86.h>

#include <cstddef>
#include <cstdlib>
#include <set>
#include <string_view>

#include "fast/fast_engine.h"
#include "semantics/bodies.h"
#include "translate/host_code.h"

namespace weft::emulator::translate {
namespace {

namespace x86 = asmjit::x86;
namespace body = semantics::body;
using fast::Base;
using fast::Handler;
using fast::HotState;
using fast::Place;

static_assert(std::is_standard_layout_v<HotState> && sizeof(Op) == 64);
constexpr size_t kCodes = offsetof(HotState, codes);
constexpr size_t kSum = kCodes + offsetof(LazyCodes, sum), kOverflow = kCodes + offsetof(LazyCodes, overflow);
constexpr size_t kPrevious = offsetof(EngineState, previous);

// --- what is left to the engine

void check(fast::FastEngine& f, const Op* op, uint64_t cycle) { f.check(op, cycle); }
void take_branch(fast::FastEngine& f, const Op* op, uint64_t cycle) { f.branch(op, op + 1, op->target, cycle + 1); }

class Emitter {
 public:
  Emitter(x86::Assembler& a, const Program& program, const Stretch& stretch, Handler interpreted, bool counted)
      : a_(a), program_(program), stretch_(stretch), interpreted_(interpreted), counted_(counted) {}

  void emit() {
    interpret_ = a_.newLabel();
    check_ = a_.newLabel();
    find_what_is_asked();
    begin();
    for (size_t k = 0; k < stretch_.count; ++k) word(k);
    if (!is_always_taken(op(stretch_.count - 1)) || !leaves_[stretch_.count - 1].branch) go_on();
    for (const Exit& exit : exits_) leave(exit);
    for (const Exit& exit : absent_) leave_to_interpreter(exit);
    a_.bind(check_);
    jump_to(&check);
    a_.bind(interpret_);
    jump_to(interpreted_);
  }

 private:
  struct Exit {
    asmjit::Label label;
    size_t word;
  };
  const Op& op(size_t k) const { return program_.ops[stretch_.first + k]; }

  // --- what must be in its place at the end or before a branch
  void find_what_is_asked() {
    const size_t n = stretch_.count;
    codes_asked_.resize(n);
    previous_asked_.resize(n);
    for (size_t k = 0; k < n; ++k) leaves_.push_back(leaves_of(program_, op(k)));
    bool codes = true, previous = true;  // behind the last word everything is
    for (size_t k = n; k-- > 0;) {
      codes_asked_[k] = leaves_[k].codes && codes;
      previous_asked_[k] = leaves_[k].previous && previous;
      const bool all = leaves_[k].branch || leaves_[k].local;
      codes = (codes && !leaves_[k].codes) || all || leaves_[k].asks_carry;
      previous = (previous && !leaves_[k].previous) || all || leaves_[k].asks_previous;
    }
  }

  // --- places
  static x86::Mem hot(size_t offset, uint32_t size = 8) {
    return x86::Mem(x86::rdi, static_cast<int32_t>(offset), size);
  }
  static x86::Mem state(size_t offset) { return x86::dword_ptr(x86::r8, static_cast<int32_t>(offset)); }
  static x86::Mem at(Place place) {
    return x86::dword_ptr(place.base == Base::state ? x86::r8 : x86::r9, place.offset);
  }
  void load(const x86::Gp& to, Place place) {
    if (place.base == Base::constants)
      a_.mov(to, program_.constants[place.offset / 4]);
    else if (place.base == Base::nowhere)
      a_.mov(to, hot(offsetof(HotState, nowhere), 4));
    else if (is_local(place.base)) {
      a_.mov(to.r64(), found(place.base));
      a_.mov(to, x86::dword_ptr(to.r64()));
    } else {
      a_.mov(to, at(place));
    }
  }
  /// The destination is written last: r11 is free.
  template <class From>
  void put(const Op& o, const From& from) {
    if (o.dest.base == Base::nowhere) return;
    if (!is_local(o.dest.base)) return a_.mov(at(o.dest), from), void();
    a_.mov(x86::r11, found(o.dest.base));
    a_.mov(x86::dword_ptr(x86::r11), from);
  }

  // --- local memory: as FastEngine::find_local_memory()
  static bool is_local(Base base) {
    return base == Base::local_left || base == Base::local_right || base == Base::local_dest;
  }
  /// Where the longword is, once it was found.
  static x86::Mem found(Base base) { return hot(offsetof(HotState, base) + sizeof(char*) * static_cast<size_t>(base)); }
  void find_local_memory(size_t k) {
    const Operation& o = *op(k).source;
    absent_.push_back({a_.newLabel(), k});
    const auto find = [&](bool is0, bool is1, uint8_t offset, Base to) {
      if (!is0 && !is1) return;
      point_to(is1);
      a_.mov(x86::eax, x86::dword_ptr(x86::rcx));
      a_.shr(x86::eax, 2);
      a_.or_(x86::eax, offset);
      a_.and_(x86::eax, 1023);
      a_.cmp(x86::eax, kLocalMemory);
      a_.jae(absent_.back().label);
      a_.lea(x86::rax, x86::ptr(x86::r8, x86::rax, 2, offsetof(EngineState, local_memory)));
      a_.mov(found(to), x86::rax);
    };
    find(o.left.kind == Source::local_mem0, o.left.kind == Source::local_mem1, o.left.value, Base::local_left);
    find(o.right.kind == Source::local_mem0, o.right.kind == Source::local_mem1, o.right.value, Base::local_right);
    find(o.dest.kind == Dest::local_mem0, o.dest.kind == Dest::local_mem1, o.dest.value, Base::local_dest);
    if (o.post.lm0 != 0) move_pointer(false, o.post.lm0);
    if (o.post.lm1 != 0) move_pointer(true, o.post.lm1);
  }
  /// rcx = the pointer of the executing context, or the global one.
  void point_to(bool is1) {
    const int32_t number = is1 ? 1 : 0;
    a_.mov(x86::rcx, hot(offsetof(HotState, record)));
    a_.lea(x86::rcx, x86::ptr(x86::rcx, static_cast<int32_t>(offsetof(ContextRecord, lm)) + 4 * number));
    a_.lea(x86::rax, x86::ptr(x86::r8, static_cast<int32_t>(offsetof(EngineState, lm_global)) + 4 * number));
    a_.bt(state(offsetof(EngineState, ctx_enables)), 16 + number);
    a_.cmovc(x86::rcx, x86::rax);
  }
  // As Engine::move_lm().
  void move_pointer(bool is1, int8_t step) {
    point_to(is1);
    a_.mov(x86::eax, x86::dword_ptr(x86::rcx));
    a_.add(x86::eax, 4 * step);
    a_.and_(x86::eax, 0xfff);
    a_.mov(x86::dword_ptr(x86::rcx), x86::eax);
  }
  void leave_to_interpreter(const Exit& exit) {
    a_.bind(exit.label);
    if (exit.word == 0) return a_.jmp(interpret_), void();
    move_word(stretch_.first + exit.word);
    move_cycle(exit.word);
    a_.jmp(x86::qword_ptr(x86::rsi, offsetof(Op, run)));
  }

  // --- before the first word
  // Nothing may be looked at between the words, and no transfer register may be in flight in any of them.
  void begin() {
    if (stretch_.count > 1) {
      a_.lea(x86::rax, x86::ptr(x86::rdx, static_cast<int32_t>(stretch_.count - 1)));
      a_.cmp(x86::rax, hot(offsetof(HotState, check_at)));
      a_.jae(interpret_);
    }
    std::set<uint16_t> registers;
    size_t last_read = 0, last_written = 0;
    bool reads = false, writes = false;
    for (size_t k = 0; k < stretch_.count; ++k) {
      const Op& o = op(k);
      if ((o.left.transfer | o.right.transfer | o.old.transfer) != 0) {
        registers.insert(o.in);
        reads = true;
        last_read = k;
      }
      if (o.dest.transfer != 0) {
        registers.insert(o.out);
        writes = true;
        last_written = k;
      }
    }
    if (!registers.empty()) {
      a_.mov(x86::rcx, hot(offsetof(HotState, in_flight)));
      a_.mov(x86::eax, hot(offsetof(HotState, first_transfer), 4));
      a_.lea(x86::rcx, x86::ptr(x86::rcx, x86::rax, 1));
      for (const uint16_t number : registers) {
        a_.cmp(x86::word_ptr(x86::rcx, 2 * number), 0);
        a_.jne(interpret_);
      }
    }
    if (reads) within(last_read, offsetof(HotState, lookahead) + offsetof(EngineLookahead, in));
    if (writes) within(last_written, offsetof(HotState, lookahead) + offsetof(EngineLookahead, out));
    a_.mov(x86::r8, hot(offsetof(HotState, s)));
    a_.mov(x86::r9, hot(offsetof(HotState, base) + sizeof(char*) * static_cast<size_t>(Base::gprs)));
  }
  void within(size_t word, size_t lookahead) {
    a_.lea(x86::rax, x86::ptr(x86::rdx, static_cast<int32_t>(word)));
    a_.sub(x86::rax, hot(offsetof(HotState, seen)));
    a_.mov(x86::ecx, hot(lookahead, 4));
    a_.cmp(x86::rax, x86::rcx);
    a_.ja(interpret_);
  }

  // --- after the last word, and after a branch that is taken
  void jump_to(Handler function) {
    a_.mov(x86::rax, reinterpret_cast<uint64_t>(function));
    a_.jmp(x86::rax);
  }
  void move_word(size_t word) {
    const auto words = static_cast<int32_t>(word) - static_cast<int32_t>(stretch_.first);
    if (words != 0) a_.lea(x86::rsi, x86::ptr(x86::rsi, words * static_cast<int32_t>(sizeof(Op))));
  }
  void move_cycle(size_t cycles) {
    if (cycles != 0) a_.lea(x86::rdx, x86::ptr(x86::rdx, static_cast<int32_t>(cycles)));
  }
  // As FastEngine::go().
  void go() {
    a_.cmp(x86::rdx, hot(offsetof(HotState, check_at)));
    a_.jae(check_);
    a_.jmp(x86::qword_ptr(x86::rsi, offsetof(Op, run)));
  }
  void go_on() {
    move_word(stretch_.first + stretch_.count);
    move_cycle(stretch_.count);
    go();
  }
  // As FastEngine::branch().
  void leave(const Exit& exit) {
    const Op& o = op(exit.word);
    a_.bind(exit.label);
    if (o.defer != 0 || counted_) {
      move_word(stretch_.first + exit.word);
      move_cycle(exit.word);
      return jump_to(&take_branch);
    }
    a_.mov(hot(offsetof(HotState, slot_end)), -1);
    if (o.aborts != 0) a_.add(hot(offsetof(HotState, aborted)), o.aborts);
    move_cycle(exit.word);
    a_.mov(hot(offsetof(HotState, step_cycle)), x86::rdx);
    move_cycle(1u + o.aborts);
    a_.mov(hot(offsetof(HotState, after_step)), x86::rdx);
    move_word(o.target);
    go();
  }

  // --- words
  void word(size_t k) {
    const Op& o = op(k);
    if (leaves_[k].local) find_local_memory(k);
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
        branch<Body>(k);
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
    a_.mov(x86::r10d, x86::ecx);
    if (kind == isa::ShiftKind::right_indirect) {
      load_amount();
      a_.shrd(x86::r10d, x86::eax, x86::cl);
      a_.mov(x86::ecx, x86::r11d);
    } else if (kind != isa::ShiftKind::none && o.amount != 0) {
      a_.shrd(x86::r10d, x86::eax, o.amount);
    }
    previous(k, true);
    codes(k);
    put(o, x86::r10d);
  }
  // The sign is that of the result of the word before.
  void asr(size_t k, isa::ShiftKind kind) {
    const Op& o = op(k);
    load(x86::ecx, o.right);
    a_.mov(x86::r10d, x86::ecx);
    a_.mov(x86::eax, state(kPrevious + offsetof(PreviousAlu, result)));
    a_.sar(x86::eax, 31);
    if (kind == isa::ShiftKind::right_indirect) {
      load_amount();
      a_.shrd(x86::r10d, x86::eax, x86::cl);
      a_.mov(x86::ecx, x86::r11d);
    } else if (kind != isa::ShiftKind::none && o.amount != 0) {
      a_.shrd(x86::r10d, x86::eax, o.amount);
    }
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
  template <class Body>
  void branch(size_t k) {
    const Op& o = op(k);
    exits_.push_back({a_.newLabel(), k});
    const asmjit::Label taken = exits_.back().label;
    const x86::Mem sum = hot(kSum, 4), carry = hot(kSum + 4, 1), overflow = hot(kOverflow, 4);
    const auto n_is_v = [&] {
      a_.mov(x86::eax, sum);
      a_.xor_(x86::eax, overflow);
    };
    const auto byte = [&] {
      load(x86::eax, o.left);
      a_.shr(x86::eax, o.number);
      a_.movzx(x86::eax, x86::al);
      a_.cmp(x86::eax, o.value);
    };
    if constexpr (std::is_same_v<Body, body::br>) {
      a_.jmp(taken);
    } else if constexpr (std::is_same_v<Body, body::beq>) {
      a_.cmp(sum, 0), a_.je(taken);
    } else if constexpr (std::is_same_v<Body, body::bne>) {
      a_.cmp(sum, 0), a_.jne(taken);
    } else if constexpr (std::is_same_v<Body, body::bmi>) {
      a_.cmp(sum, 0), a_.jl(taken);
    } else if constexpr (std::is_same_v<Body, body::bpl>) {
      a_.cmp(sum, 0), a_.jge(taken);
    } else if constexpr (std::is_same_v<Body, body::bhs>) {
      a_.test(carry, 1), a_.jnz(taken);
    } else if constexpr (std::is_same_v<Body, body::blo>) {
      a_.test(carry, 1), a_.jz(taken);
    } else if constexpr (std::is_same_v<Body, body::bvs>) {
      a_.cmp(overflow, 0), a_.jl(taken);
    } else if constexpr (std::is_same_v<Body, body::bvc>) {
      a_.cmp(overflow, 0), a_.jge(taken);
    } else if constexpr (std::is_same_v<Body, body::bge>) {
      n_is_v(), a_.jns(taken);
    } else if constexpr (std::is_same_v<Body, body::blt>) {
      n_is_v(), a_.js(taken);
    } else if constexpr (std::is_same_v<Body, body::ble>) {
      a_.cmp(sum, 0), a_.je(taken);
      n_is_v(), a_.js(taken);
    } else if constexpr (std::is_same_v<Body, body::bgt>) {
      const asmjit::Label not_taken = a_.newLabel();
      a_.cmp(sum, 0), a_.je(not_taken);
      n_is_v(), a_.jns(taken);
      a_.bind(not_taken);
    } else if constexpr (std::is_same_v<Body, body::br_eq_ctx> || std::is_same_v<Body, body::br_ne_ctx>) {
      a_.cmp(x86::byte_ptr(x86::r8, offsetof(EngineState, last_running)), o.number);
      std::is_same_v<Body, body::br_eq_ctx> ? a_.je(taken) : a_.jne(taken);
    } else if constexpr (std::is_same_v<Body, body::br_bset> || std::is_same_v<Body, body::br_bclr>) {
      load(x86::eax, o.left);
      a_.bt(x86::eax, o.number);
      std::is_same_v<Body, body::br_bset> ? a_.jc(taken) : a_.jnc(taken);
    } else if constexpr (std::is_same_v<Body, body::br_eq_byte>) {
      byte(), a_.je(taken);
    } else if constexpr (std::is_same_v<Body, body::br_ne_byte>) {
      byte(), a_.jne(taken);
    } else {
      assert(false);  // leaves_of() has no host code for it
    }
  }

  x86::Assembler& a_;
  const Program& program_;
  Stretch stretch_;
  Handler interpreted_;
  bool counted_;
  std::vector<Leaves> leaves_;                      ///< by word of the stretch
  std::vector<bool> codes_asked_, previous_asked_;  ///< what it leaves there is seen by somebody
  std::vector<Exit> exits_;                         ///< branches that are taken
  std::vector<Exit> absent_;                        ///< local memory that is not there
  asmjit::Label interpret_, check_;
};

class HostCodeX86 final : public HostCode {
 public:
  explicit HostCodeX86(bool counted) : counted_(counted) {}
  Handler translate(const Program& program, const Stretch& stretch, Handler interpreted) override {
    asmjit::CodeHolder code;
    if (code.init(runtime_.environment()) != asmjit::kErrorOk) return nullptr;
    x86::Assembler assembler(&code);
    Emitter(assembler, program, stretch, interpreted, counted_).emit();
    Handler out = nullptr;
    return runtime_.add(&out, &code) == asmjit::kErrorOk ? out : nullptr;
  }

 private:
  static asmjit::JitAllocator::CreateParams mapped_twice() {
    asmjit::JitAllocator::CreateParams out{};
    out.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    return out;
  }
  bool counted_;
  asmjit::JitAllocator::CreateParams params_ = mapped_twice();
  asmjit::JitRuntime runtime_{&params_};  ///< frees all code with itself
};

}  // namespace

std::unique_ptr<HostCode> make_host_code(bool counted) {
  const char* const asked = std::getenv("WEFT_TRANSLATE");
  if (asked != nullptr && std::string_view(asked) == "off") return nullptr;
  return std::make_unique<HostCodeX86>(counted);
}

}  // namespace weft::emulator::translate
