// The coverage view: its figures against the files that the command line writes of the same run, bars and labels by properties, comparison of
// two runs, and the view by keys, mouse and menus.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonObject>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <random>
#include <set>

#include "weft/workbench/project.h"
#include "weft/workbench/session.h"
#include "widgets/code_editor.h"
#include "widgets/coverage_view.h"
#include "widgets/main_window.h"

using namespace weft::ide;
using State = Target::State;

namespace {

const QString kForwarder = QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");

/// What `weft run --coverage FILE` writes after so many cycles, by a session of its own.
QByteArray written(const QString& project, int cycles, const QString& ending) {
  weft::workbench::Overrides overrides;
  overrides.set.emplace_back("limits.cycles", std::to_string(cycles));
  auto loaded = weft::workbench::load_project(project.toStdString(), overrides);
  if (!loaded) return {};
  weft::workbench::Observation what;
  what.coverage = true;
  auto session = weft::workbench::Session::create(std::move(*loaded), what);
  if (!session) return {};
  (*session)->run({});
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("coverage.") + ending);
  if (!(*session)->write_coverage(path.toStdString())) return {};
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Rows of the command line's CSV: engine, address, eight contexts, all, taken, not taken. The first 13 fields have no quotes.
std::map<std::pair<unsigned, uint32_t>, QList<QByteArray>> rows_of_csv(const QByteArray& csv) {
  std::map<std::pair<unsigned, uint32_t>, QList<QByteArray>> out;
  for (const QByteArray& line : csv.split('\n').mid(1)) {
    const QList<QByteArray> fields = line.split(',');
    if (fields.size() > 12) out[{fields[0].toUInt(), fields[1].toUInt()}] = fields.mid(2, 11);
  }
  return out;
}

struct Opened {
  Workspace workspace;
  CoverageView view{workspace, Theme::light};
  void run(const QString& project, int cycles) {
    view.resize(1100, 420);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(workspace.open(project).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, 60'000);
    go_on(cycles);
  }
  void go_on(int cycles) {
    workspace.target()->run_until(std::to_string(cycles) + " cycles");
    QTRY_VERIFY_WITH_TIMEOUT(view.model().run().cycle == static_cast<uint64_t>(cycles), 60'000);
  }
  CoverageModel& model() { return view.model(); }
};

CoverageSeries made_up(uint32_t words, uint32_t seed) {
  std::mt19937 random(seed);
  CoverageSeries series;
  auto program = std::make_shared<CoverageProgram>();
  series.contexts = 8;
  for (uint32_t a = 0; a < words; ++a) {
    CoverageCounts counts;
    for (auto& c : counts.executed) c = random() % 3 == 0 ? 0 : random() % 100'000;
    if (random() % 4 == 0) counts = {};
    series.counts.push_back(counts);
    program->words.push_back({"part" + std::to_string(a / 40) + "#", "made.uc", a + 1, "nop"});
    if (a % 40 == 0) program->labels.push_back({"part" + std::to_string(a / 40) + "#", a});
  }
  series.program = std::move(program);
  return series;
}

}  // namespace

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
        uint64_t most = 0, never = 0;
        for (uint32_t w = bar.first; w < bar.last; ++w) {
          most = std::max(most, series.count(w));
          never += series.count(w) == 0;
        }
        QCOMPARE(series.count(bar.word), most);
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
    const auto places = place_labels(axis, series.program->labels, width, [](uint32_t) { return uint64_t{1}; }, 2);
    QVERIFY(places.size() > 10);
    for (const LabelPlace& a : places) {
      QVERIFY(a.x >= 0 && a.x + width(series.program->labels[a.label].name) <= 900);
      for (const LabelPlace& b : places)
        if (&a != &b && a.row == b.row) QVERIFY(a.x + width(series.program->labels[a.label].name) <= b.x || b.x + width(series.program->labels[b.label].name) <= a.x);
    }
  }

