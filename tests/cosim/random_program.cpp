#include "random_program.h"

#include <algorithm>
#include <array>

#include "weft/isa/effects.h"

namespace weft::test {

using namespace isa;

namespace {

/// b14 and b15 are the generator's own: the loop counter, and a scratch register for values that must be small.
constexpr uint32_t kCounter = 15, kSmall = 14;

Operand gpr(Bank bank, uint32_t n) { return {OperandKind::gpr, bank, Post::none, n}; }
Operand constant(uint32_t value) { return {OperandKind::constant, Bank::none, Post::none, value}; }

class Generator {
 public:
  Generator(Random& random, Profile profile, const ProgramStyle& style) : r_(random), profile_(profile), style_(style) {
    for (const InsnInfo& info : all_instructions()) {
      if (!enabled(profile, info.id)) continue;
      if (info.group == Group::command) commands_.push_back(&info);
      if (info.group == Group::branch) branches_.push_back(&info);
      if (info.group == Group::compute) computes_.push_back(&info);
    }
  }

  std::vector<Instruction> program() {
    prologue();
    const size_t loop = out_.size();
    lm_pointers();
    while (out_.size() - loop < style_.length) one();
    end_ = out_.size();
    // The loop: count down, and for ever again.
    Instruction count = make(InsnId::alu);
    count.dest = gpr(Bank::b, kCounter), count.left = gpr(Bank::b, kCounter), count.right = constant(1);
    count[Role::op] = static_cast<uint32_t>(AluOp::sub);
    out_.push_back(count);
    out_.push_back(arbitrate(1));
    Instruction again = make(InsnId::br);
    again[Role::target] = static_cast<uint32_t>(loop);
    out_.push_back(again);
    for (const size_t at : open_) {
      const size_t last = std::min(end_, at + 1 + r_.below(24));
      out_[at][Role::target] = static_cast<uint32_t>(last <= at ? end_ : last);
    }
    return out_;
  }

 private:
  bool me1() const { return profile_ == Profile::me1; }
  static Instruction make(InsnId id) {
    Instruction i;
    i.id = id;
    return i;
  }
  bool percent(unsigned of) { return r_.below(100) < of; }
  template <class Range>
  const auto& any(const Range& range) {
    return range[r_.below(std::size(range))];
  }

  /// Adds the instruction when it has an encoding.
  bool add(const Instruction& i) {
    if (!encode(profile_, i)) return false;
    out_.push_back(i);
    return true;
  }
  void immed(Operand dest, uint32_t value) {
    Instruction i = make(InsnId::immed);
    i.dest = dest;
    i[Role::value] = value & 0xffff;
    out_.push_back(i);
  }
  Instruction arbitrate(uint32_t signals, bool any_of = false) {
    Instruction i = make(InsnId::ctx_arb);
    i[Role::signals] = signals;
    i[Role::any] = any_of;
    return i;
  }
  void csr(Csr number, Operand value) {
    Instruction i = make(InsnId::local_csr_wr);
    i.left = value;
    i[Role::csr] = static_cast<uint32_t>(number);
    add(i);
  }

  void prologue() {
    for (uint32_t n = 0; n < 8; ++n) {
      immed(gpr(Bank::a, n), static_cast<uint32_t>(r_.below(0x10000)));
      immed(gpr(Bank::b, n), static_cast<uint32_t>(r_.below(0x10000)));
    }
    immed(gpr(Bank::b, kCounter), 1000);
    if (percent(50)) csr(Csr::crc_remainder, gpr(Bank::a, 1));
    if (style_.csrs && percent(30)) csr(Csr::pseudo_random_number, gpr(Bank::a, 2));
  }

  /// Pointers well inside local memory: each turn of the loop moves them by less than a hundred longwords.
  void lm_pointers() {
    for (const Csr pointer : {Csr::active_lm_addr_0, Csr::active_lm_addr_1}) {
      immed(gpr(Bank::b, kSmall), static_cast<uint32_t>(400 + r_.below(1200)) & ~63u);
      csr(pointer, gpr(Bank::b, kSmall));
    }
    for (int i = 0; i < 3; ++i) immed(gpr(Bank::a, 3), static_cast<uint32_t>(r_.below(0x10000)));
  }

