// Breakpoints by clicks and keys: of every kind, what is wrong with them before they are taken, where they go when the
// text changes, and where they are kept.
#include <QListWidget>
#include <QRadioButton>
#include <set>
#include <string>

#include "debug_fixture.h"
#include "own_settings_test.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

// The same program on a microengine of each chip, and another one that only the second chip runs.
struct TwoChips : Fixture {
  QString other;
  TwoChips() {
    other = folder.filePath(QStringLiteral("q.uc"));
    write(other, ".reg n\nimmed[n, 1]\nmore#:\nalu[n, n, +, 1]\nctx_arb[kill]\n");
    write(folder.filePath(QStringLiteral("weft.json")),
          R"({"version": 1, "board": "itj-dual-2400", "programs": [
              {"source": "p.uc", "chip": "ingress", "engines": [0]},
              {"source": "p.uc", "chip": "egress", "engines": [0]},
              {"source": "q.uc", "chip": "egress", "engines": [1]}]})");
    start();
    built();
  }
};

}  // namespace

class BreakpointsTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void words_for_breakpoints() {
    for (size_t i = 0; i < breakpoint_choices().size(); ++i) {
      Breakpoint b;
      set_target(b, breakpoint_choices()[i], QStringLiteral("3"));
      QCOMPARE(choice_of(b), i);
      QCOMPARE(field_of(b), QStringLiteral("3"));
      QCOMPARE(b.kind, breakpoint_choices()[i].kind);
      set_target(b, breakpoint_choices()[i], QStringLiteral("egress: 3"));
      QCOMPARE(choice_of(b), i);
      QCOMPARE(field_of(b), QStringLiteral("egress: 3"));
    }
    Breakpoint b;
    b.target = "egress: forward.uc:120";
    QCOMPARE(file_place(b).line, 120);
    QVERIFY(is_in_file(b, QStringLiteral("/a/forward.uc")));
    QVERIFY(!is_in_file(b, QStringLiteral("/a/backforward.uc")));
    set_line(b, 7);
    QCOMPARE(b.target, std::string("egress: forward.uc:7"));
    b.target = "loop#";
    QVERIFY(file_place(b).file.isEmpty());
  }

  void a_line_without_an_instruction_gives_it_to_the_next() {
    Fixture f;
    f.built();
    const auto at = [&](size_t which) { return file_place(f.breakpoints()[which]).line; };
    f.editor->go_to(5);
    f.key(Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints().size() == 1 && at(0) == 8, kLong);
    QVERIFY2(f.status().contains(QStringLiteral("the breakpoint is at the next line that does: 8")),
             qPrintable(f.status()));
    QVERIFY(f.breakpoints()[0].problem.empty() && f.breakpoints()[0].id != 0);
    QVERIFY(f.workspace().problems().empty());
    // Where there is one already, it is the one.
    f.editor->go_to(6);
    f.key(Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.status().contains(QStringLiteral("there is a breakpoint at the next line")), kLong);
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    f.move(Qt::Key_F5);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 8u);
    // After the last instruction it stays, and says why; the problem goes with it.
    f.editor->go_to(18);
    f.key(Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints().size() == 2 && !f.breakpoints()[1].problem.empty(), kLong);
    QCOMPARE(at(1), 18);
    QTRY_COMPARE(f.workspace().problems().size(), size_t{1});
    f.key(Qt::Key_F8);
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    QTRY_VERIFY_WITH_TIMEOUT(f.workspace().problems().empty(), kLong);
    // While the text is another one than runs, its lines mean others: nothing moves before the next build.
    f.editor->setFocus();
    f.editor->go_to(7);
    QTest::keyClick(f.editor, Qt::Key_End);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTest::keyClicks(f.editor, QStringLiteral("; more"));
    QTRY_COMPARE(at(0), 9);
    f.editor->go_to(5);
    f.key(Qt::Key_F8);
    QTRY_COMPARE(f.breakpoints().size(), size_t{2});
    QTRY_VERIFY_WITH_TIMEOUT(!f.breakpoints()[1].problem.empty(), kLong);
    QCOMPARE(at(1), 5);
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy() && f.breakpoints().size() == 1 && at(0) == 9, kLong);
    QVERIFY(f.workspace().problems().empty());
  }

  void lines_of_an_edited_text_are_those_of_the_program_that_runs() {
    Fixture f;
    f.built();
    while (f.target()->present() == 0) f.move(Qt::Key_F9);  // it has run: to run on builds nothing
    f.editor->setFocus();
    f.editor->go_to(1);
    QTest::keyClick(f.editor, Qt::Key_Return);
    f.editor->go_to(16);
    f.key(Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints().size() == 1 && f.breakpoints()[0].id != 0, kLong);
    f.move(Qt::Key_F5);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QCOMPARE(file_place(f.breakpoints()[0]).line, 16);
    f.key(Qt::Key_F8);
    QTRY_VERIFY(f.breakpoints().empty());
    // To the cursor too: the write is at 14 in the program, at 15 here.
    f.editor->go_to(15);
    f.move(Qt::Key_F10, Qt::ControlModifier);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 14u);
    // What the program does not have waits for the build, and is there after it.
    f.editor->setFocus();
    f.editor->go_to(16);
    QTest::keyClick(f.editor, Qt::Key_End);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTest::keyClicks(f.editor, QStringLiteral("alu[temp, temp, +, 1]"));
    const uint64_t cycle = f.target()->view()->cycle;
    f.key(Qt::Key_F10, Qt::ControlModifier);
    QTRY_VERIFY2(f.status().contains(QStringLiteral("newer than the program that runs")), qPrintable(f.status()));
    QCOMPARE(f.target()->view()->cycle, cycle);
    f.key(Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints().size() == 1 && !f.breakpoints()[0].problem.empty(), kLong);
    QCOMPARE(f.breakpoints()[0].id, 0u);
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy() && f.breakpoints()[0].id != 0, kLong);
    f.move(Qt::Key_F5);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 17u);
  }

  void a_place_that_two_chips_have_stops_in_both() {
    TwoChips f;
    Breakpoint b;
    b.target = "q.uc:4";
    f.target()->run_to(b);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.target()->stopped_at()->chip, 1u);
    QCOMPARE(f.target()->stopped_at()->engine, 1u);
    f.editor = f.window->open_file(f.path);
    f.editor->go_to(15);
    f.key(Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints().size() == 1 && f.breakpoints()[0].id != 0, kLong);
    QCOMPARE(place_text(f.breakpoints()[0]), QStringLiteral("2 words in ingress me0 egress me0"));
    std::set<unsigned> chips;
    uint64_t stops = 0;
    for (; chips.size() < 2 && stops < 20; ++stops) {
      f.move(Qt::Key_F5);
      QVERIFY(f.target()->stopped_at());
      QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
      chips.insert(f.target()->stopped_at()->chip);
    }
    QCOMPARE(chips.size(), size_t{2});
    QTRY_VERIFY(f.breakpoints()[0].hits >= stops);
    // It goes in both.
    f.key(Qt::Key_F8);
    QTRY_VERIFY(f.breakpoints().empty());
    const uint64_t later = f.target()->view()->cycle + 100;
    f.target()->run_until(std::to_string(later) + " cycles");
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->view()->cycle, later, kLong);
  }

  void a_breakpoint_of_the_second_chip_is_shown_in_its_text() {
    TwoChips f;
    f.show("breakpoints");
    Breakpoint b;
    // Microengine 1 of the first chip has no program.
    b.target = "egress: more#";
    f.workspace().add_breakpoint(b);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[0].id != 0, kLong);
    QCOMPARE(place_text(f.breakpoints()[0]), QStringLiteral("a word in egress me1"));
    f.table()->selectRow(0);
    for (QAction* action : f.window->view(QStringLiteral("breakpoints"))->findChildren<QAction*>())
      if (action->text() == QStringLiteral("Show the place")) action->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(f.window->texts().current_editor()->path(), f.other, kLong);
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 4);
  }

  void the_dialog_tells_chips_apart() {
    TwoChips f;
    f.key(Qt::Key_F8, Qt::ShiftModifier);
    BreakpointDialog* dialog = f.dialog();
    QVERIFY(dialog != nullptr && QTest::qWaitForWindowExposed(dialog, kLong));
    type(field(dialog, "Place"), QStringLiteral("p.uc:15"));
    for (auto* one : dialog->findChildren<QRadioButton*>())
      if (one->text() == QStringLiteral("onl&y")) one->setChecked(true);
    auto* engines = dialog->findChild<QListWidget*>();
    const auto check = [&](const char* name, Qt::CheckState state) {
      const auto found = engines->findItems(QLatin1String(name), Qt::MatchStartsWith);
      QVERIFY2(!found.isEmpty(), name);
      found.front()->setCheckState(state);
    };
    check("ingress me0", Qt::Checked);
    check("egress me1", Qt::Checked);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().contains(QStringLiteral("several chips")), kLong);
    check("egress me1", Qt::Unchecked);
    check("ingress me0", Qt::Unchecked);
    check("egress me0", Qt::Checked);
    QTest::keyClick(field(dialog, "Place"), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(f.breakpoints().size(), size_t{1}, kLong);
    QCOMPARE(f.breakpoints()[0].target, std::string("egress: p.uc:15"));
    QCOMPARE(f.breakpoints()[0].engines, std::vector<unsigned>{0});
    f.move(Qt::Key_F5);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.target()->stopped_at()->chip, 1u);
  }

  void the_model_keeps_its_promises() {
    Fixture f;
    BreakpointsModel model(f.workspace());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Breakpoint b;
    for (const char* target : {"p.uc:15", "loop#", "p.uc:14"}) {
      b.target = target;
      f.workspace().add_breakpoint(b);
    }
    QCOMPARE(model.rowCount(), 3);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[2].id != 0, kLong);
    QVERIFY(model.index(0, BreakpointsModel::kWhere).data().toString().contains(QStringLiteral("me0 me2")));
    f.workspace().remove_breakpoint(1);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("p.uc:14"));
    QVERIFY(model.setData(model.index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!f.breakpoints()[1].enabled);
    QVERIFY(model.index(1, 0).data(Qt::FontRole).value<QFont>().strikeOut());
    QVERIFY(!model.index(0, 0).data(Qt::FontRole).isValid());
    QVERIFY(!model.setData(model.index(1, 1), Qt::Unchecked, Qt::CheckStateRole));
    // Hits come from the run; what is not changed keeps them.
    f.target()->run();
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QTRY_COMPARE(model.index(0, BreakpointsModel::kHits).data().toULongLong(), qulonglong{1});
    QVERIFY(model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
    QTRY_VERIFY(f.breakpoints()[1].id != 0);
    QTest::qWait(20);
    QCOMPARE(model.index(0, BreakpointsModel::kHits).data().toULongLong(), qulonglong{1});
    // A place that this program does not have stays, and says why.
    b.target = "p.uc:18";
    f.workspace().add_breakpoint(b);
    QTRY_VERIFY_WITH_TIMEOUT(
        model.index(2, BreakpointsModel::kWhere).data().toString().contains(QStringLiteral("after the last one")),
        kLong);
  }

  void the_margin_has_a_menu() {
    Fixture f;
    f.workspace().cursor().set_context(ContextId{0, 2, 3});
    const QPoint at = f.editor->viewport()->mapTo(f.window.get(), QPoint(0, 0));
    const int y = f.editor->cursorRect(QTextCursor(f.editor->document()->findBlockByNumber(14))).center().y();
    QTest::mouseClick(f.window->windowHandle(), Qt::RightButton, {}, QPoint(at.x() - 30, at.y() + y));
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    QVERIFY(choose(QStringLiteral("Set one for me2.3 only")));
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(f.breakpoints()[0].target, std::string("p.uc:15"));
    QCOMPARE(f.breakpoints()[0].engines, std::vector<unsigned>{2});
    QCOMPARE(f.breakpoints()[0].contexts, 1u << 3);
    f.move(Qt::Key_F5);
    QVERIFY((f.target()->stopped_at() == ContextId{0, 2, 3}));
    QCOMPARE(f.line_of({0, 2, 3}), 15u);
    QCOMPARE(f.value("n", {0, 2, 3}), int64_t{4});
    QTest::mouseClick(f.window->windowHandle(), Qt::RightButton, {}, QPoint(at.x() - 30, at.y() + y));
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    QVERIFY(choose(QStringLiteral("Switch it off")));
    QTRY_VERIFY(!f.breakpoints()[0].enabled);
    // Without it the run goes to its end.
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::ended);
  }

  void the_dialog_says_what_is_wrong_before_it_closes() {
    Fixture f;
    f.key(Qt::Key_F8, Qt::ShiftModifier);
    BreakpointDialog* dialog = f.dialog();
    QVERIFY(dialog != nullptr);
    QVERIFY(QTest::qWaitForWindowExposed(dialog, kLong));
    auto* place = field(dialog, "Place");
    QVERIFY(place != nullptr);
    type(place, QStringLiteral("p.uc:15"));
    QLineEdit* condition = field(dialog, "always");
    QVERIFY(condition != nullptr);
    for (const auto& [text, says] :
         std::initializer_list<std::pair<const char*, const char*>>{{"n ==", "n =="}, {"nn == 3", "nn"}}) {
      type(condition, QLatin1String(text));
      QTest::keyClick(condition, Qt::Key_Return);
      QTRY_VERIFY_WITH_TIMEOUT(dialog->problem().contains(QLatin1String(says)), kLong);
      QVERIFY(dialog->isVisible());
      QVERIFY(f.breakpoints().empty());
    }
    type(condition, QStringLiteral("n == 2"));
    QTest::keyClick(condition, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(f.breakpoints().size(), size_t{1}, kLong);
    QTRY_VERIFY(f.dialog() == nullptr);
    f.move(Qt::Key_F5);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.value("n", *f.target()->stopped_at()), int64_t{2});
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
  }

  void the_dialog_makes_every_kind() {
    Fixture f;
    struct Case {
      const char *kind, *field, *text, *wrong;
    };
    for (const Case& c :
         {Case{"a register or memory is written", "Name", "scratch[0x40]", "scratch[0x100000]"},
          Case{"a signal is raised", "Signal", "me0.ctx1.done", "me0.ctx1.dome"},
          Case{"a frame leaves", "Port", "0", "99"}, Case{"a scratch ring is full", "Ring", "3", "16"},
          Case{"a context stalls for longer than so many cycles", "Whose, cycles", "* 20", "me0"},
          Case{"a register that nothing has written is read", "Whose", "*", "me99"},
          Case{"a register, memory, CSR or figure changes", "Name", "me0.csr.CTX_ENABLES", "me0.csr.NONE"},
          Case{"a condition becomes true", "Condition", "me0.ctx1.pc == 5", "me0.ctx1.pc =="}}) {
      const size_t before = f.breakpoints().size();
      f.key(Qt::Key_F8, Qt::ShiftModifier);
      BreakpointDialog* dialog = f.dialog();
      QVERIFY(dialog != nullptr);
      QVERIFY(QTest::qWaitForWindowExposed(dialog, kLong));
      auto* kind = dialog->findChild<QComboBox*>();
      kind->setFocus();
      QTest::keyClick(kind, Qt::Key_Home);
      for (int i = 0; i < kind->count() && kind->currentText() != QLatin1String(c.kind); ++i)
        QTest::keyClick(kind, Qt::Key_Down);
      QCOMPARE(kind->currentText(), QLatin1String(c.kind));
      QLineEdit* edit = field(dialog, c.field);
      QVERIFY2(edit != nullptr, c.field);
      type(edit, QLatin1String(c.wrong));
      QTest::keyClick(edit, Qt::Key_Return);
      QTRY_VERIFY_WITH_TIMEOUT(!dialog->problem().isEmpty(), kLong);
      QVERIFY(dialog->isVisible());
      type(edit, QLatin1String(c.text));
      QTest::keyClick(edit, Qt::Key_Return);
      QTRY_COMPARE_WITH_TIMEOUT(f.breakpoints().size(), before + 1, kLong);
      QTRY_VERIFY(f.dialog() == nullptr);
      QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints().back().id != 0, kLong);
    }
    // Escape takes nothing.
    f.key(Qt::Key_F8, Qt::ShiftModifier);
    QVERIFY(QTest::qWaitForWindowExposed(f.dialog(), kLong));
    QTest::keyClick(f.dialog(), Qt::Key_Escape);
    QTRY_VERIFY(f.dialog() == nullptr);
    QCOMPARE(f.breakpoints().size(), size_t{8});
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::stopped);
  }

  void the_table_by_keys() {
    Fixture f;
    f.show("breakpoints");
    Breakpoint b;
    b.target = "p.uc:15";
    f.workspace().add_breakpoint(b);
    b.target = "p.uc:14";
    b.log = "n is {n}";
    f.workspace().add_breakpoint(b);
    f.table()->selectRow(1);
    f.table()->setFocus();
    QTest::keyClick(f.table(), Qt::Key_Space);
    QTRY_VERIFY(!f.breakpoints()[1].enabled);
    QTest::keyClick(f.table(), Qt::Key_Space);
    QTRY_VERIFY(f.breakpoints()[1].enabled);
    QTest::keyClick(f.table(), Qt::Key_Return);
    QVERIFY(f.dialog() != nullptr);
    QVERIFY(QTest::qWaitForWindowExposed(f.dialog(), kLong));
    type(field(f.dialog(), "n is"), QStringLiteral("now {n}"));
    QTest::keyClick(f.dialog(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(f.breakpoints()[1].log, std::string("now {n}"), kLong);
    f.table()->selectRow(0);
    QTest::keyClick(f.table(), Qt::Key_Delete);
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    QStringList said;
    connect(f.target(), &Target::said, this, [&](const QString& text) { said << text; });
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::ended);  // logs do not stop
    QTRY_COMPARE(said.size(), 2 * 8 * 4);
    QVERIFY(said.contains(QStringLiteral("now 3")));
    QTRY_COMPARE(f.breakpoints()[0].hits, uint64_t{64});
  }

  void set_while_it_runs() {
    // It never ends by itself.
    Fixture f(".reg n\nimmed[n, 0]\nloop#:\nalu[n, n, +, 1]\nbr[loop#]\n");
    f.key(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->state(), State::running, kLong);
    f.editor->go_to(4);
    QTest::keyClick(f.window.get(), Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.target()->state(), State::stopped);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 4u);
  }

  void lines_follow_the_text() {
    Fixture f;
    Breakpoint b;
    for (const char* target : {"p.uc:8", "p.uc:15", "p.uc:16"}) {
      b.target = target;
      f.workspace().add_breakpoint(b);
    }
    const auto lines = [&] {
      QList<int> out;
      for (const Breakpoint& one : f.breakpoints()) out << file_place(one).line;
      return out;
    };
    f.editor->go_to(13);
    f.editor->setFocus();
    QTest::keyClick(f.editor, Qt::Key_Home);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QCOMPARE(lines(), (QList<int>{8, 17, 18}));
    // At the end of a line what follows moves, at the start the line itself.
    f.editor->go_to(17);
    QTest::keyClick(f.editor, Qt::Key_End);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QCOMPARE(lines(), (QList<int>{8, 17, 19}));
    QTest::keyClick(f.editor, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(lines(), (QList<int>{8, 17, 18}));
    // A line that is deleted takes its breakpoint along.
    f.editor->go_to(8);
    QTest::keyClick(f.editor, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(f.editor, Qt::Key_Delete);
    QCOMPARE(lines(), (QList<int>{16, 17}));
    QTest::keyClick(f.editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(lines(), (QList<int>{17, 18}));
    // The next run is of the new text, with the breakpoints there.
    f.move(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 17u);
    QCOMPARE(f.breakpoints()[0].words.size(), size_t{2});
  }

  // As after a git pull: each stretch moves what follows it, and takes along what is in it.
  void lines_follow_a_file_that_others_change() {
    Fixture f;
    Breakpoint b;
    for (const char* target : {"p.uc:2", "p.uc:8", "p.uc:9", "p.uc:15"}) {
      b.target = target;
      f.workspace().add_breakpoint(b);
    }
    const auto lines = [&] {
      QList<int> out;
      for (const Breakpoint& one : f.breakpoints()) out << file_place(one).line;
      return out;
    };
    f.editor->go_to(15, 3);
    QByteArray text = kProgram;
    text.replace(".reg write", "// added\n.reg write");
    text.replace("immed[temp, 0]\nimmed[zero, 0]\n", "");
    write(f.path, text);
    QTRY_COMPARE_WITH_TIMEOUT(f.editor->toPlainText().toUtf8(), text, kLong);
    QTRY_COMPARE(lines(), (QList<int>{2, 9, 14}));
    QCOMPARE(f.editor->line_of_built(15), 14);
    QCOMPARE(f.editor->current_line_number(), 14);
    // One step back.
    f.editor->undo();
    QCOMPARE(f.editor->toPlainText().toUtf8(), QByteArray(kProgram));
  }

  void files_of_the_same_name_are_told_apart() {
    Fixture f("#include \"part/p.uc\"\n.reg n\nimmed[n, 1]\nadd_one(n)\nctx_arb[kill]\n");
    QVERIFY(QDir(f.folder.path()).mkdir(QStringLiteral("part")));
    const QString part = f.folder.filePath(QStringLiteral("part/p.uc"));
    write(part, "// adds\n#macro add_one(x)\nalu[x, x, +, 1]\n#endm\n");
    f.start();
    QTRY_VERIFY_WITH_TIMEOUT(f.workspace().language().index_of(part) != nullptr, kLong);
    CodeEditor* other = f.window->open_file(part);
    other->go_to(3);
    f.key(Qt::Key_F8);
    QCOMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(f.breakpoints()[0].target, std::string("part/p.uc:3"));
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[0].id != 0, kLong);
    f.move(Qt::Key_F5);
    QCOMPARE(f.value("pc", *f.target()->stopped_at()), int64_t{1});  // not the line 3 of the other one
    f.key(Qt::Key_F8);
    QVERIFY(f.breakpoints().empty());
  }

  void breakpoints_are_kept_beside_the_project() {
    Fixture f(kProgram, true);
    const QString folder = f.folder.filePath(QStringLiteral(".weft"));
    QVERIFY(!QFile::exists(folder));  // nothing to keep, nothing written
    f.editor->go_to(15);
    f.key(Qt::Key_F8);
    QTRY_VERIFY(QFile::exists(folder + QStringLiteral("/ide.json")));
    QCOMPARE(read(folder + QStringLiteral("/.gitignore")), QByteArray("*\n"));
    Breakpoint b = f.breakpoints()[0];
    b.condition = "n == 3";
    b.contexts = 5;
    b.engines = {0};
    b.from_hit = 2;
    b.log = "{n}";
    b.enabled = false;
    f.workspace().change_breakpoint(0, b);
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[0].id != 0, kLong);
    // Who took the .gitignore away wants to share them.
    QVERIFY(QFile::remove(folder + QStringLiteral("/.gitignore")));
    f.workspace().add_breakpoint({});
    f.workspace().remove_breakpoint(1);
    f.start(true);
    QCOMPARE(f.breakpoints().size(), size_t{1});
    QTRY_VERIFY_WITH_TIMEOUT(f.breakpoints()[0].id != 0, kLong);
    QCOMPARE(f.breakpoints()[0].condition, b.condition);
    QCOMPARE(f.breakpoints()[0].contexts, 5u);
    QCOMPARE(f.breakpoints()[0].engines, std::vector<unsigned>{0});
    QCOMPARE(f.breakpoints()[0].from_hit, uint64_t{2});
    QCOMPARE(f.breakpoints()[0].log, b.log);
    QVERIFY(!f.breakpoints()[0].enabled);
    QVERIFY(!QFile::exists(folder + QStringLiteral("/.gitignore")));
    // A run changes nothing in the file.
    const QByteArray before = read(folder + QStringLiteral("/ide.json"));
    QVERIFY(QFile::remove(folder + QStringLiteral("/ide.json")));
    f.move(Qt::Key_F5);
    QVERIFY(!QFile::exists(folder + QStringLiteral("/ide.json")));
    // A file that nobody understands is said, and stays.
    write(folder + QStringLiteral("/ide.json"), "{\"version\": 1, \"breakpoints\": [{");
    f.start(true);
    QVERIFY2(f.status().contains(QStringLiteral("ide.json")), qPrintable(f.status()));
    QVERIFY(f.breakpoints().empty());
    const QByteArray broken = read(folder + QStringLiteral("/ide.json"));
    f.editor->go_to(15);
    f.key(Qt::Key_F8);
    QCOMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(read(folder + QStringLiteral("/ide.json")), broken);
    QVERIFY2(f.status().contains(QStringLiteral("not kept")), qPrintable(f.status()));
    QVERIFY(before.contains("n == 3"));
  }
};

WEFT_IDE_TEST_MAIN(BreakpointsTest)
#include "breakpoints_test.moc"
