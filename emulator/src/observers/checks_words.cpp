// Checks at every executed word: what it reads, what it writes, codes and CSR latencies.
#include <fmt/format.h>

#include <algorithm>

#include "observers/engine_signals.h"
#include "observers/races.h"
#include "weft/emulator/observers/checks.h"
#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

using isa::OperandKind;
using isa::Role;
using isa::State;

constexpr uint16_t kNoCsr = 0xffff;

/// The CSR of the running context that holds a pointer by itself.
std::optional<uint16_t> pointer_csr(isa::Profile profile, State pointer) {
  for (const isa::CsrInfo& csr : isa::csrs(profile)) {
    const isa::CsrEffects& effects = isa::csr_effects(profile, csr.offset);
    if (effects.holds == isa::states(pointer) && !effects.indirect) return static_cast<uint16_t>(csr.offset);
  }
  return std::nullopt;
}

int step_of(const isa::Instruction& insn, OperandKind kind, OperandKind other) {
  int step = 0;
  for (const isa::Operand* o : {&insn.left, &insn.right, &insn.dest})
    if ((o->kind == kind || o->kind == other) && o->post != isa::Post::none)
      step = o->post == isa::Post::increment ? 1 : -1;
  return step;
}

}  // namespace

Checks::Index Checks::index_before(const isa::Instruction& insn, ContextRef who) const {
  Index index;
  const auto is_indexed = [](const isa::Operand& o) {
    return o.kind == OperandKind::xfer_s_index || o.kind == OperandKind::xfer_d_index ||
           o.kind == OperandKind::local_mem0 || o.kind == OperandKind::local_mem1;
  };
  if (!is_indexed(insn.left) && !is_indexed(insn.right) && !is_indexed(insn.dest)) return index;  // nobody asks
  const EngineState& s = state_of(who.engine);
  const auto back = [](uint32_t address, int step) { return address - static_cast<uint32_t>(4 * step); };
  index.transfer = back(s.t_index, step_of(insn, OperandKind::xfer_s_index, OperandKind::xfer_d_index)) >> 2 & 127;
  index.local_memory[0] =
      back(s.lm_address(who.context, 0), step_of(insn, OperandKind::local_mem0, OperandKind::local_mem0)) >> 2 & 1023;
  index.local_memory[1] =
      back(s.lm_address(who.context, 1), step_of(insn, OperandKind::local_mem1, OperandKind::local_mem1)) >> 2 & 1023;
  return index;
}

void Checks::find_plain_words() {
  using Operand = PlainWord::Operand;
  plain_words_.assign(programs_.engines(), {});
  for (unsigned e = 0; e < programs_.engines(); ++e)
    for (const auto& insn : programs_.words(e)) {
      PlainWord& word = plain_words_[e].emplace_back();
      if (!insn) continue;
      const isa::Effects& effects = isa::effects(insn->id);
      word.is_plain = effects.csr == isa::CsrUse::none && (*insn)[Role::lm_select] == 0 &&
                      ((effects.reads | effects.writes) & isa::states(State::cam)) == 0;
      word.reads_codes = isa::reads_codes(*insn);
      word.sets_codes = isa::sets_codes(*insn);
      const auto find = [&](const isa::Operand& operand, Operand& kind, uint8_t& number) {
        number = static_cast<uint8_t>(operand.value);
        switch (operand.kind) {
          case OperandKind::absent:
          case OperandKind::constant:
          case OperandKind::neighbor: return true;
          case OperandKind::gpr: kind = operand.bank == isa::Bank::b ? Operand::b : Operand::a; return true;
          case OperandKind::xfer_s: kind = Operand::xfer_s; return true;
          case OperandKind::xfer_d: kind = Operand::xfer_d; return true;
          default: return false;
        }
      };
      word.is_plain = find(insn->left, word.left, word.left_number) && word.is_plain;
      word.is_plain = find(insn->right, word.right, word.right_number) && word.is_plain;
      word.is_plain = find(insn->dest, word.dest, word.dest_number) && word.is_plain;
    }
}

