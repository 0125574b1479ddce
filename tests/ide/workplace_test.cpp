// What was open comes back with the project, also after a program that was killed; and which line is which while a text
// is edited.
#include <QJsonArray>
#include <QTabWidget>
#include <random>

#include "debug_fixture.h"
#include "models/line_diff.h"
#include "models/line_map.h"
#include "own_settings_test.h"

using namespace weft::ide;
using namespace weft::ide::test;

class WorkplaceTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void lines_are_followed() {
    LineMap map;
    QCOMPARE(map.then(7), 7);  // as long as nothing is said
    QCOMPARE(map.now(7), 7);
    map.reset(10);
    map.edit({3, 0, 2});  // two new ones before the third
    QCOMPARE(map.then(2), 2);
    QCOMPARE(map.then(3), 0);
    QCOMPARE(map.then(4), 0);
    QCOMPARE(map.then(5), 3);
    QCOMPARE(map.now(10), 12);
    map.edit({1, 1, 0});
    QCOMPARE(map.now(1), 0);
    QCOMPARE(map.now(2), 1);
    QCOMPARE(map.now(3), 4);
    map.edit({4, 2, 1});
    QCOMPARE(map.now(3), 0);
    QCOMPARE(map.now(4), 0);
    QCOMPARE(map.now(5), 5);
    map.edit({10, 50, 0});  // more than there are
    QCOMPARE(map.now(10), 0);
    QCOMPARE(map.then(100), 0);
  }

  void differences_of_texts_are_stretches() {
    const QStringList before{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("d"),
                             QStringLiteral("e")};
    const QStringList after{QStringLiteral("a"), QStringLiteral("new"), QStringLiteral("b"), QStringLiteral("c"),
                            QStringLiteral("e")};
    const std::vector<LineHunk> hunks = line_hunks(before, after);
    QCOMPARE(hunks.size(), size_t{2});
    QVERIFY((hunks[0] == LineHunk{1, 0, 1, 1}) && (hunks[1] == LineHunk{3, 1, 4, 0}));
    QCOMPARE(line_after(hunks, 0), 0);
    QCOMPARE(line_after(hunks, 2), 3);
    QCOMPARE(line_after(hunks, 3), 4);
    QCOMPARE(line_after(hunks, 4), 4);
    QVERIFY(line_hunks(before, before).empty());
    // Done one after the other they make the one text of the other, and a line that is in no stretch is the same.
    std::mt19937 cases(7);
    for (int round = 0; round < 300; ++round) {
      QStringList old, now;
      for (QStringList* text : {&old, &now})
        for (auto lines = cases() % 12 + 1; lines > 0; --lines) *text << QString::number(cases() % 4);
      const std::vector<LineHunk> all = line_hunks(old, now);
      QStringList made;
      int next = 0;
      for (const LineHunk& hunk : all) {
        made << old.mid(next, hunk.first - next);
        QCOMPARE(static_cast<int>(made.size()), hunk.at);
        made << now.mid(hunk.at, hunk.added);
        next = hunk.first + hunk.gone;
      }
      made << old.mid(next);
      QCOMPARE(made, now);
    }
  }

  void texts_cursors_and_folds_come_back() {
    QTemporaryDir keeper;
    Fixture f(kProgram, true);
    const QString other = f.folder.filePath(QStringLiteral("notes.uc"));
    const QString third = f.folder.filePath(QStringLiteral("third.uc"));
    write(other, "; one\n; two\n; three\n; four\n");
    write(third, "; nothing\n");
    QVERIFY(f.window->open_file(other) != nullptr);
    f.window->texts().current_editor()->go_to(3, 4);
    QVERIFY(f.window->open_file(third) != nullptr);
    f.window->open_file(f.path);
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->can_fold(1), kLong);
    f.editor->setFocus();
    f.editor->go_to(1);
    f.key(Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(f.editor->is_folded(1));
    f.editor->go_to(12, 3);
    f.window->open_file(other);
    QVERIFY(f.window->close());
    f.start(true);
    QCOMPARE(f.window->texts().all().size(), size_t{3});
    auto* tabs = f.window->texts().tabs();
    QCOMPARE(tabs->tabToolTip(0), f.path);
    QCOMPARE(tabs->tabToolTip(1), other);
    QCOMPARE(tabs->tabToolTip(2), third);
    QCOMPARE(f.editor->current_line_number(), 12);
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->is_folded(1), kLong);
    QVERIFY(!f.editor->document()->findBlockByNumber(1).isVisible());
    CodeEditor* second = f.window->open_file(other);
    QCOMPARE(second->current_line_number(), 3);
    QCOMPARE(static_cast<int>(second->position().column), 4);
    // A file that has gone meanwhile does not matter.
    QVERIFY(f.window->close());
    QVERIFY(QFile::remove(third));
    f.start(true);
    QCOMPARE(f.window->texts().all().size(), size_t{2});
  }

  // Nothing is asked and nothing is written when it ends, as after kill -9.
  void unsaved_texts_come_back_after_a_kill() {
    user_settings().remove(QStringLiteral("workplaces"));  // kept_texts() counts what this case keeps
    Fixture f(kProgram, true);
    f.window->texts().set_autosave(Autosave(f.folder.filePath(QStringLiteral("copies"))), 50);
    const QString other = f.folder.filePath(QStringLiteral("part.uc"));
    write(other, "; part\n");
    CodeEditor* part = f.window->open_file(other);
    QVERIFY(part != nullptr);
    part->setFocus();
    QTest::keyClick(part, Qt::Key_End);
    QTest::keyClicks(part, QStringLiteral(" of mine"));
    f.window->open_file(f.path);
    const QDir copies(f.folder.filePath(QStringLiteral("copies")));
    QTRY_VERIFY_WITH_TIMEOUT(!copies.entryList(QDir::Files).isEmpty(), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(kept_texts() >= 2, kLong);
    f.window = nullptr;  // no closeEvent
    QCOMPARE(read(other), QByteArray("; part\n"));
    f.window = std::make_unique<MainWindow>(Theme::light);
    f.window->keep();
    f.window->texts().set_autosave(Autosave(f.folder.filePath(QStringLiteral("copies"))), 50);
    f.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(f.window.get(), kLong));
    QVERIFY(f.window->open_project(f.folder.path()));
    // The text that was lost is in front, and asks.
    QTRY_VERIFY(f.window->texts().current() != nullptr && f.window->texts().current()->path == other);
    QVERIFY2(f.window->texts().question().contains(QStringLiteral("never saved")),
             qPrintable(f.window->texts().question()));
    QPushButton* back = nullptr;
    for (QPushButton* button : f.window->texts().findChildren<QPushButton*>())
      if (button->isVisible() && button->text().contains(QStringLiteral("Bring them back"))) back = button;
    QVERIFY(back != nullptr);
    QTest::mouseClick(back, Qt::LeftButton);
    QCOMPARE(f.window->texts().current_editor()->toPlainText(), QStringLiteral("; part of mine\n"));
    QVERIFY(f.window->texts().current_editor()->document()->isModified());
    QVERIFY(f.window->texts().save_all());
    QCOMPARE(read(other), QByteArray("; part of mine\n"));
  }

 private:
  /// How many texts the settings know.
  static int kept_texts() {
    QSettings kept = user_settings();
    kept.beginGroup(QStringLiteral("workplaces"));
    int max = 0;
    for (const QString& key : kept.childKeys())
      max = std::max(
          max, static_cast<int>(
                   QJsonDocument::fromJson(kept.value(key).toByteArray())[QStringLiteral("texts")].toArray().size()));
    return max;
  }
};

WEFT_IDE_TEST_MAIN(WorkplaceTest)
#include "workplace_test.moc"
