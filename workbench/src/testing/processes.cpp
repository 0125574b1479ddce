// Runs the cases of a plan in processes of their own, several at once.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "testing/children.h"
#include "testing/floors.h"
#include "testing/wire.h"
#include "weft/workbench/testing.h"

namespace weft::workbench {
namespace {

using namespace testing;

CaseOutcome outcome_of(const TestPlan::Item& item, const Children::Ended& ended, const TestOptions& options) {
  CaseOutcome outcome{item.file, item.name, Verdict::crashed, {}, 0, 0, ended.seconds, {}};
  if (ended.late) {
    outcome.verdict = Verdict::timed_out;
    outcome.text = fmt::format("  it did not end within {} s (--timeout)\n",
                               std::chrono::duration<double>(options.timeout).count());
  } else if (!ended.result) {
    outcome.text = fmt::format("  {}\n  This is a fault of Weft; please report it with the test file.\n", ended.why);
  } else if (!from_wire(*ended.result, outcome)) {
    outcome.text = "  the process ended without a result\n";
  }
  return outcome;
}

}  // namespace

TestRun run_tests(const TestPlan& plan, const TestOptions& options,
                  const std::function<void(const CaseOutcome&)>& finished) {
  const size_t max = options.jobs == 0 ? std::max(1u, std::thread::hardware_concurrency()) : options.jobs;
  std::vector<std::optional<CaseOutcome>> outcomes(plan.cases.size());
  size_t next = 0;
  bool stop = false;
  TestRun run;
  ImageStore images;  // programs that cases have assembled, for those that begin after them
  {
    Children children(options.timeout);
    const auto interrupted = [&] { return options.interrupt != nullptr && *options.interrupt; };
    while (!interrupted() && (children.running() > 0 || (!stop && next < plan.cases.size()))) {
      while (!stop && children.running() < max && next < plan.cases.size()) {
        const TestPlan::Item& item = plan.cases[next];
        const auto work = [&](const Children::Say& say) {
          images.fresh();  // the parent has these
          const CaseOutcome outcome = run_case(
              item, options, [&](const auto& read) { say(to_wire(read)); }, &images);
          for (const AssembledImage* made : images.fresh()) say(to_wire(*made));
          return to_wire(outcome);
        };
        if (!children.start(next, work)) break;
        ++next;
      }
      for (const Children::Ended& ended : children.wait()) {
        for (const std::string& said : ended.said) {
          add_from_wire(said, run.read);
          add_from_wire(said, images);
        }
        if (interrupted()) break;
        CaseOutcome outcome = outcome_of(plan.cases[ended.id], ended, options);
        finished(outcome);
        stop = stop || (options.fail_fast && !is_good(outcome.verdict));
        outcomes[ended.id] = std::move(outcome);
      }
    }
    run.interrupted = interrupted();
  }
  for (auto& outcome : outcomes)
    if (outcome) run.outcomes.push_back(std::move(*outcome));
  if (run.interrupted) return run;
  for (CaseOutcome& outcome : check_floors(plan, run)) {
    finished(outcome);
    run.outcomes.push_back(std::move(outcome));
  }
  return run;
}

size_t TestRun::count(Verdict verdict) const {
  return static_cast<size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [=](const CaseOutcome& o) { return o.verdict == verdict; }));
}
bool TestRun::good() const {
  return std::all_of(outcomes.begin(), outcomes.end(), [](const CaseOutcome& o) { return is_good(o.verdict); });
}

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "ok";
    case Verdict::failed: return "FAILED";
    case Verdict::known: return "fails as known";
    case Verdict::cured: return "CURED";
    case Verdict::broken: return "BROKEN";
    case Verdict::timed_out: return "TOO LATE";
    case Verdict::crashed: return "CRASHED";
  }
  return "";
}

}  // namespace weft::workbench
