#include "weft/emulator/observers/profile.h"

#include <algorithm>

namespace weft::emulator {

Profile::Profile(const Machine& machine)
    : machine_(machine), states_(machine), engines_(machine.engine_count()), shadows_(machine.engine_count()) {
  for (unsigned e = 0; e < machine.engine_count(); ++e) {
    engines_[e].words.resize(machine.words(e).size());
    shadows_[e].from = machine.cycles(e);
    for (unsigned c = 0; c < kContexts; ++c) {
      const ContextRecord& record = machine.state(e).contexts[c];
      shadows_[e].waiting[c] = {record.state, machine.cycles(e), record.pc};
    }
  }
}

ProfileCycles& Profile::word(ProfileFigures::Engine& engine, uint16_t pc) {
  if (pc >= engine.words.size()) engine.words.resize(pc + 1u);  // loaded after the observer was made
  return engine.words[pc];
}

void Profile::on_execute(ContextRef who, uint16_t pc, uint64_t) {
  ProfileFigures::Engine& engine = engines_[who.engine];
  ++word(engine, pc).executing;
  ++engine.contexts[who.context].cycles.executing;
  const Shadow& shadow = states_[who.engine].shadow;
  if (shadow.kind == Shadow::Kind::none) return;
  EngineShadow& s = shadows_[who.engine];
  if (!s.open) {
    s.open = true;
    s.cause = pc;
    s.context = who.context;
  }
  if (shadow.slots != 0) return;
  // The last deferred slot: what is lost follows it (E3, E4).
  s.open = false;
  word(engine, s.cause).aborted += shadow.aborts;
  engine.contexts[who.context].cycles.aborted += shadow.aborts;
}

void Profile::on_stretch(const WordStretch& stretch) {
  ProfileFigures::Engine& engine = engines_[stretch.who.engine];
  ProfileFigures::Context& context = engine.contexts[stretch.who.context];
  if (stretch.words != 0) {
    word(engine, static_cast<uint16_t>(stretch.pc + stretch.words - 1));  // all of them are there
    for (uint32_t i = 0; i < stretch.words; ++i) ++engine.words[stretch.pc + i].executing;
  }
  context.cycles.executing += stretch.words;
  EngineShadow& s = shadows_[stretch.who.engine];
  if (stretch.cause != WordStretch::kNoWord) {
    s.cause = stretch.cause;
    s.context = stretch.who.context;
  }
  s.open = stretch.is_open;
  if (stretch.aborts == 0) return;
  word(engine, s.cause).aborted += stretch.aborts;
  context.cycles.aborted += stretch.aborts;
}

void Profile::on_stall(ContextRef who, uint16_t pc, uint64_t cycle) { on_stalls(who, pc, cycle, 1); }

void Profile::on_stalls(ContextRef who, uint16_t pc, uint64_t, uint64_t times) {
  ProfileFigures::Engine& engine = engines_[who.engine];
  word(engine, pc).stalled += times;
  engine.contexts[who.context].cycles.stalled += times;
}

void Profile::end_wait(ProfileFigures::Engine& engine, unsigned context, const Waiting& waiting, uint64_t cycle) {
  if (cycle <= waiting.since) return;
  const uint64_t cycles = cycle - waiting.since;
  ProfileFigures::Context& c = engine.contexts[context];
  if (waiting.state == ContextState::sleep) {
    word(engine, waiting.pc).sleep += cycles;
    c.cycles.sleep += cycles;
  } else if (waiting.state == ContextState::ready) {
    word(engine, waiting.pc).ready += cycles;
    c.cycles.ready += cycles;
  } else if (waiting.state == ContextState::inactive) {
    c.inactive += cycles;
  }
}

void Profile::on_state(ContextRef who, ContextState state, uint64_t cycle) {
  EngineShadow& s = shadows_[who.engine];
  Waiting& waiting = s.waiting[who.context];
  end_wait(engines_[who.engine], who.context, waiting, cycle);
  if (waiting.state == ContextState::executing) waiting.pc = s.cause;
  waiting.state = state;
  waiting.since = std::max(waiting.since, cycle);
}

ProfileFigures Profile::figures() const {
  machine_.tell_counts();
  ProfileFigures out;
  out.engines = engines_;
  out.chip_contexts = machine_.timing().contexts;
  for (unsigned e = 0; e < engines_.size(); ++e) {
    ProfileFigures::Engine& engine = out.engines[e];
    const EngineShadow& s = shadows_[e];
    const uint64_t now = machine_.cycles(e);
    engine.cycles = now - s.from;
    out.from_cycle = std::max(out.from_cycle, s.from);
    out.to_cycle = std::max(out.to_cycle, now);
    for (unsigned c = 0; c < kContexts; ++c) end_wait(engine, c, s.waiting[c], now);
    // Aborted slots are entered when the branch takes place; those ahead of now are not over yet.
    const uint64_t next = machine_.state(e).next_cycle;
    ProfileFigures::Context& c = engine.contexts[s.context];
    if (next > now && c.cycles.aborted >= next - now && word(engine, s.cause).aborted >= next - now) {
      word(engine, s.cause).aborted -= next - now;
      c.cycles.aborted -= next - now;
    }
  }
  return out;
}

}  // namespace weft::emulator
