// Executions and branches in the margin of a text, against lcov of the command line.
#include "coverage_fixture.h"
#include "windows.h"

using namespace weft::ide;
using namespace weft::ide::test;

class MarginTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lines_are_those_of_lcov() {
    // What the margin of an editor shows, against the command line's lcov, whose records of microengines add up.
    Opened opened;
    opened.run(kForwarder, 9000);
    std::optional<std::map<std::string, std::map<int, LineCoverage>>> files;
    opened.workspace.target()->ask(
        this, [](const Inspector& m) { return coverage_by_line(m); }, [&](const auto& answer) { files = answer; });
    QTRY_VERIFY(files.has_value());
    std::map<std::pair<std::string, int>, uint64_t> lines;
    std::map<std::pair<std::string, int>, std::pair<uint64_t, uint64_t>> ways;  // taken, not taken
    std::string file;
    for (const QByteArray& line : written(kForwarder, 9000, QStringLiteral("info")).split('\n')) {
      const QList<QByteArray> fields = line.mid(line.indexOf(':') + 1).split(',');
      if (line.startsWith("SF:")) file = line.mid(3).toStdString();
      if (line.startsWith("DA:")) lines[{file, fields[0].toInt()}] += fields[1].toULongLong();
      if (line.startsWith("BRDA:"))
        (fields[2] == "0" ? ways[{file, fields[0].toInt()}].first : ways[{file, fields[0].toInt()}].second) +=
            fields[3].toULongLong();
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
    show_project(window, kForwarder);
    CodeEditor* editor = window.open_file(kForwarder + QStringLiteral("/forward.uc"));
    QVERIFY(editor != nullptr);
    const int narrow = editor->gutter().width();
    window.workspace().target()->run_until("9000 cycles");
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().target()->view()->cycle, uint64_t{9000}, 60'000);
    std::optional<std::map<std::string, std::map<int, LineCoverage>>> files;
    window.workspace().target()->ask(
        this, [](const Inspector& m) { return coverage_by_line(m); }, [&](const auto& answer) { files = answer; });
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
};

WEFT_IDE_TEST_MAIN(MarginTest)
#include "margin_test.moc"
