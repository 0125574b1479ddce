#include "reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

namespace weft::test {

Reports::Reports(emulator::Machine& machine, emulator::Units& units, const emulator::ChipOnBoard& chip, Kind kind)
    : machine_(machine),
      statistics_(machine, units, chip, 6'000'000'000),
      coverage_(machine),
      profile_(machine),
      history_(machine),
      kind_(kind) {
  machine.attach(statistics_);
  machine.attach(coverage_);
  if (kind == Kind::counts) return;
  machine.attach(profile_);
  machine.attach(history_);
}

Reports::~Reports() {
  if (kind_ == Kind::all) {
    machine_.detach(history_);
    machine_.detach(profile_);
  }
  machine_.detach(coverage_);
  machine_.detach(statistics_);
}

std::string Reports::counts() const { return to_json(statistics_.figures(), {}) + "\n" + to_json(coverage_, {}); }

std::string Reports::text() const {
  std::string out = counts() + "\n" + to_json(profile_.figures(), {}) + "\n";
  write_json(history_, {}, {}, [&](std::string_view part) { out += part; });
  return out;
}

std::string Reports::signals() const {
  std::string out;
  for (const emulator::RaisedSignal& s : history_.raised())
    out +=
        fmt::format("signal {} of me{} ctx {} at {}, by {}: me{} ctx {}, word {}, command {}\n", s.number, s.to.engine,
                    s.to.context, s.at, static_cast<int>(s.by), s.from.engine, s.from.context, s.pc, s.sequence);
  return out;
}

void require_same(const std::string& expected, const std::string& seen) {
  if (seen == expected) return;
  const auto differs = static_cast<size_t>(
      std::mismatch(expected.begin(), expected.end(), seen.begin(), seen.end()).first - expected.begin());
  const size_t from = differs - std::min<size_t>(differs, 400);
  FAIL("reports differ: " << expected.substr(from, 600) << "\nand\n" << seen.substr(from, 600));
}

}  // namespace weft::test
