// Steps of one context: an instruction, a line, over a macro call, out of one.
#include <fmt/format.h>

#include "session/impl.h"
#include "session/locations.h"
#include "weft/isa/effects.h"

namespace weft::workbench {

using emulator::Tick;

namespace {

/// A step of a context that sleeps ends after so many cycles: a control program may poll for ever.
constexpr uint64_t kLongestStep = 10'000'000;

/// Stops when a context gets the engine.
class GetsEngine final : public emulator::Observer {
 public:
  GetsEngine(unsigned engine, unsigned context) : engine_(engine), context_(context) {}
  void on_state(emulator::ContextRef who, emulator::ContextState state, uint64_t) override {
    if (who.engine == engine_ && who.context == context_ && state == emulator::ContextState::executing) got_ = true;
  }
  bool wants_stop() const override { return got_; }

 private:
  unsigned engine_, context_;
  bool got_ = false;
};

/// The outermost level at which a line begins with the word: at the first word of a macro call a step over it goes over
/// the whole call.
size_t level_at(const image::Image& image, uint32_t address) {
  const auto frames = frames_at(image, address);
  const auto before = address > 0 ? frames_at(image, address - 1) : std::vector<SourceFrame>{};
  for (size_t level = 1; level < frames.size(); ++level)
    if (!same_frames(before, frames, level)) return level;
  return frames.size();
}

}  // namespace

/// The limit of a step is nobody's: the text says what it is.
static Stop unended(Stop stop) {
  if (stop.kind == Stop::Kind::cycles) stop.text = fmt::format("the step has not ended in {} cycles", kLongestStep);
  return stop;
}

Stop Session::step(unsigned engine) { return step(engine, -1, Step::instruction); }

Stop Session::step(unsigned engine, int context, Step how, unsigned chip, const RunControl& control) {
  Impl& self = *impl_;
  const Impl::Controlled controlled(self, control);
  self.acknowledge_checks();
  if (how == Step::swap || how == Step::again) return self.record_stop(unended(self.step_to_engine(chip, engine, context, how)));
  if (how != Step::instruction && self.image_of(chip, engine))
    return self.record_stop(unended(self.step_lines(chip, engine, context, how)));
  const Tick limit = self.board->now() + kLongestStep * self.period();
  return self.record_stop(unended(self.stop_of(self.step(chip, engine, context, limit))));
}

Stop Session::Impl::step_to_engine(unsigned chip, unsigned engine, int context, Step how) {
  emulator::Machine& machine = *chips[chip]->machine;
  const emulator::EngineState& state = std::as_const(machine).state(engine);
  const Tick limit = board->now() + kLongestStep * period();
  if (context < 0) context = state.running >= 0 ? state.running : state.last_running;
  const emulator::ContextRecord& record = state.contexts[static_cast<size_t>(context)];
  const auto has_engine = [&] { return record.state == emulator::ContextState::executing; };
  bool first = true;
  while (has_engine()) {
    emulator::BoardStop reached = step(chip, engine, context, limit, std::exchange(first, false));
    if (reached.reason.kind == emulator::StopKind::stepped && (board->now() >= limit || asked_to_stop()))
      reached.reason.kind = emulator::StopKind::limit;
    if (reached.reason.kind != emulator::StopKind::stepped || record.state == emulator::ContextState::inactive)
      return stop_of(reached);
    if (how == Step::swap && has_engine()) return stop_of(reached);
  }
  // Before the word at which it goes on; somebody may have moved it meanwhile, then after its first one.
  GetsEngine gets(engine, static_cast<unsigned>(context));
  machine.attach(gets);
  chips[chip]->debugger->hold({engine, record.pc, 1u << context});
  emulator::BoardStop reached = move(
      {limit, 0}, [this](emulator::Position halt) { return board->run_to(halt); }, [&] { return gets.wants_stop(); });
  machine.detach(gets);
  chips[chip]->debugger->hold({});
  if (decision.stop || !gets.wants_stop()) return stop_of(reached);
  Stop stop = stop_of(reached);
  stop.kind = Stop::Kind::stepped;
  stop.chip = chip;
  stop.engine = static_cast<int>(engine);
  stop.context = context;
  stop.address = record.pc;
  const std::string where = place(chip, engine, record.pc);
  stop.text = prefix(chip) + fmt::format("microengine {}, context {} has the engine again, at 0x{:x}{}", engine,
                                         context, record.pc, where.empty() ? "" : " (" + where + ")");
  return stop;
}

Stop Session::Impl::step_lines(unsigned chip, unsigned engine, int context, Step how) {
  const image::Image& image = *image_of(chip, engine);
  const emulator::Machine& machine = *chips[chip]->machine;
  const emulator::EngineState& state = machine.state(engine);
  if (context < 0) context = state.running;
  const Tick limit = board->now() + kLongestStep * period();
  bool first = true;
  if (context < 0) {  // whichever executes next is the one
    const emulator::BoardStop at = step(chip, engine, -1, limit);
    if (at.reason.kind != emulator::StopKind::stepped) return stop_of(at);
    context = at.reason.context;
    first = false;
  }
  const emulator::ContextRecord& record = state.contexts[static_cast<size_t>(context)];
  const uint32_t begin = record.pc;
  const auto from = frames_at(image, begin);
  const bool in_macro = from.size() > 1;
  const size_t levels = how == Step::over ? level_at(image, begin) : how == Step::out ? from.size() - 1 : from.size();
  while (true) {
    const uint32_t at = record.pc;
    const auto words = machine.words(engine);
    const auto insn = at < words.size() ? isa::decode(chips[chip]->scene.profile, words[at]) : std::nullopt;
    emulator::BoardStop reached = step(chip, engine, context, limit, first);
    first = false;
    // A loop without an end has time for every instruction, and none of them is the last.
    if (reached.reason.kind == emulator::StopKind::stepped && (board->now() >= limit || asked_to_stop()))
      reached.reason.kind = emulator::StopKind::limit;
    if (reached.reason.kind != emulator::StopKind::stepped) return stop_of(reached);
    const bool gone = record.state == emulator::ContextState::inactive;
    const auto now = frames_at(image, record.pc);
    bool done = gone;
    switch (how) {
      case Step::instruction:
      case Step::swap:
      case Step::again: done = true; break;
      case Step::line: done = done || now != from || record.pc <= at; break;
      case Step::over:
        done = done || !same_frames(from, now, levels) || (levels == from.size() && now == from && record.pc <= at);
        break;
      case Step::out:
        done = done || (in_macro ? !same_frames(from, now, levels)
                                 : insn && isa::effects(insn->id).goes == isa::BranchTo::address &&
                                       state.shadow.kind == emulator::Shadow::Kind::none);
        break;
    }
    if (!done) continue;
    Stop stop = stop_of(reached);
    stop.address = record.pc;
    const std::string where = place(chip, engine, record.pc);
    stop.text = prefix(chip) + fmt::format("microengine {}, context {} {} 0x{:x}{}", engine, context,
                                           gone ? "has ended at" : "stands at", record.pc,
                                           where.empty() ? "" : " (" + where + ")");
    return stop;
  }
}

}  // namespace weft::workbench
