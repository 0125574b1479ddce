// How often lines were executed in the chosen range of cycles: counted from the history a part at a time, where the
// machine is, and again when the range or the program is another, or when the run has gone on within the range.
#pragma once

#include <memory>

#include "line_coverage.h"
#include "workspace.h"

namespace weft::ide {

class RangeCounts final : public QObject {
  Q_OBJECT

 public:
  explicit RangeCounts(Workspace& workspace, QObject* parent = nullptr);

  /// None: no range is chosen, no history is kept, or it is not counted yet.
  const std::optional<CoverageLines>& lines() const { return lines_; }
  /// That they are of.
  std::optional<workbench::CycleRange> range() const { return shown_; }
  /// A range is chosen and will have counts: those of the run are not wanted.
  bool wanted() const;

 Q_SIGNALS:
  void changed();

 private:
  struct Answer {
    bool recorded = false, done = false;
    workbench::CycleRange known{};
    CoverageLines lines;
  };
  void attach();
  void begin();
  void moved();
  void ask(unsigned number, const std::shared_ptr<workbench::RangeProfile>& profile);

  static constexpr uint64_t kSlice = 500'000;  ///< words of the history in one question: some milliseconds
  Workspace& workspace_;
  std::optional<CoverageLines> lines_;
  std::optional<workbench::CycleRange> shown_;
  uint64_t known_to_ = 0;  ///< the range was counted up to here
  unsigned number_ = 0;    ///< answers of an older count are thrown away
  bool counting_ = false, recorded_ = true;
};

}  // namespace weft::ide