  Operand source(ArgClass cls) {
    const bool unrestricted = cls == ArgClass::ur_source || cls == ArgClass::ur_register;
    const bool constants = cls == ArgClass::ur_source || cls == ArgClass::re_source || cls == ArgClass::address;
    const Bank bank = percent(50) ? Bank::a : Bank::b;
    const auto kind = r_.below(100);
    if (me1()) return source_of_me1(kind, unrestricted, constants, cls == ArgClass::address, bank);
    if (kind < 15 && constants) return constant(static_cast<uint32_t>(r_.below(cls == ArgClass::address ? 128 : 256)));
    if (kind < 30) return {OperandKind::xfer_s, Bank::none, Post::none, static_cast<uint32_t>(r_.below(16))};
    if (kind < 38) return {OperandKind::xfer_d, Bank::none, Post::none, static_cast<uint32_t>(r_.below(16))};
    if (kind < 48) {
      const auto lm = percent(50) ? OperandKind::local_mem0 : OperandKind::local_mem1;
      const bool moves = percent(30);
      return {lm, Bank::none, moves ? (percent(60) ? Post::increment : Post::decrement) : Post::none,
              moves ? 0u : static_cast<uint32_t>(r_.below(unrestricted ? 16 : 8))};
    }
    if (kind < 52)
      return {percent(50) ? OperandKind::xfer_s_index : OperandKind::xfer_d_index, Bank::none,
              percent(50) ? (percent(60) ? Post::increment : Post::decrement) : Post::none, 0};
    if (kind < 56) return {OperandKind::neighbor, Bank::none, Post::none, static_cast<uint32_t>(r_.below(16))};
    if (kind < 58) return {OperandKind::neighbor_index, Bank::none, percent(50) ? Post::increment : Post::none, 0};
    if (kind < 64 && unrestricted)
      return {OperandKind::gpr_absolute, bank, Post::none, static_cast<uint32_t>(r_.below(128))};
    return gpr(bank, static_cast<uint32_t>(r_.below(14)));
  }
  Operand source_of_me1(uint64_t kind, bool unrestricted, bool constants, bool address, Bank bank) {
    if (kind < 20 && constants) return constant(static_cast<uint32_t>(r_.below(address ? 128 : 256)));
    if (kind < 40) return {OperandKind::xfer_s, Bank::none, Post::none, static_cast<uint32_t>(r_.below(8))};
    if (kind < 50) return {OperandKind::xfer_d, Bank::none, Post::none, static_cast<uint32_t>(r_.below(8))};
    if (kind < 60 && unrestricted)
      return {OperandKind::gpr_absolute, bank, Post::none, static_cast<uint32_t>(r_.below(64))};
    return gpr(bank, static_cast<uint32_t>(r_.below(14)));
  }
  Operand destination(ArgClass cls) {
    if (percent(8)) return {};
    Operand out = source(cls == ArgClass::ur_dest ? ArgClass::ur_register : ArgClass::re_register);
    return out;
  }

  uint32_t number(const Arg& arg) {
    switch (arg.cls) {
      case ArgClass::alu_op: return any(alu_ops()).value;
      case ArgClass::byte_mask: return static_cast<uint32_t>(r_.below(16));
      case ArgClass::signal: return static_cast<uint32_t>(1 + r_.below(me1() ? 9 : 14));
      case ArgClass::context: return static_cast<uint32_t>(r_.below(me1() ? 4 : 8));
      case ArgClass::input_state: return any(input_states(profile_)).value;
      case ArgClass::count: return static_cast<uint32_t>(1 + r_.below(percent(70) ? 2 : 8));
      case ArgClass::crc_type: return any(crc_types()).value;
      case ArgClass::constant: return static_cast<uint32_t>(r_.between(arg.min, std::max(arg.min, arg.max)));
      default: return 0;
    }
  }

