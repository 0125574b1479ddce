// The project's tests in their view: run, failures and where they lead, and which lines they reach.
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QToolBar>
#include <QTreeView>

#include "debug_fixture.h"
#include "own_settings_test.h"
#include "widgets/case_bar.h"
#include "widgets/code_gutter.h"
#include "widgets/tests_view.h"

using namespace weft::ide;
using namespace weft::ide::test;

namespace {

// The second case expects another sum.
constexpr const char* kTests =
    "{\n"
    "  \"version\": 1,\n"
    "  \"include\": [\"..\"],\n"
    "  \"code\": [\"#include \\\"part.uc\\\"\", \".reg volatile a b\", \"add_both[a, b]\"],\n"
    "  \"tests\": [\n"
    "    {\"name\": \"sum\", \"set\": {\"a\": 3, \"b\": 4}, \"expect\": {\"values\": {\"a\": 7}}},\n"
    "    {\"name\": \"wrong sum\", \"set\": {\"a\": 3, \"b\": 4},\n"
    "     \"expect\": {\"values\": {\"a\": \"0x9\"}}}\n"
    "  ]\n"
    "}\n";

// Cases run in children of the window's process, which has threads (tests/workbench/children_test.cpp).
#ifdef __SANITIZE_ADDRESS__
constexpr bool kMayFork = false;
#else
constexpr bool kMayFork = true;
#endif
constexpr const char* kWhyNot = "what the allocator of GCC 12's address sanitizer has locked stays locked in a child";

struct WithTests : Fixture {
  WithTests() = default;
  void prepare() {
    write(folder.filePath(QStringLiteral("part.uc")),
          "#macro add_both[X, Y]\nalu[X, X, +, Y]\n#endm\n#macro unused[X]\nalu[X, X, +, 1]\n#endm\n");
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("tests")));
    write(folder.filePath(QStringLiteral("tests/part.test.json")), kTests);
    start();
    built();
    show("tests");
  }
  TestsView* view() const { return window->findChild<TestsView*>(); }
  QString outcome(int row) const {
    const TestsModel& model = view()->model();
    return model.index(row, TestsModel::kVerdict, model.index(0, 0)).data().toString();
  }
  void press(const char* tool) const {
    auto* bar = view()->findChild<QToolBar*>();
    for (QAction* action : bar->actions())
      if (action->objectName() == QLatin1String(tool))
        return QTest::mouseClick(bar->widgetForAction(action), Qt::LeftButton);
    QFAIL(tool);
  }
};

}  // namespace

class TestsTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void failures_lead_to_what_was_expected() {
    if (!kMayFork) QSKIP(kWhyNot);
    WithTests f;
    f.prepare();
    TestsModel& model = f.view()->model();
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(model.cases(), size_t{2});
    QCOMPARE(f.outcome(0), QStringLiteral("not run"));
    const uint64_t cycle = f.target()->view()->cycle;
    f.press("run_tests");
    QTRY_VERIFY_WITH_TIMEOUT(!model.runs() && f.outcome(1) != QStringLiteral("..."), kLong);
    QCOMPARE(f.outcome(0), QStringLiteral("ok"));
    QCOMPARE(f.outcome(1), QStringLiteral("FAILED"));
    QCOMPARE(model.summary(), QStringLiteral("1 passed, 1 failed"));
    // The test file is open at the value that did not come; beside the list is what came.
    QTRY_COMPARE(QFileInfo(f.window->texts().current()->path).fileName(), QStringLiteral("part.test.json"));
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 8);
    QVERIFY2(f.view()->detail().contains(QStringLiteral("0x7")) && f.view()->detail().contains(QStringLiteral("0x9")),
             qPrintable(f.view()->detail()));
    QVERIFY2(!f.view()->detail().contains(f.folder.path()), qPrintable(f.view()->detail()));
    // The machine stands where it stood.
    QCOMPARE(f.target()->view()->cycle, cycle);
    // Mended, and only that case runs again.
    write(f.folder.filePath(QStringLiteral("tests/part.test.json")), QByteArray(kTests).replace("0x9", "0x7"));
    f.press("run_tests");
    QTRY_VERIFY_WITH_TIMEOUT(!model.runs() && f.outcome(1) == QStringLiteral("ok"), kLong);
    QCOMPARE(model.summary(), QStringLiteral("2 passed"));
  }

  void chosen_ones_run_alone() {
    if (!kMayFork) QSKIP(kWhyNot);
    WithTests f;
    f.prepare();
    TestsModel& model = f.view()->model();
    QTreeView* tree = f.view()->tree();
    tree->expandAll();
    const QModelIndex first = model.index(0, 0, model.index(0, 0));
    tree->scrollTo(first);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(first).center());
    f.press("run_chosen_tests");
    QTRY_VERIFY_WITH_TIMEOUT(!model.runs() && f.outcome(0) == QStringLiteral("ok"), kLong);
    QCOMPARE(f.outcome(1), QStringLiteral("not run"));
  }

  void lines_that_tests_reach_are_in_the_margin() {
    if (!kMayFork) QSKIP(kWhyNot);
    WithTests f;
    f.prepare();
    const QString part = f.folder.filePath(QStringLiteral("part.uc"));
    CodeEditor* editor = f.window->open_file(part);
    TestsModel& model = f.view()->model();
    f.press("run_tests");
    QTRY_VERIFY_WITH_TIMEOUT(!model.runs() && f.outcome(0) == QStringLiteral("ok"), kLong);
    const auto lines = model.coverage().find(part.toStdString());
    QVERIFY(lines != model.coverage().end());
    QCOMPARE(lines->second.at(2).executed, uint64_t{2});  // one addition a case
    const int before = editor->gutter().wanted_width();
    f.press("tests_in_margin");
    QTRY_VERIFY(editor->gutter().wanted_width() > before);
    f.press("tests_in_margin");
    QTRY_COMPARE(editor->gutter().wanted_width(), before);
  }

  void without_tests_it_says_how_to_get_some() {
    Fixture f;
    const QString state =
        QString::fromUtf8(QJsonDocument(QJsonObject{{"s", f.window->findChild<TestsView*>()->state()}}).toJson());
    QVERIFY2(state.contains(QStringLiteral("Make a test case")), qPrintable(state));
  }

  // The machine of the case: it goes to the instruction that wrote what is wrong, and back to the project.
  void a_failing_case_is_debugged() {
    WithTests f;
    f.prepare();
    TestsModel& model = f.view()->model();
    const QModelIndex file = model.index(0, 0);
    f.view()->tree()->expand(file);
    f.view()->tree()->setCurrentIndex(model.index(1, 0, file));
    Target* project = f.target();
    f.press("debug_test");
    QTRY_VERIFY(f.target() != project && f.workspace().debugged_case());
    auto* bar = f.window->findChild<CaseBar*>();
    QVERIFY(bar != nullptr);
    QTRY_VERIFY2(bar->text().contains(QStringLiteral("is 0x7")), qPrintable(bar->text()));
    f.stands();
    QVERIFY2(bar->text().startsWith(QStringLiteral("Test 'wrong sum': a is 0x7 (7), expected 0x9 (9)")),
             qPrintable(bar->text()));
    QVERIFY2(bar->text().contains(QStringLiteral("written by me0 context 0")), qPrintable(bar->text()));
    // It stands before the addition, whose line is in the macro.
    QTRY_VERIFY(f.target()->stopped_at());
    QCOMPARE(f.value("a"), 3);
    QTRY_COMPARE(QFileInfo(f.window->texts().current()->path).fileName(), QStringLiteral("part.uc"));
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 2);
    f.move(Qt::Key_F9);
    QCOMPARE(f.value("a"), 7);
    // Where it is expected; again; and back to the project.
    QTest::mouseClick(bar->findChild<QPushButton*>(QStringLiteral("case_expected")), Qt::LeftButton);
    QTRY_COMPARE(QFileInfo(f.window->texts().current()->path).fileName(), QStringLiteral("part.test.json"));
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 8);
    QTest::mouseClick(bar->findChild<QPushButton*>(QStringLiteral("case_wrong")), Qt::LeftButton);
    QTRY_VERIFY(f.target()->state() == State::stopped && f.value("a") == 3);
    QTest::mouseClick(bar->findChild<QPushButton*>(QStringLiteral("case_leave")), Qt::LeftButton);
    QTRY_VERIFY(!f.workspace().debugged_case());
    QVERIFY(bar->text().isEmpty());
    f.built();
    QCOMPARE(f.target()->view()->engines.size(), size_t{2});
    // A case that passes says so.
    f.view()->tree()->setCurrentIndex(model.index(0, 0, model.index(0, 0)));
    f.press("debug_test");
    QTRY_VERIFY2(bar->text().contains(QStringLiteral("all is as the test 'sum' expects")), qPrintable(bar->text()));
  }
};

WEFT_IDE_TEST_MAIN(TestsTest)
#include "tests_test.moc"
