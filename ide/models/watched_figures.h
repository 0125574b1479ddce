// Figures of the machine that a view shows while somebody looks at it: asked for when the machine has moved, with a
// pause between two questions while it runs, and thrown away when another program is built.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "workspace.h"

namespace weft::ide {

class WatchedFigures : public QObject {
  Q_OBJECT

 public:
  /// While nobody looks, nothing is asked.
  void set_watching(bool on);
  Workspace& workspace() { return workspace_; }

 Q_SIGNALS:
  void changed();

 protected:
  /// `pause`: ms between two questions while it runs; it has better things to do than to answer.
  WatchedFigures(Workspace& workspace, int pause, QObject* parent);
  /// The last call of a constructor.
  void begin();
  /// What is shown is no longer true.
  void outdate();

  /// Another program: nothing is known of it.
  virtual void renewed() = 0;
  /// Sends one question by question().
  virtual void send(Target& target) = 0;

  /// Takes an answer that is about the present program.
  template <class Ask, class Take>
  void question(Target& target, Ask&& ask, Take&& take) {
    target.ask(this, std::forward<Ask>(ask),
               [this, build = build_, take = std::forward<Take>(take)](const auto& answer) {
                 if (build != build_) return;
                 asking_ = false;
                 take(answer);
                 ask_when_due();
               });
  }

  Workspace& workspace_;

 private:
  void attach();
  void renew();
  void ask_when_due();

  const int pause_;
  bool watching_ = false, asking_ = false, stale_ = true;
  unsigned build_ = 0;  ///< answers of an older one are thrown away
  QElapsedTimer since_;
  QTimer later_;
};

}  // namespace weft::ide
