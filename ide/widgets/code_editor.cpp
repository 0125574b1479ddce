#include "code_editor.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <cmath>

namespace weft::ide {

namespace {

constexpr int kMarker = 14;  // pixels of a column of marks

}  // namespace

class CodeEditor::Margin final : public QWidget {
 public:
  explicit Margin(CodeEditor* editor) : QWidget(editor), editor_(editor) {
    setAccessibleName(CodeEditor::tr("Margin: line numbers and breakpoints"));
    setCursor(Qt::ArrowCursor);
  }

 protected:
  void paintEvent(QPaintEvent* event) override { editor_->paint_margin(event); }
  void mousePressEvent(QMouseEvent* event) override { editor_->margin_pressed(event); }

 private:
  CodeEditor* editor_;
};

CodeEditor::CodeEditor(Theme theme, QWidget* parent) : QPlainTextEdit(parent), theme_(theme), margin_(new Margin(this)) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSize(10);
  setFont(font);
  setLineWrapMode(NoWrap);
  setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(QLatin1Char(' ')));
  setAccessibleName(tr("Microcode"));
  connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeEditor::place_margin);
  connect(this, &QPlainTextEdit::updateRequest, margin_, [this](const QRect& rect, int dy) {
    if (dy != 0) margin_->scroll(0, dy);
    else margin_->update(0, rect.y(), margin_->width(), rect.height());
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &CodeEditor::mark_lines);
  place_margin();
}

void CodeEditor::set_index(std::shared_ptr<const assembler::Index> index, const QString& path) {
  index_ = std::move(index);
  path_ = path;
  colour_text();
}

void CodeEditor::set_problems(const Diagnostics& problems, const QString& path) {
  problems_ = {};
  for (const Diagnostic& d : problems)
    if (d.range.file && d.range.begin.line != 0 && QString::fromStdString(d.range.file->name()) == path) problems_.add(d);
  mark_lines();
}

void CodeEditor::set_breakpoints(std::set<int> enabled, std::set<int> disabled) {
  enabled_ = std::move(enabled);
  disabled_ = std::move(disabled);
  margin_->update();
}

void CodeEditor::set_contexts(std::map<int, QString> lines, int stopped) {
  contexts_ = std::move(lines);
  stopped_ = stopped;
  margin_->update();
  mark_lines();
}

void CodeEditor::set_counts(std::map<int, uint64_t> counts) {
  const bool had = !counts_.empty();
  counts_ = std::move(counts);
  most_ = 0;
  for (const auto& [line, count] : counts_) most_ = std::max(most_, count);
  if (had != !counts_.empty()) place_margin();
  margin_->update();
}

void CodeEditor::set_theme(Theme theme) {
  theme_ = theme;
  colour_text();
  mark_lines();
  margin_->update();
}

void CodeEditor::go_to(int line, int column) {
  const QTextBlock block = document()->findBlockByNumber(line - 1);
  if (!block.isValid()) return;
  QTextCursor cursor(block);
  cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, std::min(column - 1, block.length() - 1));
  setTextCursor(cursor);
  centerCursor();
}

