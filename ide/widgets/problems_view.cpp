#include "problems_view.h"

#include <QJsonArray>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "breakpoint_menu.h"
#include "empty_page.h"
#include "table_export.h"
#include "tables.h"

namespace weft::ide {

ProblemsView::ProblemsView(Workspace& workspace, Theme)
    : workspace_(workspace),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      model_(new ProblemsModel(this)),
      table_(make_table(this, tr("Problems"))) {
  fill_view(this, pages_, empty_, table_);
  table_->setModel(model_);
  add_table_exports(table_, workspace);
  add_breakpoint_menus(table_, workspace, [this](const QModelIndex& index) {
    const Diagnostic* d = model_->at(index.row());
    return d != nullptr && d->range.file ? BreakpointRow{QString::fromStdString(d->range.file->name()),
                                                         static_cast<int>(d->range.begin.line),
                                                         {},
                                                         {},
                                                         true}
                                         : BreakpointRow();
  });
  connect(&workspace, &Workspace::problems_changed, this, [this] {
    model_->set(workspace_.problems(), workspace_.names());
    table_->resizeColumnsToContents();
    tell();
  });
  workspace.on_state(this, [this] { tell(); });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const Diagnostic* d = model_->at(index.row());
    if (d != nullptr && d->range.file)
      Q_EMIT workspace_.place_requested(QString::fromStdString(d->range.file->name()),
                                        static_cast<int>(d->range.begin.line), static_cast<int>(d->range.begin.column));
  });
  tell();
}

void ProblemsView::tell() {
  const Target* target = workspace_.target();
  empty_->say(
      target != nullptr && target->state() != Target::State::building
          ? tr("No problems. What the assembler finds wrong while you type, and what the build (Ctrl+B) says, stands "
               "here; Enter goes to its place.")
          : no_machine(workspace_));
  pages_->setCurrentIndex(model_->rowCount() > 0 ? 1 : 0);
}

QJsonValue ProblemsView::state() const { return pages_->currentIndex() == 0 ? empty_->state() : rows_of(model_); }

}  // namespace weft::ide
