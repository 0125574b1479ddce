// The window by keys and clicks: a project, a mistake and its way out, breakpoints, names of everything.
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <filesystem>

#include "support.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "windows.h"

using namespace weft::ide;
using weft::ide::test::kLong;
using State = Target::State;

namespace {

/// A copy of an example, whose files a test may change.
QString copy_of(const char* example, const QTemporaryDir& folder) {
  namespace fs = std::filesystem;
  const fs::path to = fs::path(folder.path().toStdString()) / example;
  fs::copy(fs::path(WEFT_SOURCE_DIR "/examples") / example, to, fs::copy_options::recursive);
  return QString::fromStdString(to.string());
}

}  // namespace

class WindowTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void opens_an_example() {
    MainWindow window(Theme::light);
    test::show_project(window, QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder"));
    auto* contexts = window.view(QStringLiteral("contexts"))->findChild<QTableView*>();
    QTRY_COMPARE(contexts->model()->rowCount(), 32);
    QVERIFY(window.action("run")->isEnabled());
    QVERIFY(!window.action("pause")->isEnabled());
  }

  void a_mistake_is_shown_and_nothing_is_lost() {
    QTemporaryDir folder;
    const QString project = copy_of("first", folder);
    MainWindow window(Theme::light);
    test::show_project(window, project);
    CodeEditor* editor = window.open_file(project + QStringLiteral("/first.uc"));
    QVERIFY(editor != nullptr);
    auto* problems = window.view(QStringLiteral("problems"))->findChild<QTableView*>();
    QTRY_COMPARE_WITH_TIMEOUT(problems->model()->rowCount(), 0, 30'000);
    editor->moveCursor(QTextCursor::End);
    QTest::keyClick(editor, Qt::Key_Return);
    QTest::keyClicks(editor, QStringLiteral("alu[nobody, --, B, 1]"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(problems->model()->rowCount() > 0, 30'000);
    QVERIFY(problems->model()->index(0, 1).data().toString().contains(QStringLiteral("nobody")));
    QVERIFY(editor->document()->isModified());
    // What it shows can be taken elsewhere.
    for (QAction* action : problems->actions())
      if (action->text().contains(QStringLiteral("Copy"))) action->trigger();
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("nobody")));
    // Run saves the text, and says why it does not run.
    QTest::keyClick(&window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(window.reason().contains(QStringLiteral("not built: 1 error")), kLong);
    QCOMPARE(window.workspace().target()->state(), State::stopped);
    QCOMPARE(window.workspace().target()->view()->cycle, uint64_t{0});
    QVERIFY(!editor->document()->isModified());
    QFile file(project + QStringLiteral("/first.uc"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("nobody"));
    editor->undo();
    while (editor->document()->isUndoAvailable()) editor->undo();
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().language().problems().size(), size_t{0}, 30'000);
    QTest::keyClick(&window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(window.workspace().target()->view() && window.workspace().target()->view()->cycle > 0,
                             30'000);
  }

  void a_click_in_the_margin_sets_a_breakpoint() {
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
    QVERIFY(window.open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder")));
    CodeEditor* editor = window.open_file(QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder/forward.uc"));
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().target()->state(), State::stopped, 30'000);
    const QTextBlock block = editor->document()->find(QStringLiteral("scratch[get, $frame_in")).block();
    QVERIFY(block.isValid());
    editor->go_to(block.blockNumber() + 1);
    QTest::keyClick(&window, Qt::Key_F8);
    QTRY_COMPARE(window.workspace().breakpoints().size(), size_t{1});
    QTest::keyClick(&window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(window.workspace().target()->stopped_at().has_value(), 30'000);
    QTest::keyClick(&window, Qt::Key_F8);
    QTRY_COMPARE(window.workspace().breakpoints().size(), size_t{0});
  }

  void a_broken_project_says_why() {
    MainWindow window(Theme::light);
    QVERIFY(!window.open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/no-such-example")));
    bool said = false;
    for (const QLabel* label : window.statusBar()->findChildren<QLabel*>())
      said = said || label->text().contains(QStringLiteral("no-such-example"));
    QVERIFY(said);
  }

  void everything_has_a_name() {
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
    QStringList nameless;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
      if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
      QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
      if (seen != nullptr && seen->text(QAccessible::Name).isEmpty())
        nameless << QStringLiteral("%1 %2").arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
  }
};

WEFT_IDE_TEST_MAIN(WindowTest)
#include "window_test.moc"
