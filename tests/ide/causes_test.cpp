// Causes, searches and ranges in the real window, by keys and clicks: why a context slept, what is found in the
// history, and what a chosen range leaves of packets, statistics and the flame graph.
#include <QDockWidget>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonObject>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>

#include "models/line_coverage.h"
#include "own_settings_test.h"
#include "support.h"
#include "widgets/cause_panel.h"
#include "widgets/code_editor.h"
#include "widgets/code_gutter.h"
#include "widgets/flame_view.h"
#include "widgets/main_window.h"
#include "widgets/packets_view.h"
#include "widgets/statistics_view.h"
#include "widgets/texts.h"
#include "widgets/timeline_view.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;

namespace {

constexpr uint64_t kEnd = 20'000;

struct Window {
  MainWindow window{Theme::light};

  void start(const char* example = "dual-stack-router") {
    weft::workbench::Observation all;
    all.history = all.packets = all.statistics = all.coverage = true;
    window.workspace().set_observation(all);
    window.resize(1440, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kLong));
    QVERIFY(window.open_project(QStringLiteral(WEFT_SOURCE_DIR "/examples/") + QLatin1String(example)));
    QTRY_COMPARE(target()->state(), State::stopped);
    target()->run_until(QStringLiteral("%1 cycles").arg(kEnd).toStdString());
    QTRY_COMPARE(target()->state(), State::ended);
    QTRY_VERIFY(target()->view() && target()->view()->cycle == kEnd);
  }
  Target* target() { return window.workspace().target(); }
  Cursor& cursor() { return window.workspace().cursor(); }
  template <class V>
  V* shown(const char* name) {
    auto* dock = qobject_cast<QDockWidget*>(window.view(QLatin1String(name)));
    dock->show();
    dock->raise();
    return window.findChild<V*>();
  }
  TimelineView* history() {
    auto* view = shown<TimelineView>("history");
    [&] {
      QTRY_VERIFY(view->timeline().answer() != nullptr && view->timeline().answer()->to == kEnd);
      QTRY_VERIFY(view->canvas().isVisible());
    }();
    return view;
  }
  static void press(QWidget* view, const char* tool) {
    auto* action = view->findChild<QAction*>(QLatin1String(tool));
    QVERIFY2(action != nullptr, tool);
    for (QObject* of : action->associatedObjects())
      if (auto* bar = qobject_cast<QToolBar*>(of))
        return QTest::mouseClick(bar->widgetForAction(action), Qt::LeftButton);
    QFAIL(tool);
  }
  /// Types into a field as people do.
  static void type(QLineEdit* field, const QString& text) {
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
  }
};

