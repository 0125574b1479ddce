#include "timeline.h"

#include <algorithm>

#include "contexts_model.h"

namespace weft::ide {

QString activity_text(emulator::Activity activity) {
  using emulator::Activity;
  switch (activity) {
    case Activity::inactive: return QObject::tr("inactive");
    case Activity::sleep: return QObject::tr("asleep");
    case Activity::ready: return QObject::tr("ready");
    case Activity::executing: return QObject::tr("executing");
    case Activity::aborted: return QObject::tr("aborted");
    case Activity::stalled: return QObject::tr("stalled");
  }
  return {};
}

Timeline::Timeline(Workspace& workspace, QObject* parent)
    : QObject(parent), workspace_(workspace), search_(workspace), causes_(workspace) {
  connect(&search_, &TimelineSearch::changed, this, [this] {
    if (only_hits_) fill_rows();
  });
  connect(&search_, &TimelineSearch::missing, this, &Timeline::missing);
  connect(&workspace, &Workspace::project_changed, this, &Timeline::attach);
  connect(&workspace.cursor(), &Cursor::range_changed, this, &Timeline::ask_statistics);
  connect(&workspace, &Workspace::trail_changed, this, [this](const QList<std::pair<quint64, QString>>& places) {
    trail_.clear();
    for (const auto& [cycle, name] : places) trail_.push_back({cycle, name});
    Q_EMIT marks_changed();
  });
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, &Timeline::ask);
  renew();
}

void Timeline::attach() {
  closed_.clear();
  marks_.clear();
  trail_.clear();
  renew();
  Target* target = workspace_.target();
  if (target == nullptr) return;
  target->follow(
      this, [this] { renew(); }, [this] { refresh(); });
  Q_EMIT marks_changed();
}

// An answer about the run before is not taken any more.
void Timeline::renew() {
  ++run_;
  index_ = std::make_shared<TimelineIndex>();
  for (auto* gone : {&answer_, &overview_, &statistics_}) gone->reset();
  asking_ = false;
  view_ = nullptr;
  lanes_.clear();
  rows_.clear();
  Q_EMIT rows_changed();
  Q_EMIT answered();
  Q_EMIT overview_changed();
}

void Timeline::refresh() {
  Target* target = workspace_.target();
  const auto view = target ? target->view() : nullptr;
  if (!view) return;
  const bool same = view_ && std::ranges::equal(view_->contexts, view->contexts, {}, &workbench::ContextView::id,
                                                &workbench::ContextView::id);
  view_ = view;
  if (!same) fill_rows();
  stale_ = true;
  ask();
}

std::vector<TimelineRow> Timeline::all_rows() const {
  using Kind = TimelineRow::Kind;
  std::vector<TimelineRow> out;
  if (!view_) return out;
  for (unsigned chip = 0; chip < view_->chips.size(); ++chip) {
    out.push_back({Kind::chip, {chip, 0, 0}});
    for (const workbench::EngineView& e : view_->engines) {
      if (e.chip != chip) continue;
      out.push_back({Kind::engine, {chip, e.engine, 0}});
      for (const workbench::ContextView& c : view_->contexts)
        if (c.id.chip == chip && c.id.engine == e.engine) out.push_back({Kind::context, c.id});
    }
  }
  return out;
}

// Packets stand above the contexts that work on them, queues below.
void Timeline::fill_rows() {
  using Kind = TimelineRow::Kind;
  rows_.clear();
  const auto add_group = [this](Kind group) {
    const auto in_group = [group](const TimelineLane& lane) {
      return (lane.row.kind == Kind::port_in || lane.row.kind == Kind::port_out) == (group == Kind::packets);
    };
    if (std::ranges::none_of(lanes_, in_group)) return;
    rows_.push_back({group, {}});
    if (closed_groups_.contains(group)) return;
    for (const TimelineLane& lane : lanes_)
      if (in_group(lane)) rows_.push_back(lane.row);
  };
  add_group(Kind::packets);
  for (const TimelineRow& row : all_rows()) {
    if (row.kind == Kind::chip && view_->chips.size() < 2) continue;
    if (hides(row)) continue;
    if (row.kind == Kind::context && closed_.contains({row.id.chip, row.id.engine})) continue;
    rows_.push_back(row);
  }
  add_group(Kind::queues);
  Q_EMIT rows_changed();
}

