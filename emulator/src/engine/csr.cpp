// Local CSRs (isa.md 8): what each one reads and does when written. Latencies are E9-E11.
#include "engine/microengine.h"
#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

using isa::Csr;

constexpr uint32_t kLmMask = 0xffc;  // byte address of 1024 longwords, bits 1:0 read-only 0

/// A CSR that each context has has one form for the running context and one for that in CSR_CTX_POINTER.
struct ContextCsr {
  Csr reg;  ///< the form for the running one
  bool indirect;
};
ContextCsr context_csr(isa::Profile profile, uint32_t offset) {
  const isa::CsrEffects& csr = isa::csr_effects(profile, offset);
  return {static_cast<Csr>(csr.indirect ? csr.active : offset), csr.indirect};
}

/// A mixing function whose inverse exists, so that neighbouring arguments give unrelated words.
constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

}  // namespace

uint32_t Engine::random_number(uint64_t cycle) {
  const bool every_cycle = (s.ctx_enables >> 30 & 1) != 0;
  const uint64_t position = every_cycle ? cycle : s.random_accesses++;
  return static_cast<uint32_t>(mix(s.random_seed + position) >> 32);
}

uint32_t Engine::read_csr(uint32_t offset, unsigned context, uint64_t cycle) {
  const auto [reg, indirect] = context_csr(timing_.profile, offset);
  const ContextRecord& record = s.contexts[context & 7];
  switch (reg) {
    case Csr::alu_out: return s.previous.result;
    case Csr::ctx_enables: return s.ctx_enables;
    case Csr::csr_ctx_pointer: return s.csr_context;
    case Csr::active_ctx_sts: {
      if (indirect) return (record.state == ContextState::ready ? 0x80000000u : 0) | record.pc;
      const uint32_t running = s.running >= 0 ? 0x80000000u : 0;
      return running | uint32_t{record.pc} << 8 | hardware_number_ << 3 | (context & 7);
    }
    case Csr::active_ctx_sig_events: return record.signals;
    case Csr::active_ctx_wakeup_events: return record.wakeup;
    case Csr::active_ctx_future_count: return record.future_count;
    case Csr::active_future_count_signal: return record.future_signal;
    case Csr::active_lm_addr_0: return s.lm_address(context & 7, 0);
    case Csr::active_lm_addr_1: return s.lm_address(context & 7, 1);
    case Csr::active_lm_addr_0_byte_index: return s.lm_address(context & 7, 0) | s.byte_index;
    case Csr::active_lm_addr_1_byte_index: return s.lm_address(context & 7, 1) | s.byte_index;
    case Csr::byte_index: return s.byte_index;
    case Csr::t_index: return s.t_index;
    case Csr::t_index_byte_index: return s.t_index | s.byte_index;
    case Csr::nn_put: return s.nn_put;
    case Csr::nn_get: return s.nn_get;
    case Csr::timestamp_low: return static_cast<uint32_t>(timestamp(cycle));
    case Csr::timestamp_high: return static_cast<uint32_t>(timestamp(cycle) >> 32);
    case Csr::crc_remainder: return s.crc_remainder;
    case Csr::profile_count: return static_cast<uint32_t>(cycle - s.profile_offset);
    case Csr::pseudo_random_number: return random_number(cycle);
    default: return offset / 4 < s.plain_csr.size() ? s.plain_csr[offset / 4] : 0;
  }
}