  void counts_are_those_of_the_command_line() {
    Opened opened;
    opened.run(kForwarder, 9000);
    const auto rows = rows_of_csv(written(kForwarder, 9000, QStringLiteral("csv")));
    QVERIFY(rows.size() > 500);
    size_t compared = 0;
    uint64_t executed = 0;
    for (const CoverageEngine& e : opened.model().run().engines)
      for (uint32_t a = 0; a < e.counts.size(); ++a) {
        const auto row = rows.find({e.engine, a});
        QVERIFY(row != rows.end());
        for (qsizetype c = 0; c < 8; ++c) QCOMPARE(e.counts[a].executed[static_cast<size_t>(c)], row->second[c].toULongLong());
        QCOMPARE(e.counts[a].all_executed(), row->second[8].toULongLong());
        QCOMPARE(!row->second[9].isEmpty(), e.counts[a].branch);
        if (e.counts[a].branch) QCOMPARE(QString::number(e.counts[a].all_taken()) + QLatin1Char(',') + QString::number(e.counts[a].all_not_taken()), QString::fromUtf8(row->second[9] + ',' + row->second[10]));
        executed += e.counts[a].all_executed();
        ++compared;
      }
    QCOMPARE(compared, rows.size());
    QVERIFY(executed > 1000);

    // Files are the same to the byte.
    QTemporaryDir folder;
    for (const char* ending : {"info", "csv", "json"}) {
      const QString path = folder.filePath(QStringLiteral("out.") + QString::fromLatin1(ending));
      QSignalSpy told(&opened.workspace, &Workspace::message);
      opened.view.save(path);
      QTRY_COMPARE(told.size(), 1);
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QCOMPARE(file.readAll(), written(kForwarder, 9000, QString::fromLatin1(ending)));
    }
    const QString picture = folder.filePath(QStringLiteral("out.png"));
    opened.view.save(picture);
    QImage image(picture);
    QCOMPARE(image.size(), opened.view.canvas().size());
    // A folder that is not there is no crash.
    QSignalSpy told(&opened.workspace, &Workspace::message);
    opened.view.save(folder.filePath(QStringLiteral("none/out.info")));
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(told[0][0].toString().contains(QStringLiteral("cannot be written")));
  }

