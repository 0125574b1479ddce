// Everything that moves the machine can be stopped from the window, and taken back; it says how far it is, and is no
// queue.
#include <QElapsedTimer>
#include <ctime>

#include "debug_fixture.h"
#include "own_settings_test.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

constexpr uint64_t kFar = 40'000'000;  // cycles; without checkpoints on the way the way back takes as many: seconds

qint64 thread_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return qint64{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 kSlower = 3;  // what the same work takes there
#else
constexpr qint64 kSlower = 1;
#endif

/// What the thread of the windows works between two beats of a timer of a millisecond. It says what the user waits for
/// the program also where other programs have the processor; the gaps between the beats are those of the whole machine.
class Beats : public QObject {
 public:
  Beats() : worked_(thread_nanoseconds()) {
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] {
      ++number;
      gap = std::max(gap, since_.restart());
      const qint64 now = thread_nanoseconds();
      work = std::max(work, now - std::exchange(worked_, now));
    });
    since_.start();
    timer_.start(1);
  }
  qint64 number = 0, gap = 0;  ///< milliseconds
  qint64 work = 0;             ///< nanoseconds

 private:
  QTimer timer_;
  QElapsedTimer since_;
  qint64 worked_;
};

struct Endless : Fixture {
  Endless() : Fixture(kEndless) { workspace().cursor().set_context(ContextId{0, 0, 0}); }
  /// Without checkpoints, and with a profile, for which engines do not run ahead, so that every way back is long.
  void far_away() {
    workspace().set_checkpoints({1'000'000'000, 64});
    workspace().observe_too(&weft::workbench::Observation::profile);
    built();
    target()->run_until(std::to_string(kFar) + " cycles");
    QTRY_VERIFY_WITH_TIMEOUT(target()->state() == State::ended && target()->view()->cycle == kFar, kLong);
    workspace().cursor().set_context(ContextId{0, 0, 0});
  }
  bool can(const char* name) const { return window->action(QLatin1String(name))->isEnabled(); }
  uint64_t cycle() const { return target()->view()->cycle; }
  /// It has told that it is under way.
  void goes() const { QTRY_VERIFY_WITH_TIMEOUT(target()->moving().has_value(), kLong); }
};

}  // namespace

class MovesTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void a_step_without_an_end_is_paused_and_steps_do_not_queue() {
    Endless f;
    for (int i = 0; i < 4; ++i) f.move(Qt::Key_F9);
    const uint64_t begin = f.cycle();
    QVERIFY(!f.can("pause") && !f.can("give_up"));
    f.key(Qt::Key_F11, Qt::ShiftModifier);
    for (int i = 0; i < 5; ++i) f.key(Qt::Key_F9);  // it is not known yet how long this takes
    f.goes();
    QTRY_VERIFY(f.can("pause") && f.can("give_up"));
    QVERIFY2(f.status().contains(QStringLiteral("step out · cycle")), qPrintable(f.status()));
    const uint64_t told = f.target()->moving()->now;
    QVERIFY(told > begin);
    QCOMPARE(f.target()->moving()->from, begin);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->moving() && f.target()->moving()->now > told, kLong);
    f.key(Qt::Key_F9);
    f.key(Qt::Key_F6);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
    QCOMPARE(f.target()->state(), State::stopped);
    QVERIFY(!f.can("pause") && !f.can("give_up"));
    const uint64_t stopped = f.cycle();
    QVERIFY(stopped > told);
    QVERIFY2(stopped < 9'000'000, "it was not stopped, but has ended by itself");
    QVERIFY2(f.status().contains(QStringLiteral("interrupted at cycle")), qPrintable(f.status()));
    // Nothing waits behind it, and the next step is one.
    QTest::qWait(50);
    QCOMPARE(f.cycle(), stopped);
    f.move(Qt::Key_F9);
    QVERIFY(f.cycle() > stopped && f.cycle() < stopped + 50);
  }

  void escape_goes_back_to_where_it_began() {
    Endless f;
    for (int i = 0; i < 6; ++i) f.move(Qt::Key_F9);
    const uint64_t begin = f.cycle();
    const int64_t n = f.value("n");
    const auto at = f.target()->stopped_at();
    QVERIFY(at.has_value());
    f.key(Qt::Key_F11, Qt::ShiftModifier);
    f.goes();
    f.key(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
    QCOMPARE(f.cycle(), begin);
    QCOMPARE(f.value("n"), n);
    QVERIFY(f.target()->stopped_at() == at);
    QCOMPARE(f.target()->state(), State::stopped);
    QVERIFY2(f.status().contains(QStringLiteral("back at cycle %1").arg(begin)), qPrintable(f.status()));
    // Where it was given up is not lost.
    QVERIFY(f.can("present"));
    const uint64_t reached = f.target()->present();
    QVERIFY(reached > begin);
    f.move(Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(f.cycle(), reached);
    QVERIFY(f.value("n") > n);
  }

  void a_run_is_taken_back_too() {
    Endless f;
    for (int i = 0; i < 3; ++i) f.move(Qt::Key_F9);
    const uint64_t begin = f.cycle();
    f.key(Qt::Key_F5);
    f.goes();
    QVERIFY2(f.status().contains(QStringLiteral("run · cycle")), qPrintable(f.status()));
    f.key(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
    QCOMPARE(f.cycle(), begin);
  }

  void ways_back_are_stopped_and_taken_back_data() {
    QTest::addColumn<QString>("way");
    QTest::addColumn<bool>("pause");
    for (const char* way : {"step back", "run backwards", "go to cycle"})
      for (const bool pause : {false, true})
        QTest::newRow(qPrintable(QStringLiteral("%1, %2").arg(QLatin1String(way), pause ? "pause" : "escape")))
            << QString::fromLatin1(way) << pause;
  }
  void ways_back_are_stopped_and_taken_back() {
    QFETCH(QString, way);
    QFETCH(bool, pause);
    Endless f;
    f.far_away();
    const int64_t n = f.value("n");
    const QString reason = f.target()->reason();
    if (way == QStringLiteral("step back")) {
      f.key(Qt::Key_F9, Qt::ShiftModifier);
    } else if (way == QStringLiteral("run backwards")) {
      f.key(Qt::Key_F5, Qt::ShiftModifier);
    } else {
      f.key(Qt::Key_F10, Qt::ControlModifier | Qt::ShiftModifier);
      auto* dialog = f.window->findChild<QInputDialog*>();
      QVERIFY(dialog != nullptr && QTest::qWaitForWindowExposed(dialog, kLong));
      type(dialog->findChild<QLineEdit*>(), QString::number(kFar - 1));
      QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
    }
    f.goes();
    QVERIFY2(f.status().contains(way), qPrintable(f.status()));
    // Views are answered meanwhile.
    QVERIFY(f.value("cycle") > 0);
    QVERIFY(f.target()->busy());
    f.key(pause ? Qt::Key_F6 : Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
    if (pause) {
      QVERIFY2(f.cycle() < kFar - 1, "it was not stopped, but has ended by itself");
      QCOMPARE(f.target()->state(), State::stopped);
      f.move(Qt::Key_End, Qt::ControlModifier);
    }
    QCOMPARE(f.cycle(), kFar);
    QCOMPARE(f.value("n"), n);
    QCOMPARE(f.target()->state(), State::ended);
    if (pause) QCOMPARE(f.target()->reason(), reason);
  }

  // A value that is changed while the machine goes through its past would be changed at some moment of it.
  void changes_wait_for_the_end_of_a_way_back() {
    Endless f;
    f.far_away();
    const int64_t n = f.value("n");
    f.key(Qt::Key_F9, Qt::ShiftModifier);
    f.goes();
    f.target()->write("n", 7, {0, 0, 0});
    f.key(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
    QTRY_COMPARE(f.value("n"), int64_t{7});
    QVERIFY(n != 7);
    QCOMPARE(f.cycle(), kFar);
    QVERIFY(!f.target()->in_past());
  }

  void closing_is_at_once() {
    Endless f;
    f.move(Qt::Key_F9);
    f.key(Qt::Key_F11, Qt::ShiftModifier);
    f.goes();
    QElapsedTimer clock;
    clock.start();
    QVERIFY(f.window->close());
    f.window = nullptr;
    qInfo("closed after %lld ms", clock.elapsed());
    QVERIFY2(clock.elapsed() < 3'000, "the window waits for the machine");
  }

  void the_window_is_awake_while_ten_million_cycles_go_by_data() { no_and_yes("back", "forwards", "backwards"); }
  void the_window_is_awake_while_ten_million_cycles_go_by() {
    QFETCH(bool, back);
    constexpr uint64_t kMany = 10'000'000;
    Endless f;
    f.workspace().set_checkpoints({1'000'000'000, 64});
    f.built();
    const auto run = [&] {
      f.target()->run_until(std::to_string(kMany) + " cycles");
      QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy() && f.cycle() == kMany, kLong);
    };
    if (back) run();
    f.workspace().cursor().set_context(ContextId{0, 0, 0});
    QElapsedTimer all;
    all.start();
    const Beats beats;
    if (back) {
      f.key(Qt::Key_F9, Qt::ShiftModifier);
      QVERIFY(f.target()->busy());
      QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
      QVERIFY(f.cycle() < kMany && f.cycle() > kMany - 100);
    } else {
      run();
    }
    qInfo(
        "ten million cycles in %lld ms; largest gap of the event loop %lld ms, most work between two beats %.1f ms, "
        "%lld beats",
        all.elapsed(), beats.gap, static_cast<double>(beats.work) / 1e6, beats.number);
    // On a quick machine it takes a fifth of a second.
    QVERIFY2(beats.number > all.elapsed() / (50 * kSlower), "fewer beats than one in 50 ms");
    QVERIFY2(beats.work < 50'000'000 * kSlower, "the window was not awake for longer than 50 ms");
  }
};

WEFT_IDE_TEST_MAIN(MovesTest)
#include "moves_test.moc"