// Colours are laid over the text by its layouts: the document itself, and its undo history, know nothing of them.
void CodeEditor::colour_text() {
  std::map<int, QList<QTextLayout::FormatRange>> lines;
  const auto file = index_ ? index_->file(path_.toStdString()) : std::nullopt;
  if (file) {
    for (const assembler::IndexToken& token : index_->tokens(*file)) {
      QTextCharFormat format = format_of(token.kind, theme_);
      if (token.inactive) format.setForeground(gutter_text(theme_));
      if (token.definition) format.setFontUnderline(token.kind != assembler::TokenClass::comment && token.kind != assembler::TokenClass::label);
      // A comment may go over several lines; columns count octets, which differ from characters only behind other than ASCII.
      int line = static_cast<int>(token.line), column = static_cast<int>(token.column) - 1, left = static_cast<int>(token.length);
      for (QTextBlock block = document()->findBlockByNumber(line - 1); block.isValid() && left > 0; block = block.next(), ++line) {
        const QByteArray octets = block.text().toUtf8();
        const int begin = static_cast<int>(QString::fromUtf8(octets.left(column)).size());
        const int here = std::min<int>(left, static_cast<int>(octets.size()) - column);
        if (here > 0) lines[line - 1].append({begin, static_cast<int>(QString::fromUtf8(octets.mid(column, here)).size()), format});
        left -= std::max(here, 0) + 1;
        column = 0;
        if (token.kind != assembler::TokenClass::comment) break;
      }
    }
  }
  for (QTextBlock block = document()->firstBlock(); block.isValid(); block = block.next()) {
    const auto known = lines.find(block.blockNumber());
    const QList<QTextLayout::FormatRange> formats = known == lines.end() ? QList<QTextLayout::FormatRange>() : known->second;
    if (block.layout()->formats() == formats) continue;
    block.layout()->setFormats(formats);
    document()->markContentsDirty(block.position(), block.length());
  }
}

void CodeEditor::mark_lines() {
  QList<QTextEdit::ExtraSelection> marks;
  const auto whole_line = [&](const QTextCursor& cursor, const QColor& colour) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = cursor;
    mark.cursor.clearSelection();
    mark.format.setBackground(colour);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    marks.append(mark);
  };
  whole_line(textCursor(), current_line(theme_));
  if (stopped_ > 0) whole_line(QTextCursor(document()->findBlockByNumber(stopped_ - 1)), stopped_line(theme_));
  for (const Diagnostic& d : problems_) {
    const QTextBlock begin = document()->findBlockByNumber(static_cast<int>(d.range.begin.line) - 1);
    const QTextBlock end = document()->findBlockByNumber(static_cast<int>(d.range.end.line) - 1);
    if (!begin.isValid() || !end.isValid()) continue;  // the text has become shorter since
    QTextEdit::ExtraSelection mark;
    const auto at = [](const QTextBlock& block, uint32_t column) { return block.position() + std::min<int>(std::max<int>(static_cast<int>(column) - 1, 0), block.length() - 1); };
    mark.cursor = QTextCursor(begin);
    mark.cursor.setPosition(at(begin, d.range.begin.column));
    mark.cursor.setPosition(std::max(at(end, d.range.end.column), at(begin, d.range.begin.column)), QTextCursor::KeepAnchor);
    if (!mark.cursor.hasSelection()) mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(d.severity == Severity::error ? error_colour() : warning_colour());
    marks.append(mark);
  }
  setExtraSelections(marks);
}

const Diagnostic* CodeEditor::problem_at(int line, int column) const {
  const Position at{static_cast<uint32_t>(line), static_cast<uint32_t>(column)};
  for (const Diagnostic& d : problems_)
    if (d.range.begin <= at && (at < d.range.end || at == d.range.begin)) return &d;
  return nullptr;
}

QString CodeEditor::tip_at(const QPoint& at) const {
  const QTextCursor cursor = cursorForPosition(at);
  const int line = cursor.blockNumber() + 1;
  const int column = static_cast<int>(cursor.block().text().left(cursor.positionInBlock()).toUtf8().size()) + 1;
  if (const Diagnostic* d = problem_at(line, column)) {
    QString text = QString::fromStdString(d->text).toHtmlEscaped();
    if (!d->remedy.empty()) text += QStringLiteral("<br><i>%1</i>").arg(QString::fromStdString(d->remedy).toHtmlEscaped());
    return text + QStringLiteral("<br><small>%1</small>").arg(QString::fromStdString(d->code));
  }
  const auto file = index_ ? index_->file(path_.toStdString()) : std::nullopt;
  if (!file) return {};
  const std::string hover = index_->hover_at(*file, {static_cast<uint32_t>(line), static_cast<uint32_t>(column)});
  if (hover.empty()) return {};
  QTextDocument markdown;
  markdown.setMarkdown(QString::fromStdString(hover));
  return markdown.toHtml();
}

