// The machine follows the time cursor: while it stands, and somebody looks at another cycle that it has reached, it
// goes there, so that every view shows that cycle. It goes when the cursor rests, and one way at a time.
#pragma once

#include <QObject>
#include <QTimer>

#include "workspace.h"

namespace weft::ide {

class FollowCursor final : public QObject {
  Q_OBJECT

 public:
  explicit FollowCursor(Workspace& workspace, QObject* parent = nullptr);

  bool on() const { return on_; }
  void set_on(bool on) { on_ = on; }
  static constexpr int kRest = 120;  ///< ms

 private:
  void attach();
  void go();
  Workspace& workspace_;
  QTimer rest_;
  bool on_ = true, going_ = false;
};

}  // namespace weft::ide
