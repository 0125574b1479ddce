// One field for everything (models/finder.h): it lies over the window while it is used, and needs no mouse.
#pragma once

#include <QFrame>
#include <QPointer>

#include "models/finder.h"
#include "models/workspace.h"

class QLabel;
class QLineEdit;
class QListView;

namespace weft::ide {

class FinderList;

class Finder final : public QFrame {
  Q_OBJECT

 public:
  explicit Finder(Workspace& workspace, QWidget* window);
  /// With this in the field, and everything that there is to find.
  void open(const QString& text, std::vector<FinderItem> all, int lines);
  std::vector<FinderItem> shown() const;
  QLineEdit* field() const { return field_; }
  QListView* list() const { return list_; }

 Q_SIGNALS:
  void chosen(const weft::ide::FinderItem& item);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void search();
  void show_items(std::vector<FinderItem> items, const QString& none);
  void choose();
  void leave();
  void place();

  Workspace& workspace_;
  QLineEdit* field_;
  QListView* list_;
  QLabel* note_;
  FinderList* model_;
  std::vector<FinderItem> all_;
  int lines_ = 0;
  uint64_t asked_ = 0;        ///< packets: answers to older texts are of no use
  QPointer<QWidget> before_;  ///< had the keyboard
};

}  // namespace weft::ide