  /// All parts of one written form.
  Instruction fill(const InsnInfo& info) {
    Instruction i = make(info.id);
    const Form& form = any(info.forms);
    for (const Arg& arg : form.args) {
      switch (arg.cls) {
        case ArgClass::ur_dest:
        case ArgClass::re_dest: i.operand(arg.role) = destination(arg.cls); break;
        case ArgClass::ur_source:
        case ArgClass::re_source:
        case ArgClass::re_register:
        case ArgClass::ur_register:
          if (!(arg.optional && percent(10))) i.operand(arg.role) = source(arg.cls);
          break;
        case ArgClass::address: i.operand(arg.role) = source(ArgClass::address); break;
        case ArgClass::xfer_read:
        case ArgClass::xfer_write:
        case ArgClass::xfer_both:
          i.xfer = {percent(60) ? OperandKind::xfer_s : OperandKind::xfer_d, Bank::none, Post::none,
                    static_cast<uint32_t>(r_.below(16))};
          if (me1())
            i.xfer = {info.unit == Unit::dram ? OperandKind::xfer_d : OperandKind::xfer_s, Bank::none, Post::none,
                      static_cast<uint32_t>(r_.below(8))};
          break;
        case ArgClass::none_only: break;
        case ArgClass::shf_op: {
          constexpr AluOp ops[] = {AluOp::b, AluOp::not_b, AluOp::and_, AluOp::not_and, AluOp::and_not, AluOp::or_};
          i[Role::op] = static_cast<uint32_t>(any(ops));
          break;
        }
        case ArgClass::shift:
        case ArgClass::right_shift: {
          i[Role::shift] = static_cast<uint32_t>(arg.cls == ArgClass::shift ? r_.below(7) : (percent(70) ? 2 : 6));
          if (i[Role::shift] >= 1 && i[Role::shift] <= 4) i[Role::amount] = static_cast<uint32_t>(1 + r_.below(31));
          break;
        }
        case ArgClass::byte_shift: i[Role::amount] = static_cast<uint32_t>(8 * r_.below(3)); break;
        case ArgClass::immediate:
          i[Role::value] = static_cast<uint32_t>(r_.below(0x10000));
          i[Role::invert] = percent(20);
          break;
        case ArgClass::mul_step:
          i[Role::mul_size] = any(mul_sizes()).value;
          i[Role::mul_step] = any(mul_steps()).value;
          break;
        default: i[arg.role] = number(arg); break;
      }
    }
    for (const TokenId token : info.tokens) {
      if (token_name(token) == "load_cc") i[Role::load_cc] = percent(50);
      if (token_name(token) == "bit_swap") i[Role::bit_swap] = percent(30);
    }
    if (info.id == InsnId::crc_be || info.id == InsnId::crc_le) i[Role::crc_bytes] = static_cast<uint32_t>(r_.below(7));
    if (info.id == InsnId::cam_lookup) {
      i[Role::lm_select] = static_cast<uint32_t>(r_.below(3));
      i[Role::lm_constant] = i[Role::lm_select] != 0 ? 1 : 0;  // so that a pointer that counts down stays above 0
    }
    return i;
  }

  void branch() {
    const InsnInfo& info = *any(branches_);
    if (info.id == InsnId::jump || info.id == InsnId::rtn) return;  // where they go would be random
    Instruction i = fill(info);
    i[Role::defer] = static_cast<uint32_t>(r_.below(std::min<uint32_t>(info.defer_max, 3) + 1u));
    if (me1() && percent(30)) i[Role::guess] = 1;
    i[Role::target] = 1;  // filled in later
    if (!add(i)) return;
    open_.push_back(out_.size() - 1);
  }

  void command() {
    const InsnInfo& info = *any(commands_);
    if (me1()) return command_of_me1(info);
    if (info.unit == Unit::pci) return;
    Instruction i = fill(info);
    const bool reflector = info.id == InsnId::cap_calc_read || info.id == InsnId::cap_calc_write;
    if (info.unit == Unit::cap) cap(i, reflector);
    if (info.unit == Unit::msf && !media(i)) return;
    if (info.signal != SignalUse::none && percent(90)) {
      i[Role::signal] = static_cast<uint32_t>(1 + r_.below(13));
      const bool swap = percent(style_.swaps) && info.cycles == CycleClass::command;
      i[Role::signal_mode] = static_cast<uint32_t>(swap ? SignalMode::ctx_swap : SignalMode::sig_done);
      if (swap) i[Role::defer] = static_cast<uint32_t>(r_.below(3));
    }
    if (effects(info.id).buffer_longwords != 0 && percent(80))
      names_buffer(i);
    else if (info.unit != Unit::cap && percent(10))
      i[Role::indirect] = 1;
    if (!add(i)) {
      i[Role::indirect] = i[Role::defer] = 0;
      if (!add(i)) return;
    }
    if (i[Role::signal] != 0 && static_cast<SignalMode>(i[Role::signal_mode]) == SignalMode::sig_done &&
        percent(style_.swaps))
      out_.push_back(arbitrate(1u << i[Role::signal], percent(30)));
  }

