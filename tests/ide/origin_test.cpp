// Who wrote this, who reads it next: asked where the value stands, by a menu or a key, and followed back through time.
#include <QContextMenuEvent>
#include <QTreeView>

#include "debug_fixture.h"
#include "models/registers_model.h"
#include "own_settings_test.h"
#include "widgets/origin_view.h"
#include "widgets/timeline_view.h"

using namespace weft::ide;
using namespace weft::ide::test;
using Row = OriginTree::Row;

namespace {

struct Origins : Fixture {
  Origins() {
    workspace().cursor().set_context(ContextId{0, 0, 0});
    editor->go_to(15);
    key(Qt::Key_F8);
    move(Qt::Key_F5);  // after the first write, before the line
  }
  OriginView* view() const { return window->findChild<OriginView*>(); }
  OriginTree& model() const { return view()->model(); }
  QModelIndex row(int number, const QModelIndex& under = {}) const { return model().index(number, 0, under); }
  QString cell(const QModelIndex& row, OriginTree::Column column) const {
    return row.siblingAtColumn(column).data().toString();
  }
  /// The row below another one whose name begins so.
  QModelIndex named(const QString& name, const QModelIndex& under) const {
    for (int i = 0; i < model().rowCount(under); ++i)
      if (row(i, under).data().toString().contains(name)) return row(i, under);
    return {};
  }
  void answered(const QModelIndex& at) const {
    const QPersistentModelIndex row(at);
    QTRY_VERIFY_WITH_TIMEOUT(row.isValid() && model().row_of(row) != Row::asked, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(!target()->busy(), kLong);
  }
  QTableView* registers() const { return window->view(QStringLiteral("registers"))->findChild<QTableView*>(); }
  void choose_register(const QString& name) const {
    show("registers");
    QTableView* table = registers();
    // The rows are those of an earlier moment until the machine has answered: it has no value then.
    const auto cell_of = [&]() -> QModelIndex {
      const QAbstractItemModel* model = table->model();
      for (int i = 0; model != nullptr && i < model->rowCount(); ++i)
        if (model->index(i, 0).data().toString() == name &&
            !model->index(i, RegistersModel::kDecimal).data().toString().isEmpty())
          return model->index(i, 0);
      return {};
    };
    QTRY_VERIFY_WITH_TIMEOUT(table->isVisible() && !target()->busy() && cell_of().isValid(), kLong);
    table->scrollTo(cell_of());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell_of()).center());
    table->setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(table->currentIndex().siblingAtColumn(0).data().toString(), name, kLong);
  }
};

}  // namespace

class OriginTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void a_register_by_its_key() {
    Origins f;
    const uint64_t cycle = f.target()->view()->cycle;
    f.choose_register(QStringLiteral("temp"));
    QTest::keyClick(f.registers(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(f.model().rowCount() == 2, kLong);
    f.answered(f.row(0));
    QVERIFY(f.view()->isVisible());
    const QModelIndex temp = f.row(0);
    QCOMPARE(f.model().row_of(temp), Row::written);
    QCOMPARE(f.cell(temp, OriginTree::kPlace), QStringLiteral("p.uc:3"));
    QCOMPARE(f.cell(temp, OriginTree::kValue), QStringLiteral("0x00000002"));
    QCOMPARE(f.cell(temp, OriginTree::kWho), QStringLiteral("me0.0"));
    // Nothing was run after this moment, so nobody has read it yet.
    QCOMPARE(f.model().row_of(f.row(1)), Row::failed);
    QVERIFY2(f.cell(f.row(1), OriginTree::kWho).startsWith(QStringLiteral("nobody")),
             qPrintable(f.cell(f.row(1), OriginTree::kWho)));
    // The machine stands where it stood.
    QCOMPARE(f.target()->view()->cycle, cycle);

    // What that one has read, when it is opened: a click beside the name.
    QTreeView* tree = f.view()->tree();
    QVERIFY(tree->isExpanded(temp));
    const QModelIndex before = f.named(QStringLiteral("left: temp"), temp);
    QVERIFY(before.isValid());
    QCOMPARE(f.model().row_of(before), Row::open);
    QCOMPARE(f.cell(before, OriginTree::kValue), QStringLiteral("0x00000001"));
    tree->setCurrentIndex(before);
    QTest::keyClick(tree, Qt::Key_Right);
    f.answered(before);
    QCOMPARE(f.cell(before, OriginTree::kPlace), QStringLiteral("p.uc:2"));
    const QModelIndex first = f.named(QStringLiteral("left: temp"), before);
    QVERIFY(first.isValid());
    tree->setCurrentIndex(first);
    QTest::keyClick(tree, Qt::Key_Right);
    f.answered(first);
    QCOMPARE(f.cell(first, OriginTree::kPlace), QStringLiteral("p.uc:9"));
    QCOMPARE(f.model().rowCount(first), 0);

    // All that is known stands in the history.
    const auto* history = f.window->findChild<TimelineView*>();
    auto& trail = const_cast<TimelineView*>(history)->timeline().trail();
    QCOMPARE(trail.size(), size_t{3});
    QVERIFY(std::ranges::is_sorted(trail, {}, &TimelineMark::cycle));
    QCOMPARE(trail.front().name, QStringLiteral("temp written"));

    // A link: the machine, the context and the text go there.
    f.editor->go_to(1);
    QTest::keyClick(tree, Qt::Key_Return);
    const uint64_t there = first.data(OriginTree::kCycleRole).toULongLong();
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->view()->cycle == there && !f.target()->busy(), kLong);
    QTRY_COMPARE(f.editor->current_line_number(), 9);
    QCOMPARE(f.workspace().cursor().cycle(), there);

    // And the other way, from where it was written: the macro's first word.
    tree->scrollTo(first);
    Q_EMIT tree->customContextMenuRequested(tree->visualRect(first).center());
    QVERIFY(choose(QStringLiteral("Who reads it next?")));
    QTRY_VERIFY_WITH_TIMEOUT(f.model().rowCount(first) == 1, kLong);
    const QModelIndex reader = f.row(0, first);
    QCOMPARE(f.model().row_of(reader), Row::read);
    QVERIFY2(reader.data().toString().startsWith(QStringLiteral("read next: temp")),
             qPrintable(reader.data().toString()));
    QCOMPARE(f.cell(reader, OriginTree::kPlace), QStringLiteral("p.uc:2"));
    QCOMPARE(trail.size(), size_t{4});
  }

