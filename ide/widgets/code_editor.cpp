#include "code_editor.h"

#include <QAbstractTextDocumentLayout>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <array>
#include <cmath>

#include "code_assist.h"

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

CodeEditor::CodeEditor(Theme theme, QWidget* parent) : QPlainTextEdit(parent), theme_(theme), margin_(new Margin(this)), assist_(std::make_unique<CodeAssist>(*this)) {
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
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    // What somebody goes to is shown, also inside of a fold.
    for (int line = current_line_number(); !textCursor().block().isVisible() && line > 0; --line)
      if (is_folded(line)) toggle_fold(line);
    mark_lines();
  });
  connect(document(), &QTextDocument::contentsChange, this, &CodeEditor::shift_colours);
  place_margin();
}

CodeEditor::~CodeEditor() = default;

void CodeEditor::set_index(std::shared_ptr<const assembler::Index> index, const QString& path) {
  const bool another = index != index_;
  index_ = std::move(index);
  path_ = path;
  if (another) stale_ = true;
  if ((another || !coloured_) && is_current()) {
    colour_text();
    take_folds();
    Q_EMIT indexed();
  } else if (!index_) {
    colour_text();
    take_folds();
  }
}

std::optional<uint32_t> CodeEditor::index_file() const { return index_ ? index_->file(path_.toStdString()) : std::nullopt; }

bool CodeEditor::is_current() const {
  const auto file = index_file();
  if (!file) return false;
  if (stale_) {
    QByteArray known = QByteArray::fromStdString(std::string(index_->text(*file)));
    known.replace("\r\n", "\n");
    stale_ = known != toPlainText().toUtf8();
  }
  return !stale_;
}

Position CodeEditor::position_of(int character) const {
  const QTextBlock block = document()->findBlock(character);
  return {static_cast<uint32_t>(block.blockNumber() + 1), column_of(block.text(), character - block.position())};
}

int CodeEditor::character_at(Position position) const {
  const QTextBlock block = document()->findBlockByNumber(static_cast<int>(position.line) - 1);
  return block.isValid() ? block.position() + character_of(block.text(), position.column) : document()->characterCount() - 1;
}

void CodeEditor::replace_all(const QString& text) {
  const QString before = toPlainText();
  if (before == text) return;
  const QStringList old_lines = before.split(QLatin1Char('\n')), lines = text.split(QLatin1Char('\n'));
  const int line = current_line_number(), column = textCursor().positionInBlock();
  QTextCursor cursor(document());
  cursor.beginEditBlock();
  if (old_lines.size() == lines.size()) {
    for (int at = 0; at < static_cast<int>(lines.size()); ++at) {
      if (old_lines[at] == lines[at]) continue;
      const QTextBlock block = document()->findBlockByNumber(at);
      cursor.setPosition(block.position());
      cursor.setPosition(block.position() + block.length() - 1, QTextCursor::KeepAnchor);
      cursor.insertText(lines[at]);
    }
  } else {
    const qsizetype least = std::min(before.size(), text.size());
    qsizetype head = 0, tail = 0;
    while (head < least && before[head] == text[head]) ++head;
    while (tail < least - head && before[before.size() - 1 - tail] == text[text.size() - 1 - tail]) ++tail;
    cursor.setPosition(static_cast<int>(head));
    cursor.setPosition(static_cast<int>(before.size() - tail), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(head, text.size() - head - tail));
  }
  cursor.endEditBlock();
  const QTextBlock back = document()->findBlockByNumber(std::min(line, blockCount()) - 1);
  QTextCursor here(back);
  here.setPosition(back.position() + std::min(column, back.length() - 1));
  setTextCursor(here);
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
  cursor.setPosition(block.position() + character_of(block.text(), static_cast<uint32_t>(std::max(column, 1))));
  setTextCursor(cursor);
  centerCursor();
}

