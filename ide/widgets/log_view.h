// What breakpoints and commands say, and why the machine stopped each time.
#pragma once

#include "views.h"

class QPlainTextEdit;

namespace weft::ide {

class LogView final : public View {
  Q_OBJECT

 public:
  LogView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

 private:
  QPlainTextEdit* text_;
};

}  // namespace weft::ide
