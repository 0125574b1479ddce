#include "registers_view.h"

#include <QInputDialog>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "breakpoint_menu.h"
#include "changed_delegate.h"
#include "column_widths.h"
#include "empty_page.h"
#include "models/contexts_model.h"
#include "table_export.h"
#include "tables.h"

namespace weft::ide {

RegistersView::RegistersView(Workspace& workspace, Theme)
    : workspace_(workspace),
      pages_(new QStackedWidget(this)),
      empty_(new EmptyPage),
      whose_(new QLabel),
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
  box->addWidget(whose_);
  box->addWidget(table_);
  connect(&workspace, &Workspace::project_changed, this, &RegistersView::attach);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &RegistersView::follow);
  connect(table_, &QTableView::doubleClicked, this, &RegistersView::edit);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill_menu(*menu, table_->indexAt(at));
    menu->popup(table_->viewport()->mapToGlobal(at));
  });
  follow();
}

void RegistersView::fill_menu(QMenu& menu, const QModelIndex& row) {
  if (const auto id = model_ && row.isValid() ? model_->shown() : std::nullopt) {
    QString name = row.siblingAtColumn(RegistersModel::kName).data().toString();
    if (row.siblingAtColumn(RegistersModel::kPhysical).data().toString().endsWith(QStringLiteral("out")))
      name += QStringLiteral(".out");
    QAction* change = menu.addAction(tr("Change the &value..."), this, [this, row] { edit(row); });
    change->setEnabled(!row.siblingAtColumn(RegistersModel::kDecimal).data().toString().isEmpty());
    menu.addSeparator();
    const QString whose = name_of_context(workspace_, *id);
    fill_watch_menu(menu, workspace_,
                    name.startsWith(QLatin1Char('@')) ? whose.section(QLatin1Char('.'), 0, 0) + QLatin1Char('.') + name
                                                      : whose + QLatin1Char('.') + name,
                    this);
  }
  add_table_exports(menu, table_, workspace_);
}

void RegistersView::attach() {
  table_->setModel(nullptr);
  model_ = workspace_.target() ? std::make_unique<RegistersModel>(*workspace_.target()) : nullptr;
  widths_->forget();
  if (!model_) return;
  table_->setModel(model_.get());
  connect(model_.get(), &QAbstractItemModel::modelReset, widths_, &ColumnWidths::fit);
  connect(workspace_.target(), &Target::state_changed, this, &RegistersView::follow);
  follow();
}

void RegistersView::follow() {
  const auto id = workspace_.cursor().context();
  if (model_) model_->show(id);
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

void RegistersView::edit(const QModelIndex& index) {
  const auto id = model_->shown();
  const QString name = index.siblingAtColumn(RegistersModel::kName).data().toString();
  if (!id || index.siblingAtColumn(RegistersModel::kDecimal).data().toString().isEmpty()) {
    Q_EMIT workspace_.message(tr("%1 holds nothing at this place").arg(name));
    return;
  }
  const bool write_side =
      index.siblingAtColumn(RegistersModel::kPhysical).data().toString().endsWith(QStringLiteral("out"));
  bool chosen = false;
  const QString old = QStringLiteral("0x") + index.siblingAtColumn(RegistersModel::kHexadecimal).data().toString();
  const QString text =
      QInputDialog::getText(this, tr("Change a register"), tr("New value of %1 (12, 0x1f, 0b101):").arg(name),
                            QLineEdit::Normal, old, &chosen);
  if (!chosen) return;
  bool right = false;
  const qlonglong value =
      text.startsWith(QStringLiteral("0b")) ? text.mid(2).toLongLong(&right, 2) : text.toLongLong(&right, 0);
  if (!right) {
    Q_EMIT workspace_.message(tr("'%1' is no number: write 12, 0x1f or 0b101").arg(text));
    return;
  }
  workspace_.target()->write((write_side ? name + QStringLiteral(".out") : name).toStdString(), value, *id);
}

QJsonValue RegistersView::state() const {
  return pages_->currentIndex() == 0 ? empty_->state() : rows_of(model_.get());
}

}  // namespace weft::ide