// Colours are laid over the text by its layouts: the document itself, and its undo history, know nothing of them. Only blocks whose
// colours have changed are laid out again.
void CodeEditor::colour_text() {
  coloured_ = true;
  std::array<std::array<QTextCharFormat, 4>, static_cast<size_t>(assembler::TokenClass::error) + 1> formats;  // inactive, definition
  for (size_t kind = 0; kind < formats.size(); ++kind)
    for (unsigned how = 0; how < 4; ++how) {
      QTextCharFormat& format = formats[kind][how];
      const auto cls = static_cast<assembler::TokenClass>(kind);
      format = format_of(cls, theme_);
      if ((how & 1) != 0) format.setForeground(gutter_text(theme_));
      if ((how & 2) != 0) format.setFontUnderline(cls != assembler::TokenClass::comment && cls != assembler::TokenClass::label);
    }
  const auto file = index_file();
  static const std::vector<assembler::IndexToken> kNone;
  const std::vector<assembler::IndexToken>& tokens = file ? index_->tokens(*file) : kNone;
  auto token = tokens.begin();
  QTextCharFormat going_on;  // of a comment that began on a line before
  int left = 0;
  int line = 1;
  for (QTextBlock block = document()->firstBlock(); block.isValid(); block = block.next(), ++line) {
    QList<QTextLayout::FormatRange> ranges;
    const QString text = block.text();
    const int octets = static_cast<int>(column_of(text, static_cast<int>(text.size()))) - 1;
    const bool plain = octets == text.size();
    const auto add = [&](int column, int length, const QTextCharFormat& format) {  // column from 0, both in octets
      const int here = std::min(length, octets - column);
      if (here <= 0) return;
      const int begin = plain ? column : character_of(text, static_cast<uint32_t>(column) + 1);
      const int end = plain ? column + here : character_of(text, static_cast<uint32_t>(column + here) + 1);
      ranges.append({begin, end - begin, format});
    };
    if (left > 0) {
      add(0, left, going_on);
      left -= octets + 1;
    }
    for (; token != tokens.end() && static_cast<int>(token->line) <= line; ++token) {
      if (static_cast<int>(token->line) < line) continue;
      const QTextCharFormat& format = formats[static_cast<size_t>(token->kind)][(token->inactive ? 1u : 0u) | (token->definition ? 2u : 0u)];
      const int column = static_cast<int>(token->column) - 1, length = static_cast<int>(token->length);
      add(column, length, format);
      if (token->kind == assembler::TokenClass::comment) {
        left = length - (octets - column) - 1;
        going_on = format;
      }
    }
    if (block.layout()->formats() == ranges) continue;
    block.layout()->setFormats(ranges);
    document()->markContentsDirty(block.position(), block.length());
  }
}

// Until the assembler has seen a change, the colours behind it move along with their words.
void CodeEditor::shift_colours(int position, int removed, int added) {
  stale_ = true;
  coloured_ = false;
  const QTextBlock block = document()->findBlock(position);
  if (!block.isValid() || removed + added > block.length()) return;
  const int at = position - block.position();
  QList<QTextLayout::FormatRange> ranges = block.layout()->formats();
  if (ranges.isEmpty()) return;
  for (QTextLayout::FormatRange& r : ranges) {
    const int end = r.start + r.length;
    const auto moved = [&](int where) { return where <= at ? where : std::max(at, where - removed) + added; };
    const int to = end == at && removed == 0 && added == 1 && is_word(block.text().size() > at ? block.text().at(at) : QChar()) ? end + 1 : moved(end);
    r.start = r.start < at ? r.start : moved(r.start) == r.start && r.start == at && removed == 0 ? r.start + added : moved(r.start);
    r.length = std::max(0, std::min(to, block.length()) - r.start);
  }
  ranges.removeIf([](const QTextLayout::FormatRange& r) { return r.length == 0; });
  block.layout()->setFormats(ranges);
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
  for (size_t i = 0; i < matches_.size(); ++i) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(document());
    const int end = document()->characterCount() - 1;
    mark.cursor.setPosition(std::min(matches_[i].first, end));
    mark.cursor.setPosition(std::min(matches_[i].first + matches_[i].second, end), QTextCursor::KeepAnchor);
    mark.format.setBackground(match_colour(theme_, static_cast<int>(i) == chosen_match_));
    marks.append(mark);
  }
  setExtraSelections(marks);
}

void CodeEditor::set_matches(std::vector<std::pair<int, int>> matches, int chosen) {
  if (matches.empty() && matches_.empty()) return;
  matches_ = std::move(matches);
  chosen_match_ = chosen;
  mark_lines();
}

void CodeEditor::set_font_size(int points) {
  QFont larger = font();
  larger.setPointSize(std::clamp(points, 5, 40));
  if (larger == font()) return;
  setFont(larger);
  setTabStopDistance(4 * QFontMetricsF(larger).horizontalAdvance(QLatin1Char(' ')));
  place_margin();
}

std::vector<const Diagnostic*> CodeEditor::repairable(int line) const {
  std::vector<const Diagnostic*> out;
  for (const Diagnostic& d : problems_)
    if (!d.fixits.empty() && line >= static_cast<int>(d.range.begin.line) && line <= static_cast<int>(std::max(d.range.begin.line, d.range.end.line))) out.push_back(&d);
  return out;
}

