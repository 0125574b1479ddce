#include "problems_view.h"

#include <QJsonArray>
#include <QVBoxLayout>

#include "breakpoint_menu.h"
#include "table_export.h"
#include "tables.h"

namespace weft::ide {

ProblemsView::ProblemsView(Workspace& workspace, Theme) : workspace_(workspace), model_(new ProblemsModel(this)), table_(make_table(this, tr("Problems"))) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->addWidget(table_);
  table_->setModel(model_);
  add_table_exports(table_, workspace);
  add_breakpoint_menus(table_, workspace, [this](const QModelIndex& index) {
    const Diagnostic* d = model_->at(index.row());
    return d != nullptr && d->range.file ? BreakpointRow{QString::fromStdString(d->range.file->name()), static_cast<int>(d->range.begin.line)} : BreakpointRow();
  });
  connect(&workspace, &Workspace::problems_changed, this, [this] {
    model_->set(workspace_.problems());
    table_->resizeColumnsToContents();
  });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const Diagnostic* d = model_->at(index.row());
    if (d != nullptr && d->range.file)
      Q_EMIT workspace_.place_asked(QString::fromStdString(d->range.file->name()), static_cast<int>(d->range.begin.line), static_cast<int>(d->range.begin.column));
  });
}

QJsonValue ProblemsView::state() const { return rows_of(model_); }

}  // namespace weft::ide
