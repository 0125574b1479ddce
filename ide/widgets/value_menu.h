// What every value offers, wherever it is shown: who wrote it and who reads it next, and a place among the watches. As
// entries of a context menu, and by keys.
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "models/workspace.h"

class QMenu;
class QWidget;

namespace weft::ide {

class CodeEditor;

/// A value by its name in expressions, without a chip, and whose it is.
struct ValueName {
  QString name;
  ContextId where;
};

/// Of a register by its own name; an absolute one is of the microengine.
ValueName register_value(const QString& name, ContextId where);
void ask_origin(Workspace& workspace, const ValueName& value);
void add_watch(Workspace& workspace, const ValueName& value);
void fill_value_menu(QMenu& menu, Workspace& workspace, const ValueName& value, bool has_writer = true);
/// Ctrl+Shift+W and Ctrl+Shift+A in a view, for the value that is chosen there.
void add_value_keys(QWidget* view, Workspace& workspace, std::function<std::optional<ValueName>()> chosen);

/// The same for the name at the pointer, or at the text cursor, of an editor.
class CodeValues final : public QObject {
  Q_OBJECT

 public:
  CodeValues(Workspace& workspace, CodeEditor& editor);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::optional<ValueName> value_at(int character) const;
  Workspace& workspace_;
  CodeEditor& editor_;
};

}  // namespace weft::ide
