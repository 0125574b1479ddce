// From Operation to Op: where operands are, and which function.
#include <cstddef>

#include "fast/core.h"
#include "fast/handlers.h"

namespace weft::emulator::fast {
namespace {

// InFlight::Registers and EngineState have the four files in the same order, without gaps.
static_assert(offsetof(EngineState, s_out) - offsetof(EngineState, s_in) == 512 &&
              offsetof(EngineState, d_in) - offsetof(EngineState, s_in) == 1024 &&
              offsetof(EngineState, d_out) - offsetof(EngineState, s_in) == 1536);

/// What an operand allows.
enum class Reach : uint8_t {
  place,  ///< it is the longword at a Place
  own,    ///< somewhere in the engine's own state
  shared  ///< something that others see or change
};

struct Decoder {
  const std::vector<Operation>& operations;
  bool four;
  Program& out;

  uint16_t constant(uint32_t value) {
    for (size_t i = 0; i < out.constants.size(); ++i)
      if (out.constants[i] == value) return static_cast<uint16_t>(4 * i);
    out.constants.push_back(value);
    return static_cast<uint16_t>(4 * (out.constants.size() - 1));
  }

  static Place file(size_t offset, unsigned number, Base base, uint8_t transfer = 0) {
    return {static_cast<uint16_t>(offset + 4 * number), base, transfer};
  }
  /// Registers of one context; behind them those of the next one follow, around the end of the file.
  unsigned own_registers() const { return four ? 32 : 16; }

  Reach source(SourceRef ref, Place& place) {
    const unsigned n = ref.value;
    const bool mine = n < own_registers();
    switch (ref.kind) {
      case Source::absent: place = {constant(0), Base::constants, 0}; return Reach::place;
      case Source::constant: place = {constant(n), Base::constants, 0}; return Reach::place;
      case Source::gpr_a:
        place = file(offsetof(EngineState, a), n, Base::gprs);
        return mine ? Reach::place : Reach::own;
      case Source::gpr_b:
        place = file(offsetof(EngineState, b), n, Base::gprs);
        return mine ? Reach::place : Reach::own;
      case Source::gpr_a_absolute: place = file(offsetof(EngineState, a), n & 127, Base::state); return Reach::place;
      case Source::gpr_b_absolute: place = file(offsetof(EngineState, b), n & 127, Base::state); return Reach::place;
      case Source::xfer_s:
        place = file(offsetof(EngineState, s_in), n, Base::transfers, 1);
        return mine ? Reach::place : Reach::shared;
      case Source::xfer_d:
        place = file(offsetof(EngineState, d_in), n, Base::transfers, 1);
        return mine ? Reach::place : Reach::shared;
      case Source::local_mem0:
      case Source::local_mem1: return Reach::own;
      case Source::xfer_s_index:
      case Source::xfer_d_index:
      case Source::neighbor:
      case Source::neighbor_index: return Reach::shared;
    }
    return Reach::shared;
  }

  Reach destination(DestRef ref, Place& place) {
    const unsigned n = ref.value;
    const bool mine = n < own_registers();
    switch (ref.kind) {
      case Dest::absent: place = {0, Base::nowhere, 0}; return Reach::place;
      case Dest::gpr_a: place = file(offsetof(EngineState, a), n, Base::gprs); return mine ? Reach::place : Reach::own;
      case Dest::gpr_b: place = file(offsetof(EngineState, b), n, Base::gprs); return mine ? Reach::place : Reach::own;
      case Dest::gpr_a_absolute: place = file(offsetof(EngineState, a), n & 127, Base::state); return Reach::place;
      case Dest::gpr_b_absolute: place = file(offsetof(EngineState, b), n & 127, Base::state); return Reach::place;
      case Dest::xfer_s:
        place = file(offsetof(EngineState, s_out), n, Base::transfers, 2);
        return mine ? Reach::place : Reach::shared;
      case Dest::xfer_d:
        place = file(offsetof(EngineState, d_out), n, Base::transfers, 2);
        return mine ? Reach::place : Reach::shared;
      case Dest::local_mem0:
      case Dest::local_mem1: return Reach::own;
      case Dest::xfer_s_index:
      case Dest::xfer_d_index:
      case Dest::neighbor:
      case Dest::neighbor_put: return Reach::shared;
    }
    return Reach::shared;
  }

  /// The destination's name as a source counts only here.
  static bool reads_destination(const Operation& o) {
    return o.id == isa::InsnId::ld_field || (o.id >= isa::InsnId::immed_b0 && o.id <= isa::InsnId::immed_w1);
  }

  /// Instructions that change nothing but registers, local memory, and what belongs to the arithmetic of this engine.
  static bool is_private(const Operation& o) {
    using isa::Csr;
    using isa::InsnId;
    switch (o.id) {
      case InsnId::alu:
      case InsnId::alu_shf:
      case InsnId::dbl_shf:
      case InsnId::asr:
      case InsnId::ffs:
      case InsnId::pop_count1:
      case InsnId::pop_count2:
      case InsnId::pop_count3:
      case InsnId::byte_align_be:
      case InsnId::byte_align_le:
      case InsnId::ld_field:
      case InsnId::ld_field_w_clr:
      case InsnId::crc_be:
      case InsnId::crc_le:
      case InsnId::cam_clear:
      case InsnId::cam_lookup:
      case InsnId::cam_write:
      case InsnId::cam_write_state:
      case InsnId::cam_read_tag:
      case InsnId::cam_read_state:
      case InsnId::mul_step:
      case InsnId::find_bset:
      case InsnId::load_bset_result1:
      case InsnId::load_bset_result2:
      case InsnId::immed:
      case InsnId::immed_b0:
      case InsnId::immed_b1:
      case InsnId::immed_b2:
      case InsnId::immed_b3:
      case InsnId::immed_w0:
      case InsnId::immed_w1: return true;
      case InsnId::local_csr_wr:
        switch (static_cast<Csr>(o.csr)) {
          case Csr::active_lm_addr_0:
          case Csr::active_lm_addr_1:
          case Csr::active_lm_addr_0_byte_index:
          case Csr::active_lm_addr_1_byte_index:
          case Csr::byte_index:
          case Csr::t_index:
          case Csr::t_index_byte_index:
          case Csr::csr_ctx_pointer:
          case Csr::crc_remainder:
          case Csr::same_me_signal: return true;
          default: return false;
        }
      default: return false;
    }
  }

