// Checks at every executed word: what it reads, what it writes, codes and CSR latencies.
#include <fmt/format.h>

#include <algorithm>

#include "observers/races.h"
#include "weft/emulator/observers/checks.h"
#include "weft/isa/effects.h"

namespace weft::emulator {

using namespace checks;

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

}  // namespace

void Checks::read_words() {
  words_.assign(programs_.engines(), {});
  for (unsigned e = 0; e < programs_.engines(); ++e) {
    std::vector<Word>& words = words_[e];
    for (const auto& insn : programs_.words(e)) words.push_back(insn ? word_of(*insn) : Word{.flags = Word::special});
    // Behind the last one is no program.
    if (!words.empty()) words.back().flags |= Word::special;
    engines_[e].words = words.data();
    engines_[e].instructions = programs_.words(e).data();
    engines_[e].size = static_cast<uint32_t>(words.size());
  }
}

Checks::Word Checks::word_of(const isa::Instruction& insn) const {
  Word word;
  const auto set = [&word](Word::Flag flag, bool is = true) {
    if (is) word.flags |= flag;
  };
  const isa::Effects& effects = isa::effects(insn.id);
  constexpr isa::States kCam = isa::states(State::cam);
  set(Word::looks_up, (effects.reads & kCam) != 0);
  set(Word::enters, (effects.writes & kCam) != 0);
  set(Word::reads_codes, isa::reads_codes(insn));
  if (isa::sets_codes(insn)) word.leaves = static_cast<uint16_t>(~Word::reads_codes);
  set(Word::reads_csr, effects.csr == isa::CsrUse::read);
  set(Word::writes_csr, effects.csr == isa::CsrUse::write);
  set(Word::moves_pointer, insn[Role::lm_select] != 0 && effects.csr != isa::CsrUse::write);
  const auto find = [&](const isa::Operand& operand, uint16_t& place, bool is_source) {
    const auto in = [&](File file) {
      place = static_cast<uint16_t>(operand.value <= kReach ? file * kFile + operand.value : kElsewhere);
    };
    const auto moves = [&](int16_t& step) {
      if (operand.post != isa::Post::none) step = operand.post == isa::Post::increment ? 4 : -4;
    };
    place = kElsewhere;
    switch (operand.kind) {
      case OperandKind::absent:
      case OperandKind::constant:
      case OperandKind::neighbor: place = kNoRegister; return;
      case OperandKind::gpr: return in(operand.bank == isa::Bank::b ? bank_b : bank_a);
      case OperandKind::xfer_s: return in(is_source ? s_in : s_out);
      case OperandKind::xfer_d: return in(is_source ? d_in : d_out);
      case OperandKind::xfer_s_index:
      case OperandKind::xfer_d_index: return moves(word.transfer_step);
      case OperandKind::local_mem0:
      case OperandKind::local_mem1:
        set(is_source ? Word::reads_shared : Word::writes_shared);
        return moves(word.local_memory_step[operand.kind == OperandKind::local_mem1]);
      case OperandKind::gpr_absolute: return set(is_source ? Word::reads_shared : Word::writes_shared);
      case OperandKind::neighbor_index: return set(Word::neighbors);
    }
  };
  find(insn.left, word.left, true);
  find(insn.right, word.right, true);
  find(insn.dest, word.dest, false);
  constexpr unsigned kMore = Word::reads_csr | Word::writes_csr | Word::moves_pointer | Word::kShares;
  const bool elsewhere = word.left == kElsewhere || word.right == kElsewhere || word.dest == kElsewhere;
  set(Word::special, elsewhere || (word.flags & kMore) != 0);
  return word;
}

// Most words end here: nothing has happened to the signals of the context, and its registers are as they should be.
void Checks::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  EngineShadow& e = engines_[who.engine];
  e.last_pc[who.context] = pc;
  if (e.is_behind(who.context) || pc >= e.size || !e.is_plainly_right(who.context, e.words[pc]))
    look_closer(who, pc, cycle);
}

inline void Checks::look_at(EngineShadow& e, const Word& word, const isa::Instruction& insn, const Party& here) {
  if (races_ && (word.flags & Word::kShares) != 0) check_shared(word, insn, here.who);
  // The next word of this context: after this one, or at the target of the shadow that it has opened.
  const Shadow& shadow = e.state->shadow;
  const bool jumps = shadow.kind != Shadow::Kind::none;
  const unsigned next = jumps ? shadow.target : here.pc + 1u;
  if (next >= e.size && (jumps ? shadow.to_target : isa::info(insn.id).group != isa::Group::context))
    goes_nowhere(insn, next, here);
  uint8_t* const own = &e.registers[16 * here.who.context];
  if (own[word.left] != kWritten) check_source(word, insn.left, here);
  if (own[word.right] != kWritten) check_source(word, insn.right, here);
  if (word.is(Word::reads_codes) && !e.has_codes()) uses_strange_codes(insn, here);
  if (word.is(Word::reads_csr)) reads_csr(static_cast<uint16_t>(insn[Role::csr]), here);
  if (word.is(Word::writes_csr) || word.is(Word::moves_pointer)) note_csr_write(word, insn, here);
  if ((own[word.dest] & kUnderWay) == 0)
    own[word.dest] = kWritten;
  else
    take_result(word, insn.dest, here);
  e.watched &= word.leaves;
}

