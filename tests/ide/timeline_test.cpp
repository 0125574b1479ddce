// The execution history view: where cycles lie, the index against a plain walk, what a frame costs, and the view by wheel, keys and mouse.
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonObject>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>
#include <random>
#include <set>

#include "weft/emulator/machine.h"
#include "widgets/timeline_view.h"

using namespace weft::ide;
using weft::emulator::Activity;
using weft::emulator::ContextRef;
using weft::emulator::ContextState;
using weft::emulator::History;
using State = Target::State;

namespace {

const QString kForwarder = QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");

/// Sums of one context as the history tells its segments.
ActivityCycles walked(const History& history, ContextRef who, uint64_t begin, uint64_t end) {
  ActivityCycles out{};
  history.segments(who, [&](const weft::emulator::Segment& s) {
    const uint64_t from = std::max(s.begin, begin), to = std::min(s.end, end);
    if (from < to) out[static_cast<size_t>(s.activity)] += to - from;
  });
  return out;
}

/// Random stretches of all contexts, cell by cell. Empty: all as in the history.
QString differences(TimelineIndex& index, const Inspector& machine, uint32_t seed, int rounds) {
  std::mt19937 random(seed);
  const History& history = *machine.history(0);
  const uint64_t from = history.from_cycle(), to = machine.observed_cycle();
  const auto view = machine.machine();
  for (int round = 0; round < rounds; ++round) {
    TimelineQuestion question;
    const uint64_t a = from + random() % (to - from), b = from + random() % (to - from);
    question.begin = std::min(a, b);
    question.end = round % 3 == 0 ? std::min(question.begin + 1 + random() % 200, to) : std::max(a, b) + 1;
    question.cells = 1 + random() % 50;
    for (const auto& c : view.contexts)
      if (random() % 4 == 0) question.rows.push_back({TimelineRow::Kind::context, c.id});
    for (const auto& e : view.engines) question.rows.push_back({TimelineRow::Kind::engine, {0, e.engine, 0}});
    const TimelineAnswer answer = index.answer(machine, question);
    for (size_t r = 0; r < answer.rows.size(); ++r) {
      const TimelineRow& row = answer.question.rows[r];
      for (unsigned cell = 0; cell < answer.question.cells; ++cell) {
        const uint64_t begin = answer.cell_begin(cell), end = answer.cell_begin(cell + 1);
        ActivityCycles expected{};
        if (row.kind == TimelineRow::Kind::context) {
          expected = walked(history, {static_cast<uint8_t>(row.id.engine), static_cast<uint8_t>(row.id.context)}, begin, end);
        } else {
          uint64_t used = 0;
          for (uint8_t c = 0; c < 8; ++c) {
            const ActivityCycles some = walked(history, {static_cast<uint8_t>(row.id.engine), c}, begin, end);
            for (const Activity act : {Activity::executing, Activity::aborted, Activity::stalled}) {
              expected[static_cast<size_t>(act)] += some[static_cast<size_t>(act)];
              used += some[static_cast<size_t>(act)];
            }
          }
          expected[static_cast<size_t>(Activity::sleep)] = end - begin - used;
        }
        if (expected != answer.rows[r][cell])
          return QStringLiteral("round %1, engine %2 context %3, cycles %4 to %5").arg(round).arg(row.id.engine).arg(row.id.context).arg(begin).arg(end);
      }
    }
  }
  return {};
}

SessionSettings recorded(const QString& project) {
  SessionSettings settings;
  settings.project = project.toStdString();
  settings.observation.coverage = settings.observation.history = true;
  return settings;
}

/// A machine that has only a past.
class PastOnly final : public Inspector {
 public:
  PastOnly(const History& history, uint64_t cycle) : history_(history), cycle_(cycle) {
    view_.chips = {""};
    for (unsigned e = 0; e < 8; ++e) {
      view_.engines.push_back({0, e, "past.uc"});
      for (unsigned c = 0; c < 8; ++c) {
        weft::workbench::ContextView context;
        context.id = {0, e, c};
        view_.contexts.push_back(context);
      }
    }
  }
  MachineView machine() const override { return view_; }
  std::vector<weft::workbench::RegisterView> registers(ContextId) const override { return {}; }
  std::vector<uint32_t> memory(unsigned, weft::image::Region, uint64_t, unsigned) const override { return {}; }
  uint64_t memory_size(unsigned, weft::image::Region) const override { return 0; }
  weft::Result<int64_t> evaluate(const std::string&, ContextId) const override { return 0; }
  const weft::image::Image* program(unsigned, unsigned) const override { return nullptr; }
  weft::workbench::Report report() const override { return {}; }
  const History* history(unsigned) const override { return &history_; }
  const weft::emulator::Coverage* coverage(unsigned) const override { return nullptr; }
  const weft::emulator::Statistics* statistics(unsigned) const override { return nullptr; }
  const weft::emulator::PacketTracker* packets(unsigned) const override { return nullptr; }
  uint64_t cycle() const override { return cycle_; }
  uint64_t ticks_per_cycle() const override { return 10; }
  uint64_t ticks_per_second() const override { return 6'000'000'000; }

 private:
  const History& history_;
  uint64_t cycle_;
  MachineView view_;
};

/// Contexts that take turns: so many cycles executing, some aborted, then the next one.
void live(History& history, uint64_t from, uint64_t to) {
  for (uint8_t e = 0; e < 8; ++e) {
    std::mt19937 random(e + 1);
    uint8_t running = 0;
    for (uint64_t cycle = from; cycle < to;) {
      const ContextRef who{e, running};
      history.on_state(who, ContextState::executing, cycle);
      const uint64_t until = std::min(cycle + 5 + random() % 20, to);
      for (; cycle < until; ++cycle) history.on_execute(who, static_cast<uint16_t>(cycle % 4000), cycle);
      if (cycle < to) history.on_stall(who, 0, cycle++);
      history.on_state(who, ContextState::sleep, cycle);
      running = static_cast<uint8_t>((running + 1) % 8);
      history.on_state({e, running}, ContextState::ready, cycle > 3 ? cycle - 3 : cycle);
    }
  }
}

}  // namespace

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
      QVERIFY(axis.per_pixel() >= 1 / TimeAxis::kMostPixels - 1e-12 && axis.per_pixel() <= 10'000);
      // It stays under the mouse unless an end of the run is in the way.
      if (axis.begin() > 1 && axis.end() < 9'999'999) QVERIFY(std::abs(axis.exact_cycle_at(x) - before) < 1e-3 * axis.per_pixel() + 1e-6);
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
    for (const char* until : {"700 cycles", "3000 cycles", "12000 cycles"}) {  // it reads on
      target.run_until(until);
      QTRY_VERIFY_WITH_TIMEOUT(target.state() != State::running && target.reason() != QStringLiteral("built"), 30'000);
      std::optional<QString> wrong;
      target.ask(this, [index](const Inspector& m) { return differences(*index, m, static_cast<uint32_t>(m.cycle()), 25); }, [&wrong](const QString& w) { wrong = w; });
      QTRY_VERIFY_WITH_TIMEOUT(wrong.has_value(), 60'000);
      QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
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
    target.ask(this, [index, all](const Inspector& m) { return index->answer(m, all); }, [&known](const TimelineAnswer& a) { known = a.to; });
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
      target.run_until(QStringLiteral("cycle >= %1").arg(before + 1500 * static_cast<uint64_t>(turn + 1)).toStdString());
      QTRY_VERIFY_WITH_TIMEOUT(target.state() != State::running && target.view()->cycle > before, 30'000);
      std::optional<QString> wrong;
      target.ask(this, [index](const Inspector& m) { return differences(*index, m, static_cast<uint32_t>(m.cycle()), 15); }, [&wrong](const QString& w) { wrong = w; });
      QTRY_VERIFY_WITH_TIMEOUT(wrong.has_value(), 60'000);
      QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
    }
    std::optional<uint64_t> from;
    target.ask(this, [](const Inspector& m) { return m.history(0)->from_cycle(); }, [&from](uint64_t f) { from = f; });
    QTRY_VERIFY(from.has_value());
    QVERIFY(*from > 0);
  }

  // Every executing cycle has its place: counted by place they are the coverage, which knows nothing of the history.
  void places_of_cycles_are_the_coverage() {
    SessionTarget target(recorded(kForwarder));
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    target.run_until("15000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::ended, 30'000);
    std::optional<QString> wrong;
    target.ask(
        this,
        [](const Inspector& m) -> QString {
          uint64_t counted = 0;
          for (const auto& c : m.machine().contexts) {
            const History::Past past = m.history(0)->past({static_cast<uint8_t>(c.id.engine), static_cast<uint8_t>(c.id.context)});
            TrackIndex index;
            index.update(past);
            uint64_t touched = 0;
            std::map<uint32_t, uint64_t> counts;
            TrackIndex::Walk walk(index, past, touched);
            do {
              if (walk.activity() != Activity::executing) continue;
              for (uint64_t at = walk.begin(); at < std::min(walk.end(), m.cycle()); ++at) ++counts[static_cast<uint32_t>(walk.place() + (at - walk.begin()))];
            } while (walk.next());
            const auto& words = m.coverage(0)->words(c.id.engine);
            for (uint32_t pc = 0; pc < words.size(); ++pc) {
              if (counts[pc] != words[pc].executed[c.id.context])
                return QStringLiteral("engine %1 context %2 word %3: %4, coverage %5").arg(c.id.engine).arg(c.id.context).arg(pc).arg(counts[pc]).arg(words[pc].executed[c.id.context]);
              counted += counts[pc];
            }
          }
          return counted > 5'000 ? QString() : QStringLiteral("only %1 cycles").arg(counted);
        },
        [&wrong](const QString& w) { wrong = w; });
    QTRY_VERIFY_WITH_TIMEOUT(wrong.has_value(), 60'000);
    QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
  }

  void events_are_found_both_ways() {
    SessionTarget target(recorded(kForwarder));
    auto index = std::make_shared<TimelineIndex>();
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    target.run_until("12000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::ended, 30'000);
    std::optional<QString> wrong;
    target.ask(
        this,
        [index](const Inspector& m) -> QString {
          size_t all = 0;
          for (const ContextId id : {ContextId{0, 0, 0}, ContextId{0, 1, 3}}) {
            const ContextRef who{static_cast<uint8_t>(id.engine), static_cast<uint8_t>(id.context)};
            const auto works = [](Activity a) { return a == Activity::executing || a == Activity::aborted || a == Activity::stalled; };
            for (const TimelineEvent event : {TimelineEvent::swap, TimelineEvent::stall, TimelineEvent::abort, TimelineEvent::wake, TimelineEvent::reference}) {
              std::vector<uint64_t> expected, forward, backward;
              std::optional<Activity> before;
              if (event == TimelineEvent::reference) {
                for (size_t i = 0; i < m.history(0)->reference_count(); ++i)
                  if (const auto r = m.history(0)->reference(i); r.from == who) expected.push_back(r.accepted / m.ticks_per_cycle());
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
              for (auto at = index->find(m, id, event, 0, true); at; at = index->find(m, id, event, *at, true)) forward.push_back(*at);
              for (auto at = index->find(m, id, event, m.cycle(), false); at && *at > 0; at = index->find(m, id, event, *at, false)) backward.insert(backward.begin(), *at);
              if (forward != expected || backward != expected)
                return QStringLiteral("%1 of engine %2: %3 expected, %4 forward, %5 backward").arg(QString::fromStdString(to_text(event))).arg(id.engine).arg(expected.size()).arg(forward.size()).arg(backward.size());
              all += expected.size();
            }
          }
          return all > 20 ? QString() : QStringLiteral("only %1 events").arg(all);
        },
        [&wrong](const QString& w) { wrong = w; });
    QTRY_VERIFY_WITH_TIMEOUT(wrong.has_value(), 60'000);
    QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
  }

  void references_of_a_stretch_are_all_that_live_in_it() {
    SessionTarget target(recorded(kForwarder));
    auto index = std::make_shared<TimelineIndex>();
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    target.run_until("40000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::ended, 30'000);
    std::optional<QString> wrong;
    target.ask(
        this,
        [index](const Inspector& m) -> QString {
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
            const uint64_t begin = answer.question.begin * m.ticks_per_cycle(), end = answer.question.end * m.ticks_per_cycle();
            for (size_t i = 0; i < history.reference_count(); ++i) {
              const auto r = history.reference(i);
              const bool asked = std::ranges::any_of(answer.question.rows, [&](const TimelineRow& row) { return row.id.engine == r.from.engine && row.id.context == r.from.context; });
              const uint64_t last = r.done == kNever ? kNever : std::max(r.done, r.signalled == kNever ? 0 : r.signalled);
              if (asked && r.issued < end && last >= begin) expected.push_back(r.sequence);
            }
            std::ranges::sort(seen);
            if (seen != expected) return QStringLiteral("round %1: %2 of %3").arg(round).arg(seen.size()).arg(expected.size());
            all += seen.size();
          }
          return all > 500 ? QString() : QStringLiteral("only %1 references").arg(all);
        },
        [&wrong](const QString& w) { wrong = w; });
    QTRY_VERIFY_WITH_TIMEOUT(wrong.has_value(), 60'000);
    QVERIFY2(wrong->isEmpty(), qPrintable(*wrong));
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
            if (!kinds.contains(Kind::port_in) || !kinds.contains(Kind::unit) || !kinds.contains(Kind::queue)) return QStringLiteral("only %1 kinds of rows").arg(kinds.size());
            size_t busy = 0;
            for (int round = 0; round < 24; ++round) {
              const bool fine = round % 2 == 0;
              question.cells = fine ? 1 + random() % 60 : 8;
              // Coarse cells begin where sums do, so that they are exact.
              question.begin = fine ? random() % now : random() % (now / 2) / 1024 * 1024;
              question.end = fine ? std::min<uint64_t>(now, question.begin + 1 + random() % (question.cells * 120)) : std::min(question.begin + 8 * 1024 * (1 + random() % 2), now / 8192 * 8192);
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
                      if (port == static_cast<int>(row.id.engine) && p->arrived < end && ended >= begin) ++expected[static_cast<size_t>(p->verdict)];
                    }
                    if (expected != answer.lanes.rows[r].packets.at(cell)) return QStringLiteral("packets of port %1, cycles %2 to %3").arg(row.id.engine).arg(begin).arg(end);
                    busy += expected[1];
                    continue;
                  }
                  double area = 0;
                  if (row.kind == Kind::unit) {
                    for (size_t i = 0; i < history.reference_count(); ++i) {
                      const auto ref = history.reference(i);
                      if (inlet_of(ref) != std::pair(row.id.engine, row.id.context) || ref.accepted == kNever) continue;
                      const uint64_t from = ref.accepted / period, to = ref.served == kNever ? now : ref.served <= ref.accepted ? from : (ref.served + period - 1) / period;
                      if (std::max(from, begin) < std::min(to, end)) area += static_cast<double>(std::min(to, end) - std::max(from, begin));
                    }
                  } else {
                    uint32_t depth = 0;
                    uint64_t since = 0;
                    const auto stretch = [&](uint64_t to) {
                      if (std::max(since, begin) < std::min(to, end)) area += static_cast<double>(std::min(to, end) - std::max(since, begin)) * depth;
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
                  if (std::abs(mean - static_cast<double>(answer.lanes.rows[r].depths.at(cell).mean)) > 1e-3 * std::max(1.0, mean))
                    return QStringLiteral("depth of row %1, cycles %2 to %3: %4, expected %5").arg(r).arg(begin).arg(end).arg(static_cast<double>(answer.lanes.rows[r].depths[cell].mean)).arg(mean);
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
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, {60, canvas.rows_top() + heading * canvas.row_height() + 4});
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
      return QStringLiteral("%1 to %2, %3 rows, %4 packets, asking %5").arg(timeline.answer()->question.begin).arg(timeline.answer()->question.end).arg(timeline.answer()->question.rows.size())
          .arg(timeline.answer()->lanes.packets.size()).arg(timeline.asking());
    };
    QTRY_VERIFY2(bar() != nullptr, qPrintable(seen()));
    canvas.grab();
    const TimelinePacket packet = *bar();
    const auto lanes = static_cast<int>(timeline.answer()->lanes.rows[packet.row].lanes);
    const int top = canvas.rows_top() + static_cast<int>(place) * canvas.row_height();
    const int height = canvas.row_height() - 3;
    const QPoint at(canvas.point_of(0, packet.begin + 60).x(), top + 1 + (2 * static_cast<int>(packet.lane) + 1) * height / (2 * lanes));
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(workspace.cursor().packet(), packet.id);
    // Its way is drawn in the colours of its stages.
    QTRY_VERIFY(!timeline.answer()->lanes.stages.empty());
    canvas.grab();
    QHelpEvent help(QEvent::ToolTip, at, canvas.viewport()->mapToGlobal(at));
    QApplication::sendEvent(canvas.viewport(), &help);
    QVERIFY2(canvas.hover_text().startsWith(QStringLiteral("packet %1").arg(packet.id)), qPrintable(canvas.hover_text()));
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
        QVERIFY2(answer.touched <= 64 * (kWidth + 1) * (TrackIndex::kStride + 40), qPrintable(QString::number(answer.touched)));
        TimeAxis axis;
        axis.set_width(kWidth);
        axis.set_limits(0, cycles);
        axis.show(static_cast<double>(question.begin), static_cast<double>(question.end));
        QImage image(kWidth, 64 * 16, QImage::Format_RGB32);
        const TimelinePixels pixels(Theme::light);
        timer.start();
        uint64_t cells = 0;
        for (int row = 0; row < 64; ++row) cells += paint_cells(image, pixels, answer, static_cast<size_t>(row), axis, 0, row * 16, 14);
        const double painted = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        QVERIFY(cells <= 2 * 64 * kWidth);
        qInfo("%9llu cycles known, %9llu shown: %7llu touched, answered in %.2f ms; %6llu cells painted in %.2f ms", static_cast<unsigned long long>(cycles),
              static_cast<unsigned long long>(question.end - question.begin), static_cast<unsigned long long>(answer.touched), asked, static_cast<unsigned long long>(cells), painted);
      }
    }
  }

  void the_view_by_wheel_keys_and_mouse() {
    Workspace workspace;
    TimelineView view(workspace, Theme::light);
    view.resize(1200, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
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
    QTRY_VERIFY(view.timeline().answer() != nullptr && view.timeline().answer()->to == 20'000 && !view.timeline().answer()->rows.empty());
    QCOMPARE(std::ranges::count_if(view.timeline().rows(), shows_activity), 4 + 32);
    // Queues stand behind them, under their heading; no packets are followed.
    QCOMPARE(view.timeline().rows()[36].kind, TimelineRow::Kind::queues);
    QVERIFY(view.timeline().rows().size() > 37);
    QTRY_VERIFY(canvas.axis().shows_all());
    QVERIFY(canvas.isVisible());

    // The wheel zooms about the mouse.
    QWidget* port = canvas.viewport();
    const QPoint at(TimelineCanvas::kNames + 400, 150);
    const double before = canvas.axis().exact_cycle_at(400);
    for (int notch = 0; notch < 12; ++notch) {
      QWheelEvent wheel(at, port->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(port, &wheel);
    }
    QVERIFY(canvas.axis().end() - canvas.axis().begin() < 2000);
    QVERIFY(std::abs(canvas.axis().exact_cycle_at(400) - before) < 1);
    QTRY_VERIFY(view.timeline().answer()->question.end - view.timeline().answer()->question.begin < 2000);
    QVERIFY(!view.timeline().answer()->references.empty());
    // Where something is executed for long enough, its label stands on the bar.
    const auto& reference = view.timeline().answer()->references.front().times;
    const double busy = static_cast<double>(reference.accepted) / static_cast<double>(view.timeline().answer()->ticks_per_cycle);
    canvas.show_cycles(busy - 20, busy + 60);
    QTRY_VERIFY(!view.timeline().answer()->spans.empty());
    QVERIFY(QString::fromStdString(view.timeline().answer()->spans.front().text).endsWith(QLatin1Char('#')));
    canvas.set_labels(TimelineLabels::stages);
    const auto stage = [&] {
      const auto& spans = view.timeline().answer()->spans;
      return !spans.empty() && (spans.front().text == "receive" || spans.front().text == "forward" || spans.front().text == "transmit");
    };
    QTRY_VERIFY(stage());
    canvas.grab();
    QVERIFY(canvas.work().cells > 0 && canvas.work().references > 0);
    qInfo("a frame with references and labels: %.2f ms, %llu cells, %llu references, %llu labels", canvas.work().milliseconds, static_cast<unsigned long long>(canvas.work().cells),
          static_cast<unsigned long long>(canvas.work().references), static_cast<unsigned long long>(canvas.work().spans));

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
    QVERIFY(canvas.hover_text().contains(QStringLiteral("cycles\n")) || canvas.hover_text().endsWith(QStringLiteral("cycles")));
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
            if (row.kind == TimelineRow::Kind::context && walked(*m.history(0), who, figures.question.begin, figures.question.end) != figures.rows[r][0])
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

QTEST_MAIN(TimelineTest)
#include "timeline_test.moc"
