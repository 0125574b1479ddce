#include "line_coverage.h"

#include <algorithm>

#include "weft/isa/flow.h"

namespace weft::ide {

namespace {

/// What is counted of a word.
struct Counted {
  uint64_t executed = 0, taken = 0;
  bool two_ways = false;
};

void add_engine(CoverageLines& files, const image::Image& image, const std::vector<Counted>& words) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> max;  // by file and line, of this microengine
  const auto count = [&](const image::Line& at, uint64_t executed) {
    if (at.line == 0 || at.file >= image.files.size()) return;
    uint64_t& line = max[{at.file, at.line}];
    line = std::max(line, executed);
  };
  for (uint32_t pc = 0; pc < words.size() && pc < image.lines.size(); ++pc) {
    const Counted& word = words[pc];
    const image::LineRow& row = image.lines[pc];
    for (const auto& macro : row.macros) count(macro.second, word.executed);
    count(row.place, word.executed);
    if (!word.two_ways || row.place.line == 0 || row.place.file >= image.files.size()) continue;
    LineCoverage::Ways& ways =
        files[image.files[row.place.file]][static_cast<int>(row.place.line)].branches[{image.name, pc}];
    ways.taken += word.taken;
    ways.not_taken += word.executed - std::min(word.taken, word.executed);
  }
  for (const auto& [place, executed] : max)
    files[image.files[place.first]][static_cast<int>(place.second)].executed += executed;
}

}  // namespace

unsigned LineCoverage::ways_seen() const {
  unsigned seen = 0;
  for (const auto& [word, ways] : branches) seen += (ways.taken > 0) + (ways.not_taken > 0);
  return seen;
}

CoverageLines coverage_by_line(const workbench::Inspector& machine) {
  CoverageLines files;
  for (const workbench::EngineView& e : machine.machine().engines) {
    const image::Image* image = machine.program(e.chip, e.engine);
    const emulator::Coverage* coverage = machine.coverage(e.chip);
    if (image == nullptr || coverage == nullptr || e.engine >= coverage->engines()) continue;
    std::vector<Counted> words;
    for (const emulator::Coverage::Word& word : coverage->words(e.engine))
      words.push_back({word.all_executed(), word.all_taken(), word.branch && word.conditional});
    add_engine(files, *image, words);
  }
  return files;
}

CoverageLines coverage_by_line(const workbench::Inspector& machine, const workbench::RangeProfile& range) {
  CoverageLines files;
  const auto chips = range.figures();
  for (const workbench::EngineView& e : machine.machine().engines) {
    const image::Image* image = machine.program(e.chip, e.engine);
    if (image == nullptr || e.chip >= chips.size() || e.engine >= chips[e.chip].figures.engines.size()) continue;
    const auto& executed = chips[e.chip].figures.engines[e.engine].words;
    const auto& taken = chips[e.chip].taken[e.engine];
    std::vector<Counted> words;
    for (const uint64_t word : machine.words(e.chip, e.engine)) {
      const size_t pc = words.size();
      const auto insn = isa::decode(machine.timing(e.chip).profile, word);
      words.push_back({pc < executed.size() ? executed[pc].executing : 0, pc < taken.size() ? taken[pc] : 0,
                       insn && isa::is_branch(*insn) && isa::transfer_of(*insn).falls_through});
    }
    add_engine(files, *image, words);
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

QString coverage_tip(const LineCoverage& line, const std::optional<workbench::CycleRange>& range) {
  QString out =
      line.executed == 0 ? QObject::tr("never executed") : QObject::tr("executed %L1 times").arg(line.executed);
  if (range)
    out += QObject::tr(" in cycles %L1 to %L2").arg(range->first).arg(std::max(range->second, range->first + 1) - 1);
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
