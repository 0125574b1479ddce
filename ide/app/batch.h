// What --until, --screenshot and --dump-state ask for: the machine runs as far as it should, views are written to
// files, and the program ends as `weft run` would have ended (docs/cli.md).
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "models/target.h"
#include "weft/base/diagnostic.h"

namespace weft::ide {

class MainWindow;

/// Exit statuses of docs/cli.md.
enum Status : int { kDone = 0, kWrongInput = 1, kWrongUsage = 2 };

/// One line on standard error; gives the status.
int complain(const QString& text, Status status = kWrongUsage);
/// As the command line prints them.
void report(const Diagnostics& problems);

struct BatchOptions {
  QString until;      ///< empty: it does not run
  QStringList press;  ///< names of tools of the view, pressed after the run; "FIELD=TEXT" is typed into a field
  std::optional<ContextId> context;                    ///< where everybody looks after the run
  std::optional<uint64_t> cycle;                       ///< the same
  std::optional<std::pair<uint64_t, uint64_t>> range;  ///< cycles, first and the one after the last
  std::optional<QString> view;                         ///< --screenshot
  QString picture;                                     ///< its file
  std::optional<QString> dump;                         ///< --dump-state

  bool ends() const { return view || dump; }  ///< nobody looks at the window
};

class Batch final : public QObject {
 public:
  Batch(MainWindow& window, BatchOptions options);
  /// Before any work: whether there are such views and files. After a message.
  Status check() const;
  /// Once a project is open: what was asked for is done when it is built, and then the event loop ends, unless somebody
  /// looks at the window. `status`: what is wrong already.
  void begin(Status status);

 private:
  void settle(int rounds, const std::function<void()>& then);
  void look();
  void look_there();
  void wait_to_finish();  ///< what was pressed may have made the machine move, or another one
  void finish();
  bool write_picture() const;

  MainWindow& window_;
  BatchOptions options_;
  Status status_ = kDone;
  bool started_, done_ = false;
  Diagnostics built_, refused_;
};

}  // namespace weft::ide
