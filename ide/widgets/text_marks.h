// What the margins of all open texts show of the machine: breakpoints, where contexts stand, how often lines were
// executed.
#pragma once

#include <QObject>

#include "models/workspace.h"

namespace weft::ide {

class CodeEditor;
class Texts;

class TextMarks final : public QObject {
  Q_OBJECT

 public:
  TextMarks(Workspace& workspace, Texts& texts, QObject* parent = nullptr);

  /// Breakpoints of this text go with its lines from now on.
  void follow(CodeEditor* editor);
  void breakpoints();
  void contexts();
  void counts();
  void all() {
    breakpoints();
    contexts();
    counts();
  }

 private:
  Workspace& workspace_;
  Texts& texts_;
};

}  // namespace weft::ide
