#include "testing/run_steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::workbench::testing {
namespace {

/// The first engine cycle at or after a time.
uint64_t cycle_at(Session& session, uint64_t nanoseconds) {
  // All boards count a whole number of ticks in a microsecond.
  const uint64_t per_us = session.ticks_per_second() / 1'000'000;
  const uint64_t ticks = nanoseconds / 1000 * per_us + (nanoseconds % 1000 * per_us + 999) / 1000;
  const uint64_t period = session.machine().timing().period;
  return std::max<uint64_t>(1, (ticks + period - 1) / period);
}

RunControl until(Session& session, uint64_t nanoseconds, RunControl control) {
  control.limits.cycles = cycle_at(session, nanoseconds);
  return control;
}

}  // namespace

Result<bool> add_step_commands(Session& session, const Case& test) {
  for (const StepCommand& command : test.step_commands) {
    const std::string line = fmt::format("at {}: {}\n", cycle_at(session, command.nanoseconds), command.line);
    const auto added = session.add_commands(make_source(command.range.file->name(), line));
    if (!added) return tl::unexpected(at_place(added.error(), command.range, command.line));
  }
  return true;
}

Stop run_steps(Session& session, const Case& test, std::vector<Difference>& out, const RunControl& control) {
  Counted before;
  Stop stop;
  for (const ExpectStep& step : test.expect_steps) {
    if (step.nanoseconds > 0) stop = session.run(until(session, step.nanoseconds, control));
    std::vector<Difference> found;
    if (stop.kind != Stop::Kind::cycles && stop.kind != Stop::Kind::quiet) {
      if (stop.kind == Stop::Kind::breakpoint)
        out.push_back({step.range, fmt::format("step {}: the run stopped before it: {}", step.number, stop.text)});
      return stop;
    }
    compare(session, test, step.expect, step.range, before, found);
    for (Difference& d : found) out.push_back({d.range, fmt::format("step {}: {}", step.number, d.text)});
    if (!found.empty()) return stop;
    before = count(session);
  }
  return session.run(until(session, test.steps_end, control));
}

}  // namespace weft::workbench::testing
