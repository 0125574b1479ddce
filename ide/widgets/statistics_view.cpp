#include "statistics_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "breakpoint_menu.h"
#include "empty_page.h"
#include "figure_cells.h"
#include "save_files.h"
#include "tables.h"
#include "tools.h"
#include "view_parts.h"
#include "weft/workbench/observation.h"

namespace weft::ide {

namespace {

// The last tab is the profile, by one of these.
constexpr std::array kTables{"contexts", "units", "queues", "latencies", "ports", "losses", "lines"};
constexpr std::array kGroups{"profile_lines", "macros", "blocks", "stages", "programs"};

}  // namespace

StatisticsView::StatisticsView(Workspace& workspace, Theme theme)
    : workspace_(workspace),
      model_(workspace),
      tabs_(new QTabBar),
      bar_(new QToolBar),
      group_(new QComboBox),
      search_(new QLineEdit),
      table_(make_table(nullptr, tr("Statistics"))),
      cells_(new FigureCells(theme, this)),
      title_(new QLabel),
      empty_(new EmptyPage(tr("Keep statistics and build anew"), "record", [this] { offer(false); })),
      no_rows_(new EmptyPage(tr("Make a profile and build anew"), "record_profile", [this] { offer(true); })),
      pages_(new QStackedWidget),
      inner_(new QStackedWidget) {
  QVBoxLayout* const column = fill_view(this, pages_, empty_);
  make_bar();
  column->addWidget(tabs_);
  column->addWidget(bar_);
  inner_->addWidget(table_);
  inner_->addWidget(no_rows_);
  column->addWidget(inner_, 1);
  title_->setMargin(2);
  title_->setMinimumWidth(10);
  column->addWidget(title_);

  sorted_.setSourceModel(&figures_);
  sorted_.setSortRole(FiguresModel::kSortRole);
  sorted_.setFilterKeyColumn(-1);
  sorted_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  table_->setModel(&sorted_);
  table_->setItemDelegate(cells_);
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const FigureRow& row = figures_.row(sorted_.mapToSource(index).row());
    if (row.line != 0) workspace_.request_built_place(QString::fromStdString(row.file), static_cast<int>(row.line));
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (!index.isValid()) return;
    if (const auto id = figures_.row(sorted_.mapToSource(index).row()).context) workspace_.cursor().set_context(id);
  });
  connect(table_, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
    QMenu menu(this);
    if (const QModelIndex index = sorted_.mapToSource(table_->indexAt(at)); index.isValid()) {
      const FigureRow& row = figures_.row(index.row());
      add_breakpoint_menus(menu, workspace_,
                           {QString::fromStdString(row.file), static_cast<int>(row.line),
                            row.context ? name_of_context(workspace_, *row.context) : QString()},
                           this);
    }
    fill_menu(menu);
    menu.exec(table_->viewport()->mapToGlobal(at));
  });
  connect(&model_, &StatisticsModel::changed, this, &StatisticsView::tell);
  workspace.on_state(this, [this] { tell(); });
  connect(&workspace.cursor(), &Cursor::context_changed, this, &StatisticsView::follow);
  connect(&workspace.cursor(), &Cursor::range_changed, this, &StatisticsView::tell);
  tell();
}

void StatisticsView::make_bar() {
  tabs_->setAccessibleName(tr("Tables of the statistics"));
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  for (const QString& name : {tr("Contexts"), tr("Units"), tr("Queues"), tr("Latencies"), tr("Ports"), tr("Losses"),
                              tr("Lines"), tr("Profile")})
    tabs_->addTab(name);
  connect(tabs_, &QTabBar::currentChanged, this, &StatisticsView::fill);
  bar_->setAccessibleName(tr("Tools of the statistics"));
  group_->setAccessibleName(tr("What cycles are summed by"));
  group_->addItems({tr("by line"), tr("by macro"), tr("by block"), tr("by stage"), tr("by program")});
  connect(group_, &QComboBox::currentIndexChanged, this, &StatisticsView::fill);
  group_action_ = bar_->addWidget(group_);
  prepare_field(*search_, tr("rows with this text"), tr("Rows with this text"));
  search_->setMaximumWidth(220);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) { sorted_.setFilterFixedString(text); });
  bar_->addWidget(search_);
  bar_->addSeparator();
  range_ = add_switch(bar_, "range", tr("Range"),
                      tr("Figures of the range that is chosen in the history, not of the whole run"), model_.of_range(),
                      this, [this](bool on) { model_.set_of_range(on); });
  bar_->addSeparator();
  add_tool(bar_, "keep", tr("Keep as A"), tr("Keep these figures to compare later ones with"), this,
           [this] { model_.keep(); });
  forget_ = add_tool(bar_, "forget", tr("Forget A"), tr("Compare with nothing"), this, [this] { model_.forget(); });
  bar_->addSeparator();
  QToolButton* save = menu_button("save", tr("Save"), tr("Copy or save the statistics"));
  fill_menu(*save->menu());
  bar_->addWidget(save);
}

