// The packets view: rows against what the command line writes, why a packet was dropped in two clicks, fields and bytes
// that follow each other, who wrote a byte, and what is given to other programs.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <algorithm>

#include "models/packet_export.h"
#include "support.h"
#include "weft/packet/layers.h"
#include "weft/packet/pcap.h"
#include "weft/workbench/session.h"
#include "weft/workbench/testing.h"
#include "widgets/packet_bytes_pane.h"
#include "widgets/packet_details.h"
#include "widgets/packets_view.h"

using namespace weft::ide;
using weft::emulator::Verdict;
using State = Target::State;

namespace {

const QString kExamples = QStringLiteral(WEFT_SOURCE_DIR "/examples/");

/// The dual-stack router, some of whose packets go to a directed broadcast: the project drops these, and by port 0 some
/// have options.
QString project_with_drops(const QTemporaryDir& folder) {
  QFile from(kExamples + QStringLiteral("dual-stack-router/weft.json"));
  if (!from.open(QIODevice::ReadOnly)) return {};
  QString text = QString::fromUtf8(from.readAll());
  for (const char* name : {"receive.uc", "forward.uc", "transmit.uc", "router.conf"})
    text.replace(QStringLiteral("\"%1\"").arg(QLatin1String(name)),
                 QStringLiteral("\"%1dual-stack-router/%2\"").arg(kExamples, QLatin1String(name)));
  text.replace(QStringLiteral("../../lib"), QStringLiteral(WEFT_SOURCE_DIR "/lib"));
  text.replace(QStringLiteral("203.0.113.0/24 172.16.0.0/12"), QStringLiteral("192.0.2.255/32 203.0.113.0/24"));
  QFile to(folder.filePath(QStringLiteral("weft.json")));
  if (!to.open(QIODevice::WriteOnly)) return {};
  to.write(text.toUtf8());
  return to.fileName();
}

weft::workbench::Observation followed() {
  weft::workbench::Observation observation;
  observation.packets = observation.packet_limits.frames = true;
  return observation;
}

struct Place {
  QString path;
  int line = 0;
};

}  // namespace

class PacketsTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString project_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<PacketsView> view_;
  QString message_;
  Place place_;
  QSet<QString> given_;  ///< files that another program has got

  int row_with(Verdict verdict) const {
    for (int row = 0; row < view_->model()->rowCount(); ++row)
      if (view_->model()->row(row).verdict == verdict) return row;
    return -1;
  }
  void click_row(int row) {
    view_->table()->scrollTo(view_->model()->index(row, 0));
    QTest::mouseClick(view_->table()->viewport(), Qt::LeftButton, {},
                      view_->table()->visualRect(view_->model()->index(row, PacketsModel::kVerdict)).center());
  }
  void choose(Verdict verdict) {
    const int row = row_with(verdict);
    QVERIFY(row >= 0);
    click_row(row);
    const uint32_t id = view_->model()->row(row).id;
    QCOMPARE(workspace_->cursor().packet(), id);
    QTRY_COMPARE(view_->details()->detail().row.id, id);
  }

 private Q_SLOTS:
  void initTestCase() {
    project_ = project_with_drops(folder_);
    QVERIFY(!project_.isEmpty());
    workspace_ = std::make_unique<Workspace>();
    connect(workspace_.get(), &Workspace::message, this, [this](const QString& text) { message_ = text; });
    connect(workspace_.get(), &Workspace::place_requested, this, [this](const QString& path, int line) {
      place_ = {path, line};
    });
    view_ = std::make_unique<PacketsView>(*workspace_, Theme::light);
    view_->resize(1300, 420);
    view_->show();
    QVERIFY(view_->state().toObject()[QStringLiteral("empty")].toString().contains(QStringLiteral("Open a project")));
    QVERIFY(workspace_->open(project_));
    QTRY_COMPARE_WITH_TIMEOUT(workspace_->target()->state(), State::stopped, 60'000);
    // Nothing is followed: the view says so, and offers to.
    auto* record = view_->findChild<QPushButton*>(QStringLiteral("record"));
    QTRY_VERIFY(record->isVisible());
    QTest::mouseClick(record, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(workspace_->target()->state(), State::stopped, 60'000);
    QVERIFY(workspace_->observation().packet_limits.frames);
    QTRY_VERIFY(
        view_->state().toObject()[QStringLiteral("empty")].toString().contains(QStringLiteral("none has come yet")));
    workspace_->target()->run_until("60us");
    QTRY_VERIFY_WITH_TIMEOUT(
        workspace_->target()->state() == State::ended && workspace_->target()->view()->cycle > 10'000, 60'000);
    QTRY_VERIFY(view_->model()->complete() && view_->model()->all() > 40);
    QVERIFY(!view_->state().toObject().contains(QStringLiteral("empty")));
  }

  void layers_and_bytes_that_come_and_go() {
    using namespace weft::packet;
    const Mac a{{2, 0, 0, 0, 0, 1}}, b{{2, 0, 0, 0, 0, 2}};
    const Ethernet link{.destination = b, .source = a};
    const Ipv4 ip{.source = {0x0a000001}, .destination = {0x0a010203}};
    const Udp udp{.source = 1000, .destination = 9};
    const Bytes plain = build({link, ip, udp, Payload{Bytes(20, 7)}}),
                labelled = build({link, Mpls{.label = 17}, ip, udp, Payload{Bytes(20, 7)}});
    const auto rows = compare_frames(plain, labelled);
    const auto row = [&](const QString& name, bool layer) {
      const auto at = std::ranges::find_if(rows, [&](const FieldRow& r) { return r.name == name && r.layer == layer; });
      return at == rows.end() ? FieldRow{} : *at;
    };
    QVERIFY(row(QStringLiteral("MPLS"), true).changed);
    QVERIFY(!row(QStringLiteral("MPLS"), true).before_bits);
    QCOMPARE(row(QStringLiteral("label"), false).after, QStringLiteral("17"));
    QVERIFY(row(QStringLiteral("Ethernet"), true).changed);  // its type
    QVERIFY(!row(QStringLiteral("IPv4"), true).changed);
    QCOMPARE(row(QStringLiteral("IPv4"), true).before_bits->first, size_t{14 * 8});
    QCOMPARE(row(QStringLiteral("IPv4"), true).after_bits->first, size_t{18 * 8});
    // What only moved is not marked.
    const auto changed = changed_bytes(plain, labelled);
    QVERIFY(!changed.empty() && changed.size() <= 6);
    for (const size_t byte : changed) QVERIFY(byte >= 12 && byte < 18);
    QVERIFY(changed_bytes(plain, plain).empty());
    QVERIFY(changed_bytes(labelled, plain).size() <= 2);
    QCOMPARE(changed_bytes({}, plain).size(), plain.size());
    QVERIFY(compare_frames({}, {}).empty());
  }

  // The same rows as `weft run --packets FILE.csv` writes for the same run.
  void rows_are_those_of_the_command_line() {
    QAbstractItemModelTester tester(view_->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto project = weft::workbench::load_project(project_.toStdString());
    QVERIFY(project);
    auto session = weft::workbench::Session::create(std::move(*project), followed());
    QVERIFY(session);
    QVERIFY((*session)->run_until("60us", {}));
    const QString path = folder_.filePath(QStringLiteral("cli.csv"));
    QVERIFY((*session)->write_packets(path.toStdString()));  // not finished: what is under way has no row
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    int lines = 0, finished = 0;
    for (const PacketsModel* m = view_->model();
         const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
      if (lines++ == 0) continue;
      const QStringList f = line.split(QLatin1Char(','));
      const PacketRow* row = m->find(f[0].toUInt());
      QVERIFY(row != nullptr);
      ++finished;
      QCOMPARE(static_cast<int>(row->port), f[1].toInt());
      QCOMPARE(row->bytes, f[3].toUInt());
      QCOMPARE(row->arrived, f[4].toULongLong());
      QCOMPARE(row->ended, f[5].toULongLong());
      QCOMPARE(verdict_text(row->verdict).replace(QLatin1Char(' '), QLatin1Char('-')), f[6]);
      QCOMPARE(row->out_port >= 0 ? QString::number(row->out_port) : QString(), f[7]);
      QCOMPARE(row->reason, QString(f[8]).remove(QLatin1Char('"')));
      QCOMPARE(row->line, QString(f[9]).remove(QLatin1Char('"')));
      QCOMPARE(row->budget, f[10].toULongLong());
      QCOMPARE(row->busy, f[11].toULongLong());
    }
    QVERIFY(finished > 20);
    const auto view = workspace_->target()->view();
    int flying = 0;
    for (int row = 0; row < view_->model()->rowCount(); ++row)
      flying += view_->model()->row(row).verdict == Verdict::in_flight ? 1 : 0;
    QCOMPARE(view_->model()->rowCount(), finished + flying);
    QVERIFY(flying > 0);
    static_cast<void>(view);
    const uint32_t chosen = workspace_->cursor().packet();
    for (int row = 0; row < view_->model()->rowCount(); ++row) {
      if (view_->model()->row(row).verdict != Verdict::in_flight) continue;
      workspace_->cursor().set_packet(view_->model()->row(row).id);
      break;
    }
    QTRY_VERIFY(std::ranges::any_of(view_->findChildren<QLabel*>(), [](const QLabel* label) {
      return label->text().contains(QStringLiteral("has been under way for"));
    }));
    workspace_->cursor().set_packet(chosen);
  }

  void sorts_and_filters() {
    PacketsModel& m = *view_->model();
    QAbstractItemModelTester tester(&m, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const int all = m.rowCount();
    view_->table()->sortByColumn(PacketsModel::kLatency, Qt::DescendingOrder);
    for (int row = 1; row < all; ++row) QVERIFY(m.row(row - 1).latency() >= m.row(row).latency());
    view_->table()->sortByColumn(PacketsModel::kNumber, Qt::AscendingOrder);
    for (int row = 1; row < all; ++row) QVERIFY(m.row(row - 1).id < m.row(row).id);

    QComboBox* verdict = nullptr;
    QComboBox* port = nullptr;
    for (QComboBox* combo : view_->findChildren<QComboBox*>()) {
      if (combo->accessibleName() == QStringLiteral("Filter packets by verdict")) verdict = combo;
      if (combo->accessibleName() == QStringLiteral("Filter packets by port")) port = combo;
    }
    QVERIFY(verdict && port);
    verdict->setFocus();
    QTest::keyClick(verdict, Qt::Key_Down);  // dropped
    QVERIFY(m.rowCount() > 0 && m.rowCount() < all);
    const int dropped = m.rowCount();
    for (int row = 0; row < dropped; ++row) QCOMPARE(m.row(row).verdict, Verdict::dropped);
    auto* text = view_->findChild<QLineEdit*>();
    QTest::keyClicks(text, QStringLiteral("192.0.2.255"));
    QCOMPARE(m.rowCount(), dropped);
    QTest::keyClicks(text, QStringLiteral("9"));
    QCOMPARE(m.rowCount(), 0);
    text->clear();
    verdict->setCurrentIndex(0);
    QCOMPARE(m.rowCount(), all);
    port->setCurrentIndex(port->findText(QStringLiteral("port 2")));
    QVERIFY(m.rowCount() > 0 && m.rowCount() < all);
    for (int row = 0; row < m.rowCount(); ++row) QVERIFY(m.row(row).port == 2 || m.row(row).out_port == 2);
    port->setCurrentIndex(0);
  }

  // Two clicks: on the packet, and on "Go there".
  void why_is_this_packet_dropped() {
    choose(Verdict::dropped);
    const QString headline = view_->details()->headline();
    QVERIFY2(headline.contains(QStringLiteral("directed_broadcast")), qPrintable(headline));
    QVERIFY2(headline.contains(QStringLiteral(".uc:")), qPrintable(headline));
    place_ = {};
    const CodePlace reason = *view_->details()->detail().reason;
    QTest::mouseClick(view_->details()->go_button(), Qt::LeftButton);
    QCOMPARE(place_.line, static_cast<int>(reason.line));
    QVERIFY(QFileInfo::exists(place_.path));
    // The machine goes to the cycle, and the context stands at the word that gave the reason.
    QTRY_COMPARE_WITH_TIMEOUT(workspace_->target()->view()->cycle, reason.cycle, 30'000);
    QCOMPARE(workspace_->cursor().context(), std::optional(reason.who));
    const auto view = workspace_->target()->view();
    const auto context = std::ranges::find(view->contexts, reason.who, &weft::workbench::ContextView::id);
    QVERIFY(context != view->contexts.end());
    QCOMPARE(context->pc, reason.pc);
    // The list still has what was seen later.
    QVERIFY(row_with(Verdict::forwarded) >= 0);
  }

  void the_way_leads_to_lines_and_cycles() {
    choose(Verdict::forwarded);
    const PacketDetail detail = view_->details()->detail();
    QVERIFY(detail.steps.size() >= 3);
    QAbstractItemModelTester tester(view_->details()->path_table()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTableView* path = view_->details()->path_table();
    place_ = {};
    QTest::mouseClick(path->viewport(), Qt::LeftButton, {}, path->visualRect(path->model()->index(1, 1)).center());
    QCOMPARE(workspace_->cursor().cycle(), detail.steps[1].from);
    QCOMPARE(place_.line, static_cast<int>(detail.steps[1].place.line));
    uint64_t busy = 0;
    for (const PacketStepView& s : detail.steps) busy += s.busy;
    QCOMPARE(busy, detail.row.busy);
    path->findChild<QAction*>(QStringLiteral("copy_way"))->trigger();
    QCOMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), static_cast<int>(detail.steps.size()) + 1);
    QVERIFY(view_->details()->cost_text().contains(QStringLiteral("on the wire")));
    // Keys go through the list, and the cursor of another view chooses here.
    view_->table()->setFocus();
    const uint32_t before = workspace_->cursor().packet();
    QTest::keyClick(view_->table(), Qt::Key_Down);
    QVERIFY(workspace_->cursor().packet() != before);
    workspace_->cursor().set_packet(before);
    QCOMPARE(view_->model()->row(view_->table()->currentIndex().row()).id, before);
  }

  void a_byte_leads_to_the_instruction_that_wrote_it() {
    choose(Verdict::forwarded);
    PacketBytesPane* pane = view_->details()->bytes();
    view_->details()->findChild<QTabWidget*>()->setCurrentIndex(1);
    QTRY_VERIFY(pane->hex()->isVisible());
    // As transmitted beside as received, the TTL is one less.
    QCOMPARE(pane->before(), 0);
    QVERIFY(pane->after() > 0);
    const auto ttl = std::ranges::find_if(pane->rows(), [](const FieldRow& r) {
      return r.name == QStringLiteral("ttl") || r.name == QStringLiteral("hop limit");
    });
    QVERIFY(ttl != pane->rows().end());
    QVERIFY(ttl->changed);
    QCOMPARE(ttl->after.toInt(), ttl->before.toInt() - 1);
    const size_t byte = ttl->after_bits->first / 8;
    QVERIFY(pane->hex()->changed().contains(byte));
    QVERIFY(!pane->hex()->changed().contains(pane->hex()->frame().bytes.size() - 1));
    // A click on the byte: its field is chosen, and who wrote it is said.
    QTest::mouseClick(pane->hex()->viewport(), Qt::LeftButton, {}, pane->hex()->rect_of(byte).center());
    QCOMPARE(pane->hex()->chosen(), std::optional(byte));
    QCOMPARE(pane->fields()->currentItem()->text(0), ttl->name);
    QVERIFY2(pane->writer_text().contains(QStringLiteral("written by")), qPrintable(pane->writer_text()));
    place_ = {};
    QTest::mouseClick(pane->findChild<QPushButton*>(QStringLiteral("go_to_writer")), Qt::LeftButton);
    QFile source(place_.path);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(source.readAll()).split(QLatin1Char('\n'));
    QVERIFY(place_.line > 0 && place_.line <= lines.size());
    QVERIFY2(lines[place_.line - 1].contains(QStringLiteral("dram[write")), qPrintable(lines[place_.line - 1]));
    QVERIFY2(pane->fields_text().contains(QStringLiteral("%1 -> %2").arg(ttl->before, ttl->after)),
             qPrintable(pane->fields_text()));
    // Back: a field marks its bytes.
    for (const QString& name : {QStringLiteral("destination"), QStringLiteral("source")}) {
      const auto items = pane->fields()->findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
      QVERIFY(!items.isEmpty());
      pane->fields()->setCurrentItem(items.front());
      QCOMPARE(pane->hex()->marked(),
               std::optional(std::pair<size_t, size_t>(name == QStringLiteral("destination") ? 0 : 6, 6)));
    }
    // A byte of the payload came so. Keys move.
    pane->hex()->setFocus();
    QTest::keyClick(pane->hex(), Qt::Key_End);
    QVERIFY2(pane->writer_text().contains(QStringLiteral("it came so")), qPrintable(pane->writer_text()));
    QTest::keyClick(pane->hex(), Qt::Key_Home);
    QCOMPARE(pane->hex()->chosen(), std::optional(size_t{0}));
    // One moment alone.
    pane->show_stages(-1, 0);
    QVERIFY(!pane->hex_before()->isVisible());
    QVERIFY(pane->hex()->changed().empty());
    QCOMPARE(pane->hex()->frame().bytes, view_->details()->detail().record.data);
  }

  void chosen_packets_go_to_files_and_to_the_clipboard() {
    view_->table()->sortByColumn(PacketsModel::kNumber, Qt::AscendingOrder);
    click_row(0);
    QTest::mouseClick(view_->table()->viewport(), Qt::LeftButton, Qt::ShiftModifier,
                      view_->table()->visualRect(view_->model()->index(3, PacketsModel::kVerdict)).center());
    QCOMPARE(view_->chosen().size(), size_t{4});
    const QString path = folder_.filePath(QStringLiteral("some.pcap"));
    message_.clear();
    view_->save_pcap(path, false);
    QTRY_VERIFY(!message_.isEmpty());
    const auto packets = weft::packet::read_pcap(path.toStdString());
    QVERIFY2(packets, qPrintable(message_));
    QCOMPARE(packets->size(), size_t{4});
    QTRY_COMPARE(view_->details()->detail().row.id, view_->chosen().back());
    QCOMPARE((*packets)[3].bytes, view_->details()->detail().record.data);
    view_->copy_hex();
    QTRY_VERIFY(QApplication::clipboard()->text().contains(QStringLiteral("0000  02 ")));
    // Without Wireshark there is a sentence, with it a file that it gets.
    message_.clear();
    view_->open_in_wireshark(QString());
    QVERIFY(message_.contains(QStringLiteral("not installed")));
    message_.clear();
    view_->open_in_wireshark(QStringLiteral("/nowhere/wireshark"));
    QTRY_VERIFY(message_.contains(QStringLiteral("cannot be started")));
    const QString program = folder_.filePath(QStringLiteral("wireshark")),
                  got = folder_.filePath(QStringLiteral("got"));
    weft::ide::test::write(program, "#!/bin/sh\ncp \"$2\" \"$0.pcap\"\necho \"$2\" >> \"$(dirname \"$0\")/got\"\n");
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    for (int times = 1; times <= 2; ++times) {
      view_->open_in_wireshark(program);
      QTRY_COMPARE(weft::ide::test::read(got).count('\n'), qsizetype{times});
    }
    const auto given = weft::packet::read_pcap((program + QStringLiteral(".pcap")).toStdString());
    QVERIFY(given);
    QCOMPARE(given->size(), size_t{4});
    for (const QByteArray& name : weft::ide::test::read(got).trimmed().split('\n')) {
      QVERIFY(QFile::exists(QString::fromUtf8(name)));
      given_.insert(QString::fromUtf8(name));
    }
    QCOMPARE(given_.size(), 2);
    QCOMPARE(view_->model()->csv().count(QLatin1Char('\n')), view_->model()->rowCount() + 1);
    message_.clear();
    view_->save_pcap(folder_.filePath(QStringLiteral("none/of/these.pcap")), true);
    QTRY_VERIFY(!message_.isEmpty());
  }

  void a_packet_becomes_a_test_that_passes() {
    choose(Verdict::dropped);
    message_.clear();
    const QString path = folder_.filePath(QStringLiteral("dropped.test.json"));
    view_->make_case(path);
    QTRY_VERIFY_WITH_TIMEOUT(message_.contains(QStringLiteral("it passes")), 60'000);
    const auto plan = weft::workbench::plan_tests({path.toStdString()}, {});
    QVERIFY(plan && plan->cases.size() == 1);
    QCOMPARE(weft::workbench::run_case(plan->cases.front(), {}).verdict, weft::workbench::Verdict::passed);
  }

  void another_run_forgets_the_packets_of_the_one_before() {
    QVERIFY(view_->model()->all() > 0);
    workspace_->target()->build();
    QTRY_COMPARE_WITH_TIMEOUT(view_->model()->all(), size_t{0}, 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(workspace_->target()->state(), State::stopped, 60'000);
    view_.reset();
    workspace_.reset();
    for (const QString& name : given_) QVERIFY2(!QFile::exists(name), qPrintable(name));
  }
};

WEFT_IDE_TEST_MAIN(PacketsTest)
#include "packets_test.moc"