  void decode(const Operation& o, Op& op) {
    op.source = &o;
    op.run = &synchronised;
    if (!o.decodable || o.breakpoint || (o.guess && !guess_is_private(o.id))) return;
    op.value = o.value;
    op.mask = o.mask;
    op.target = o.target;
    op.amount = o.amount & 31;
    op.defer = o.defer;
    op.aborts = o.aborts;
    op.number = o.number;
    const Reach reach[] = {source(o.left, op.left), source(o.right, op.right), destination(o.dest, op.dest),
                           source(reads_destination(o) ? o.dest_old : SourceRef{}, op.old)};
    bool all_places = !o.post.any;
    bool own = true;
    for (const Reach r : reach) {
      all_places = all_places && r == Reach::place;
      own = own && r != Reach::shared;
    }
    const auto is_lm = [](auto ref, auto first, auto second) { return ref.kind == first || ref.kind == second; };
    op.lm = is_lm(o.left, Source::local_mem0, Source::local_mem1) ||
            is_lm(o.right, Source::local_mem0, Source::local_mem1) || is_lm(o.dest, Dest::local_mem0, Dest::local_mem1);
    const auto index = [](const Place& place) {
      return static_cast<uint16_t>((place.offset - offsetof(EngineState, s_in)) / 4);
    };
    unsigned reads = 0;
    for (const Place* place : {&op.left, &op.right, &op.old}) {
      if (place->transfer == 0) continue;
      // Two different ones in an instruction have no encoding; a raw word that names them is left to the reference.
      if (reads > 0 && op.in != index(*place)) own = all_places = false;
      op.in = index(*place);
      ++reads;
    }
    if (op.dest.transfer != 0) op.out = index(op.dest);
    if (is_private(o) && own && o.post.t_index == 0 && !o.post.nn_get) op.run = &call;
    if (!all_places) return;
    specialise(o, op);
    if (o.guess)
      op.run = &guessed;
    else if (const Handler handler = handler_for(o, op))
      op.run = handler;
  }

  /// Fields as the functions of handlers.cpp expect them.
  void specialise(const Operation& o, Op& op) {
    using isa::InsnId;
    switch (o.id) {
      case InsnId::alu_shf: op.number = static_cast<uint8_t>(o.op); break;
      case InsnId::ld_field:
      case InsnId::ld_field_w_clr: op.number = o.load_cc; break;
      case InsnId::dbl_shf:
        op.number = o.shift == isa::ShiftKind::right_indirect;
        if (o.shift == isa::ShiftKind::none) op.amount = 0;
        break;
      case InsnId::br_bset:
      case InsnId::br_bclr: op.number = o.number & 31; break;
      case InsnId::br_eq_byte:
      case InsnId::br_ne_byte:
        op.number = static_cast<uint8_t>(8 * (o.number & 3));
        op.mask = o.value;
        break;
      case InsnId::br_inp_state: op.amount = 1; break;
      case InsnId::br_not_inp_state: op.amount = 0; break;
      default: break;
    }
    if (isa::info(o.id).group != isa::Group::command) return;
    // Bit 4 of the field selects the other file where a context has 16 registers of each.
    const bool other = o.xfer >= 16 && !four;
    op.mask = other ? o.xfer - 16u : o.xfer;
    using namespace command_flags;
    op.flags =
        static_cast<uint8_t>((o.indirect ? kIndirect : 0) | (o.id == InsnId::cap_fast_wr_alu ? kResultAsData : 0) |
                             (o.id == InsnId::fast_wr ? kLeftAsData : 0) | (o.doubled ? kDoubled : 0) |
                             (o.signal_mode == isa::SignalMode::ctx_swap ? kSwap : 0));
    op.number = o.address_shift;
    op.value = static_cast<uint32_t>(out.commands.size());
    CommandWord& word = out.commands.emplace_back();
    Command& c = word.command;
    c.op = o.id;
    c.unit = o.unit;
    c.count = o.count;
    c.has_xfer = o.has_xfer;
    c.xfer_d = o.xfer_d != other;
    c.signal = o.number;
    c.indirect = o.indirect;
    c.csr = o.csr;
    c.queue = o.queue;
    c.list = o.list;
    c.data = o.value;
    word.shape = shape_of(c);
  }
};

}  // namespace

Program decode(const std::vector<Operation>& operations, bool four_contexts, bool recorded) {
  Program out;
  out.words = operations.size();
  out.ops.resize(operations.size() + 1);
  Decoder decoder{operations, four_contexts, out};
  for (size_t i = 0; i < operations.size(); ++i) decoder.decode(operations[i], out.ops[i]);
  out.ops.back().run = &synchronised;  // no word is loaded there
  if (recorded)
    for (Op& op : out.ops) op.bare = std::exchange(op.run, &record);
  return out;
}

}  // namespace weft::emulator::fast
