// Runs to places, moments and events, the past and back, and the stop in its text.
#include "debug_fixture.h"
#include "own_settings_test.h"

using namespace weft::ide;
using namespace weft::ide::test;

class DebugTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void runs_to_places_moments_and_events() {
    Fixture f;
    f.workspace().cursor().set_context(ContextId{0, 0, 1});
    f.editor->go_to(15);
    f.move(Qt::Key_F10, Qt::ControlModifier);
    QVERIFY(f.target()->stopped_at());
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QVERIFY(f.breakpoints().empty());
    // A line without an instruction: nothing moves, and the reason is said.
    const uint64_t cycle = f.target()->view()->cycle;
    f.editor->go_to(4);
    f.move(Qt::Key_F10, Qt::ControlModifier);
    QCOMPARE(f.target()->view()->cycle, cycle);
    QVERIFY2(f.status().contains(QStringLiteral("makes no instruction")), qPrintable(f.status()));
    QCOMPARE(f.target()->state(), State::stopped);
    const auto until = [&](const QString& text) {
      f.key(Qt::Key_F10, Qt::ControlModifier | Qt::ShiftModifier);
      auto* dialog = f.window->findChild<QInputDialog*>();
      QVERIFY(dialog != nullptr);
      QVERIFY(QTest::qWaitForWindowExposed(dialog, kLong));
      type(dialog->findChild<QLineEdit*>(), text);
      bool moved = false;
      const auto seen = connect(f.target(), &Target::view_changed, this, [&] { moved = true; });
      QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
      QTRY_VERIFY_WITH_TIMEOUT(moved, kLong);
      f.stands();
      disconnect(seen);
      QTRY_VERIFY(f.window->findChild<QInputDialog*>() == nullptr);
    };
    until(QStringLiteral("400"));
    QCOMPARE(f.target()->view()->cycle, uint64_t{400});
    until(QStringLiteral("150"));
    QCOMPARE(f.target()->view()->cycle, uint64_t{150});
    until(QStringLiteral("me0.ctx1.n == 1"));
    QCOMPARE(f.value("me0.ctx1.n"), int64_t{1});
    until(QStringLiteral("no_such_thing == 1"));
    QVERIFY2(f.status().contains(QStringLiteral("no_such_thing")), qPrintable(f.status()));
    // The context's next swap, and until it runs again.
    f.workspace().cursor().set_context(ContextId{0, 2, 5});
    until(QStringLiteral("0"));
    bool moved = false;
    const auto seen = connect(f.target(), &Target::view_changed, this,
                              [&] { moved = moved || f.target()->state() != State::running; });
    f.window->action("next_swap")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(moved, kLong);
    f.stands();
    disconnect(seen);
    QVERIFY((f.target()->stopped_at() == ContextId{0, 2, 5}));
    QCOMPARE(f.line_of({0, 2, 5}), 15u);
    QCOMPARE(f.value("me2.ctx5.state"), int64_t{3});
    f.workspace().cursor().set_context(ContextId{0, 2, 5});
    f.move(Qt::Key_F11, Qt::ControlModifier);
    QCOMPARE(f.value("me2.ctx5.state"), int64_t{1});
    QCOMPARE(f.line_of({0, 2, 5}), 15u);
    f.move(Qt::Key_F9, Qt::ControlModifier);
    QCOMPARE(f.line_of({0, 2, 5}), 16u);
  }

  // Also in a file that nobody has opened: here the macro of another one. Who works in a view goes on there.
  void a_stop_is_shown_in_its_text() {
    Fixture f("#include \"part.uc\"\n.reg n\nimmed[n, 1]\nbump_twice(n)\nctx_arb[kill]\n");
    const QString part = f.folder.filePath(QStringLiteral("part.uc"));
    write(part, "#macro bump_twice(io)\nalu[io, io, +, 1]\nalu[io, io, +, 2]\n#endm\n");
    f.key(Qt::Key_B, Qt::ControlModifier);
    f.built();
    f.show("contexts");
    auto* table = f.window->view(QStringLiteral("contexts"))->findChild<QTableView*>();
    table->setFocus();
    Breakpoint there;
    there.target = "part.uc:3";
    f.target()->run_to(there);
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(f.window->texts().current_editor()->path(), part, kLong);
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 3);
    QTRY_COMPARE(f.window->texts().current_editor()->gutter().stopped_line(), 3);
    QVERIFY(table->hasFocus());
    // The status bar names it as the project does.
    const QString reason = QJsonDocument::fromJson(f.window->state_json())[QStringLiteral("reason")].toString();
    QVERIFY2(reason.contains(QStringLiteral(" part.uc:3")), qPrintable(reason));
  }

  // Keys go where they were typed, also when the machine stops elsewhere meanwhile.
  void a_stop_does_not_move_the_text_under_the_keys() {
    Fixture f("#include \"part.uc\"\n.reg n\nimmed[n, 0]\nloop#:\nbump(n)\nbr[loop#]\n");
    const QString part = f.folder.filePath(QStringLiteral("part.uc"));
    write(part, "#macro bump(io)\nalu[io, io, +, 1]\n#endm\n");
    f.key(Qt::Key_B, Qt::ControlModifier);
    f.built();
    f.key(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->state(), State::running, kLong);
    f.editor->setFocus();
    f.editor->go_to(2);
    QTest::keyClicks(f.editor, QStringLiteral("//"));
    Breakpoint there;
    there.target = "part.uc:2";
    f.workspace().add_breakpoint(there);
    int keys = 0;
    for (; keys < 1000 && !f.target()->stopped_at(); ++keys) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_X);
      QTest::qWait(5);
    }
    QVERIFY(f.target()->stopped_at());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Y);
    QCOMPARE(f.window->texts().current_editor(), f.editor);
    QVERIFY(f.editor->hasFocus());
    QCOMPARE(f.editor->document()->findBlockByNumber(1).text(),
             QStringLiteral("//") + QString(keys, QLatin1Char('x')) + QStringLiteral("y.reg n"));
    QVERIFY2(f.status().contains(QStringLiteral("Stopped at part.uc:2")), qPrintable(f.status()));
    // What is asked for is shown, however fast.
    f.move(Qt::Key_F5);
    QTRY_COMPARE_WITH_TIMEOUT(f.window->texts().current_editor()->path(), part, kLong);
  }

  void a_change_of_a_text_of_others_is_said() {
    Fixture f;
    const QTemporaryDir elsewhere;
    const QString path = elsewhere.filePath(QStringLiteral("shared.uc"));
    write(path, "nop\n");
    QTest::keyClick(f.editor, Qt::Key_X);
    QVERIFY2(!f.status().contains(QStringLiteral("outside of the project's folder")), qPrintable(f.status()));
    QTest::keyClick(f.window->open_file(path), Qt::Key_X);
    QVERIFY2(f.status().contains(QStringLiteral("outside of the project's folder")), qPrintable(f.status()));
  }

  void the_machine_follows_the_cursor_and_comes_back() {
    Fixture f;
    f.run_to_breakpoint(15);
    const ContextId where = *f.target()->stopped_at();
    const QString reason = f.target()->reason();
    const uint64_t present = f.target()->view()->cycle;
    QVERIFY(present > 40);
    auto* past = f.window->findChild<QPushButton*>(QStringLiteral("past"));
    QVERIFY(!past->isVisible());
    QVERIFY(!f.window->action("present")->isEnabled());
    f.workspace().cursor().set_cycle(20);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->view()->cycle, uint64_t{20}, kLong);
    QTRY_VERIFY(past->isVisible());
    QCOMPARE(f.target()->state(), State::stopped);
    QVERIFY(past->text().contains(QString::number(present - 20)));
    QCOMPARE(f.value("cycle"), int64_t{20});
    QTest::mouseClick(past, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(f.target()->view()->cycle, present, kLong);
    QTRY_VERIFY(!past->isVisible());
    QVERIFY(f.target()->stopped_at() == where);
    QCOMPARE(f.target()->reason(), reason);
    QCOMPARE(f.line_of(where), 15u);
    // Not when it is switched off, and never into the future.
    f.workspace().cursor().set_cycle(present + 1000);
    QTest::qWait(3 * FollowCursor::kRest);
    QCOMPARE(f.target()->view()->cycle, present);
    f.window->action("follow")->trigger();
    f.workspace().cursor().set_cycle(10);
    QTest::qWait(3 * FollowCursor::kRest);
    QCOMPARE(f.target()->view()->cycle, present);
    f.window->action("follow")->trigger();
  }
};

WEFT_IDE_TEST_MAIN(DebugTest)
#include "debug_test.moc"
