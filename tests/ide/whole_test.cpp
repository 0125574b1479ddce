// One person's afternoon, from end to end, with keys and mouse: an example is opened, edited into an error, repaired by
// what the assembler offers, assembled, stopped by a conditional breakpoint of one context, looked at, stepped back,
// asked who wrote a byte, and its coverage saved. What is asserted is what the views show. The steps stand in the order
// of the script and go on from each other.
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>
#include <functional>
#include <memory>

#include "modal.h"
#include "support.h"
#include "widgets/code_editor.h"
#include "widgets/examples_menu.h"
#include "widgets/main_window.h"
#include "widgets/texts.h"
#include "widgets/views.h"
#include "windows.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;

namespace {

// The example adds the numbers 1 to 10 in each of eight contexts: n goes from 10 to 1.
constexpr int kAddLine = 9;    // alu[sum, sum, +, n]
constexpr int kStepLine = 10;  // alu[n, n, -, 1]

}  // namespace

class WholeTest : public QObject {
  Q_OBJECT

  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    // A menu or a dialog that was closed leaves no window active where there is no window manager; shortcuts need one.
    if (!window_->isActiveWindow()) {
      window_->activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(window_.get(), kLong));
    }
    QTest::keyClick(editor_, key, modifiers);
  }
  Target& target() { return *window_->workspace().target(); }
  QWidget* view(const char* name) {
    auto* dock = qobject_cast<QDockWidget*>(window_->view(QString::fromLatin1(name)));
    if (dock == nullptr) return nullptr;
    dock->show();
    dock->raise();
    return dock->widget();
  }
  QJsonValue shown(const char* name) {
    auto* found = qobject_cast<View*>(view(name));
    return found ? found->state() : QJsonValue();
  }
  /// The rows that a view shows, as a list of objects.
  QJsonArray rows(const char* name) { return shown(name).toArray(); }
  QString register_shown(const QString& name) {
    for (const QJsonValue& row : rows("registers"))
      if (row[QStringLiteral("Register")].toString() == name)
        return row[QStringLiteral("Decimal")].toVariant().toString();
    return {};
  }
  QString state_shown() {
    QStringList all;
    for (const QLabel* label : window_->statusBar()->findChildren<QLabel*>()) all << label->text();
    return all.join(QLatin1Char('\n'));
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(home_.isValid());
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home_.filePath(QStringLiteral("settings")));
    // A Weft of its own, as if it were installed: the chips of this one, and an example that may be written to.
    const QDir home(home_.path());
    QVERIFY(home.mkpath(QStringLiteral("weft/data")) && home.mkpath(QStringLiteral("weft/examples/first")));
    for (const char* name : {"chips", "boards"})
      QVERIFY(QFile::link(QStringLiteral(WEFT_SOURCE_DIR "/emulator/") + QString::fromLatin1(name),
                          home.filePath(QStringLiteral("weft/data/") + QString::fromLatin1(name))));
    for (const QString& name : QDir(QStringLiteral(WEFT_SOURCE_DIR "/examples/first")).entryList(QDir::Files))
      QVERIFY(QFile::copy(QStringLiteral(WEFT_SOURCE_DIR "/examples/first/") + name,
                          home.filePath(QStringLiteral("weft/examples/first/") + name)));
    qputenv("WEFT_DATA", home.filePath(QStringLiteral("weft/data")).toUtf8());
    window_ = std::make_unique<MainWindow>(Theme::light);
    activate(*window_);
    // As the program starts: what its views need is recorded.
    weft::workbench::Observation all = window_->workspace().observation();
    all.coverage = all.history = all.statistics = all.packets = true;
    window_->workspace().set_observation(all);
  }
  void cleanupTestCase() { window_.reset(); }

  void a_opens_an_example() {
    auto* menu = window_->findChild<ExamplesMenu*>();
    QVERIFY(menu != nullptr);
    menu->popup(window_->mapToGlobal(QPoint(10, 40)));
    QCOMPARE(menu->actions().size(), 1);
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(target().state(), State::stopped, kLong);
    editor_ = window_->texts().current_editor();
    QVERIFY(editor_ != nullptr);
    QVERIFY(editor_->path().endsWith(QStringLiteral("first.uc")));
    QTRY_VERIFY_WITH_TIMEOUT(editor_->is_current(), kLong);
    QVERIFY(window_->windowTitle().startsWith(QStringLiteral("first")));
    // The tree has the microengine with its contexts, and the file.
    const QString tree = QString::fromUtf8(QJsonDocument(QJsonObject{{"tree", shown("project")}}).toJson());
    QVERIFY2(tree.contains(QStringLiteral("Microengine 0 – first")) && tree.contains(QStringLiteral("Context 7 – ")) &&
                 tree.contains(QStringLiteral("first.uc")),
             qPrintable(tree));
    QCOMPARE(rows("problems").size(), 0);
    QCOMPARE(rows("contexts").size(), 8);
  }

  void b_makes_an_error_and_sees_it() {
    good_ = editor_->toPlainText();
    QCOMPARE(editor_->document()->findBlockByNumber(6).text(), QStringLiteral("    immed[sum, 0]"));
    editor_->setFocus();
    editor_->go_to(7, 14);
    QTest::keyClicks(editor_, QStringLiteral("m"));
    key(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!editor_->repairable(7).empty(), kLong);
    const QJsonArray problems = rows("problems");
    QVERIFY(!problems.isEmpty());
    const QString text = QString::fromUtf8(QJsonDocument(problems).toJson());
    QVERIFY2(text.contains(QStringLiteral("summ")) && text.contains(QStringLiteral("first.uc")), qPrintable(text));
    QVERIFY(editor_->problem_at(7, 11) != nullptr);
    // It cannot be run like this, and says so; the text is kept.
    key(Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(target().build_failed() && target().state() != State::building, kLong);
    QVERIFY(editor_->toPlainText().contains(QStringLiteral("summ")));
  }

  void c_takes_the_repair() {
    editor_->setFocus();
    editor_->go_to(7, 11);
    key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(editor_->toPlainText(), good_);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().language().problems().size(), size_t{0}, kLong);
  }

  void d_assembles() {
    key(Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!target().build_failed() && target().state() == State::stopped, kLong);
    QCOMPARE(rows("problems").size(), 0);
    QVERIFY(!editor_->document()->isModified());
    for (const QJsonValue& row : rows("contexts"))
      QVERIFY2(row[QStringLiteral("Place")].toString().startsWith(QStringLiteral("first.uc:")),
               qPrintable(row[QStringLiteral("Place")].toString()));
  }

  void e_sets_a_conditional_breakpoint_for_one_context() {
    editor_->setFocus();
    editor_->go_to(kAddLine);
    QVERIFY(window_->action(QStringLiteral("new_breakpoint")) != nullptr);
    QVERIFY(with_dialog<QDialog>(
        [this] { key(Qt::Key_F8, Qt::ShiftModifier); },
        [](QDialog& dialog) {
          for (QCheckBox* box : dialog.findChildren<QCheckBox*>())
            if (box->accessibleName().startsWith(QStringLiteral("Context ")) &&
                box->accessibleName() != QStringLiteral("Context 2")) {
              box->setFocus();
              QTest::keyClick(box, Qt::Key_Space);
            }
          for (QLineEdit* line : dialog.findChildren<QLineEdit*>()) {
            if (line->objectName().startsWith(QStringLiteral("qt_"))) continue;  // of spin boxes
            const bool condition = line->placeholderText().startsWith(QStringLiteral("always")),
                       place = line->placeholderText().isEmpty();
            if (!condition && !place) continue;
            line->setFocus();
            QTest::keyClicks(line, condition ? QStringLiteral("n == 3") : QStringLiteral("first.uc:%1").arg(kAddLine));
          }
          QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
        }));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().breakpoints().size(), size_t{1}, kLong);
    const weft::workbench::Breakpoint& b = window_->workspace().breakpoints().front();
    QCOMPARE(b.contexts, 1u << 2);
    QCOMPARE(b.condition, std::string("n == 3"));
  }

  void f_runs_to_it() {
    key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(target().state() == State::stopped && target().stopped_at().has_value(), kLong);
    QCOMPARE(target().stopped_at()->context, 2u);
    // The status bar says why; the margin's arrow and the contexts' row where; the registers what.
    QTRY_VERIFY_WITH_TIMEOUT(state_shown().contains(QStringLiteral("first.uc:%1").arg(kAddLine)), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(rows("contexts").at(2)[QStringLiteral("Place")].toString(),
                              QStringLiteral("first.uc:%1").arg(kAddLine), kLong);
    QCOMPARE(editor_->gutter().stopped_line(), kAddLine);
    QTRY_COMPARE_WITH_TIMEOUT(register_shown(QStringLiteral("n")), QStringLiteral("3"), kLong);
    QCOMPARE(register_shown(QStringLiteral("sum")), QString::number(10 + 9 + 8 + 7 + 6 + 5 + 4));
  }

  void g_steps_on_and_back() {
    key(Qt::Key_F9);
    QTRY_COMPARE_WITH_TIMEOUT(register_shown(QStringLiteral("sum")), QStringLiteral("52"), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(editor_->gutter().stopped_line(), kStepLine, kLong);
    key(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(register_shown(QStringLiteral("sum")), QStringLiteral("49"), kLong);
    QCOMPARE(register_shown(QStringLiteral("n")), QStringLiteral("3"));
    QTRY_COMPARE_WITH_TIMEOUT(editor_->gutter().stopped_line(), kAddLine, kLong);
    // The branch, and then the line that made n 3: before it, n was 4.
    key(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(editor_->gutter().stopped_line(), kStepLine + 1, kLong);
    key(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(register_shown(QStringLiteral("n")), QStringLiteral("4"), kLong);
    QCOMPARE(register_shown(QStringLiteral("sum")), QStringLiteral("49"));
  }

  void h_runs_to_the_end() {
    // The breakpoint is met once more, now from behind, and then nothing stops.
    for (int stops = 0; stops < 3 && target().state() != State::ended; ++stops) {
      const uint64_t before = target().stops();
      key(Qt::Key_F5);
      QTRY_VERIFY_WITH_TIMEOUT(target().stops() > before, kLong);
    }
    QTRY_COMPARE_WITH_TIMEOUT(target().state(), State::ended, kLong);
  }

  // The sum, 55, stands in scratch memory at 0x100; its last byte was written by the program's only write.
  void i_finds_who_wrote_a_byte() {
    QWidget* memory = view("memory");
    QVERIFY(memory != nullptr);
    const auto named = [&](const char* name) -> QWidget* {
      for (QWidget* w : memory->findChildren<QWidget*>())
        if (w->accessibleName() == QLatin1String(name)) return w;
      return nullptr;
    };
    auto* address = qobject_cast<QLineEdit*>(named("Address, name or expression"));
    QVERIFY(address != nullptr);
    address->setFocus();
    address->selectAll();
    QTest::keyClicks(address, QStringLiteral("scratch[0x100]"));
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(
        QString::fromUtf8(QJsonDocument(shown("memory").toObject()).toJson()).contains(QStringLiteral("00000037")),
        kLong);
    auto* who = qobject_cast<QPushButton*>(named("Who wrote this?"));
    QVERIFY(who != nullptr);
    QTest::mouseClick(who, Qt::LeftButton);
    const auto answer = [&] { return shown("memory")[QStringLiteral("answer")].toString(); };
    QTRY_VERIFY_WITH_TIMEOUT(answer().contains(QStringLiteral("first.uc:15")), kLong);
    QVERIFY2(answer().contains(QStringLiteral("scratch[write]")) && answer().contains(QStringLiteral("0x00000037")),
             qPrintable(answer()));
    QTest::mouseClick(qobject_cast<QPushButton*>(named("Show line")), Qt::LeftButton);
    QTRY_COMPARE(editor_->current_line_number(), 15);
    QCOMPARE(target().state(), State::ended);
  }

  // Ten times in each of eight contexts, whatever was run backwards in between.
  void j_saves_the_coverage() {
    QWidget* coverage = view("coverage");
    QVERIFY(coverage != nullptr);
    const auto shown_count = [&](int line) {
      for (const QJsonValue& row : shown("coverage")[QStringLiteral("found")].toArray())
        if (QString::fromUtf8(QJsonDocument(row.toObject()).toJson())
                .contains(QStringLiteral("first.uc:%1\"").arg(line)))
          return QString::fromUtf8(QJsonDocument(row.toObject()).toJson());
      return QString();
    };
    QTRY_VERIFY_WITH_TIMEOUT(shown_count(kAddLine).contains(QStringLiteral("80")), kLong);
    auto* save = coverage->findChild<QToolButton*>(QStringLiteral("save"));
    QVERIFY(save != nullptr);
    const QString path = home_.filePath(QStringLiteral("coverage.info"));
    QVERIFY(with_dialog<QFileDialog>(
        [&] {
          QVERIFY(choose_in_menu([&] { QTest::mouseClick(save, Qt::LeftButton); },
                                 [](const QAction& a) { return a.objectName() == QStringLiteral("save_lcov"); }));
        },
        [&](QFileDialog& dialog) { name_file(dialog, path); }));
    QFile file(path);
    QTRY_VERIFY_WITH_TIMEOUT(file.exists() && file.size() > 0, kLong);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString lcov = QString::fromUtf8(file.readAll());
    QVERIFY2(lcov.contains(QStringLiteral("first.uc")) && lcov.contains(QStringLiteral("\nDA:%1,80\n").arg(kAddLine)),
             qPrintable(lcov));
    QTRY_VERIFY(window_->statusBar()->currentMessage().contains(QStringLiteral("coverage.info")));
  }

 private:
  QTemporaryDir home_;
  std::unique_ptr<MainWindow> window_;
  CodeEditor* editor_ = nullptr;
  QString good_;
};

WEFT_IDE_TEST_MAIN(WholeTest)
#include "whole_test.moc"
