#include "registers_view.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "breakpoint_menu.h"
#include "changed_delegate.h"
#include "column_widths.h"
#include "empty_page.h"
#include "models/contexts_model.h"
#include "past_question.h"
#include "table_export.h"
#include "tables.h"

namespace weft::ide {

RegistersView::RegistersView(Workspace& workspace, Theme)
    : workspace_(workspace),
      pages_(new QStackedWidget(this)),
      empty_(new EmptyPage),
      whose_(new QLabel),
      undo_(new QPushButton(tr("Undo"))),
      table_(make_table(this, tr("Registers"))),
      widths_(new ColumnWidths(table_, {RegistersModel::kLive})) {
  table_->setItemDelegate(new ChangedDelegate(RegistersModel::kChangedRole, table_));
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(pages_);
  auto* full = new QWidget;
  pages_->addWidget(empty_);
  pages_->addWidget(full);
  auto* box = new QVBoxLayout(full);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(2);
  whose_->setMargin(4);
  undo_->setObjectName(QStringLiteral("undo_register"));
  undo_->setAccessibleName(tr("Undo the last change of a register"));
  undo_->setToolTip(undo_->accessibleName());
  undo_->setEnabled(false);
  connect(undo_, &QPushButton::clicked, this, [this] {
    if (model_) model_->undo();
  });
  auto* top = new QHBoxLayout;
  top->addWidget(whose_, 1);
  top->addWidget(undo_);
  box->addLayout(top);
  box->addWidget(table_);
  connect(&workspace, &Workspace::project_changed, this, &RegistersView::attach);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &RegistersView::follow);
  connect(table_, &QTableView::activated, this, &RegistersView::edit);  // a double click, Enter
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill_menu(*menu, table_->indexAt(at));
    menu->popup(table_->viewport()->mapToGlobal(at));
  });
  add_value_keys(this, workspace, [this] { return value_of(table_->currentIndex()); });
  follow();
}

void RegistersView::fill_menu(QMenu& menu, const QModelIndex& row) {
  if (const auto id = model_ && row.isValid() ? model_->shown() : std::nullopt) {
    const QString name = QString::fromStdString(model_->name_of(row.row()));
    QAction* change = menu.addAction(tr("Change the &value..."), this, [this, row] { edit(row); });
    change->setEnabled(!row.siblingAtColumn(RegistersModel::kDecimal).data().isNull());
    menu.addAction(tr("&Undo the last change"), undo_, &QPushButton::click)->setEnabled(model_->can_undo());
    if (const auto value = value_of(row)) fill_value_menu(menu, workspace_, *value);
    menu.addSeparator();
    const QString whose = name_of_context(workspace_, *id);
    fill_watch_menu(menu, workspace_,
                    name.startsWith(QLatin1Char('@')) ? whose.section(QLatin1Char('.'), 0, 0) + QLatin1Char('.') + name
                                                      : whose + QLatin1Char('.') + name,
                    this);
  }
  add_table_exports(menu, table_, workspace_);
}

std::optional<ValueName> RegistersView::value_of(const QModelIndex& row) const {
  const auto id = model_ && row.isValid() ? model_->shown() : std::nullopt;
  if (!id || row.siblingAtColumn(RegistersModel::kDecimal).data().toString().isEmpty()) return std::nullopt;
  QString name = row.siblingAtColumn(RegistersModel::kName).data().toString();
  if (row.siblingAtColumn(RegistersModel::kPhysical).data().toString().endsWith(QStringLiteral("out")))
    name += QStringLiteral(".out");
  return register_value(name, *id);
}

void RegistersView::attach() {
  table_->setModel(nullptr);
  model_ = workspace_.target() ? std::make_unique<RegistersModel>(*workspace_.target()) : nullptr;
  widths_->forget();
  if (!model_) return;
  table_->setModel(model_.get());
  model_->set_careful(careful(workspace_, this));
  undo_->setEnabled(false);
  connect(model_.get(), &RegistersModel::refused, &workspace_, &Workspace::message);
  connect(model_.get(), &RegistersModel::edited, this, [this](const QString& text) {
    undo_->setEnabled(model_->can_undo());
    Q_EMIT workspace_.message(text);
    if (workspace_.target()) Q_EMIT workspace_.target()->said(text);
  });
  connect(model_.get(), &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    const QModelIndex chosen = table_->currentIndex();
    if (chosen.isValid()) chosen_ = {chosen.siblingAtColumn(RegistersModel::kName).data().toString(), chosen.column()};
  });
  connect(model_.get(), &QAbstractItemModel::modelReset, this, &RegistersView::choose_again);
  connect(model_.get(), &QAbstractItemModel::modelReset, widths_, &ColumnWidths::fit);
  connect(model_.get(), &QAbstractItemModel::dataChanged, widths_, &ColumnWidths::fit);
  connect(workspace_.target(), &Target::state_changed, this, &RegistersView::follow);
  // After the model has taken it out.
  connect(workspace_.target(), &Target::refused, this, [this] { undo_->setEnabled(model_ && model_->can_undo()); });
  follow();
}

void RegistersView::follow() {
  const auto id = workspace_.cursor().context();
  if (model_) model_->show(id);
  undo_->setEnabled(model_ && model_->can_undo());
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  if (id && view) whose_->setText(tr("of %1, where it stands").arg(context_text(*view, *id)));
  QString why = no_machine(workspace_);
  // Who works here keeps the keyboard while it is built anew.
  if (!why.isEmpty() && pages_->currentIndex() == 1 && workspace_.target() &&
      workspace_.target()->state() == Target::State::building)
    return;
  if (why.isEmpty() && !id) why = tr("No context is chosen: choose one in the view Contexts.");
  empty_->say(why);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
}

// Other rows stand here after another word; who had chosen a register goes on with it.
void RegistersView::choose_again() {
  for (int i = 0; !chosen_.name.isEmpty() && i < model_->rowCount(); ++i)
    if (model_->index(i, RegistersModel::kName).data().toString() == chosen_.name)
      return table_->setCurrentIndex(model_->index(i, chosen_.column));
}

void RegistersView::edit(const QModelIndex& index) {
  if (index.siblingAtColumn(RegistersModel::kDecimal).data().isNull())
    return Q_EMIT workspace_.message(
        tr("%1 holds nothing at this place").arg(index.siblingAtColumn(RegistersModel::kName).data().toString()));
  const bool decimal = index.column() == RegistersModel::kDecimal;
  table_->edit(index.siblingAtColumn(decimal ? RegistersModel::kDecimal : RegistersModel::kHexadecimal));
}

QJsonValue RegistersView::state() const {
  return pages_->currentIndex() == 0 ? empty_->state() : rows_of(model_.get());
}

}  // namespace weft::ide
