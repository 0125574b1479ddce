#include "timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QSaveFile>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QToolBar>
#include <QVBoxLayout>
#include <array>

#include "breakpoint_menu.h"
#include "cause_panel.h"
#include "empty_page.h"
#include "table_export.h"
#include "tools.h"
#include "wrapping_row.h"

namespace weft::ide {

using emulator::Activity;

namespace {

constexpr std::array kColumns{Activity::executing, Activity::aborted, Activity::stalled,
                              Activity::ready,     Activity::sleep,   Activity::inactive};
constexpr std::array kEvents{TimelineEvent::stall,   TimelineEvent::abort,     TimelineEvent::swap,
                             TimelineEvent::wake,    TimelineEvent::reference, TimelineEvent::sram,
                             TimelineEvent::scratch, TimelineEvent::dram,      TimelineEvent::msf,
                             TimelineEvent::hash,    TimelineEvent::cap};

QString event_text(TimelineEvent event) {
  switch (event) {
    case TimelineEvent::stall: return QObject::tr("stall");
    case TimelineEvent::abort: return QObject::tr("aborted slots");
    case TimelineEvent::swap: return QObject::tr("swap out");
    case TimelineEvent::wake: return QObject::tr("swap in");
    case TimelineEvent::reference: return QObject::tr("any reference");
    default: return QObject::tr("reference of %1").arg(QString::fromStdString(to_text(event)));
  }
}

}  // namespace

TimelineView::TimelineView(Workspace& workspace, Theme theme)
    : workspace_(workspace),
      timeline_(workspace),
      canvas_(new TimelineCanvas(timeline_, theme)),
      bar_(new QToolBar),
      rows_bar_(new QToolBar),
      search_bar_(new QToolBar),
      search_(new QLineEdit),
      found_(new QLabel),
      event_(new QComboBox),
      note_(new QLabel),
      pages_(new QStackedWidget),
      side_(new QSplitter(Qt::Vertical)),
      cause_(new CausePanel(timeline_.causes(), workspace)),
      figures_(new QWidget),
      figures_title_(new QLabel),
      table_(new QTableWidget) {
  empty_ = new EmptyPage(tr("Record the history and build anew"), "record",
                         [this] { workspace_.observe_too(&workbench::Observation::history); });
  QVBoxLayout* const column = fill_view(this, pages_, empty_);
  make_bar();
  make_search();
  auto* bars = new WrappingRow;
  bars->add(bar_);
  bars->add(rows_bar_);
  bars->add(search_bar_);
  // Tools take little of a small window.
  for (QToolBar* bar : {bar_, rows_bar_, search_bar_}) bar->layout()->setContentsMargins(2, 1, 2, 1);
  note_->setMinimumWidth(10);
  note_->setContentsMargins(6, 0, 6, 0);
  bars->add(note_, 260);
  column->addLayout(bars);
  auto* split = new QSplitter;
  split->addWidget(canvas_);
  auto* side = new QVBoxLayout(figures_);
  side->setContentsMargins(4, 2, 0, 0);
  figures_title_->setWordWrap(true);
  side->addWidget(figures_title_);
  side->addWidget(table_);
  table_->setAccessibleName(tr("Figures of the range"));
  add_table_exports(table_, workspace);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(19);
  table_->setTabKeyNavigation(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  side_->addWidget(cause_);
  side_->addWidget(figures_);
  side_->setChildrenCollapsible(false);
  split->addWidget(side_);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  figures_->hide();
  side_->hide();
  column->addWidget(split, 1);

  connect(canvas_, &TimelineCanvas::menu_requested, this, &TimelineView::show_menu);
  connect(&timeline_.causes(), &SleepCauses::changed, this,
          [this] { side_->setVisible(timeline_.causes().cause() || timeline_.statistics() != nullptr); });
  connect(&timeline_, &Timeline::missing, note_, &QLabel::setText);
  connect(&timeline_, &Timeline::answered, this, &TimelineView::tell);
  connect(&timeline_, &Timeline::rows_changed, this, &TimelineView::tell);
  connect(&timeline_, &Timeline::statistics_changed, this, &TimelineView::fill_statistics);
  workspace.on_state(this, [this] { tell(); });
  const auto say_where = [this] {
    const uint64_t cycle = workspace_.cursor().cycle();
    const QString time = timeline_.time_text(static_cast<double>(cycle));
    note_->setText(time.isEmpty() ? tr("cursor: cycle %L1").arg(cycle)
                                  : tr("cursor: cycle %L1, %2").arg(cycle).arg(time));
  };
  connect(&timeline_, &Timeline::overview_changed, this, say_where);
  connect(&workspace.cursor(), &Cursor::cycle_changed, this, say_where);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &TimelineView::follow);
  tell();
}

void TimelineView::make_bar() {
  bar_->setIconSize({16, 16});
  bar_->setAccessibleName(tr("Tools of the execution history"));
  add_tool(bar_, "fit", tr("All"), tr("Show the whole run (F)"), this, [this] { canvas_->fit(); });
  add_tool(bar_, "fit_range", tr("Range"), tr("Show the chosen range (R)"), this, [this] { canvas_->fit_range(); });
  add_tool(bar_, "zoom_in", tr("+"), tr("Show less, larger (+ or W, or the wheel)"), this,
           [this] { canvas_->zoom(1.6); });
  add_tool(bar_, "zoom_out", tr("−"), tr("Show more (- or S, or the wheel)"), this, [this] { canvas_->zoom(1 / 1.6); });
  bar_->addSeparator();
  add_tool(bar_, "previous", tr("◀"), tr("The event before the cursor, of the chosen context"), this,
           [this] { timeline_.go_to_event(kEvents[static_cast<size_t>(event_->currentIndex())], false); });
  event_->setAccessibleName(tr("Kind of event"));
  event_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  event_->setMinimumContentsLength(9);
  for (const TimelineEvent event : kEvents) event_->addItem(event_text(event));
  event_->setCurrentIndex(static_cast<int>(std::ranges::find(kEvents, TimelineEvent::swap) - kEvents.begin()));
  bar_->addWidget(event_);
  add_tool(bar_, "next", tr("▶"), tr("The event after the cursor, of the chosen context"), this,
           [this] { timeline_.go_to_event(kEvents[static_cast<size_t>(event_->currentIndex())], true); });
  bar_->addSeparator();
  add_tool(bar_, "mark", tr("Mark"), tr("Put a mark at the cursor (M)"), this,
           [this] { timeline_.add_mark(workspace_.cursor().cycle()); });
  add_tool(bar_, "mark_before", tr("◁"), tr("The mark before the cursor"), this,
           [this] { timeline_.go_to_mark(false); });
  add_tool(bar_, "mark_behind", tr("▷"), tr("The mark after the cursor"), this, [this] { timeline_.go_to_mark(true); });
  rows_bar_->setAccessibleName(tr("Rows of the execution history"));
  auto* labels = new QComboBox;
  labels->setAccessibleName(tr("Labels on bars"));
  labels->addItems({tr("no labels"), tr("stages"), tr("labels")});
  labels->setCurrentIndex(static_cast<int>(canvas_->labels()));
  connect(labels, &QComboBox::currentIndexChanged, this,
          [this](int which) { canvas_->set_labels(static_cast<TimelineLabels>(which)); });
  rows_bar_->addWidget(labels);
  add_switch(rows_bar_, "references", tr("References"), tr("Memory references below the bars"), true, this,
             [this](bool on) { canvas_->set_references(on); });
  add_tool(rows_bar_, "open", tr("Unfold"), tr("Show the contexts of all microengines, and all packets and queues"),
           this, [this] { timeline_.set_all_open(true); });
  add_tool(rows_bar_, "close", tr("Fold"), tr("Show microengines only"), this,
           [this] { timeline_.set_all_open(false); });
  add_switch(rows_bar_, "causes", tr("Causes"),
             tr("An arrow from the cursor's sleeping stretch to what woke the context"), timeline_.causes().on(), this,
             [this](bool on) { timeline_.causes().set_on(on); });
  add_tool(rows_bar_, "packets", tr("Packets"), tr("Show packets and queues, and microengines without their contexts"),
           this, [this] { timeline_.open_packets(); });
}

// "stall > 20", a label, a packet: what is found stands on the strip, over the bars, and one by one behind arrows.
void TimelineView::make_search() {
  search_bar_->setAccessibleName(tr("Search in the execution history"));
  search_->setObjectName(QStringLiteral("history_search"));
  search_->setAccessibleName(tr("What is to be found in the history"));
  search_->setPlaceholderText(tr("Find: stall > 20, next#, #12"));
  QStringList examples;
  for (const std::string& one : workbench::history_query_examples()) examples << QString::fromStdString(one);
  search_->setToolTip(tr("A state, unit, label, line or packet, with a length in cycles and a context where you like; "
                         "Enter goes to the next (/ in the picture leads here, N to the next):\n%1")
                          .arg(examples.join(QLatin1Char('\n'))));
  search_->setClearButtonEnabled(true);
  search_->setFixedWidth(190);
  search_bar_->addWidget(search_);
  add_tool(search_bar_, "hit_before", tr("▲"), tr("The hit before the cursor (Shift+N)"), this,
           [this] { timeline_.search().go(false); });
  add_tool(search_bar_, "hit_behind", tr("▼"), tr("The hit after the cursor (N)"), this,
           [this] { timeline_.search().go(true); });
  add_switch(search_bar_, "only_hits", tr("Only"), tr("Only microengines and contexts with hits"), false, this,
             [this](bool on) { timeline_.set_only_hits(on); });
  found_->setContentsMargins(4, 0, 4, 0);
  search_bar_->addWidget(found_);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) { timeline_.search().set_query(text); });
  connect(search_, &QLineEdit::returnPressed, this, [this] { timeline_.search().go(true); });
  connect(&timeline_.search(), &TimelineSearch::changed, this, &TimelineView::tell_search);
  connect(canvas_, &TimelineCanvas::search_requested, this, [this] {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
}

void TimelineView::tell_search() {
  const TimelineSearch& search = timeline_.search();
  const QString text = search.summary();
  found_->setText(QFontMetrics(found_->font()).elidedText(text, Qt::ElideRight, 300));
  found_->setToolTip(text);
  QPalette colours = found_->palette();
  colours.setColor(QPalette::WindowText, search.problem().isEmpty() ? palette().color(QPalette::WindowText)
                                                                    : error_colour(theme_of(palette())));
  found_->setPalette(colours);
}

void TimelineView::tell() {
  QString why;
  bool offer = false;
  if (workspace_.target() == nullptr) {
    why = tr("Open a project, and run it: then the history of its contexts stands here.");
  } else if (const QString none = no_machine(workspace_); !none.isEmpty()) {
    why = none;
  } else if (!workspace_.observation().history) {
    offer = true;
    const auto& limits = workspace_.observation().history_limits;
    why = tr("The execution history of this run is not recorded.\n\nRecording needs the reference engine, which is "
             "slower than a run that nobody watches, and at most "
             "%1 MB for states (the last %L2 changes of state) and %3 MB for the last %L4 references of each chip. "
             "It changes nothing in what the machine does.")
              .arg(limits.segments * 6 >> 20)
              .arg(limits.segments)
              .arg(limits.references * 40 >> 20)
              .arg(limits.references);
  } else if (timeline_.overview() == nullptr || timeline_.overview()->to <= timeline_.overview()->from) {
    why = tr("The history is recorded, but nothing has run yet. Run (F5) or step (F9).");
  } else if (!timeline_.overview()->recorded) {
    why = tr("This run holds no execution history.");
  }
  empty_->say(why, offer);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
}

void TimelineView::fill_statistics() {
  const TimelineAnswer* figures = timeline_.statistics();
  figures_->setVisible(figures != nullptr && figures->recorded && !figures->rows.empty());
  side_->setVisible(timeline_.causes().cause() || !figures_->isHidden());
  if (figures_->isHidden()) return;
  const uint64_t cycles = figures->question.end - figures->question.begin;
  if (cycles == 0) {
    figures_title_->setText(tr("Nothing of the range is recorded."));
    return table_->setRowCount(0);
  }
  QString title = tr("cycles %L1 to %L2: %L3 cycles, %4")
                      .arg(figures->question.begin)
                      .arg(figures->question.end - 1)
                      .arg(cycles)
                      .arg(timeline_.time_text(static_cast<double>(cycles)));
  const auto range = workspace_.cursor().range();
  if (range && (range->first < figures->from || range->second > figures->to))
    title += tr(" (what lies outside is not recorded)");
  figures_title_->setText(title);
  table_->setColumnCount(static_cast<int>(kColumns.size()) + 1);
  QStringList names{tr("Row")};
  for (const Activity a : kColumns) names << (a == Activity::sleep ? tr("idle") : activity_text(a));
  table_->setHorizontalHeaderLabels(names);
  table_->setRowCount(static_cast<int>(figures->rows.size()));
  for (size_t r = 0; r < figures->rows.size(); ++r) {
    const int row = static_cast<int>(r);
    const TimelineRow& of = figures->question.rows[r];
    table_->setItem(row, 0, new QTableWidgetItem(timeline_.name(of)));
    uint64_t total = 0;
    for (const uint64_t part : figures->rows[r].empty() ? ActivityCycles{} : figures->rows[r][0]) total += part;
    for (size_t c = 0; c < kColumns.size(); ++c) {
      const uint64_t part = figures->rows[r].empty() ? 0 : figures->rows[r][0][static_cast<size_t>(kColumns[c])];
      auto* item = new QTableWidgetItem(
          part == 0 ? QStringLiteral("0")
                    : tr("%L1 (%2 %)")
                          .arg(part)
                          .arg(100.0 * static_cast<double>(part) / static_cast<double>(total), 0, 'f', 1));
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(row, static_cast<int>(c) + 1, item);
    }
  }
  table_->resizeColumnsToContents();
  follow();
}

void TimelineView::follow() {
  const TimelineAnswer* figures = timeline_.statistics();
  const auto id = workspace_.cursor().context();
  if (figures == nullptr || !id) return;
  const auto row = std::ranges::find(figures->question.rows, TimelineRow{TimelineRow::Kind::context, *id});
  if (row != figures->question.rows.end())
    table_->setCurrentCell(static_cast<int>(row - figures->question.rows.begin()), 0);
}

QString TimelineView::csv() const {
  const TimelineAnswer* figures = timeline_.statistics();
  if (figures == nullptr) return timeline_.csv();
  QString out = QStringLiteral("row,begin,end");
  for (const Activity a : kColumns) out += QLatin1Char(',') + activity_text(a);
  out += QLatin1Char('\n');
  for (size_t r = 0; r < figures->rows.size(); ++r) {
    out += QStringLiteral("%1,%2,%3")
               .arg(timeline_.name(figures->question.rows[r]))
               .arg(figures->question.begin)
               .arg(figures->question.end);
    for (const Activity a : kColumns)
      out += QLatin1Char(',') +
             QString::number(figures->rows[r].empty() ? 0 : figures->rows[r][0][static_cast<size_t>(a)]);
    out += QLatin1Char('\n');
  }
  return out;
}

void TimelineView::add_breakpoints(QMenu& menu, uint64_t cycle, const TimelineRow& row) {
  using Kind = TimelineRow::Kind;
  BreakpointRow of;
  const auto packets = [&](std::initializer_list<const char*> events) {
    const bool port = row.kind != Kind::packets;
    for (const char* event : events)
      of.events.push_back(packet_event(
          workspace_, row.id.chip, port && std::string_view(event) != "dropped" ? static_cast<int>(row.id.engine) : -1,
          QLatin1String(event)));
  };
  switch (row.kind) {
    case Kind::context: {
      const auto place = add_awaited_place(
          menu, workspace_, tr("Breakpoint where %1 is in cycle %L2").arg(timeline_.name(row)).arg(cycle), this);
      timeline_.ask_place(row.id, cycle, [place](const TimelineMoment& moment) {
        place(QString::fromStdString(moment.file), static_cast<int>(moment.line));
      });
      of.who = name_of_context(workspace_, row.id);
      break;
    }
    case Kind::engine: of.who = of_chip(workspace_, row.id.chip, QStringLiteral("me%1").arg(row.id.engine)); break;
    case Kind::port_in: packets({"in", "dropped", "lost"}); break;
    case Kind::port_out: packets({"out", "lost"}); break;
    case Kind::packets: packets({"in", "out", "dropped", "lost"}); break;
    case Kind::queue:
      for (const char* event : {"full", "empty", "put", "get"})
        if (const int ring = timeline_.scratch_ring(row); ring >= 0) {
          of.events.emplace_back().kind = workbench::Breakpoint::Kind::ring;
          of.events.back().target =
              of_chip(workspace_, row.id.chip, QStringLiteral("%1 %2").arg(ring).arg(QLatin1String(event)))
                  .toStdString();
        }
      break;
    case Kind::chip:
    case Kind::queues:
    case Kind::unit: break;
  }
  add_breakpoint_menus(menu, workspace_, of, this);
}

void TimelineView::show_menu(const QPoint& global, uint64_t cycle, int row) {
  QMenu menu(this);
  if (row >= 0) add_breakpoints(menu, cycle, timeline_.rows()[static_cast<size_t>(row)]);
  menu.addAction(tr("Go to cycle %L1").arg(cycle), this, [this, cycle] {
    if (workspace_.target()) workspace_.target()->go_to(cycle);
  });
  if (const auto id = workspace_.cursor().context()) {
    menu.addAction(tr("Show the instruction at cycle %L1").arg(cycle), this, [this, cycle, id] {
      timeline_.ask_moment(*id, cycle, std::nullopt, [this](const TimelineMoment& moment, const std::string&) {
        if (moment.line != 0)
          workspace_.request_built_place(QString::fromStdString(moment.file), static_cast<int>(moment.line));
        else
          note_->setText(tr("The context executes nothing in this cycle."));
      });
    });
  }
  menu.addSeparator();
  menu.addAction(tr("Mark at cycle %L1...").arg(cycle), this, [this, cycle] {
    bool given = false;
    const QString name = QInputDialog::getText(this, tr("Mark"), tr("Name of the mark"), QLineEdit::Normal,
                                               tr("mark %1").arg(timeline_.marks().size() + 1), &given);
    if (given) timeline_.add_mark(cycle, name);
  });
  for (const TimelineMark& mark : timeline_.marks())
    menu.addAction(tr("Remove %1").arg(mark.name), this, [this, at = mark.cycle] { timeline_.remove_mark(at); });
  menu.addSeparator();
  menu.addAction(tr("Show the whole run"), canvas_, &TimelineCanvas::fit);
  QAction* range = menu.addAction(tr("Show the range"), canvas_, &TimelineCanvas::fit_range);
  QAction* none = menu.addAction(tr("No range"), this, [this] { workspace_.cursor().set_range(std::nullopt); });
  range->setEnabled(workspace_.cursor().range().has_value());
  none->setEnabled(workspace_.cursor().range().has_value());
  menu.addSeparator();
  menu.addAction(tr("Save picture..."), this, &TimelineView::save_picture);
  menu.addAction(timeline_.statistics() ? tr("Save range as CSV...") : tr("Save what is shown as CSV..."), this,
                 &TimelineView::save_csv);
  menu.addAction(timeline_.statistics() ? tr("Copy the range's figures") : tr("Copy what is shown"), this,
                 [this] { QApplication::clipboard()->setText(csv()); });
  menu.exec(global);
}

void TimelineView::save_picture() {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save picture"), QStringLiteral("history.png"), tr("Pictures (*.png)"));
  if (!path.isEmpty() && !canvas_->grab().save(path)) note_->setText(tr("%1 cannot be written").arg(path));
}
void TimelineView::save_csv() {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save as CSV"), QStringLiteral("history.csv"), tr("Tables (*.csv)"));
  if (path.isEmpty()) return;
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(csv().toUtf8()) < 0 || !file.commit())
    note_->setText(tr("%1 cannot be written: %2").arg(path, file.errorString()));
}

