// Who wrote this: the recording is gone through again, checkpoint by checkpoint from the latest one backwards, while
// somebody watches the place. A stretch between two checkpoints that share the memory page need not be looked at.
#include <fmt/format.h>

#include "session_impl.h"
#include "write_watch.h"

namespace weft::workbench {

using emulator::Position;

namespace {

constexpr uint64_t kSlice = 5'000;  // engine cycles between two looks at the interrupt flag

tl::unexpected<Diagnostics> not_recorded() {
  return fail("record-off", {}, "who wrote it is not known: the run is not recorded", "call record() before the run");
}
tl::unexpected<Diagnostics> interrupted() {
  return fail("search-interrupted", {}, "the search was interrupted before it found a write");
}

}  // namespace

/// The session while it looks: it comes back to where it stood, and nobody hears of it.
struct Session::Impl::Search {
  Impl& self;
  const std::atomic<bool>* interrupt;
  Snapshot present;
  Position furthest;
  std::string last_stop;

  Search(Impl& impl, const std::atomic<bool>* flag)
      : self(impl),
        interrupt(flag),
        present(impl.save(true)),
        furthest(impl.recording.furthest),
        last_stop(impl.progress.last_stop) {
    self.guard.repeating = true;
    self.each_debugger([](Debugger& d) { d.set_active(false); });
  }
  ~Search() {
    (void)self.owner->restore(present);
    self.recording.furthest = furthest;
    self.progress.last_stop = last_stop;
    self.each_debugger([](Debugger& d) { d.set_active(true); });
    self.guard.repeating = false;
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  bool stopped() const { return interrupt != nullptr && *interrupt; }

  /// Goes to `end` while the observer watches a chip; `edited` is told of what the user wrote on the way. Ends early
  /// when `enough` says so. False: interrupted.
  bool replay(unsigned chip, emulator::Observer& observer, Position end, const std::function<bool()>& enough,
              const std::function<void(const Recording::Edit&)>& edited) {
    emulator::Machine& machine = *self.chips[chip]->machine;
    machine.attach(observer);
    bool whole = true;
    while (self.board->position() < end && !enough()) {
      if (stopped()) {
        whole = false;
        break;
      }
      const Position before = self.board->position();
      Position slice = std::min(end, Position{before.now + kSlice * self.period(), 0});
      if (const auto edit = self.recording.edits.upper_bound(before); edit != self.recording.edits.end())
        slice = std::min(slice, edit->first);
      self.move(
          slice, [&](Position halt) { return self.board->run_to(halt); }, enough);
      if (const auto edit = self.recording.edits.find(self.board->position()); edit != self.recording.edits.end())
        for (const Recording::Edit& e : edit->second)
          if (e.chip == chip) edited(e);
      if (self.board->position() == before) break;  // it stands at a fault
    }
    machine.detach(observer);
    return whole;
  }
};

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
  Impl::Search search(self, interrupt);
  // It may have been issued in the very tick at which a checkpoint was made.
  auto from = self.recording.checkpoints.lower_bound({command.issued, 0});
  if (from == self.recording.checkpoints.end() || from->first > Position{command.issued, 0}) {
    if (from == self.recording.checkpoints.begin()) return std::optional<Writer>();
    --from;
  }
  if (auto done = restore(from->second); !done) return tl::unexpected(done.error());
  SenderWatch watch(*self.chips[chip]->machine, command.sequence);
  const bool whole = search.replay(
      chip, watch, {command.issued + period, 0}, [&] { return watch.found(); }, [](const Impl::Recording::Edit&) {});
  if (!whole) return interrupted();
  if (!watch.found()) return std::optional<Writer>();
  writer.pc = watch.pc();
  set_place(self.chips[chip]->scene, writer);
  return std::optional(writer);
}

Result<std::optional<Writer>> Session::Impl::search(const std::string& name, int engine, int context, bool forward,
                                                    const std::atomic<bool>* interrupt) {
  if (recording.interval == 0 || recording.checkpoints.empty()) return not_recorded();
  std::string rest = name;
  const unsigned chip = take_chip(rest);
  const Scene& scene = chips[chip]->scene;
  const auto expression = Expression::parse(rest, scene, {engine, context});
  if (!expression) return tl::unexpected(expression.error());
  if (expression->place() == nullptr)
    return fail("writer-place", {}, fmt::format("'{}' is a computed value; nobody writes it", name),
                "name a register, a CSR or a longword");
  auto spot = spot_of(scene, *expression->place(), {engine, context});
  if (!spot) return tl::unexpected(spot.error());
  spot->chip = chip;
  const auto page = [&](const Snapshot& at) {
    return spot->kind == Spot::Kind::memory ? page_of(at, chip, spot->space, spot->channel, spot->address) : nullptr;
  };

  std::optional<emulator::Command> unknown;
  std::optional<Writer> found;
  {
    Search search(*this, interrupt);
    const Position here = board->position();
    if (here < recording.checkpoints.begin()->first) return not_recorded();
    const auto watched = [&](Position end) {
      WriteWatch watch(scene, *spot, forward);
      const bool whole = search.replay(
          chip, watch, end, [&] { return forward && watch.found(); },
          [&](const Recording::Edit& e) {
            const auto written = spot_of(scene, e.place, e.where);
            if (written && same_place(*written, *spot))
              watch.edited(e.before);
            else
              watch.look();
          });
      found = watch.found();
      unknown = watch.unknown_sender();
      return whole;
    };
    if (forward) {
      // A recording that was opened knows moments that this session has not run through.
      if (!watched(std::max({search.furthest, recording.checkpoints.rbegin()->first, here}))) return interrupted();
    } else {
      Position end = here;
      const void* page_then = page(search.present);
      auto after = recording.checkpoints.upper_bound(here);
      // What stands at the present moment by the user's hand was written by nothing before it.
      if (const auto edits = recording.edits.find(here); edits != recording.edits.end())
        for (const Recording::Edit& e : edits->second) {
          const auto written = e.chip == chip ? spot_of(scene, e.place, e.where) : Result<Spot>(fail("", {}, ""));
          if (!written || !same_place(*written, *spot)) continue;
          WriteWatch watch(scene, *spot, false);
          watch.edited(e.before);
          return watch.found();
        }
      while (!found && after != recording.checkpoints.begin()) {
        const auto from = std::prev(after);
        after = from;
        if (from->first >= end) continue;
        const void* page_before = page(from->second);
        if (page_before == nullptr || page_before != page_then) {
          if (auto done = owner->restore(from->second); !done) return tl::unexpected(done.error());
          if (!watched(end)) return interrupted();
        }
        // A checkpoint that was made behind the user's write has its value; the stretch in front of it ends without it.
        if (const auto edits = recording.edits.find(from->first); !found && edits != recording.edits.end())
          for (const Recording::Edit& e : edits->second) {
            const auto written = e.chip == chip ? spot_of(scene, e.place, e.where) : Result<Spot>(fail("", {}, ""));
            if (!written || !same_place(*written, *spot)) continue;
            if (auto done = owner->restore(from->second); !done) return tl::unexpected(done.error());
            WriteWatch watch(scene, *spot, false);
            watch.edited(e.before);
            found = watch.found();
          }
        end = from->first;
        page_then = page_before;
      }
    }
  }
  if (found && unknown) {
    auto sent = owner->sender(*unknown, chip, interrupt);
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
