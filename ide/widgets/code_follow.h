// The texts follow the time: whoever looks at a context, a moment or a packet sees its place, and so does who pauses.
// What the user does in a view tells Cursor::looked(); what is chosen by itself moves no text.
#pragma once

#include <QObject>
#include <functional>

#include "models/follow_cursor.h"
#include "models/workspace.h"

namespace weft::ide {

class Texts;

class CodeFollow final : public QObject {
  Q_OBJECT

 public:
  CodeFollow(Workspace& workspace, Texts& texts, const FollowCursor& machine, QObject* parent = nullptr);

  bool on() const { return on_; }
  void set_on(bool on);
  /// No text moves while this is true.
  void keep_still_while(std::function<bool()> busy) { busy_ = std::move(busy); }

 private:
  void attach();
  void stands();
  void looked();
  void packet_looked(uint32_t id);
  bool will_go() const;
  void show_packet(uint32_t id);
  void show_context();
  void show(const QString& file, int line);

  Workspace& workspace_;
  Texts& texts_;
  const FollowCursor& machine_;  ///< whether it will go where somebody looks
  std::function<bool()> busy_;
  bool on_ = true;
  uint32_t packet_ = 0;  ///< whose place is shown when the machine has gone where somebody looks
  uint64_t stops_ = 0;   ///< the last one whose place was shown, or that needed none
};

}  // namespace weft::ide
