// What is searched in the execution history ("stall > 20"), without the window: the query, what was found so far, and
// the way from one to the next. The search itself lives where the machine lives and looks a part at a time.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <set>

#include "weft/workbench/history_search.h"
#include "workspace.h"

namespace weft::ide {

class TimelineSearch final : public QObject {
  Q_OBJECT

 public:
  explicit TimelineSearch(Workspace& workspace, QObject* parent = nullptr);

  /// Empty: nothing is searched. What is wrong with it stands in problem().
  void set_query(const QString& text);
  const QString& query() const { return text_; }
  bool active() const { return search_ != nullptr; }
  bool searching() const { return active() && !done_; }
  QString problem() const;
  /// "1,234 hits", "searched 40 %", what is wrong; empty without a query.
  QString summary() const;
  const workbench::HistoryHits& hits() const { return *hits_; }
  /// The longest of them: whoever looks for those of a stretch begins so much before it.
  uint64_t longest() const { return longest_; }
  const std::set<ContextId>& contexts() const { return contexts_; }  ///< that have hits
  /// The hit that the cursor was moved to last.
  std::optional<workbench::HistoryHit> chosen() const { return chosen_; }
  /// To the next one after (before) the cursor, of any context; round the end when there is none.
  void go(bool forward);

 Q_SIGNALS:
  void changed();
  void missing(const QString& text);

 private:
  void attach();
  void begin();
  void ask();

  static constexpr uint64_t kSlice = 1'000'000;  ///< words in one question: some milliseconds
  static constexpr int kPause = 500;             ///< ms between two looks at a run that goes on
  Workspace& workspace_;
  QString text_, problem_;
  std::optional<workbench::HistoryQuery> wanted_;
  std::shared_ptr<workbench::HistorySearch> search_;  ///< only in questions
  std::shared_ptr<const workbench::HistoryHits> hits_;
  std::set<ContextId> contexts_;
  uint64_t longest_ = 0;
  std::optional<workbench::HistoryHit> chosen_;
  double share_ = 0;
  bool asking_ = false, stale_ = false, done_ = false;
  unsigned number_ = 0;  ///< answers of an older search are thrown away
  QTimer later_;
};

}  // namespace weft::ide
