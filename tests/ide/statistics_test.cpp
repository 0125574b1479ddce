// The statistics view: each figure against the files that the command line writes of the same run, a range against the
// difference of two runs, comparison with a kept run, and the view by keys, mouse and menus.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <set>

#include "support.h"
#include "view_fixture.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"
#include "widgets/statistics_view.h"

using namespace weft::ide;
using weft::ide::test::kLong;
using State = Target::State;

namespace {

const QString kForwarder = QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");

/// Files that `weft run` writes after so many cycles, by a session of its own.
QByteArray written(int cycles, const QString& ending, bool profile = false, const QString& project = kForwarder) {
  weft::workbench::Overrides overrides;
  overrides.set.emplace_back("limits.cycles", std::to_string(cycles));
  auto loaded = weft::workbench::load_project(project.toStdString(), overrides);
  if (!loaded) return {};
  weft::workbench::Observation what;
  what.statistics = what.profile = true;
  auto session = weft::workbench::Session::create(std::move(*loaded), what);
  if (!session) return {};
  (*session)->run({});
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("figures.") + ending);
  const auto done =
      profile ? (*session)->write_profile(path.toStdString()) : (*session)->write_statistics(path.toStdString());
  if (!done) return {};
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The command line's CSV: value by "section|name|item".
std::map<QString, QString> items_of(const QByteArray& csv) {
  std::map<QString, QString> out;
  for (const QByteArray& line : csv.split('\n').mid(1)) {
    const QString text = QString::fromUtf8(line);
    const qsizetype open = text.indexOf(QLatin1Char('"')), close = text.lastIndexOf(QLatin1Char('"'));
    if (open < 0) continue;
    const QStringList rest = text.mid(close + 2).split(QLatin1Char(','));
    out[text.left(open - 1) + QLatin1Char('|') + text.mid(open + 1, close - open - 1) + QLatin1Char('|') + rest[0]] =
        rest[1];
  }
  return out;
}

struct Opened : test::ViewFixture<StatisticsView> {
  explicit Opened(bool observed = true) {
    weft::workbench::Observation what = workspace.observation();
    what.statistics = what.profile = what.history = observed;
    workspace.set_observation(what);
    view.resize(1100, 420);
  }
  void run(int cycles, const QString& project = kForwarder) {
    open(project);
    go_on(cycles);
  }
  void go_on(int cycles) {
    workspace.target()->run_until(std::to_string(cycles) + " cycles");
    QTRY_VERIFY_WITH_TIMEOUT(tables().to_cycle == static_cast<uint64_t>(cycles), 60'000);
  }
  const StatisticsTables& tables() { return view.model().tables(); }
  const FigureTable& table(const char* name) { return *tables().find(name); }
};

/// The value of a row in the column of this name.
QVariant figure(const FigureTable& table, const FigureRow& row, const char* column) {
  for (size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].name == QLatin1String(column)) return row.values[c];
  return QStringLiteral("there is no column %1").arg(QLatin1String(column));
}

}  // namespace

class StatisticsViewTest : public QObject {
  Q_OBJECT

 private:
  /// Compares and counts; "section|name" is where the command line has it.
  void same(const std::map<QString, QString>& items, const QString& where, const char* item, const QVariant& value) {
    const auto known = items.find(where + QLatin1Char('|') + QLatin1String(item));
    QVERIFY2(known != items.end(), qPrintable(where + QLatin1Char('|') + QLatin1String(item)));
    QCOMPARE(value.toString(), known->second);
    compared_.insert(known->first);
  }
  /// Columns of a row, each with its name where the command line has it.
  void same_all(const std::map<QString, QString>& items, const QString& where, const FigureTable& table,
                const FigureRow& row, const std::vector<std::pair<const char*, const char*>>& columns) {
    for (const auto& [column, item] : columns) same(items, where, item, figure(table, row, column));
  }
  std::set<QString> compared_;

