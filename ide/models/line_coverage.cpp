#include "line_coverage.h"

#include <algorithm>

namespace weft::ide {

namespace {

using Files = std::map<std::string, std::map<int, LineCoverage>>;

void add_engine(Files& files, const image::Image& image, const std::vector<emulator::Coverage::Word>& words) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> most;  // by file and line, of this microengine
  const auto count = [&](const image::Line& at, uint64_t executed) {
    if (at.line == 0 || at.file >= image.files.size()) return;
    uint64_t& line = most[{at.file, at.line}];
    line = std::max(line, executed);
  };
  for (uint32_t pc = 0; pc < words.size() && pc < image.lines.size(); ++pc) {
    const emulator::Coverage::Word& word = words[pc];
    const image::LineRow& row = image.lines[pc];
    for (const auto& macro : row.macros) count(macro.second, word.all_executed());
    count(row.place, word.all_executed());
    if (!word.branch || !word.conditional || row.place.line == 0 || row.place.file >= image.files.size()) continue;
    LineCoverage::Ways& ways =
        files[image.files[row.place.file]][static_cast<int>(row.place.line)].branches[{image.name, pc}];
    ways.taken += word.all_taken();
    ways.not_taken += word.all_not_taken();
  }
  for (const auto& [place, executed] : most)
    files[image.files[place.first]][static_cast<int>(place.second)].executed += executed;
}

}  // namespace

unsigned LineCoverage::ways_seen() const {
  unsigned seen = 0;
  for (const auto& [word, ways] : branches) seen += (ways.taken > 0) + (ways.not_taken > 0);
  return seen;
}

Files coverage_by_line(const workbench::Inspector& machine) {
  Files files;
  for (const workbench::EngineView& e : machine.machine().engines) {
    const image::Image* image = machine.program(e.chip, e.engine);
    const emulator::Coverage* coverage = machine.coverage(e.chip);
    if (image != nullptr && coverage != nullptr && e.engine < coverage->engines())
      add_engine(files, *image, coverage->words(e.engine));
  }
  return files;
}

QString outcome_mark(const LineCoverage& line) {
  if (line.branches.empty()) return {};
  if (line.branches.size() > 1) return QStringLiteral("%1/%2").arg(line.ways_seen()).arg(line.ways());
  const LineCoverage::Ways& ways = line.branches.begin()->second;
  if (ways.taken > 0 && ways.not_taken > 0) return QStringLiteral("TN");
  return ways.taken > 0 ? QStringLiteral("T") : ways.not_taken > 0 ? QStringLiteral("N") : QStringLiteral("–");
}

QString coverage_tip(const LineCoverage& line) {
  QString out =
      line.executed == 0 ? QObject::tr("never executed") : QObject::tr("executed %L1 times").arg(line.executed);
  size_t shown = 0;
  for (const auto& [word, ways] : line.branches) {
    if (shown++ == 12) return out + QStringLiteral("\n...");
    out += QLatin1Char('\n') + QObject::tr("branch at 0x%1 of %2: taken %L3, not taken %L4")
                                   .arg(word.second, 0, 16)
                                   .arg(QString::fromStdString(word.first))
                                   .arg(ways.taken)
                                   .arg(ways.not_taken);
  }
  return out;
}

}  // namespace weft::ide
