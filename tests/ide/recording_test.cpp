// Recordings in the workspace: the models show what they show of the run itself, at its end and at other cycles, and
// nothing of the project is needed.
#include "weft/workbench/recording.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include "models/contexts_model.h"
#include "models/registers_model.h"
#include "models/workspace.h"
#include "support.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "widgets/texts.h"

using namespace weft;
using namespace weft::ide;
using State = Target::State;

namespace {

constexpr uint64_t kCycles = 40'000;
constexpr int kPatience = 60'000;

/// All cells of a model.
QStringList cells(const QAbstractItemModel& model) {
  QStringList out;
  for (int row = 0; row < model.rowCount(); ++row)
    for (int column = 0; column < model.columnCount(); ++column) out << model.index(row, column).data().toString();
  return out;
}

}  // namespace

class RecordingTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  /// A copy of an example is run and recorded; then the copy goes away.
  void initTestCase() {
    QVERIFY(folder_.isValid());
    namespace fs = std::filesystem;
    const fs::path tree = folder_.path().toStdString();
    fs::create_directories(tree / "examples");
    fs::create_directories(tree / "lib");
    fs::copy(fs::path(WEFT_SOURCE_DIR) / "examples/ipv4-forwarder", tree / "examples/router",
             fs::copy_options::recursive);
    fs::copy(fs::path(WEFT_SOURCE_DIR) / "lib/microblocks", tree / "lib/microblocks", fs::copy_options::recursive);
    auto project = workbench::load_project((tree / "examples/router").string());
    QVERIFY(project.has_value());
    auto session = workbench::Session::create(std::move(*project), workbench::recorded_observation());
    QVERIFY(session.has_value());
    straight_ = std::move(*session);
    straight_->record(4'000, 16);
    workbench::RunControl control;
    control.limits.cycles = kCycles;
    straight_->run(control);
    file_ = folder_.filePath(QStringLiteral("run.weftrec"));
    QVERIFY(workbench::write_recording(*straight_, {}, file_.toStdString()).has_value());
    fs::remove_all(tree / "examples");
    fs::remove_all(tree / "lib");
    inspector_ = workbench::inspect(*straight_);
  }

  void a_recording_opens_at_its_end() {
    Workspace workspace;
    QSignalSpy opened(&workspace, &Workspace::project_changed);
    QVERIFY(workspace.open(file_).has_value());
    QCOMPARE(opened.count(), 1);
    QVERIFY(workspace.recording() != nullptr);
    QVERIFY(workspace.observation().history);
    QVERIFY(workspace.observation().packets);
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::ended, kPatience);
    QCOMPARE(workspace.target()->view()->cycle, kCycles);
    QCOMPARE(workspace.cursor().cycle(), kCycles);
    QVERIFY(workspace.target()->reason().contains(QStringLiteral("recorded up to cycle 40000")));
    QVERIFY(workspace.problems().empty());
    for (const auto& program : workspace.project().programs)
      QVERIFY(QFile::exists(QString::fromStdString(program.file.string())));
  }

  void observers_have_what_the_run_had() {
    Workspace workspace;
    QVERIFY(workspace.open(file_).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::ended, kPatience);
    struct Seen {
      size_t references = 0, packets = 0, segments = 0;
      uint64_t executed = 0, commands = 0, taken = 0;
      bool operator==(const Seen&) const = default;
    };
    const auto look = [](const Inspector& machine) {
      Seen out;
      out.references = machine.history(0)->reference_count();
      out.packets = machine.packets(0)->records().size();
      for (unsigned e = 0; e < machine.history(0)->engines(); ++e)
        for (uint8_t c = 0; c < 8; ++c)
          machine.history(0)->segments({static_cast<uint8_t>(e), c}, [&](const emulator::Segment& s) {
            out.segments += s.end - s.begin + static_cast<size_t>(s.activity);
          });
      for (unsigned e = 0; e < machine.coverage(0)->engines(); ++e)
        for (const auto& word : machine.coverage(0)->words(e))
          out.executed += word.all_executed(), out.taken += word.all_taken();
      for (const auto& unit : machine.statistics(0)->figures().units) out.commands += unit.commands;
      return out;
    };
    const Seen expected = look(*inspector_);
    QVERIFY(expected.packets > 0 && expected.references > 0 && expected.executed > 0);
    std::optional<Seen> seen;
    workspace.target()->ask(&workspace, look, [&](const Seen& answer) { seen = answer; });
    QTRY_VERIFY_WITH_TIMEOUT(seen.has_value(), kPatience);
    QVERIFY(*seen == expected);
  }

  // Checkpoints are read when somebody goes back. Without the file, or with another one in its place, the way is
  // longer, and leads to the same state.
  void it_goes_back_without_its_file_too_data() {
    QTest::addColumn<QString>("then");
    QTest::newRow("there") << QStringLiteral("there");
    QTest::newRow("gone") << QStringLiteral("gone");
    QTest::newRow("another") << QStringLiteral("another");
  }
  void it_goes_back_without_its_file_too() {
    QFETCH(QString, then);
    const QString file = folder_.filePath(then + QStringLiteral(".weftrec"));
    QVERIFY(QFile::copy(file_, file));
    auto recording = workbench::Recording::open(file.toStdString());
    QVERIFY(recording.has_value());
    auto session = (*recording)->session();
    QVERIFY(session.has_value());
    QVERIFY((*session)->checkpoints() > 8);
    if (then != QStringLiteral("there")) QVERIFY(QFile::remove(file));
    if (then == QStringLiteral("another")) {
      auto project = workbench::load_project(WEFT_SOURCE_DIR "/examples/dual-stack-router");
      QVERIFY(project.has_value());
      auto other = workbench::Session::create(std::move(*project), workbench::recorded_observation());
      QVERIFY(other.has_value());
      (*other)->record(1'000, 16);
      workbench::RunControl control;
      control.limits.cycles = 5'000;
      (*other)->run(control);
      QVERIFY(workbench::write_recording(**other, {}, file.toStdString()).has_value());
    }
    const uint64_t period = straight_->machine().timing().period;
    for (const uint64_t cycle : {uint64_t{21'000}, uint64_t{9'500}, kCycles, uint64_t{33'333}}) {
      QVERIFY((*session)->go_to({cycle * period, 0}).has_value());
      QVERIFY(straight_->go_to({cycle * period, 0}).has_value());
      QCOMPARE((*session)->state_hash(), straight_->state_hash());
      QVERIFY((*session)->step_back(1).has_value());
      QVERIFY(straight_->step_back(1).has_value());
      QCOMPARE((*session)->state_hash(), straight_->state_hash());
    }
    QVERIFY(straight_->go_to({kCycles * period, 0}).has_value());
  }

  void models_show_the_same_at_any_cycle() {
    Workspace workspace;
    QVERIFY(workspace.open(file_).has_value());
    Target& target = *workspace.target();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::ended, kPatience);
    // What they show of the straight run comes from a target that ran it.
    SessionSettings settings;
    settings.project = WEFT_SOURCE_DIR "/examples/ipv4-forwarder";
    settings.observation = workbench::recorded_observation();  // contexts show what histories and the tracker know
    SessionTarget straight(settings);
    straight.set_names(FileNames(QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder")));
    straight.build();
    QTRY_COMPARE_WITH_TIMEOUT(straight.state(), State::stopped, kPatience);
    straight.run_until(std::to_string(kCycles) + " cycles");
    QTRY_VERIFY_WITH_TIMEOUT(straight.view()->cycle == kCycles && straight.state() != State::running, kPatience);
    ContextsModel contexts(target), expected_contexts(straight);
    RegistersModel registers(target), expected_registers(straight);
    QAbstractItemModelTester tester(&contexts, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const ContextId where{0, 1, 2};
    registers.show(where);
    expected_registers.show(where);
    for (const uint64_t cycle : {kCycles, uint64_t{17'321}, uint64_t{33'333}, uint64_t{1}}) {
      target.go_to(cycle);
      straight.go_to(cycle);
      QTRY_COMPARE_WITH_TIMEOUT(target.view()->cycle, cycle, kPatience);
      QTRY_COMPARE_WITH_TIMEOUT(straight.view()->cycle, cycle, kPatience);
      QCOMPARE(cells(contexts), cells(expected_contexts));
      // Registers are asked for, one question at a time.
      QTRY_VERIFY_WITH_TIMEOUT(!cells(registers).isEmpty() && cells(registers) == cells(expected_registers), kPatience);
    }
  }

  void it_steps_back_and_goes_on() {
    Workspace workspace;
    QVERIFY(workspace.open(file_).has_value());
    Target& target = *workspace.target();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::ended, kPatience);
    target.step_back({0, 1, 2});
    QTRY_VERIFY_WITH_TIMEOUT(target.view()->cycle < kCycles, kPatience);
    QVERIFY(target.state() == State::stopped);
    target.go_to_present();
    QTRY_COMPARE_WITH_TIMEOUT(target.view()->cycle, kCycles, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::ended, kPatience);
    QVERIFY(target.reason().contains(QStringLiteral("recorded up to cycle 40000")));
    target.run_until(std::to_string(kCycles + 5'000) + " cycles");
    QTRY_COMPARE_WITH_TIMEOUT(target.view()->cycle, kCycles + 5'000, kPatience);
    std::optional<uint64_t> observed;
    target.ask(
        this, [](const Inspector& machine) { return machine.observed_cycle(); },
        [&](uint64_t cycle) { observed = cycle; });
    QTRY_VERIFY_WITH_TIMEOUT(observed.has_value(), kPatience);
    QCOMPARE(*observed, kCycles + 5'000);
  }

  void other_observations_are_refused_with_a_message() {
    Workspace workspace;
    QVERIFY(workspace.open(file_).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::ended, kPatience);
    const Target* before = workspace.target();
    QSignalSpy said(&workspace, &Workspace::message);
    workspace.set_observation({});
    QCOMPARE(workspace.target(), before);
    QVERIFY(workspace.observation().history);
    QCOMPARE(said.count(), 1);
    // A project that is opened next is watched as the user wants.
    QVERIFY(workspace.open(QStringLiteral(WEFT_SOURCE_DIR "/examples/first")).has_value());
    QVERIFY(workspace.recording() == nullptr);
    QVERIFY(!workspace.observation().history);
  }

  void a_damaged_one_says_so() {
    QFile good(file_);
    QVERIFY(good.open(QIODevice::ReadOnly));
    const QByteArray bytes = good.readAll();
    const QString bad = folder_.filePath(QStringLiteral("bad.weftrec"));
    const auto write = [&](qsizetype size) {
      QFile file(bad);
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes.left(size)) == size);
    };
    Workspace workspace;
    write(1000);
    const auto refused = workspace.open(bad);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().list().front().code, std::string("recording-damaged"));
    QVERIFY(workspace.target() == nullptr);
    // The sources are whole: it opens, and the target says what is wrong.
    write(bytes.size() - 20);
    QVERIFY(workspace.open(bad).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.problems().empty(), kPatience);
    QCOMPARE(workspace.problems().list().front().code, std::string("recording-damaged"));
    QCOMPARE(workspace.target()->state(), State::empty);
  }

  void texts_of_a_recording_cannot_be_edited() {
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(window.open_project(file_));
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().target()->state(), State::ended, kPatience);
    QVERIFY(window.windowTitle().contains(QStringLiteral("(recording)")));
    int editors = 0;
    for (const auto* editor : window.findChildren<QPlainTextEdit*>()) {
      if (!editor->inherits("weft::ide::CodeEditor")) continue;
      ++editors;
      QVERIFY(editor->isReadOnly());
      QVERIFY(editor->toPlainText().size() > 100);
    }
    QVERIFY(editors > 0);
  }

  // Nor by commands, which do not type.
  void commands_do_not_change_texts_of_a_recording() {
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(window.open_project(file_));
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().target()->state(), State::ended, kPatience);
    CodeEditor* editor = window.texts().current_editor();
    QVERIFY(editor != nullptr);
    const QString before = editor->toPlainText();
    const auto unchanged = [&] { return editor->toPlainText() == before && !editor->document()->isModified(); };
    for (const char* command : {"comment", "format", "rename", "repair", "complete"}) {
      window.statusBar()->clearMessage();
      window.action(QLatin1String(command))->trigger();
      const QString said = window.statusBar()->currentMessage();
      QVERIFY2(said.contains(QStringLiteral("copies")), qPrintable(QString::fromLatin1(command) + said));
      QVERIFY2(unchanged(), command);
    }
    QVERIFY(window.texts()
                .apply({{editor->path(), {1, 1}, {1, 1}, QStringLiteral("x"), QString()}})
                .contains(QStringLiteral("copies")));
    QVERIFY(unchanged());
  }

 private:
  QTemporaryDir folder_;
  QString file_;
  std::unique_ptr<workbench::Session> straight_;
  std::unique_ptr<workbench::Inspector> inspector_;
};

WEFT_IDE_TEST_MAIN(RecordingTest)
#include "recording_test.moc"
