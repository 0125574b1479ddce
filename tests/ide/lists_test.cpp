// Lists of problems and of places in texts: what they say, and the promises of models while they are filled, grow and
// are emptied.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "models/places_model.h"
#include "models/problems_model.h"
#include "support.h"

using namespace weft;
using namespace weft::ide;

namespace {

FoundPlace place(const char* path, int line, const char* kind) {
  return {QString::fromLatin1(path), line, 1, 3, QString::fromLatin1(kind), QStringLiteral("  add[a, b]"), 2, 3};
}

}  // namespace

class ListsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void problems() {
    ProblemsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    Diagnostics some;
    some.error("register-unknown", {}, "'b' is not declared", "declare it with .reg");
    some.warning("register-unused", {}, "'c' is never read");
    model.set(some);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.errors(), size_t{1});
    QCOMPARE(model.index(0, ProblemsModel::kText).data().toString(), QStringLiteral("'b' is not declared"));
    QCOMPARE(model.index(0, ProblemsModel::kRemedy).data().toString(), QStringLiteral("declare it with .reg"));
    QCOMPARE(model.index(1, ProblemsModel::kSeverity).data().toString(), QStringLiteral("warning"));
    QCOMPARE(model.index(1, ProblemsModel::kCode).data().toString(), QStringLiteral("register-unused"));
    QVERIFY(model.at(2) == nullptr && model.at(-1) == nullptr);
    QVERIFY(!model.index(2, 0).isValid());
    model.set({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.errors(), size_t{0});
    QCOMPARE(resets.size(), 2);
    QVERIFY(!model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
  }

  void places() {
    PlacesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.set({place("/p/receive.uc", 12, "writes")});
    model.add({place("/p/queue.uc", 4, "reads"), place("/p/queue.uc", 9, "reads")});
    model.add({});  // nothing was found there
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(inserted[0][1].toInt(), 1);
    QCOMPARE(inserted[0][2].toInt(), 2);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(0, PlacesModel::kPlace).data().toString(), QStringLiteral("receive.uc:12"));
    QCOMPARE(model.index(2, PlacesModel::kKind).data().toString(), QStringLiteral("reads"));
    QCOMPARE(model.index(2, PlacesModel::kText).data().toString(), QStringLiteral("add[a, b]"));
    QCOMPARE(model.at(2)->line, 9);
    QVERIFY(model.at(3) == nullptr);
    model.set({});
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.at(0) == nullptr);
  }
};

WEFT_IDE_TEST_GUILESS_MAIN(ListsTest)
#include "lists_test.moc"
