// Search and replace in all texts of the project, as they stand on the screen.
#pragma once

#include <QTimer>

#include "models/text_edit.h"
#include "models/text_search.h"
#include "views.h"

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace weft::ide {

class FindView final : public View {
  Q_OBJECT

 public:
  FindView(Workspace& workspace, Theme theme);
  /// Puts the keys into its field.
  void open(const QString& what);
  QJsonValue state() const override;

 Q_SIGNALS:
  void edits_requested(const std::vector<weft::ide::TextEdit>& edits);

 private:
  void search();
  void search_one();
  void replace_all();

  Workspace& workspace_;
  PlacesModel* model_;
  QLineEdit *what_, *with_;
  QToolButton *case_, *words_, *expression_;
  QLabel* count_;
  QTableView* table_;
  QTimer turn_;  ///< a file a turn, so that keys are never kept waiting
  QStringList files_;
  qsizetype next_ = 0;
  std::unique_ptr<TextSearch> search_;
};

/// Files of a project that a person edits: its own, and all that its programs are made of.
QStringList project_texts(const Workspace& workspace, const Language& language);

}  // namespace weft::ide
