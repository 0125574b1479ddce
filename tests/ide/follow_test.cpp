// The texts follow the time: a click in a view, a pause and a way back show the place; who does not want that switches
// it off. What the margin says stays with its lines while they are edited.
#include <QToolBar>
#include <QToolButton>

#include "debug_fixture.h"
#include "own_settings_test.h"
#include "widgets/breakpoint_menu.h"
#include "widgets/timeline_view.h"
#include "windows.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

struct Follow : Fixture {
  using Fixture::Fixture;
  QTableView* contexts() const { return window->view(QStringLiteral("contexts"))->findChild<QTableView*>(); }
  void click_context(const QString& name) const {
    show("contexts");
    QTableView* table = contexts();
    QTRY_VERIFY(table->isVisible() && table->model() != nullptr && table->model()->rowCount() > 0);
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      const QModelIndex cell = table->model()->index(row, 0);
      if (cell.data().toString() != name) continue;
      table->scrollTo(cell);
      QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
      return;
    }
    QFAIL("no such context");
  }
  uint32_t line(ContextId id) const { return line_of(id); }
  int shown() const { return editor->current_line_number(); }
};

/// The forwarder, recorded, until a moment.
void run_forwarder(MainWindow& window, const char* until) {
  weft::workbench::Observation all;
  all.coverage = all.history = all.packets = true;
  window.workspace().set_observation(all);
  show_project(window, QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder"));
  Target* target = window.workspace().target();
  target->run_until(until);
  QTRY_VERIFY_WITH_TIMEOUT(!target->busy() && target->view()->cycle > 1000, kLong);
}

}  // namespace

class FollowTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void rows_lead_to_where_their_line_is_now() {
    Follow f;
    f.run_to_breakpoint(15);
    const ContextId stopped = *f.target()->stopped_at();
    f.editor->setFocus();
    f.editor->go_to(1);
    QTest::keyClick(f.editor, Qt::Key_Return);
    f.click_context(QStringLiteral("me%1.%2").arg(stopped.engine).arg(stopped.context));
    f.editor->go_to(1);
    QTest::keyClick(f.contexts(), Qt::Key_Return);
    QTRY_COMPARE(f.shown(), 16);
    QMenu menu;
    add_breakpoint_menus(menu, f.workspace(), BreakpointRow{f.path, 15}, f.window.get());
    QCOMPARE(menu.actions().front()->text(), QStringLiteral("Breakpoint at p.uc:16"));
  }

  void a_click_in_contexts_shows_the_place() {
    Follow f;
    f.workspace().cursor().set_context(ContextId{0, 0, 1});
    f.run_to_breakpoint(15);
    QCOMPARE(f.shown(), 15);
    f.move(Qt::Key_F9);
    const ContextId stopped = *f.target()->stopped_at();
    const uint32_t here = f.line(stopped);
    QCOMPARE(f.shown(), static_cast<int>(here));
    // Another context stands elsewhere.
    ContextId other = stopped;
    for (const auto& c : f.target()->view()->contexts)
      if (c.line != 0 && c.line != here) other = c.id;
    QVERIFY(!(other == stopped));
    const QString name = QStringLiteral("me%1.%2").arg(other.engine).arg(other.context);
    f.click_context(name);
    QTRY_COMPARE(f.shown(), static_cast<int>(f.line(other)));
    QVERIFY(f.contexts()->hasFocus());
    // Again, after somebody has looked elsewhere in the text.
    f.editor->go_to(1);
    f.click_context(name);
    QTRY_COMPARE(f.shown(), static_cast<int>(f.line(other)));
    // Switched off by its tool, nothing moves; switched on, it shows where it is.
    QToolButton* tool = nullptr;
    for (QToolButton* button : f.window->findChildren<QToolButton*>())
      if (button->defaultAction() == f.window->action("text_follows")) tool = button;
    QVERIFY(tool != nullptr && tool->isChecked());
    QTest::mouseClick(tool, Qt::LeftButton);
    QVERIFY(!f.window->action("text_follows")->isChecked());
    f.editor->go_to(1);
    f.click_context(name);
    QTest::qWait(50);
    QCOMPARE(f.shown(), 1);
    QTest::mouseClick(tool, Qt::LeftButton);
    QTRY_COMPARE(f.shown(), static_cast<int>(f.line(other)));
  }

  void a_pause_shows_the_place() {
    Follow f(".reg n\nimmed[n, 0]\nloop#:\nalu[n, n, +, 1]\nbr[loop#]\n");
    f.workspace().cursor().set_context(ContextId{0, 0, 0});
    f.editor->go_to(1);
    f.key(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->state(), State::running, kLong);
    f.key(Qt::Key_F6);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy(), kLong);
    QVERIFY(!f.target()->stopped_at());
    const int line = static_cast<int>(f.line({0, 0, 0}));
    QVERIFY(line == 4 || line == 5);
    QTRY_COMPARE(f.shown(), line);
    QTRY_COMPARE(f.editor->gutter().stopped_line(), line);
    // The arrow is of the state in which it is.
    const ContextMark* mark = f.editor->gutter().contexts_at(line);
    QVERIFY(mark != nullptr && mark->looked_at);
    QCOMPARE(static_cast<int>(mark->state), static_cast<int>(weft::emulator::ContextState::executing));
    QVERIFY2(mark->text.contains(QStringLiteral("me0.0 (executing)")), qPrintable(mark->text));
  }

  void a_click_in_the_history_shows_the_place() {
    MainWindow window(Theme::light);
    run_forwarder(window, "60us");
    Target* target = window.workspace().target();
    CodeEditor* first = window.texts().current_editor();
    QVERIFY(first != nullptr);
    first->go_to(1);
    QTest::keyClick(&window, Qt::Key_5, Qt::AltModifier);
    auto* canvas = window.view(QStringLiteral("timeline"))->findChild<TimelineCanvas*>();
    QVERIFY(canvas != nullptr);
    QTRY_VERIFY(!canvas->visibleRegion().isEmpty());
    // A moment of the past, in the row of a context.
    const auto shown = [&] {
      const auto context = window.workspace().cursor().context();
      for (const auto& c : target->view()->contexts)
        if (context == c.id)
          return c.line != 0 && window.texts().current() != nullptr &&
                 QFileInfo(QString::fromStdString(c.file)) == QFileInfo(window.texts().current()->path) &&
                 window.texts().current_editor()->current_line_number() == static_cast<int>(c.line);
      return false;
    };
    const uint64_t present = target->view()->cycle;
    QWidget* viewport = canvas->viewport();
    bool clicked = false;
    for (int y = 60; y < viewport->height() && !clicked; y += 4) {
      window.workspace().cursor().set_context(std::nullopt);
      QTest::mouseClick(viewport, Qt::LeftButton, {}, QPoint(viewport->width() / 2, y));
      clicked = window.workspace().cursor().context().has_value();
    }
    QVERIFY(clicked);
    QTRY_VERIFY_WITH_TIMEOUT(target->view()->cycle < present && !target->busy(), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(shown(), kLong);
    QVERIFY(canvas->hasFocus());
  }

  void a_click_in_packets_shows_the_place() {
    MainWindow window(Theme::light);
    run_forwarder(window, "100us");
    CodeEditor* editor = window.texts().current_editor();
    QVERIFY(editor != nullptr);
    QTest::keyClick(&window, Qt::Key_7, Qt::AltModifier);
    QTableView* table = nullptr;
    const auto packets = [&] {
      for (QTableView* t : window.view(QStringLiteral("packets"))->findChildren<QTableView*>())
        if (t->isVisible() && t->model() != nullptr && t->model()->columnCount() > 6) table = t;
      return table != nullptr && table->model()->rowCount() > 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(packets(), kLong);
    editor->go_to(1);
    // Chosen by itself, it moves no text.
    QTest::qWait(50);
    QCOMPARE(editor->current_line_number(), 1);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, 0)).center());
    QTRY_VERIFY_WITH_TIMEOUT(window.texts().current_editor()->current_line_number() > 1, kLong);
    QVERIFY(table->hasFocus());
  }

  void counts_and_folds_go_with_their_lines() {
    Follow f;
    f.run_to_breakpoint(17);
    const auto counted = [&](int line) { return f.editor->gutter().executed(line); };
    QTRY_VERIFY_WITH_TIMEOUT(counted(8) && *counted(8) > 0 && counted(13) && *counted(13) > *counted(8), kLong);
    const auto loads = counted(8), loop = counted(13);
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->can_fold(1), kLong);
    const int stopped = f.editor->gutter().stopped_line();
    QCOMPARE(stopped, 17);
    // A line before everything, and one in the middle.
    f.editor->setFocus();
    f.editor->go_to(1);
    QTest::keyClick(f.editor, Qt::Key_Home);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QVERIFY(f.editor->can_fold(2));  // at once, not when the assembler has read it
    QVERIFY(!f.editor->can_fold(1));
    QVERIFY(f.editor->gutter().executed(9) == loads);
    QVERIFY(f.editor->gutter().contexts_at(18) != nullptr);
    f.editor->go_to(9);
    QTest::keyClick(f.editor, Qt::Key_End);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QVERIFY(f.editor->gutter().executed(9) == loads);
    QVERIFY(!f.editor->gutter().executed(10));
    QVERIFY(f.editor->gutter().executed(15) == loop);
    QVERIFY(f.editor->gutter().contexts_at(19) != nullptr);
    // Who looks at the context sees its line as it is now.
    const ContextId stop = *f.target()->stopped_at();
    f.editor->go_to(1);
    f.click_context(QStringLiteral("me%1.%2").arg(stop.engine).arg(stop.context));
    QTRY_COMPARE(f.shown(), 19);
    while (f.editor->document()->isUndoAvailable()) f.editor->undo();
    QVERIFY(f.editor->gutter().executed(8) == loads);
    QVERIFY(f.editor->can_fold(1));
  }
};

WEFT_IDE_TEST_MAIN(FollowTest)
#include "follow_test.moc"