  // --- IXP1200: the unit chooses the signal; addresses are small, so that contexts meet at locks, bits and lists.
  void command_of_me1(const InsnInfo& info) {
    Instruction i = fill(info);
    if (info.group != Group::command || (info.unit == Unit::pci && percent(90))) return;
    if (!small_address(i, info)) return;
    for (const TokenId token : info.tokens) {
      if (!style_.queues) break;
      if (token_name(token) == "optimize_mem" && percent(30))
        i[Role::queue] = static_cast<uint32_t>(MemoryQueue::optimize_mem);
      if (token_name(token) == "priority" && percent(15)) i[Role::queue] = static_cast<uint32_t>(MemoryQueue::priority);
    }
    const uint32_t event = unit_signal(profile_, info.id);
    if (info.signal != SignalUse::none && percent(90)) {
      const bool swap = percent(style_.swaps);
      i[Role::signal] = event;
      i[Role::signal_mode] = static_cast<uint32_t>(swap ? SignalMode::ctx_swap : SignalMode::sig_done);
      if (swap) i[Role::defer] = static_cast<uint32_t>(r_.below(2));
    }
    const bool fifo = info.id == InsnId::sdram_r_fifo_rd || info.id == InsnId::sdram_t_fifo_wr;
    if (percent(fifo ? 90 : 8)) i[Role::indirect] = 1;
    if (!add(i)) {
      i[Role::indirect] = i[Role::defer] = 0;
      if (!add(i)) return;
    }
    if (i[Role::signal] != 0 && static_cast<SignalMode>(i[Role::signal_mode]) == SignalMode::sig_done &&
        percent(style_.swaps))
      out_.push_back(awaiting(1u << event));
  }
  /// Two answers of a unit can be one event, so that a wait for the second never ends; somebody signals inter_thread.
  Instruction awaiting(uint32_t events) {
    constexpr uint32_t kInterThread = 1u << 5;
    return percent(10) ? arbitrate(events) : arbitrate(events | kInterThread, true);
  }

  /// False when the command is not wanted after all.
  bool small_address(Instruction& i, const InsnInfo& info) {
    if (info.id == InsnId::csr_read || info.id == InsnId::csr_write) {
      i[Role::csr] = any(cap_csrs(profile_)).value;
      // A ready bus that random numbers have programmed shows nothing.
      return info.id == InsnId::csr_read || i[Role::csr] < 0x180 || i[Role::csr] > 0x190 || percent(5);
    }
    if (info.id == InsnId::fast_wr) {
      fast_write(i);
      return true;
    }
    if (i.left.kind == OperandKind::absent) return true;  // no address
    if (percent(25)) return true;
    uint32_t max = 40;
    if (info.unit == Unit::msf) max = info.id == InsnId::t_fifo_wr ? 150 : 130;
    if (info.unit == Unit::dram || percent(30)) max = 2000;
    immed(gpr(Bank::a, 12), static_cast<uint32_t>(r_.below(max)));
    i.left = gpr(Bank::a, 12), i.right = constant(0);
    return true;
  }

  /// Requests for mpackets, signals to threads of any engine, and a few others.
  void fast_write(Instruction& i) {
    static constexpr std::array<uint32_t, 8> csrs{0x01c, 0x01c, 0x01c, 0x1c0, 0x1c0, 0x028, 0x1e0, 0x008};
    i[Role::csr] = any(csrs);
    if (i[Role::csr] == 0x1c0) {
      i.left = constant(static_cast<uint32_t>(r_.below(style_.cross ? 25 : 4)));
      return;
    }
    if (i[Role::csr] != 0x01c) return;
    immed(gpr(Bank::a, 12),
          static_cast<uint32_t>(r_.below(16)) << 8 | static_cast<uint32_t>(r_.below(percent(90) ? 3 : 10)));
    Instruction thread = make(InsnId::immed_w1);
    thread.dest = gpr(Bank::a, 12);
    thread[Role::value] = static_cast<uint32_t>(r_.below(style_.cross ? 24 : 4));
    add(thread);
    i.left = gpr(Bank::a, 12);
  }

  void cap(Instruction& i, bool reflector) {
    static constexpr std::array<uint32_t, 8> csrs{0x4800, 0x4804, 0x4808, 0x4900, 0x490c, 0x4b20, 0x4b24, 0x4b28};
    i[Role::csr] = any(csrs) + (percent(30) ? 0x10 : 0);
    if (!reflector) return;
    // Bit 31 makes it the reflector; without it the address names a CSR.
    immed(gpr(Bank::a, 12), static_cast<uint32_t>(r_.below(0x4000)) & (style_.cross ? 0x3ffc : 0x3fc));
    if (percent(70)) {
      Instruction high = make(InsnId::immed_w1);
      high.dest = gpr(Bank::a, 12);
      high[Role::value] = 0x8000;
      add(high);
    }
    i.left = gpr(Bank::a, 12), i.right = constant(0);
  }

