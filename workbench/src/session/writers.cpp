// Who wrote this: the recording is gone through again, checkpoint by checkpoint from the latest one backwards, while
// somebody watches the place. A stretch between two checkpoints that share the memory page need not be looked at.
#include <fmt/format.h>

#include "session/search.h"

namespace weft::workbench {

using emulator::Position;

namespace {
constexpr uint64_t kLongestAnswer = 20'000;  // engine cycles between a command and what it brings, at most
}

tl::unexpected<Diagnostics> not_recorded() {
  return fail("record-off", {}, "who wrote it is not known: the run is not recorded", "call record() before the run");
}
tl::unexpected<Diagnostics> interrupted() {
  return fail("search-interrupted", {}, "the search was interrupted before it found a write");
}

namespace {

bool same_place(const Spot& a, const Spot& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Spot::Kind::slot: return a.slot == b.slot;
    case Spot::Kind::local_csr: return a.engine == b.engine && a.context == b.context && a.address == b.address;
    case Spot::Kind::buffer: return a.buffer == b.buffer && a.address == b.address;
    default: return a.space == b.space && a.channel == b.channel && a.address == b.address;
  }
}

}  // namespace

Result<std::optional<Writer>> Session::sender(const emulator::Command& command, unsigned chip,
                                              const std::atomic<bool>* interrupt) {
  Impl& self = *impl_;
  if (self.recording.interval == 0 || chip >= self.chips.size()) return not_recorded();
  Writer writer;
  writer.by = Writer::By::engine;
  writer.who = {chip, command.from.engine, command.from.context};
  const emulator::Tick period = self.chips[chip]->machine->timing().period;
  writer.cycle = writer.issued = command.issued / period;
  writer.how = std::string(isa::info(command.op).name);
  RunControl control;
  control.interrupt = interrupt;
  Impl::Search search(self, control);
  // It may have been issued in the very tick at which a checkpoint was made.
  auto from = self.recording.checkpoints.lower_bound({command.issued, 0});
  if (from == self.recording.checkpoints.end() || from->first > Position{command.issued, 0}) {
    if (from == self.recording.checkpoints.begin()) return std::optional<Writer>();
    --from;
  }
  if (auto done = restore(from->second); !done) return tl::unexpected(done.error());
  SenderWatch watch(*self.chips[chip]->machine, command.sequence);
  const bool whole = search.replay(
      chip, {&watch}, {command.issued + period, 0}, [&] { return watch.found(); }, [](const Impl::Recording::Edit&) {});
  if (!whole) return interrupted();
  if (!watch.found()) return std::optional<Writer>();
  writer.pc = watch.pc();
  set_place(self.chips[chip]->scene, writer);
  return std::optional(writer);
}

Result<std::optional<Writer>> Session::Impl::search(const std::string& name, int engine, int context, bool forward,
                                                    const std::atomic<bool>* interrupt) {
  if (recording.interval == 0 || recording.checkpoints.empty()) return not_recorded();
  const auto spot = spot_of_name(name, engine, context);
  if (!spot) return tl::unexpected(spot.error());
  RunControl control;
  control.interrupt = interrupt;
  return search(*spot, std::nullopt, forward, control);
}

Result<Spot> Session::Impl::spot_of_name(const std::string& name, int engine, int context) const {
  std::string rest = name;
  const unsigned chip = take_chip(rest);
  const EvalContext& scene = chips[chip]->scene;
  const auto expression = Expression::parse(rest, scene, {engine, context});
  if (!expression) return tl::unexpected(expression.error());
  if (expression->place() == nullptr)
    return fail("writer-place", {}, fmt::format("'{}' is a computed value; nobody writes it", name),
                "name a register, a CSR or a longword");
  auto spot = spot_of(scene, *expression->place(), {engine, context});
  if (spot) spot->chip = chip;
  return spot;
}