  void several_microengines_of_one_program_add_up() {
    Opened opened;
    opened.run(kForwarder, 6000);
    CoverageModel& model = opened.model();
    const auto group = std::ranges::find_if(model.choices(), [](const CoverageChoice& c) { return c.engines.size() > 1; });
    QVERIFY(group != model.choices().end());
    model.choose(static_cast<int>(group - model.choices().begin()));
    const auto rows = rows_of_csv(written(kForwarder, 6000, QStringLiteral("csv")));
    for (uint32_t a = 0; a < model.series().size(); ++a) {
      uint64_t sum = 0;
      for (const unsigned e : group->engines) sum += rows.at({e, a})[8].toULongLong();
      QCOMPARE(model.series().count(a), sum);
    }
    QVERIFY(model.name(*group).contains(QLatin1Char('+')));
    // Only what is the same program is summed: labels and lines stand at the same addresses.
    for (const CoverageChoice& c : model.choices()) {
      const CoverageSeries all = series_of(model.run(), c);
      for (const unsigned e : c.engines) {
        const CoverageSeries one = series_of(model.run(), {c.chip, {e}});
        QCOMPARE(one.size(), all.size());
        for (uint32_t a = 0; a < all.size(); ++a) QVERIFY(one.program->words[a].label == all.program->words[a].label && one.program->words[a].line == all.program->words[a].line);
      }
    }
    // The choice stays over another build.
    opened.workspace.target()->build();
    QTRY_COMPARE_WITH_TIMEOUT(model.run().cycle, uint64_t{0}, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(model.series().choice.engines.size() > 1, 60'000);
  }

  void search_and_thresholds() {
    CoverageSeries series = made_up(400, 11);
    series.counts[7].branch = series.counts[7].conditional = true;
    series.counts[7].executed = {5, 0, 0, 0, 0, 0, 0, 0};
    series.counts[7].taken = {5, 0, 0, 0, 0, 0, 0, 0};
    const auto found = [&](const CoverageFilter& filter) { return coverage_hits(series, filter, {}, {}); };
    QCOMPARE(found({}).size(), size_t{400});
    QCOMPARE(found({.text = QStringLiteral("0x1f")}), (std::vector<uint32_t>{31}));
    QCOMPARE(found({.text = QStringLiteral("31")}), (std::vector<uint32_t>{31}));
    QCOMPARE(found({.text = QStringLiteral("PART3#")}).size(), size_t{40});
    QCOMPARE(found({.text = QStringLiteral("made.uc:12")}).front(), uint32_t{11});
    QCOMPARE(found({.test = CoverageTest::one_way}), (std::vector<uint32_t>{7}));
    QCOMPARE(found({.test = CoverageTest::never}).size() + found({.test = CoverageTest::executed}).size(), size_t{400});
    QVERIFY(!found({.test = CoverageTest::never}).empty());
    for (const uint32_t a : found({.test = CoverageTest::at_least, .limit = 300'000})) QVERIFY(series.count(a) >= 300'000);
    QCOMPARE(found({.test = CoverageTest::at_least, .limit = 300'000}).size() + found({.test = CoverageTest::at_most, .limit = 299'999}).size(), size_t{400});
    for (const uint32_t a : found({.test = CoverageTest::never, .context = 2})) QCOMPARE(series.counts[a].executed[2], uint64_t{0});
  }

  void two_runs_differ_by_what_ran_between() {
    Opened opened;
    opened.run(kForwarder, 5000);
    CoverageModel& model = opened.model();
    const auto first = rows_of_csv(written(kForwarder, 5000, QStringLiteral("csv")));
    const auto second = rows_of_csv(written(kForwarder, 9000, QStringLiteral("csv")));
    model.keep();
    for (uint32_t a = 0; a < model.series().size(); ++a) QCOMPARE(model.difference(a), std::optional<int64_t>(0));
    opened.go_on(9000);
    const auto single = std::ranges::find_if(model.choices(), [](const CoverageChoice& c) { return c.engines.size() == 1; });
    model.choose(static_cast<int>(single - model.choices().begin()));
    const unsigned engine = single->engines.front();
    uint64_t more = 0;
    const auto check = [&](const char* how) {
      for (uint32_t a = 0; a < model.series().size(); ++a) {
        const int64_t expected = second.at({engine, a})[8].toLongLong() - first.at({engine, a})[8].toLongLong();
        QVERIFY2(model.difference(a) == expected, how);
        more += expected > 0;
      }
    };
    check("kept");
    QVERIFY(more > 20);
    // One context by itself.
    model.set_filter({.context = 2});
    for (uint32_t a = 0; a < model.series().size(); ++a) QCOMPARE(model.difference(a), std::optional<int64_t>(second.at({engine, a})[2].toLongLong() - first.at({engine, a})[2].toLongLong()));
    model.set_filter({.test = CoverageTest::differs});
    QCOMPARE(model.hits().size(), static_cast<size_t>(more));
    model.set_filter({});

    // The same from the command line's JSON, and by lines from its lcov.
    QTemporaryDir folder;
    const auto save = [&](const QString& name, const QByteArray& bytes) {
      QFile file(folder.filePath(name));
      if (file.open(QIODevice::WriteOnly)) file.write(bytes);
      return file.fileName();
    };
    model.load(save(QStringLiteral("first.json"), written(kForwarder, 5000, QStringLiteral("json"))));
    QTRY_COMPARE(QString::fromStdString(model.kept()->title), QStringLiteral("first.json"));
    check("json");
    const QByteArray lcov = written(kForwarder, 5000, QStringLiteral("info"));
    model.load(save(QStringLiteral("first.info"), lcov));
    QTRY_COMPARE(QString::fromStdString(model.kept()->title), QStringLiteral("first.info"));
    QVERIFY(model.kept()->by_line());
    // lcov says of each line what the view says A has; read here by hand.
    std::map<std::pair<QByteArray, int>, uint64_t> lines;
    QByteArray file, test;
    for (const QByteArray& line : lcov.split('\n')) {
      if (line.startsWith("TN:")) test = line.mid(3);
      if (line.startsWith("SF:")) file = line.mid(3);
      if (line.startsWith("DA:") && test == "me" + QByteArray::number(engine)) lines[{file, line.mid(3).split(',')[0].toInt()}] = line.split(',')[1].toULongLong();
    }
    size_t known = 0;
    for (uint32_t a = 0; a < model.series().size(); ++a) {
      const CoverageWord& word = model.series().program->words[a];
      const auto line = lines.find({QByteArray::fromStdString(word.file), static_cast<int>(word.line)});
      QCOMPARE(model.kept_count(a), line == lines.end() ? std::nullopt : std::optional(line->second));
      known += line != lines.end();
    }
    QVERIFY(known > 50);

    // Broken files say what is wrong, and A stays.
    QSignalSpy told(&opened.workspace, &Workspace::message);
    for (const auto& [name, bytes] : std::vector<std::pair<QString, QByteArray>>{{QStringLiteral("a.json"), "{\n \"kind\": ,"}, {QStringLiteral("b.json"), "{\"kind\": \"profile\"}"}, {QStringLiteral("c.json"), "{\"kind\": \"coverage\", \"version\": 1, \"engines\": [{\"engine\": \"x\"}]}"}, {QStringLiteral("d.info"), "TN:me0\nSF:x\nDA:1\n"}, {QStringLiteral("e.info"), "hello"}, {QStringLiteral("f.info"), ""}}) {
      const qsizetype before = told.size();
      model.load(save(name, bytes));
      QTRY_COMPARE(told.size(), before + 1);
      QVERIFY2(told.last()[0].toString().startsWith(name), qPrintable(told.last()[0].toString()));
    }
    QVERIFY(told[0][0].toString().contains(QStringLiteral("a.json:2")));
    QVERIFY(told[3][0].toString().contains(QStringLiteral("d.info:3")));
    QCOMPARE(QString::fromStdString(model.kept()->title), QStringLiteral("first.info"));
    model.forget();
    QVERIFY(model.kept() == nullptr && !model.difference(0));
  }

  void another_program_is_matched_by_labels() {
    CoverageSeries then = made_up(80, 5), now = made_up(81, 6);
    // One word more in front of everything: what stands behind "part0#" moves on, "part1#" keeps its words.
    auto program = std::make_shared<CoverageProgram>(*then.program);
    for (uint32_t a = 0; a < 80; ++a) program->words[a].label = (a < 40 ? "part0#+" : "part1#+") + std::to_string(a % 40);
    then.program = program;
    auto moved = std::make_shared<CoverageProgram>(*now.program);
    for (uint32_t a = 0; a < 81; ++a) moved->words[a].label = a < 41 ? "part0#+" + std::to_string(a) : "part1#+" + std::to_string(a - 41);
    now.program = moved;
    KeptCoverage kept;
    kept.run.engines.push_back({0, 2, 8, then.program, then.counts});
    now.choice = {0, {2}};
    const auto counts = counterparts(now, kept);
    QCOMPARE(counts[5], std::optional(then.count(5)));
    QCOMPARE(counts[40], std::optional<uint64_t>());
    QCOMPARE(counts[41], std::optional(then.count(40)));
    QCOMPARE(counts[80], std::optional(then.count(79)));
  }

  void the_list_is_a_model() {
    Opened opened;
    CoverageTable table(opened.model());
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    opened.run(kForwarder, 4000);
    QTRY_COMPARE(table.rowCount(), static_cast<int>(opened.model().series().size()));
    opened.model().keep();
    opened.model().set_filter({.test = CoverageTest::never});
    QVERIFY(table.rowCount() > 0 && table.rowCount() < static_cast<int>(opened.model().series().size()));
    for (int row = 0; row < table.rowCount(); ++row) QCOMPARE(table.index(row, CoverageTable::kCount).data(CoverageTable::kNumberRole).toLongLong(), 0);
    opened.model().set_filter({.text = QStringLiteral("nothing has this name")});
    QCOMPARE(table.rowCount(), 0);
    opened.model().set_filter({});
    // Each column sorts both ways, what has no value last, and a row that is held stays with its word.
    const QPersistentModelIndex held = table.index(20, 0);
    const uint32_t address = table.address(20);
    for (int column = 0; column < CoverageTable::kColumns; ++column)
      for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        table.sort(column, order);
        QCOMPARE(table.address(held.row()), address);
        QCOMPARE(table.row_of(address), held.row());
        std::set<uint32_t> all;
        for (int row = 0; row < table.rowCount(); ++row) all.insert(table.address(row));
        QCOMPARE(all.size(), static_cast<size_t>(opened.model().series().size()));
        if (column != CoverageTable::kCount && column != CoverageTable::kTaken) continue;
        for (int row = 1; row < table.rowCount(); ++row) {
          const QVariant a = table.index(row - 1, column).data(CoverageTable::kNumberRole), b = table.index(row, column).data(CoverageTable::kNumberRole);
          QVERIFY(a.isValid() || !b.isValid());
          if (b.isValid()) QVERIFY(order == Qt::AscendingOrder ? a.toLongLong() <= b.toLongLong() : a.toLongLong() >= b.toLongLong());
        }
      }
    // While it runs on, hot words move and the held one is still the same.
    table.sort(CoverageTable::kCount, Qt::DescendingOrder);
    opened.go_on(9000);
    QCOMPARE(table.address(held.row()), address);
  }

  void the_view_by_hand() {
    Opened opened;
    CoverageView& view = opened.view;
    QVERIFY(view.state().toObject()[QStringLiteral("empty")].toString().contains(QStringLiteral("Open a project")));
    opened.run(kForwarder, 12'000);
    CoverageModel& model = opened.model();
    CoverageCanvas& canvas = view.canvas();
    QWidget* port = canvas.viewport();
    QSignalSpy places(&opened.workspace, &Workspace::place_asked);
    QVERIFY(canvas.axis().shows_all());

    // The wheel zooms about the mouse, the keys too; F shows all.
    const QPoint at(CoverageCanvas::kCounts + 200, 100);
    const double before = canvas.axis().exact_cycle_at(200);
    for (int notch = 0; notch < 8; ++notch) {
      QWheelEvent wheel(at, port->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(port, &wheel);
    }
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
    QCOMPARE(view.table().currentIndex().siblingAtColumn(CoverageTable::kAddress).data().toString(), QStringLiteral("0x12"));

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
    const auto never = static_cast<size_t>(std::ranges::count_if(model.series().counts, [](const CoverageCounts& c) { return c.all_executed() == 0; }));
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
        QVERIFY2(!w->accessibleName().isEmpty() || qobject_cast<QLineEdit*>(w) != nullptr, w->metaObject()->className());
  }

  void lines_are_those_of_lcov() {
    // What the margin of an editor shows, against the command line's lcov, whose records of microengines add up.
    Opened opened;
    opened.run(kForwarder, 9000);
    std::optional<std::map<std::string, std::map<int, LineCoverage>>> files;
    opened.workspace.target()->ask(this, &coverage_by_line, [&](const auto& answer) { files = answer; });
    QTRY_VERIFY(files.has_value());
    std::map<std::pair<std::string, int>, uint64_t> lines;
    std::map<std::pair<std::string, int>, std::pair<uint64_t, uint64_t>> ways;  // taken, not taken
    std::string file;
    for (const QByteArray& line : written(kForwarder, 9000, QStringLiteral("info")).split('\n')) {
      const QList<QByteArray> fields = line.mid(line.indexOf(':') + 1).split(',');
      if (line.startsWith("SF:")) file = line.mid(3).toStdString();
      if (line.startsWith("DA:")) lines[{file, fields[0].toInt()}] += fields[1].toULongLong();
      if (line.startsWith("BRDA:")) (fields[2] == "0" ? ways[{file, fields[0].toInt()}].first : ways[{file, fields[0].toInt()}].second) += fields[3].toULongLong();
    }
    size_t seen = 0, branches = 0;
    for (const auto& [path, of] : *files)
      for (const auto& [line, counted] : of) {
        QCOMPARE(counted.executed, lines.at({path, line}));
        uint64_t taken = 0, not_taken = 0;
        for (const auto& [word, way] : counted.branches) taken += way.taken, not_taken += way.not_taken;
        const auto known = ways.find({path, line});
        QCOMPARE(!counted.branches.empty(), known != ways.end());
        if (known != ways.end()) QCOMPARE(std::pair(taken, not_taken), known->second);
        branches += known != ways.end();
        ++seen;
      }
    QCOMPARE(seen, lines.size());
    QCOMPARE(branches, ways.size());
    QVERIFY(branches > 10);
  }

  void outcomes_as_text() {
    LineCoverage line;
    QCOMPARE(outcome_mark(line), QString());
    auto& ways = line.branches[{"p", 3}];
    QCOMPARE(outcome_mark(line), QStringLiteral("–"));
    ways.taken = 4;
    QCOMPARE(outcome_mark(line), QStringLiteral("T"));
    ways.not_taken = 1;
    QCOMPARE(outcome_mark(line), QStringLiteral("TN"));
    ways.taken = 0;
    QCOMPARE(outcome_mark(line), QStringLiteral("N"));
    line.branches[{"p", 9}] = {2, 5};
    QCOMPARE(outcome_mark(line), QStringLiteral("3/4"));
    QVERIFY(coverage_tip(line).contains(QStringLiteral("branch at 0x9 of p: taken 2, not taken 5")));
  }

  void the_margin_tells_of_branches() {
    MainWindow window(Theme::light);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(window.open_project(kForwarder));
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().target()->state(), State::stopped, 60'000);
    CodeEditor* editor = window.open_file(kForwarder + QStringLiteral("/forward.uc"));
    QVERIFY(editor != nullptr);
    const int narrow = editor->gutter().width();
    window.workspace().target()->run_until("9000 cycles");
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().target()->view()->cycle, uint64_t{9000}, 60'000);
    std::optional<std::map<std::string, std::map<int, LineCoverage>>> files;
    window.workspace().target()->ask(this, &coverage_by_line, [&](const auto& answer) { files = answer; });
    QTRY_VERIFY(files.has_value());
    QTRY_VERIFY(editor->gutter().width() >= narrow);
    const auto& lines = files->at(editor->path().toStdString());
    const auto branch = std::ranges::find_if(lines, [](const auto& l) { return l.second.executed > 0; });
    QVERIFY(branch != lines.end());
    editor->go_to(branch->first);
    editor->gutter().grab();
    for (const VisibleLine& at : editor->visible_lines(0, editor->gutter().height())) {
      if (at.line != branch->first) continue;
      const QPoint where(editor->gutter().width() - 6, at.top + at.height / 2);
      QHelpEvent help(QEvent::ToolTip, where, editor->gutter().mapToGlobal(where));
      QApplication::sendEvent(&editor->gutter(), &help);
      QVERIFY2(QToolTip::text().contains(coverage_tip(branch->second)), qPrintable(QToolTip::text()));
      return;
    }
    QFAIL("the line is not on the screen");
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
    for (const CoverageLook look : {CoverageLook::sum, CoverageLook::stacked, CoverageLook::rows}) {
      canvas.set_look(look);
      canvas.grab();
      const uint64_t rows = look == CoverageLook::rows ? 8 : 1;
      QVERIFY(canvas.work().bars <= rows * width && canvas.work().bars >= rows * (width - 1));
      QVERIFY(canvas.work().parts <= 8 * width);
      qInfo("8,192 words of 8 contexts, look %d: %.2f ms, %llu bars, %llu parts", static_cast<int>(look), canvas.work().milliseconds, static_cast<unsigned long long>(canvas.work().bars), static_cast<unsigned long long>(canvas.work().parts));
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

QTEST_MAIN(CoverageViewTest)
#include "coverage_test.moc"
