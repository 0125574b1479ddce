// What the window shows while no project is open: where one can begin.
#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace weft::ide {

class WelcomePage final : public QScrollArea {
  Q_OBJECT

 public:
  explicit WelcomePage(QWidget* parent = nullptr);
  void set_recent(const QStringList& paths);

 Q_SIGNALS:
  void project_chosen(const QString& path);
  void tour_chosen(int tour);  ///< tours()
  void open_requested();
  void new_requested();

 private:
  QVBoxLayout* recent_;
};

}  // namespace weft::ide
