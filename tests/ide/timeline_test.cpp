// What the execution history view shows: where cycles lie, the index against a plain walk, events, references, packets
// and queues.
#include "timeline_fixture.h"

using namespace weft::ide;
using namespace weft::ide::test;

class TimelineTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cycles_lie_where_they_should() {
    TimeAxis axis;
    axis.set_width(1000);
    axis.set_limits(0, 10'000'000);
    axis.show_all();
    QCOMPARE(axis.per_pixel(), 10'000.0);
    QCOMPARE(axis.cycle_at(0), uint64_t{0});
    QCOMPARE(axis.cycle_at(999.5), uint64_t{9'995'000});
    std::mt19937 random(4);
    for (int i = 0; i < 2000; ++i) {
      const double x = random() % 1000;
      const double before = axis.exact_cycle_at(x);
      axis.zoom(random() % 2 == 0 ? 1.25 : 1 / 1.25, x);
      QVERIFY(axis.begin() >= 0 && axis.end() <= 10'000'000.001);
      QVERIFY(axis.per_pixel() >= 1 / TimeAxis::kMaxPixels - 1e-12 && axis.per_pixel() <= 10'000);
      // It stays under the mouse unless an end of the run is in the way.
      if (axis.begin() > 1 && axis.end() < 9'999'999)
        QVERIFY(std::abs(axis.exact_cycle_at(x) - before) < 1e-3 * axis.per_pixel() + 1e-6);
      const double cycle = axis.exact_cycle_at(x);
      QVERIFY(std::abs(axis.x_of(cycle) - x) < 1e-3);
    }
    axis.show(500, 510);
    QVERIFY(axis.end() - axis.begin() >= 10);
    axis.reveal(7'000'000);
    QVERIFY(axis.begin() <= 7'000'000 && axis.end() >= 7'000'001);
    axis.pan(-1e12);
    QCOMPARE(axis.begin(), 0.0);
    axis.set_limits(0, 5);  // a run of five cycles is as wide as the window
    axis.show_all();
    QCOMPARE(axis.per_pixel(), 0.005);
    QCOMPARE(axis.cycle_at(999), uint64_t{4});
  }

  void the_index_says_what_the_history_says() {
    SessionTarget target(recorded(kForwarder));
    auto index = std::make_shared<TimelineIndex>();
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    for (const uint64_t until : {700, 3000, 12'000}) {  // it reads on
      target.run_until(std::to_string(until) + " cycles");
      // State and reason are those of the run before until this one has begun.
      QTRY_VERIFY_WITH_TIMEOUT(target.state() != State::running && target.view()->cycle == until, 30'000);
      const QString wrong = asked(
          target, [index](const Inspector& m) { return differences(*index, m, static_cast<uint32_t>(m.cycle()), 25); });
      QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
    // Going back loses nothing of what was seen.
    const uint64_t end = target.view()->cycle;
    target.go_to(end / 3);
    QTRY_COMPARE_WITH_TIMEOUT(target.view()->cycle, end / 3, 30'000);
    uint64_t known = 0;
    TimelineQuestion all;
    all.end = ~uint64_t{0};
    all.cells = 10;
    all.rows = {{TimelineRow::Kind::context, {0, 0, 0}}};
    target.ask(
        this, [index, all](const Inspector& m) { return index->answer(m, all); },
        [&known](const TimelineAnswer& a) { known = a.to; });
    QTRY_COMPARE_WITH_TIMEOUT(known, end, 30'000);
  }

  void what_was_dropped_is_not_told() {
    SessionSettings settings = recorded(kForwarder);
    settings.observation.history_limits.segments = 4000;
    SessionTarget target(settings);
    auto index = std::make_shared<TimelineIndex>();
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    for (int turn = 0; turn < 4; ++turn) {
      const uint64_t before = target.view()->cycle;
      target.run_until(
          QStringLiteral("cycle >= %1").arg(before + 1500 * static_cast<uint64_t>(turn + 1)).toStdString());
      QTRY_VERIFY_WITH_TIMEOUT(target.state() != State::running && target.view()->cycle > before, 30'000);
      const QString wrong = asked(
          target, [index](const Inspector& m) { return differences(*index, m, static_cast<uint32_t>(m.cycle()), 15); });
      QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
    std::optional<uint64_t> from;
    target.ask(
        this, [](const Inspector& m) { return m.history(0)->from_cycle(); }, [&from](uint64_t f) { from = f; });
    QTRY_VERIFY(from.has_value());
    QVERIFY(*from > 0);
  }

  // Every executing cycle has its place: counted by place they are the coverage, which knows nothing of the history.
  void places_of_cycles_are_the_coverage() {
    SessionTarget target(recorded(kForwarder));
    build_and_run(target, "15000 cycles");
    find_nothing_wrong(target, [](const Inspector& m) -> QString {
      uint64_t counted = 0;
      for (const auto& c : m.machine().contexts) {
        const History::Past past =
            m.history(0)->past({static_cast<uint8_t>(c.id.engine), static_cast<uint8_t>(c.id.context)});
        TrackIndex index;
        index.update(past);
        uint64_t touched = 0;
        std::map<uint32_t, uint64_t> counts;
        TrackIndex::Walk walk(index, past, touched);
        do {
          if (walk.activity() != Activity::executing) continue;
          for (uint64_t at = walk.begin(); at < std::min(walk.end(), m.cycle()); ++at)
            ++counts[static_cast<uint32_t>(walk.place() + (at - walk.begin()))];
        } while (walk.next());
        const auto& words = m.coverage(0)->words(c.id.engine);
        for (uint32_t pc = 0; pc < words.size(); ++pc) {
          if (counts[pc] != words[pc].executed[c.id.context])
            return QStringLiteral("engine %1 context %2 word %3: %4, coverage %5")
                .arg(c.id.engine)
                .arg(c.id.context)
                .arg(pc)
                .arg(counts[pc])
                .arg(words[pc].executed[c.id.context]);
          counted += counts[pc];
        }
      }
      return counted > 5'000 ? QString() : QStringLiteral("only %1 cycles").arg(counted);
    });
  }

  void events_are_found_both_ways() {
    SessionTarget target(recorded(kForwarder));
    auto index = std::make_shared<TimelineIndex>();
    build_and_run(target, "12000 cycles");
    find_nothing_wrong(target, [index](const Inspector& m) -> QString {
      size_t all = 0;
      for (const ContextId id : {ContextId{0, 0, 0}, ContextId{0, 1, 3}}) {
        const ContextRef who{static_cast<uint8_t>(id.engine), static_cast<uint8_t>(id.context)};
        const auto works = [](Activity a) {
          return a == Activity::executing || a == Activity::aborted || a == Activity::stalled;
        };
        for (const TimelineEvent event : {TimelineEvent::swap, TimelineEvent::stall, TimelineEvent::abort,
                                          TimelineEvent::wake, TimelineEvent::reference}) {
          std::vector<uint64_t> expected, forward, backward;
          std::optional<Activity> before;
          if (event == TimelineEvent::reference) {
            for (size_t i = 0; i < m.history(0)->reference_count(); ++i)
              if (const auto r = m.history(0)->reference(i); r.from == who)
                expected.push_back(r.accepted / m.ticks_per_cycle());
          } else {
            m.history(0)->segments(who, [&](const weft::emulator::Segment& s) {
              const bool is = event == TimelineEvent::swap    ? !works(s.activity) && before && works(*before)
                              : event == TimelineEvent::stall ? s.activity == Activity::stalled
                              : event == TimelineEvent::abort ? s.activity == Activity::aborted
                                                              : works(s.activity) && before && !works(*before);
              if (is && s.begin > 0) expected.push_back(s.begin);
              before = s.activity;
            });
          }
          std::erase(expected, 0u);
          for (auto at = index->find(m, id, event, 0, true); at; at = index->find(m, id, event, *at, true))
            forward.push_back(*at);
          for (auto at = index->find(m, id, event, m.cycle(), false); at && *at > 0;
               at = index->find(m, id, event, *at, false))
            backward.insert(backward.begin(), *at);
          if (forward != expected || backward != expected)
            return QStringLiteral("%1 of engine %2: %3 expected, %4 forward, %5 backward")
                .arg(QString::fromStdString(to_text(event)))
                .arg(id.engine)
                .arg(expected.size())
                .arg(forward.size())
                .arg(backward.size());
          all += expected.size();
        }
      }
      return all > 20 ? QString() : QStringLiteral("only %1 events").arg(all);
    });
  }

  void references_of_a_stretch_are_all_that_live_in_it() {
    SessionTarget target(recorded(kForwarder));
    auto index = std::make_shared<TimelineIndex>();
    build_and_run(target, "40000 cycles");
    find_nothing_wrong(target, [index](const Inspector& m) -> QString {
      using weft::emulator::kNever;
      std::mt19937 random(11);
      const History& history = *m.history(0);
      const auto contexts = m.machine().contexts;
      size_t all = 0;
      for (int round = 0; round < 60; ++round) {
        TimelineQuestion question;
        question.begin = random() % 39'000;
        question.end = question.begin + 1 + random() % 3000;
        question.cells = 1;
        question.references = true;
        for (const auto& c : contexts)
          if (random() % 3 == 0) question.rows.push_back({TimelineRow::Kind::context, c.id});
        const TimelineAnswer answer = index->answer(m, question);
        if (answer.references_left_out) return QStringLiteral("left out");
        std::vector<uint64_t> seen, expected;
        for (const TimelineReference& r : answer.references) seen.push_back(r.times.sequence);
        const uint64_t begin = answer.question.begin * m.ticks_per_cycle(),
                       end = answer.question.end * m.ticks_per_cycle();
        for (size_t i = 0; i < history.reference_count(); ++i) {
          const auto r = history.reference(i);
          const bool asked = std::ranges::any_of(answer.question.rows, [&](const TimelineRow& row) {
            return row.id.engine == r.from.engine && row.id.context == r.from.context;
          });
          const uint64_t last = r.done == kNever ? kNever : std::max(r.done, r.signalled == kNever ? 0 : r.signalled);
          if (asked && r.issued < end && last >= begin) expected.push_back(r.sequence);
        }
        std::ranges::sort(seen);
        if (seen != expected)
          return QStringLiteral("round %1: %2 of %3").arg(round).arg(seen.size()).arg(expected.size());
        all += seen.size();
      }
      return all > 500 ? QString() : QStringLiteral("only %1 references").arg(all);
    });
  }

  // Packets by port and cell, and how full queues were, against a plain count over everything.
  void packets_and_queues_are_those_of_the_observers() {
    SessionSettings settings = recorded(QStringLiteral(WEFT_SOURCE_DIR "/examples/dual-stack-router"));
    settings.observation.packets = true;
    SessionTarget target(settings);
    auto index = std::make_shared<TimelineIndex>();
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    for (const char* until : {"9000 cycles", "60000 cycles"}) {  // it reads on
      target.run_until(until);
      QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::ended, 60'000);
      std::optional<QString> wrong;
      target.ask(
          this,
          [index](const Inspector& m) -> QString {
            using Kind = TimelineRow::Kind;
            using weft::emulator::kNever;
            std::mt19937 random(23);
            const auto& tracker = *m.packets(0);
            const History& history = *m.history(0);
            const uint64_t now = m.observed_cycle(), period = m.ticks_per_cycle();
            std::vector<const weft::emulator::PacketRecord*> all;
            for (const auto& r : tracker.records()) all.push_back(&r);
            for (const auto* r : tracker.under_way()) all.push_back(r);
            TimelineQuestion question;
            question.cells = 1;
            question.end = now;
            question.lanes = true;
            const auto known = index->answer(m, question).lanes.known;
            std::set<Kind> kinds;
            for (const TimelineLane& lane : known) {
              question.rows.push_back(lane.row);
              kinds.insert(lane.row.kind);
            }
            if (!kinds.contains(Kind::port_in) || !kinds.contains(Kind::unit) || !kinds.contains(Kind::queue))
              return QStringLiteral("only %1 kinds of rows").arg(kinds.size());
            size_t busy = 0;
            for (int round = 0; round < 24; ++round) {
              const bool fine = round % 2 == 0;
              question.cells = fine ? 1 + random() % 60 : 8;
              // Coarse cells begin where sums do, so that they are exact.
              question.begin = fine ? random() % now : random() % (now / 2) / 1024 * 1024;
              question.end = fine ? std::min<uint64_t>(now, question.begin + 1 + random() % (question.cells * 120))
                                  : std::min(question.begin + 8 * 1024 * (1 + random() % 2), now / 8192 * 8192);
              if (question.begin >= question.end) continue;
              const TimelineAnswer answer = index->answer(m, question);
              for (size_t r = 0; r < answer.question.rows.size(); ++r) {
                const TimelineRow& row = answer.question.rows[r];
                for (unsigned cell = 0; cell < answer.question.cells; ++cell) {
                  const uint64_t begin = answer.cell_begin(cell), end = answer.cell_begin(cell + 1);
                  if (row.kind == Kind::port_in || row.kind == Kind::port_out) {
                    VerdictCounts expected{};
                    for (const auto* p : all) {
                      const uint64_t ended = p->ended == 0 ? now : p->ended;
                      const int port = row.kind == Kind::port_in ? p->port : p->out_port;
                      if (port == static_cast<int>(row.id.engine) && p->arrived < end && ended >= begin)
                        ++expected[static_cast<size_t>(p->verdict)];
                    }
                    if (expected != answer.lanes.rows[r].packets.at(cell))
                      return QStringLiteral("packets of port %1, cycles %2 to %3")
                          .arg(row.id.engine)
                          .arg(begin)
                          .arg(end);
                    busy += expected[1];
                    continue;
                  }
                  double area = 0;
                  if (row.kind == Kind::unit) {
                    for (size_t i = 0; i < history.reference_count(); ++i) {
                      const auto ref = history.reference(i);
                      if (inlet_of(ref) != std::pair(row.id.engine, row.id.context) || ref.accepted == kNever) continue;
                      const uint64_t from = ref.accepted / period, to = ref.served == kNever ? now
                                                                        : ref.served <= ref.accepted
                                                                            ? from
                                                                            : (ref.served + period - 1) / period;
                      if (std::max(from, begin) < std::min(to, end))
                        area += static_cast<double>(std::min(to, end) - std::max(from, begin));
                    }
                  } else {
                    uint32_t depth = 0;
                    uint64_t since = 0;
                    const auto stretch = [&](uint64_t to) {
                      if (std::max(since, begin) < std::min(to, end))
                        area += static_cast<double>(std::min(to, end) - std::max(since, begin)) * depth;
                    };
                    for (const auto& change : tracker.queue_changes()) {
                      if (change.queue != row.id.engine) continue;
                      stretch(change.cycle);
                      since = change.cycle;
                      depth = change.depth;
                    }
                    stretch(now);
                  }
                  const double mean = area / static_cast<double>(std::max<uint64_t>(end - begin, 1));
                  if (std::abs(mean - static_cast<double>(answer.lanes.rows[r].depths.at(cell).mean)) >
                      1e-3 * std::max(1.0, mean))
                    return QStringLiteral("depth of row %1, cycles %2 to %3: %4, expected %5")
                        .arg(r)
                        .arg(begin)
                        .arg(end)
                        .arg(static_cast<double>(answer.lanes.rows[r].depths[cell].mean))
                        .arg(mean);
                  busy += mean > 0 ? 1 : 0;
                }
              }
            }
            return busy > 200 ? QString() : QStringLiteral("nothing to see");
          },
          [&wrong](const QString& w) { wrong = w; });
      QTRY_VERIFY_WITH_TIMEOUT(wrong.has_value(), 120'000);
      QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
    }
  }
};

WEFT_IDE_TEST_MAIN(TimelineTest)
#include "timeline_test.moc"
