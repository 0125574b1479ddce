// Values at the ends of lines: what the register holds that the word of a line has written, for the words that the
// chosen context has executed last.
#pragma once

#include <QObject>

#include "models/refresh_request.h"
#include "models/workspace.h"

namespace weft::ide {

class Texts;

class LineValues final : public QObject {
  Q_OBJECT

 public:
  LineValues(Workspace& workspace, Texts& texts, QObject* parent = nullptr);
  bool on() const { return on_; }
  void set_on(bool on);
  static constexpr int kLines = 24;  ///< at most

 private:
  void attach();
  void ask();
  void show(const std::map<QString, std::map<int, QString>>& notes);
  Workspace& workspace_;
  Texts& texts_;
  RefreshRequest request_;
  bool on_ = true;
};

}  // namespace weft::ide
