// Breakpoints from rows of every view: what their context menus offer, and that the machine takes what is chosen.
#include <QAbstractItemView>
#include <QDeadlineTimer>
#include <QScrollBar>
#include <QTreeView>

#include "debug_fixture.h"
#include "widgets/coverage_view.h"
#include "widgets/find_view.h"
#include "widgets/packet_details.h"
#include "widgets/packets_view.h"
#include "widgets/project_tree.h"
#include "widgets/references_view.h"
#include "widgets/statistics_view.h"
#include "widgets/timeline_view.h"

using namespace weft::ide;
using namespace weft::ide::test;
using weft::emulator::Verdict;

namespace {

/// What a context menu had: its entries, and those of the menus in it by their titles.
struct Menu {
  QStringList entries;
  std::map<QString, QStringList> below;
  /// The entries of the menu whose title begins so.
  QStringList under(const QString& title) const {
    for (const auto& [name, list] : below)
      if (name.startsWith(title)) return list;
    return {};
  }
  bool has(const QString& title, const QString& entry) const {
    return std::ranges::any_of(under(title), [&](const QString& text) { return text.startsWith(entry); });
  }
};

QStringList texts_of(const QMenu& menu) {
  QStringList out;
  for (const QAction* action : menu.actions())
    if (!action->isSeparator()) out << action->text().remove(QLatin1Char('&'));
  return out;
}

QAction* action_of(const QMenu& menu, const QString& text) {
  for (QAction* action : menu.actions())
    if (action->text().remove(QLatin1Char('&')).startsWith(text)) return action;
  return nullptr;
}

/// A right click, and what the menu is that it opens; then a click at `entry` in the menu `title` of it, if given.
Menu right_click(QWidget* on, QPoint at, const QString& title = {}, const QString& entry = {}) {
  Menu out;
  bool done = false;
  QTimer look;  // some menus run a loop of their own
  look.setInterval(20);
  const QDeadlineTimer patience(kLong / 2);
  QObject::connect(&look, &QTimer::timeout, on, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (menu == nullptr || done) return;
    if (out.entries.isEmpty()) {
      // Places that were asked for come later.
      const bool waits = std::ranges::any_of(menu->actions(),
                                             [](const QAction* a) { return a->menu() != nullptr && !a->isEnabled(); });
      if (waits && !patience.hasExpired()) return;
      out.entries = texts_of(*menu);
      for (const QAction* action : menu->actions())
        if (action->menu() != nullptr) out.below[action->text()] = texts_of(*action->menu());
      if (QAction* below = title.isEmpty() ? nullptr : action_of(*menu, title)) {
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(below).center());
        return;
      }
    } else if (QAction* action = action_of(*menu, entry)) {
      done = true;
      look.stop();
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      return;
    } else if (!patience.hasExpired()) {
      return;
    }
    done = true;
    look.stop();
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  });
  look.start();
  QWidget* window = on->window();
  QTest::mouseClick(window->windowHandle(), Qt::RightButton, {}, on->mapTo(window, at));
  if (!QTest::qWaitFor([&done] { return done; }, kLong))
    QTest::qFail(qPrintable(QStringLiteral("no menu, or not what it should have: ") + where_it_stands()), __FILE__,
                 __LINE__);
  look.stop();
  return out;
}

QPoint middle(const QAbstractItemView& view, const QModelIndex& index) {
  return view.visualRect(index).intersected(view.viewport()->rect()).center();
}

}  // namespace

class MenusTest : public QObject {
  Q_OBJECT

  test::OwnSettings settings_;
  std::unique_ptr<MainWindow> window_;

  Workspace& workspace() const { return window_->workspace(); }
  void raise(const char* name) const {
    auto* dock = qobject_cast<QDockWidget*>(window_->view(QLatin1String(name)));
    dock->show();
    dock->raise();
    if (window_->dockWidgetArea(dock) == Qt::BottomDockWidgetArea) window_->resizeDocks({dock}, {620}, Qt::Vertical);
    QTest::qWait(50);
  }
  template <class V>
  V* view() const {
    return window_->findChild<V*>();
  }
  /// The menu of a row of a table.
  Menu of_row(QAbstractItemView& table, const QModelIndex& index, const QString& title = {},
              const QString& entry = {}) const {
    table.scrollTo(index);
    return right_click(table.viewport(), middle(table, index), title, entry);
  }
  /// The last breakpoint, when the machine has taken it.
  Breakpoint taken(size_t count) const {
    [&] {
      QTRY_COMPARE_WITH_TIMEOUT(workspace().breakpoints().size(), count, kLong);
      QTRY_VERIFY_WITH_TIMEOUT(
          workspace().breakpoints().back().id != 0 || !workspace().breakpoints().back().problem.empty(), kLong);
    }();
    return workspace().breakpoints().empty() ? Breakpoint() : workspace().breakpoints().back();
  }
  QPoint of_timeline(const TimelineRow& row, uint64_t cycle) const {
    TimelineView* timeline = view<TimelineView>();
    const auto at =
        static_cast<int>(std::ranges::find(timeline->timeline().rows(), row) - timeline->timeline().rows().begin());
    return timeline->canvas().point_of(at, cycle);
  }
  QString name_of(const std::string& file, uint32_t line) const {
    return QStringLiteral("%1:%2").arg(workspace().short_name(QString::fromStdString(file))).arg(line);
  }

