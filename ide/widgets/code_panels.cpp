#include "code_panels.h"

#include <QPlainTextEdit>
#include <algorithm>

namespace weft::ide {

namespace {

struct Room final : QTextBlockUserData {
  explicit Room(int pixels) : height(pixels) {}
  int height;
};

}  // namespace

int PanelLayout::room_below(const QTextBlock& block) {
  const auto* room = static_cast<const Room*>(block.userData());
  return room != nullptr && block.isVisible() ? room->height : 0;
}

QRectF PanelLayout::blockBoundingRect(const QTextBlock& block) const {
  const QRectF box = QPlainTextDocumentLayout::blockBoundingRect(block);
  return box.isEmpty() ? box : box.adjusted(0, 0, 0, room_below(block));
}

CodePanels::CodePanels(QPlainTextEdit& editor, BlockBox box) : editor_(editor), box_(std::move(box)) {
  connect(&editor, &QPlainTextEdit::updateRequest, this, &CodePanels::place);
  connect(&editor, &QPlainTextEdit::blockCountChanged, this, &CodePanels::drop_lost);
}

void CodePanels::add(int line, QWidget* panel, int height) {
  QTextBlock block = editor_.document()->findBlockByNumber(line - 1);
  if (!block.isValid() || at(line) != nullptr) return panel->deleteLater();
  panel->setParent(editor_.viewport());
  block.setUserData(new Room(height));
  panels_.push_back({panel, QTextCursor(block), height});
  changed();
}

void CodePanels::set_height(QWidget* panel, int height) {
  const auto known = std::ranges::find_if(panels_, [&](const Panel& p) { return p.widget == panel; });
  if (known == panels_.end() || known->height == height) return;
  known->height = height;
  known->line.block().setUserData(new Room(height));
  changed();
}

void CodePanels::remove(QWidget* panel) {
  const auto known = std::ranges::find_if(panels_, [&](const Panel& p) { return p.widget == panel; });
  if (known == panels_.end()) return;
  known->line.block().setUserData(nullptr);
  panels_.erase(known);
  panel->hide();
  panel->deleteLater();
  changed();
}

QWidget* CodePanels::at(int line) const {
  for (const Panel& p : panels_)
    if (p.line.blockNumber() + 1 == line) return p.widget;
  return nullptr;
}

int CodePanels::line_of(const QWidget* panel) const {
  for (const Panel& p : panels_)
    if (p.widget == panel) return p.line.blockNumber() + 1;
  return 0;
}

std::vector<QWidget*> CodePanels::all() const {
  std::vector<QWidget*> out;
  for (const Panel& p : panels_) out.push_back(p.widget);
  return out;
}

// A line that was deleted has taken its room along: its cursor now stands on a line without, or with another panel's.
void CodePanels::drop_lost() {
  std::vector<QWidget*> lost;
  std::vector<int> seen;
  for (const Panel& p : panels_) {
    const int number = p.line.blockNumber();
    if (p.line.block().userData() == nullptr || std::ranges::find(seen, number) != seen.end()) lost.push_back(p.widget);
    seen.push_back(number);
  }
  for (QWidget* panel : lost) {
    std::erase_if(panels_, [&](const Panel& p) { return p.widget == panel; });
    panel->hide();
    panel->deleteLater();
  }
  if (!lost.empty()) changed();
}

void CodePanels::changed() {
  QTextDocument* document = editor_.document();
  Q_EMIT document->documentLayout()->documentSizeChanged(document->documentLayout()->documentSize());
  editor_.viewport()->update();
  Q_EMIT editor_.updateRequest(editor_.viewport()->rect(), 0);
  place();
}

void CodePanels::place() {
  for (const Panel& p : panels_) {
    if (!p.widget) continue;
    const QTextBlock block = p.line.block();
    const QRectF box = block.isVisible() ? box_(block) : QRectF();
    const int top = static_cast<int>(box.bottom()) - p.height;
    const bool shown = !box.isEmpty() && box.bottom() > 0 && top < editor_.viewport()->height();
    if (shown) p.widget->setGeometry(0, top, editor_.viewport()->width(), p.height);
    p.widget->setVisible(shown);
  }
}

}  // namespace weft::ide