void StatisticsView::fill_menu(QMenu& menu) {
  const auto ask = [this](const QString& name, const QString& filter, bool profile) {
    const QString path = ask_file_name(this, tr("Save"), name, filter);
    if (!path.isEmpty()) save(path, profile);
  };
  menu.addAction(tr("Copy this table"), this, [this] { QApplication::clipboard()->setText(tabbed_text_of(sorted_)); })
      ->setObjectName(QStringLiteral("copy"));
  menu.addAction(tr("Save this table as CSV..."), this,
                 [this] {
                   const QString path = ask_file_name(this, tr("Save this table"),
                                                      chosen_table() + QStringLiteral(".csv"), tr("CSV (*.csv)"));
                   if (!path.isEmpty()) write_text(workspace_, path, figures_.csv().toStdString());
                 })
      ->setObjectName(QStringLiteral("save_table"));
  menu.addSeparator();
  menu.addAction(tr("Save all statistics..."), this, [ask] {
    ask(QStringLiteral("statistics.txt"), QObject::tr("Text, CSV, JSON (*.txt *.csv *.json)"), false);
  });
  menu.addAction(tr("Save the profile..."), this, [ask] {
    ask(QStringLiteral("profile.txt"), QObject::tr("Text, folded stacks, JSON (*.txt *.folded *.json)"), true);
  });
}

void StatisticsView::save(const QString& path, bool profile) {
  const bool csv = path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ||
                   path.endsWith(QStringLiteral(".folded"), Qt::CaseInsensitive);
  const StatisticsFormat format = csv ? StatisticsFormat::csv
                                  : path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)
                                      ? StatisticsFormat::json
                                      : StatisticsFormat::text;
  const auto view = workspace_.target() != nullptr ? workspace_.target()->view() : nullptr;
  const std::vector<std::string> chips = view ? view->chips : std::vector<std::string>{};
  // As on the command line, each of several chips has a file of its own.
  for (unsigned chip = 0; chip < chips.size(); ++chip) {
    const QString file =
        chips.size() == 1 ? path : QString::fromStdString(workbench::file_of_chip(path.toStdString(), chips[chip]));
    model_.ask_file(profile, chip, format, [this, file, profile](const std::string& text) {
      if (text.empty())
        Q_EMIT workspace_.message(profile ? tr("No profile was made of this run.")
                                          : tr("No statistics were kept of this run."));
      else
        write_text(workspace_, file, text);
    });
  }
}

void StatisticsView::offer(bool profile) {
  workbench::Observation observation = workspace_.observation();
  (profile ? observation.profile : observation.statistics) = true;
  workspace_.set_observation(observation);
}

QString StatisticsView::chosen_table() const {
  const auto tab = static_cast<size_t>(std::max(tabs_->currentIndex(), 0));
  return QString::fromLatin1(tab < kTables.size() ? kTables[tab]
                                                  : kGroups[static_cast<size_t>(std::max(group_->currentIndex(), 0))]);
}

void StatisticsView::show_table(const QString& name) {
  for (size_t i = 0; i < kTables.size(); ++i)
    if (name == QLatin1String(kTables[i])) tabs_->setCurrentIndex(static_cast<int>(i));
  for (size_t i = 0; i < kGroups.size(); ++i)
    if (name == QLatin1String(kGroups[i])) {
      tabs_->setCurrentIndex(static_cast<int>(kTables.size()));
      group_->setCurrentIndex(static_cast<int>(i));
    }
}

