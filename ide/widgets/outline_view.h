// The outline of the text that is open, beside it: a click goes there, and the row of the cursor is the chosen one.
#pragma once

#include <QPointer>

#include "models/outline_model.h"
#include "views.h"

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTreeView;

namespace weft::ide {

class CodeEditor;
class EmptyPage;

class OutlineView final : public View {
  Q_OBJECT

 public:
  OutlineView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;
  /// Null: no text is open.
  void set_editor(CodeEditor* editor);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void follow();
  void go(const QModelIndex& index);

  Workspace& workspace_;
  OutlineModel model_;
  QSortFilterProxyModel* filtered_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QLineEdit* filter_;
  QTreeView* tree_;
  QPointer<CodeEditor> editor_;
};

}  // namespace weft::ide