bool Timeline::hides(const TimelineRow& row) const {
  if (!only_hits_ || !search_.active() || search_.searching()) return false;
  const std::set<ContextId>& with = search_.contexts();
  if (row.kind == TimelineRow::Kind::context) return !with.contains(row.id);
  if (row.kind != TimelineRow::Kind::engine) return false;
  const auto first = with.lower_bound({row.id.chip, row.id.engine, 0});
  return first == with.end() || first->chip != row.id.chip || first->engine != row.id.engine;
}
void Timeline::set_only_hits(bool on) {
  if (std::exchange(only_hits_, on) != on) fill_rows();
}

int Timeline::scratch_ring(const TimelineRow& row) const {
  const auto lane = std::ranges::find(lanes_, row, &TimelineLane::row);
  return lane == lanes_.end() ? -1 : lane->scratch_ring;
}

QString Timeline::name(const TimelineRow& row) const {
  if (!view_) return {};
  switch (row.kind) {
    case TimelineRow::Kind::chip: {
      const QString chip = QString::fromStdString(view_->chips.at(row.id.chip));
      return chip.isEmpty() ? tr("chip") : chip;
    }
    case TimelineRow::Kind::engine: {
      const auto engine = std::ranges::find_if(view_->engines, [&](const workbench::EngineView& e) {
        return e.chip == row.id.chip && e.engine == row.id.engine;
      });
      const QString program = engine == view_->engines.end() ? QString() : QString::fromStdString(engine->program);
      return QStringLiteral("me%1 %2").arg(row.id.engine).arg(program);
    }
    case TimelineRow::Kind::context: return context_text(*view_, row.id);
    case TimelineRow::Kind::packets: return tr("packets");
    case TimelineRow::Kind::queues: return tr("queues");
    default: break;
  }
  const auto lane = std::ranges::find(lanes_, row, &TimelineLane::row);
  return lane == lanes_.end() ? QString() : QString::fromStdString(lane->name);
}

void Timeline::fold_lanes() {
  closed_groups_ = {TimelineRow::Kind::packets, TimelineRow::Kind::queues};
  fill_rows();
}
bool Timeline::is_open(const TimelineRow& row) const {
  if (!shows_activity(row)) return !closed_groups_.contains(row.kind);
  return !closed_.contains({row.id.chip, row.id.engine});
}
void Timeline::set_open(const TimelineRow& row, bool open) {
  if (row.kind == TimelineRow::Kind::chip || is_open(row) == open) return;
  if (!shows_activity(row)) {
    if (open)
      closed_groups_.erase(row.kind);
    else
      closed_groups_.insert(row.kind);
    return fill_rows();
  }
  if (open)
    closed_.erase({row.id.chip, row.id.engine});
  else
    closed_.insert({row.id.chip, row.id.engine});
  fill_rows();
}
void Timeline::set_all_open(bool open) {
  closed_.clear();
  closed_groups_.clear();
  if (!open) closed_groups_ = {TimelineRow::Kind::packets, TimelineRow::Kind::queues};
  if (!open && view_)
    for (const workbench::EngineView& e : view_->engines) closed_.insert({e.chip, e.engine});
  fill_rows();
}
void Timeline::open_packets() {
  set_all_open(false);
  closed_groups_.clear();
  fill_rows();
}
int Timeline::row_of(ContextId id) const {
  const auto row = std::ranges::find(rows_, TimelineRow{TimelineRow::Kind::context, id});
  return row == rows_.end() ? -1 : static_cast<int>(row - rows_.begin());
}

void Timeline::look_at(TimelineQuestion question) {
  if (question == wanted_) return;
  wanted_ = std::move(question);
  stale_ = true;
  ask();
}

