// What helps in long texts: two beside each other, the outline, brackets; and where one begins: the welcome page and
// the guided tours.
#include <QSplitter>
#include <QTabWidget>
#include <QTreeView>

#include "debug_fixture.h"
#include "models/brackets.h"
#include "models/outline_model.h"
#include "models/tours.h"
#include "own_settings_test.h"
#include "widgets/outline_view.h"
#include "widgets/tour_bar.h"
#include "widgets/welcome_page.h"

using namespace weft::ide;
using namespace weft::ide::test;

class WritingTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void brackets_have_partners() {
    const QString text = QStringLiteral("alu[a, (b), {c}] ; [ not me\n\"[\" // (\n/* ) */ x]\n(]");
    const auto other = [&](int at) {
      const auto pair = bracket_at(text, at);
      return pair ? pair->other : -2;
    };
    QCOMPARE(other(3), 15);  // alu[ ... ]
    QCOMPARE(other(16), 3);  // after the closing one
    QCOMPARE(other(7), 9);
    QCOMPARE(other(12), 14);
    QCOMPARE(other(0), -2);
    QCOMPARE(other(static_cast<int>(text.indexOf(QStringLiteral("[ not")))), -2);   // a comment
    QCOMPARE(other(static_cast<int>(text.indexOf(QStringLiteral("[\" //")))), -2);  // a string
    QCOMPARE(other(static_cast<int>(text.indexOf(QStringLiteral("x]"))) + 1), -1);  // none
    QCOMPARE(other(static_cast<int>(text.size()) - 2), -1);                         // of another kind
  }

  void the_bracket_at_the_cursor_is_marked() {
    Fixture f;
    f.editor->setFocus();
    f.editor->go_to(14, 8);  // scratch[
    const auto marked = [&] {
      int out = 0;
      for (const auto& mark : f.editor->extraSelections())
        if (mark.cursor.selectedText() == QStringLiteral("[") || mark.cursor.selectedText() == QStringLiteral("]"))
          ++out;
      return out;
    };
    QCOMPARE(marked(), 2);
    f.key(Qt::Key_BracketRight, Qt::ControlModifier);
    QCOMPARE(f.editor->document()->characterAt(f.editor->textCursor().position()), QLatin1Char(']'));
    QCOMPARE(f.editor->current_line_number(), 14);
    f.key(Qt::Key_BracketRight, Qt::ControlModifier);
    QCOMPARE(static_cast<int>(f.editor->position().column), 8);
    f.editor->go_to(14, 2);
    QCOMPARE(marked(), 0);
  }

  void the_outline_follows_the_text() {
    Fixture f;
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->is_current(), kLong);
    f.show("outline");
    auto* view = f.window->findChild<OutlineView*>();
    auto* tree = view->findChild<QTreeView*>();
    const auto row = [&](const char* name) {
      for (int r = 0; r < tree->model()->rowCount(); ++r)
        if (tree->model()->index(r, 0).data().toString() == QLatin1String(name)) return tree->model()->index(r, 0);
      return QModelIndex();
    };
    QTRY_VERIFY_WITH_TIMEOUT(row("bump[X, STEP]").isValid() && row("loop#").isValid(), kLong);
    QCOMPARE(row("bump[X, STEP]").siblingAtColumn(1).data().toString(), QStringLiteral("macro"));
    QCOMPARE(row("bump[X, STEP]").siblingAtColumn(2).data().toString(), QStringLiteral("1"));
    // A click goes there.
    f.editor->setFocus();
    f.editor->go_to(5);
    tree->scrollTo(row("loop#"));
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(row("loop#")).center());
    QCOMPARE(f.editor->current_line_number(), 11);
    QVERIFY(f.editor->hasFocus());
    // The cursor's row is the chosen one.
    f.editor->go_to(2);
    QCOMPARE(tree->currentIndex().data().toString(), QStringLiteral("bump[X, STEP]"));
    // It follows what is typed.
    f.editor->go_to(11);
    QTest::keyClicks(f.editor, QStringLiteral("early#:"));
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(row("early#").isValid(), kLong);
    QTest::keyClicks(view->findChild<QLineEdit*>(), QStringLiteral("ear"));
    QCOMPARE(tree->model()->rowCount(), 1);
  }

  void two_texts_beside_each_other() {
    Fixture f(kProgram, true);
    const QString other = f.folder.filePath(QStringLiteral("notes.uc")),
                  third = f.folder.filePath(QStringLiteral("t.uc"));
    write(other, "; one\n; two\n");
    write(third, "; three\n");
    Texts& texts = f.window->texts();
    CodeEditor* notes = f.window->open_file(other);
    notes->setFocus();
    QVERIFY(!texts.is_split());
    f.key(Qt::Key_Backslash, Qt::ControlModifier);
    QVERIFY(texts.is_split());
    QVERIFY(f.editor->isVisible() && notes->isVisible());
    QVERIFY(f.editor->mapTo(f.window.get(), QPoint()).x() + f.editor->width() <=
            notes->mapTo(f.window.get(), QPoint()).x());
    QVERIFY(notes->hasFocus());
    QCOMPARE(texts.current()->path, other);
    // Each side has the keyboard in its turn, and what is opened comes to that one.
    f.key(Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(f.editor->hasFocus());
    QCOMPARE(texts.current()->path, f.path);
    QTest::mouseClick(notes->viewport(), Qt::LeftButton, {}, QPoint(60, 8));
    QCOMPARE(texts.current()->path, other);
    QVERIFY(f.window->open_file(third) != nullptr);
    QCOMPARE(texts.side_of(texts.current_editor()), 1);
    // A text that is open comes to the front where it is.
    f.window->open_file(f.path);
    QCOMPARE(texts.side_of(texts.current_editor()), 0);
    QCOMPARE(texts.all().size(), size_t{3});
    // They come back as they were.
    QVERIFY(f.window->close());
    f.start(true);
    Texts& again = f.window->texts();
    QVERIFY(again.is_split());
    QCOMPARE(again.all().size(), size_t{3});
    const std::vector<const Text*> order = again.in_order();
    QCOMPARE(order[0]->path, f.path);
    QCOMPARE(order[1]->path, other);
    QCOMPARE(again.side_of(order[1]->editor), 1);
    // When one side has no text left there is one side.
    f.editor->setFocus();
    f.key(Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(again.all().size(), size_t{2});
    QVERIFY(!again.is_split());
    QCOMPARE(again.side_of(again.current_editor()), 0);
    f.window->open_file(f.path);
  }

  void one_text_alone_stays() {
    Fixture f;
    f.editor->setFocus();
    f.key(Qt::Key_Backslash, Qt::ControlModifier);
    QVERIFY(!f.window->texts().is_split() && f.editor->isVisible());
  }

  void the_welcome_page_leads_to_projects() {
    QTemporaryDir folder;
    user_settings().setValue(QStringLiteral("projects/recent"),
                             QStringList{QStringLiteral("/no/such/project"), folder.path()});
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
    auto* page = window.findChild<WelcomePage*>();
    QVERIFY(page->isVisible());
    // What is gone is left out.
    QVERIFY(page->findChild<QPushButton*>(QStringLiteral("recent_1")) != nullptr);
    QCOMPARE(page->findChild<QPushButton*>(QStringLiteral("recent_1"))->text(), QFileInfo(folder.path()).fileName());
    QVERIFY(page->findChild<QPushButton*>(QStringLiteral("recent_2")) == nullptr);
    for (int tour = 0; tour < 3; ++tour)
      QVERIFY(page->findChild<QPushButton*>(QStringLiteral("tour_%1").arg(tour)) != nullptr);
    auto* first = page->findChild<QPushButton*>(QStringLiteral("example_first"));
    QVERIFY(first != nullptr);
    QCOMPARE(first->accessibleDescription(), QStringLiteral("One program on one microengine, no packets."));
    page->ensureWidgetVisible(first);
    QTest::mouseClick(first, Qt::LeftButton);
    QTRY_VERIFY(!page->isVisible());
    QTRY_COMPARE(QString::fromStdString(window.workspace().project().folder.filename().string()),
                 QStringLiteral("first"));
    QTRY_VERIFY_WITH_TIMEOUT(window.workspace().target()->state() == State::stopped, kLong);
  }

  // Each step is done as its text says, by keys, and the tour goes on by itself.
  void a_tour_is_gone_through() {
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
    auto* button = window.findChild<WelcomePage*>()->findChild<QPushButton*>(QStringLiteral("tour_0"));
    QTest::mouseClick(button, Qt::LeftButton);
    auto* bar = window.findChild<TourBar*>();
    QTRY_VERIFY(bar->isVisible() && bar->under_way());
    Target* target = window.workspace().target();
    QTRY_VERIFY_WITH_TIMEOUT(target->state() == State::stopped, kLong);
    QVERIFY2(bar->text().contains(QStringLiteral("F9")), qPrintable(bar->text()));
    const auto key = [&](int pressed, Qt::KeyboardModifiers modifiers = {}) {
      window.activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(&window, kLong));
      QTest::keyClick(&window, static_cast<Qt::Key>(pressed), modifiers);
    };
    // The frame is around the tool that is meant.
    QCOMPARE(bar->step(), size_t{0});
    QVERIFY(bar->pointed_at() != nullptr);
    QTest::mouseClick(bar->show_button(), Qt::LeftButton);
    key(Qt::Key_F9);
    QTRY_VERIFY_WITH_TIMEOUT(bar->step() >= 1, kLong);
    key(Qt::Key_8, Qt::AltModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bar->step(), size_t{2}, kLong);
    window.texts().current_editor()->go_to(10);
    window.texts().current_editor()->setFocus();
    key(Qt::Key_F8);
    QTRY_COMPARE_WITH_TIMEOUT(bar->step(), size_t{3}, kLong);
    key(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(bar->step(), size_t{4}, kLong);
    key(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bar->step(), size_t{5}, kLong);
    key(Qt::Key_End, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!bar->under_way(), kLong);
    QVERIFY(bar->text().contains(QStringLiteral("that was all")));
  }

  // What the other tours name is there.
  void tours_name_what_there_is() {
    MainWindow window(Theme::light);
    const std::vector<Tour> all = tours();
    QCOMPARE(all.size(), size_t{3});
    for (const Tour& tour : all) {
      QVERIFY(QFile::exists(QStringLiteral(WEFT_SOURCE_DIR "/examples/%1/weft.json").arg(tour.example)));
      QVERIFY(tour.steps.size() >= 4);
      for (const TourStep& step : tour.steps) {
        if (!step.action.isEmpty()) {
          const QAction* action = window.action(step.action);
          const QString key = action->shortcut().toString(QKeySequence::NativeText);
          const QString name = action->text().remove(QLatin1Char('&'));
          QVERIFY2(step.text.contains(key.isEmpty() ? name : key), qPrintable(step.text + key + name));
        }
        QVERIFY2(step.view.isEmpty() || window.view(step.view) != nullptr, qPrintable(step.view));
      }
    }
  }
};

WEFT_IDE_TEST_MAIN(WritingTest)
#include "writing_test.moc"
