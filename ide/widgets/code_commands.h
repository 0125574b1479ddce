// Commands on the name or line at the cursor: definition, references, rename, repair, format, fold. What they know
// comes from the indexes of all programs that hold the text.
#pragma once

#include <QLineEdit>
#include <QObject>
#include <QPointer>

#include "texts.h"

namespace weft::ide {

class CodeGenerated;
class ReferencesView;

class CodeCommands final : public QObject {
  Q_OBJECT

 public:
  CodeCommands(Workspace& workspace, Texts& texts, ReferencesView& references);

  void complete();
  void signature();
  void definition();
  void references();
  /// Opens a field over the name; Enter renames, Escape gives up.
  void rename();
  /// Applies what the assembler offers for the line; asks when it offers several things.
  void repair();
  void format();
  void comment();
  void toggle_fold();
  /// The instructions of the line at the cursor, or of the one whose instructions have the keys.
  void toggle_generated();
  CodeGenerated& generated() { return *generated_; }
  /// The value of a register at the cursor's context, for the editor's tip.
  void answer_value(CodeEditor* editor, const QString& name);

 Q_SIGNALS:
  void message(const QString& text);
  void references_found();

 private:
  /// Null, and says why, when the assembler does not know the text as it stands.
  CodeEditor* known_editor();
  /// Null, and says why, when there is none or it must not be changed. Cursors in a text do not look at setReadOnly().
  CodeEditor* changeable_editor();
  void rename_to(const QString& path, Position position, const QString& old_name, const QString& name);
  void apply_fixits(const Diagnostic& problem);

  Workspace& workspace_;
  Texts& texts_;
  ReferencesView& references_;
  CodeGenerated* generated_;
  QPointer<QLineEdit> field_;
};

}  // namespace weft::ide
