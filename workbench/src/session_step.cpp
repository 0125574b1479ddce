// Steps of one context: an instruction, a line, over a macro call, out of one.
#include <fmt/format.h>

#include "locations.h"
#include "session_impl.h"

namespace weft::workbench {

using emulator::Tick;

namespace {

/// A step of a context that sleeps ends after so many cycles: a control program may poll for ever.
constexpr uint64_t kLongestStep = 10'000'000;

/// The outermost level at which a line begins with the word: at the first word of a macro call a step over it goes over the
/// whole call.
size_t level_at(const image::Image& image, uint32_t address) {
  const auto frames = frames_at(image, address);
  const auto before = address > 0 ? frames_at(image, address - 1) : std::vector<SourceFrame>{};
  for (size_t level = 1; level < frames.size(); ++level)
    if (!same_frames(before, frames, level)) return level;
  return frames.size();
}

}  // namespace

Stop Session::step(unsigned engine) { return step(engine, -1, Step::instruction); }

Stop Session::step(unsigned engine, int context, Step how, unsigned chip) {
  Impl& self = *impl_;
  self.acknowledge_checks();
  if (how != Step::instruction && self.image_of(chip, engine)) return self.stand(self.step_lines(chip, engine, context, how));
  const Tick limit = self.board->now() + kLongestStep * self.period();
  return self.stand(self.stop_of(self.step(chip, engine, context, limit)));
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
    const emulator::BoardStop reached = step(chip, engine, context, limit, first);
    first = false;
    if (reached.reason.kind != emulator::StopKind::stepped) return stop_of(reached);
    const bool gone = record.state == emulator::ContextState::inactive;
    const auto now = frames_at(image, record.pc);
    bool done = gone;
    switch (how) {
      case Step::instruction: done = true; break;
      case Step::line: done = done || now != from || record.pc <= at; break;
      case Step::over: done = done || !same_frames(from, now, levels) || (levels == from.size() && now == from && record.pc <= at); break;
      case Step::out: done = done || (in_macro ? !same_frames(from, now, levels) : insn && insn->id == isa::InsnId::rtn && state.shadow.kind == emulator::Shadow::Kind::none); break;
    }
    if (!done) continue;
    Stop stop = stop_of(reached);
    stop.address = record.pc;
    const std::string where = place(chip, engine, record.pc);
    stop.text = prefix(chip) + fmt::format("microengine {}, context {} {} 0x{:x}{}", engine, context, gone ? "has ended at" : "stands at", record.pc,
                            where.empty() ? "" : " (" + where + ")");
    return stop;
  }
}

}  // namespace weft::workbench
