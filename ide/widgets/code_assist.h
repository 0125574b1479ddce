// What helps while a text is typed: a list of what may stand at the cursor, and the form of the instruction or macro
// that is being written. Both come from the assembler's index, which is a moment after the keys; they appear when it
// has caught up.
//
// The list is a child of the window, not a window of its own: keys stay with the editor, which asks takes() first.
#pragma once

#include <QKeyEvent>
#include <QLabel>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTreeWidget>

namespace weft::ide {

class CodeEditor;

class CodeAssist final : public QObject {
  Q_OBJECT

 public:
  explicit CodeAssist(CodeEditor& editor);
  ~CodeAssist() override;

  /// Shows what may stand at the cursor, also when nothing of it is written yet; inserts it when there is only one.
  void complete();
  void show_signature();
  void hide();

  /// A key that is for the list. The editor does nothing else with it then.
  bool takes(const QKeyEvent& event);
  /// The editor has done something with a key.
  void typed(const QKeyEvent& event);

  bool is_listing() const;
  QStringList listed() const;
  QString signature() const;  ///< as text; empty: none is shown

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void indexed();
  void fill();
  void accept();
  void hide_list();
  void ask_signature();
  void place(QWidget* widget, bool above);
  QString prefix() const;

  CodeEditor& editor_;
  QPointer<QTreeWidget> list_;  ///< both are the window's
  QPointer<QLabel> signature_;
  bool wanted_ = false;    ///< the list comes when the index has caught up
  bool explicit_ = false;  ///< it was asked for, not just typed
  bool inserts_ = false;   ///< and nobody has typed or seen a list since: the only word is written at once
  bool signature_wanted_ = false;
  int prefix_at_ = 0;  ///< character where the listed word begins
};

}  // namespace weft::ide
