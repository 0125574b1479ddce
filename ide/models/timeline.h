// What the execution history view shows, without the window: rows, the stretch that is asked for and the last answer,
// marks, and the range with its statistics. One question is under way at a time; what changes meanwhile is asked when
// its answer is there.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <set>

#include "sleep_causes.h"
#include "timeline_index.h"
#include "timeline_search.h"
#include "workspace.h"

namespace weft::ide {

struct TimelineMark {
  uint64_t cycle = 0;
  QString name;
  bool operator==(const TimelineMark&) const = default;
};

class Timeline final : public QObject {
  Q_OBJECT

 public:
  explicit Timeline(Workspace& workspace, QObject* parent = nullptr);

  /// Chips only when there are several, then engines, then contexts of those that are open; packets above them, queues
  /// below.
  const std::vector<TimelineRow>& rows() const { return rows_; }
  QString name(const TimelineRow& row) const;
  /// The scratch ring that a row stands for; -1: none.
  int scratch_ring(const TimelineRow& row) const;
  bool is_open(const TimelineRow& row) const;
  void set_open(const TimelineRow& row, bool open);
  void set_all_open(bool open);
  void fold_lanes();  ///< packets and queues are closed, microengines stay as they are
  /// Only microengines and contexts in which the search has found something.
  void set_only_hits(bool on);
  bool only_hits() const { return only_hits_; }
  void open_packets();             ///< packets and queues are open, microengines are not
  int row_of(ContextId id) const;  ///< -1: not shown

  /// What is to be seen; cells: pixels of the stretch.
  void look_at(TimelineQuestion question);
  /// The last one that came; null: none yet.
  const TimelineAnswer* answer() const { return answer_.get(); }
  /// The whole run, all engines of all chips in one row of `cells`.
  const TimelineAnswer* overview() const { return overview_.get(); }
  bool asking() const { return asking_; }

  /// Statistics of the cursor's range, all rows; null: no range.
  const TimelineAnswer* statistics() const { return statistics_.get(); }
  std::vector<TimelineRow> all_rows() const;

  void ask_moment(ContextId id, uint64_t cycle, std::optional<uint32_t> pc,
                  const std::function<void(const TimelineMoment&, const std::string& place)>& then);
  /// The word that a context executes in a cycle, or has executed last before it.
  void ask_place(ContextId id, uint64_t cycle, const std::function<void(const TimelineMoment&)>& then);
  /// Moves the cursor there; `missing` gets a text when there is none.
  void go_to_event(TimelineEvent event, bool forward);

  const std::vector<TimelineMark>& marks() const { return marks_; }
  /// Where a value comes from and goes to, as somebody has asked last (Workspace::trail_changed).
  const std::vector<TimelineMark>& trail() const { return trail_; }
  void add_mark(uint64_t cycle, const QString& name = {});
  void rename_mark(uint64_t cycle, const QString& name);
  void remove_mark(uint64_t cycle);
  /// The next one after (before) the cursor, if there is one.
  void go_to_mark(bool forward);

  /// "12.34 µs" of a number of cycles.
  QString time_text(double cycles) const;
  /// The shown cells as CSV: a line for each row and cell.
  QString csv() const;

  Workspace& workspace() { return workspace_; }
  TimelineSearch& search() { return search_; }
  const TimelineSearch& search() const { return search_; }
  SleepCauses& causes() { return causes_; }
  const SleepCauses& causes() const { return causes_; }

 Q_SIGNALS:
  void rows_changed();
  void answered();
  void overview_changed();
  void statistics_changed();
  void marks_changed();
  void missing(const QString& text);

 private:
  void attach();
  void renew();  ///< another run: nothing is known of it
  void fill_rows();
  void ask();
  void refresh();
  void ask_statistics();
  bool hides(const TimelineRow& row) const;

  static constexpr int kPause = 200;  ///< ms between two questions while the run grows
  static constexpr unsigned kOverviewCells = 600;
  static constexpr int kMaxPortRows = 10;  ///< with more the rows of packets are closed at first
  Workspace& workspace_;
  TimelineSearch search_;
  SleepCauses causes_;
  bool only_hits_ = false;
  std::shared_ptr<TimelineIndex> index_;  ///< only in questions: it lives where the machine lives
  std::vector<TimelineRow> rows_;
  std::set<std::pair<unsigned, unsigned>> closed_;
  std::set<TimelineRow::Kind> closed_groups_;
  std::vector<TimelineLane> lanes_;  ///< packets and queues that there are
  TimelineQuestion wanted_, asked_;
  bool stale_ = false, asking_ = false;
  unsigned run_ = 0;
  QElapsedTimer since_;  ///< the last question
  QTimer later_;
  std::unique_ptr<TimelineAnswer> answer_, overview_, statistics_;
  std::vector<TimelineMark> marks_, trail_;
  std::shared_ptr<const MachineView> view_;
};

QString activity_text(emulator::Activity activity);

}  // namespace weft::ide