  /// Free lists with an entry of any engine, buffers, and a few registers.
  bool media(Instruction& i) {
    static constexpr std::array<uint32_t, 6> registers{0x30, 0x44, 0x2000, 0x2400, 0x1800, 0x60};
    const uint32_t address = any(registers) + 4 * static_cast<uint32_t>(r_.below(2));
    immed(gpr(Bank::b, 12), address);
    if (i.id == InsnId::msf_fast_wr) {
      Instruction high = make(InsnId::immed_w1);
      high.dest = gpr(Bank::b, 12);
      const auto entry = static_cast<uint32_t>(r_.below(0x10000));
      high[Role::value] = address < 0x40 && !style_.cross ? entry & 0xf00f : entry;
      add(high);
    }
    i.left = gpr(Bank::b, 12), i.right = constant(0);
    return true;
  }

  /// One of the two elements that media() writes; the word before the command says which.
  void names_buffer(Instruction& i) {
    const auto word = static_cast<uint32_t>((0x2000 + 64 * r_.below(2)) << 5 | 1u << 4);
    immed(gpr(Bank::b, 12), word);
    Instruction high = make(InsnId::immed_w1);
    high.dest = gpr(Bank::b, 12);
    high[Role::value] = word >> 16;
    add(high);
    Instruction before = make(InsnId::alu);
    before[Role::op] = static_cast<uint32_t>(AluOp::b);
    before.right = gpr(Bank::b, 12);
    add(before);
    i[Role::indirect] = 1;
    i.left = constant(0), i.right = constant(static_cast<uint32_t>(8 * r_.below(8)));
  }

  void local_csr() {
    static constexpr std::array<Csr, 10> quiet{
        Csr::byte_index,    Csr::t_index,        Csr::t_index_byte_index,         Csr::csr_ctx_pointer,
        Csr::crc_remainder, Csr::same_me_signal, Csr::active_future_count_signal, Csr::same_me_signal,
        Csr::t_index,       Csr::byte_index};
    static constexpr std::array<Csr, 12> loud{Csr::active_ctx_future_count,
                                              Csr::indirect_ctx_future_count,
                                              Csr::nn_put,
                                              Csr::nn_get,
                                              Csr::next_neighbor_signal,
                                              Csr::prev_neighbor_signal,
                                              Csr::active_ctx_sig_events,
                                              Csr::indirect_ctx_sig_events,
                                              Csr::indirect_ctx_wakeup_events,
                                              Csr::timestamp_low,
                                              Csr::profile_count,
                                              Csr::pseudo_random_number};
    const Csr number = style_.csrs && percent(50) ? any(loud) : any(quiet);
    if (!me1() && percent(40)) {
      immed(gpr(Bank::b, kSmall), static_cast<uint32_t>(r_.below(number == Csr::active_ctx_future_count ? 12 : 256)));
      csr(number, gpr(Bank::b, kSmall));
      return;
    }
    if (me1() || (percent(50) && number != Csr::same_me_signal)) {
      Instruction read = make(InsnId::local_csr_rd);
      read[Role::csr] = static_cast<uint32_t>(any(csrs(profile_)).offset);
      if (add(read)) immed(percent(80) ? gpr(Bank::a, static_cast<uint32_t>(r_.below(12))) : Operand{}, 0);
      return;
    }
    csr(number, source(ArgClass::re_register));
  }

  void one() {
    if (percent(style_.branches)) return branch();
    if (percent(style_.commands)) return command();
    if (percent(6)) return local_csr();
    if (percent(3)) {
      Instruction swap = arbitrate(percent(80) ? 1 : 1u | static_cast<uint32_t>(r_.below(0x4000)), percent(50));
      if (me1())  // either voluntary or events, and those of the media may never come
        swap = percent(80) ? arbitrate(1) : awaiting(static_cast<uint32_t>(r_.below(0x1ff) + 1) << 1);
      swap[Role::defer] = static_cast<uint32_t>(r_.below(3));
      add(swap);
      return;
    }
    Instruction i = fill(*any(computes_));
    if (i.dest.kind == OperandKind::gpr && i.dest.bank == Bank::b && i.dest.value >= kSmall) return;
    add(i);
  }

  Random& r_;
  Profile profile_;
  const ProgramStyle& style_;
  std::vector<const InsnInfo*> commands_, branches_, computes_;
  std::vector<Instruction> out_;
  std::vector<size_t> open_;  ///< branches whose target is not decided
  size_t end_ = 0;
};

}  // namespace

std::vector<Instruction> random_program(Random& random, Profile profile, const ProgramStyle& style) {
  return Generator(random, profile, style).program();
}

}  // namespace weft::test
