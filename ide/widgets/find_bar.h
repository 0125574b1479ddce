// Search and replace in one text, in a bar under it. What is found is marked while it is typed.
#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

#include "models/text_search.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace weft::ide {

class CodeEditor;

class FindBar final : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(QWidget* parent = nullptr);
  /// Opens, with what is selected in the editor.
  void open(CodeEditor* editor, bool replacing);
  void set_editor(CodeEditor* editor);
  void next();
  void previous();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void search();
  void go(int match);
  void replace_one();
  void replace_all();
  void close_bar();
  TextSearch pattern() const;

  QPointer<CodeEditor> editor_;
  QLineEdit *what_, *with_;
  QToolButton *case_, *words_, *expression_;
  QLabel* count_;
  QWidget* replace_row_;
  std::vector<SearchMatch> matches_;
  int chosen_ = -1;
  bool changing_ = false;
};

/// A small button that stays pressed.
QToolButton* make_choice(const QString& text, const QString& name);

}  // namespace weft::ide