void Timeline::ask() {
  if (asking_ || !stale_ || !view_ || workspace_.target() == nullptr) return;
  // A run that grows gives a new answer to each question; the machine has better things to do.
  if (workspace_.target()->state() == Target::State::running && since_.isValid() && since_.elapsed() < kPause)
    return later_.start(kPause);
  since_.start();
  asking_ = true;
  stale_ = false;
  asked_ = wanted_;
  TimelineQuestion all;
  all.end = ~uint64_t{0};
  all.cells = kOverviewCells;
  for (unsigned chip = 0; chip < view_->chips.size(); ++chip)
    all.rows.push_back({TimelineRow::Kind::chip, {chip, 0, 0}});
  using Answers = std::pair<TimelineAnswer, std::optional<TimelineAnswer>>;
  const uint64_t known = overview_ ? overview_->to : ~uint64_t{0};
  workspace_.target()->ask(
      this,
      [index = index_, question = asked_, all, known](const Inspector& machine) {
        Answers answers(index->answer(machine, question), std::nullopt);
        if (known != answers.first.to) answers.second = index->answer(machine, all);
        return answers;
      },
      [this, run = run_](const Answers& answers) {
        if (run != run_) return;
        asking_ = false;
        answer_ = std::make_unique<TimelineAnswer>(answers.first);
        if (answer_->question.lanes && answer_->lanes.known != lanes_) {
          // Many ports would push all contexts out of sight.
          if (lanes_.empty() && answer_->lanes.known.size() > kMaxPortRows &&
              std::ranges::count_if(answer_->lanes.known, [](const TimelineLane& lane) {
                return lane.row.kind == TimelineRow::Kind::port_in || lane.row.kind == TimelineRow::Kind::port_out;
              }) > kMaxPortRows)
            closed_groups_.insert(TimelineRow::Kind::packets);
          lanes_ = answer_->lanes.known;
          fill_rows();
        }
        if (answers.second) {
          overview_ = std::make_unique<TimelineAnswer>(*answers.second);
          Q_EMIT overview_changed();
          ask_statistics();
        }
        Q_EMIT answered();
        ask();
      });
}

void Timeline::ask_statistics() {
  const auto range = workspace_.cursor().range();
  if (!range || !view_ || range->first >= range->second) {
    statistics_ = nullptr;
    Q_EMIT statistics_changed();
    return;
  }
  TimelineQuestion question;
  question.begin = range->first;
  question.end = range->second;
  question.cells = 1;
  question.rows = all_rows();
  workspace_.target()->ask(
      this, [index = index_, question](const Inspector& machine) { return index->answer(machine, question); },
      [this, run = run_, range](const TimelineAnswer& answer) {
        if (run != run_ || range != workspace_.cursor().range()) return;
        statistics_ = std::make_unique<TimelineAnswer>(answer);
        Q_EMIT statistics_changed();
      });
}

void Timeline::ask_moment(ContextId id, uint64_t cycle, std::optional<uint32_t> pc,
                          const std::function<void(const TimelineMoment&, const std::string&)>& then) {
  if (workspace_.target() == nullptr) return;
  using Found = std::pair<TimelineMoment, std::string>;
  workspace_.target()->ask(
      this,
      [index = index_, id, cycle, pc, names = workspace_.names()](const Inspector& machine) {
        return Found(index->moment(machine, id, cycle), pc ? timeline_place(machine, id, *pc, names) : std::string());
      },
      [this, run = run_, then](const Found& found) {
        if (run == run_) then(found.first, found.second);
      });
}

void Timeline::ask_place(ContextId id, uint64_t cycle, const std::function<void(const TimelineMoment&)>& then) {
  if (workspace_.target() == nullptr) return;
  const auto question = [index = index_, id, cycle](const Inspector& machine) {
    TimelineMoment moment = index->moment(machine, id, cycle);
    // Between two words that it executes a context is in few states; it may have executed nothing yet.
    for (int state = 0; state < 16 && moment.known && !moment.pc && moment.segment.begin > 0; ++state)
      moment = index->moment(machine, id, moment.segment.begin - 1);
    return moment;
  };
  workspace_.target()->ask(this, question, [this, run = run_, then](const TimelineMoment& moment) {
    if (run == run_) then(moment);
  });
}

void Timeline::go_to_event(TimelineEvent event, bool forward) {
  const auto id = workspace_.cursor().context();
  if (!id || workspace_.target() == nullptr) {
    Q_EMIT missing(tr("Choose a context first: click on its row."));
    return;
  }
  const uint64_t cycle = workspace_.cursor().cycle();
  workspace_.target()->ask(
      this,
      [index = index_, id = *id, event, cycle, forward](const Inspector& machine) {
        return index->find(machine, id, event, cycle, forward);
      },
      [this, run = run_, event, forward, id](const std::optional<uint64_t>& found) {
        if (run != run_) return;
        if (found)
          workspace_.cursor().set_cycle(*found);
        else
          Q_EMIT missing(
              (forward ? tr("No %1 of %2 behind the cursor") : tr("No %1 of %2 before the cursor"))
                  .arg(QString::fromStdString(to_text(event)), view_ ? context_text(*view_, *id) : QString()));
      });
}

