// What goes wrong in the middle of a session, and layouts that outlive it: mistakes, faults, files and projects that go
// away.
#include <QJsonObject>
#include <QSpinBox>
#include <QTextCursor>

#include "debug_fixture.h"
#include "own_settings_test.h"

using namespace weft::ide;
using namespace weft::ide::test;

class MishapsTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void layouts_are_kept_and_can_be_reset() {
    {
      Fixture f(kProgram, true);
      f.window->layouts().reset();
      f.window->resize(1100, 720);
      auto* contexts = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("contexts")));
      QVERIFY(contexts->isVisible());
      contexts->close();
      f.window->close();
    }
    Fixture f(kProgram, true);
    auto* contexts = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("contexts")));
    QVERIFY(!contexts->isVisible());
    QCOMPARE(f.window->size(), QSize(1100, 720));
    f.window->action("layout_reset")->trigger();
    QTRY_VERIFY(contexts->isVisible());
    auto* registers = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("registers")));
    QVERIFY(registers->isVisible());
    f.key(Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(!registers->isVisible());
    f.key(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    auto* timeline = qobject_cast<QDockWidget*>(f.window->view(QStringLiteral("timeline")));
    QTRY_VERIFY(!timeline->visibleRegion().isEmpty());
    f.key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(registers->isVisible());
  }

  void checkpoints_are_chosen_and_kept() {
    const Checkpoints chosen{5000, 8};
    {
      Fixture f(kProgram, true);
      QVERIFY(f.workspace().checkpoints() == Checkpoints{});
      f.window->action("checkpoints")->trigger();
      auto* dialog = f.window->findChild<QDialog*>(QStringLiteral("checkpoints_dialog"));
      QVERIFY(dialog != nullptr && dialog->isVisible());
      for (const auto& [name, text] : {std::pair("checkpoint_cycles", "5000"), std::pair("checkpoint_most", "8")}) {
        auto* box = dialog->findChild<QSpinBox*>(QString::fromLatin1(name));
        QVERIFY(box != nullptr && !box->accessibleName().isEmpty());
        box->selectAll();
        QTest::keyClicks(box, QString::fromLatin1(text));
      }
      Target* before = f.target();
      QTest::keyClick(dialog, Qt::Key_Return);
      QTRY_VERIFY(f.workspace().checkpoints() == chosen);
      QVERIFY(f.target() != before);
      f.built();
      f.move(Qt::Key_F5);
      const uint64_t end = f.target()->view()->cycle;
      f.move(Qt::Key_F9, Qt::ShiftModifier);
      QVERIFY(f.target()->view()->cycle < end);
      f.window->close();
    }
    Fixture f(kProgram, true);
    QVERIFY(f.workspace().checkpoints() == chosen);
    user_settings().remove(QStringLiteral("observe"));
  }

  void a_mistake_in_the_middle_of_a_session() {
    Fixture f;
    f.run_to_breakpoint(15);
    f.editor->go_to(15);
    f.editor->setFocus();
    QTest::keyClick(f.editor, Qt::Key_End);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTest::keyClicks(f.editor, QStringLiteral("alu[nobody, --, B, 1]"));
    const uint64_t cycle = f.target()->view()->cycle;
    f.key(Qt::Key_B, Qt::ControlModifier);
    f.not_built();
    QVERIFY(f.status().contains(QStringLiteral("not built: 1 error")));
    // The machine is the one from before, and so is what the views show.
    QCOMPARE(f.target()->state(), State::stopped);
    QCOMPARE(f.target()->view()->cycle, cycle);
    const auto empty = [&](const char* view) {
      auto* shown = f.window->view(QLatin1String(view))->findChild<View*>();
      return shown->state().toObject()[QStringLiteral("empty")].toString();
    };
    for (const char* view : {"contexts", "registers"}) QTRY_COMPARE(empty(view), QString());
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("nobody")));
    QVERIFY(read(f.path).contains("nobody"));
    QCOMPARE(f.breakpoints().size(), size_t{1});
    f.move(Qt::Key_F9);
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    // Breakpoints can be set meanwhile.
    f.editor->go_to(17);
    f.key(Qt::Key_F8);
    QCOMPARE(f.breakpoints().size(), size_t{2});
    // With the repair the session begins anew, with both.
    while (f.editor->document()->isUndoAvailable()) f.editor->undo();
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->build_failed() && !f.target()->busy(), kLong);
    QCOMPARE(f.target()->view()->cycle, uint64_t{0});
    f.move(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QTRY_VERIFY(f.breakpoints()[1].id != 0);
    for (const char* view : {"contexts", "registers"}) QTRY_COMPARE(empty(view), QString());
  }

  // What the build found is of the lines from before an edit; what stands there now is found while one types.
  void a_repaired_mistake_is_gone_without_a_build() {
    Fixture f;
    f.built();
    QTextCursor at(f.editor->document()->findBlockByNumber(11));
    at.insertText(QStringLiteral("alu[nobody, --, B, 1]\n"));
    f.key(Qt::Key_B, Qt::ControlModifier);
    f.not_built();
    const auto lines = [&f] {
      QList<int> out;
      for (const weft::Diagnostic& d : f.workspace().problems())
        if (d.text.find("nobody") != std::string::npos) out << static_cast<int>(d.range.begin.line);
      return out;
    };
    QTRY_COMPARE(lines(), QList<int>{12});
    QVERIFY(f.editor->problem_at(12, 5) != nullptr);
    // Each problem once, where it is now.
    at.setPosition(0);
    at.insertText(QStringLiteral("; one\n; two\n"));
    QTRY_COMPARE(lines(), QList<int>{14});
    QTRY_VERIFY(f.editor->problem_at(14, 5) != nullptr);
    QVERIFY(f.editor->problem_at(12, 5) == nullptr);
    QVERIFY(f.window->texts().save_all());
    QTRY_COMPARE(lines(), QList<int>{14});
    // And gone when it is repaired, although nothing was built.
    QTextCursor line(f.editor->document()->findBlockByNumber(13));
    line.movePosition(QTextCursor::NextBlock, QTextCursor::KeepAnchor);
    line.removeSelectedText();
    QTRY_COMPARE(lines(), QList<int>{});
    QVERIFY(f.target()->build_failed());
    QVERIFY(!f.target()->busy());
  }

  void a_fault_of_the_program() {
    Fixture f(
        ".reg n\n.reg global_address\nimmed[n, 1]\nimmed[global_address, 0xf00]\nlocal_csr_wr[ACTIVE_LM_ADDR_0, "
        "global_address]\nnop\nnop\nnop\nnop\nalu[*l$index0, --, B, n]\nctx_arb[kill]\n");
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::faulted);
    QVERIFY2(f.status().contains(QStringLiteral("p.uc:10")), qPrintable(f.status()));
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 10u);
    // It can be looked at, and gone back from.
    QCOMPARE(f.value("n", *f.target()->stopped_at()), int64_t{1});
    f.move(Qt::Key_F9, Qt::ShiftModifier);
    QCOMPARE(f.target()->state(), State::stopped);
    f.move(Qt::Key_F5);
    QCOMPARE(f.target()->state(), State::faulted);
  }

  void files_and_projects_that_go_away() {
    Fixture f;
    f.editor->go_to(1);
    f.editor->setFocus();
    QTest::keyClicks(f.editor, QStringLiteral("// mine"));
    QTest::keyClick(f.editor, Qt::Key_Return);
    QVERIFY(QFile::remove(f.path));
    QTRY_VERIFY_WITH_TIMEOUT(!f.window->texts().question().isEmpty(), kLong);
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
    f.key(Qt::Key_B, Qt::ControlModifier);
    QTest::qWait(100);
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
    write(f.path, f.editor->toPlainText().toUtf8());
    // The project's file breaks: it is said where, and what is open stays.
    const QString project = f.folder.filePath(QStringLiteral("weft.json"));
    const QByteArray whole = read(project);
    write(project,
          "{\"version\": 1, \"board\": \"generic-2400\",\n  \"programs\": [{\"source\": \"p.uc\", \"engines\": [0, "
          "2]}\n");
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    f.not_built();
    auto* problems = f.window->view(QStringLiteral("problems"))->findChild<QTableView*>();
    const auto listed = [&] {
      QString out;
      for (int row = 0; row < problems->model()->rowCount(); ++row)
        for (int column = 0; column < problems->model()->columnCount(); ++column)
          out += problems->model()->index(row, column).data().toString() + QLatin1Char(' ');
      return out;
    };
    QTRY_VERIFY_WITH_TIMEOUT(listed().contains(QStringLiteral("weft.json")), kLong);
    QVERIFY(problems->isVisible());
    write(project, whole);
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->build_failed() && !f.target()->busy(), kLong);
    f.built();
    // Another project that cannot be opened leaves this one.
    QVERIFY(!f.window->open_project(f.folder.filePath(QStringLiteral("elsewhere"))));
    QVERIFY(f.status().contains(QStringLiteral("elsewhere")));
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
    QCOMPARE(f.target()->state(), State::stopped);
    // The folder goes with everything in it.
    QVERIFY(f.folder.remove());
    f.key(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    f.not_built();
    QVERIFY(f.editor->toPlainText().contains(QStringLiteral("// mine")));
  }
};

WEFT_IDE_TEST_MAIN(MishapsTest)
#include "mishaps_test.moc"