 private Q_SLOTS:
  void figures_are_those_of_the_command_line() {
    Opened opened;
    opened.run(12'000);
    const auto items = items_of(written(12'000, QStringLiteral("csv")));
    QVERIFY(items.size() > 500);
    compared_.clear();

    const FigureTable& contexts = opened.table("contexts");
    QCOMPARE(contexts.rows.size(), size_t{1 + 4 + 32});
    for (size_t i = 1; i < contexts.rows.size(); ++i) {
      const FigureRow& row = contexts.rows[i];
      const QString name = row.values[0].toString();
      const QString where =
          row.context ? QStringLiteral("context|me%1.ctx%2").arg(row.context->engine).arg(row.context->context)
                      : QStringLiteral("engine|") + name;
      same_all(items, where, contexts, row,
               {{"Executing cycles", "executing"},
                {"Aborted cycles", "aborted"},
                {"Stalled cycles", "stalled"},
                {"Idle cycles", "idle"},
                {"Instructions", "instructions"},
                {"Commands", "commands"},
                {"Swaps", "swaps"},
                {"Branches taken", "branches-taken"}});
      same(items, where, "cycles",
           figure(contexts, row, "Executing cycles").toULongLong() +
               figure(contexts, row, "Aborted cycles").toULongLong() +
               figure(contexts, row, "Stalled cycles").toULongLong() +
               figure(contexts, row, "Idle cycles").toULongLong());
      double sum = 0;
      for (const char* column : {"Executing", "Aborted", "Stalled", "Idle"})
        sum += figure(contexts, row, column).toDouble();
      QVERIFY(std::abs(sum - 100) < 1e-6);
    }
    // The chip is the sum of its microengines.
    qulonglong executing = 0;
    for (const FigureRow& row : contexts.rows)
      if (row.context) executing += figure(contexts, row, "Executing cycles").toULongLong();
    QCOMPARE(figure(contexts, contexts.rows[0], "Executing cycles").toULongLong(), executing);

    const FigureTable& units = opened.table("units");
    for (const FigureRow& row : units.rows) {
      const QString where = QStringLiteral("unit|") + row.values[0].toString();
      same_all(items, where, units, row,
               {{"Commands", "commands"},
                {"Served", "served"},
                {"Longwords in", "longwords-in"},
                {"Longwords out", "longwords-out"},
                {"Media moves", "longwords-moved"},
                {"Stall cycles", "stall-cycles"}});
    }
    const FigureTable& queues = opened.table("queues");
    for (const FigureRow& row : queues.rows)
      same(items, QStringLiteral("depth|") + row.values[0].toString(), row.values[1].toString().toUtf8().constData(),
           figure(queues, row, "Ticks"));
    const FigureTable& latencies = opened.table("latencies");
    for (const FigureRow& row : latencies.rows) {
      const QString where = QStringLiteral("latency|%1 %2").arg(row.values[0].toString(), row.values[1].toString());
      same(items, where, "issued", figure(latencies, row, "Issued"));
      if (figure(latencies, row, "Signalled").toULongLong() == 0) {
        QVERIFY(!figure(latencies, row, "p50").isValid() && !items.contains(where + QStringLiteral("|p50")));
        continue;
      }
      same_all(items, where, latencies, row,
               {{"Signalled", "signalled"},
                {"Least", "least"},
                {"p50", "p50"},
                {"p90", "p90"},
                {"p99", "p99"},
                {"Most", "most"}});
      same(items, where, "sum",
           qulonglong(std::llround(figure(latencies, row, "Mean").toDouble() *
                                   figure(latencies, row, "Signalled").toDouble())));
    }
    const FigureTable& ports = opened.table("ports");
    for (const FigureRow& row : ports.rows) {
      const QString where = QStringLiteral("port|") + row.values[0].toString();
      same_all(items, where, ports, row,
               {{"Frames in", "frames-in"},
                {"Bytes in", "bytes-in"},
                {"Frames out", "frames-out"},
                {"Bytes out", "bytes-out"},
                {"Lost", "lost"},
                {"Peak bytes", "receive-buffer-most"},
                {"Peak bytes out", "transmit-buffer-most"}});
    }
    const FigureTable& lines = opened.table("lines");
    QVERIFY(lines.rows.size() > 10);
    for (const FigureRow& row : lines.rows) {
      const QString where = QStringLiteral("line|%1:%2 %3 %4")
                                .arg(QString::fromStdString(row.file))
                                .arg(row.line)
                                .arg(row.values[1].toString(), row.values[2].toString());
      same(items, where, "commands", figure(lines, row, "Issued"));
      same(items, where, "longwords", figure(lines, row, "Longwords"));
      same(items, where, "stall-cycles", figure(lines, row, "Stall cycles"));
      const QVariant mean = figure(lines, row, "Mean latency");
      const double signalled = items.at(where + QStringLiteral("|signalled")).toDouble();
      QCOMPARE(mean.isValid(), signalled > 0);
      compared_.insert(where + QStringLiteral("|signalled"));
      same(items, where, "latency-sum", qulonglong(std::llround(mean.toDouble() * signalled)));
    }
    // What the file says besides is times of units, which the JSON's shares are made of, and the queues of units
    // without commands.
    for (const auto& [where, value] : items) {
      const bool time = where.startsWith(QStringLiteral("unit|")) &&
                        (where.endsWith(QStringLiteral("|busy")) || where.endsWith(QStringLiteral("|elapsed")));
      if (!compared_.contains(where))
        QVERIFY2(time || where.startsWith(QStringLiteral("depth|")), qPrintable(where + QLatin1Char(' ') + value));
    }
  }

  void rates_and_shares_are_those_of_the_json() {
    Opened opened;
    opened.run(12'000);
    const QJsonObject json = QJsonDocument::fromJson(written(12'000, QStringLiteral("json"))).object();
    const FigureTable& contexts = opened.table("contexts");
    size_t row = 1;
    for (const QJsonValue& e : json[QStringLiteral("engines")].toArray()) {
      QJsonArray parts{e};
      for (const QJsonValue& c : e[QStringLiteral("contexts")].toArray()) parts << c;
      for (const QJsonValue& part : parts) {
        const QJsonValue shares = part[QStringLiteral("hundredths-of-percent")];
        for (const auto& [column, item] : std::vector<std::pair<const char*, const char*>>{
                 {"Executing", "executing"}, {"Aborted", "aborted"}, {"Stalled", "stalled"}, {"Idle", "idle"}})
          QCOMPARE(std::lround(100 * figure(contexts, contexts.rows[row], column).toDouble()),
                   shares[QLatin1String(item)].toInteger());
        ++row;
      }
    }
    QCOMPARE(row, contexts.rows.size());
    const FigureTable& units = opened.table("units");
    const QJsonArray known = json[QStringLiteral("units")].toArray();
    QCOMPARE(units.rows.size(), static_cast<size_t>(known.size()));
    for (size_t i = 0; i < units.rows.size(); ++i) {
      const QJsonValue u = known[static_cast<qsizetype>(i)];
      const double time = u[QStringLiteral("elapsed-ticks")].toDouble() * u[QStringLiteral("directions")].toDouble();
      QVERIFY(std::abs(figure(units, units.rows[i], "Busy").toDouble() -
                       100 * u[QStringLiteral("busy-ticks")].toDouble() / time) <= 0.01);
      QVERIFY(std::abs(figure(units, units.rows[i], "MB/s").toDouble() -
                       1e-6 * u[QStringLiteral("bytes-per-second")].toDouble()) < 1e-6);
      double all = 0, weighted = 0;
      const QJsonArray depth = u[QStringLiteral("depth-ticks")].toArray();
      for (qsizetype n = 0; n < depth.size(); ++n)
        all += depth[n].toDouble(), weighted += static_cast<double>(n) * depth[n].toDouble();
      QVERIFY(std::abs(figure(units, units.rows[i], "Mean depth").toDouble() - weighted / all) < 1e-6);
      QCOMPARE(units.rows[i].histogram.size(), static_cast<size_t>(depth.size()));
    }
    const FigureTable& ports = opened.table("ports");
    for (size_t i = 0; i < ports.rows.size(); ++i) {
      const QJsonValue p = json[QStringLiteral("ports")].toArray()[static_cast<qsizetype>(i)];
      QVERIFY(std::abs(figure(ports, ports.rows[i], "Of wire in").toDouble() -
                       100 * p[QStringLiteral("in")][QStringLiteral("wire-share")].toDouble()) < 1e-6);
      QVERIFY(std::abs(figure(ports, ports.rows[i], "Of wire out").toDouble() -
                       100 * p[QStringLiteral("out")][QStringLiteral("wire-share")].toDouble()) < 1e-6);
    }
  }

  void the_profile_is_that_of_the_command_line() {
    Opened opened;
    opened.run(12'000);
    const QJsonObject json = QJsonDocument::fromJson(written(12'000, QStringLiteral("json"), true)).object();
    for (const auto& [name, list, key] :
         std::vector<std::tuple<const char*, const char*, const char*>>{{"programs", "programs", "program"},
                                                                        {"stages", "stages", "stage"},
                                                                        {"blocks", "blocks", "block"},
                                                                        {"macros", "macros", "macro"},
                                                                        {"profile_lines", "lines", "line"}}) {
      const FigureTable& table = opened.table(name);
      const QJsonArray rows = json[QLatin1String(list)].toArray();
      QCOMPARE(table.rows.size(), static_cast<size_t>(rows.size()));
      QVERIFY(!rows.isEmpty());
      for (size_t i = 0; i < table.rows.size(); ++i) {
        const QJsonValue row = rows[static_cast<qsizetype>(i)];
        const QString known = row[QLatin1String(key)].toString();
        QVERIFY(known.endsWith(table.rows[i].values[0].toString()));
        const QJsonValue own = row[QStringLiteral("own")];
        qint64 busy = 0;
        for (const auto& [column, item] : std::vector<std::pair<const char*, const char*>>{
                 {"Executing", "executing"}, {"Aborted", "aborted"}, {"Stalled", "stalled"}}) {
          QCOMPARE(figure(table, table.rows[i], column).toLongLong(), own[QLatin1String(item)].toInteger());
          busy += own[QLatin1String(item)].toInteger();
        }
        QCOMPARE(figure(table, table.rows[i], "Cycles").toLongLong(), busy);
        QCOMPARE(figure(table, table.rows[i], "Asleep").toLongLong(), own[QStringLiteral("sleep")].toInteger());
      }
    }
  }

  void losses_are_those_of_the_report() {
    const QString filter = QStringLiteral(WEFT_SOURCE_DIR "/examples/firewall-filter");
    Opened opened;
    opened.run(60'000, filter);
    weft::workbench::Overrides overrides;
    overrides.set.emplace_back("limits.cycles", "60000");
    auto loaded = weft::workbench::load_project(filter.toStdString(), overrides);
    QVERIFY(loaded.has_value());
    auto session = weft::workbench::Session::create(std::move(*loaded), {});
    QVERIFY(session.has_value());
    (*session)->run({});
    const QJsonObject report =
        QJsonDocument::fromJson(QByteArray::fromStdString(to_json((*session)->report()))).object();
    const QJsonArray drops = report[QStringLiteral("drops")].toArray();
    QVERIFY(!drops.isEmpty());
    const FigureTable& losses = opened.table("losses");
    qsizetype found = 0;
    for (const QJsonValue& drop : drops)
      for (const FigureRow& row : losses.rows)
        if (row.values[0].toString() == QStringLiteral("port %1").arg(drop[QStringLiteral("port")].toInt()) &&
            row.values[1].toString() == QStringLiteral("program") &&
            row.values[2].toString() == drop[QStringLiteral("reason")].toString()) {
          QCOMPARE(row.values[3].toLongLong(), drop[QStringLiteral("count")].toInteger());
          ++found;
        }
    QCOMPARE(found, drops.size());
    // What MACs have lost has a row for each reason, and they sum to what the ports say.
    qulonglong reasons = 0, lost = 0;
    for (const FigureRow& row : losses.rows)
      if (row.values[1].toString() == QStringLiteral("MAC")) reasons += row.values[3].toULongLong();
    for (const FigureRow& row : opened.table("ports").rows)
      lost += figure(opened.table("ports"), row, "Lost").toULongLong();
    QCOMPARE(reasons, lost);
  }

  void a_range_is_what_lies_between_two_runs() {
    Opened opened;
    opened.run(9000);
    const auto first = items_of(written(4000, QStringLiteral("csv"))),
               second = items_of(written(9000, QStringLiteral("csv")));
    opened.workspace.cursor().set_range(std::pair(uint64_t{4000}, uint64_t{9000}));
    QTRY_VERIFY(opened.tables().range.has_value());
    const FigureTable& contexts = opened.table("contexts");
    for (const FigureRow& row : contexts.rows) {
      if (!row.context) continue;
      const QString where = QStringLiteral("context|me%1.ctx%2|").arg(row.context->engine).arg(row.context->context);
      for (const auto& [column, item] :
           std::vector<std::pair<const char*, const char*>>{{"Executing cycles", "executing"},
                                                            {"Aborted cycles", "aborted"},
                                                            {"Stalled cycles", "stalled"},
                                                            {"Idle cycles", "idle"}})
        QCOMPARE(figure(contexts, row, column).toLongLong(), second.at(where + QLatin1String(item)).toLongLong() -
                                                                 first.at(where + QLatin1String(item)).toLongLong());
      QCOMPARE(figure(contexts, row, "Instructions"), figure(contexts, row, "Executing cycles"));
      // What is not known of a range is not shown.
      QVERIFY(!figure(contexts, row, "Branches taken").isValid());
    }
    // A range that goes on after what has run is known up to there; one that lies after it is not known at all.
    opened.workspace.cursor().set_range(std::pair(uint64_t{8000}, uint64_t{20'000}));
    QTRY_COMPARE(opened.tables().range, std::optional(std::pair(uint64_t{8000}, uint64_t{9000})));
    opened.workspace.cursor().set_range(std::pair(uint64_t{12'000}, uint64_t{20'000}));
    QTRY_COMPARE(opened.tables().range, std::optional(std::pair(uint64_t{12'000}, uint64_t{12'000})));
    QVERIFY(opened.view.state().toObject()[QStringLiteral("title")].toString().contains(
        QStringLiteral("nothing of the range")));
    opened.workspace.cursor().set_range(std::nullopt);
    QTRY_VERIFY(!opened.tables().range.has_value());
  }

  void a_kept_run_is_compared_with() {
    Opened opened;
    opened.run(4000);
    const auto first = items_of(written(4000, QStringLiteral("csv"))),
               second = items_of(written(9000, QStringLiteral("csv")));
    opened.view.model().keep();
    opened.go_on(9000);
    opened.view.show_table(QStringLiteral("contexts"));
    FiguresModel& model = opened.view.figures();
    int column = -1;
    for (int c = 0; c < model.columnCount(); ++c)
      if (model.headerData(c, Qt::Horizontal).toString() == QStringLiteral("± Instructions")) column = c;
    QVERIFY(column > 0);
    for (int row = 0; row < model.rowCount(); ++row) {
      const auto id = model.row(row).context;
      if (!id) continue;
      const QString where = QStringLiteral("context|me%1.ctx%2|instructions").arg(id->engine).arg(id->context);
      QCOMPARE(model.index(row, column).data(FiguresModel::kSortRole).toLongLong(),
               second.at(where).toLongLong() - first.at(where).toLongLong());
    }
    opened.view.model().forget();
    QVERIFY(model.headerData(model.columnCount() - 1, Qt::Horizontal).isValid());
    for (int c = 0; c < model.columnCount(); ++c)
      QVERIFY(!model.headerData(c, Qt::Horizontal).toString().startsWith(QStringLiteral("±")));
  }

  void a_row_that_only_one_run_has() {
    FiguresModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    using Kind = FigureColumn::Kind;
    const auto count = [](qulonglong n) { return QVariant::fromValue(n); };
    const FigureTable then{"t",
                           "T",
                           {},
                           1,
                           {{"Name"}, {"Count", Kind::count, true}, {"Share", Kind::percent}},
                           {{{"a", count(5), 10.0}}, {{"b", count(7), 20.0}}}};
    const FigureTable now{"t",
                          "T",
                          {},
                          1,
                          {{"Name"}, {"Count", Kind::count, true}, {"Share", Kind::percent}},
                          {{{"b", count(3), 20.0}}, {{"c", count(9), QVariant()}}}};
    model.show(then, nullptr);
    QCOMPARE(model.columnCount(), 3);
    model.show(now, &then);
    QCOMPARE(model.columnCount(), 4);
    QCOMPARE(model.index(0, 2).data().toString(), QStringLiteral("-4"));
    QVERIFY(!model.index(1, 2).data().isValid());
    QCOMPARE(model.index(0, 3).data(FiguresModel::kShareRole).toDouble(), 0.2);
    QVERIFY(!model.index(1, 3).data().isValid());
    QCOMPARE(model.csv(), QStringLiteral("Name,Count,± Count,Share\nb,3,-4,20\nc,9,,\n"));
    model.show({}, nullptr);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
  }

  void files_are_those_of_the_command_line() {
    Opened opened;
    opened.run(6000);
    QTemporaryDir folder;
    for (const auto& [ending, profile] : std::vector<std::pair<const char*, bool>>{
             {"txt", false}, {"csv", false}, {"json", false}, {"txt", true}, {"folded", true}, {"json", true}}) {
      const QString path = folder.filePath(QStringLiteral("%1.%2").arg(profile).arg(QLatin1String(ending)));
      QSignalSpy told(&opened.workspace, &Workspace::message);
      opened.view.save(path, profile);
      QTRY_COMPARE(told.size(), 1);
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QCOMPARE(file.readAll(), written(6000, QLatin1String(ending), profile));
    }
  }

  void the_view_by_hand() {
    Opened opened(false);
    StatisticsView& view = opened.view;
    QVERIFY(view.state().toObject()[QStringLiteral("empty")].toString().contains(QStringLiteral("Open a project")));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, kLong));
    QVERIFY(opened.workspace.open(kForwarder).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(opened.workspace.target()->state(), State::stopped, 60'000);
    // Nothing is kept: the view says so, and offers it.
    auto* record = view.findChild<QPushButton*>(QStringLiteral("record"));
    QTRY_VERIFY(record->isVisible());
    QTest::mouseClick(record, Qt::LeftButton);
    QVERIFY(opened.workspace.observation().statistics);
    QTRY_COMPARE_WITH_TIMEOUT(opened.workspace.target()->state(), State::stopped, 60'000);
    opened.go_on(8000);
    QTRY_VERIFY(view.table().isVisible());

    // A click on a header sorts by numbers, not by texts.
    QHeaderView* header = view.table().horizontalHeader();
    const auto click = [&](int column) {
      QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                        {header->sectionViewportPosition(column) + 12, header->height() / 2});
    };
    click(2);
    const QAbstractItemModel& shown = *view.table().model();
    for (int row = 1; row < shown.rowCount(); ++row)
      QVERIFY(shown.index(row - 1, 2).data(FiguresModel::kSortRole).toDouble() <=
              shown.index(row, 2).data(FiguresModel::kSortRole).toDouble());
    click(2);
    for (int row = 1; row < shown.rowCount(); ++row)
      QVERIFY(shown.index(row - 1, 2).data(FiguresModel::kSortRole).toDouble() >=
              shown.index(row, 2).data(FiguresModel::kSortRole).toDouble());
    // A row of a context moves the cursor, and the cursor the row.
    int me12 = -1;
    for (int row = 0; row < shown.rowCount(); ++row)
      if (shown.index(row, 0).data().toString() == QStringLiteral("me1.2")) me12 = row;
    QTest::mouseClick(view.table().viewport(), Qt::LeftButton, {},
                      view.table().visualRect(shown.index(me12, 0)).center());
    view.table().scrollTo(shown.index(me12, 0));
    QTest::mouseClick(view.table().viewport(), Qt::LeftButton, {},
                      view.table().visualRect(shown.index(me12, 0)).center());
    QCOMPARE(opened.workspace.cursor().context(), std::optional(ContextId{0, 1, 2}));
    opened.workspace.cursor().set_context(ContextId{0, 0, 5});
    QCOMPARE(view.table().currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("me0.5"));

    // Tabs by keys; each table is painted, and none is empty without a word.
    auto* tabs = view.findChild<QTabBar*>();
    tabs->setFocus();
    for (int tab = 1; tab < tabs->count(); ++tab) {
      QTest::keyClick(tabs, Qt::Key_Right);
      QCOMPARE(tabs->currentIndex(), tab);
      view.grab();
      const QJsonObject state = view.state().toObject();
      QVERIFY(!state[QStringLiteral("rows")].toArray().isEmpty() ||
              !state[QStringLiteral("no_rows")].toString().isEmpty());
    }
    // No profile was asked for.
    auto* profile = view.findChild<QPushButton*>(QStringLiteral("record_profile"));
    QVERIFY(profile->isVisible());
    // A line jumps to the code; the filter leaves rows with its text.
    view.show_table(QStringLiteral("lines"));
    auto* search = view.findChild<QLineEdit*>();
    const int before = shown.rowCount();
    QTest::keyClicks(search, QStringLiteral("dram"));
    QVERIFY(shown.rowCount() > 0 && shown.rowCount() < before);
    for (int row = 0; row < shown.rowCount(); ++row)
      QVERIFY((shown.index(row, 1).data().toString() + shown.index(row, 2).data().toString())
                  .contains(QStringLiteral("dram")));
    QSignalSpy places(&opened.workspace, &Workspace::place_requested);
    view.table().selectRow(0);
    view.table().setFocus();
    QTest::keyClick(&view.table(), Qt::Key_Return);
    QCOMPARE(places.size(), 1);
    QCOMPARE(shown.index(0, 0).data().toString(),
             opened.workspace.target()->names().place(places[0][0].toString().toStdString(), places[0][1].toUInt()));
    // Copy takes what is shown.
    auto* save = view.findChild<QToolButton*>(QStringLiteral("save"));
    for (QAction* action : save->menu()->actions())
      if (action->objectName() == QStringLiteral("copy")) action->trigger();
    QCOMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), shown.rowCount() + 1);
    search->clear();

    // They follow the machine back: to the file that the command line writes of a run of 3,000 cycles.
    opened.workspace.target()->go_to(3000);
    QTRY_VERIFY_WITH_TIMEOUT(opened.tables().to_cycle == 3000, 60'000);
    QVERIFY(view.state().toObject()[QStringLiteral("title")].toString().contains(QStringLiteral("3,000")) ||
            view.state().toObject()[QStringLiteral("title")].toString().contains(QStringLiteral("3000")));
    QTemporaryDir folder;
    const QString early = folder.filePath(QStringLiteral("early.csv"));
    view.save(early, false);
    QTRY_VERIFY(QFile::exists(early));
    QFile file(early);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), written(3000, QStringLiteral("csv")));
    opened.go_on(9000);
    QCOMPARE(opened.table("contexts").rows.size(), size_t{37});
  }
};

WEFT_IDE_TEST_MAIN(StatisticsViewTest)
#include "statistics_test.moc"
