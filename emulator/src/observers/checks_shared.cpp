// Checks on what contexts share: memory without an order, buffers of pools, signals that reach nobody, and words that
// are not there.
#include <fmt/format.h>

#include "observers/buffers.h"
#include "observers/races.h"
#include "weft/emulator/observers/checks.h"
#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

using isa::Operand;
using isa::OperandKind;
using Kind = CommandAccess::Kind;

// Numbers of what an engine's contexts share (Races::write_shared).
constexpr unsigned kBankB = 128, kLocal = 256, kCam = 2000;

std::string cell_text(Cell cell) {
  const auto space = static_cast<MemorySpace>((cell >> 48) - 1);
  const uint64_t address = (cell & 0xffffffffff) * 4;
  switch (space) {
    case MemorySpace::scratch: return fmt::format("scratch[{:#x}]", address);
    case MemorySpace::sram: return fmt::format("sram{}[{:#x}]", cell >> 40 & 0xff, address);
    case MemorySpace::dram: break;
  }
  return fmt::format("dram[{:#x}]", address);
}

}  // namespace

void Checks::serve_shared(const Command& command, Open& open) {
  const CommandAccess access = access_of(command, *units_);
  if (access.kind == Kind::none && access.lock == CommandAccess::Lock::none) return;
  const Party& here = open.party;
  if (races_) {
    races_->command(access, here.who, open.issued, here.pc, here.cycle, command.op);
    const bool writes = access.kind == Kind::write || access.kind == Kind::media_in;
    for (const Races::Race& race : races_->found()) {
      const Races::Other& o = race.other;
      const Party other{Party::Kind::word, o.who, o.pc, o.cycle, o.op};
      add(Check::race, here.who, here.pc, here.cycle, uint64_t{o.who.engine} << 16 | o.pc,
          fmt::format("{} {} {}, which {} {}; no signal, ring or lock stands between the two",
                      isa::info(command.op).name, writes ? "writes" : "reads", cell_text(race.cell), describe(other),
                      o.wrote ? "wrote" : "read"),
          &other);
    }
  }
  if (buffers_) {
    const Buffers::Event by{true, here.who, here.pc, here.cycle, command.op};
    open.handles = buffers_->serve(access, command.sequence, by);
    if (access.kind == Kind::enqueue) {
      if (const auto twice = buffers_->enqueued(access, by)) {
        const Buffers::Event& b = twice->before;
        buffer_twice(here, twice->pool, twice->handle, twice->foreign,
                     {b.known ? Party::Kind::word : Party::Kind::unknown, b.who, b.pc, b.cycle, b.op});
      }
    }
  }
  pulled_ = 0;
  pulls_count_ = buffers_ && (access.kind == Kind::write || access.kind == Kind::ring_put);
  if (pulls_count_) *serving_ = access;
  if (races_) open.order = Races::order_of(access);
}

void Checks::buffer_twice(const Party& here, size_t pool, uint32_t handle, bool foreign, const Party& before) {
  const std::string& name = buffers_->pool(pool).name;
  add(Check::buffer_free, here.who, here.pc, here.cycle, foreign ? 2 : 1,
      foreign ? fmt::format("{} puts {:#x} on the free list of pool {}, which has no such buffer",
                            isa::info(here.op).name, handle, name)
              : fmt::format("{} gives back buffer {:#x} of pool {}, which is free: {} gave it back",
                            isa::info(here.op).name, handle, name, describe(before)));
}

void Checks::on_host_ring(unsigned ring, bool put, uint32_t word) {
  if (races_) races_->host_ring(ring, put);
  if (!buffers_) return;
  const auto twice = buffers_->host_ring(ring, put, word);
  if (!twice) return;
  // No word of a program did it: the finding stands at the one that gave the buffer back before.
  const Buffers::Event& b = twice->before;
  const Party before{b.known ? Party::Kind::word : Party::Kind::unknown, b.who, b.pc, b.cycle, b.op};
  add(Check::buffer_free, b.who, b.pc, b.cycle, 3,
      fmt::format("the control processor gives back {:#x} of pool {}, which {}", word, buffers_->pool(twice->pool).name,
                  twice->foreign ? "has no such buffer" : "is free: " + describe(before) + " gave it back"));
}

void Checks::check_leaks(std::span<const uint32_t> held) {
  if (!buffers_ || !on(Check::buffer_leak)) return;
  for (const Buffers::Leak& leak : buffers_->leaks(machine_, held)) {
    const Buffers::Event& t = leak.taken;
    add(Check::buffer_leak, t.who, t.pc, t.cycle, 0,
        fmt::format("{} took buffer {:#x} of pool {}, and now it is neither on the free list nor in any register, "
                    "ring, queue or "
                    "memory that a program wrote",
                    isa::info(t.op).name, leak.handle, buffers_->pool(leak.pool).name));
  }
}

void Checks::lost(const Party& here, unsigned number, std::string_view why) {
  if (here.kind != Party::Kind::word) return;
  add(Check::signal_lost, here.who, here.pc, here.cycle, number,
      fmt::format("{} raises signal {}, and nobody will see it: {}", isa::info(here.op).name,
                  signal_name(here.who.engine, here.pc, number), why));
}

void Checks::goes_nowhere(const isa::Instruction& insn, unsigned next, const Party& here) {
  add(Check::control_store, here.who, here.pc, here.cycle, next,
      fmt::format("{} goes on at {:#x}; the program ends at {:#x}", isa::info(insn.id).name, next,
                  programs_.size(here.who.engine) - 1));
}

// A context that raised a signal did more until it gave up the engine: who took the signal knows all of it when it
// runs.
void Checks::follow_raisers(ContextRef who) {
  uint16_t& follows = engines_[who.engine].now[who.context].follows;
  for (unsigned c = 0; follows != 0; ++c, follows = static_cast<uint16_t>(follows >> 1))
    if (follows & 1) races_->follow(who, c);
}

// Registers of the engine as messages between its contexts: who reads knows what the writer knew.
void Checks::check_shared(const Word& word, const isa::Instruction& insn, ContextRef who) {
  constexpr unsigned kNone = Races::kObjects;
  const auto object = [&](const Operand& o) {
    if (o.kind == OperandKind::gpr_absolute) return (o.bank == isa::Bank::b ? kBankB : 0) + (o.value & 127);
    if (o.kind == OperandKind::local_mem0 || o.kind == OperandKind::local_mem1)
      return kLocal + local_memory_pointer(word, o, who);
    return kNone;
  };
  if (word.is(Word::reads_shared))
    for (const Operand* source : {&insn.left, &insn.right})
      if (const unsigned shared = object(*source); shared != kNone) races_->read_shared(who, shared);
  if (word.is(Word::looks_up)) races_->read_shared(who, kCam);
  if (word.is(Word::writes_shared)) races_->write_shared(who, object(insn.dest));
  if (word.is(Word::enters)) races_->write_shared(who, kCam);
  if (!word.is(Word::neighbors)) return;
  for (const Operand* source : {&insn.left, &insn.right})
    if (source->kind == OperandKind::neighbor_index && source->post != isa::Post::none) races_->next_neighbor_get(who);
  if (insn.dest.kind == OperandKind::neighbor_index)
    races_->next_neighbor_put(who, state_of(who.engine).nn_self() ? who.engine : who.engine + 1u);
}

}  // namespace weft::emulator
