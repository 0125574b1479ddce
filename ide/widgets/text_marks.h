// What the margins of all open texts show of the machine: breakpoints, where contexts stand, how often lines were
// executed: in the run, in the range that is chosen, or in tests.
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <string>

#include "models/line_coverage.h"
#include "models/range_counts.h"
#include "models/workspace.h"

namespace weft::ide {

class CodeEditor;
class Texts;

class TextMarks final : public QObject {
  Q_OBJECT

 public:
  TextMarks(Workspace& workspace, Texts& texts, QObject* parent = nullptr);

  /// Breakpoints of this text go with its lines from now on.
  void follow(CodeEditor* editor);
  void breakpoints();
  void contexts();
  void counts();
  /// In place of the run's counts those of tests; null: the run's again.
  void show_tests(const CoverageLines* lines);
  void all() {
    breakpoints();
    contexts();
    counts();
  }

 private:
  int built_line(const workbench::Breakpoint& b) const;
  void show_counts(const CoverageLines& files, const std::optional<workbench::CycleRange>& range = std::nullopt);
  Workspace& workspace_;
  Texts& texts_;
  RangeCounts range_;
  std::optional<CoverageLines> tests_;
};

}  // namespace weft::ide