/// A drag over the bars, about from cycle 6,000 to 9,000.
void choose_range(TimelineView& view) {
  TimelineCanvas& canvas = view.canvas();
  canvas.fit();
  QTRY_VERIFY(!view.timeline().asking());
  const int y = canvas.rows_top() + 30;
  QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, {canvas.point_of(0, 6'000).x(), y});
  QTest::mouseMove(canvas.viewport(), {canvas.point_of(0, 7'000).x(), y});
  QTest::mouseMove(canvas.viewport(), {canvas.point_of(0, 9'000).x(), y});
  QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, {canvas.point_of(0, 9'000).x(), y});
}

}  // namespace

class CausesTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  void a_click_on_a_sleep_draws_what_woke_it() {
    Window w;
    w.start();
    TimelineView* view = w.history();
    TimelineCanvas& canvas = view->canvas();
    // A sleep that a command of the context itself has ended, behind others.
    const auto found = asked(*w.target(), [](const Inspector& machine) {
      std::optional<weft::workbench::SleepCause> out;
      const auto* history = machine.history(0);
      for (uint8_t e = 0; e < history->engines() && !out; ++e)
        for (uint8_t c = 0; c < 8 && !out; ++c)
          history->segments({e, c}, [&](const weft::emulator::Segment& s) {
            if (out || s.activity != weft::emulator::Activity::sleep || s.begin < 8'000 || s.end - s.begin < 60) return;
            auto cause = cause_of(machine, {0, e, c}, s.begin);
            if (cause && cause->by == weft::workbench::SleepCause::By::reference && cause->before_count > 0)
              out = cause;
          });
      return out.value_or(weft::workbench::SleepCause());
    });
    QVERIFY(found.command);
    canvas.show_cycles(static_cast<double>(found.begin) - 40, static_cast<double>(found.end) + 40);
    const int row = view->timeline().row_of(found.who);
    QVERIFY(row >= 0);
    canvas.verticalScrollBar()->setValue(std::max(0, (row - 2) * canvas.row_height()));
    QTRY_VERIFY(!view->timeline().asking());
    const uint64_t cycle = (found.begin + found.end) / 2;
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, canvas.point_of(row, cycle));
    QTRY_VERIFY(view->timeline().causes().cause());
    QCOMPARE(view->timeline().causes().cause()->begin, found.begin);
    QCOMPARE(view->timeline().causes().cause()->end, found.end);
    QVERIFY(view->causes().isVisible());
    canvas.grab();
    // Out of the sleep, down to the queue, along it, and back to the end of the sleep.
    const QPolygonF arrow = canvas.cause_arrow();
    QVERIFY(arrow.size() >= 4);
    QVERIFY(std::abs(arrow.first().x() - canvas.point_of(row, found.begin).x()) <= 3);
    QVERIFY(std::abs(arrow.last().x() - canvas.point_of(row, found.end).x()) <= 3);
    QCOMPARE(arrow.first().y(), arrow.last().y());
    QVERIFY(arrow[2].y() > arrow.first().y());
    // Its steps lead to their places, and stay there meanwhile.
    SleepCauses& causes = view->timeline().causes();
    const int steps = causes.rowCount();
    QVERIFY(steps >= 5);
    int issued = -1;
    for (int r = 0; r < steps; ++r)
      if (!causes.index(r, SleepCauses::kPlace).data().toString().isEmpty() && r > 0 && issued < 0) issued = r;
    QVERIFY(issued > 0);
    QTableView* table = view->causes().table();
    table->setCurrentIndex(causes.index(issued, 0));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_VERIFY(w.window.texts().current() != nullptr);
    QCOMPARE(causes.rowCount(), steps);
    QVERIFY(causes.cause());
    const QJsonObject state = view->state().toObject();
    QVERIFY(state[QStringLiteral("cause")].toObject()[QStringLiteral("steps")].toArray().size() == steps);
    // No causes, no arrow.
    Window::press(view, "causes");
    QTRY_VERIFY(!causes.cause());
    QVERIFY(!view->causes().isVisible());
    canvas.grab();
    QVERIFY(canvas.cause_arrow().isEmpty());
  }

  void what_is_searched_is_marked_and_one_goes_from_hit_to_hit() {
    Window w;
    w.start();
    TimelineView* view = w.history();
    TimelineSearch& search = view->timeline().search();
    // A slash in the picture leads to the field.
    view->canvas().setFocus();
    QTest::keyClick(&view->canvas(), Qt::Key_Slash);
    QTRY_VERIFY(view->search_field()->hasFocus());
    QTest::keyClicks(view->search_field(), QStringLiteral("sleep > 150"));
    QTRY_VERIFY(search.active() && !search.searching() && search.hits().count > 3);
    const auto hits = search.hits().hits;
    w.cursor().set_cycle(0);
    QTest::keyClick(view->search_field(), Qt::Key_Return);
    QCOMPARE(w.cursor().cycle(), hits[0].begin);
    QVERIFY(w.cursor().context() == hits[0].id());
    QTest::keyClick(view->search_field(), Qt::Key_Return);
    QCOMPARE(w.cursor().cycle(), hits[1].begin);
    view->canvas().setFocus();
    QTest::keyClick(&view->canvas(), Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(w.cursor().cycle(), hits[0].begin);
    QVERIFY(search.summary().startsWith(QStringLiteral("1 of ")));
    QTest::keyClick(&view->canvas(), Qt::Key_N, Qt::ShiftModifier);  // round
    QCOMPARE(w.cursor().cycle(), hits.back().begin);
    // The strip has their colour, and the bars.
    view->canvas().fit();
    QTRY_VERIFY(!view->timeline().asking());
    const QImage picture = view->canvas().viewport()->grab().toImage();
    const QRgb wanted = hit_colour(Theme::light).rgb();
    int in_strip = 0, in_rows = 0;
    for (int x = TimelineCanvas::kNames; x < picture.width(); ++x)
      for (int y = 0; y < picture.height(); ++y)
        if (picture.pixel(x, y) == wanted) ++(y < TimelineCanvas::kOverview ? in_strip : in_rows);
    QVERIFY(in_strip > 10);
    QVERIFY(in_rows > 10);
    QVERIFY(view->canvas().work().hits > 0);
    // Only the contexts that have some.
    const size_t all = view->timeline().rows().size();
    Window::type(view->search_field(), QStringLiteral("me0.ctx2 sleep > 5"));
    QTRY_VERIFY(search.contexts().size() == 1);
    Window::press(view, "only_hits");
    const auto contexts = [&] {
      return std::ranges::count(view->timeline().rows(), TimelineRow::Kind::context, &TimelineRow::kind);
    };
    QTRY_COMPARE(contexts(), 1);
    QVERIFY(view->timeline().rows().size() < all);
    Window::press(view, "only_hits");
    QTRY_COMPARE(view->timeline().rows().size(), all);
    // What is not understood says so.
    Window::type(view->search_field(), QStringLiteral("stal > 4"));
    QTRY_VERIFY(search.problem().contains(QStringLiteral("did you mean 'stall'?")));
    Window::type(view->search_field(), QStringLiteral("nowhere#"));
    QTRY_VERIFY(search.problem().contains(QStringLiteral("no program has the label")));
    view->search_field()->clear();
    QVERIFY(!search.active());
    QVERIFY(search.summary().isEmpty());
  }

  void a_range_leaves_its_packets_units_lines_and_cycles() {
    Window w;
    w.start();
    TimelineView* view = w.history();
    auto* packets = w.shown<PacketsView>("packets");
    QTRY_VERIFY(packets->model() != nullptr && packets->model()->complete() && packets->model()->all() > 4);
    const int all = packets->model()->rowCount();
    auto* statistics = w.shown<StatisticsView>("statistics");
    statistics->show_table(QStringLiteral("units"));
    QTRY_VERIFY(statistics->figures().rowCount() > 2);
    const auto commands = [&] {
      qulonglong sum = 0;
      const FigureTable& table = statistics->figures().table();
      for (const FigureRow& row : table.rows)
        for (size_t c = 0; c < table.columns.size(); ++c)
          if (table.columns[c].name == QStringLiteral("Commands")) sum += row.values[c].toULongLong();
      return sum;
    };
    const qulonglong whole = commands();
    QVERIFY(whole > 0);
    // A drag over the bars chooses the range.
    view = w.history();
    choose_range(*view);
    const auto range = w.cursor().range();
    QVERIFY(range && range->first >= 5'900 && range->second <= 9'100);
    // Packets that were not on their way in it are gone from the list.
    packets = w.shown<PacketsView>("packets");
    QTRY_VERIFY(packets->model()->rowCount() < all);
    QVERIFY(packets->model()->rowCount() > 0);
    for (int row = 0; row < packets->model()->rowCount(); ++row) {
      QVERIFY(packets->model()->row(row).arrived < range->second);
      QVERIFY(packets->model()->row(row).ended >= range->first);
    }
    auto* button = packets->findChild<QToolButton*>(QStringLiteral("packets_range"));
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(packets->model()->rowCount(), all);
    // Units count the commands of the range alone, and so do lines.
    statistics = w.shown<StatisticsView>("statistics");
    QTRY_VERIFY(statistics->model().tables().range.has_value());
    QTRY_VERIFY(commands() < whole);
    const auto counted = asked(*w.target(), [range](const Inspector& machine) {
      qulonglong n = 0;
      const auto* history = machine.history(0);
      const uint64_t period = machine.ticks_per_cycle();
      for (size_t i = 0; i < history->reference_count(); ++i)
        n += history->accepted(i) >= range->first * period && history->accepted(i) < range->second * period;
      return n;
    });
    QCOMPARE(commands(), counted);
    statistics->show_table(QStringLiteral("lines"));
    QTRY_VERIFY(statistics->figures().rowCount() > 2);
    for (const char* table : {"contexts", "latencies", "ports", "losses", "macros", "profile_lines"}) {
      const FigureTable* of = statistics->model().tables().find(table);
      QVERIFY2(of != nullptr && of->of_range, table);
    }
    // The flame graph is of the range, and of the run when asked.
    auto* flame = w.shown<FlameView>("flame");
    QTRY_VERIFY(flame->model().root() && flame->model().of_chosen_range());
    const auto width = [&] { return flame_width(*flame->model().root(), flame->model().options()); };
    const uint64_t part = width();
    QVERIFY(part > 0);
    QVERIFY(part <= 8 * (range->second - range->first));
    Window::press(flame, "flame_range");
    QTRY_VERIFY(!flame->model().of_chosen_range());
    QTRY_VERIFY(width() > part);
    QCOMPARE(flame->model().range().second, kEnd);
  }

  // Against a count of the history by hand, and for all cycles against the run's own counts, branches too.
  void a_range_counts_its_lines_in_the_margin() {
    Window w;
    w.start();
    CodeEditor* editor = w.window.open_file(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router/forward.uc"));
    const std::string path = editor->path().toStdString();
    const auto run = asked(*w.target(), [](const Inspector& machine) { return coverage_by_line(machine); });
    const auto executed = [&](const CoverageLines& of) {
      const auto& lines = of.at(path);
      return std::ranges::all_of(
          lines, [&](const auto& line) { return editor->gutter().executed(line.first) == line.second.executed; });
    };
    QTRY_VERIFY(executed(run));
    TimelineView* view = w.history();
    choose_range(*view);
    QVERIFY(w.cursor().range());
    const auto range = *w.cursor().range();
    const auto by_hand = asked(*w.target(), [range](const Inspector& machine) {
      std::map<std::pair<unsigned, unsigned>, uint64_t> words;  // by engine and address
      const auto* history = machine.history(0);
      for (uint8_t e = 0, engines = static_cast<uint8_t>(history->engines()); e < engines; ++e)
        for (uint8_t c = 0; c < 8; ++c) {
          const auto past = history->past({e, c});
          uint64_t cycle = past.begin;
          size_t place = 0;
          for (const uint32_t word : past.words) {
            const uint64_t length = word & ((1u << 29) - 1);
            if (static_cast<weft::emulator::Activity>(word >> 29) == weft::emulator::Activity::executing) {
              const unsigned first = past.places[place++];
              for (uint64_t i = 0; i < length; ++i)
                if (cycle + i >= range.first && cycle + i < range.second) ++words[{e, first + unsigned(i)}];
            }
            cycle += length;
          }
        }
      CoverageLines out;
      for (const auto& engine : machine.machine().engines) {
        const auto* image = machine.program(0, engine.engine);
        if (image == nullptr) continue;
        std::map<std::pair<std::string, int>, uint64_t> max;
        for (unsigned pc = 0; pc < image->lines.size(); ++pc) {
          const auto count = [&, n = words[{engine.engine, pc}]](const auto& at) {
            if (at.line == 0) return;
            uint64_t& line = max[{image->files[at.file], static_cast<int>(at.line)}];
            line = std::max(line, n);
          };
          for (const auto& macro : image->lines[pc].macros) count(macro.second);
          count(image->lines[pc].place);
        }
        for (const auto& [place, n] : max) out[place.first][place.second].executed += n;
      }
      return out;
    });
    QTRY_VERIFY(executed(by_hand));
    QVERIFY(!executed(run));
    // The tip says of which cycles it is.
    const auto line = std::ranges::find_if(by_hand.at(path), [](const auto& l) { return l.second.executed > 0; });
    editor->go_to(line->first);
    for (const VisibleLine& at : editor->visible_lines(0, editor->gutter().height())) {
      if (at.line != line->first) continue;
      const QPoint where(editor->gutter().width() - 6, at.top + at.height / 2);
      QHelpEvent help(QEvent::ToolTip, where, editor->gutter().mapToGlobal(where));
      QApplication::sendEvent(&editor->gutter(), &help);
    }
    QVERIFY2(
        QToolTip::text().contains(QStringLiteral("times in cycles %L1 to %L2").arg(range.first).arg(range.second - 1)),
        qPrintable(QToolTip::text()));
    // All cycles have the counts of the run, and their branches.
    const auto all = asked(*w.target(), [](const Inspector& machine) {
      weft::workbench::RangeProfile profile({0, kEnd});
      while (!profile.look(machine, 1'000)) {
      }
      return coverage_by_line(machine, profile);
    });
    size_t branches = 0;
    for (const auto& [file, lines] : run)
      for (const auto& [number, counts] : lines) {
        const QByteArray at = QByteArray::fromStdString(file) + ':' + QByteArray::number(number);
        QVERIFY2(all.at(file).at(number).executed == counts.executed, at.constData());
        QVERIFY2(outcome_mark(all.at(file).at(number)) == outcome_mark(counts), at.constData());
        branches += counts.branches.size();
      }
    QVERIFY(branches > 20);
    // Without the range they are those of the run again.
    view = w.history();
    w.cursor().set_range(std::nullopt);
    QTRY_VERIFY(executed(run));
  }

  void a_flame_graph_by_keys_and_mouse() {
    Window w;
    w.start();
    auto* flame = w.shown<FlameView>("flame");
    FlameCanvas& canvas = flame->canvas();
    QTRY_VERIFY(flame->model().root() && canvas.isVisible());
    const auto* root = flame->model().root().get();
    QVERIFY(root->children.size() >= 3);
    const QString widest = QString::fromStdString(root->children[0].name);
    QTRY_VERIFY(!canvas.rect_of(widest).isEmpty());
    const QRect before = canvas.rect_of(widest);
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, before.center());
    QVERIFY(canvas.chosen() == &root->children[0]);
    QVERIFY(canvas.viewport()->accessibleDescription().contains(widest));
    QTest::mouseDClick(canvas.viewport(), Qt::LeftButton, {}, before.center());
    QVERIFY(canvas.zoomed());
    QVERIFY(canvas.rect_of(widest).width() > before.width());
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QVERIFY(!canvas.zoomed());
    QCOMPARE(canvas.rect_of(widest).width(), before.width());
    // Down to a line, which leads to the text.
    canvas.setFocus();
    while (canvas.chosen() == nullptr || canvas.chosen()->kind != weft::workbench::FlameNode::Kind::line) {
      const auto* at = canvas.chosen();
      QTest::keyClick(&canvas, Qt::Key_Down);
      QVERIFY(canvas.chosen() != at);
    }
    const auto line = *canvas.chosen();
    QTest::keyClick(&canvas, Qt::Key_Return);
    QTRY_VERIFY(w.window.texts().current() != nullptr &&
                w.window.texts().current_editor()->current_line_number() == static_cast<int>(line.line));
    // Engines of one program together, with what waits too.
    const uint64_t busy = flame_width(*root, flame->model().options());
    Window::press(flame, "flame_waiting");
    QTRY_VERIFY(flame_width(*flame->model().root(), flame->model().options()) > busy);
    Window::press(flame, "flame_engines");
    QTRY_VERIFY(flame->model().root()->children[0].kind == weft::workbench::FlameNode::Kind::program);
    QVERIFY(flame->model().folded().contains(QStringLiteral("forward.uc")));
    QVERIFY(flame->state().toObject()[QStringLiteral("title")].toString().contains(QStringLiteral("cycles 0 to")));
  }
};

WEFT_IDE_TEST_MAIN(CausesTest)
#include "causes_test.moc"
