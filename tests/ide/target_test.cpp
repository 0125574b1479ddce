// The emulator in its own thread: run control and questions, by signals alone, and the models on top.
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "models/contexts_model.h"
#include "models/registers_model.h"
#include "models/session_target.h"
#include "support.h"

using namespace weft::ide;
using State = Target::State;

namespace {

SessionSettings settings_of(const char* example) {
  SessionSettings settings;
  settings.project = std::string(WEFT_SOURCE_DIR "/examples/") + example;
  return settings;
}

}  // namespace

class TargetTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void builds_runs_and_ends() {
    SessionTarget target(settings_of("first"));
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    QVERIFY(target.view());
    QCOMPARE(target.view()->cycle, uint64_t{0});
    target.run();
    QTRY_VERIFY_WITH_TIMEOUT(target.state() != State::running && target.view()->cycle > 0, 30'000);
  }

  void a_run_can_be_paused_and_asked_meanwhile() {
    SessionTarget target(settings_of("ipv4-forwarder"));
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    QSignalSpy views(&target, &Target::view_changed);
    target.run();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::running, 30'000);
    uint64_t seen = 0;
    target.ask(
        &target, [](const Inspector& machine) { return machine.cycle(); }, [&seen](uint64_t cycle) { seen = cycle; });
    QTRY_VERIFY_WITH_TIMEOUT(seen > 0, 30'000);
    target.pause();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    QVERIFY(target.view()->cycle >= seen);
    QVERIFY(views.count() > 0);
  }

  void breakpoints_stop_and_steps_go_back() {
    SessionTarget target(settings_of("ipv4-forwarder"));
    weft::workbench::Breakpoint breakpoint;
    breakpoint.target = "next_packet#";
    breakpoint.contexts = 1u << 2;
    target.set_breakpoints({breakpoint});
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    target.run();
    QTRY_VERIFY_WITH_TIMEOUT(target.stopped_at().has_value(), 30'000);
    const ContextId where = *target.stopped_at();
    QCOMPARE(where.context, 2u);
    const uint64_t cycle = target.view()->cycle;
    const auto pc = [&] {
      for (const auto& c : target.view()->contexts)
        if (c.id == where) return c.pc;
      return ~0u;
    };
    const uint32_t before = pc();
    target.step(where, weft::workbench::Step::instruction);
    QTRY_VERIFY_WITH_TIMEOUT(pc() != before, 30'000);
    target.step_back(where);
    QTRY_COMPARE_WITH_TIMEOUT(pc(), before, 30'000);
    QVERIFY(target.view()->cycle <= cycle);
    target.go_to(cycle / 2);
    QTRY_COMPARE_WITH_TIMEOUT(target.view()->cycle, cycle / 2, 30'000);
  }

  // What is planned while a machine is built has the numbers of the one before.
  void breakpoints_survive_a_change_during_a_build() {
    SessionTarget target(settings_of("first"));
    std::vector<weft::workbench::Breakpoint> all;
    connect(&target, &Target::breakpoints_changed, this,
            [&all](const std::vector<weft::workbench::Breakpoint>& now) { all = now; });
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    weft::workbench::Breakpoint gone, stays;
    gone.target = "first.uc:9";
    stays.target = "first.uc:10";
    target.set_breakpoints({gone, stays});
    QTRY_VERIFY(all.size() == 2 && all[0].id != 0 && all[1].id != 0);
    all.erase(all.begin());
    target.set_breakpoints(all);
    QTRY_VERIFY(all.size() == 1 && all[0].target == stays.target);
    const unsigned before = all[0].id;
    connect(&target, &Target::state_changed, this, [&target, &all] {
      if (target.state() == State::building) target.plan_breakpoints(all);
    });
    target.build();
    QTRY_VERIFY(!all.empty() && all[0].id != before);
    QVERIFY(all[0].id != 0);
    QCOMPARE(all[0].target, stays.target);
    target.run();
    QTRY_VERIFY(target.stopped_at().has_value());
    QTRY_VERIFY(!all.empty() && all[0].hits > 0);
  }

  void what_cannot_be_built_says_why() {
    SessionTarget target({.project = WEFT_SOURCE_DIR "/examples/no-such-example", .overrides = {}, .observation = {}});
    weft::Diagnostics problems;
    connect(&target, &Target::problems_changed, this, [&](const weft::Diagnostics& p) { problems = p; });
    target.build();
    QTRY_VERIFY_WITH_TIMEOUT(problems.has_errors(), 30'000);
    QCOMPARE(target.state(), State::empty);
    target.run();  // there is nothing, and nothing happens
    target.step({}, weft::workbench::Step::instruction);
    QTest::qWait(50);
    QCOMPARE(target.state(), State::empty);
  }

  void models_keep_their_promises() {
    SessionTarget target(settings_of("ipv4-forwarder"));
    ContextsModel contexts(target);
    RegistersModel registers(target);
    QAbstractItemModelTester contexts_tester(&contexts, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester registers_tester(&registers, QAbstractItemModelTester::FailureReportingMode::QtTest);
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    QTRY_COMPARE(contexts.rowCount(), 4 * 8);
    registers.show(contexts.id(8));
    target.run_until("3000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::ended, 30'000);
    QCOMPARE(contexts.index(0, ContextsModel::kContext).data().toString(), QStringLiteral("me0.0"));
    // A context's cycles sum to those of its engine.
    const auto sum = [&contexts] {
      qulonglong out = 0;
      for (int column = ContextsModel::kExecuting; column <= ContextsModel::kIdle; ++column)
        out += contexts.index(3, column).data().toULongLong();
      return out;
    };
    QTRY_COMPARE(sum(), qulonglong{3000});
    // Rows are of the moment before the run until the answer of this one has come.
    const ContextId id = *contexts.id(8);
    QStringList live;
    target.ask(
        this, [id](const Inspector& m) { return m.registers(id); },
        [&live](const std::vector<weft::workbench::RegisterView>& all) {
          for (const weft::workbench::RegisterView& r : all) live << QString::fromStdString(r.name);
        });
    const auto shown = [&registers] {
      QStringList out;
      for (int row = 0; row < registers.rowCount(); ++row)
        out << registers.index(row, RegistersModel::kName).data().toString();
      return out;
    };
    QTRY_VERIFY(!live.isEmpty() && shown() == live);
    // The same value by name as by an expression.
    const QString name = registers.index(0, RegistersModel::kName).data().toString();
    int64_t value = -1;
    target.ask(
        this, [id, name](const Inspector& m) { return m.evaluate(name.toStdString(), id).value_or(-2); },
        [&value](int64_t v) { value = v; });
    QTRY_COMPARE(QString::number(value), registers.index(0, RegistersModel::kDecimal).data().toString());
  }
};

WEFT_IDE_TEST_GUILESS_MAIN(TargetTest)
#include "target_test.moc"
