// Histories to draw: of recorded runs, walked by hand beside the index, and made up without a machine.
#pragma once

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonObject>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>
#include <random>
#include <set>

#include "support.h"
#include "weft/emulator/machine.h"
#include "widgets/timeline_view.h"

namespace weft::ide::test {

using emulator::Activity;
using emulator::ContextRef;
using emulator::ContextState;
using emulator::History;
using State = Target::State;

inline const QString kForwarder = QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");

/// Sums of one context as the history tells its segments.
inline ActivityCycles walked(const History& history, ContextRef who, uint64_t begin, uint64_t end) {
  ActivityCycles out{};
  history.segments(who, [&](const weft::emulator::Segment& s) {
    const uint64_t from = std::max(s.begin, begin), to = std::min(s.end, end);
    if (from < to) out[static_cast<size_t>(s.activity)] += to - from;
  });
  return out;
}

/// Random stretches of all contexts, cell by cell. Empty: all as in the history.
inline QString differences(TimelineIndex& index, const Inspector& machine, uint32_t seed, int rounds) {
  std::mt19937 random(seed);
  const History& history = *machine.history(0);
  const uint64_t from = history.from_cycle(), to = machine.observed_cycle();
  const auto view = machine.machine();
  for (int round = 0; round < rounds; ++round) {
    TimelineQuestion question;
    const uint64_t a = from + random() % (to - from), b = from + random() % (to - from);
    question.begin = std::min(a, b);
    question.end = round % 3 == 0 ? std::min(question.begin + 1 + random() % 200, to) : std::max(a, b) + 1;
    question.cells = 1 + random() % 50;
    for (const auto& c : view.contexts)
      if (random() % 4 == 0) question.rows.push_back({TimelineRow::Kind::context, c.id});
    for (const auto& e : view.engines) question.rows.push_back({TimelineRow::Kind::engine, {0, e.engine, 0}});
    const TimelineAnswer answer = index.answer(machine, question);
    for (size_t r = 0; r < answer.rows.size(); ++r) {
      const TimelineRow& row = answer.question.rows[r];
      for (unsigned cell = 0; cell < answer.question.cells; ++cell) {
        const uint64_t begin = answer.cell_begin(cell), end = answer.cell_begin(cell + 1);
        ActivityCycles expected{};
        if (row.kind == TimelineRow::Kind::context) {
          expected =
              walked(history, {static_cast<uint8_t>(row.id.engine), static_cast<uint8_t>(row.id.context)}, begin, end);
        } else {
          uint64_t used = 0;
          for (uint8_t c = 0; c < 8; ++c) {
            const ActivityCycles some = walked(history, {static_cast<uint8_t>(row.id.engine), c}, begin, end);
            for (const Activity act : {Activity::executing, Activity::aborted, Activity::stalled}) {
              expected[static_cast<size_t>(act)] += some[static_cast<size_t>(act)];
              used += some[static_cast<size_t>(act)];
            }
          }
          expected[static_cast<size_t>(Activity::sleep)] = end - begin - used;
        }
        if (expected != answer.rows[r][cell])
          return QStringLiteral("round %1, engine %2 context %3, cycles %4 to %5")
              .arg(round)
              .arg(row.id.engine)
              .arg(row.id.context)
              .arg(begin)
              .arg(end);
      }
    }
  }
  return {};
}

inline SessionSettings recorded(const QString& project) {
  SessionSettings settings;
  settings.project = project.toStdString();
  settings.observation.coverage = settings.observation.history = true;
  return settings;
}

/// Until a limit that ends the run.
inline void build_and_run(SessionTarget& target, const char* until) {
  target.build();
  QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
  target.run_until(until);
  QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::ended, 30'000);
}

/// Asks the machine for what is wrong; empty: nothing.
template <class Ask>
void find_nothing_wrong(SessionTarget& target, Ask&& ask) {
  QObject asker;
  std::optional<QString> wrong;
  target.ask(&asker, std::forward<Ask>(ask), [&wrong](const QString& w) { wrong = w; });
  QTRY_VERIFY_WITH_TIMEOUT(wrong.has_value(), 60'000);
  QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
}

/// A machine that has only a past.
class PastOnly final : public Inspector {
 public:
  PastOnly(const History& history, uint64_t cycle) : history_(history), cycle_(cycle) {
    view_.chips = {""};
    for (unsigned e = 0; e < 8; ++e) {
      view_.engines.push_back({0, e, "past.uc"});
      for (unsigned c = 0; c < 8; ++c) {
        weft::workbench::ContextView context;
        context.id = {0, e, c};
        view_.contexts.push_back(context);
      }
    }
  }
  MachineView machine() const override { return view_; }
  std::vector<weft::workbench::RegisterView> registers(ContextId) const override { return {}; }
  std::vector<uint32_t> memory(unsigned, weft::image::Region, uint64_t, unsigned) const override { return {}; }
  uint64_t memory_size(unsigned, weft::image::Region) const override { return 0; }
  weft::Result<int64_t> evaluate(const std::string&, ContextId) const override { return 0; }
  const weft::image::Image* program(unsigned, unsigned) const override { return nullptr; }
  weft::workbench::Report report() const override { return {}; }
  const History* history(unsigned) const override { return &history_; }
  const weft::emulator::Coverage* coverage(unsigned) const override { return nullptr; }
  const weft::emulator::Statistics* statistics(unsigned) const override { return nullptr; }
  const weft::emulator::PacketTracker* packets(unsigned) const override { return nullptr; }
  uint64_t cycle() const override { return cycle_; }
  uint64_t ticks_per_cycle() const override { return 10; }
  uint64_t ticks_per_second() const override { return 6'000'000'000; }

 private:
  const History& history_;
  uint64_t cycle_;
  MachineView view_;
};

/// Contexts that take turns: so many cycles executing, some aborted, then the next one.
inline void live(History& history, uint64_t from, uint64_t to) {
  for (uint8_t e = 0; e < 8; ++e) {
    std::mt19937 random(e + 1);
    uint8_t running = 0;
    for (uint64_t cycle = from; cycle < to;) {
      const ContextRef who{e, running};
      history.on_state(who, ContextState::executing, cycle);
      const uint64_t until = std::min(cycle + 5 + random() % 20, to);
      for (; cycle < until; ++cycle) history.on_execute(who, static_cast<uint16_t>(cycle % 4000), cycle);
      if (cycle < to) history.on_stall(who, 0, cycle++);
      history.on_state(who, ContextState::sleep, cycle);
      running = static_cast<uint8_t>((running + 1) % 8);
      history.on_state({e, running}, ContextState::ready, cycle > 3 ? cycle - 3 : cycle);
    }
  }
}

}  // namespace weft::ide::test
