#include "contexts_view.h"

#include <QJsonArray>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "breakpoint_menu.h"
#include "column_widths.h"
#include "empty_page.h"
#include "models/packets_model.h"
#include "table_export.h"
#include "tables.h"

namespace weft::ide {

namespace {

constexpr int kMeasured = 500;  // ms between two looks at all cells while it runs

}  // namespace

ContextsView::ContextsView(Workspace& workspace, Theme)
    : workspace_(workspace),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      table_(make_table(this, tr("Contexts"))),
      widths_(new ColumnWidths(
          table_, {ContextsModel::kProgram, ContextsModel::kPlace, ContextsModel::kLabel, ContextsModel::kWaits})) {
  fill_view(this, pages_, empty_, table_);
  table_->setTextElideMode(Qt::ElideMiddle);  // lines at the end of places are to be seen
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill_menu(*menu, table_->indexAt(at));
    menu->popup(table_->viewport()->mapToGlobal(at));
  });
  connect(&workspace, &Workspace::project_changed, this, &ContextsView::attach);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &ContextsView::follow);
  connect(table_, &QTableView::clicked, this, [this] { workspace_.cursor().look(); });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const QString file = index.data(ContextsModel::kFileRole).toString();
    if (!file.isEmpty()) workspace_.request_built_place(file, index.data(ContextsModel::kLineRole).toInt());
  });
  tell();
}

void ContextsView::tell() {
  QString why = no_machine(workspace_);
  // Who works here keeps the keyboard while it is built anew.
  if (!why.isEmpty() && pages_->currentIndex() == 1 && workspace_.target() &&
      workspace_.target()->state() == Target::State::building)
    return;
  if (why.isEmpty() && workspace_.target()->view() && workspace_.target()->view()->contexts.empty())
    why = tr("No microengine has a program.");
  empty_->say(why);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
}

void ContextsView::fill_menu(QMenu& menu, const QModelIndex& row) {
  if (const auto id = model_ && row.isValid() ? model_->id(row.row()) : std::nullopt) {
    if (const uint32_t packet = row.data(ContextsModel::kPacketRole).toUInt(); number_of_packet(packet) != 0)
      menu.addAction(tr("Choose &packet %1").arg(number_of_packet(packet)), this,
                     [this, packet] { workspace_.cursor().set_packet(packet); });
    fill_context_menu(menu, workspace_, *id, this);
  }
  add_table_exports(menu, table_, workspace_);
}

void ContextsView::attach() {
  table_->setModel(nullptr);
  model_ = workspace_.target() ? std::make_unique<ContextsModel>(*workspace_.target()) : nullptr;
  widths_->forget();
  if (!model_) return;
  table_->setModel(model_.get());
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
    if (const auto id = model_->id(row.row())) workspace_.cursor().set_context(id);
    if (row.isValid() && table_->hasFocus()) workspace_.cursor().look();
  });
  connect(model_.get(), &QAbstractItemModel::modelReset, this, &ContextsView::shown);
  connect(model_.get(), &QAbstractItemModel::dataChanged, this, &ContextsView::shown);
  connect(workspace_.target(), &Target::state_changed, this, &ContextsView::tell);
  connect(model_.get(), &QAbstractItemModel::modelReset, this, &ContextsView::tell);
  tell();
}

void ContextsView::shown() {
  if (model_->rowCount() == 0) return;
  if (workspace_.target()->state() != Target::State::running || !measured_.isValid() ||
      measured_.elapsed() > kMeasured) {
    widths_->fit();
    measured_.start();
  }
  if (!workspace_.cursor().context()) workspace_.cursor().set_context(model_->id(0));
  follow();
}

void ContextsView::follow() {
  const auto id = workspace_.cursor().context();
  if (!model_ || !id) return;
  const int row = model_->row_of(*id);
  if (row >= 0 && table_->currentIndex().row() != row) table_->selectRow(row);
}

QJsonValue ContextsView::state() const { return pages_->currentIndex() == 0 ? empty_->state() : rows_of(model_.get()); }

}  // namespace weft::ide
