#include "references_view.h"

#include <QJsonObject>
#include <QLabel>
#include <QVBoxLayout>

#include "places_table.h"
#include "tables.h"
#include "view_parts.h"

namespace weft::ide {

ReferencesView::ReferencesView(Workspace& workspace, Theme)
    : workspace_(workspace),
      model_(new PlacesModel(this)),
      what_(new QLabel),
      table_(make_places_table(this, tr("References"), *model_, workspace)) {
  QVBoxLayout* box = tight_column(this);
  what_->setMargin(4);
  what_->setText(tr("Put the cursor on a name and press Shift+F12 to see where it is declared and used."));
  what_->setWordWrap(true);
  box->addWidget(what_);
  box->addWidget(table_, 1);
  table_->hide();
  box->addStretch(0);
  connect(&workspace, &Workspace::project_changed, this, [this] {
    model_->set({});
    table_->hide();
  });
}

void ReferencesView::show_references(const QString& what, std::vector<FoundPlace> places) {
  what_->setText(what);
  table_->show();
  model_->set(std::move(places), workspace_.names());
  table_->resizeColumnsToContents();
  if (model_->rowCount() > 0) table_->selectRow(0);
}

QJsonValue ReferencesView::state() const { return QJsonObject{{"what", what_->text()}, {"places", rows_of(model_)}}; }

}  // namespace weft::ide
