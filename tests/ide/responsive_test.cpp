// The window stays awake while the machine runs at full speed: everything heavy happens in the machine's thread, which
// answers between slices. The largest gap of the event loop is printed, not judged: how long one is depends on what
// else the computer does (bench/ide_gap.cpp).
#include <QDockWidget>
#include <QElapsedTimer>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <atomic>
#include <set>

#include "own_settings_test.h"
#include "support.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "windows.h"

using namespace weft::ide;
using weft::ide::test::kLong;
using State = Target::State;

namespace {

constexpr uint64_t kSlice = 500;  // engine cycles between two looks of a run at what was asked (docs/ide/debugging.md)

/// A window whose machine runs, with everything recorded.
struct Running {
  MainWindow window{Theme::light};
  Target* target = nullptr;
  Running() {
    weft::workbench::Observation all;
    all.coverage = all.history = all.statistics = all.packets = true;
    window.workspace().set_observation(all);
    test::show_project(window, QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router"));
    target = window.workspace().target();
    target->run();
    QTRY_COMPARE_WITH_TIMEOUT(target->state(), State::running, kLong);
  }
};

}  // namespace

class ResponsiveTest : public test::OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void questions_are_answered_between_slices_of_a_run() {
    Running running;
    Target* target = running.target;
    QThread* const ui = QThread::currentThread();
    std::atomic<int> in_ui = 0, off_slice = 0;
    std::set<uint64_t> seen;
    for (int i = 0; i < 20; ++i) {
      bool answered = false;
      const auto question = [&in_ui, &off_slice, ui](const Inspector& machine) {
        if (QThread::currentThread() == ui) ++in_ui;
        const uint64_t cycle = machine.cycle();
        if (cycle % kSlice != 0) ++off_slice;
        return cycle;
      };
      target->ask(&running.window, question, [&](uint64_t cycle) {
        answered = true;
        seen.insert(cycle);
      });
      QTRY_VERIFY_WITH_TIMEOUT(answered, kLong);
      if (target->state() != State::running) break;
    }
    QCOMPARE(in_ui.load(), 0);
    // In the middle of the run, each at the end of a slice; the run goes on between them.
    QVERIFY(seen.size() > 1);
    if (target->state() == State::running) QCOMPARE(off_slice.load(), 0);
    target->pause();
    QTRY_VERIFY_WITH_TIMEOUT(target->state() != State::running, kLong);
  }

  void no_view_holds_the_window_up() {
    Running running;
    MainWindow& window = running.window;
    Target* target = running.target;
    // Every view once in front, while the machine runs.
    qint64 largest = 0, beats = 0;
    QString behind, shown;
    QElapsedTimer since;
    QTimer beat;
    beat.setTimerType(Qt::PreciseTimer);
    connect(&beat, &QTimer::timeout, this, [&] {
      const qint64 gap = since.restart();
      ++beats;
      if (gap > largest) {
        largest = gap;
        behind = shown;
      }
    });
    since.start();
    beat.start(1);
    uint64_t before = 0;
    for (const QString& name : window.view_names()) {
      shown = name;
      if (auto* dock = qobject_cast<QDockWidget*>(window.view(name))) {
        dock->show();
        dock->raise();
      }
      QTest::qWait(150);
      if (target->state() == State::running && target->view()) before = target->view()->cycle;
    }
    beat.stop();
    qInfo("largest gap of the event loop: %lld ms, in %lld beats, with %s in front; the machine came to cycle %llu",
          largest, beats, qPrintable(behind), static_cast<unsigned long long>(before));
    QVERIFY(beats > 0);
    // Views were told of the run by its thread meanwhile: it went on.
    QVERIFY(before > 0);
    target->pause();
    QTRY_VERIFY_WITH_TIMEOUT(target->state() != State::running, kLong);
  }

  void a_pause_ends_the_run_within_a_slice() {
    Running running;
    Target* target = running.target;
    // Asked in the machine's thread, so that nothing lies between the question and the pause.
    uint64_t asked = 0;
    target->ask(
        &running.window,
        [target](const Inspector& machine) {
          target->pause();
          return machine.cycle();
        },
        [&](uint64_t cycle) { asked = cycle; });
    QTRY_VERIFY_WITH_TIMEOUT(asked > 0, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(target->state() != State::running, kLong);
    QVERIFY(target->view()->cycle - asked <= kSlice);
  }
};

WEFT_IDE_TEST_MAIN(ResponsiveTest)
#include "responsive_test.moc"
