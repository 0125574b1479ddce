// What a view shows while it has nothing to show: why, and a button for the way out where there is one.
#pragma once

#include <QWidget>
#include <functional>

class QJsonValue;
class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace weft::ide {

class Workspace;

/// Why no view can show a machine: it is being built, or could not be. The same sentence in all views; empty when there
/// is one.
QString no_machine(const Workspace& workspace);

class EmptyPage : public QWidget {
 public:
  EmptyPage();  ///< without a way out
  /// `name`: the button's, for tests and style.
  EmptyPage(const QString& way_out, const char* name, std::function<void()> then);
  void say(const QString& why, bool offered = false);
  QString why() const;
  QJsonValue state() const;  ///< as View::state()

 private:
  QLabel* why_;
  QPushButton* button_ = nullptr;
};

/// `pages` fill the view: first what it says while it has nothing to show, then `full`.
void fill_view(QWidget* view, QStackedWidget* pages, EmptyPage* empty, QWidget* full);
/// The same with a column, without gaps, which is returned.
QVBoxLayout* fill_view(QWidget* view, QStackedWidget* pages, EmptyPage* empty);

}  // namespace weft::ide
