// Coverage of an example as the command line writes it and as the view has it, and programs that are made up.
#pragma once

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

#include "support.h"
#include "view_fixture.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"
#include "widgets/code_editor.h"
#include "widgets/coverage_view.h"
#include "widgets/main_window.h"

namespace weft::ide::test {

using State = Target::State;

inline const QString kForwarder = QStringLiteral(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");

/// What `weft run --coverage FILE` writes after so many cycles, by a session of its own.
inline QByteArray written(const QString& project, int cycles, const QString& ending) {
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

/// Rows of the command line's CSV: engine, address, eight contexts, all, taken, not taken. The first 13 fields have no
/// quotes.
inline std::map<std::pair<unsigned, uint32_t>, QList<QByteArray>> rows_of_csv(const QByteArray& csv) {
  std::map<std::pair<unsigned, uint32_t>, QList<QByteArray>> out;
  for (const QByteArray& line : csv.split('\n').mid(1)) {
    const QList<QByteArray> fields = line.split(',');
    if (fields.size() > 12) out[{fields[0].toUInt(), fields[1].toUInt()}] = fields.mid(2, 11);
  }
  return out;
}

struct Opened : ViewFixture<CoverageView> {
  void run(const QString& project, int cycles) {
    view.resize(1100, 420);
    open(project);
    go_on(cycles);
  }
  void go_on(int cycles) {
    workspace.target()->run_until(std::to_string(cycles) + " cycles");
    QTRY_VERIFY_WITH_TIMEOUT(view.model().run().cycle == static_cast<uint64_t>(cycles), 60'000);
  }
  CoverageModel& model() { return view.model(); }
};

inline CoverageSeries made_up(uint32_t words, uint32_t seed) {
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

}  // namespace weft::ide::test