Result<std::optional<Writer>> Session::Impl::search(const Spot& asked, std::optional<Position> moment, bool forward,
                                                    const RunControl& control, Position* behind) {
  if (recording.interval == 0 || recording.checkpoints.empty()) return not_recorded();
  const Spot* const spot = &asked;
  const unsigned chip = spot->chip;
  const EvalContext& scene = chips[chip]->scene;
  const auto page = [&](const Snapshot& at) {
    return spot->kind == Spot::Kind::memory ? page_of(at, chip, spot->space, spot->channel, spot->address) : nullptr;
  };

  std::optional<emulator::Command> unknown;
  std::optional<Writer> found;
  {
    Search search(*this, control);
    const Position here = moment.value_or(board->position());
    if (here < recording.checkpoints.begin()->first) return not_recorded();
    bool begun_before = false;
    const auto watched = [&](Position end) {
      WriteWatch watch(scene, *spot, forward);
      const bool whole = search.replay(
          chip, {&watch}, end, [&] { return forward && watch.found(); },
          [&](const Recording::Edit& e) {
            const auto written = spot_of(scene, e.place, e.where);
            if (written && same_place(*written, *spot))
              watch.edited(e.before);
            else
              watch.look();
          });
      found = watch.found();
      unknown = watch.unknown_sender();
      begun_before = watch.begun_before();
      // Turns of a tick are counted over all chips, the first one's first.
      if (behind) *behind = chip == 0 ? watch.behind() : Position{watch.behind().now + 1, 0};
      return whole;
    };
    if (forward) {
      if (moment && !search.reach(here)) return search.stopped() ? interrupted() : not_recorded();
      // A recording that was opened knows moments that this session has not run through.
      if (!watched(std::max({search.high_water, recording.checkpoints.rbegin()->first, here}))) return interrupted();
    } else {
      Position end = here;
      const void* page_then = moment ? nullptr : page(search.present);
      auto after = recording.checkpoints.upper_bound(here);
      // What stands at the present moment by the user's hand was written by nothing before it.
      if (const auto edits = recording.edits.find(here); edits != recording.edits.end())
        for (const Recording::Edit& e : edits->second) {
          const auto written = e.chip == chip ? spot_of(scene, e.place, e.where) : Result<Spot>(fail("", {}, ""));
          if (!written || !same_place(*written, *spot)) continue;
          WriteWatch watch(scene, *spot, false);
          watch.edited(e.before);
          std::optional<Writer> typed = watch.found();
          if (behind) *behind = here;
          if (typed) typed->cycle = typed->issued = here.now / scene.machine->timing().period;
          return typed;
        }
      while (!found && after != recording.checkpoints.begin()) {
        const auto from = std::prev(after);
        after = from;
        if (from->first >= end) continue;
        const void* page_before = page(from->second);
        if (page_before == nullptr || page_before != page_then) {
          if (auto done = owner->restore(from->second); !done) return tl::unexpected(done.error());
          if (!watched(end)) return interrupted();
          // What arrives was sent for before the checkpoint.
          for (auto earlier = from; begun_before && earlier != recording.checkpoints.begin() &&
                                    earlier->first.now + kLongestAnswer * period() > from->first.now;) {
            if (auto done = owner->restore((--earlier)->second); !done) return tl::unexpected(done.error());
            if (!watched(end)) return interrupted();
          }
        }
        // A checkpoint that was made after the user's write has its value; the stretch before it ends without it.
        if (const auto edits = recording.edits.find(from->first); !found && edits != recording.edits.end())
          for (const Recording::Edit& e : edits->second) {
            const auto written = e.chip == chip ? spot_of(scene, e.place, e.where) : Result<Spot>(fail("", {}, ""));
            if (!written || !same_place(*written, *spot)) continue;
            if (auto done = owner->restore(from->second); !done) return tl::unexpected(done.error());
            WriteWatch watch(scene, *spot, false);
            watch.edited(e.before);
            found = watch.found();
            if (behind) *behind = from->first;
          }
        end = from->first;
        page_then = page_before;
      }
    }
  }
  if (found && unknown) {
    auto sent = owner->sender(*unknown, chip, control.interrupt);
    if (!sent) return tl::unexpected(sent.error());
    if (*sent) {
      found->pc = (*sent)->pc;
      found->file = (*sent)->file;
      found->line = (*sent)->line;
    }
  }
  return found;
}

Result<std::optional<Writer>> Session::last_write(const std::string& name, int engine, int context,
                                                  const std::atomic<bool>* interrupt) {
  return impl_->search(name, engine, context, false, interrupt);
}
Result<std::optional<Writer>> Session::next_write(const std::string& name, int engine, int context,
                                                  const std::atomic<bool>* interrupt) {
  return impl_->search(name, engine, context, true, interrupt);
}

}  // namespace weft::workbench
