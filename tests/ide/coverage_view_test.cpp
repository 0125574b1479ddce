// The coverage view: bars and labels by properties, and by keys, mouse and menus.
#include "coverage_fixture.h"

using namespace weft::ide;
using namespace weft::ide::test;

class CoverageViewTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void bars_show_each_address_once() {
    const CoverageSeries series = made_up(8192, 7);
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
      TimeAxis axis;
      axis.set_limits(0, series.size());
      axis.set_width(1 + static_cast<int>(random() % 2000));
      const double a = random() % 8192, b = random() % 8192;
      axis.show(std::min(a, b), std::max(a, b) + 1);
      const auto bars = coverage_bars(axis, series.size(), [&](uint32_t at) { return series.count(at); });
      const auto shown = axis.visible();
      uint64_t at = shown.first;
      int free = -1;
      for (const CoverageBar& bar : bars) {
        QCOMPARE(uint64_t{bar.first}, at);
        QVERIFY(bar.last > bar.first && bar.x > free - 1 && bar.width >= 1);
        free = bar.x + 1;
        uint64_t max = 0, never = 0;
        for (uint32_t w = bar.first; w < bar.last; ++w) {
          max = std::max(max, series.count(w));
          never += series.count(w) == 0;
        }
        QCOMPARE(series.count(bar.word), max);
        QCOMPARE(uint64_t{bar.never}, never);
        at = bar.last;
      }
      QCOMPARE(at, shown.second);
    }
  }

  void heights_grow_with_counts() {
    for (const CoverageScale scale : {CoverageScale::linear, CoverageScale::logarithmic}) {
      int before = 0;
      for (uint64_t count = 0; count <= 5000; ++count) {
        const int height = bar_height(count, 5000, 300, scale);
        QVERIFY(height >= before && height <= 300 && (height > 0) == (count > 0));
        before = height;
      }
      QCOMPARE(bar_height(5000, 5000, 300, scale), 300);
      QCOMPARE(bar_height(3, 0, 300, scale), 1);
    }
    QCOMPARE(bar_height(2500, 5000, 300, CoverageScale::linear), 150);
    QVERIFY(bar_height(70, 5000, 300, CoverageScale::logarithmic) == 150);  // log(71) is half of log(5001)
  }

  void parts_fill_their_bar() {
    QCOMPARE(stacked({30, 10, 0, 20}, 60), (std::vector<int>{0, 30, 40, 40, 60}));
    QCOMPARE(stacked({0, 0}, 60), (std::vector<int>{0, 0, 0}));
    // One execution of a context is seen beside a million of another.
    QCOMPARE(stacked({1, 1'000'000}, 50), (std::vector<int>{0, 1, 50}));
  }

  void ticks_are_round() {
    for (const CoverageTick& tick : count_ticks(437, 200, CoverageScale::linear, 20)) {
      QCOMPARE(tick.count % 50, uint64_t{0});
      QCOMPARE(tick.height, static_cast<int>(std::lround(static_cast<double>(tick.count) * 200 / 437)));
    }
    QCOMPARE(count_ticks(437, 200, CoverageScale::linear, 20).size(), size_t{8});
    const auto powers = count_ticks(70'000, 300, CoverageScale::logarithmic, 20);
    QCOMPARE(powers.back().count, uint64_t{10'000});
    for (size_t i = 1; i < powers.size(); ++i) QCOMPARE(powers[i].count, powers[i - 1].count * 10);
    QVERIFY(count_ticks(0, 200, CoverageScale::linear, 20).empty());
  }

  void labels_do_not_touch() {
    const CoverageSeries series = made_up(8192, 3);
    TimeAxis axis;
    axis.set_limits(0, series.size());
    axis.set_width(900);
    axis.show_all();
    const auto width = [](const std::string& name) { return 7 * static_cast<int>(name.size()); };
    const auto places = place_labels(
        axis, series.program->labels, width, [](uint32_t) { return uint64_t{1}; }, 2);
    QVERIFY(places.size() > 10);
    for (const LabelPlace& a : places) {
      QVERIFY(a.x >= 0 && a.x + width(series.program->labels[a.label].name) <= 900);
      for (const LabelPlace& b : places)
        if (&a != &b && a.row == b.row)
          QVERIFY(a.x + width(series.program->labels[a.label].name) <= b.x ||
                  b.x + width(series.program->labels[b.label].name) <= a.x);
    }
  }

  void the_view_by_hand() {
    Opened opened;
    CoverageView& view = opened.view;
    QVERIFY(view.state().toObject()[QStringLiteral("empty")].toString().contains(QStringLiteral("Open a project")));
    opened.run(kForwarder, 12'000);
    CoverageModel& model = opened.model();
    CoverageCanvas& canvas = view.canvas();
    QWidget* port = canvas.viewport();
    QSignalSpy places(&opened.workspace, &Workspace::place_requested);
    QVERIFY(canvas.axis().shows_all());

    // The wheel zooms about the mouse, the keys too; F shows all.
    const QPoint at(CoverageCanvas::kCounts + 200, 100);
    const double before = canvas.axis().exact_cycle_at(200);
    turn_wheel(*port, at, 8);
    QVERIFY(!canvas.axis().shows_all());
    QVERIFY(std::abs(canvas.axis().exact_cycle_at(200) - before) < 1);
    const double begin = canvas.axis().begin();
    canvas.horizontalScrollBar()->setValue(canvas.horizontalScrollBar()->value() + 3);
    QVERIFY(canvas.axis().begin() > begin);
    QTest::keyClick(&canvas, Qt::Key_F);
    QVERIFY(canvas.axis().shows_all());
    // A drag shows its stretch.
    QTest::mousePress(port, Qt::LeftButton, {}, canvas.point_of(10));
    QTest::mouseMove(port, canvas.point_of(20));
    QTest::mouseMove(port, canvas.point_of(30));
    QTest::mouseRelease(port, Qt::LeftButton, {}, canvas.point_of(30));
    QVERIFY(canvas.axis().begin() >= 9 && canvas.axis().end() <= 32);
    QVERIFY(places.isEmpty());

    // A click goes to the code.
    QTest::mouseClick(port, Qt::LeftButton, {}, canvas.point_of(17));
    QCOMPARE(canvas.chosen(), std::optional<uint32_t>(17));
    QCOMPARE(places.size(), 1);
    const CoverageWord& word = model.series().program->words[17];
    QCOMPARE(places[0][0].toString(), QString::fromStdString(word.file));
    QCOMPARE(places[0][1].toInt(), static_cast<int>(word.line));
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.chosen(), std::optional<uint32_t>(18));
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(places.size(), 2);
    // The list follows.
    QCOMPARE(view.table().currentIndex().siblingAtColumn(CoverageTable::kAddress).data().toString(),
             QStringLiteral("0x12"));

    // The tip says all that is known of a word.
    QHelpEvent help(QEvent::ToolTip, canvas.point_of(17), port->mapToGlobal(canvas.point_of(17)));
    QApplication::sendEvent(port, &help);
    QVERIFY(canvas.hover_text().startsWith(QStringLiteral("0x11 ")));
    QVERIFY(canvas.hover_text().contains(QString::fromStdString(word.text)));
    QVERIFY(canvas.hover_text().contains(QStringLiteral(":%1").arg(word.line)));

    // Search and threshold.
    auto* search = view.findChild<QLineEdit*>();
    QTest::keyClicks(search, QStringLiteral("0x11"));
    QCOMPARE(model.hits(), std::vector<uint32_t>{17});
    search->clear();
    auto* test = view.findChild<QComboBox*>(QStringLiteral("test"));
    test->setFocus();
    QTest::keyClicks(test, QStringLiteral("never"));
    const auto never = static_cast<size_t>(
        std::ranges::count_if(model.series().counts, [](const CoverageCounts& c) { return c.all_executed() == 0; }));
    QVERIFY(never > 0);
    QCOMPARE(model.hits().size(), never);
    QCOMPARE(view.table().model()->rowCount(), static_cast<int>(never));
    QTest::keyClick(&canvas, Qt::Key_N);
    QVERIFY(canvas.chosen() && model.is_hit(*canvas.chosen()));
    test->setCurrentIndex(static_cast<int>(CoverageTest::at_least));
    auto* limit = view.findChild<QSpinBox*>();
    QVERIFY(limit->isEnabled());
    limit->setFocus();
    limit->selectAll();
    QTest::keyClicks(limit, QStringLiteral("100"));
    for (const uint32_t a : model.hits()) QVERIFY(model.series().count(a) >= 100);
    test->setCurrentIndex(0);

    // Another context chooses its microengine; the view of one context shows its counts.
    model.choose(static_cast<int>(model.choices().size()) - 1);
    const ContextId other{0, model.choices()[static_cast<size_t>(model.choice())].engines.front() == 0 ? 1u : 0u, 3};
    opened.workspace.cursor().set_context(other);
    QVERIFY(std::ranges::find(model.series().choice.engines, other.engine) != model.series().choice.engines.end());
    auto* look = view.findChild<QComboBox*>(QStringLiteral("look"));
    for (int i = 0; i < look->count(); ++i) {
      look->setCurrentIndex(i);
      canvas.grab();
      QVERIFY(canvas.work().bars > 0 && canvas.work().parts > 0);
    }
    QCOMPARE(model.filter().context, 3);

    // Up and down against A.
    model.keep();
    opened.go_on(15'000);
    QVERIFY(canvas.difference());
    canvas.grab();
    QVERIFY(canvas.work().parts > 0);
    QVERIFY(view.state().toObject().contains(QStringLiteral("compared_with")));
    for (QWidget* w : view.findChildren<QWidget*>())
      if (w->focusPolicy() != Qt::NoFocus && w->isVisible() && w->metaObject() != &QWidget::staticMetaObject)
        QVERIFY2(!w->accessibleName().isEmpty() || qobject_cast<QLineEdit*>(w) != nullptr,
                 w->metaObject()->className());
  }

  void a_frame_of_the_largest_program() {
    // Work is bounded by pixels, not by the program: 8,192 words of 8 contexts.
    Workspace workspace;
    CoverageModel model(workspace);
    CoverageCanvas canvas(model, Theme::dark);
    canvas.resize(1440, 400);
    canvas.show();
    const CoverageSeries series = made_up(8192, 9);
    CoverageRun run;
    run.recorded = true;
    run.chips = {""};
    run.engines.push_back({0, 0, 8, series.program, series.counts});
    model.show(run);
    const auto width = static_cast<uint64_t>(canvas.axis().width());
    for (const CoverageStyle look : {CoverageStyle::sum, CoverageStyle::stacked, CoverageStyle::rows}) {
      canvas.set_look(look);
      canvas.grab();
      const uint64_t rows = look == CoverageStyle::rows ? 8 : 1;
      QVERIFY(canvas.work().bars <= rows * width && canvas.work().bars >= rows * (width - 1));
      QVERIFY(canvas.work().parts <= 8 * width);
      qInfo("8,192 words of 8 contexts, look %d: %.2f ms, %llu bars, %llu parts", static_cast<int>(look),
            canvas.work().milliseconds, static_cast<unsigned long long>(canvas.work().bars),
            static_cast<unsigned long long>(canvas.work().parts));
    }
    CoverageTable table(model);
    table.sort(CoverageTable::kCount, Qt::DescendingOrder);
    QElapsedTimer time;
    time.start();
    model.show(run);
    qInfo("new counts of 8,192 words, sorted: %.2f ms", static_cast<double>(time.nsecsElapsed()) / 1e6);
    QCOMPARE(table.rowCount(), 8192);
    model.keep();
    canvas.grab();
    qInfo("the difference from A: %.2f ms", canvas.work().milliseconds);
  }
};

WEFT_IDE_TEST_MAIN(CoverageViewTest)
#include "coverage_view_test.moc"
