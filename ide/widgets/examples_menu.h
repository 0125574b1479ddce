// File, Open example: what comes with Weft.
#pragma once

#include <QMenu>

namespace weft::ide {

class ExamplesMenu final : public QMenu {
  Q_OBJECT

 public:
  explicit ExamplesMenu(QWidget* parent = nullptr);

 Q_SIGNALS:
  void chosen(const QString& path);  ///< a project's folder

 private:
  void fill();
};

}  // namespace weft::ide