inline bool Checks::is_known(const EngineShadow& e, PlainWord::Operand kind, unsigned physical) {
  using Operand = PlainWord::Operand;
  if (kind == Operand::nothing) return true;
  if (kind == Operand::a || kind == Operand::b) return (kind == Operand::b ? e.b : e.a).test(physical);
  const File& file = e.in[kind == Operand::xfer_d];
  return file.command[physical] == 0 && file.known.test(physical);
}

inline bool Checks::is_plainly_right(EngineShadow& e, unsigned context, const PlainWord& word, const Shadow& shadow,
                                     size_t words) {
  using Operand = PlainWord::Operand;
  const auto physical = [context](unsigned number) { return (16 * context + number) & 127; };
  if (shadow.kind != Shadow::Kind::none && shadow.to_target && shadow.target >= words) return false;
  if ((word.reads_codes && !e.codes_set) || !is_known(e, word.left, physical(word.left_number)) ||
      !is_known(e, word.right, physical(word.right_number)))
    return false;
  const unsigned written = physical(word.dest_number);
  switch (word.dest) {
    case Operand::nothing: break;
    case Operand::a: e.a.set(written); break;
    case Operand::b: e.b.set(written); break;
    case Operand::xfer_s:
    case Operand::xfer_d: {
      File& file = e.out[word.dest == Operand::xfer_d];
      if (file.command[written] != 0) return false;
      file.known.set(written);
      break;
    }
  }
  if (word.sets_codes) e.codes_set = true;
  return true;
}

void Checks::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  EngineShadow& e = engines_[who.engine];
  ContextShadow& c = e.contexts[who.context];
  const EngineState& s = state_of(who.engine);
  c.last_pc = pc;
  if ((c.pending & ~s.contexts[who.context].signals) != 0) sync(who);
  const std::vector<PlainWord>& words = plain_words_[who.engine];
  if (pc + 1u < words.size() && words[pc].is_plain && c.follows == 0 &&
      is_plainly_right(e, who.context, words[pc], s.shadow, words.size()))
    return;
  const isa::Instruction* insn = programs_.at(who.engine, pc);
  if (insn == nullptr) return;
  const Party here{Party::Kind::word, who, pc, cycle, insn->id};
  const Index index = index_before(*insn, who);

  if (races_) check_shared(*insn, index, here);
  if (on(Check::control_store)) check_next(*insn, here);
  check_source(insn->left, index, here);
  check_source(insn->right, index, here);
  if (isa::reads_codes(*insn) && !e.codes_set)
    add(Check::codes, who, pc, cycle, 0,
        fmt::format(
            "{} uses condition codes, but nothing has set them since this context got the engine; they are those of "
            "another context or of the time before the swap",
            isa::info(insn->id).name));
  if (isa::effects(insn->id).csr == isa::CsrUse::read) {
    const auto csr = static_cast<uint16_t>((*insn)[Role::csr]);
    const isa::CsrInfo* info = isa::find_csr(machine_.timing().profile, csr);
    check_pending(csr, 0, here, info != nullptr ? info->name : std::string_view("a CSR"));
  }
  if (isa::effects(insn->id).csr == isa::CsrUse::write || (*insn)[Role::lm_select] != 0) note_csr_write(*insn, here);
  take_result(insn->dest, index, here);
  if (isa::sets_codes(*insn)) e.codes_set = true;
}

/// The transfer register behind T_INDEX, and whether T_INDEX counted already.
unsigned Checks::indexed_transfer(const Index& index, const Party& here) {
  check_pending(kNoCsr, isa::states(State::t_index), here, "T_INDEX");
  return index.transfer;
}