// A fold is a mark of its first block (its user state), which moves with the text; what is hidden follows from the marks and the folds of the
// latest index.
void CodeEditor::take_folds() {
  const bool had = !folds_.empty();
  folds_.clear();
  if (const auto file = index_file())
    for (const assembler::IndexFold& f : index_->folds(*file)) {
      int& last = folds_[static_cast<int>(f.first)];
      last = std::max(last, static_cast<int>(f.last));
    }
  std::erase_if(folds_, [](const auto& f) { return f.second <= f.first; });
  if (had != !folds_.empty()) place_margin();
  show_folds();
}

void CodeEditor::show_folds() {
  bool changed = false;
  int hidden_to = 0, line = 1;
  for (QTextBlock block = document()->firstBlock(); block.isValid(); block = block.next(), ++line) {
    const bool visible = line > hidden_to;
    if (block.isVisible() != visible) {
      block.setVisible(visible);
      block.setLineCount(visible ? std::max(1, block.layout()->lineCount()) : 0);
      changed = true;
    }
    if (block.userState() != 1) continue;
    const auto fold = folds_.find(line);
    if (fold == folds_.end()) block.setUserState(-1);  // the text there is another one now
    else hidden_to = std::max(hidden_to, fold->second);
  }
  margin_->update();
  if (!changed) return;
  document()->markContentsDirty(0, document()->characterCount());
  viewport()->update();
  Q_EMIT document()->documentLayout()->documentSizeChanged(document()->documentLayout()->documentSize());
}

bool CodeEditor::is_folded(int line) const {
  const QTextBlock block = document()->findBlockByNumber(line - 1);
  return block.isValid() && block.userState() == 1;
}

void CodeEditor::toggle_fold(int line) {
  const auto fold = folds_.find(line);
  QTextBlock block = document()->findBlockByNumber(line - 1);
  if (fold == folds_.end() || !block.isValid()) return;
  const bool folding = block.userState() != 1;
  block.setUserState(folding ? 1 : -1);
  // The cursor does not stay where it cannot be seen.
  if (folding && current_line_number() > line && current_line_number() <= fold->second) setTextCursor(QTextCursor(block));
  show_folds();
}

void CodeEditor::fold_all(bool folded) {
  for (const auto& [first, last] : folds_) document()->findBlockByNumber(first - 1).setUserState(folded ? 1 : -1);
  if (folded)
    for (const auto& [first, last] : folds_)
      if (current_line_number() > first && current_line_number() <= last) {
        setTextCursor(QTextCursor(document()->findBlockByNumber(first - 1)));
        break;
      }
  show_folds();
}

int CodeEditor::fold_around(int line) const {
  int found = 0;
  for (const auto& [first, last] : folds_)
    if (first <= line && line <= last) found = std::max(found, first);
  return found;
}

void CodeEditor::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  // What is hidden shows as a box with dots behind its first line.
  QPainter painter(viewport());
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    if (box.top() > event->rect().bottom()) break;
    if (!block.isVisible() || block.userState() != 1 || block.layout()->lineCount() == 0) continue;
    const QRectF dots(box.left() + block.layout()->lineAt(0).naturalTextWidth() + 8, box.top() + 2, fontMetrics().horizontalAdvance(QStringLiteral(" ... ")), box.height() - 4);
    painter.setPen(gutter_text(theme_));
    painter.drawRoundedRect(dots, 3, 3);
    painter.drawText(dots, Qt::AlignCenter, QStringLiteral("..."));
  }
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  if (assist_->takes(*event)) return event->accept();
  // A new line begins where the one before it began.
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && event->modifiers() == Qt::NoModifier && !isReadOnly()) {
    QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().left(cursor.selectionStart() - document()->findBlock(cursor.selectionStart()).position());
    int blanks = 0;
    while (blanks < before.size() && (before[blanks] == QLatin1Char(' ') || before[blanks] == QLatin1Char('\t'))) ++blanks;
    cursor.insertText(QLatin1Char('\n') + (cursor.hasSelection() ? QString() : before.left(blanks)));
    setTextCursor(cursor);
    ensureCursorVisible();
    assist_->typed(*event);
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
  assist_->typed(*event);
}

void CodeEditor::focusOutEvent(QFocusEvent* event) {
  assist_->hide();
  QPlainTextEdit::focusOutEvent(event);
}

const Diagnostic* CodeEditor::problem_at(int line, int column) const {
  const Position at{static_cast<uint32_t>(line), static_cast<uint32_t>(column)};
  for (const Diagnostic& d : problems_)
    if (d.range.begin <= at && (at < d.range.end || at == d.range.begin)) return &d;
  return nullptr;
}