void Engine::write_csr(uint32_t offset, unsigned context, uint32_t value, uint64_t cycle) {
  const auto [reg, indirect] = context_csr(timing_.profile, offset);
  context &= 7;
  ContextRecord& record = s.contexts[context];
  const auto write_lm = [&](unsigned pointer) {
    (s.lm_is_global(pointer) ? s.lm_global[pointer] : record.lm[pointer]) = value & kLmMask;
  };
  switch (reg) {
    case Csr::ctx_enables: set_enables(value, cycle); return;
    case Csr::csr_ctx_pointer: s.csr_context = value & 7; return;
    case Csr::active_ctx_sts:
      if (indirect) record.pc = static_cast<uint16_t>(value & 0x1fff);  // where the loader puts the start address
      return;
    case Csr::active_ctx_sig_events:
      record.signals = static_cast<uint16_t>(value);
      update_ready(context, cycle);
      wake_if_ready(cycle);
      return;
    case Csr::active_ctx_wakeup_events:
      record.wakeup = value & (ContextRecord::kAnySignal | 0xffff);
      update_ready(context, cycle);
      wake_if_ready(cycle);
      return;
    case Csr::active_ctx_future_count:
      record.future_count = value & 0xffff;
      schedule_future_count(context, cycle);
      return;
    case Csr::active_future_count_signal: record.future_signal = value & 15; return;
    case Csr::active_lm_addr_0: write_lm(0); return;
    case Csr::active_lm_addr_1: write_lm(1); return;
    case Csr::active_lm_addr_0_byte_index: write_lm(0), s.byte_index = value & 3; return;
    case Csr::active_lm_addr_1_byte_index: write_lm(1), s.byte_index = value & 3; return;
    case Csr::byte_index: s.byte_index = value & 3; return;
    case Csr::t_index: s.t_index = value & 0x1fc; return;
    case Csr::t_index_byte_index: s.t_index = value & 0x1fc, s.byte_index = value & 3; return;
    // A ring restarts with the entries that lie between the two pointers, when both are this engine's.
    case Csr::nn_put:
      s.nn_put = value & 127;
      if (s.nn_self()) s.nn_count = (s.nn_put - s.nn_get) & 127;
      return;
    case Csr::nn_get:
      s.nn_get = value & 127;
      if (s.nn_self()) s.nn_count = (s.nn_put - s.nn_get) & 127;
      return;
    case Csr::timestamp_low: {
      const uint64_t steps = cycle / timing_.timestamp_cycles;
      s.timestamp_offset = (((steps + s.timestamp_offset) & ~uint64_t{0xffffffff}) | value) - steps;
      return;
    }
    case Csr::timestamp_high: {
      const uint64_t steps = cycle / timing_.timestamp_cycles;
      s.timestamp_offset = (((steps + s.timestamp_offset) & 0xffffffff) | uint64_t{value} << 32) - steps;
      return;
    }
    case Csr::crc_remainder: s.crc_remainder = value; return;
    case Csr::profile_count: s.profile_offset = cycle - value; return;
    case Csr::pseudo_random_number: s.random_seed = value, s.random_accesses = 0; return;
    case Csr::same_me_signal: apply(signal_by(value, context_after(context), cycle)); return;
    case Csr::next_neighbor_signal:
    case Csr::prev_neighbor_signal:
      host_.signal_neighbor(index_, reg == Csr::next_neighbor_signal ? 1 : -1, signal_by(value, value & 7, cycle));
      return;
    default:
      if (offset / 4 < s.plain_csr.size()) s.plain_csr[offset / 4] = value;
      return;
  }
}

// E9: the instructions 1..L after the write still find the old value. E11: signals count from the write itself.
void Engine::write_csr_later(uint32_t offset, uint32_t value, uint8_t latency) {
  const auto who = static_cast<uint8_t>(context());
  const uint64_t now = s.next_cycle;
  const auto number = static_cast<uint16_t>(offset);
  switch (static_cast<Csr>(offset)) {
    case Csr::same_me_signal: {
      const PendingWrite signal = same_me_signal(value, now);
      tell_sent(0, signal);
      return write_later(signal, now);
    }
    case Csr::next_neighbor_signal:
    case Csr::prev_neighbor_signal: {
      const int direction = static_cast<Csr>(offset) == Csr::next_neighbor_signal ? 1 : -1;
      const PendingWrite signal = signal_by(value, (who + 1) & 7, now + timing_.neighbor_signal);
      tell_sent(direction, signal);
      host_.signal_neighbor(index_, direction, signal);
      return;
    }
    default: break;
  }
  if (latency == 0) {
    write_csr(offset, csr_context(offset, who), value, now + 1);
    return;
  }
  // The INDIRECT_ forms mean the context that CSR_CTX_POINTER names now.
  const auto of = static_cast<uint8_t>(csr_context(offset, who));
  write_later({now + 1 + latency, PendingWrite::Kind::csr, of, number, value}, now);
}

unsigned Engine::csr_context(uint32_t offset, unsigned context) const {
  return isa::csr_effects(timing_.profile, offset).indirect ? s.csr_context : context;
}

void Engine::write_lm_later(unsigned pointer, uint32_t value) {
  const isa::Csr csr = pointer == 0 ? Csr::active_lm_addr_0 : Csr::active_lm_addr_1;
  write_csr_later(static_cast<uint32_t>(csr), value, isa::effects(isa::InsnId::cam_lookup).late.front().cycles);
}

}  // namespace weft::emulator
