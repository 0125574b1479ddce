// Editing by keys: completion, repairs, definitions, names in several files, layout, search, and files that change
// underneath.
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <QToolTip>
#include <memory>

#include "modal.h"
#include "models/autosave.h"
#include "models/places_model.h"
#include "own_settings_test.h"
#include "program_fixture.h"
#include "widgets/code_assist.h"
#include "widgets/code_editor.h"
#include "widgets/find_bar.h"
#include "widgets/main_window.h"
#include "widgets/texts.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;

namespace {

// Two files of one program: the register and the macro of the one are used in the other.
const QByteArray kMain = summing(
    "add_to(total, step)\n"
    "add_to(total, step)\n");
constexpr const char* kPart =
    "// Adds.\n"
    "#macro add_to(sum, what)\n"
    "    alu[sum, sum, +, what]\n"
    "    nop\n"
    "#endm\n";

struct Fixture : ProgramFixture {
  explicit Fixture(const QByteArray& text = kMain) : ProgramFixture(text, kPart) {}
  void caught_up() const { QTRY_VERIFY_WITH_TIMEOUT(editor->is_current(), kLong); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
    QTest::keyClick(editor, key, modifiers);
  }
  void type(const QString& text) const { QTest::keyClicks(editor, text); }
  /// At the start of a text in the current editor.
  void at(const QString& text, CodeEditor* where = nullptr) const {
    CodeEditor* e = where ? where : editor;
    const QTextCursor found = e->document()->find(text);
    QVERIFY2(!found.isNull(), qPrintable(text));
    QTextCursor cursor(e->document());
    cursor.setPosition(found.selectionStart());
    e->setTextCursor(cursor);
  }
  void end_of_line(int line) const {
    editor->go_to(line);
    editor->moveCursor(QTextCursor::EndOfLine);
  }
  void new_line_after(int line, const QString& text) const {
    end_of_line(line);
    key(Qt::Key_Return);
    type(text);
  }
  void undo_all() const {
    while (editor->document()->isUndoAvailable()) key(Qt::Key_Z, Qt::ControlModifier);
  }
};

}  // namespace

class EditorTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void completes_what_may_stand_there() {
    Fixture f;
    f.end_of_line(5);
    f.key(Qt::Key_Return);
    f.type(QStringLiteral("imm"));
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->assist().is_listing(), kLong);
    QVERIFY(f.editor->assist().listed().contains(QStringLiteral("immed")));
    for (const QString& one : f.editor->assist().listed())
      QVERIFY2(one.startsWith(QStringLiteral("imm")), qPrintable(one));
    f.key(Qt::Key_Tab);
    QVERIFY(!f.editor->assist().is_listing());
    QCOMPARE(f.editor->textCursor().block().text(), QStringLiteral("    immed"));
    // An argument takes registers that are declared, and no instruction; the form is shown meanwhile.
    f.type(QStringLiteral("["));
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->assist().signature().contains(QStringLiteral("immed")), kLong);
    f.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->assist().is_listing(), kLong);
    QVERIFY(f.editor->assist().listed().contains(QStringLiteral("total")));
    QVERIFY(!f.editor->assist().listed().contains(QStringLiteral("immed")));
    QTest::mouseClick(f.editor->viewport(), Qt::LeftButton, {}, f.editor->cursorRect().center());
    QVERIFY(!f.editor->assist().is_listing());
    f.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->assist().is_listing(), kLong);
    f.key(Qt::Key_Escape);
    QVERIFY(!f.editor->assist().is_listing());
    QVERIFY(f.editor->assist().signature().isEmpty());
    // The only one that is possible is written at once.
    f.type(QStringLiteral("tot"));
    f.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(f.editor->textCursor().block().text(), QStringLiteral("    immed[total"), kLong);
    // A number is not a name.
    f.type(QStringLiteral(", 12]"));
    f.caught_up();
    QVERIFY(!f.editor->assist().is_listing());
    QTRY_COMPARE_WITH_TIMEOUT(f.window->workspace().language().problems().size(), size_t{0}, kLong);
  }

  void a_word_that_is_typed_on_is_not_completed_into() {
    Fixture f;
    f.new_line_after(5, QStringLiteral("immed["));
    f.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->assist().is_listing(), kLong);
    QVERIFY(f.editor->assist().listed().size() > 1);
    // One is left that begins so: it is offered, and not written.
    f.type(QStringLiteral("tot"));
    f.caught_up();
    QCOMPARE(f.editor->textCursor().block().text(), QStringLiteral("    immed[tot"));
    QCOMPARE(f.editor->assist().listed(), QStringList{QStringLiteral("total")});
    f.type(QStringLiteral("al, 1]"));
    f.caught_up();
    QCOMPARE(f.editor->textCursor().block().text(), QStringLiteral("    immed[total, 1]"));
    // Nor when the keys are faster than the list.
    f.key(Qt::Key_Return);
    f.type(QStringLiteral("immed["));
    f.key(Qt::Key_Space, Qt::ControlModifier);
    f.type(QStringLiteral("tot"));
    f.caught_up();
    QCOMPARE(f.editor->textCursor().block().text(), QStringLiteral("    immed[tot"));
  }

  void repairs_a_line_and_undoes_it() {
    Fixture f;
    f.end_of_line(5);
    f.key(Qt::Key_Return);
    f.type(QStringLiteral("immed[totl, 7]"));
    f.key(Qt::Key_Escape);
    const QString wrong = f.editor->toPlainText();
    QTRY_VERIFY_WITH_TIMEOUT(!f.editor->repairable(6).empty(), kLong);
    f.key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(f.editor->textCursor().block().text(), QStringLiteral("    immed[total, 7]"));
    QTRY_COMPARE_WITH_TIMEOUT(f.window->workspace().language().problems().size(), size_t{0}, kLong);
    f.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.editor->toPlainText(), wrong);
    QTRY_VERIFY_WITH_TIMEOUT(!f.window->workspace().language().problems().empty(), kLong);
  }

  void goes_to_definitions_and_back() {
    Fixture f;
    f.at(QStringLiteral("add_to"));
    const int from = f.editor->current_line_number();
    f.key(Qt::Key_F12);
    CodeEditor* part = f.window->texts().current_editor();
    QCOMPARE(part->path(), f.part);
    QCOMPARE(part->textCursor().block().text(), QStringLiteral("#macro add_to(sum, what)"));
    QTest::keyClick(part, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(f.window->texts().current_editor(), f.editor);
    QCOMPARE(f.editor->current_line_number(), from);
    f.key(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(f.window->texts().current_editor(), part);
    QCOMPARE(part->current_line_number(), 2);
  }

  void lists_references() {
    Fixture f;
    f.at(QStringLiteral("total, 0"));
    f.key(Qt::Key_F12, Qt::ShiftModifier);
    auto* table = f.window->view(QStringLiteral("references"))->findChild<QTableView*>();
    QVERIFY(table->isVisible());
    // The declaration, one immed, and both calls.
    QStringList places;
    for (int row = 0; row < table->model()->rowCount(); ++row)
      places << table->model()->index(row, PlacesModel::kPlace).data().toString();
    QCOMPARE(places, (QStringList{QStringLiteral("main.uc:2"), QStringLiteral("main.uc:4"), QStringLiteral("main.uc:6"),
                                  QStringLiteral("main.uc:7")}));
    QCOMPARE(f.window->view(QStringLiteral("references"))->findChild<QLabel*>()->text(),
             QStringLiteral("register total: 4 places"));
    QCOMPARE(table->model()->index(1, PlacesModel::kKind).data().toString(), QStringLiteral("writes"));
    table->selectRow(2);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(f.editor->current_line_number(), 6);
    QCOMPARE(f.editor->textCursor().positionInBlock(), 7);
  }

  void renames_in_all_files() {
    Fixture f;
    f.at(QStringLiteral("add_to"));
    f.key(Qt::Key_F2);
    auto* field = f.editor->findChild<QLineEdit*>(QStringLiteral("rename"));
    QVERIFY(field != nullptr);
    QCOMPARE(field->text(), QStringLiteral("add_to"));
    QTest::keyClicks(field, QStringLiteral("accumulate"));
    QTest::keyClick(field, Qt::Key_Return);
    QString main = QString::fromUtf8(kMain), part = QString::fromUtf8(kPart);
    QCOMPARE(f.editor->toPlainText(), main.replace(QStringLiteral("add_to"), QStringLiteral("accumulate")));
    CodeEditor* other = f.window->open_file(f.part);
    QCOMPARE(other->toPlainText(), part.replace(QStringLiteral("add_to"), QStringLiteral("accumulate")));
    QVERIFY(other->document()->isModified());
    QCOMPARE(read(f.part), QByteArray(kPart));  // nothing is saved
    f.window->open_file(f.main);
    f.caught_up();
    QTRY_COMPARE_WITH_TIMEOUT(f.window->workspace().language().problems().size(), size_t{0}, kLong);
    // A name that is taken is refused, and nothing changes.
    const QString before = f.editor->toPlainText();
    f.at(QStringLiteral("step"));
    f.key(Qt::Key_F2);
    field = nullptr;
    for (QLineEdit* one : f.editor->findChildren<QLineEdit*>(QStringLiteral("rename")))
      if (one->isVisible()) field = one;
    QVERIFY(field != nullptr);
    QTest::keyClicks(field, QStringLiteral("total"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(f.editor->toPlainText(), before);
    QVERIFY2(f.window->statusBar()->currentMessage().contains(QStringLiteral("not renamed")),
             qPrintable(f.window->statusBar()->currentMessage()));
    // Undo brings the first name back, one step a text.
    f.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.editor->toPlainText(), QString::fromUtf8(kMain));
    other->document()->setModified(false);
    f.editor->document()->setModified(false);
  }

  // Nobody watches a file that is in no tab; its places are those of before.
  void renames_nothing_in_a_file_that_has_changed_meanwhile() {
    Fixture f;
    const auto rename = [&] {
      f.editor->setFocus();
      f.at(QStringLiteral("add_to"));
      f.key(Qt::Key_F2);
      QLineEdit* field = nullptr;
      for (QLineEdit* one : f.editor->findChildren<QLineEdit*>(QStringLiteral("rename")))
        if (one->isVisible()) field = one;
      QVERIFY(field != nullptr);
      QTest::keyClicks(field, QStringLiteral("plus"));
      QTest::keyClick(field, Qt::Key_Return);
    };
    const QByteArray theirs = QByteArray("// theirs\n") + kPart;
    write(f.part, theirs);
    rename();
    const QString said = f.window->statusBar()->currentMessage();
    QVERIFY2(said.contains(QStringLiteral("not renamed: part.uc has changed")), qPrintable(said));
    QCOMPARE(f.editor->toPlainText(), QString::fromUtf8(kMain));
    QCOMPARE(f.window->open_file(f.part)->toPlainText().toUtf8(), theirs);
    // The index has it a moment later.
    f.window->open_file(f.main);
    QTRY_VERIFY(f.window->open_file(f.part)->is_current());
    f.window->open_file(f.main);
    f.caught_up();
    rename();
    QCOMPARE(f.editor->toPlainText(),
             QString::fromUtf8(kMain).replace(QStringLiteral("add_to"), QStringLiteral("plus")));
    CodeEditor* part = f.window->open_file(f.part);
    QCOMPARE(part->toPlainText().toUtf8(), QByteArray(theirs).replace("add_to", "plus"));
    part->document()->setModified(false);
    f.editor->document()->setModified(false);
  }

  void formats_in_one_step() {
    Fixture f(QByteArray(".reg   total\n  immed[total,0]\n\n\n\nnop\n    ctx_arb[ kill ]\n"));
    const QString before = f.editor->toPlainText();
    f.key(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    const QString after = f.editor->toPlainText();
    QVERIFY(after != before);
    QVERIFY(after.contains(QStringLiteral("    immed[total, 0]\n")));
    QVERIFY(!after.contains(QStringLiteral("\n\n\n")));
    f.key(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(f.editor->toPlainText(), after);
    f.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.editor->toPlainText(), before);
  }

  void folds_macros_and_shows_what_is_gone_to() {
    Fixture f;
    CodeEditor* part = f.window->open_file(f.part);
    QTRY_VERIFY_WITH_TIMEOUT(part->is_current(), kLong);
    part->go_to(3);
    QTest::keyClick(part, Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(part->is_folded(2));
    QCOMPARE(part->current_line_number(), 2);
    QVERIFY(!part->document()->findBlockByNumber(2).isVisible());
    QVERIFY(part->document()->findBlockByNumber(1).isVisible());
    part->go_to(4);
    QVERIFY(!part->is_folded(2));
    QVERIFY(part->document()->findBlockByNumber(3).isVisible());
  }

  void a_change_on_the_disk_takes_no_edits() {
    Fixture f;
    f.new_line_after(3, QStringLiteral("// mine"));
    const QString mine = f.editor->toPlainText();
    const QByteArray theirs = kMain + "// theirs\n";
    write(f.main, theirs);
    Texts& texts = f.window->texts();
    QTRY_VERIFY_WITH_TIMEOUT(texts.question().contains(QStringLiteral("main.uc")), kLong);
    QCOMPARE(f.editor->toPlainText(), mine);
    // Neither is written over without an answer.
    f.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(f.main), theirs);
    QVERIFY(f.editor->document()->isModified());
    QPushButton *keep = nullptr, *take = nullptr;
    for (QPushButton* button : texts.findChildren<QPushButton*>()) {
      if (button->text().contains(QStringLiteral("mine"))) keep = button;
      if (button->text().contains(QStringLiteral("Read the file"))) take = button;
    }
    QVERIFY(keep && take);
    QTest::mouseClick(take, Qt::LeftButton);
    QCOMPARE(f.editor->toPlainText().toUtf8(), theirs);
    QVERIFY(texts.question().isEmpty());
    f.key(Qt::Key_Z, Qt::ControlModifier);  // the edits are one step back
    QCOMPARE(f.editor->toPlainText(), mine);
    f.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(f.main), mine.toUtf8());
    // A text without edits follows the file.
    write(f.main, kMain);
    QTRY_COMPARE_WITH_TIMEOUT(f.editor->toPlainText(), QString::fromUtf8(kMain), kLong);
    QVERIFY(!f.editor->document()->isModified());
  }

  void a_file_that_goes_and_comes_back_is_not_written_over() {
    Fixture f;
    Texts& texts = f.window->texts();
    const auto asks = [&](const char* what) { return texts.question().contains(QLatin1String(what)); };
    QVERIFY(QFile::remove(f.main));
    QTRY_VERIFY(asks("no longer on the disk"));
    // Who deletes a file does not find it again after a run.
    QVERIFY(!texts.save_all());
    QVERIFY(!QFile::exists(f.main));
    QVERIFY(asks("no longer on the disk"));
    // It is back, and another one, before anybody has told so: nothing is written.
    const QByteArray theirs = kMain + "// theirs\n";
    write(f.main, theirs);
    QVERIFY(texts.save_all());
    QCOMPARE(read(f.main), theirs);
    QCOMPARE(f.editor->toPlainText().toUtf8(), theirs);
    QVERIFY(texts.question().isEmpty() && !f.editor->document()->isModified());
    // With changes here the bar asks as soon as it is back, also when the text was kept without a file.
    QVERIFY(QFile::remove(f.main));
    QTRY_VERIFY(asks("no longer on the disk"));
    for (QPushButton* button : texts.findChildren<QPushButton*>())
      if (button->text().contains(QStringLiteral("Keep it here"))) QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(texts.question().isEmpty() && f.editor->document()->isModified());
    write(f.main, kMain);
    QTRY_VERIFY(asks("changed on the disk"));
    f.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(f.main), kMain);
    QVERIFY(f.editor->document()->isModified());
  }

  // As a stop of the machine does, in a text that was not open yet, while the question is there.
  void a_text_may_open_while_another_one_closes() {
    Fixture f;
    Texts& texts = f.window->texts();
    f.new_line_after(3, QStringLiteral("// mine"));
    const QString mine = f.editor->toPlainText();
    QVERIFY(with_dialog<QMessageBox>([&] { f.window->action(QStringLiteral("close_text"))->trigger(); },
                                     [&](QMessageBox& box) {
                                       texts.put_on_side(f.window->open_file(f.part), 1);
                                       f.window->open_file(f.part);
                                       QTest::mouseClick(box.button(QMessageBox::Save), Qt::LeftButton);
                                     }));
    QCOMPARE(read(f.main), mine.toUtf8());
    QCOMPARE(texts.all().size(), size_t{1});
    QCOMPARE(texts.all().front().path, f.part);
    QCOMPARE(texts.tabs()->count(), 1);
    QCOMPARE(texts.tabs()->tabToolTip(0), f.part);
  }

  void changes_come_back_after_a_crash() {
    QTemporaryDir copies;
    const Autosave autosave(copies.filePath(QStringLiteral("autosave")));
    Fixture f;
    f.window->texts().set_autosave(autosave, 10);
    f.end_of_line(3);
    f.key(Qt::Key_Return);
    f.type(QStringLiteral("// never saved"));
    const QString mine = f.editor->toPlainText();
    QTRY_VERIFY_WITH_TIMEOUT(autosave.read(f.main) && autosave.read(f.main)->text == mine, kLong);
    // The window goes without asking, as a crash does.
    f.window.reset();
    QVERIFY(autosave.read(f.main));
    MainWindow again(Theme::light);
    again.show();
    again.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&again, kLong));
    again.texts().set_autosave(autosave, 10);
    QVERIFY(again.open_project(f.folder.path()));
    CodeEditor* editor = again.open_file(f.main);
    QCOMPARE(editor->toPlainText(), QString::fromUtf8(kMain));
    QVERIFY(!again.texts().question().isEmpty());
    for (QPushButton* button : again.texts().findChildren<QPushButton*>())
      if (button->text().contains(QStringLiteral("Bring"))) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(editor->toPlainText(), mine);
    QVERIFY(editor->document()->isModified());
    // A text that is saved has no copy.
    QTest::keyClick(editor, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!editor->document()->isModified());
    QVERIFY(!autosave.read(f.main));
  }

  void a_copy_of_a_crash_waits_for_its_answer() {
    QTemporaryDir copies;
    const Autosave autosave(copies.filePath(QStringLiteral("autosave")));
    const QString lost = QString::fromLatin1(kPart) + QStringLiteral("// never saved\n");
    Fixture f;
    Texts& texts = f.window->texts();
    texts.set_autosave(autosave, 10);
    QVERIFY(autosave.write(f.part, lost, QByteArray(kPart)));
    CodeEditor* part = f.window->open_file(f.part);
    const auto asks = [&] { return texts.question().contains(QStringLiteral("never saved")); };
    const auto is_kept = [&] { return autosave.read(f.part) && autosave.read(f.part)->text == lost; };
    QVERIFY(asks());
    // Saving other changes, taking them back, closing: none of it is an answer.
    QTest::keyClicks(part, QStringLiteral("//"));
    QTest::keyClick(part, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!part->document()->isModified());
    QVERIFY(read(f.part).startsWith("//// Adds."));
    QVERIFY(asks() && is_kept());
    QTest::keyClicks(part, QStringLiteral("x"));
    QTest::keyClick(part, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!part->document()->isModified());
    QVERIFY(asks() && is_kept());
    // Another question comes first, and this one after it.
    QTest::keyClicks(part, QStringLiteral("x"));
    write(f.part, QByteArray(kPart) + "// theirs\n");
    QTRY_VERIFY(texts.question().contains(QStringLiteral("changed on the disk")));
    const auto answer = [&](const char* what) {
      for (QPushButton* button : texts.findChildren<QPushButton*>())
        if (button->text().contains(QLatin1String(what))) return QTest::mouseClick(button, Qt::LeftButton);
    };
    answer("Read the file");
    QVERIFY(asks() && is_kept());
    QVERIFY(texts.close(texts.tabs()->currentIndex()));
    QVERIFY(is_kept());
    part = f.window->open_file(f.part);
    QVERIFY(asks());
    answer("Bring them back");
    QCOMPARE(part->toPlainText(), lost);
    QTest::keyClick(part, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!autosave.read(f.part));
  }

  void finds_and_replaces_in_the_text() {
    Fixture f;
    f.editor->moveCursor(QTextCursor::Start);
    f.key(Qt::Key_H, Qt::ControlModifier);
    auto* bar = f.window->findChild<FindBar*>();
    QVERIFY(bar->isVisible());
    QLineEdit *what = nullptr, *with = nullptr;
    for (QLineEdit* line : bar->findChildren<QLineEdit*>())
      (line->accessibleName() == QStringLiteral("Find") ? what : with) = line;
    QVERIFY(what && with && what->hasFocus());
    QTest::keyClicks(what, QStringLiteral("TOTAL"));
    QCOMPARE(f.editor->textCursor().selectedText(), QStringLiteral("total"));
    QCOMPARE(f.editor->current_line_number(), 2);
    QTest::keyClick(what, Qt::Key_Return);
    QCOMPARE(f.editor->current_line_number(), 4);
    QTest::keyClick(what, Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(f.editor->current_line_number(), 2);
    QTest::keyClicks(with, QStringLiteral("sum"));
    QTest::keyClick(with, Qt::Key_Return);
    QCOMPARE(f.editor->document()->findBlockByNumber(1).text(), QStringLiteral(".reg sum step"));
    QCOMPARE(f.editor->current_line_number(), 4);
    for (QToolButton* button : bar->findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("Replace all")) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(f.editor->toPlainText(), QString::fromUtf8(kMain).replace(QStringLiteral("total"), QStringLiteral("sum")));
    // A group of an expression, whole words only; a broken expression finds nothing and says so.
    f.undo_all();
    for (QToolButton* button : bar->findChildren<QToolButton*>())
      if (button->accessibleName() == QStringLiteral("Regular expression")) QTest::mouseClick(button, Qt::LeftButton);
    what->clear();
    QTest::keyClicks(what, QStringLiteral("add_to\\((\\w+), (\\w+)\\)"));
    with->clear();
    QTest::keyClicks(with, QStringLiteral("add_to(\\2, \\1)"));
    QTest::keyClick(with, Qt::Key_Return);
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("add_to(step, total)\nadd_to(total, step)")));
    what->clear();
    QTest::keyClicks(what, QStringLiteral("(("));
    QTest::keyClick(what, Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
    QVERIFY(f.editor->hasFocus());
    f.editor->document()->setModified(false);
  }

  void finds_and_replaces_in_all_texts() {
    Fixture f;
    f.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QWidget* view = f.window->view(QStringLiteral("find"));
    QLineEdit *what = nullptr, *with = nullptr;
    for (QLineEdit* line : view->findChildren<QLineEdit*>())
      (line->accessibleName() == QStringLiteral("Find in all texts") ? what : with) = line;
    QVERIFY(what && with);
    QTRY_VERIFY(what->hasFocus());
    QTest::keyClicks(what, QStringLiteral("add_to"));
    QTest::keyClick(what, Qt::Key_Return);
    auto* table = view->findChild<QTableView*>();
    const auto said = [view] {
      QString all;
      for (const QLabel* label : view->findChildren<QLabel*>()) all += label->text();
      return all;
    };
    QTRY_VERIFY_WITH_TIMEOUT(said().startsWith(QStringLiteral("3 places in 2 of ")), kLong);
    QCOMPARE(table->model()->rowCount(), 3);
    QTest::keyClicks(with, QStringLiteral("plus"));
    QPushButton* replace = nullptr;
    for (QPushButton* button : view->findChildren<QPushButton*>())
      if (button->text() == QStringLiteral("Replace all")) replace = button;
    QVERIFY(replace != nullptr);
    // One place has changed since: nothing is replaced anywhere.
    f.editor->setFocus();
    f.at(QStringLiteral("add_to"));
    f.type(QStringLiteral("x"));
    QTest::mouseClick(replace, Qt::LeftButton);
    QVERIFY(!f.editor->toPlainText().contains(QStringLiteral("plus")));
    f.undo_all();
    QTest::mouseClick(replace, Qt::LeftButton);
    QVERIFY2(f.window->statusBar()->currentMessage().startsWith(QStringLiteral("3 places")),
             qPrintable(f.window->statusBar()->currentMessage()));
    QCOMPARE(f.editor->toPlainText(),
             QString::fromUtf8(kMain).replace(QStringLiteral("add_to"), QStringLiteral("plus")));
    CodeEditor* part = f.window->open_file(f.part);
    QCOMPARE(part->toPlainText(), QString::fromUtf8(kPart).replace(QStringLiteral("add_to"), QStringLiteral("plus")));
    QCOMPARE(read(f.part), QByteArray(kPart));
    part->document()->setModified(false);
    f.editor->document()->setModified(false);
  }

  void tells_the_value_of_a_register() {
    Fixture f(
        QByteArray(".reg total step base\n"
                   ".reg write $out\n"
                   ".sig done\n"
                   "    immed[total, 5]\n"
                   "    immed[step, 3]\n"
                   "    alu[total, total, +, step]\n"
                   "    immed[base, 0x100]\n"
                   "    alu[$out, --, B, total]\n"
                   "    scratch[write, $out, base, 0, 1], ctx_swap[done]\n"
                   "    ctx_arb[kill]\n"));
    f.editor->go_to(8);
    f.key(Qt::Key_F8);
    f.key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(f.window->workspace().target()->stopped_at().has_value(), kLong);
    f.at(QStringLiteral("total]"));
    const QPoint at = f.editor->viewport()->mapTo(f.editor, f.editor->cursorRect().center() + QPoint(6, 0));
    QHelpEvent help(QEvent::ToolTip, at, f.editor->mapToGlobal(at));
    QApplication::sendEvent(f.editor, &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("total")), qPrintable(QToolTip::text()));
    QTRY_VERIFY_WITH_TIMEOUT(QToolTip::text().contains(QStringLiteral("0x8 = 8")), kLong);
    QToolTip::hideText();
  }

  void keeps_line_ends_and_opens_only_texts() {
    Fixture f(QByteArray(kMain).replace("\n", "\r\n"));
    f.end_of_line(3);
    f.type(QStringLiteral(" // "));
    f.editor->insertPlainText(QStringLiteral("é"));  // QTest has no key for it
    f.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(f.main), QByteArray(kMain).replace(".sig done\n", ".sig done // é\n").replace("\n", "\r\n"));
    const QString odd = f.folder.filePath(QStringLiteral("odd.uc"));
    write(odd, QByteArray("nop // \xff\xfe\n"));
    QVERIFY(f.window->open_file(odd) == nullptr);
    QVERIFY(f.window->statusBar()->currentMessage().contains(QStringLiteral("odd.uc")));
  }

  // Mixed line ends, a byte order mark, a no-break space: what is not typed over stays as it was.
  void keeps_what_texts_do_not_show() {
    const QByteArray mixed = "\xEF\xBB\xBF" + QByteArray(kMain)
                                                  .replace(".reg total step\n", ".reg total step // \xC2\xA0\r\n")
                                                  .replace("    ctx_arb[kill]\n", "    ctx_arb[kill]\r\n");
    Fixture f(mixed);
    QVERIFY(!f.window->workspace().language().problems().has_errors());
    Texts& texts = f.window->texts();
    QCOMPARE(Texts::octets_of(*texts.current()), mixed);
    QVERIFY(!f.editor->document()->isModified() && !f.editor->document()->isUndoAvailable());
    // A new line ends as the one that it was split from; what goes comes back as it was.
    f.new_line_after(3, QStringLiteral("// a"));
    f.new_line_after(2, QStringLiteral("// b"));
    f.caught_up();
    const QByteArray edited =
        QByteArray(mixed).replace(".sig done\n", ".sig done\n// a\n").replace("\xC2\xA0\r\n", "\xC2\xA0\r\n// b\r\n");
    QCOMPARE(Texts::octets_of(*texts.current()), edited);
    f.editor->selectAll();
    f.key(Qt::Key_Delete);
    QCOMPARE(Texts::octets_of(*texts.current()), QByteArray("\xEF\xBB\xBF"));
    f.key(Qt::Key_Z, Qt::ControlModifier);
    f.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(f.main), edited);
    // Ends alone may change on the disk.
    const QByteArray other = QByteArray(edited).replace("\r\n", "\n").replace("immed[step, 3]\n", "immed[step, 3]\r\n");
    write(f.main, other);
    QTRY_COMPARE(Texts::octets_of(*texts.current()), other);
    f.end_of_line(1);
    f.type(QStringLiteral(" "));
    QCOMPARE(Texts::octets_of(*texts.current()),
             QByteArray(other).replace("#include \"part.uc\"", "#include \"part.uc\" "));
    // Shift+Enter makes a line like any other.
    const int lines = f.editor->blockCount();
    for (const Qt::KeyboardModifiers& with :
         {Qt::KeyboardModifiers(Qt::ShiftModifier), Qt::KeyboardModifiers(Qt::ShiftModifier | Qt::KeypadModifier)}) {
      f.end_of_line(4);
      f.key(with.testFlag(Qt::KeypadModifier) ? Qt::Key_Enter : Qt::Key_Return, with);
    }
    QCOMPARE(f.editor->blockCount(), lines + 2);
    QVERIFY(!f.editor->toPlainText().contains(QChar(QChar::LineSeparator)));
    f.editor->document()->setModified(false);
  }

  void knows_the_last_projects() {
    QString folder;
    {
      Fixture f;
      folder = f.folder.path();
    }
    Fixture second;
    QMenu* recent = nullptr;
    for (QMenu* menu : second.window->findChildren<QMenu*>())
      if (menu->title().contains(QStringLiteral("recent"))) recent = menu;
    QVERIFY(recent != nullptr);
    Q_EMIT recent->aboutToShow();
    QVERIFY(recent->actions().size() >= 2);
    QCOMPARE(recent->actions()[0]->text(), second.folder.path());
    QCOMPARE(recent->actions()[1]->text(), folder);
    QVERIFY(!recent->actions()[1]->isEnabled());  // its folder is gone
  }

  void watching_for_other_things_takes_no_edits() {
    Fixture f;
    f.new_line_after(3, QStringLiteral("// mine"));
    const QString mine = f.editor->toPlainText();
    auto observation = f.window->workspace().observation();
    observation.coverage = !observation.coverage;
    f.window->workspace().set_observation(observation);
    QCOMPARE(f.window->open_file(f.main), f.editor);
    QCOMPARE(f.editor->toPlainText(), mine);
    QVERIFY(f.editor->document()->isModified());
    QTRY_VERIFY_WITH_TIMEOUT(f.window->workspace().target()->state() == State::stopped, kLong);
    f.editor->document()->setModified(false);
  }

  void zooms_by_keys() {
    Fixture f;
    const int before = f.editor->font().pointSize();
    f.key(Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(f.editor->font().pointSize(), before + 1);
    f.key(Qt::Key_Minus, Qt::ControlModifier);
    f.key(Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(f.editor->font().pointSize(), before - 1);
    f.key(Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(f.editor->font().pointSize(), 10);
  }
};

WEFT_IDE_TEST_MAIN(EditorTest)
#include "editor_test.moc"