  void a_chosen_register_stays_chosen_when_other_rows_come() {
    Origins f;
    f.choose_register(QStringLiteral("temp"));
    const auto chosen = [&f] { return f.registers()->currentIndex().siblingAtColumn(0).data().toString(); };
    QCOMPARE(chosen(), QStringLiteral("temp"));
    f.workspace().cursor().set_context(ContextId{0, 0, 1});
    QTRY_VERIFY(f.registers()->model()->rowCount() == 0 || !f.registers()->currentIndex().isValid() ||
                chosen() == QStringLiteral("temp"));
    QTRY_VERIFY(f.registers()->model()->rowCount() > 0);
    QTRY_COMPARE(chosen(), QStringLiteral("temp"));
  }

  void a_longword_of_memory_by_its_menu() {
    Origins f;
    Q_EMIT f.workspace().memory_requested(0, QStringLiteral("scratch"), 0x40);
    auto* table = f.window->view(QStringLiteral("memory"))->findChild<QTableView*>();
    QTRY_VERIFY_WITH_TIMEOUT(table->currentIndex().isValid() && table->isVisible(), kLong);
    const QPoint at = table->visualRect(table->currentIndex()).center();
    bool chosen = false;
    QTimer::singleShot(0, f.window.get(), [&] {
      chosen = choose(QStringLiteral("Who wrote this, who reads it next?\tCtrl+Shift+W")) ||
               choose(QStringLiteral("Who wrote this, who reads it next?"));
    });
    Q_EMIT table->customContextMenuRequested(at);
    QVERIFY(chosen);
    QTRY_VERIFY_WITH_TIMEOUT(f.model().rowCount() == 2, kLong);
    f.answered(f.row(0));
    const QModelIndex word = f.row(0);
    QCOMPARE(f.cell(word, OriginTree::kPlace), QStringLiteral("p.uc:14"));
    // The register that was moved, and from there the sum.
    const QModelIndex out = f.named(QStringLiteral("data: $out"), word);
    QVERIFY(out.isValid());
    f.view()->tree()->setCurrentIndex(out);
    QTest::keyClick(f.view()->tree(), Qt::Key_Return);
    f.answered(out);
    QCOMPARE(f.cell(out, OriginTree::kPlace), QStringLiteral("p.uc:13"));
    QVERIFY(f.named(QStringLiteral("temp"), out).isValid());
  }

  void a_name_in_the_text_and_in_the_field() {
    Origins f;
    QTRY_VERIFY_WITH_TIMEOUT(f.editor->is_current(), kLong);
    f.editor->go_to(12, 7);  // bump[temp, 1]
    f.editor->setFocus();
    QTest::keyClick(f.editor, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(f.model().rowCount() == 2, kLong);
    f.answered(f.row(0));
    QVERIFY2(f.row(0).data().toString().startsWith(QStringLiteral("temp")), qPrintable(f.row(0).data().toString()));
    // What is not a place has no writer, and the row says so.
    auto* name = f.view()->findChild<QLineEdit*>();
    type(name, QStringLiteral("cycle + 1"));
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(f.model().rowCount() == 1 && f.model().row_of(f.row(0)) == Row::failed, kLong);
    QVERIFY2(f.cell(f.row(0), OriginTree::kWho).contains(QStringLiteral("computed")),
             qPrintable(f.cell(f.row(0), OriginTree::kWho)));
  }
};

WEFT_IDE_TEST_MAIN(OriginTest)
#include "origin_test.moc"
