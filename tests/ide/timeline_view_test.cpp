// The execution history view by wheel, keys and mouse, and what a frame costs.
#include "timeline_fixture.h"

using namespace weft::ide;
using namespace weft::ide::test;

class TimelineViewTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_packet_is_chosen_by_its_bar() {
    Workspace workspace;
    weft::workbench::Observation observation;
    observation.packets = observation.history = true;
    workspace.set_observation(observation);
    TimelineView view(workspace, Theme::dark);
    view.resize(1000, 1100);
    view.show();
    QVERIFY(workspace.open(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router")));
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, 30'000);
    workspace.target()->run_until("20000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(workspace.target()->state() == State::ended, 60'000);
    Timeline& timeline = view.timeline();
    TimelineCanvas& canvas = view.canvas();
    QTRY_VERIFY(timeline.answer() != nullptr && timeline.answer()->to == 20'000);
    QTRY_VERIFY(timeline.rows().size() > 8 + 64);
    timeline.set_all_open(false);
    // The heading of packets, microengines, and the heading of queues.
    QTRY_COMPARE(timeline.rows().size(), size_t{8 + 2});
    const int heading = 0;
    QCOMPARE(timeline.rows()[heading].kind, TimelineRow::Kind::packets);
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {},
                      {60, canvas.rows_top() + heading * canvas.row_height() + 4});
    QVERIFY(timeline.rows().size() > 8 + 2 + 4);
    const TimelineRow wanted{TimelineRow::Kind::port_in, {0, 1, 0}};
    const auto place = std::ranges::find(timeline.rows(), wanted) - timeline.rows().begin();
    QVERIFY(place < static_cast<std::ptrdiff_t>(timeline.rows().size()));
    canvas.show_cycles(2'000, 9'000);
    const auto bar = [&]() -> const TimelinePacket* {
      if (timeline.answer() == nullptr || timeline.answer()->question.end > 9'500) return nullptr;
      for (const TimelinePacket& p : timeline.answer()->lanes.packets)
        if (timeline.answer()->question.rows[p.row] == wanted && p.begin > 2'000) return &p;
      return nullptr;
    };
    const auto seen = [&] {
      return QStringLiteral("%1 to %2, %3 rows, %4 packets, asking %5")
          .arg(timeline.answer()->question.begin)
          .arg(timeline.answer()->question.end)
          .arg(timeline.answer()->question.rows.size())
          .arg(timeline.answer()->lanes.packets.size())
          .arg(timeline.asking());
    };
    QTRY_VERIFY2(bar() != nullptr, qPrintable(seen()));
    canvas.grab();
    const TimelinePacket packet = *bar();
    const auto lanes = static_cast<int>(timeline.answer()->lanes.rows[packet.row].lanes);
    const int top = canvas.rows_top() + static_cast<int>(place) * canvas.row_height();
    const int height = canvas.row_height() - 3;
    const QPoint at(canvas.point_of(0, packet.begin + 60).x(),
                    top + 1 + (2 * static_cast<int>(packet.lane) + 1) * height / (2 * lanes));
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(workspace.cursor().packet(), packet.id);
    // Its way is drawn in the colours of its stages.
    QTRY_VERIFY(!timeline.answer()->lanes.stages.empty());
    canvas.grab();
    QHelpEvent help(QEvent::ToolTip, at, canvas.viewport()->mapToGlobal(at));
    QApplication::sendEvent(canvas.viewport(), &help);
    QVERIFY2(canvas.hover_text().startsWith(QStringLiteral("packet %1").arg(packet.id)),
             qPrintable(canvas.hover_text()));
    // A narrow window has a legend of more lines.
    const int wide = canvas.legend_height();
    view.resize(560, 700);
    QTRY_VERIFY(canvas.legend_height() > wide);
    const QJsonObject state = view.state().toObject();
    QVERIFY(!state[QStringLiteral("lanes")].toArray().isEmpty());
    QVERIFY(timeline.csv().contains(QStringLiteral("port 1 in")));
  }

  // 64 contexts: what an answer and a frame look at is bounded by pixels, whatever the length of the run.
  void ten_million_cycles_cost_what_one_million_costs() {
    const weft::emulator::Machine machine{weft::emulator::MachineDescription()};
    History history(machine);
    TimelineIndex index;
    constexpr unsigned kWidth = 1290;
    TimelineQuestion question;
    question.cells = kWidth;
    for (unsigned e = 0; e < 8; ++e)
      for (unsigned c = 0; c < 8; ++c) question.rows.push_back({TimelineRow::Kind::context, {0, e, c}});
    uint64_t lived = 0;
    for (const uint64_t cycles : {uint64_t{1'000'000}, uint64_t{10'000'000}}) {
      live(history, lived, cycles);
      lived = cycles;
      const PastOnly past(history, cycles);
      TimelineQuestion one = question;
      one.end = 1;
      index.answer(past, one);  // reads on
      for (const double share : {1.0, 0.1, 0.001, 0.0001}) {
        question.begin = static_cast<uint64_t>(static_cast<double>(cycles) * (1 - share) / 2);
        question.end = question.begin + static_cast<uint64_t>(static_cast<double>(cycles) * share);
        QElapsedTimer timer;
        timer.start();
        const TimelineAnswer answer = index.answer(past, question);
        const double asked = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        // Each edge of a cell is found by a search of at most twice the logarithm, and a walk of at most one stride.
        QVERIFY2(answer.touched <= 64 * (kWidth + 1) * (TrackIndex::kStride + 40),
                 qPrintable(QString::number(answer.touched)));
        TimeAxis axis;
        axis.set_width(kWidth);
        axis.set_limits(0, cycles);
        axis.show(static_cast<double>(question.begin), static_cast<double>(question.end));
        QImage image(kWidth, 64 * 16, QImage::Format_RGB32);
        const TimelinePixels pixels(Theme::light);
        timer.start();
        uint64_t cells = 0;
        for (int row = 0; row < 64; ++row)
          cells += paint_cells(image, pixels, answer, static_cast<size_t>(row), axis, 0, row * 16, 14);
        const double painted = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        QVERIFY(cells <= 2 * 64 * kWidth);
        qInfo("%9llu cycles known, %9llu shown: %7llu touched, answered in %.2f ms; %6llu cells painted in %.2f ms",
              static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(question.end - question.begin),
              static_cast<unsigned long long>(answer.touched), asked, static_cast<unsigned long long>(cells), painted);
      }
    }
  }

  void the_view_by_wheel_keys_and_mouse() {
    Workspace workspace;
    TimelineView view(workspace, Theme::light);
    view.resize(1200, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, kLong));
    QVERIFY(view.state().toObject().contains(QStringLiteral("empty")));
    QVERIFY(workspace.open(kForwarder));
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, 30'000);
    // It is empty because nothing is recorded; the button changes that.
    auto* record = view.findChild<QPushButton*>(QStringLiteral("record"));
    QTRY_VERIFY(record->isVisible());
    QTest::mouseClick(record, Qt::LeftButton);
    QVERIFY(workspace.observation().history);
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, 30'000);
    QVERIFY(!record->isVisible());
    workspace.target()->run_until("20000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(workspace.target()->state() == State::ended, 60'000);
    TimelineCanvas& canvas = view.canvas();
    QTRY_VERIFY(view.timeline().answer() != nullptr && view.timeline().answer()->to == 20'000 &&
                !view.timeline().answer()->rows.empty());
    QCOMPARE(std::ranges::count_if(view.timeline().rows(), shows_activity), 4 + 32);
    // Queues stand after them, under their heading; no packets are followed.
    QCOMPARE(view.timeline().rows()[36].kind, TimelineRow::Kind::queues);
    QVERIFY(view.timeline().rows().size() > 37);
    QTRY_VERIFY(canvas.axis().shows_all());
    QVERIFY(canvas.isVisible());

    // The wheel zooms about the mouse.
    QWidget* port = canvas.viewport();
    const QPoint at(TimelineCanvas::kNames + 400, 150);
    const double before = canvas.axis().exact_cycle_at(400);
    turn_wheel(*port, at, 12);
    QVERIFY(canvas.axis().end() - canvas.axis().begin() < 2000);
    QVERIFY(std::abs(canvas.axis().exact_cycle_at(400) - before) < 1);
    QTRY_VERIFY(view.timeline().answer()->question.end - view.timeline().answer()->question.begin < 2000);
    QVERIFY(!view.timeline().answer()->references.empty());
    // Where something is executed for long enough, its label stands on the bar.
    const auto& reference = view.timeline().answer()->references.front().times;
    const double busy =
        static_cast<double>(reference.accepted) / static_cast<double>(view.timeline().answer()->ticks_per_cycle);
    canvas.show_cycles(busy - 20, busy + 60);
    QTRY_VERIFY(!view.timeline().answer()->spans.empty());
    QVERIFY(QString::fromStdString(view.timeline().answer()->spans.front().text).endsWith(QLatin1Char('#')));
    canvas.set_labels(TimelineLabels::stages);
    const auto stage = [&] {
      const auto& spans = view.timeline().answer()->spans;
      return !spans.empty() &&
             (spans.front().text == "receive" || spans.front().text == "forward" || spans.front().text == "transmit");
    };
    QTRY_VERIFY(stage());
    canvas.grab();
    QVERIFY(canvas.work().cells > 0 && canvas.work().references > 0);
    qInfo("a frame with references and labels: %.2f ms, %llu cells, %llu references, %llu labels",
          canvas.work().milliseconds, static_cast<unsigned long long>(canvas.work().cells),
          static_cast<unsigned long long>(canvas.work().references),
          static_cast<unsigned long long>(canvas.work().spans));

    // A click moves the cursor, and chooses the context of its row.
    const ContextId second{0, view.timeline().rows()[2].id.engine, 1};
    const uint64_t cycle = canvas.axis().cycle_at(302);
    QTest::mouseClick(port, Qt::LeftButton, {}, canvas.point_of(2, cycle));
    QCOMPARE(workspace.cursor().context(), std::optional(second));
    QVERIFY(workspace.cursor().cycle() == cycle);
    // The tip says what the context did there.
    const auto hover = [&](QPoint where) {
      QHelpEvent help(QEvent::ToolTip, where, port->mapToGlobal(where));
      QApplication::sendEvent(port, &help);
    };
    hover(canvas.point_of(2, cycle));
    QTRY_VERIFY(canvas.hover_text().contains(QStringLiteral("me0.1, cycle")));
    QVERIFY(canvas.hover_text().contains(QStringLiteral("cycles\n")) ||
            canvas.hover_text().endsWith(QStringLiteral("cycles")));
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(workspace.cursor().cycle(), cycle + 1);
    QTest::keyClick(&canvas, Qt::Key_M);
    QCOMPARE(view.timeline().marks().size(), size_t{1});
    // The cursor of another view is followed.
    workspace.cursor().set_cycle(19'000);
    QVERIFY(canvas.axis().begin() <= 19'000 && canvas.axis().end() > 19'000);

    // A drag chooses a range; its figures are those of the history.
    QTest::mousePress(port, Qt::LeftButton, {}, {TimelineCanvas::kNames + 100, 120});
    QTest::mouseMove(port, {TimelineCanvas::kNames + 300, 125});
    QTest::mouseMove(port, {TimelineCanvas::kNames + 500, 125});
    QTest::mouseRelease(port, Qt::LeftButton, {}, {TimelineCanvas::kNames + 500, 125});
    const auto range = workspace.cursor().range();
    QVERIFY(range && range->second - range->first > 10);
    QCOMPARE(workspace.cursor().cycle(), uint64_t{19'000});
    QTRY_VERIFY(view.timeline().statistics() != nullptr);
    const TimelineAnswer figures = *view.timeline().statistics();
    QCOMPARE(figures.rows.size(), size_t{1 + 4 + 32});
    std::optional<QString> wrong;
    workspace.target()->ask(
        this,
        [figures](const Inspector& m) {
          for (size_t r = 0; r < figures.rows.size(); ++r) {
            const TimelineRow& row = figures.question.rows[r];
            const ContextRef who{static_cast<uint8_t>(row.id.engine), static_cast<uint8_t>(row.id.context)};
            if (row.kind == TimelineRow::Kind::context &&
                walked(*m.history(0), who, figures.question.begin, figures.question.end) != figures.rows[r][0])
              return QStringLiteral("row %1").arg(r);
          }
          return QString();
        },
        [&wrong](const QString& w) { wrong = w; });
    QTRY_VERIFY(wrong.has_value());
    QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
    auto* table = view.findChild<QTableWidget*>();
    QVERIFY(table->isVisible());
    QCOMPARE(table->rowCount(), 37);
    QCOMPARE(table->item(table->currentRow(), 0)->text(), QStringLiteral("me0.2"));  // whose row the drag began in
    // A range of which nothing is known says so, and does not crash.
    const auto chosen = range;
    workspace.cursor().set_range(std::pair(uint64_t{30'000}, uint64_t{31'000}));
    QTRY_COMPARE(table->rowCount(), 0);
    workspace.cursor().set_range(chosen);
    QTRY_COMPARE(table->rowCount(), 37);
    QCOMPARE(view.csv().count(QLatin1Char('\n')), 38);

    // Keys: the range fills the window, then all does.
    QTest::keyClick(&canvas, Qt::Key_R);
    QVERIFY(canvas.axis().end() - canvas.axis().begin() <= static_cast<double>(range->second - range->first) + 1);
    QTest::keyClick(&canvas, Qt::Key_F);
    QVERIFY(canvas.axis().shows_all());
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(!canvas.axis().shows_all());
    const double begin = canvas.axis().begin();
    QTest::keyClick(&canvas, Qt::Key_A);
    QVERIFY(canvas.axis().begin() < begin || begin == 0);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QVERIFY(!workspace.cursor().range());

    // A click on a microengine's name closes it.
    QTest::mouseClick(port, Qt::LeftButton, {}, {60, canvas.rows_top() + 4});
    QCOMPARE(std::ranges::count_if(view.timeline().rows(), shows_activity), 4 + 24);

    // A double click takes the machine there, and the history keeps what it knows.
    canvas.fit();
    QTest::mouseDClick(port, Qt::LeftButton, {}, {TimelineCanvas::kNames + 200, 150});
    const uint64_t there = canvas.axis().cycle_at(200);
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->view()->cycle, there, 30'000);
    QTRY_COMPARE(view.timeline().answer()->to, uint64_t{20'000});
    const QJsonObject state = view.state().toObject();
    QCOMPARE(state[QStringLiteral("known_to")].toInteger(), 20'000);
    QCOMPARE(state[QStringLiteral("cursor")].toInteger(), static_cast<qint64>(there));
    QVERIFY(!state[QStringLiteral("rows")].toArray().isEmpty());
    QCOMPARE(state[QStringLiteral("marks")].toArray().size(), 1);
  }
};

WEFT_IDE_TEST_MAIN(TimelineViewTest)
#include "timeline_view_test.moc"