void TimelineView::set_theme(Theme theme) { canvas_->set_theme(theme); }

QJsonValue TimelineView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  QJsonObject out;
  const TimelineAnswer* answer = timeline_.answer();
  out[QStringLiteral("from")] = static_cast<double>(canvas_->axis().begin());
  out[QStringLiteral("to")] = static_cast<double>(canvas_->axis().end());
  out[QStringLiteral("cursor")] = static_cast<double>(workspace_.cursor().cycle());
  if (answer != nullptr) {
    out[QStringLiteral("known_from")] = static_cast<double>(answer->from);
    out[QStringLiteral("known_to")] = static_cast<double>(answer->to);
    QJsonArray rows;
    QJsonArray lanes;
    for (size_t r = 0; r < answer->lanes.rows.size(); ++r) {
      const TimelineLaneAnswer::Row& lane = answer->lanes.rows[r];
      if (lane.packets.empty() && lane.depths.empty()) continue;
      QJsonObject row{{QStringLiteral("row"), timeline_.name(answer->question.rows[r])}};
      if (!lane.depths.empty())
        row[QStringLiteral("deepest")] = static_cast<double>(lane.deepest);
      else
        row[QStringLiteral("packets")] =
            static_cast<int>(std::ranges::count(answer->lanes.packets, static_cast<uint32_t>(r), &TimelinePacket::row));
      lanes << row;
    }
    out[QStringLiteral("lanes")] = lanes;
    out[QStringLiteral("stages")] = static_cast<int>(answer->lanes.stages.size());
    for (size_t r = 0; r < answer->rows.size(); ++r) {
      if (answer->rows[r].empty()) continue;
      ActivityCycles sum{};
      for (const ActivityCycles& cell : answer->rows[r])
        for (size_t a = 0; a < kActivities; ++a) sum[a] += cell[a];
      QJsonObject row{{QStringLiteral("row"), timeline_.name(answer->question.rows[r])}};
      for (const Activity a : kColumns) row[activity_text(a)] = static_cast<double>(sum[static_cast<size_t>(a)]);
      rows << row;
    }
    out[QStringLiteral("rows")] = rows;
    out[QStringLiteral("references")] =
        answer->references_left_out ? QJsonValue() : QJsonValue(static_cast<int>(answer->references.size()));
    QJsonArray labels;
    for (const TimelineSpan& span : answer->spans) labels << QString::fromStdString(span.text);
    out[QStringLiteral("labels")] = labels;
  }
  if (const TimelineSearch& search = timeline_.search(); !search.query().isEmpty())
    out[QStringLiteral("search")] = QJsonObject{{QStringLiteral("query"), search.query()},
                                                {QStringLiteral("hits"), static_cast<double>(search.hits().count)},
                                                {QStringLiteral("summary"), search.summary()}};
  if (timeline_.causes().cause()) {
    QJsonArray steps;
    const SleepCauses& causes = timeline_.causes();
    for (int row = 0; row < causes.rowCount(); ++row) {
      QStringList cells;
      for (int c = 0; c < SleepCauses::kColumns; ++c) cells << causes.index(row, c).data().toString().trimmed();
      steps << cells.join(QStringLiteral(" | "));
    }
    out[QStringLiteral("cause")] =
        QJsonObject{{QStringLiteral("title"), causes.title()}, {QStringLiteral("steps"), steps}};
  }
  QJsonArray marks;
  for (const TimelineMark& mark : timeline_.marks())
    marks << QJsonObject{{QStringLiteral("cycle"), static_cast<double>(mark.cycle)},
                         {QStringLiteral("name"), mark.name}};
  out[QStringLiteral("marks")] = marks;
  if (const auto range = workspace_.cursor().range())
    out[QStringLiteral("range")] = QJsonArray{static_cast<double>(range->first), static_cast<double>(range->second)};
  return out;
}

}  // namespace weft::ide
