// What has changed since the last stop is marked: the same however often a view looks meanwhile, and legible in both
// themes.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "models/memory_model.h"
#include "models/registers_model.h"
#include "models/state_tree.h"
#include "own_settings_test.h"
#include "support.h"
#include "widgets/changed_delegate.h"
#include "widgets/memory_view.h"
#include "widgets/registers_view.h"
#include "widgets/state_view.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;

namespace {

/// WCAG 2: how much brighter the one is.
double brightness_ratio(const QColor& a, const QColor& b) {
  const auto light = [](const QColor& c) {
    const auto part = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF()) + 0.05;
  };
  return std::max(light(a) / light(b), light(b) / light(a));
}

/// Further than a run comes before it is paused, on any machine.
constexpr const char* kFar = "1000000000 cycles";
constexpr uint64_t kFramesHaveCome = 20'000;  // cycles

struct Run {
  Workspace workspace;
  explicit Run(const char* example) {
    if (!workspace.open(QStringLiteral(WEFT_SOURCE_DIR "/examples/") + QLatin1String(example)))
      qFatal("cannot be opened");
    [&] { QTRY_COMPARE_WITH_TIMEOUT(target().state(), State::stopped, kLong); }();
  }
  Target& target() { return *workspace.target(); }
  /// Views hear that there is something to look at again and again meanwhile, until that was enough.
  int run_with_looks(
      const char* until, const std::function<bool(int)>& enough = [](int looks) { return looks >= 3; }) {
    const uint64_t stops = target().stops();
    target().run_until(until);
    int looks = 0;
    for (int i = 0; i < 60'000 && target().stops() == stops; ++i) {
      QTest::qWait(1);
      if (target().state() != State::running) continue;
      Q_EMIT target().view_changed();
      if (enough(++looks)) target().pause();
    }
    return looks;
  }
  /// Answers to what was asked so far have come.
  void settle() {
    for (int i = 0; i < 3; ++i) (void)asked(target(), [](const Inspector& m) { return m.cycle(); });
  }
};

/// Rows of a tree by their path.
struct Rows {
  std::map<QString, QString> values;
  std::set<QString> marked, twice;  ///< `twice`: names that are not alone, of which a mark says nothing
  void add(const QAbstractItemModel& model, const QModelIndex& under = {}, const QString& path = {}) {
    for (int row = 0; row < model.rowCount(under); ++row) {
      const QModelIndex first = model.index(row, 0, under);
      const QString name = path + QLatin1Char('/') +
                           (first.data().toString().isEmpty() ? QString::number(row) : first.data().toString());
      if (!values.emplace(name, first.siblingAtColumn(2).data().toString()).second) twice.insert(name);
      if (first.siblingAtColumn(2).data(StateTree::kMarkedRole).toBool()) marked.insert(name);
      add(model, first, name);
    }
  }
};

}  // namespace

class MarksTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void looks_during_a_run_change_no_mark() {
    StateTree tree({QStringLiteral("Name"), QStringLiteral("Value")}, 1);
    QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto show = [&](const char* value, Moment moment) {
      tree.show(
          {StateRow{{QStringLiteral("a"), QLatin1String(value)}}, StateRow{{QStringLiteral("b"), QStringLiteral("7")}}},
          moment);
    };
    const auto marked = [&](int row) { return tree.index(row, 1).data(StateTree::kMarkedRole).toBool(); };
    show("1", {.stop = 4, .running = false});
    QVERIFY(!marked(0));
    for (int look = 0; look < 3; ++look) {
      show("2", {.stop = 4, .running = true});
      QVERIFY(marked(0) && !marked(1));
    }
    show("2", {.stop = 5, .running = false});
    QVERIFY(marked(0) && !marked(1));
    show("2", {.stop = 5, .running = false});
    QVERIFY(marked(0) && !marked(1));
    show("2", {.stop = 6, .running = false});
    QVERIFY(!marked(0));
    // It came back to what it was: nothing has changed.
    show("3", {.stop = 6, .running = true});
    QVERIFY(marked(0));
    show("2", {.stop = 7, .running = false});
    QVERIFY(!marked(0));
    // Nobody looked at stop 8: of what it was then nothing is known.
    show("9", {.stop = 9, .running = false});
    QVERIFY(!marked(0));
    show("8", {.stop = 10, .running = true});
    QVERIFY(!marked(0));
  }

  // The marks are what somebody finds who writes down the values at both stops.
  void registers_that_changed_since_the_stop() {
    Run run("dual-stack-router");
    RegistersModel model(run.target());
    model.show(ContextId{0, 0, 0});
    const auto values = [&] {
      std::map<std::string, std::optional<uint32_t>> out;
      for (const auto& r : asked(run.target(), [](const Inspector& m) { return m.registers({0, 0, 0}); }))
        out[r.name + (r.physical.ends_with(" out") ? ".out" : "")] = r.value;
      return out;
    };
    size_t changed = 0;
    const auto check = [&] {
      run.settle();
      const auto then = values();
      QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
      const int looks = run.run_with_looks(kFar, [&](int made) { return made >= 3 && resets.size() >= 3; });
      run.settle();
      QVERIFY2(looks >= 3 && resets.size() >= 3,
               qPrintable(QStringLiteral("%1 looks, %2 answers").arg(looks).arg(resets.size())));
      const auto now = values();
      for (int row = 0; row < model.rowCount(); ++row) {
        std::string name = model.index(row, RegistersModel::kName).data().toString().toStdString();
        if (model.index(row, RegistersModel::kPhysical).data().toString().endsWith(QStringLiteral(" out")))
          name += ".out";
        QCOMPARE(model.index(row, 0).data(RegistersModel::kChangedRole).toBool(), then.at(name) != now.at(name));
        changed += then.at(name) != now.at(name);
      }
    };
    check();
    check();
    QVERIFY(changed > 0);
  }

  void queues_that_changed_since_the_stop() {
    Run run("dual-stack-router");
    QueuesView view(run.workspace, Theme::light);
    view.resize(900, 500);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.tree()->model()->rowCount() > 0, kLong);
    run.settle();
    Rows then, now;
    then.add(*view.tree()->model());
    QVERIFY(then.marked.empty());
    const int looks = run.run_with_looks(kFar);
    run.settle();
    QVERIFY(looks >= 3);
    now.add(*view.tree()->model());
    int changed = 0;
    for (const auto& row : now.values) {
      if (then.twice.contains(row.first) || now.twice.contains(row.first)) continue;
      const auto known = then.values.find(row.first);
      const bool differs = known != then.values.end() && known->second != row.second;
      QVERIFY2(now.marked.contains(row.first) == differs, qPrintable(row.first));
      changed += differs;
    }
    QVERIFY(changed > 3);
  }

  void memory_that_changed_since_the_stop() {
    Run run("dual-stack-router");
    const auto memories = asked(run.target(), [](const Inspector& m) { return m.memories(0); });
    MemoryModel model;
    model.set_target(&run.target());
    for (const auto& m : memories)
      if (m.name == "scratch") model.show(0, m);
    model.set_window(0, 1024);
    const auto values = [&] {
      return asked(run.target(), [](const Inspector& m) { return m.longwords(0, "scratch", 0, 4096); });
    };
    run.settle();
    const auto then = values();
    // So far that frames have come, however slow the machine is.
    const int looks =
        run.run_with_looks(kFar, [&](int n) { return n >= 3 && run.target().view()->cycle > kFramesHaveCome; });
    run.settle();
    QVERIFY(looks >= 3);
    const auto now = values();
    size_t changed = 0;
    for (size_t i = 0; i < now.size(); ++i) {
      QCOMPARE(model.index_of(4 * i).data(MemoryModel::kChangedRole).toBool(), then.at(i) != now.at(i));
      changed += then.at(i) != now.at(i);
    }
    QVERIFY(changed > 0);
  }

  void a_new_build_is_compared_with_nothing() {
    Run run("first");
    RegistersModel model(run.target());
    model.show(ContextId{0, 0, 0});
    (void)run.run_with_looks("100 cycles");
    run.settle();
    const uint64_t stops = run.target().stops();
    run.target().build();
    QTRY_VERIFY_WITH_TIMEOUT(run.target().stops() > stops + 1 && run.target().state() == State::stopped, kLong);
    run.settle();
    QVERIFY(model.rowCount() > 0);
    for (int row = 0; row < model.rowCount(); ++row)
      QVERIFY(!model.index(row, 0).data(RegistersModel::kChangedRole).toBool());
  }

  void marks_are_legible_in_both_themes() {
    Run run("first");
    RegistersView registers(run.workspace, Theme::light);
    MemoryView memory(run.workspace, Theme::light);
    QueuesView queues(run.workspace, Theme::light);
    CsrsView csrs(run.workspace, Theme::light);
    const std::vector<QAbstractItemView*> views{registers.findChild<QTableView*>(), memory.findChild<QTableView*>(),
                                                queues.tree(), csrs.tree()};
    const std::vector<int> roles{RegistersModel::kChangedRole, MemoryModel::kChangedRole, StateTree::kMarkedRole,
                                 StateTree::kMarkedRole};
    QStandardItemModel model;
    model.appendRow({new QStandardItem(QStringLiteral("1")), new QStandardItem(QStringLiteral("2"))});
    for (const Theme theme : {Theme::light, Theme::dark}) {
      for (size_t i = 0; i < views.size(); ++i) {
        const auto* cells = dynamic_cast<const ChangedDelegate*>(views[i]->itemDelegate());
        QVERIFY(cells != nullptr);
        model.item(0, 1)->setData(true, roles[i]);
        const auto text = [&](int column) {
          QStyleOptionViewItem option;
          option.palette = palette_of(theme);
          cells->initStyleOption(&option, model.index(0, column));
          return option.palette.color(QPalette::Text);
        };
        QCOMPARE(text(0), palette_of(theme).color(QPalette::Text));
        QVERIFY(text(1) != text(0));
        for (const QPalette::ColorRole ground : {QPalette::Base, QPalette::AlternateBase})
          QVERIFY(brightness_ratio(text(1), palette_of(theme).color(ground)) >= 4.5);
      }
    }
  }
};

WEFT_IDE_TEST_MAIN(MarksTest)
#include "marks_test.moc"
