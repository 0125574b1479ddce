// How the docks of the window stand: what is kept from one time to the next, and arrangements for writing, debugging
// and looking for time.
#pragma once

#include <QMainWindow>
#include <QSettings>
#include <vector>

namespace weft::ide {

/// The user's settings, one file for the program (weft/weft-ide.ini).
QSettings user_settings();

enum class Layout {
  edit,     ///< texts are large; problems below
  debug,    ///< contexts below, registers at the side
  analyse,  ///< the lower half is for history, coverage, packets and figures
};

class Layouts {
 public:
  /// All docks of the window, in the order in which they stand after each other.
  Layouts(QMainWindow& window, std::vector<QDockWidget*> docks) : window_(window), docks_(std::move(docks)) {}

  /// As if the window had never been used.
  void reset(Layout layout = Layout::debug);
  /// What was kept; false: nothing was, or by a program whose docks were others.
  bool restore();
  void save() const;

 private:
  QDockWidget* dock(const char* name) const;
  QMainWindow& window_;
  std::vector<QDockWidget*> docks_;
};

}  // namespace weft::ide