void Checks::look_closer(ContextRef who, uint16_t pc, uint64_t cycle) {
  EngineShadow& e = engines_[who.engine];
  sync(who);
  if (pc >= e.size || !e.instructions[pc]) return;
  if (e.now[who.context].follows != 0) follow_raisers(who);
  const Word& word = e.words[pc];
  if (e.is_plainly_right(who.context, word)) return;
  const isa::Instruction& insn = *e.instructions[pc];
  look_at(e, word, insn, {Party::Kind::word, who, pc, cycle, insn.id});
}

void Checks::uses_strange_codes(const isa::Instruction& insn, const Party& here) {
  add(Check::codes, here.who, here.pc, here.cycle, 0,
      fmt::format(
          "{} uses condition codes, but nothing has set them since this context got the engine; they are those of "
          "another context or of the time before the swap",
          isa::info(insn.id).name));
}

void Checks::reads_csr(uint16_t csr, const Party& here) {
  const isa::CsrInfo* info = isa::find_csr(machine_.timing().profile, csr);
  check_pending(csr, 0, here, info != nullptr ? info->name : std::string_view("a CSR"));
}

/// The transfer register behind T_INDEX, and whether T_INDEX counted already.
unsigned Checks::indexed_transfer(const Word& word, const Party& here) {
  check_pending(kNoCsr, isa::states(State::t_index), here, "T_INDEX");
  return (state_of(here.who.engine).t_index - static_cast<uint32_t>(word.transfer_step)) >> 2 & 127;
}

/// The longword behind an LM_ADDR pointer, and whether the pointer counted already.
unsigned Checks::indexed_local_memory(const Word& word, const isa::Operand& operand, const Party& here) {
  const bool second = operand.kind == OperandKind::local_mem1;
  check_pending(kNoCsr, isa::states(second ? State::lm_addr_1 : State::lm_addr_0), here,
                second ? "LM_ADDR_1" : "LM_ADDR_0");
  return local_memory_pointer(word, operand, here.who);
}

void Checks::unwritten_gpr(isa::Bank bank, unsigned physical, const Party& here) {
  add(Check::uninitialised, here.who, here.pc, here.cycle, (bank == isa::Bank::b ? 0x200u : 0x100u) + physical,
      fmt::format("reads {}, which nothing has written", gpr_name(here.who, here.pc, bank, physical)));
}

void Checks::unwritten_local_memory(unsigned at, const Party& here) {
  add(Check::uninitialised, here.who, here.pc, here.cycle, 0x10000u + at,
      fmt::format("reads local memory {}, which nothing has written", at));
}

void Checks::check_source(const Word& word, const isa::Operand& operand, const Party& here) {
  EngineShadow& e = engines_[here.who.engine];
  const unsigned relative = (16 * here.who.context + operand.value) & 127;
  const auto gpr = [&](unsigned physical) {
    if (e.at(operand.bank == isa::Bank::b ? bank_b : bank_a, physical) == 0)
      unwritten_gpr(operand.bank, physical, here);
  };
  switch (operand.kind) {
    case OperandKind::gpr: return gpr(relative);
    case OperandKind::gpr_absolute: return gpr(operand.value & 127);
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: return check_transfer_source(operand.kind == OperandKind::xfer_d, relative, here);
    case OperandKind::xfer_s_index:
    case OperandKind::xfer_d_index:
      return check_transfer_source(operand.kind == OperandKind::xfer_d_index, indexed_transfer(word, here), here);
    case OperandKind::local_mem0:
    case OperandKind::local_mem1:
      if (const unsigned at = indexed_local_memory(word, operand, here); at < kLocalMemory && !e.local_memory.test(at))
        unwritten_local_memory(at, here);
      return;
    case OperandKind::absent:
    case OperandKind::constant:
    case OperandKind::neighbor:
    case OperandKind::neighbor_index: return;
  }
}

void Checks::check_transfer_source(bool d, unsigned number, const Party& here) {
  EngineShadow& e = engines_[here.who.engine];
  if (const uint64_t command = e.command(in_file(d), number); command != 0) {
    const Open* const open = open_.find(command - 1);
    // A command may take its address from the register that it fills.
    if (open == nullptr || (open->party.pc == here.pc && open->party.cycle == here.cycle)) return;
    add(Check::transfer, here.who, here.pc, here.cycle, 0x300u + number + 0x80u * d,
        fmt::format("reads {} before its data is there; {} fills it",
                    transfer_name(here.who, here.pc, d, false, number), describe(open->party)));
  } else if (e.at(in_file(d), number) == 0) {
    add(Check::uninitialised, here.who, here.pc, here.cycle, 0x300u + number + 0x80u * d,
        fmt::format("reads {}, into which nothing has come", transfer_name(here.who, here.pc, d, false, number)));
  }
}

