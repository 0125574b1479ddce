#include "timeline_search.h"

#include <algorithm>

namespace weft::ide {

using workbench::HistoryHit;
using workbench::HistoryHits;
using workbench::HistorySearch;

TimelineSearch::TimelineSearch(Workspace& workspace, QObject* parent)
    : QObject(parent), workspace_(workspace), hits_(std::make_shared<const HistoryHits>()) {
  connect(&workspace, &Workspace::project_changed, this, &TimelineSearch::attach);
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, &TimelineSearch::ask);
  attach();
}

void TimelineSearch::attach() {
  begin();
  Target* target = workspace_.target();
  if (target == nullptr) return;
  target->follow(
      this, [this] { begin(); },
      [this, target] {
        stale_ = true;
        if (target->state() != Target::State::running)
          ask();
        else if (!later_.isActive())
          later_.start(kPause);
      });
}

void TimelineSearch::set_query(const QString& text) {
  if (text.trimmed() == text_) return;
  text_ = text.trimmed();
  problem_.clear();
  wanted_.reset();
  if (!text_.isEmpty()) {
    auto query = workbench::parse_history_query(text_.toStdString());
    if (query)
      wanted_ = std::move(*query);
    else
      problem_ = QString::fromStdString(query.error());
  }
  begin();
}

void TimelineSearch::begin() {
  ++number_;
  search_ = wanted_ ? std::make_shared<HistorySearch>(*wanted_) : nullptr;
  hits_ = std::make_shared<const HistoryHits>();
  contexts_.clear();
  longest_ = 0;
  chosen_.reset();
  share_ = 0;
  asking_ = done_ = false;
  stale_ = true;
  Q_EMIT changed();
  ask();
}

void TimelineSearch::ask() {
  Target* target = workspace_.target();
  if (!search_ || asking_ || !stale_ || target == nullptr || !target->view()) return;
  asking_ = true;
  stale_ = false;
  struct Answer {
    bool done = false;
    double share = 0;
    std::shared_ptr<const HistoryHits> hits;
  };
  target->ask(
      this,
      [search = search_](const Inspector& machine) {
        Answer out;
        out.done = search->look(machine, kSlice);
        out.share = search->share();
        if (out.done) out.hits = std::make_shared<const HistoryHits>(search->hits(machine));
        return out;
      },
      [this, number = number_](const Answer& answer) {
        if (number != number_) return;
        asking_ = false;
        share_ = answer.share;
        if (answer.done) {
          done_ = true;
          hits_ = answer.hits;
          contexts_.clear();
          longest_ = 0;
          for (const HistoryHit& hit : hits_->hits) {
            contexts_.insert(hit.id());
            longest_ = std::max<uint64_t>(longest_, hit.length);
          }
        } else {
          stale_ = true;
        }
        Q_EMIT changed();
        if (!answer.done) ask();
      });
}

QString TimelineSearch::problem() const {
  return problem_.isEmpty() ? QString::fromStdString(hits_->problem) : problem_;
}

QString TimelineSearch::summary() const {
  if (!problem().isEmpty()) return problem();
  if (!active()) return {};
  if (!done_) return tr("searched %1 %").arg(static_cast<int>(share_ * 100));
  if (hits_->count == 1) return tr("1 hit");
  QString out = tr("%L1 hits").arg(hits_->count);
  if (chosen_) {
    const auto at = std::ranges::find(hits_->hits, *chosen_);
    if (at != hits_->hits.end()) out = tr("%L1 of %L2").arg(at - hits_->hits.begin() + 1).arg(hits_->count);
  }
  if (hits_->count > hits_->hits.size()) out += tr(", the first %L1 to go to").arg(hits_->hits.size());
  return out;
}

void TimelineSearch::go(bool forward) {
  const auto& hits = hits_->hits;
  if (hits.empty()) {
    Q_EMIT missing(!problem().isEmpty() ? problem()
                   : !active()          ? tr("Write what is to be found: stall > 20")
                   : done_              ? tr("Nothing of that is in the history")
                                        : summary());
    return;
  }
  // Several may begin in one cycle: from the one where the cursor was put on.
  Cursor& cursor = workspace_.cursor();
  const auto by_place = [](const HistoryHit& h) { return std::pair(h.begin, h.id()); };
  const bool here = chosen_ && cursor.cycle() == chosen_->begin && cursor.context() == chosen_->id();
  auto at = forward
                ? std::ranges::upper_bound(
                      hits, here ? by_place(*chosen_) : std::pair(cursor.cycle(), ContextId{~0u, 0, 0}), {}, by_place)
                : std::ranges::lower_bound(hits, here ? by_place(*chosen_) : std::pair(cursor.cycle(), ContextId{}), {},
                                           by_place);
  if (forward && at == hits.end()) at = hits.begin();
  if (!forward) at = at == hits.begin() ? std::prev(hits.end()) : std::prev(at);
  chosen_ = *at;
  cursor.set_context(at->id());
  cursor.set_cycle(at->begin);
  cursor.look();
  Q_EMIT changed();
}

}  // namespace weft::ide
