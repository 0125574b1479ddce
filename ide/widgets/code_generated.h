// The instructions that lines stand for, under the lines: where there are some (marks in the margins), and panels that
// show them.
#pragma once

#include <QObject>
#include <map>

#include "models/workspace.h"
#include "theme.h"

namespace weft::ide {

class CodeEditor;
class GeneratedPanel;
class Texts;
struct Text;

class CodeGenerated final : public QObject {
  Q_OBJECT

 public:
  CodeGenerated(Workspace& workspace, Texts& texts);

  /// Shows the instructions of a line, or folds them again.
  void toggle(CodeEditor* editor, int line, bool focus);
  GeneratedPanel* panel(const CodeEditor* editor, int line) const;

 Q_SIGNALS:
  void message(const QString& text);

 private:
  void attach();
  void editor_opened(CodeEditor* editor);
  void state_changed();
  /// As it was read for the machine: the instructions are those of its lines.
  bool is_built(const Text& text) const;
  void fetch();
  void changed(CodeEditor* editor);

  Workspace& workspace_;
  Texts& texts_;
  bool building_ = false;
  std::map<const QObject*, int> built_;  ///< revision of each text that the last build is of
};

}  // namespace weft::ide
