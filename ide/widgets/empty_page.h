// What a view shows while it has nothing to show: why, and a button for the way out where there is one.
#pragma once

#include <QWidget>
#include <functional>

class QLabel;
class QPushButton;

namespace weft::ide {

class EmptyPage : public QWidget {
 public:
  /// `name`: the button's, for tests and style.
  EmptyPage(const QString& way_out, const char* name, std::function<void()> then);
  void say(const QString& why, bool offered);
  QString why() const;

 private:
  QLabel* why_;
  QPushButton* button_;
};

}  // namespace weft::ide
