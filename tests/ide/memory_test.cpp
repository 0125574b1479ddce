// Memory: the model's arithmetic and promises, and the view by keys and clicks on a machine that runs.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "models/memory_model.h"
#include "support.h"
#include "view_fixture.h"
#include "widgets/memory_view.h"

using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;
using weft::workbench::MemoryInfo;

namespace {

struct Opened : ViewFixture<MemoryView> {
  explicit Opened(const char* example, const char* until) {
    view.resize(900, 400);
    run_example(example, until);
    QTRY_VERIFY_WITH_TIMEOUT(workspace.target()->state() == State::ended && view.model().memory().has_value(), kLong);
  }
  template <class W>
  W* named(const char* accessible) {
    for (W* w : view.findChildren<W*>())
      if (w->accessibleName() == QLatin1String(accessible)) return w;
    return nullptr;
  }
  QTableView* table() { return named<QTableView>("Memory"); }
  QString answer() { return view.state().toObject()[QStringLiteral("answer")].toString(); }
};

}  // namespace

class MemoryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void groups_and_patterns() {
    const MemoryFormat bytes{MemoryFormat::Radix::hexadecimal, 16, 1}, decimal{MemoryFormat::Radix::decimal, 16, 4},
        binary{MemoryFormat::Radix::binary, 4, 1};
    QCOMPARE(group_text(0xa, bytes), QStringLiteral("0a"));
    QCOMPARE(group_text(10, decimal), QStringLiteral("10"));
    QCOMPARE(group_text(5, binary), QStringLiteral("00000101"));
    QCOMPARE(parse_group(QStringLiteral("ff"), bytes).value_or(0), uint64_t{255});
    QVERIFY(!parse_group(QStringLiteral("100"), bytes));  // too large
    QCOMPARE(parse_group(QStringLiteral("12"), decimal).value_or(0), uint64_t{12});
    QCOMPARE(parse_group(QStringLiteral("0x12"), decimal).value_or(0), uint64_t{18});
    QVERIFY(!parse_group(QStringLiteral("twelve"), decimal));
    QCOMPARE(parse_pattern(QStringLiteral("de ad:BE-ef"), Pattern::bytes),
             (std::vector<uint8_t>{0xde, 0xad, 0xbe, 0xef}));
    QVERIFY(parse_pattern(QStringLiteral("dea"), Pattern::bytes).empty());
    QVERIFY(parse_pattern(QStringLiteral("xy"), Pattern::bytes).empty());
    QCOMPARE(parse_pattern(QStringLiteral("0x1020304"), Pattern::longword), (std::vector<uint8_t>{1, 2, 3, 4}));
    QCOMPARE(parse_pattern(QStringLiteral("-1"), Pattern::longword), (std::vector<uint8_t>{0xff, 0xff, 0xff, 0xff}));
    QVERIFY(parse_pattern(QStringLiteral("0x100000000"), Pattern::longword).empty());
    QCOMPARE(parse_pattern(QStringLiteral("AB"), Pattern::text), (std::vector<uint8_t>{'A', 'B'}));
  }

  void the_model_keeps_its_promises_and_asks_what_is_seen() {
    SessionTarget target({.project = WEFT_SOURCE_DIR "/examples/first", .overrides = {}, .observation = {}});
    MemoryModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.set_target(&target);
    target.build();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, 30'000);
    const auto memories = asked(target, [](const Inspector& m) { return m.memories(0); });
    const auto of = [&](const char* name) {
      for (const MemoryInfo& m : memories)
        if (m.name == name) return m;
      return MemoryInfo{};
    };
    for (const char* name : {"scratch", "sram0", "sram1", "dram", "rbuf", "tbuf", "me0.lm", "me0.store"})
      QVERIFY2(!of(name).name.empty(), name);
    QCOMPARE(of("scratch").bytes, uint64_t{16 * 1024});
    QCOMPARE(of("me0.lm").bytes, uint64_t{640 * 4});
    QSignalSpy answers(&model, &MemoryModel::answered);
    model.show(0, of("scratch"));
    model.set_window(0x100 / 16, 4);
    QTRY_VERIFY(!answers.isEmpty());
    QTRY_COMPARE(model.index(0, 1).data().toString(), QStringLiteral("00000000"));
    target.run();
    QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::ended, 30'000);
    // 1 + 2 + ... + 10 at 0x100, and it is new.
    QTRY_COMPARE(model.index(0, 1).data().toString(), QStringLiteral("00000037"));
    QVERIFY(model.index(0, 1).data(MemoryModel::kChangedRole).toBool());
    QVERIFY(!model.index(0, 2).data(MemoryModel::kChangedRole).toBool());
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("0x0100"));
    QCOMPARE(model.index(0, model.text_column()).data().toString().at(3), QLatin1Char('7'));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.total_rows(), uint64_t{1024});
    // Bytes: only the byte that changed is marked.
    model.set_format({MemoryFormat::Radix::hexadecimal, 16, 1});
    QTRY_COMPARE(model.index(0, 4).data().toString(), QStringLiteral("37"));
    QVERIFY(model.index(0, 4).data(MemoryModel::kChangedRole).toBool());
    QVERIFY(!model.index(0, 3).data(MemoryModel::kChangedRole).toBool());
    // Past the end the window is moved back.
    model.set_window(5000, 4);
    QCOMPARE(model.first(), uint64_t{1020});
    // A control store shows instructions.
    model.show(0, of("me0.store"));
    model.set_window(0, 4);
    QTRY_VERIFY(model.index(0, model.text_column()).data().toString().startsWith(QStringLiteral("immed")));
    QVERIFY((model.flags(model.index(0, 1)) & Qt::ItemIsEditable) == 0);
  }

  void addresses_tables_and_expressions() {
    Opened o("dual-stack-router", "20000 cycles");
    auto* address = o.named<QLineEdit>("Address, name or expression");
    address->setFocus();
    QTest::keyClicks(address, QStringLiteral("dram[0x10000 + 0x40]"));
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_COMPARE(o.view.model().memory()->name, std::string("dram"));
    QTRY_COMPARE(o.view.state().toObject()[QStringLiteral("address")].toString(), QStringLiteral("0x10040"));
    // What the table shows is what an expression says.
    const QModelIndex cell = o.view.model().index_of(0x10040);
    QVERIFY(cell.isValid());
    const int64_t value =
        asked(*o.workspace.target(), [](const Inspector& m) { return m.evaluate("dram[0x10040]", {}).value_or(-1); });
    QTRY_COMPARE(cell.data().toString(), QStringLiteral("%1").arg(value, 8, 16, QLatin1Char('0')));
    auto* symbols = o.named<QComboBox>("Tables and symbols");
    QTRY_VERIFY_WITH_TIMEOUT(symbols->count() > 10, 10'000);
    // A symbol of scratch: its ring.
    const auto all = asked(*o.workspace.target(), [](const Inspector& m) { return m.symbols(0); });
    const auto ring = std::ranges::find_if(all, [](const auto& s) { return s.memory == "scratch" && s.bytes >= 512; });
    QVERIFY(ring != all.end());
    address->selectAll();
    QTest::keyClicks(address, QString::fromStdString(ring->name));
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_COMPARE(o.view.model().memory()->name, std::string("scratch"));
    address->selectAll();
    QTest::keyClicks(address, QStringLiteral("0x7fffffff"));
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_VERIFY(o.answer().contains(QStringLiteral("ends at")));
  }

  void keys_scroll_through_all_of_it() {
    Opened o("dual-stack-router", "2000 cycles");
    o.view.go_to(0, QStringLiteral("dram"), 0);
    QTableView* table = o.table();
    table->setFocus();
    const int rows = o.view.model().rowCount();
    QVERIFY(rows > 3);
    for (int i = 0; i < rows + 2; ++i) QTest::keyClick(table, Qt::Key_Down);
    QCOMPARE(o.view.model().first(), uint64_t{3});
    QTest::keyClick(table, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(o.view.model().first() + static_cast<uint64_t>(rows), o.view.model().total_rows());
    QTRY_COMPARE(o.view.state().toObject()[QStringLiteral("address")].toString(),
                 QStringLiteral("0x%1").arg(qulonglong{o.view.model().memory()->bytes - 4}, 0, 16));
    QTest::keyClick(table, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(o.view.model().first(), uint64_t{0});
    QTest::keyClick(table, Qt::Key_PageDown);
    QCOMPARE(o.view.model().first(), static_cast<uint64_t>(rows));
  }

  void a_longword_is_changed_and_changed_back() {
    Opened o("first", "500 cycles");
    o.view.go_to(0, QStringLiteral("scratch"), 0x100);
    QTRY_COMPARE(o.view.model().index_of(0x100).data().toString(), QStringLiteral("00000037"));
    QStringList said;
    connect(o.workspace.target(), &Target::said, this, [&](const QString& text) { said << text; });
    QTableView* table = o.table();
    table->setFocus();
    table->setCurrentIndex(o.view.model().index_of(0x100));
    QTest::keyClick(table, Qt::Key_F2);
    auto* editor = table->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("cafe"));
    QTest::keyClick(editor, Qt::Key_Return);
    const auto value = [&] {
      return asked(*o.workspace.target(),
                   [](const Inspector& m) { return m.evaluate("scratch[0x100]", {}).value_or(-1); });
    };
    QTRY_COMPARE(value(), int64_t{0xcafe});
    QVERIFY(!said.isEmpty() && said.last().contains(QStringLiteral("0x00000037 stood there")));
    // You wrote it.
    o.view.who_wrote(false);
    QTRY_VERIFY_WITH_TIMEOUT(o.answer().contains(QStringLiteral("you, cycle")), 30'000);
    QTest::mouseClick(o.named<QPushButton>("Undo the last change of a longword"), Qt::LeftButton);
    QTRY_COMPARE(value(), int64_t{0x37});
    // What is not a number changes nothing.
    QVERIFY(!o.view.model().setData(o.view.model().index_of(0x100), QStringLiteral("zz"), Qt::EditRole));
    QVERIFY(o.answer().contains(QStringLiteral("not a number")));
    QCOMPARE(value(), int64_t{0x37});
  }

  void a_replay_keeps_what_can_be_undone() {
    Opened o("first", "500 cycles");
    o.view.go_to(0, QStringLiteral("scratch"), 0x100);
    QTRY_COMPARE(o.view.model().index_of(0x100).data().toString(), QStringLiteral("00000037"));
    QVERIFY(o.view.model().setData(o.view.model().index_of(0x100), QStringLiteral("cafe"), Qt::EditRole));
    const auto* undo = o.named<QPushButton>("Undo the last change of a longword");
    QVERIFY(undo->isEnabled());
    Target* target = o.workspace.target();
    target->build_and_replay();
    QTRY_VERIFY(!target->busy());
    QVERIFY(undo->isEnabled());
    QCOMPARE(asked(*target, [](const Inspector& m) { return m.evaluate("scratch[0x100]", {}).value_or(-1); }),
             int64_t{0xcafe});
    target->build();
    QTRY_VERIFY(!target->busy());
    QVERIFY(!undo->isEnabled());
  }

  void search_finds_goes_round_and_says_when_there_is_nothing() {
    Opened o("first", "500 cycles");
    o.view.go_to(0, QStringLiteral("scratch"), 0x200);
    auto* search = o.named<QLineEdit>("What is searched in the memory");
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("00 37"));
    QTest::keyClick(search, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(o.answer().contains(QStringLiteral("Found at 0x102, from the start on")), 30'000);
    o.named<QComboBox>("Kind of what is searched")->setCurrentIndex(1);
    search->setText(QStringLiteral("55"));
    o.view.search_next();
    QTRY_VERIFY_WITH_TIMEOUT(o.answer().contains(QStringLiteral("Found at 0x100")), 30'000);
    search->setText(QStringLiteral("0x12345678"));
    o.view.go_to(0, QStringLiteral("dram"), 0);
    o.view.search_next();
    QTRY_VERIFY_WITH_TIMEOUT(o.answer().contains(QStringLiteral("is not found in dram")), 60'000);
  }

  void who_wrote_it_and_there_it_goes() {
    Opened o("first", "500 cycles");
    o.view.go_to(0, QStringLiteral("scratch"), 0x100);
    const uint64_t cycle = o.workspace.target()->view()->cycle;
    QTest::mouseClick(o.named<QPushButton>("Who wrote this?"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(o.answer().contains(QStringLiteral("first.uc:")), 30'000);
    QVERIFY(o.answer().contains(QStringLiteral("scratch[write]")));
    QVERIFY(o.answer().contains(QStringLiteral("0x00000000 to 0x00000037")) ||
            o.answer().contains(QStringLiteral("0x00000037 to 0x00000037")));
    QTRY_VERIFY(o.workspace.target()->state() == State::ended);
    QCOMPARE(o.workspace.target()->view()->cycle, cycle);
    QSignalSpy places(&o.workspace, &Workspace::place_requested);
    QTest::mouseClick(o.named<QPushButton>("Show line"), Qt::LeftButton);
    QCOMPARE(places.size(), 1);
    QTest::mouseClick(o.named<QPushButton>("Go there"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(o.workspace.target()->view()->cycle < cycle, 30'000);
    o.view.who_wrote(true);
    QTRY_VERIFY_WITH_TIMEOUT(o.answer().contains(QStringLiteral("first.uc:")), 30'000);
    o.view.go_to(0, QStringLiteral("scratch"), 0x300);
    o.view.who_wrote(false);
    QTRY_VERIFY_WITH_TIMEOUT(o.answer().contains(QStringLiteral("was not written since the recording began")), 30'000);
  }

  void two_chips_have_their_memories_apart() {
    Opened o("two-chips", "3000 cycles");
    auto* memory = o.named<QComboBox>("Memory that is shown");
    QVERIFY(memory->findText(QStringLiteral("ingress: Scratch")) >= 0);
    QVERIFY(memory->findText(QStringLiteral("egress: DRAM")) >= 0);
    o.view.go_to(1, QStringLiteral("dram"), 0x100);
    QCOMPARE(o.view.model().chip(), 1u);
  }
};

WEFT_IDE_TEST_MAIN(MemoryTest)
#include "memory_test.moc"
