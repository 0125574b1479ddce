// CSRs, CAM and signals, queues and rings: fields, trees that stay open, and that what views show is what expressions
// say.
#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <set>

#include "models/state_rows.h"
#include "support.h"
#include "view_fixture.h"
#include "weft/workbench/session.h"
#include "widgets/state_view.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;
using namespace weft::workbench;

namespace {

template <class V>
struct Opened : ViewFixture<V> {
  using ViewFixture<V>::view;
  explicit Opened(const char* example, const char* until) {
    view.resize(900, 500);
    this->run_example(example, until);
  }
  QAbstractItemModel& model() { return *view.tree()->model(); }
  /// The row with these names from the outside in.
  QModelIndex row(const QStringList& names) {
    QModelIndex at;
    for (const QString& name : names) {
      QModelIndex next;
      for (int r = 0; r < model().rowCount(at); ++r)
        if (model().index(r, 0, at).data().toString() == name) next = model().index(r, 0, at);
      if (!next.isValid()) return {};
      at = next;
    }
    return at;
  }
};

}  // namespace

class StateTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void documentation_gives_the_fields() {
    const auto fields =
        csr_fields("31 four contexts; 19:18 NN-empty threshold; 17, 16 LM_ADDR_1, _0 global; 15:8 context enables.");
    QCOMPARE(fields.size(), size_t{5});
    QCOMPARE(fields[0].high, 31u);
    QCOMPARE(fields[0].low, 31u);
    QCOMPARE(fields[0].text, std::string("four contexts"));
    QCOMPARE(fields[1].high, 19u);
    QCOMPARE(fields[1].low, 18u);
    QCOMPARE(fields[2].low, 17u);
    QCOMPARE(fields[3].low, 16u);
    QCOMPARE(fields[4].text, std::string("context enables"));
    QVERIFY(csr_fields("Context that the INDIRECT_ registers mean.").empty());
    QCOMPARE(csr_fields("Bits 1:0: byte position of byte_align.").front().text,
             std::string("byte position of byte_align"));
    QCOMPARE(csr_fields("Bit 13 must be 1, or no condition code is updated.").size(), size_t{1});
  }

  void a_tree_keeps_its_rows_and_marks_what_changed() {
    StateTree tree({QStringLiteral("Name"), QStringLiteral("Value")}, 1);
    QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto rows = [](const char* a, const char* b) {
      StateRow top;
      top.cells = {QStringLiteral("top")};
      top.below = {{{QStringLiteral("a"), QLatin1String(a)}}, {{QStringLiteral("b"), QLatin1String(b)}}};
      return std::vector<StateRow>{top};
    };
    tree.show(rows("1", "2"), {.stop = 1, .running = false});
    const QPersistentModelIndex a = tree.index(0, 0, tree.index(0, 0));
    QVERIFY(!a.data(StateTree::kChangedRole).toBool());
    tree.show(rows("1", "3"), {.stop = 2, .running = false});
    QVERIFY(a.isValid());
    const QModelIndex b = tree.index(1, 0, tree.index(0, 0));
    QVERIFY(b.data(StateTree::kChangedRole).toBool());
    QVERIFY(!a.data(StateTree::kChangedRole).toBool());
    tree.show(rows("1", "3"), {.stop = 2, .running = false});  // the same stop again: still against the one before
    QVERIFY(b.data(StateTree::kChangedRole).toBool());
    QVERIFY(b.siblingAtColumn(1).data(StateTree::kMarkedRole).toBool());
    tree.show({}, {.stop = 3, .running = false});
    QCOMPARE(tree.rowCount(), 0);
  }

  void csrs_are_those_of_the_context_and_can_be_changed() {
    Opened<CsrsView> o("dual-stack-router", "9000 cycles");
    o.workspace.cursor().set_context(ContextId{0, 2, 3});
    const QStringList enables{QStringLiteral("Microengine 2, context 3"), QStringLiteral("CTX_ENABLES")};
    QTRY_VERIFY_WITH_TIMEOUT(o.row(enables).isValid(), 30'000);
    const auto value = [&](const char* name) {
      return asked(*o.workspace.target(), [name](const Inspector& m) {
        return m.evaluate(name, {0, 2, 3}).value_or(-1);
      });
    };
    QCOMPARE(o.row(enables).siblingAtColumn(1).data().toString(),
             QStringLiteral("0x%1").arg(value("me2.csr.CTX_ENABLES"), 8, 16, QLatin1Char('0')));
    QVERIFY(o.model().rowCount(o.row(enables)) >= 8);
    // All eight contexts are enabled: the field says so.
    bool found = false;
    for (int r = 0; r < o.model().rowCount(o.row(enables)); ++r) {
      const QModelIndex field = o.model().index(r, 0, o.row(enables));
      if (field.data().toString() != QStringLiteral("bits 15:8")) continue;
      found = true;
      QCOMPARE(field.siblingAtColumn(1).data().toString(), QStringLiteral("0xff"));
    }
    QVERIFY(found);
    QCOMPARE(o.row({QStringLiteral("Microengine 2, context 3"), QStringLiteral("PSEUDO_RANDOM_NUMBER")})
                 .siblingAtColumn(1)
                 .data()
                 .toString(),
             QStringLiteral("not read"));
    // Looking changes nothing: the run goes on as one that nobody looked at.
    auto* search = o.view.findChild<QLineEdit*>();
    QTest::keyClicks(search, QStringLiteral("LM_ADDR_0"));
    QVERIFY(o.view.tree()->isRowHidden(o.row(enables).row(), o.row(enables).parent()));
    search->clear();
    QVERIFY(!o.view.tree()->isRowHidden(o.row(enables).row(), o.row(enables).parent()));
  }

  void looking_changes_nothing() {
    uint64_t hashes[2] = {0, 0};
    for (const bool looked : {false, true}) {
      auto session = weft::workbench::Session::create(*load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder-1200"));
      QVERIFY(session);
      RunControl control;
      control.limits.cycles = 6000;
      (*session)->run(control);
      if (looked) {
        const auto machine = inspect(**session);
        for (unsigned engine = 0; engine < 6; ++engine) (void)machine->local_csrs({0, engine, 1});
        (void)machine->chip_csrs(0);
        (void)machine->units(0);
        (void)machine->engine({0, 1, 1});
      }
      control.limits.cycles = 12'000;
      (*session)->run(control);
      hashes[looked] = (*session)->state_hash();
    }
    QCOMPARE(hashes[0], hashes[1]);
  }

  void cam_and_signals_of_the_context() {
    Opened<CamView> o("ipv4-forwarder", "9000 cycles");
    o.workspace.cursor().set_context(ContextId{0, 1, 2});
    QTRY_VERIFY_WITH_TIMEOUT(o.row({QStringLiteral("Signals of me1.2")}).isValid(), 30'000);
    const QModelIndex cam = o.row({QStringLiteral("CAM of microengine 1")});
    QCOMPARE(o.model().rowCount(cam), 16);
    const auto detail = asked(*o.workspace.target(), [](const Inspector& m) { return m.engine({0, 1, 2}); });
    std::set<unsigned> ages;
    for (const CamEntryView& e : detail.cam) ages.insert(e.age);
    QCOMPARE(ages.size(), size_t{16});
    // What it waits on is what the contexts view says.
    const auto view = o.workspace.target()->view();
    for (const ContextView& c : view->contexts) {
      if (c.id != ContextId{0, 1, 2} || c.waits_on.empty()) continue;
      bool awaited = false;
      for (const SignalView& s : detail.signals)
        awaited = awaited || (s.awaited && c.waits_on.find(s.name) != std::string::npos);
      QVERIFY(awaited);
    }
    Opened<CamView> first("ipv4-forwarder-1200", "9000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(first.row({QStringLiteral("CAM of microengine 0")}).isValid(), 30'000);
    QCOMPARE(first.row({QStringLiteral("CAM of microengine 0")}).siblingAtColumn(3).data().toString(),
             QStringLiteral("this microengine has none"));
  }

  void rings_and_commands_are_those_of_the_machine() {
    Opened<QueuesView> o("dual-stack-router", "15000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(o.row({QStringLiteral("Rings, queues and lists")}).isValid(), 30'000);
    const auto units = asked(*o.workspace.target(), [](const Inspector& m) { return m.units(0); });
    unsigned rings = 0;
    for (const RingDetail& ring : units.rings) {
      if (ring.kind != RingDetail::Kind::scratch) continue;
      ++rings;
      const std::string number = ring.name.substr(5);
      const auto figures = asked(*o.workspace.target(), [number](const Inspector& m) {
        return std::tuple(m.evaluate("ring" + number + ".count", {}).value_or(-1),
                          m.evaluate("ring" + number + ".size", {}).value_or(-1),
                          m.evaluate("ring" + number + ".head", {}).value_or(-1));
      });
      QCOMPARE(std::get<0>(figures), int64_t{ring.count});
      QCOMPARE(std::get<1>(figures), int64_t{ring.size.value_or(0)});
      QCOMPARE(ring.elements.size(), size_t{std::min<uint32_t>(ring.count, 1024)});
      const QModelIndex row = o.row({QStringLiteral("Rings, queues and lists"), QString::fromStdString(ring.name)});
      QVERIFY(row.isValid());
      QVERIFY(row.siblingAtColumn(2).data().toString().startsWith(
          QStringLiteral("%1 of %2").arg(ring.count).arg(*ring.size)));
      if (ring.elements.empty()) continue;
      const uint64_t at = *ring.elements.front().address;
      const auto words =
          asked(*o.workspace.target(), [at](const Inspector& m) { return m.longwords(0, "scratch", at, 1); });
      QCOMPARE(words.at(0), ring.elements.front().value);
    }
    QVERIFY(rings >= 3);
    // A ring leads to its memory.
    QSignalSpy memory(&o.workspace, &Workspace::memory_requested);
    const QModelIndex commands = o.row({QStringLiteral("Commands in units")});
    QVERIFY(o.model().rowCount(commands) >= 6);
    for (const RingDetail& ring : units.rings) {
      if (ring.elements.empty() || !ring.elements.front().address) continue;
      const QModelIndex row = o.row({QStringLiteral("Rings, queues and lists"), QString::fromStdString(ring.name)});
      o.view.tree()->setCurrentIndex(row);
      Q_EMIT o.view.tree()->activated(row);
      break;
    }
    QCOMPARE(memory.size(), 1);
  }

  void commands_are_as_many_as_the_engines_wait_for() {
    // The history follows every reference: those that are issued and not served lie in a queue.
    weft::workbench::Observation observation;
    observation.history = true;
    auto session =
        weft::workbench::Session::create(*load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder"), observation);
    QVERIFY(session);
    RunControl control;
    unsigned seen = 0;
    for (uint64_t cycle = 5000; cycle < 12'000; cycle += 500) {
      control.limits.cycles = cycle;
      (*session)->run(control);
      std::set<uint64_t> expected, found;
      const weft::emulator::History& history = *(*session)->history();
      for (size_t i = 0; i < history.reference_count(); ++i)
        if (const auto r = history.reference(i); r.served == weft::emulator::kNever) expected.insert(r.sequence);
      const UnitsDetail units = inspect(**session)->units(0);
      for (const CommandQueueDetail& q : units.queues)
        for (const CommandDetail& c : q.commands) {
          if (c.waiting.of_core) continue;
          found.insert(c.waiting.command.sequence);
          QVERIFY(c.pc.has_value());
          QVERIFY(c.line > 0);
        }
      QCOMPARE(found, expected);
      seen += static_cast<unsigned>(found.size());
    }
    QVERIFY(seen > 0);
  }

  void the_first_family_has_locks_lists_and_a_ready_bus() {
    Opened<QueuesView> o("diffserv-edge-1200", "20000 cycles");
    QTRY_VERIFY_WITH_TIMEOUT(o.row({QStringLiteral("Ready bus"), QStringLiteral("receive ready")}).isValid(), 30'000);
    QVERIFY(o.row({QStringLiteral("Locks of SRAM")}).isValid());
    QVERIFY(o.row({QStringLiteral("RFIFO")}).isValid());
    QVERIFY(o.row({QStringLiteral("Commands in units"), QStringLiteral("sram, read_lock")}).isValid());
    QVERIFY(o.row({QStringLiteral("Commands in units"), QStringLiteral("sdram, ordered")}).isValid());
    const auto lists = asked(*o.workspace.target(), [](const Inspector& m) {
      size_t count = 0;
      for (const RingDetail& r : m.units(0).rings) count += r.kind == RingDetail::Kind::hardware_list;
      return count;
    });
    QVERIFY(lists > 0);
  }

  void each_chip_of_a_board_has_its_own() {
    Opened<QueuesView> o("two-chips", "4000 cycles");
    o.workspace.cursor().set_context(ContextId{1, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(o.row({QStringLiteral("Commands in units")}).isValid(), 30'000);
    QVERIFY(!o.view.state().toArray().isEmpty());
  }
};

WEFT_IDE_TEST_MAIN(StateTest)
#include "state_test.moc"