void Checks::change_transfer(bool d, unsigned number, const Party& here) {
  EngineShadow& e = engines_[here.who.engine];
  if (const uint64_t command = e.command(out_file(d), number); command != 0) {
    if (const Open* const open = open_.find(command - 1))
      add(Check::transfer, here.who, here.pc, here.cycle, 0x400u + number + 0x80u * d,
          fmt::format("changes {} before its value was taken; {} sends it",
                      transfer_name(here.who, here.pc, d, true, number), describe(open->party)));
  }
  e.write(out_file(d), number);
}

void Checks::take_result(const Word& word, const isa::Operand& operand, const Party& here) {
  EngineShadow& e = engines_[here.who.engine];
  const unsigned relative = (16 * here.who.context + operand.value) & 127;
  const bool b = operand.bank == isa::Bank::b;
  switch (operand.kind) {
    case OperandKind::gpr: e.write(b ? bank_b : bank_a, relative); return;
    case OperandKind::gpr_absolute: e.write(b ? bank_b : bank_a, operand.value & 127); return;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: change_transfer(operand.kind == OperandKind::xfer_d, relative, here); return;
    case OperandKind::xfer_s_index:
    case OperandKind::xfer_d_index:
      change_transfer(operand.kind == OperandKind::xfer_d_index, indexed_transfer(word, here), here);
      return;
    case OperandKind::local_mem0:
    case OperandKind::local_mem1:
      if (const unsigned at = indexed_local_memory(word, operand, here); at < kLocalMemory) e.local_memory.set(at);
      return;
    case OperandKind::neighbor_index: check_ring_put(here); return;
    case OperandKind::absent:
    case OperandKind::constant:
    case OperandKind::neighbor: return;
  }
}

// A write to the CSR that does not count yet: the instruction has worked with the old value (E9, E10).
void Checks::check_pending_writes(uint16_t csr, isa::States held, const Party& here, std::string_view what) {
  if (!on(Check::csr_latency)) return;
  const PendingWrites& pending = state_of(here.who.engine).pending;
  for (unsigned i = 0; i < pending.count; ++i) {
    const PendingWrite& write = pending.items[i];
    if (write.kind != PendingWrite::Kind::csr || write.context != here.who.context) continue;
    const isa::CsrEffects& written = isa::csr_effects(machine_.timing().profile, write.number);
    const bool holds = !written.indirect && (written.holds & held) != 0;
    if ((write.number != csr && !holds) || write.due <= here.cycle) continue;
    const auto& writes = engines_[here.who.engine].contexts[here.who.context].csr_writes;
    const auto by =
        std::find_if(writes.begin(), writes.end(), [&](const auto& known) { return known.first == write.number; });
    if (by != writes.end() && by->second.cycle == here.cycle) continue;  // cam_lookup with its own operand
    add(Check::csr_latency, here.who, here.pc, here.cycle, csr != kNoCsr ? 0x500u + csr : uint64_t{held} << 20,
        fmt::format("works with the old value of {}; {} counts from cycle {} on", what,
                    by != writes.end() ? describe(by->second) : "the write to it", write.due));
    return;
  }
}

void Checks::note_csr_write(const Word& word, const isa::Instruction& insn, const Party& here) {
  auto& writes = engines_[here.who.engine].contexts[here.who.context].csr_writes;
  const auto note = [&](uint16_t csr) {
    const auto at = std::find_if(writes.begin(), writes.end(), [&](const auto& known) { return known.first == csr; });
    if (at != writes.end())
      at->second = here;
    else
      writes.emplace_back(csr, here);
  };
  const isa::Profile profile = machine_.timing().profile;
  if (word.is(Word::moves_pointer)) {
    for (const isa::Hazard& h : isa::hazards(profile, insn))
      if (const auto csr = pointer_csr(profile, h.what)) note(*csr);
    return;
  }
  note(static_cast<uint16_t>(insn[Role::csr]));
  if (std::exchange(sending_.is_new, false)) note_sent(here);
}

// Signals under way inside the engines, so that their arrival has a sender.
void Checks::note_sent(const Party& here) {
  if (sending_.number == 0) return lost(here, 0, "signal 0 is none");
  const int to = sending_.engine;
  if (to < 0 || to >= static_cast<int>(engines_.size()))
    return lost(here, sending_.number, to < 0 ? "no engine is before this one" : "no engine is behind this one");
  auto& sent = engines_[static_cast<size_t>(to)].sent;
  if (sent.size() >= 64) sent.erase(sent.begin());
  sent.push_back({sending_.context, sending_.number, here, races_ ? races_->release(Races::thread(here.who)) : Clock{},
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