bool CodeEditor::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString tip = tip_at(viewport()->mapFrom(this, help->pos()));
  if (tip.isEmpty()) QToolTip::hideText();
  else QToolTip::showText(help->globalPos(), tip, this);
  return true;
}

void CodeEditor::wheelEvent(QWheelEvent* event) {
  if ((event->modifiers() & Qt::ControlModifier) == 0) return QPlainTextEdit::wheelEvent(event);
  if (event->angleDelta().y() > 0) zoomIn();
  else zoomOut();
  place_margin();
}

int CodeEditor::margin_width() const {
  const int digits = std::max(3, static_cast<int>(std::log10(std::max(1, blockCount()))) + 1);
  return kMarker + fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits + kMarker + 6 + (counts_.empty() ? 0 : fontMetrics().horizontalAdvance(QStringLiteral("9999k")) + 8);
}

void CodeEditor::place_margin() {
  setViewportMargins(margin_width(), 0, 0, 0);
  const QRect area = contentsRect();
  margin_->setGeometry(area.left(), area.top(), margin_width(), area.height());
}

void CodeEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  place_margin();
}

void CodeEditor::paint_margin(QPaintEvent* event) {
  QPainter painter(margin_);
  painter.fillRect(event->rect(), gutter_background(theme_));
  painter.setFont(font());
  painter.setRenderHint(QPainter::Antialiasing);
  const int heat_width = counts_.empty() ? 0 : fontMetrics().horizontalAdvance(QStringLiteral("9999k")) + 8;
  const int numbers_right = margin_->width() - kMarker - 4 - heat_width;
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    if (box.top() > event->rect().bottom()) break;
    if (!block.isVisible() || box.bottom() < event->rect().top()) continue;
    const int line = block.blockNumber() + 1, top = static_cast<int>(box.top()), height = static_cast<int>(box.height());
    if (enabled_.contains(line) || disabled_.contains(line)) {
      painter.setPen(breakpoint_colour());
      painter.setBrush(enabled_.contains(line) ? QBrush(breakpoint_colour()) : Qt::NoBrush);
      painter.drawEllipse(QPointF(kMarker / 2.0 + 1, top + height / 2.0), 4.5, 4.5);
    }
    painter.setPen(line == current_line_number() ? palette().color(QPalette::Text) : gutter_text(theme_));
    painter.drawText(QRect(kMarker, top, numbers_right - kMarker, height), Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
    if (contexts_.contains(line)) {
      const double middle = top + height / 2.0, left = numbers_right + 4;
      const QPointF arrow[] = {{left, middle - 4}, {left + 8, middle}, {left, middle + 4}};
      painter.setPen(Qt::NoPen);
      painter.setBrush(line == stopped_ ? QColor(0xc7, 0x7c, 0x02) : gutter_text(theme_));
      painter.drawPolygon(arrow, 3);
    }
    if (const auto count = counts_.find(line); count != counts_.end()) {
      const QRect cell(margin_->width() - heat_width, top, heat_width, height);
      painter.fillRect(cell, heat(count->second == 0 ? 0.0 : std::max(0.08, std::log1p(double(count->second)) / std::log1p(double(most_))), theme_));
      painter.setPen(palette().color(QPalette::Text));
      const uint64_t n = count->second;
      const QString text = n < 10'000 ? QString::number(n) : n < 10'000'000 ? QStringLiteral("%1k").arg(n / 1000) : QStringLiteral("%1M").arg(n / 1'000'000);
      painter.drawText(cell.adjusted(0, 0, -4, 0), Qt::AlignRight | Qt::AlignVCenter, text);
    }
  }
}

void CodeEditor::margin_pressed(QMouseEvent* event) {
  const int line = cursorForPosition(QPoint(0, event->position().toPoint().y())).blockNumber() + 1;
  if (event->button() == Qt::LeftButton) Q_EMIT breakpoint_toggled(line);
}

}  // namespace weft::ide
