// What surrounds the words of a stretch in host code for x86-64: where operands are, what is made sure of before the
// first word, and how control goes on after the last one or a branch that is taken. The words are in host_code_x86.cpp.
//
// Registers: rdi, rsi and rdx have the arguments of a Handler (engine, word, cycle) until the end; r8 has the
// EngineState, r9 its registers of the executing context; rax, rcx, r10 and r11 are free.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <set>
#include <vector>

#include "fast/fast_engine.h"
#include "translate/host_code.h"
#include "translate/stretch.h"

namespace weft::emulator::translate {

namespace x86 = asmjit::x86;
using fast::Base;
using fast::Handler;
using fast::HotState;
using fast::Place;

static_assert(std::is_standard_layout_v<HotState> && sizeof(Op) == 64);
inline constexpr size_t kCodes = offsetof(HotState, codes);
inline constexpr size_t kSum = kCodes + offsetof(LazyCodes, sum), kOverflow = kCodes + offsetof(LazyCodes, overflow);
inline constexpr size_t kPrevious = offsetof(EngineState, previous);

class X86Frame {
 public:
  X86Frame(x86::Assembler& a, const Program& program, const Stretch& stretch, Handler interpreted, Traced traced)
      : a_(a), program_(program), stretch_(stretch), interpreted_(interpreted), traced_(traced) {
    interpret_ = a_.newLabel();
    check_ = a_.newLabel();
    find_what_is_asked();
  }

 protected:
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
    if (place.base == Base::constants) {
      a_.mov(to, program_.constants[place.offset / 4]);
    } else if (place.base == Base::nowhere) {
      a_.mov(to, hot(offsetof(HotState, nowhere), 4));
    } else if (is_local(place.base)) {
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
    if (!registers.empty()) none_in_flight(registers);
    if (reads) within(last_read, offsetof(HotState, lookahead) + offsetof(EngineLookahead, in));
    if (writes) within(last_written, offsetof(HotState, lookahead) + offsetof(EngineLookahead, out));
    a_.mov(x86::r8, hot(offsetof(HotState, s)));
    a_.mov(x86::r9, hot(offsetof(HotState, base) + sizeof(char*) * static_cast<size_t>(Base::gprs)));
  }
  // Counts of registers that follow each other are compared at once.
  void none_in_flight(const std::set<uint16_t>& registers) {
    const asmjit::Label none = a_.newLabel();
    a_.mov(x86::rcx, hot(offsetof(HotState, in_flight)));
    a_.cmp(x86::dword_ptr(x86::rcx, offsetof(InFlight::Registers, all)), 0);
    a_.je(none);
    a_.mov(x86::eax, hot(offsetof(HotState, sender.first), 4));
    a_.lea(x86::rcx, x86::ptr(x86::rcx, x86::rax, 1, offsetof(InFlight::Registers, counts)));
    for (auto at = registers.begin(); at != registers.end();) {
      const int32_t first = *at;
      uint32_t count = 0;
      while (count < 4 && at != registers.end() && *at == first + static_cast<int32_t>(count)) ++at, ++count;
      if (count == 3) --at, --count;
      a_.cmp(x86::ptr(x86::rcx, 2 * first, 2 * count), 0);
      a_.jne(interpret_);
    }
    a_.bind(none);
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
    if (o.defer != 0 || traced_ == Traced::stretches) {
      move_word(stretch_.first + exit.word);
      move_cycle(exit.word);
      return jump_to(&take_branch);
    }
    if (traced_ == Traced::counts) count_branch(stretch_.first + exit.word, o.target);
    a_.mov(hot(offsetof(HotState, slot_end)), -1);
    if (o.aborts != 0) a_.add(hot(offsetof(HotState, aborted)), o.aborts);
    move_cycle(exit.word);
    a_.mov(hot(offsetof(HotState, step_cycle)), x86::rdx);
    move_cycle(1u + o.aborts);
    a_.mov(hot(offsetof(HotState, after_step)), x86::rdx);
    move_word(o.target);
    go();
  }

  // Of the context that holds the engine: a stretch of words ends behind the branch, and another one begins.
  void count_branch(size_t word, size_t target) {
    const auto of = [](size_t number, size_t member) {
      return x86::qword_ptr(x86::rax, static_cast<int32_t>(sizeof(fast::CountedWord) * number + member));
    };
    constexpr size_t kDifference = offsetof(fast::CountedWord, difference);
    a_.mov(x86::rax, hot(offsetof(HotState, counted)));
    a_.inc(of(word, offsetof(fast::CountedWord, taken)));
    a_.dec(of(word + 1, kDifference));
    a_.inc(of(target, kDifference));
  }

  void end() {
    if (!is_always_taken(op(stretch_.count - 1)) || !leaves_[stretch_.count - 1].branch) go_on();
    for (const Exit& exit : exits_) leave(exit);
    for (const Exit& exit : absent_) leave_to_interpreter(exit);
    a_.bind(check_);
    jump_to(&check);
    a_.bind(interpret_);
    jump_to(interpreted_);
  }

  x86::Assembler& a_;
  const Program& program_;
  Stretch stretch_;
  std::vector<Leaves> leaves_;                      ///< by word of the stretch
  std::vector<bool> codes_asked_, previous_asked_;  ///< what it leaves there is seen by somebody
  std::vector<Exit> exits_;                         ///< branches that are taken

 private:
  // What is left to the engine.
  static void check(fast::FastEngine& f, const Op* op, uint64_t cycle) { f.check(op, cycle); }
  static void take_branch(fast::FastEngine& f, const Op* op, uint64_t cycle) {
    f.branch(op, op + 1, op->target, cycle + 1);
  }

  Handler interpreted_;
  Traced traced_;
  std::vector<Exit> absent_;  ///< local memory that is not there
  asmjit::Label interpret_, check_;
};

}  // namespace weft::emulator::translate
