// Widgets under lines of a text: the line's block is made taller, and the widget lies in the room below the line. It
// moves with the line, is hidden with it in a fold, and goes with it. The text knows nothing of it: no rows are in the
// document that would have to be kept out of files, searches and undo.
#pragma once

#include <QObject>
#include <QPlainTextDocumentLayout>
#include <QPointer>
#include <QTextBlock>
#include <QTextCursor>
#include <functional>
#include <vector>

class QPlainTextEdit;

namespace weft::ide {

/// A layout whose blocks may have room below them.
class PanelLayout final : public QPlainTextDocumentLayout {
 public:
  using QPlainTextDocumentLayout::QPlainTextDocumentLayout;
  QRectF blockBoundingRect(const QTextBlock& block) const override;
  /// Pixels below the lines of a block.
  static int room_below(const QTextBlock& block);
};

class CodePanels final : public QObject {
  Q_OBJECT

 public:
  /// Where a block stands in the viewport.
  using BlockBox = std::function<QRectF(const QTextBlock&)>;
  CodePanels(QPlainTextEdit& editor, BlockBox box);

  /// Takes the widget; one a line.
  void add(int line, QWidget* panel, int height);
  void set_height(QWidget* panel, int height);
  void remove(QWidget* panel);
  QWidget* at(int line) const;
  /// 0: it is not a panel of this text.
  int line_of(const QWidget* panel) const;
  std::vector<QWidget*> all() const;
  /// Puts the widgets where their lines are.
  void place();

 private:
  struct Panel {
    QPointer<QWidget> widget;
    QTextCursor line;
    int height = 0;
  };
  void drop_lost();
  void changed();

  QPlainTextEdit& editor_;
  BlockBox box_;
  std::vector<Panel> panels_;
};

}  // namespace weft::ide
