// Faults and halts in runs in which engines run ahead of each other (docs/engines.md): the stop is found in its cycle,
// but other engines may stand further. So the same cycles are run once more, from a snapshot, by the plain stepper, and
// what counts (coverage, statistics) goes back with it.
#include "session/impl.h"

namespace weft::workbench {
namespace {

/// Engine cycles between two snapshots: so much is repeated at most. A snapshot costs a fraction of a millisecond.
constexpr uint64_t kRepeated = 1'000'000;

}  // namespace

void Session::Impl::ensure_fallback_snapshot() {
  if (!board->runs_ahead()) return;
  if (guard.at && board->now() < guard.at.position().now + kRepeated * period()) return;
  guard.at = save(true);
}

emulator::BoardStop Session::Impl::repeat(const emulator::BoardStop& stop) {
  if (!guard.at || !board->runs_ahead()) return stop;
  const emulator::Execution execution = board->machine().execution();
  for (const auto& chip : chips) chip->machine->tell_counts();  // or they would come behind the repeated ones
  if (!restore(guard.at, !observers_paused)) return stop;
  guard.repeating = true;
  board->set_execution({});
  emulator::BoardStop again;
  do {
    again = board->run_to(next_halt({emulator::kNever, 0}));
    after_advance();
  } while (again.reason.kind == emulator::StopKind::limit);
  board->set_execution(execution);
  guard.repeating = false;
  return again;
}

}  // namespace weft::workbench