void Timeline::add_mark(uint64_t cycle, const QString& name) {
  remove_mark(cycle);
  const auto at = std::ranges::upper_bound(marks_, cycle, {}, &TimelineMark::cycle);
  marks_.insert(at, {cycle, name.isEmpty() ? tr("mark %1").arg(marks_.size() + 1) : name});
  Q_EMIT marks_changed();
}
void Timeline::rename_mark(uint64_t cycle, const QString& name) {
  for (TimelineMark& mark : marks_)
    if (mark.cycle == cycle) mark.name = name;
  Q_EMIT marks_changed();
}
void Timeline::remove_mark(uint64_t cycle) {
  if (std::erase_if(marks_, [cycle](const TimelineMark& mark) { return mark.cycle == cycle; }) > 0)
    Q_EMIT marks_changed();
}
void Timeline::go_to_mark(bool forward) {
  const uint64_t cycle = workspace_.cursor().cycle();
  const auto behind = std::ranges::upper_bound(marks_, cycle, {}, &TimelineMark::cycle);
  const auto from = std::ranges::lower_bound(marks_, cycle, {}, &TimelineMark::cycle);
  if (forward && behind != marks_.end())
    workspace_.cursor().set_cycle(behind->cycle);
  else if (!forward && from != marks_.begin())
    workspace_.cursor().set_cycle(std::prev(from)->cycle);
  else
    Q_EMIT missing(forward ? tr("No mark after the cursor") : tr("No mark before the cursor"));
}

QString Timeline::time_text(double cycles) const {
  const TimelineAnswer* known = answer_ ? answer_.get() : overview_.get();
  if (known == nullptr || known->ticks_per_second <= 1) return {};
  const double ns =
      cycles * static_cast<double>(known->ticks_per_cycle) * 1e9 / static_cast<double>(known->ticks_per_second);
  if (ns < 1000) return tr("%1 ns").arg(ns, 0, 'f', 1);
  if (ns < 1e6) return tr("%1 µs").arg(ns / 1000, 0, 'f', 3);
  return tr("%1 ms").arg(ns / 1e6, 0, 'f', 4);
}

QString Timeline::csv() const {
  QString out = QStringLiteral("row,begin,end,executing,aborted,stalled,ready,asleep,inactive,packets,depth,deepest\n");
  if (!answer_) return out;
  using emulator::Activity;
  for (size_t r = 0; r < answer_->rows.size(); ++r) {
    if (r < answer_->lanes.rows.size() && answer_->rows[r].empty()) {
      const TimelineLaneAnswer::Row& lane = answer_->lanes.rows[r];
      for (unsigned cell = 0; cell < std::max(lane.packets.size(), lane.depths.size()); ++cell) {
        out += QStringLiteral("%1,%2,%3,,,,,,,")
                   .arg(name(answer_->question.rows[r]))
                   .arg(answer_->cell_begin(cell))
                   .arg(answer_->cell_begin(cell + 1));
        uint32_t packets = 0;
        if (cell < lane.packets.size())
          for (const uint32_t part : lane.packets[cell]) packets += part;
        if (cell < lane.packets.size())
          out += QStringLiteral("%1,,\n").arg(packets);
        else
          out += QStringLiteral(",%1,%2\n")
                     .arg(static_cast<double>(lane.depths[cell].mean))
                     .arg(static_cast<double>(lane.depths[cell].max));
      }
      continue;
    }
    for (unsigned cell = 0; cell < answer_->question.cells; ++cell) {
      out += QStringLiteral("%1,%2,%3")
                 .arg(name(answer_->question.rows[r]))
                 .arg(answer_->cell_begin(cell))
                 .arg(answer_->cell_begin(cell + 1));
      for (const Activity a : {Activity::executing, Activity::aborted, Activity::stalled, Activity::ready,
                               Activity::sleep, Activity::inactive})
        out += QLatin1Char(',') + QString::number(answer_->rows[r][cell][static_cast<size_t>(a)]);
      out += QStringLiteral(",,,\n");
    }
  }
  return out;
}

}  // namespace weft::ide
