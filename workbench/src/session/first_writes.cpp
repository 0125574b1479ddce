#include "session/first_writes.h"

#include <algorithm>

#include "inspect/register_slots.h"

namespace weft::workbench {

using emulator::ContextRef;
using emulator::EngineState;
using emulator::Tick;

FirstWrites::FirstWrites(const emulator::Machine& machine)
    : machine_(machine),
      since_(machine.engine_count(), std::vector<Tick>(sizeof(EngineState) / sizeof(uint32_t), emulator::kNever)) {
  take_present_values();
}

size_t FirstWrites::index(unsigned engine, const uint32_t* slot) const {
  const auto* begin = reinterpret_cast<const char*>(&machine_.state(engine));
  return static_cast<size_t>(reinterpret_cast<const char*>(slot) - begin) / sizeof(uint32_t);
}

void FirstWrites::note(unsigned engine, const uint32_t* slot, Tick from) {
  Tick& since = since_[engine][index(engine, slot)];
  since = std::min(since, from);
}

bool FirstWrites::before(unsigned engine, const uint32_t* slot, uint64_t cycle) const {
  return since_[engine][index(engine, slot)] <= cycle * machine_.timing().period;
}

void FirstWrites::take_present_values() {
  for (unsigned engine = 0; engine < since_.size(); ++engine) {
    const EngineState& s = machine_.state(engine);
    const auto take = [&](const auto& file) {
      for (const uint32_t& one : file) {
        Tick& since = since_[engine][index(engine, &one)];
        if (one != 0 && since == emulator::kNever) since = machine_.now();
      }
    };
    take(s.a);
    take(s.b);
    take(s.s_in);
    take(s.d_in);
    take(s.local_memory);
  }
}

void FirstWrites::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  const auto words = machine_.words(who.engine);
  if (pc >= words.size()) return;
  const auto insn = isa::decode(machine_.timing().profile, words[pc]);
  if (!insn) return;
  if (const uint32_t* written = slot_behind(machine_.state(who.engine), who.context, *insn, insn->dest, false))
    note(who.engine, written, cycle * machine_.timing().period + 1);
}

void FirstWrites::on_push(ContextRef to, bool d, unsigned number, uint32_t, Tick at) {
  const EngineState& s = machine_.state(to.engine);
  // The word that waited for it may be executed at the same moment.
  note(to.engine, &(d ? s.d_in : s.s_in)[number & 127], at);
}

}  // namespace weft::workbench
