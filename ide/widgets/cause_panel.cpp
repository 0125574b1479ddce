#include "cause_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "table_export.h"
#include "tables.h"

namespace weft::ide {

CausePanel::CausePanel(SleepCauses& causes, Workspace& workspace, QWidget* parent)
    : QWidget(parent), causes_(causes), title_(new QLabel), table_(make_table(nullptr, tr("Why it slept"))) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(4, 2, 0, 0);
  title_->setWordWrap(true);
  title_->setTextFormat(Qt::PlainText);
  box->addWidget(title_);
  box->addWidget(table_, 1);
  table_->setModel(&causes);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setToolTip(tr("Enter or a double click goes to the moment, and to its place in the text"));
  add_table_exports(table_, workspace);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) { causes_.go(index.row()); });
  connect(&causes, &SleepCauses::changed, this, &CausePanel::tell);
  tell();
}

void CausePanel::tell() {
  title_->setText(causes_.title());
  setVisible(causes_.cause().has_value());
  table_->resizeColumnsToContents();
}

}  // namespace weft::ide
