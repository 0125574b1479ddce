// Contexts and registers: where they stand, for how long, with which packet, where registers live; and that a table
// shows its numbers whole.
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QTableView>
#include <QTest>
#include <map>

#include "models/contexts_model.h"
#include "models/registers_model.h"
#include "own_settings_test.h"
#include "support.h"
#include "weft/emulator/unit_inspector.h"
#include "weft/workbench/session.h"
#include "widgets/contexts_view.h"

using namespace weft::ide;
using namespace weft::ide::test;
using namespace weft::workbench;
using State = Target::State;
using weft::emulator::ContextState;

namespace {

const char* const kForwarder = WEFT_SOURCE_DIR "/examples/ipv4-forwarder";

/// One part of what can be observed.
Observation only(bool Observation::*part) {
  Observation out;
  out.*part = true;
  return out;
}

std::unique_ptr<Session> forwarder(const Observation& observation) {
  auto session = Session::create(*load_project(kForwarder), observation);
  if (!session) qFatal("cannot be built");
  return std::move(*session);
}

void run_to(Session& session, uint64_t cycle) {
  RunControl control;
  control.limits.cycles = cycle;
  session.run(control);
}

/// A project that is built and has run.
struct Run {
  Workspace workspace;
  explicit Run(const Observation& observation, const char* until) {
    workspace.set_observation(observation);
    if (!workspace.open(QString::fromLatin1(kForwarder))) qFatal("cannot be opened");
    [&] { QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, kLong); }();
    go(until);
  }
  void go(const char* until) {
    const uint64_t stops = workspace.target()->stops();
    workspace.target()->run_until(until);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(workspace.target()->stops() > stops, kLong); }();
  }
};

}  // namespace

class ContextsTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  // Somebody who looks at every cycle counts for himself.
  void cycles_in_a_state_are_those_that_pass_in_it() {
    const auto session = forwarder(only(&Observation::history));
    session->record(2000);
    const auto machine = inspect(*session);
    std::map<ContextId, std::pair<ContextState, uint64_t>> since;  // the first cycle at whose end it was so
    std::map<uint64_t, std::vector<ContextView>> looks;
    size_t compared = 0, changes = 0, executing = 0;
    for (uint64_t cycle = 1; cycle <= 9000; ++cycle) {
      run_to(*session, cycle);
      const MachineView view = machine->machine();
      QCOMPARE(view.cycle, cycle);
      QVERIFY(view.has_history && !view.has_packets);
      for (const ContextView& c : view.contexts) {
        QVERIFY(!c.packet);
        if (!c.in_state) {
          const auto past =
              session->history()->past({static_cast<uint8_t>(c.id.engine), static_cast<uint8_t>(c.id.context)});
          QFAIL(qPrintable(QStringLiteral("cycle %1, me%2.%3, state %4: the history says %5 since %6")
                               .arg(cycle)
                               .arg(c.id.engine)
                               .arg(c.id.context)
                               .arg(static_cast<int>(c.state))
                               .arg(static_cast<int>(past.now))
                               .arg(past.since)));
        }
        const auto known = since.find(c.id);
        if (known == since.end() || known->second.first != c.state) {
          changes += known != since.end();
          since[c.id] = {c.state, cycle};
          if (known == since.end()) since[c.id].second = cycle - *c.in_state;
          continue;
        }
        // The state may have come again between two looks, a change counts from the cycle in which it was or from the
        // next one, and slots that are lost come first.
        const uint64_t mine = cycle - known->second.second;
        if (*c.in_state > mine + 1)
          QFAIL(qPrintable(QStringLiteral("cycle %1, me%2.%3, state %4: %5, counted %6")
                               .arg(cycle)
                               .arg(c.id.engine)
                               .arg(c.id.context)
                               .arg(static_cast<int>(c.state))
                               .arg(*c.in_state)
                               .arg(mine)));
        if (mine <= *c.in_state + 6) ++compared;
        executing += c.state == ContextState::executing;
      }
      if (cycle % 750 == 0) looks[cycle] = view.contexts;
    }
    QVERIFY(changes > 500 && executing > 5000);
    const double share =
        static_cast<double>(compared) / (9000.0 * static_cast<double>(since.size()) - static_cast<double>(changes));
    QVERIFY2(share > 0.97, qPrintable(QString::number(share)));
    // Looking back gives the same answers, though the history knows what came after.
    for (const auto& [cycle, contexts] : looks) {
      QVERIFY(session->go_to({cycle * machine->ticks_per_cycle(), 0}));
      const MachineView view = machine->machine();
      QCOMPARE(view.cycle, cycle);
      for (size_t i = 0; i < contexts.size(); ++i) {
        QCOMPARE(view.contexts[i].state, contexts[i].state);
        QCOMPARE(view.contexts[i].in_state.value_or(~uint64_t{0}), *contexts[i].in_state);
      }
    }
  }

  void the_history_says_when_it_does_not_reach_back() {
    Observation observation;
    observation.history = true;
    observation.history_limits.segments = 2000;
    const auto session = forwarder(observation);
    const auto machine = inspect(*session);
    run_to(*session, 30'000);
    QVERIFY(session->history()->dropped_segments() > 0);
    const uint64_t known = 30'000 - session->history()->from_cycle();
    size_t unknown = 0;
    for (const ContextView& c : machine->machine().contexts) {
      if (!c.in_state)
        ++unknown;
      else
        QVERIFY(*c.in_state <= known);
    }
    // Contexts that have slept since the start.
    QVERIFY(unknown > 0);
  }

  void a_context_has_the_packet_that_it_works_on() {
    const auto session = forwarder(only(&Observation::packets));
    session->record(5000);
    const auto machine = inspect(*session);
    std::map<uint64_t, std::vector<ContextView>> looks;
    std::map<uint64_t, std::vector<weft::emulator::WaitingContext>> waiting;
    for (uint64_t cycle = 6000; cycle <= 20'000; cycle += 500) {
      run_to(*session, cycle);
      const MachineView view = machine->machine();
      QVERIFY(view.has_packets && !view.has_history);
      looks[cycle] = view.contexts;
      waiting[cycle] = weft::emulator::UnitInspector(session->units(0)).waiting();
    }
    run_to(*session, 40'000);
    // The way of each packet says who worked on it when.
    size_t worked = 0, held = 0;
    for (const auto& [cycle, contexts] : looks) {
      for (const ContextView& c : contexts) {
        QVERIFY(c.packet.has_value() && !c.in_state);
        held += *c.packet != 0;
        for (const auto& record : session->packets()->records())
          for (const auto& step : record.steps) {
            if (step.engine != c.id.engine || step.context != c.id.context || cycle <= step.from || cycle >= step.to)
              continue;
            // Who has asked for a frame and sleeps has none, although its way with the last one goes on until it gets
            // one.
            const bool waits =
                std::ranges::any_of(waiting.at(cycle), [&c = c](const weft::emulator::WaitingContext& w) {
                  return w.context.engine == c.id.engine && w.context.context == c.id.context;
                });
            if (waits && *c.packet == 0) continue;
            QCOMPARE(*c.packet, record.number);
            ++worked;
          }
      }
    }
    QVERIFY2(worked > 50 && held >= worked, qPrintable(QStringLiteral("%1 of %2").arg(worked).arg(held)));
    // Of moments that are past the tracker knows nothing.
    QVERIFY(session->go_to({looks.begin()->first * machine->ticks_per_cycle(), 0}));
    for (const ContextView& c : machine->machine().contexts) QVERIFY(!c.packet);
    QVERIFY(machine->machine().has_packets);
  }

  void the_table_says_it_all_and_why_it_does_not() {
    Observation observation;
    observation.history = observation.packets = true;
    Run run(observation, "12000 cycles");
    ContextsModel model(*run.workspace.target());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto view = run.workspace.target()->view();
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    const auto tip = [&](int row, int column) { return model.index(row, column).data(Qt::ToolTipRole).toString(); };
    size_t packets = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
      const ContextView& c = view->contexts[static_cast<size_t>(row)];
      QCOMPARE(text(row, ContextsModel::kPc), QStringLiteral("0x%1").arg(c.pc, 0, 16));
      QCOMPARE(text(row, ContextsModel::kInState), QString::number(c.in_state.value()));
      QCOMPARE(text(row, ContextsModel::kPacket), c.packet.value() == 0 ? QString() : QString::number(*c.packet));
      QVERIFY(tip(row, ContextsModel::kInState).isEmpty());
      QCOMPARE(tip(row, ContextsModel::kPacket).isEmpty(), *c.packet != 0);
      packets += *c.packet != 0;
    }
    QVERIFY(packets > 0);
    // Nothing is recorded: it says what it takes.
    Run bare({}, "12000 cycles");
    ContextsModel none(*bare.workspace.target());
    QCOMPARE(none.index(0, ContextsModel::kInState).data().toString(), QStringLiteral("–"));
    QCOMPARE(none.index(0, ContextsModel::kPacket).data().toString(), QStringLiteral("–"));
    QVERIFY(
        none.index(0, ContextsModel::kInState).data(Qt::ToolTipRole).toString().contains(QStringLiteral("history")));
    QVERIFY(none.index(0, ContextsModel::kPacket).data(Qt::ToolTipRole).toString().contains(QStringLiteral("packets")));
  }

  void live_ranges_are_those_of_the_allocation() {
    Run run({}, "9000 cycles");
    RegistersModel model(*run.workspace.target());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const ContextId id{0, 1, 2};
    model.show(id);
    QTRY_VERIFY_WITH_TIMEOUT(model.rowCount() > 0, kLong);
    const auto image =
        asked(*run.workspace.target(), [id](const Inspector& m) { return *m.program(id.chip, id.engine); });
    QVERIFY(!image.registers.empty());
    size_t ranges = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
      const QString live = model.index(row, RegistersModel::kLive).data().toString();
      QVERIFY(live.startsWith(QStringLiteral("0x")));
      ranges += static_cast<size_t>(live.count(QStringLiteral("; "))) + 1;
    }
    QCOMPARE(ranges, image.registers.size());
    for (const auto& r : image.registers) {
      const bool write_side =
          r.kind == weft::image::RegisterKind::xfer_s_write || r.kind == weft::image::RegisterKind::xfer_d_write;
      QString words = QStringLiteral("0x%1").arg(r.begin, 0, 16);
      if (r.end > r.begin + 1) words += QStringLiteral("-0x%1").arg(r.end - 1, 0, 16);
      const auto& begin = image.lines.at(r.begin);
      const auto& place = begin.macros.empty() ? begin.place : begin.macros.back().second;
      const QString line = QStringLiteral(":%1").arg(place.line);
      bool found = false;
      for (int row = 0; row < model.rowCount() && !found; ++row) {
        const auto cell = [&](int column) { return model.index(row, column).data().toString(); };
        if (cell(RegistersModel::kName).toStdString() != r.name ||
            cell(RegistersModel::kPhysical).endsWith(QStringLiteral("out")) != write_side)
          continue;
        for (const QString& range : cell(RegistersModel::kLive).split(QStringLiteral("; ")))
          found = found || range == words || (range.startsWith(words + QStringLiteral(", ")) && range.contains(line));
        QVERIFY(model.index(row, RegistersModel::kName).data(Qt::ToolTipRole).toString().contains(words));
      }
      QVERIFY2(found, qPrintable(QString::fromStdString(r.name) + QLatin1Char(' ') + words + line));
    }
  }

  void a_range_is_written_as_short_as_it_goes() {
    const auto text = [](LiveRange range) { return range_text(range); };
    QCOMPARE(text({0x12, 0x31, "a3", "/p/receive.uc", "/p/receive.uc", 40, 77}),
             QStringLiteral("0x12-0x30, receive.uc:40-77"));
    QCOMPARE(text({0x12, 0x13, "a3", "/p/receive.uc", "/p/receive.uc", 40, 40}), QStringLiteral("0x12, receive.uc:40"));
    QCOMPARE(text({0x12, 0x31, "a3", "/p/receive.uc", "/p/queue.uc", 40, 7}),
             QStringLiteral("0x12-0x30, receive.uc:40-queue.uc:7"));
    QCOMPARE(text({0x12, 0x31, "a3", "", "", 0, 0}), QStringLiteral("0x12-0x30"));
  }

  void columns_are_as_wide_as_what_stands_in_them() {
    Observation observation;
    observation.history = observation.packets = true;
    Workspace workspace;
    ContextsView view(workspace, Theme::light);
    view.resize(1600, 400);
    view.show();
    workspace.set_observation(observation);
    QVERIFY(workspace.open(QString::fromLatin1(kForwarder)));
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, kLong);
    auto* table = view.findChild<QTableView*>();
    const auto whole = [&] {
      for (int column = 0; column < ContextsModel::kColumns; ++column) {
        const int needed = static_cast<QAbstractItemView*>(table)->sizeHintForColumn(column);
        if (table->columnWidth(column) < needed)
          return QStringLiteral("%1: %2 of %3")
              .arg(table->model()->headerData(column, Qt::Horizontal).toString())
              .arg(table->columnWidth(column))
              .arg(needed);
      }
      return QString();
    };
    for (const char* until : {"500 cycles", "12000 cycles", "150000 cycles"}) {
      const uint64_t stops = workspace.target()->stops();
      workspace.target()->run_until(until);
      QTRY_VERIFY_WITH_TIMEOUT(workspace.target()->stops() > stops, kLong);
      QCOMPARE(whole(), QString());
      // All of the room is used, by texts.
      QCOMPARE(table->horizontalHeader()->length(), table->viewport()->width());
      QCOMPARE(table->columnWidth(ContextsModel::kIdle),
               std::max(static_cast<QAbstractItemView*>(table)->sizeHintForColumn(ContextsModel::kIdle),
                        table->horizontalHeader()->sectionSizeHint(ContextsModel::kIdle)));
    }
    // Where there is little room texts give way, and numbers do not; where the table scrolls in any case, places are
    // whole again.
    for (int width = 1600; table->horizontalHeader()->length() <= table->viewport()->width(); width -= 20) {
      QVERIFY(width > 700);
      view.resize(width, 400);
      QCoreApplication::processEvents();
    }
    view.resize(700, 400);
    QTRY_VERIFY(table->columnWidth(ContextsModel::kPlace) >=
                std::min(static_cast<QAbstractItemView*>(table)->sizeHintForColumn(ContextsModel::kPlace),
                         24 * table->fontMetrics().averageCharWidth()));
    QVERIFY(table->columnWidth(ContextsModel::kWaits) <= 24 * table->fontMetrics().averageCharWidth());
    for (const int column : {ContextsModel::kState, ContextsModel::kInState, ContextsModel::kPc,
                             ContextsModel::kExecuting, ContextsModel::kIdle})
      QVERIFY(table->columnWidth(column) >= static_cast<QAbstractItemView*>(table)->sizeHintForColumn(column));
    // A width that the user has chosen stays.
    table->setColumnWidth(ContextsModel::kLabel, 37);
    view.resize(1500, 400);
    QTRY_COMPARE(table->horizontalHeader()->length(), table->viewport()->width());
    QCOMPARE(table->columnWidth(ContextsModel::kLabel), 37);
  }
};

WEFT_IDE_TEST_MAIN(ContextsTest)
#include "contexts_test.moc"