 private Q_SLOTS:
  void initTestCase() {
    settings_.begin();
    window_ = std::make_unique<MainWindow>(Theme::light);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get(), kLong));
    weft::workbench::Observation all = workspace().observation();
    all.coverage = all.history = all.statistics = all.profile = all.packets = all.packet_limits.frames = true;
    workspace().set_observation(all);
    QVERIFY(window_->open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/firewall-filter")));
    QTRY_COMPARE_WITH_TIMEOUT(workspace().target()->state(), State::stopped, 60'000);
    workspace().target()->run_until("60us");
    QTRY_VERIFY_WITH_TIMEOUT(
        workspace().target()->state() != State::running && workspace().target()->view()->cycle > 10'000, 60'000);
  }
  void cleanup() { workspace().set_breakpoints({}); }
  void cleanupTestCase() { window_.reset(); }

  void words_of_the_coverage() {
    raise("coverage");
    auto* coverage = view<CoverageView>();
    QTRY_VERIFY(coverage->table().model()->rowCount() > 20);
    const CoverageWord word = coverage->model().series().program->words[20];
    QVERIFY(word.line != 0);
    const QString place = QStringLiteral("Breakpoint at ") + name_of(word.file, word.line);
    const Menu menu =
        of_row(coverage->table(), coverage->table().model()->index(20, 0), place, QStringLiteral("Set a breakpoint"));
    QVERIFY2(menu.has(place, QStringLiteral("Run to here")), qPrintable(menu.entries.join(QLatin1Char('\n'))));
    QVERIFY(menu.entries.contains(QStringLiteral("Save coverage as lcov...")));
    const Breakpoint b = taken(1);
    QCOMPARE(QString::fromStdString(b.target), name_of(word.file, word.line));
    QVERIFY2(!b.words.empty(), b.problem.c_str());
    // The bar of a word has the same menu, which now knows the breakpoint.
    QVERIFY(right_click(coverage->canvas().viewport(), coverage->canvas().point_of(20))
                .has(place, QStringLiteral("Remove it")));
  }

  void rows_of_the_history() {
    raise("timeline");
    auto* timeline = view<TimelineView>();
    const ContextId id{0, 0, 0};
    timeline->timeline().open_packets();
    timeline->timeline().set_open({TimelineRow::Kind::engine, id}, true);
    QTRY_VERIFY(timeline->timeline().row_of(id) >= 0);
    QTest::qWait(50);
    QWidget* port = timeline->canvas().viewport();
    // A context: the place where it is in that cycle, whether it executes then or sleeps, and what it does.
    const uint64_t cycle = 5'000;
    const QPoint at = of_timeline({TimelineRow::Kind::context, id}, cycle);
    const uint64_t shown = timeline->canvas().axis().cycle_at(at.x() - TimelineCanvas::kNames);
    std::optional<TimelineMoment> moment;
    timeline->timeline().ask_place(id, shown, [&](const TimelineMoment& m) { moment = m; });
    QTRY_VERIFY(moment.has_value());
    QVERIFY(moment->pc && moment->segment.begin <= shown);
    const QString place = QStringLiteral("Breakpoint at ") + name_of(moment->file, moment->line);
    const Menu menu = right_click(port, at, place, QStringLiteral("Set a breakpoint"));
    QVERIFY2(menu.has(place, QStringLiteral("Run to here")), qPrintable(menu.entries.join(QLatin1Char('\n'))));
    QVERIFY(menu.has(QStringLiteral("Breakpoint for me0.ctx0"), QStringLiteral("Stop when me0.ctx0 leaves")));
    QVERIFY(!taken(1).words.empty());
    // A microengine, ports, rings: events.
    right_click(port, of_timeline({TimelineRow::Kind::engine, id}, cycle), QStringLiteral("Breakpoint for me0"),
                QStringLiteral("Stop at each signal"));
    QCOMPARE(taken(2).target, std::string("me0.*"));
    QVERIFY(taken(2).id != 0);
    const TimelineRow in{TimelineRow::Kind::port_in, {0, 0, 0}};
    right_click(port, of_timeline(in, cycle), QStringLiteral("Breakpoint for events"),
                QStringLiteral("Stop when a frame arrives (port 0)"));
    QCOMPARE(taken(3).target, std::string("0 in"));
    QVERIFY(taken(3).id != 0);
    const auto ring = std::ranges::find_if(timeline->timeline().rows(), [&](const TimelineRow& row) {
      return timeline->timeline().scratch_ring(row) >= 0;
    });
    QVERIFY(ring != timeline->timeline().rows().end());
    const int number = timeline->timeline().scratch_ring(*ring);
    timeline->canvas().verticalScrollBar()->setValue(timeline->canvas().verticalScrollBar()->maximum());
    right_click(port, of_timeline(*ring, cycle), QStringLiteral("Breakpoint for events"),
                QStringLiteral("Stop when a scratch ring is full"));
    QCOMPARE(QString::fromStdString(taken(4).target), QStringLiteral("%1 full").arg(number));
    QVERIFY(taken(4).id != 0);
  }

  void packets_and_their_way() {
    raise("packets");
    auto* packets = view<PacketsView>();
    QTRY_VERIFY(packets->model() != nullptr && packets->model()->complete() && packets->model()->rowCount() > 20);
    int row = 0;
    while (row < packets->model()->rowCount() && packets->model()->row(row).verdict != Verdict::dropped) ++row;
    QVERIFY(row < packets->model()->rowCount());
    const PacketRow dropped = packets->model()->row(row);
    const QString event = QStringLiteral("Stop when a program drops a packet (reason %1)").arg(dropped.reason);
    const Menu menu =
        of_row(*packets->table(), packets->model()->index(row, 0), QStringLiteral("Breakpoint for events"), event);
    QTRY_COMPARE(packets->details()->detail().row.id, dropped.id);
    const CodePlace decided = *packets->details()->detail().reason;
    QVERIFY2(menu.has(QStringLiteral("Breakpoint at ") + name_of(decided.file, decided.line),
                      QStringLiteral("Set a breakpoint")),
             qPrintable(menu.entries.join(QLatin1Char('\n'))));
    QVERIFY(menu.has(QStringLiteral("Breakpoint for events"),
                     QStringLiteral("Stop when a frame arrives (port %1)").arg(dropped.port)));
    QCOMPARE(QString::fromStdString(taken(1).target), QStringLiteral("dropped ") + dropped.reason);
    QVERIFY2(taken(1).id != 0, taken(1).problem.c_str());
    // A stage of its way.
    QTableView* way = packets->details()->path_table();
    QTRY_VERIFY(way->model()->rowCount() > 1);
    const CodePlace place = packets->details()->detail().steps[1].place;
    const QString title = QStringLiteral("Breakpoint at ") + name_of(place.file, place.line);
    const Menu stage = of_row(*way, way->model()->index(1, 0), title, QStringLiteral("Set a breakpoint"));
    QVERIFY2(stage.has(title, QStringLiteral("Run to here")), qPrintable(stage.entries.join(QLatin1Char('\n'))));
    QVERIFY(stage.has(QStringLiteral("Breakpoint for me%1.ctx%2").arg(place.who.engine).arg(place.who.context),
                      QStringLiteral("Stop at each of its signals")));
    QVERIFY(stage.entries.contains(QStringLiteral("Copy the way")));
    QVERIFY(!taken(2).words.empty());
  }

  void figures_of_the_statistics() {
    raise("statistics");
    auto* statistics = view<StatisticsView>();
    for (const char* table : {"lines", "profile_lines"}) {
      statistics->show_table(QLatin1String(table));
      QTRY_VERIFY(statistics->table().model()->rowCount() > 0 &&
                  statistics->figures().table().name == std::string_view(table));
      QCOMPARE(statistics->table().model()->index(0, 0).data(), statistics->figures().index(0, 0).data());
      const FigureRow row = statistics->figures().row(0);
      const QString place = QStringLiteral("Breakpoint at ") + name_of(row.file, row.line);
      const Menu menu = of_row(statistics->table(), statistics->table().model()->index(0, 0));
      QVERIFY2(menu.has(place, QStringLiteral("Run to here")), qPrintable(menu.entries.join(QLatin1Char('\n'))));
      QVERIFY(menu.entries.contains(QStringLiteral("Copy this table")));
    }
    statistics->show_table(QStringLiteral("contexts"));
    QTRY_VERIFY(statistics->figures().row_of({0, 0, 3}) >= 0);
    const int row = statistics->figures().row_of({0, 0, 3});
    QCOMPARE(statistics->table().model()->index(row, 0).data().toString(), QStringLiteral("me0.3"));
    QVERIFY(of_row(statistics->table(), statistics->table().model()->index(row, 0))
                .has(QStringLiteral("Breakpoint for me0.ctx3"), QStringLiteral("Stop when it reads")));
  }

  void contexts_of_the_project() {
    raise("project");
    auto* tree = view<ProjectTree>()->findChild<QTreeView*>();
    const QModelIndex chip = tree->model()->index(0, 0, tree->model()->index(0, 0, tree->model()->index(0, 0)));
    const QModelIndex engine = tree->model()->index(0, 0, chip), context = tree->model()->index(1, 0, engine);
    tree->expand(chip);
    tree->expand(engine);
    QVERIFY(engine.isValid() && context.isValid());
    const auto view = workspace().target()->view();
    const auto at = std::ranges::find(view->contexts, ContextId{0, view->engines.front().engine, 1},
                                      &weft::workbench::ContextView::id);
    QVERIFY(at != view->contexts.end() && at->line != 0);
    const QString who = QStringLiteral("me%1").arg(view->engines.front().engine);
    const Menu menu = of_row(*tree, context);
    QVERIFY2(
        menu.has(QStringLiteral("Breakpoint at ") + name_of(at->file, at->line), QStringLiteral("Set a breakpoint")),
        qPrintable(menu.entries.join(QLatin1Char('\n'))));
    QVERIFY(menu.has(QStringLiteral("Breakpoint for %1.ctx1").arg(who), QStringLiteral("Stop when it stalls")));
    QVERIFY(menu.entries.contains(QStringLiteral("Open")));
    of_row(*tree, engine, QStringLiteral("Breakpoint for ") + who, QStringLiteral("Stop when it reads"));
    QCOMPARE(QString::fromStdString(taken(1).target), who);
    QVERIFY(taken(1).id != 0);
  }

  // Lines that are found, used and wrong; and a run to one of them.
  void places_in_texts() {
    Fixture f;
    f.window->resize(1440, 900);
    const QString place = QStringLiteral("Breakpoint at p.uc:15");
    f.show("find");
    auto* find = f.window->findChild<FindView*>();
    find->open(QStringLiteral("n, n, -"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    auto* found = find->findChild<QTableView*>();
    QTRY_VERIFY(found->model()->rowCount() == 1);
    Menu menu = of_row(*found, found->model()->index(0, 0), place, QStringLiteral("Run to here"));
    QVERIFY2(menu.has(place, QStringLiteral("Set a breakpoint")), qPrintable(menu.entries.join(QLatin1Char('\n'))));
    QVERIFY(menu.entries.contains(QStringLiteral("Copy all")));
    QTRY_VERIFY_WITH_TIMEOUT(f.target()->stopped_at().has_value(), kLong);
    QCOMPARE(f.line_of(*f.target()->stopped_at()), 15u);
    QVERIFY(f.breakpoints().empty());

    f.show("references");
    auto* references = f.window->findChild<ReferencesView*>();
    references->show_references(
        QStringLiteral("n"), {{f.path, 15, 5, 1, QStringLiteral("reads, writes"), QStringLiteral("alu[n, n, -, 1]")}});
    auto* uses = references->findChild<QTableView*>();
    QTest::qWait(50);
    QVERIFY(of_row(*uses, uses->model()->index(0, 0), place, QStringLiteral("Set a breakpoint"))
                .has(place, QStringLiteral("Run to here")));
    QTRY_COMPARE(f.breakpoints().size(), size_t{1});
    QCOMPARE(f.breakpoints()[0].target, std::string("p.uc:15"));

    f.editor->go_to(16);
    f.editor->setFocus();
    QTest::keyClicks(f.editor, QStringLiteral("x"));
    f.show("problems");
    auto* problems = f.window->view(QStringLiteral("problems"))->findChild<QTableView*>();
    QTRY_VERIFY_WITH_TIMEOUT(problems->model()->rowCount() > 0, kLong);
    menu = of_row(*problems, problems->model()->index(0, 0));
    QVERIFY2(menu.has(QStringLiteral("Breakpoint at p.uc:16"), QStringLiteral("Set a breakpoint")),
             qPrintable(menu.entries.join(QLatin1Char('\n'))));
    f.editor->undo();
  }
};

WEFT_IDE_TEST_MAIN(MenusTest)
#include "menus_test.moc"
