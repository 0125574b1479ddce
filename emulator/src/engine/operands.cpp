// Where operands are read and results written (isa.md 2.1, 3.2; E5, E14).
#include "engine/microengine.h"

namespace weft::emulator {

uint32_t Engine::read_other(SourceRef ref) {
  switch (ref.kind) {
    case Source::absent:
    case Source::constant:
    case Source::gpr_a:
    case Source::gpr_b: return read_plain(ref);
    case Source::gpr_a_absolute: return s.a[ref.value & 127];
    case Source::gpr_b_absolute: return s.b[ref.value & 127];
    case Source::xfer_s: return s.s_in[relative(ref.value)];
    case Source::xfer_d: return s.d_in[relative(ref.value)];
    case Source::xfer_s_index: return s.s_in[s.t_index >> 2 & 127];
    case Source::xfer_d_index: return s.d_in[s.t_index >> 2 & 127];
    case Source::neighbor: return s.nn[relative(ref.value)];
    case Source::neighbor_index: return s.nn[s.nn_get & 127];
    case Source::local_mem0:
    case Source::local_mem1: {
      const unsigned at = lm_index(ref.kind == Source::local_mem1, ref.value);
      if (at < kLocalMemory) return s.local_memory[at];
      fault(StopKind::local_memory, at);
      return 0;
    }
  }
  return 0;
}

void Engine::write_other(DestRef ref, uint32_t value) {
  switch (ref.kind) {
    case Dest::absent:
    case Dest::gpr_a:
    case Dest::gpr_b: return write_plain(ref, value);
    case Dest::gpr_a_absolute: s.a[ref.value & 127] = value; return;
    case Dest::gpr_b_absolute: s.b[ref.value & 127] = value; return;
    case Dest::xfer_s: s.s_out[relative(ref.value)] = value; return;
    case Dest::xfer_d: s.d_out[relative(ref.value)] = value; return;
    case Dest::xfer_s_index: s.s_out[s.t_index >> 2 & 127] = value; return;
    case Dest::xfer_d_index: s.d_out[s.t_index >> 2 & 127] = value; return;
    case Dest::neighbor: {
      const uint64_t due = s.next_cycle + 1 + timing_.neighbor_write;
      const PendingWrite write{due, PendingWrite::Kind::neighbor, 0, static_cast<uint16_t>(relative(ref.value)), value};
      if (s.nn_self())
        schedule(write, s.next_cycle);
      else
        host_.write_next_neighbor(index_, write);
      return;
    }
    case Dest::neighbor_put: ring_put(value); return;
    case Dest::local_mem0:
    case Dest::local_mem1: {
      const unsigned at = lm_index(ref.kind == Dest::local_mem1, ref.value);
      if (at < kLocalMemory)
        s.local_memory[at] = value;
      else
        fault(StopKind::local_memory, at);
      return;
    }
  }
}

// E13: the put pointer belongs to the writer, get pointer and entries to the reader.
void Engine::ring_put(uint32_t value) {
  const PendingWrite write{s.next_cycle + 1 + timing_.neighbor_write, PendingWrite::Kind::ring_put, 0,
                           static_cast<uint16_t>(s.nn_put & 127), value};
  s.nn_put = (s.nn_put + 1) & 127;
  if (s.nn_self()) {
    ++s.nn_in_flight;
    schedule(write, s.next_cycle);
  } else {
    host_.write_next_neighbor(index_, write);
  }
}

void Engine::move_lm(unsigned pointer, int8_t step) {
  uint32_t& address = s.lm_is_global(pointer) ? s.lm_global[pointer] : current().lm[pointer];
  address = (address + static_cast<uint32_t>(4 * step)) & 0xfff;
}

void Engine::post_modify(const PostModify& post) {
  if (post.t_index != 0) s.t_index = (s.t_index + static_cast<uint32_t>(4 * post.t_index)) & 0x1ff;
  if (post.lm0 != 0) move_lm(0, post.lm0);
  if (post.lm1 != 0) move_lm(1, post.lm1);
  if (post.nn_get) {
    s.nn_get = (s.nn_get + 1) & 127;
    if (s.nn_count > 0) --s.nn_count;
  }
}

bool Engine::input_state(unsigned number) {
  if (timing_.profile == isa::Profile::me1) return host_.input_state(number);  // all are units'
  if (number == 0) return s.nn_count <= (s.ctx_enables >> 18 & 3);
  if (number == 1) return (s.nn_self() ? s.nn_count + s.nn_in_flight : host_.next_neighbor_entries(index_)) >= 128;
  return host_.input_state(number);
}

}  // namespace weft::emulator
