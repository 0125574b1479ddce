#include "session/read_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/holders.h"
#include "inspect/register_slots.h"
#include "weft/isa/effects.h"

namespace weft::workbench {

using emulator::Command;
using emulator::ContextRef;
using emulator::MemorySpace;
using emulator::Tick;

namespace {

std::optional<isa::Instruction> word_at(const EvalContext& scene, unsigned engine, uint16_t pc) {
  const auto words = scene.machine->words(engine);
  return pc < words.size() ? isa::decode(scene.profile, words[pc]) : std::nullopt;
}

}  // namespace

void ReadWatch::found(Writer reader) {
  if (found_) return;
  const auto now = read(scene_, spot_.place, spot_.where);
  reader.before = reader.after = spot_.kind == Spot::Kind::slot ? *spot_.slot : now ? static_cast<uint32_t>(*now) : 0;
  set_place(scene_, reader);
  found_ = std::move(reader);
}

void ReadWatch::by_command(const Command& c, Tick at) {
  Writer w;
  w.by = Writer::By::engine;
  w.who = {spot_.chip, c.from.engine, c.from.context};
  w.pc = c.pc;
  w.cycle = cycle_of(at);
  w.issued = cycle_of(c.issued);
  w.how = command_text(c);
  found(std::move(w));
}

void ReadWatch::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  if (who.engine != spot_.engine) return;
  if (spot_.kind != Spot::Kind::slot && spot_.kind != Spot::Kind::local_csr) return;
  const auto insn = word_at(scene_, who.engine, pc);
  if (!insn) return;
  bool reads = false;
  if (spot_.kind == Spot::Kind::local_csr) {
    reads = isa::effects(insn->id).csr == isa::CsrUse::read && (*insn)[isa::Role::csr] == spot_.address &&
            (who.context == spot_.context || spot_.place.name.find("CTX_") != std::string::npos);
  } else {
    const auto& s = std::as_const(*scene_.machine).state(who.engine);
    for (const isa::Operand* o : {&insn->left, &insn->right})
      reads = reads || slot_behind(s, who.context, *insn, *o, true) == spot_.slot;
    reads = reads || (isa::keeps_bytes(*insn) && slot_behind(s, who.context, *insn, insn->dest, false) == spot_.slot);
  }
  if (!reads) return;
  Writer w;
  w.by = Writer::By::engine;
  w.who = {spot_.chip, who.engine, who.context};
  w.pc = pc;
  w.cycle = w.issued = cycle;
  w.how = std::string(isa::info(insn->id).name);
  found(std::move(w));
}

void ReadWatch::on_serve(const Command& c, Tick at) {
  if (spot_.kind == Spot::Kind::slot) {
    serving_ = c;
    return;
  }
  if (spot_.kind != Spot::Kind::memory && spot_.kind != Spot::Kind::buffer) return;
  const emulator::Moved moved = emulator::moved_by(c, *scene_.units);
  if (spot_.kind == Spot::Kind::memory) {
    if (moved.reads && moved.space == spot_.space && moved.channel == spot_.channel &&
        std::ranges::find(moved.bytes, spot_.address) != moved.bytes.end())
      by_command(c, at);
  } else if (moved.buffer == spot_.buffer && moved.from_buffer && spot_.address >= moved.first &&
             spot_.address < moved.first + uint64_t{4} * moved.count) {
    by_command(c, at);
  }
}

void ReadWatch::on_pull(ContextRef to, bool d, unsigned number, uint32_t, Tick at) {
  if (spot_.kind != Spot::Kind::slot || to.engine != spot_.engine || !serving_) return;
  const auto& s = std::as_const(*scene_.machine).state(to.engine);
  if (&(d ? s.d_out : s.s_out)[number & 127] == spot_.slot) by_command(*serving_, at);
}

void ReadWatch::on_core(isa::Unit serves, bool write, uint32_t address, unsigned count, Tick at) {
  if (write || spot_.kind != Spot::Kind::memory) return;
  const bool sram = serves == isa::Unit::sram;
  if (serves != (spot_.space == MemorySpace::scratch ? isa::Unit::scratch
                 : spot_.space == MemorySpace::sram  ? isa::Unit::sram
                                                     : isa::Unit::dram))
    return;
  if (sram && address >> 30 != spot_.channel) return;
  const uint64_t begin = sram ? address & 0x3ffffffc : address & ~3u;
  if (spot_.address < begin || spot_.address >= begin + uint64_t{4} * count) return;
  Writer w;
  w.by = Writer::By::control;
  w.host = true;
  w.cycle = w.issued = cycle_of(at);
  w.how = fmt::format("read of {} longword{}", count, count == 1 ? "" : "s");
  found(std::move(w));
}

void SourceWatch::on_execute(ContextRef who, uint16_t pc, uint64_t) {
  if (seen_ || who.engine != who_.engine || who.context != who_.context || pc != pc_) return;
  seen_ = true;
  const auto insn = word_at(scene_, who.engine, pc);
  if (!insn) return;
  const auto& s = std::as_const(*scene_.machine).state(who.engine);
  const auto take = [&](const isa::Operand& o, bool source, const char* role) {
    const uint32_t* slot = slot_behind(s, who.context, *insn, o, source);
    const auto holder = slot ? holder_of(scene_, who_, pc, slot, source) : std::nullopt;
    const bool known = holder && std::ranges::any_of(sources_, [&](const Source& k) { return k.what == *holder; });
    if (holder && !known) sources_.push_back({*holder, role, 0, std::nullopt});
  };
  const bool command = isa::is_command(*insn);
  take(insn->left, true, command ? "address" : "left");
  take(insn->right, true, command ? "address" : "right");
  if (isa::keeps_bytes(*insn)) take(insn->dest, false, "kept bytes");
}

}  // namespace weft::workbench
