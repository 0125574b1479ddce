// Coverage: its figures against the files that the command line writes of the same run, search, and the comparison of
// two runs.
#include "coverage_fixture.h"

using namespace weft::ide;
using namespace weft::ide::test;

class CoverageFiguresTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
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
        for (qsizetype c = 0; c < 8; ++c)
          QCOMPARE(e.counts[a].executed[static_cast<size_t>(c)], row->second[c].toULongLong());
        QCOMPARE(e.counts[a].all_executed(), row->second[8].toULongLong());
        QCOMPARE(!row->second[9].isEmpty(), e.counts[a].branch);
        if (e.counts[a].branch)
          QCOMPARE(QString::number(e.counts[a].all_taken()) + QLatin1Char(',') +
                       QString::number(e.counts[a].all_not_taken()),
                   QString::fromUtf8(row->second[9] + ',' + row->second[10]));
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
    const auto group =
        std::ranges::find_if(model.choices(), [](const CoverageChoice& c) { return c.engines.size() > 1; });
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
        for (uint32_t a = 0; a < all.size(); ++a)
          QVERIFY(one.program->words[a].label == all.program->words[a].label &&
                  one.program->words[a].line == all.program->words[a].line);
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
    for (const uint32_t a : found({.test = CoverageTest::at_least, .limit = 300'000}))
      QVERIFY(series.count(a) >= 300'000);
    QCOMPARE(found({.test = CoverageTest::at_least, .limit = 300'000}).size() +
                 found({.test = CoverageTest::at_most, .limit = 299'999}).size(),
             size_t{400});
    for (const uint32_t a : found({.test = CoverageTest::never, .context = 2}))
      QCOMPARE(series.counts[a].executed[2], uint64_t{0});
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
    const auto single =
        std::ranges::find_if(model.choices(), [](const CoverageChoice& c) { return c.engines.size() == 1; });
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
    for (uint32_t a = 0; a < model.series().size(); ++a)
      QCOMPARE(model.difference(a),
               std::optional<int64_t>(second.at({engine, a})[2].toLongLong() - first.at({engine, a})[2].toLongLong()));
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
      if (line.startsWith("DA:") && test == "me" + QByteArray::number(engine))
        lines[{file, line.mid(3).split(',')[0].toInt()}] = line.split(',')[1].toULongLong();
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
    for (const auto& [name, bytes] : std::vector<std::pair<QString, QByteArray>>{
             {QStringLiteral("a.json"), "{\n \"kind\": ,"},
             {QStringLiteral("b.json"), "{\"kind\": \"profile\"}"},
             {QStringLiteral("c.json"), "{\"kind\": \"coverage\", \"version\": 1, \"engines\": [{\"engine\": \"x\"}]}"},
             {QStringLiteral("d.info"), "TN:me0\nSF:x\nDA:1\n"},
             {QStringLiteral("e.info"), "hello"},
             {QStringLiteral("f.info"), ""}}) {
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
    // One word more before everything: what stands after "part0#" moves on, "part1#" keeps its words.
    auto program = std::make_shared<CoverageProgram>(*then.program);
    for (uint32_t a = 0; a < 80; ++a)
      program->words[a].label = (a < 40 ? "part0#+" : "part1#+") + std::to_string(a % 40);
    then.program = program;
    auto moved = std::make_shared<CoverageProgram>(*now.program);
    for (uint32_t a = 0; a < 81; ++a)
      moved->words[a].label = a < 41 ? "part0#+" + std::to_string(a) : "part1#+" + std::to_string(a - 41);
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
    for (int row = 0; row < table.rowCount(); ++row)
      QCOMPARE(table.index(row, CoverageTable::kCount).data(CoverageTable::kNumberRole).toLongLong(), 0);
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
          const QVariant a = table.index(row - 1, column).data(CoverageTable::kNumberRole),
                         b = table.index(row, column).data(CoverageTable::kNumberRole);
          QVERIFY(a.isValid() || !b.isValid());
          if (b.isValid())
            QVERIFY(order == Qt::AscendingOrder ? a.toLongLong() <= b.toLongLong() : a.toLongLong() >= b.toLongLong());
        }
      }
    // While it runs on, hot words move and the held one is still the same.
    table.sort(CoverageTable::kCount, Qt::DescendingOrder);
    opened.go_on(9000);
    QCOMPARE(table.address(held.row()), address);
  }
};

WEFT_IDE_TEST_MAIN(CoverageFiguresTest)
#include "coverage_test.moc"