void StatisticsView::tell() {
  QString why;
  bool offered = false;
  Target* target = workspace_.target();
  const StatisticsTables& t = model_.tables();
  if (target == nullptr) {
    why = tr("Open a project, and run it: then its statistics stand here.");
  } else if (const QString none = no_machine(workspace_); !none.isEmpty()) {
    why = none;
  } else if (!t.recorded && !workspace_.observation().statistics) {
    why = tr("Statistics of this run are not kept. They cost little and change nothing in what the machine does.");
    offered = true;
  } else if (!t.recorded) {
    why = tr("This run holds no statistics.");
  } else if (t.to_cycle <= t.from_cycle) {
    why = tr("Nothing has run yet. Run (F5) or step (F9).");
  }
  empty_->say(why, offered);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
  forget_->setEnabled(model_.kept() != nullptr);
  range_->setEnabled(workspace_.cursor().range().has_value());
  fill();
}

void StatisticsView::fill() {
  if (figures_.columnCount() == 0 && model_.tables().tables.empty()) return;
  const QString name = chosen_table();
  const StatisticsTables& t = model_.tables();
  const bool profile = tabs_->currentIndex() == static_cast<int>(kTables.size());
  group_action_->setVisible(profile);
  const FigureTable* table = t.find(name.toStdString());
  const FigureTable* kept = model_.kept() != nullptr ? model_.kept()->find(name.toStdString()) : nullptr;
  const int columns = figures_.columnCount();
  figures_.show(table != nullptr ? *table : FigureTable(), kept);
  if (std::exchange(shown_, name) != name || columns != figures_.columnCount()) {
    sized_ = false;
    // The reports' order first; a click on a column sorts.
    sorted_.sort(-1);
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  }
  if (!sized_ && figures_.rowCount() > 0) {
    table_->resizeColumnsToContents();
    sized_ = true;
  }
  const bool of_range = t.range && table != nullptr && table->of_range;
  no_rows_->say(table != nullptr ? table->empty : QString(), profile && !workspace_.observation().profile && !of_range);
  inner_->setCurrentIndex(table == nullptr || table->rows.empty() ? 1 : 0);
  QString title =
      of_range && t.range->first == t.range->second ? tr("nothing of the range is recorded")
      : of_range ? tr("cycles %L1 to %L2, of the history").arg(t.range->first).arg(t.range->second - 1)
                 : tr("cycles %L1 to %L2, %3 µs").arg(t.from_cycle).arg(t.to_cycle).arg(t.seconds * 1e6, 0, 'f', 3);
  if (t.range && !of_range)
    title += tr(" (the whole run: for a range packets must be followed)");
  else if (!t.range && workspace_.cursor().range() && model_.of_range())
    title += tr(" (the whole run: a range needs the history)");
  if (model_.kept() != nullptr) title += tr("; ± is more than in A, cycles to %L1").arg(model_.kept()->to_cycle);
  if (t.not_followed > 0 && name == QStringLiteral("latencies"))
    title += tr("; %L1 commands were not followed").arg(t.not_followed);
  if (name == QStringLiteral("latencies"))
    title += tr("; engine cycles from issue to the last signal, percentiles at most 1/64 too high");
  title_->setText(title);
  follow();
}

void StatisticsView::follow() {
  const auto id = workspace_.cursor().context();
  const int row = id ? figures_.row_of(*id) : -1;
  if (row < 0) return;
  const QModelIndex at = sorted_.mapFromSource(figures_.index(row, 0));
  if (at.isValid() && table_->currentIndex().row() != at.row()) table_->selectRow(at.row());
}

void StatisticsView::set_theme(Theme theme) {
  cells_->set_theme(theme);
  table_->viewport()->update();
}

QJsonValue StatisticsView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  QJsonObject out;
  out[QStringLiteral("table")] = chosen_table();
  out[QStringLiteral("title")] = title_->text();
  out[QStringLiteral("rows")] = rows_of(&sorted_);
  if (inner_->currentIndex() == 1) out[QStringLiteral("no_rows")] = no_rows_->why();
  return out;
}

}  // namespace weft::ide
