#include "breakpoints_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "breakpoint_dialog.h"
#include "empty_page.h"
#include "save_files.h"
#include "tables.h"
#include "view_parts.h"

namespace weft::ide {

BreakpointsView::BreakpointsView(Workspace& workspace, Theme)
    : workspace_(workspace),
      model_(new BreakpointsModel(workspace, this)),
      table_(make_table(this, tr("Breakpoints"))),
      empty_(new QLabel(this)) {
  QVBoxLayout* box = tight_column(this);
  auto* bar = new QToolBar;
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  const auto action = [&](const QString& text, auto what, bool of_one) {
    QAction* made = bar->addAction(text, this, what);
    if (of_one) of_one_.push_back(made);
    bar->widgetForAction(made)->setFocusPolicy(Qt::TabFocus);
    return made;
  };
  action(
      tr("New..."), [this] { add(); }, false);
  action(
      tr("Change..."), [this] { edit(); }, true);
  action(
      tr("On or off"), [this] { toggle(); }, true);
  action(
      tr("Show the place"), [this] { go(); }, true);
  action(
      tr("Remove"), [this] { remove(); }, true);
  bar->addSeparator();
  action(
      tr("All on"), [this] { switch_all(true); }, false);
  action(
      tr("All off"), [this] { switch_all(false); }, false);
  box->addWidget(bar);
  empty_->setMargin(8);
  empty_->setWordWrap(true);
  box->addWidget(empty_);
  table_->setModel(model_);
  box->addWidget(table_, 1);
  table_->installEventFilter(this);
  connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
    if (at.column() != BreakpointsModel::kPlace)
      edit();
    else
      go();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &BreakpointsView::show_state);
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(model_, signal, this, [this] {
      table_->resizeColumnsToContents();
      show_state();
    });
  connect(&workspace, &Workspace::project_changed, this, &BreakpointsView::show_state);
  show_state();
}

void BreakpointsView::show_state() {
  const bool any = model_->rowCount() > 0;
  table_->setVisible(any);
  empty_->setVisible(!any);
  empty_->setText(workspace_.target() ? tr("There are no breakpoints. New makes one for a place, an access or an "
                                           "event; a click in the margin of a text, or F8, makes one at a line.")
                                      : no_machine(workspace_));
  for (QAction* one : of_one_) one->setEnabled(any && chosen());
}

std::optional<size_t> BreakpointsView::chosen() const {
  const QModelIndex row = table_->currentIndex();
  return row.isValid() ? std::optional(static_cast<size_t>(row.row())) : std::nullopt;
}

void BreakpointsView::add() {
  if (workspace_.target()) edit_breakpoint(workspace_, {}, std::nullopt, this);
}

void BreakpointsView::edit() {
  if (const auto which = chosen()) edit_breakpoint(workspace_, *model_->at(static_cast<int>(*which)), which, this);
}

void BreakpointsView::remove() {
  if (const auto which = chosen()) workspace_.remove_breakpoint(*which);
}

void BreakpointsView::toggle() {
  const auto which = chosen();
  if (!which) return;
  workbench::Breakpoint changed = *model_->at(static_cast<int>(*which));
  changed.enabled = !changed.enabled;
  workspace_.change_breakpoint(*which, std::move(changed));
}

// A label or an address has its line by the words that were found for it.
void BreakpointsView::go() {
  const auto which = chosen();
  Target* target = workspace_.target();
  if (!which || target == nullptr) return;
  const workbench::Breakpoint b = *model_->at(static_cast<int>(*which));
  const FilePlace place = file_place(b);
  const auto view = target->view();
  const auto question = [b, chips = view ? view->chips : std::vector<std::string>()](
                            const Inspector& machine) -> std::pair<std::string, uint32_t> {
    for (size_t i = 0; i < b.words.size(); ++i) {
      const auto& [engine, address] = b.words[i];
      const auto chip = i < b.chips.size() ? std::ranges::find(chips, b.chips[i]) : chips.begin();
      if (i < b.chips.size() && chip == chips.end()) continue;
      const image::Image* image = machine.program(static_cast<unsigned>(chip - chips.begin()), engine);
      if (image == nullptr || address >= image->lines.size()) continue;
      const image::Line& line = image->lines[address].place;
      if (line.file < image->files.size()) return {image->files[line.file], line.line};
    }
    return {};
  };
  target->ask(this, question, [this, place](const std::pair<std::string, uint32_t>& found) {
    if (found.first.empty())
      Q_EMIT workspace_.message(tr("It has no place in a text"));
    else if (QString::fromStdString(found.first).endsWith(place.file) && place.line > 0)
      Q_EMIT workspace_.place_requested(QString::fromStdString(found.first), place.line, 1);
    else
      workspace_.request_built_place(QString::fromStdString(found.first), static_cast<int>(found.second));
  });
}

void BreakpointsView::switch_all(bool on) {
  auto all = workspace_.breakpoints();
  for (workbench::Breakpoint& b : all) b.enabled = on;
  workspace_.set_breakpoints(std::move(all));
}

void BreakpointsView::save() {
  const QString path =
      ask_file_name(this, tr("Save the breakpoints"), QStringLiteral("breakpoints.csv"), tr("CSV (*.csv)"));
  if (!path.isEmpty()) write_text(workspace_, path, csv_of(*model_).toStdString());
}

// The table would take them for choosing rows.
bool BreakpointsView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return View::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Delete)
    remove();
  else if (key == Qt::Key_Space)
    toggle();
  else if (key == Qt::Key_Return || key == Qt::Key_Enter)
    edit();
  else
    return View::eventFilter(watched, event);
  return true;
}

void BreakpointsView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("New..."), this, &BreakpointsView::add);
  for (QAction* one : of_one_) menu.addAction(one);
  menu.addSeparator();
  menu.addAction(tr("Copy"), this, [this] { QApplication::clipboard()->setText(tabbed_text_of(*model_)); });
  menu.addAction(tr("Save as CSV..."), this, &BreakpointsView::save);
  menu.exec(event->globalPos());
}

QJsonValue BreakpointsView::state() const { return rows_of(model_); }

}  // namespace weft::ide
