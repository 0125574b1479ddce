// The flame graph of the run or of the chosen range, without the window: a tree of cycles, counted a part at a time
// where the machine is.
#pragma once

#include <memory>

#include "watched_figures.h"
#include "weft/workbench/flame.h"
#include "weft/workbench/range_figures.h"

namespace weft::ide {

class FlameModel final : public WatchedFigures {
  Q_OBJECT

 public:
  explicit FlameModel(Workspace& workspace, QObject* parent = nullptr);

  /// Null: not known yet, or nothing was recorded.
  std::shared_ptr<const workbench::FlameNode> root() const { return root_; }
  bool recorded() const { return recorded_; }
  /// Cycles that it is of.
  workbench::CycleRange range() const { return shown_; }
  bool of_chosen_range() const { return shows_range_; }
  bool counting() const { return counting_; }
  double share() const { return share_; }

  const workbench::FlameOptions& options() const { return options_; }
  void set_options(const workbench::FlameOptions& options);
  void set_of_range(bool on);
  bool of_range() const { return of_range_; }
  /// Folded stacks, the input of other flame-graph programs: "me0;PROGRAM;BLOCK;MACRO CYCLES".
  QString folded() const;

 private:
  struct Answer {
    bool recorded = false, done = false;
    double share = 0;
    workbench::CycleRange range{};
    std::shared_ptr<const workbench::FlameNode> root;
  };
  void renewed() override;
  void send(Target& target) override;

  static constexpr uint64_t kSlice = 2'000'000;  ///< words of the history in one question
  std::shared_ptr<const workbench::FlameNode> root_;
  std::shared_ptr<workbench::RangeProfile> profile_;  ///< only in questions
  workbench::CycleRange asked_{}, shown_{};
  bool recorded_ = false, of_range_ = true, shows_range_ = false, counting_ = false;
  double share_ = 0;
  workbench::FlameOptions options_;
};

}  // namespace weft::ide
