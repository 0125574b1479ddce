// Watches: what is looked at stands in a list, changes are marked, and it comes back with the project. Values stand at
// the ends of the lines that were executed.
#include <QJsonObject>

#include "debug_fixture.h"
#include "own_settings_test.h"
#include "widgets/line_values.h"
#include "widgets/watches_view.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

struct Watches : Fixture {
  using Fixture::Fixture;
  WatchesView* view() const { return window->findChild<WatchesView*>(); }
  QTableView* table() const { return view()->table(); }
  QString cell(int row, WatchesModel::Column column) const {
    return table()->model()->index(row, column).data().toString();
  }
  bool changed(int row) const {
    return table()->model()->index(row, WatchesModel::kHexadecimal).data(WatchesModel::kChangedRole).toBool();
  }
  QLineEdit* field() const { return view()->findChild<QLineEdit*>(); }
  void at_the_line() const {
    workspace().cursor().set_context(ContextId{0, 0, 0});
    editor->go_to(15);
    key(Qt::Key_F8);
    move(Qt::Key_F5);
  }
};

}  // namespace

class WatchesTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void values_now_and_at_the_last_stop() {
    Watches f;
    f.at_the_line();
    f.show("watches");
    type(f.field(), QStringLiteral("temp * 16"));
    QTest::keyClick(f.field(), Qt::Key_Return, Qt::ControlModifier);
    type(f.field(), QStringLiteral("zero"));
    QTest::keyClick(f.field(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(f.cell(0, WatchesModel::kHexadecimal), QStringLiteral("0x20"), kLong);
    QVERIFY(!f.changed(0));
    f.workspace().set_breakpoints({});
    f.target()->run_until("me0.ctx0.temp == 4");
    QTRY_VERIFY_WITH_TIMEOUT(!f.target()->busy() && f.value("temp", {0, 0, 0}) == 4, kLong);
    const QString now = QStringLiteral("0x%1").arg(16 * f.value("temp", {0, 0, 0}), 0, 16);
    QVERIFY(now != QStringLiteral("0x20"));
    QTRY_COMPARE(f.cell(0, WatchesModel::kHexadecimal), now);
    QVERIFY(f.changed(0));
    QCOMPARE(f.cell(0, WatchesModel::kLast), QStringLiteral("0x20"));
    QVERIFY(!f.changed(1));
    const auto course = f.table()->model()->index(0, WatchesModel::kCourse);
    const auto points = course.data(WatchesModel::kPointsRole).value<QVector<double>>();
    QVERIFY(points.size() >= 2);
    QCOMPARE(points.back(), 16.0 * static_cast<double>(f.value("temp", {0, 0, 0})));
    // Evaluated once, at this moment.
    type(f.field(), QStringLiteral("zero + 7"));
    QTest::keyClick(f.field(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(f.view()->state().toObject()["answer"].toString() == QStringLiteral("zero + 7 = 0x7 = 7"),
                             kLong);
    QCOMPARE(f.table()->model()->rowCount(), 2);
    // What cannot be evaluated says why.
    type(f.field(), QStringLiteral("nothing_of_that_name"));
    QTest::keyClick(f.field(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(
        f.view()->state().toObject()["answer"].toString().contains(QStringLiteral("nothing_of_that_name")), kLong);
  }

  void changed_moved_and_removed_by_keys() {
    Watches f;
    f.built();
    f.show("watches");
    for (const char* name : {"n", "temp", "zero"}) {
      type(f.field(), QString::fromLatin1(name));
      QTest::keyClick(f.field(), Qt::Key_Return, Qt::ControlModifier);
    }
    QCOMPARE(f.workspace().watches(), QStringList({"n", "temp", "zero"}));
    QTableView* table = f.table();
    table->setFocus();
    table->setCurrentIndex(table->model()->index(2, 0));
    QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(f.workspace().watches(), QStringList({"n", "zero", "temp"}));
    QCOMPARE(table->currentIndex().row(), 1);
    QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(f.workspace().watches(), QStringList({"n", "temp", "zero"}));
    table->setCurrentIndex(table->model()->index(1, 0));
    QTest::keyClick(table, Qt::Key_Return);
    auto* edit = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(edit != nullptr && edit != f.field());
    edit->selectAll();
    QTest::keyClicks(edit, QStringLiteral("temp + 1"));
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_COMPARE(f.workspace().watches(), QStringList({"n", "temp + 1", "zero"}));
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(f.workspace().watches(), QStringList({"temp + 1", "zero"}));
  }

  void added_where_a_value_stands_and_kept() {
    Watches f(kProgram, true);
    f.at_the_line();
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->is_current(), kLong);
    f.editor->go_to(15, 5);  // alu[n, n, -, 1]
    f.editor->setFocus();
    QTest::keyClick(f.editor, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(f.workspace().watches(), QStringList{QStringLiteral("me0.ctx0.n")});
    QTRY_COMPARE_WITH_TIMEOUT(f.cell(0, WatchesModel::kDecimal), QStringLiteral("4"), kLong);
    // Again: it is there already.
    QTest::keyClick(f.editor, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(f.workspace().watches().size(), 1);
    QVERIFY(f.window->close());
    f.start(true);
    QCOMPARE(f.workspace().watches(), QStringList{QStringLiteral("me0.ctx0.n")});
    QCOMPARE(f.table()->model()->rowCount(), 1);
    f.workspace().set_watches({});
    QVERIFY(f.window->close());
  }

  void values_at_the_ends_of_lines() {
    Watches f;
    weft::workbench::Observation observation;
    observation.history = true;
    f.workspace().set_observation(observation);
    f.built();
    f.at_the_line();
    // n was set at line 8, temp at line 3 last; what was overwritten is not shown.
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->line_notes().contains(3), kLong);
    QCOMPARE(f.editor->line_notes().at(3), QStringLiteral("temp = 0x2"));
    QCOMPARE(f.editor->line_notes().at(8), QStringLiteral("n = 0x4"));
    QVERIFY(!f.editor->line_notes().contains(2));
    QVERIFY(!f.editor->line_notes().contains(9));
    f.window->action(QStringLiteral("line_values"))->trigger();
    QVERIFY(f.editor->line_notes().empty());
    f.window->action(QStringLiteral("line_values"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->line_notes().contains(3), kLong);
  }
};

WEFT_IDE_TEST_MAIN(WatchesTest)
#include "watches_test.moc"