/// The longword behind an LM_ADDR pointer, and whether the pointer counted already.
unsigned Checks::indexed_local_memory(const isa::Operand& operand, const Index& index, const Party& here) {
  const bool second = operand.kind == OperandKind::local_mem1;
  check_pending(kNoCsr, isa::states(second ? State::lm_addr_1 : State::lm_addr_0), here,
                second ? "LM_ADDR_1" : "LM_ADDR_0");
  return (index.local_memory[second] | operand.value) & 1023;
}

void Checks::check_source(const isa::Operand& operand, const Index& index, const Party& here) {
  const EngineShadow& e = engines_[here.who.engine];
  const unsigned relative = (16 * here.who.context + operand.value) & 127;
  const auto gpr = [&](unsigned physical) {
    const bool b = operand.bank == isa::Bank::b;
    if ((b ? e.b : e.a).test(physical)) return;
    add(Check::uninitialised, here.who, here.pc, here.cycle, (b ? 0x200u : 0x100u) + physical,
        fmt::format("reads {}, which nothing has written", gpr_name(here.who, here.pc, operand.bank, physical)));
  };
  switch (operand.kind) {
    case OperandKind::gpr: gpr(relative); return;
    case OperandKind::gpr_absolute: gpr(operand.value & 127); return;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: check_transfer_source(operand.kind == OperandKind::xfer_d, relative, here); return;
    case OperandKind::xfer_s_index:
    case OperandKind::xfer_d_index:
      check_transfer_source(operand.kind == OperandKind::xfer_d_index, indexed_transfer(index, here), here);
      return;
    case OperandKind::local_mem0:
    case OperandKind::local_mem1: {
      const unsigned at = indexed_local_memory(operand, index, here);
      if (at < kLocalMemory && !e.local_memory.test(at))
        add(Check::uninitialised, here.who, here.pc, here.cycle, 0x10000u + at,
            fmt::format("reads local memory {}, which nothing has written", at));
      return;
    }
    case OperandKind::absent:
    case OperandKind::constant:
    case OperandKind::neighbor:
    case OperandKind::neighbor_index: return;
  }
}

void Checks::check_transfer_source(bool d, unsigned number, const Party& here) {
  const File& file = engines_[here.who.engine].in[d];
  if (file.command[number] != 0) {
    const auto open = open_.find(file.command[number] - 1);
    // A command may take its address from the register that it fills.
    if (open == open_.end() || (open->second.party.pc == here.pc && open->second.party.cycle == here.cycle)) return;
    add(Check::transfer, here.who, here.pc, here.cycle, 0x300u + number + 0x80u * d,
        fmt::format("reads {} before its data is there; {} fills it",
                    transfer_name(here.who, here.pc, d, false, number), describe(open->second.party)));
  } else if (!file.known.test(number)) {
    add(Check::uninitialised, here.who, here.pc, here.cycle, 0x300u + number + 0x80u * d,
        fmt::format("reads {}, into which nothing has come", transfer_name(here.who, here.pc, d, false, number)));
  }
}

void Checks::change_transfer(bool d, unsigned number, const Party& here) {
  File& file = engines_[here.who.engine].out[d];
  if (file.command[number] != 0) {
    const auto open = open_.find(file.command[number] - 1);
    if (open != open_.end())
      add(Check::transfer, here.who, here.pc, here.cycle, 0x400u + number + 0x80u * d,
          fmt::format("changes {} before its value was taken; {} sends it",
                      transfer_name(here.who, here.pc, d, true, number), describe(open->second.party)));
  }
  file.known.set(number);
}