QString CodeEditor::tip_at(const QPoint& at) {
  tip_name_.clear();
  const QTextCursor cursor = cursorForPosition(at);
  const int line = cursor.blockNumber() + 1;
  const int column = static_cast<int>(column_of(cursor.block().text(), cursor.positionInBlock()));
  if (const Diagnostic* d = problem_at(line, column)) {
    QString text = QString::fromStdString(d->text).toHtmlEscaped();
    if (!d->remedy.empty()) text += QStringLiteral("<br><i>%1</i>").arg(QString::fromStdString(d->remedy).toHtmlEscaped());
    if (!d->fixits.empty()) text += QStringLiteral("<br>%1").arg(tr("Alt+Enter repairs it"));
    return text + QStringLiteral("<br><small>%1</small>").arg(QString::fromStdString(d->code));
  }
  const auto file = index_file();
  if (!file || !is_current()) return {};
  const Position position{static_cast<uint32_t>(line), static_cast<uint32_t>(column)};
  const std::string hover = index_->hover_at(*file, position);
  if (hover.empty()) return {};
  for (const assembler::IndexReference* r : index_->at(*file, position)) {
    const assembler::IndexName& name = index_->names()[r->name];
    if (name.kind == assembler::NameKind::reg && tip_name_.isEmpty()) tip_name_ = QString::fromStdString(name.name);
  }
  QTextDocument markdown;
  markdown.setMarkdown(QString::fromStdString(hover));
  return markdown.toHtml();
}

bool CodeEditor::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString tip = tip_at(viewport()->mapFrom(this, help->pos()));
  tip_ = tip;
  tip_place_ = help->globalPos();
  if (tip.isEmpty()) QToolTip::hideText();
  else QToolTip::showText(tip_place_, tip, this);
  if (!tip_name_.isEmpty()) Q_EMIT value_asked(tip_name_);
  return true;
}

void CodeEditor::show_value(const QString& name, const QString& value) {
  if (name != tip_name_ || value.isEmpty() || !QToolTip::isVisible()) return;
  tip_ += QStringLiteral("<p><b>%1</b></p>").arg(value.toHtmlEscaped());
  tip_name_.clear();
  QToolTip::showText(tip_place_, tip_, this);
}

void CodeEditor::wheelEvent(QWheelEvent* event) {
  if ((event->modifiers() & Qt::ControlModifier) == 0) return QPlainTextEdit::wheelEvent(event);
  Q_EMIT font_size_changed(font().pointSize() + (event->angleDelta().y() > 0 ? 1 : -1));
}

int CodeEditor::margin_width() const {
  const int digits = std::max(3, static_cast<int>(std::log10(std::max(1, blockCount()))) + 1);
  return kMarker + fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits + kMarker + 6 + fold_width() + (counts_.empty() ? 0 : fontMetrics().horizontalAdvance(QStringLiteral("9999k")) + 8);
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
  const int numbers_right = margin_->width() - kMarker - 4 - heat_width - fold_width();
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
    if (!contexts_.contains(line) && !repairable(line).empty()) {
      const QPointF middle(numbers_right + 4 + 5, top + height / 2.0 - 1);
      painter.setPen(QPen(gutter_text(theme_), 1));
      painter.setBrush(QColor(0xff, 0xca, 0x28));
      painter.drawEllipse(middle, 4, 4);
      painter.drawLine(middle + QPointF(-2, 5.5), middle + QPointF(2, 5.5));
    }
    if (const auto fold = folds_.find(line); fold != folds_.end()) {
      const double x = margin_->width() - heat_width - fold_width() + 3, y = top + height / 2.0;
      const QPointF down[] = {{x, y - 2}, {x + 7, y - 2}, {x + 3.5, y + 3}}, right[] = {{x + 1, y - 4}, {x + 6, y}, {x + 1, y + 4}};
      painter.setPen(Qt::NoPen);
      painter.setBrush(gutter_text(theme_));
      painter.drawPolygon(is_folded(line) ? right : down, 3);
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
  if (event->button() != Qt::LeftButton) return;
  const int heat_width = counts_.empty() ? 0 : fontMetrics().horizontalAdvance(QStringLiteral("9999k")) + 8;
  const int from_right = margin_->width() - heat_width - event->position().toPoint().x();
  if (from_right > 0 && from_right <= fold_width() && folds_.contains(line)) return toggle_fold(line);
  if (from_right > fold_width() && from_right <= fold_width() + kMarker + 2 && !contexts_.contains(line) && !repairable(line).empty()) {
    go_to(line);
    Q_EMIT fix_asked(line);
    return;
  }
  Q_EMIT breakpoint_toggled(line);
}

}  // namespace weft::ide
