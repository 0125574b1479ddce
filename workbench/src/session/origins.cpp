// Where a value comes from, link by link: its writer, what that one had read, and who reads it next.
#include <fmt/format.h>

#include <algorithm>

#include "inspect/holders.h"
#include "session/read_watch.h"
#include "session/search.h"

namespace weft::workbench {

using emulator::Position;
using File = Holder::File;

namespace {

/// A word that was tried in a cycle is executed in it, or when its unit has room.
constexpr uint64_t kLongestStall = 20'000;

}  // namespace

Result<Spot> Session::Impl::spot_of_holder(const Holder& what) const {
  const unsigned chip = what.where.chip;
  if (chip >= chips.size()) return not_recorded();
  if (what.file == File::named) {
    const std::string name = several() ? built.board.chips[chip].name + ": " + what.name : what.name;
    return spot_of_name(name, static_cast<int>(what.where.engine), static_cast<int>(what.where.context));
  }
  Spot out;
  out.kind = Spot::Kind::slot;
  out.chip = chip;
  out.engine = what.where.engine;
  out.context = what.where.context;
  const EvalContext& scene = chips[chip]->scene;
  if (what.where.engine >= scene.images.size()) return not_recorded();
  out.slot = slot_of(std::as_const(*scene.machine).state(what.where.engine), what);
  if (out.slot == nullptr)
    return fail("writer-place", {}, fmt::format("there is no register {}", to_text(what)), "name a register");
  return out;
}

namespace {

/// Registers by where they lie: what they are called elsewhere may be another one.
Holder fixed(const EvalContext& scene, const Spot& spot, const Holder& asked) {
  if (asked.file != File::named || spot.kind != Spot::Kind::slot) return asked;
  const ContextId who{spot.chip, spot.engine, spot.context};
  auto out = holder_of(scene, who, 0, spot.slot, false);
  if (!out) return asked;
  // Its short name: "temp" of "me0.ctx3.temp".
  constexpr std::string_view kOut = ".out";
  const size_t name_end = asked.name.size() - (asked.name.ends_with(kOut) ? kOut.size() : 0);
  const size_t point = std::string_view(asked.name).substr(0, name_end).rfind('.');
  out->name = point == std::string::npos ? asked.name : asked.name.substr(point + 1);
  return *out;
}

}  // namespace

Result<Origin> Session::origin(const Holder& what, std::optional<Instant> before, const RunControl& control) {
  Impl& self = *impl_;
  auto spot = self.spot_of_holder(what);
  if (!spot) return tl::unexpected(spot.error());
  const EvalContext& scene = self.chips[spot->chip]->scene;
  const emulator::Tick period = scene.machine->timing().period;
  Origin out;
  out.what = fixed(scene, *spot, what);
  Position behind;
  auto found = self.search(*spot, before ? std::optional(position_of(*before)) : std::nullopt, false, control, &behind);
  if (!found) return tl::unexpected(found.error());
  out.writer = std::move(*found);
  if (!out.writer) return out;
  const Writer& writer = *out.writer;
  out.behind = instant_of(behind);
  out.sources = writer.data;
  for (Source& s : out.sources)
    if (!s.value) s.value = writer.after;  // it was moved as it is
  if (writer.by != Writer::By::engine) return out;

  Impl::Search search(self, control);
  // A recording that begins in the middle of the run may have the write and not the word.
  if (!search.reach({writer.issued * period, 0}))
    return search.stopped() ? Result<Origin>(interrupted()) : Result<Origin>(std::move(out));
  SourceWatch watch(scene, writer.who, writer.pc);
  const bool whole = search.replay(
      spot->chip, {&watch}, Position{(writer.issued + kLongestStall) * period, 0}, [&] { return watch.seen(); },
      [](const Impl::Recording::Edit&) {});
  if (!whole) return interrupted();
  // Transfer registers that were moved have names too.
  for (Source& s : out.sources)
    if (s.what.file != File::named)
      if (const uint32_t* slot = slot_of(std::as_const(*scene.machine).state(s.what.where.engine), s.what))
        if (const auto called = holder_of(scene, s.what.where, writer.pc, slot, true)) s.what.name = called->name;
  // An answer may arrive and be read in one tick, so what the word has read is what stood there directly before it.
  Position executed = self.board->position();
  if (executed.turn > 0) --executed.turn;
  if (watch.sources().empty() || !search.reach(executed)) return out;
  for (Source s : watch.sources()) {
    s.before = instant_of(executed);
    if (const uint32_t* slot = slot_of(std::as_const(*scene.machine).state(s.what.where.engine), s.what))
      s.value = *slot;
    if (std::ranges::find(out.sources, s.what, &Source::what) == out.sources.end()) out.sources.push_back(std::move(s));
  }
  return out;
}

Result<std::optional<Use>> Session::next_use(const Holder& what, std::optional<Instant> from,
                                             const RunControl& control) {
  Impl& self = *impl_;
  auto spot = self.spot_of_holder(what);
  if (!spot) return tl::unexpected(spot.error());
  if (spot->kind == Spot::Kind::cap || spot->kind == Spot::Kind::msf)
    return fail("reader-place", {}, fmt::format("reads of '{}' are not followed", what.name),
                "registers, local CSRs, memories and receive buffers have readers");
  if (self.recording.interval == 0 || self.recording.checkpoints.empty()) return not_recorded();
  const EvalContext& scene = self.chips[spot->chip]->scene;
  Impl::Search search(self, control);
  const Position here = self.board->position();
  if (from)
    if (!search.reach(position_of(*from))) return search.stopped() ? interrupted() : not_recorded();
  ReadWatch reads(scene, *spot);
  WriteWatch writes(scene, *spot, true);
  const Position end = std::max({search.high_water, self.recording.checkpoints.rbegin()->first, here});
  const bool whole = search.replay(
      spot->chip, {&reads, &writes}, end, [&] { return reads.found() || writes.found(); },
      [&](const Impl::Recording::Edit&) { writes.look(); });
  if (reads.found()) return std::optional(Use{true, *reads.found()});
  if (writes.found()) return std::optional(Use{false, *writes.found()});
  if (!whole) return interrupted();
  return std::optional<Use>();
}

}  // namespace weft::workbench