void Checks::take_result(const isa::Operand& operand, const Index& index, const Party& here) {
  EngineShadow& e = engines_[here.who.engine];
  const unsigned relative = (16 * here.who.context + operand.value) & 127;
  const bool b = operand.bank == isa::Bank::b;
  switch (operand.kind) {
    case OperandKind::gpr: (b ? e.b : e.a).set(relative); return;
    case OperandKind::gpr_absolute: (b ? e.b : e.a).set(operand.value & 127); return;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: change_transfer(operand.kind == OperandKind::xfer_d, relative, here); return;
    case OperandKind::xfer_s_index:
    case OperandKind::xfer_d_index:
      change_transfer(operand.kind == OperandKind::xfer_d_index, indexed_transfer(index, here), here);
      return;
    case OperandKind::local_mem0:
    case OperandKind::local_mem1:
      if (const unsigned at = indexed_local_memory(operand, index, here); at < kLocalMemory) e.local_memory.set(at);
      return;
    case OperandKind::neighbor_index: check_ring_put(here); return;
    case OperandKind::absent:
    case OperandKind::constant:
    case OperandKind::neighbor: return;
  }
}

// A write to the CSR that does not count yet: the instruction has worked with the old value (E9, E10).
void Checks::check_pending(uint16_t csr, isa::States held, const Party& here, std::string_view what) {
  if (!on(Check::csr_latency)) return;
  const PendingWrites& pending = state_of(here.who.engine).pending;
  for (unsigned i = 0; i < pending.count; ++i) {
    const PendingWrite& write = pending.items[i];
    if (write.kind != PendingWrite::Kind::csr || write.context != here.who.context) continue;
    const isa::CsrEffects& written = isa::csr_effects(machine_.timing().profile, write.number);
    const bool holds = !written.indirect && (written.holds & held) != 0;
    if ((write.number != csr && !holds) || write.due <= here.cycle) continue;
    const auto& writes = engines_[here.who.engine].contexts[here.who.context].csr_writes;
    const auto by = writes.find(write.number);
    if (by != writes.end() && by->second.cycle == here.cycle) continue;  // cam_lookup with its own operand
    add(Check::csr_latency, here.who, here.pc, here.cycle, csr != kNoCsr ? 0x500u + csr : uint64_t{held} << 20,
        fmt::format("works with the old value of {}; {} counts from cycle {} on", what,
                    by != writes.end() ? describe(by->second) : "the write to it", write.due));
    return;
  }
}

void Checks::note_csr_write(const isa::Instruction& insn, const Party& here) {
  ContextShadow& c = engines_[here.who.engine].contexts[here.who.context];
  const isa::Profile profile = machine_.timing().profile;
  if (isa::effects(insn.id).csr != isa::CsrUse::write) {
    for (const isa::Hazard& h : isa::hazards(profile, insn))
      if (const auto csr = pointer_csr(profile, h.what)) c.csr_writes[*csr] = here;
    return;
  }
  const auto csr = static_cast<uint16_t>(insn[Role::csr]);
  c.csr_writes[csr] = here;
  // Signals under way inside the engines, so that their arrival has a sender.
  const auto signal = engine_signal(machine_, here.who, insn);
  if (!signal) return;
  if (signal->number == 0) return lost(here, 0, "signal 0 is none");
  if (signal->engine < 0 || signal->engine >= static_cast<int>(engines_.size()))
    return lost(here, signal->number,
                signal->engine < 0 ? "no engine is before this one" : "no engine is behind this one");
  const int to = signal->engine;
  auto& sent = engines_[static_cast<size_t>(to)].sent;
  if (sent.size() >= 64) sent.erase(sent.begin());
  sent.push_back({signal->context, signal->number, here, races_ ? races_->release(Races::thread(here.who)) : nullptr,
                  static_cast<uint8_t>(to == here.who.engine ? 1u << here.who.context : 0u)});
}

void Checks::check_ring_put(const Party& here) {
  const EngineState& own = state_of(here.who.engine);
  const unsigned reader = own.nn_self() ? here.who.engine : here.who.engine + 1u;
  if (reader >= engines_.size()) return;
  const EngineState& s = state_of(reader);
  if (s.nn_count + s.nn_in_flight <= 128) return;
  add(Check::ring, here.who, here.pc, here.cycle, 0,
      fmt::format("puts into the full next-neighbor ring that me{} reads; an entry that was not read is lost", reader));
}

}  // namespace weft::emulator
