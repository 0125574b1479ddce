#include "code_editor.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "code_assist.h"
#include "code_colours.h"
#include "code_marks.h"
#include "models/line_diff.h"

namespace weft::ide {

namespace {

// From the start of a line to the start of another, so that lines before and after it are left alone; at the end of the
// text with the line end before it.
void remove_lines(QTextCursor& cursor, int first, int count) {
  const QTextDocument& text = *cursor.document();
  const QTextBlock begin = text.findBlockByNumber(first), end = text.findBlockByNumber(first + count);
  cursor.setPosition(end.isValid() ? begin.position() : std::max(begin.position() - 1, 0));
  if (end.isValid())
    cursor.setPosition(end.position(), QTextCursor::KeepAnchor);
  else
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
  cursor.removeSelectedText();
}

void insert_lines(QTextCursor& cursor, int at, const QStringList& lines) {
  const QString text = lines.join(QLatin1Char('\n'));
  const QTextBlock next = cursor.document()->findBlockByNumber(at);
  if (next.isValid())
    cursor.setPosition(next.position());
  else
    cursor.movePosition(QTextCursor::End);
  cursor.insertText(next.isValid() ? text + QLatin1Char('\n') : QLatin1Char('\n') + text);
}

}  // namespace

CodeEditor::CodeEditor(Theme theme, QWidget* parent)
    : QPlainTextEdit(parent),
      theme_(theme),
      gutter_(new CodeGutter(*this, theme)),
      folds_(take_layout()),
      assist_(std::make_unique<CodeAssist>(*this)) {
  panels_ = new CodePanels(
      *this, [this](const QTextBlock& block) { return blockBoundingGeometry(block).translated(contentOffset()); });
  panels_->setParent(this);
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSize(10);
  setFont(font);
  setLineWrapMode(NoWrap);
  setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(QLatin1Char(' ')));
  setAccessibleName(tr("Microcode"));
  connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeEditor::place_gutter);
  connect(this, &QPlainTextEdit::updateRequest, gutter_, [this](const QRect& rect, int dy) {
    if (dy != 0)
      gutter_->scroll(0, dy);
    else
      gutter_->update(0, rect.y(), gutter_->width(), rect.height());
  });
  connect(gutter_, &CodeGutter::width_changed, this, &CodeEditor::place_gutter);
  connect(gutter_, &CodeGutter::breakpoint_requested, this, &CodeEditor::breakpoint_toggled);
  connect(gutter_, &CodeGutter::menu_requested, this, &CodeEditor::margin_menu_requested);
  connect(gutter_, &CodeGutter::fold_requested, this, &CodeEditor::toggle_fold);
  connect(gutter_, &CodeGutter::fix_requested, this, [this](int line) {
    go_to(line);
    Q_EMIT fix_requested(line);
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    // What somebody goes to is shown, also inside of a fold.
    for (int line = current_line_number(); !textCursor().block().isVisible() && line > 0; --line)
      if (is_folded(line)) toggle_fold(line);
    mark_lines();
  });
  connect(document(), &QTextDocument::contentsChange, this, [this](int position, int removed, int added) {
    stale_ = true;
    coloured_ = false;
    note_lines(position);
    shift_colours(*document(), position, removed, added);
  });
  place_gutter();
}

CodeEditor::~CodeEditor() = default;

QTextDocument* CodeEditor::take_layout() {
  auto* document = new QTextDocument(this);
  document->setDocumentLayout(new PanelLayout(document));
  setDocument(document);
  return document;
}

QString CodeEditor::toPlainText() const {
  return document()->toRawText().replace(QChar(QChar::ParagraphSeparator), QChar(QLatin1Char('\n')));
}

void CodeEditor::set_index(std::shared_ptr<const assembler::Index> index, const QString& path) {
  const bool another = index != index_;
  index_ = std::move(index);
  path_ = path;
  if (another) stale_ = true;
  if ((another || !coloured_) && is_current()) {
    colour();
    take_folds();
    Q_EMIT indexed();
  } else if (!index_) {
    colour();
    take_folds();
  }
}

void CodeEditor::take_built_lines() {
  built_.reset(document()->blockCount());
  gutter_->update();
  mark_lines();
}

void CodeEditor::plan_built_lines() { planned_.reset(document()->blockCount()); }

void CodeEditor::take_planned_lines() {
  if (planned_.empty()) return;  // opened since then
  built_ = planned_;
  gutter_->update();
  mark_lines();
}

// Before a line's first word the line itself moves, or goes; after it, those that follow.
void CodeEditor::note_lines(int position) {
  const int before = std::exchange(lines_, document()->blockCount());
  if (before == lines_) return;
  const QTextBlock block = document()->findBlock(position);
  const QString before_it = block.text().left(position - block.position());
  const bool in_front = lines_ > before ? before_it.trimmed().isEmpty() : before_it.isEmpty();
  const int line = block.blockNumber() + 1;
  const LineEdit edit{in_front ? line : line + 1, std::max(before - lines_, 0), std::max(lines_ - before, 0)};
  for (LineMap* lines : {&built_, &planned_})
    if (!lines->empty()) lines->edit(edit);
  folds_.edit(edit);
  gutter_->update();
}

std::vector<int> CodeEditor::folded_lines() const {
  std::vector<int> out;
  for (QTextBlock block = document()->firstBlock(); block.isValid(); block = block.next())
    if (block.userState() == 1) out.push_back(block.blockNumber() + 1);
  return out;
}

std::optional<uint32_t> CodeEditor::index_file() const {
  return index_ ? index_->file(path_.toStdString()) : std::nullopt;
}

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
  return block.isValid() ? block.position() + character_of(block.text(), position.column)
                         : document()->characterCount() - 1;
}

void CodeEditor::replace_all(const QString& text) {
  const QString before = toPlainText();
  if (before == text) return;
  const QStringList lines = text.split(QLatin1Char('\n'));
  const std::vector<LineHunk> hunks = line_hunks(before.split(QLatin1Char('\n')), lines);
  const int line = line_after(hunks, current_line_number() - 1), column = textCursor().positionInBlock();
  QTextCursor cursor(document());
  // One step to undo, and an edit for each stretch: what goes with the lines is told of each, not of all that is
  // between the first and the last.
  bool first = true;
  const auto edit = [&](const auto& change) {
    if (std::exchange(first, false))
      cursor.beginEditBlock();
    else
      cursor.joinPreviousEditBlock();
    change();
    cursor.endEditBlock();
  };
  // From the end on, so that numbers of lines before it stay.
  for (auto hunk = hunks.rbegin(); hunk != hunks.rend(); ++hunk) {
    const int both = std::min(hunk->gone, hunk->added), from = hunk->first + both;
    if (hunk->gone > both) edit([&] { remove_lines(cursor, from, hunk->gone - both); });
    if (hunk->added > both) edit([&] { insert_lines(cursor, from, lines.mid(hunk->at + both, hunk->added - both)); });
    if (both == 0) continue;
    edit([&] {
      for (int i = 0; i < both; ++i) {
        const QTextBlock block = document()->findBlockByNumber(hunk->first + i);
        cursor.setPosition(block.position());
        cursor.setPosition(block.position() + block.length() - 1, QTextCursor::KeepAnchor);
        cursor.insertText(lines[hunk->at + i]);
      }
    });
  }
  const QTextBlock back = document()->findBlockByNumber(std::min(line, blockCount() - 1));
  QTextCursor here(back);
  here.setPosition(back.position() + std::min(column, back.length() - 1));
  setTextCursor(here);
}

void CodeEditor::set_problems(const Diagnostics& problems, const QString& path) {
  problems_ = {};
  for (const Diagnostic& d : problems)
    if (d.range.file && d.range.begin.line != 0 && QString::fromStdString(d.range.file->name()) == path)
      problems_.add(d);
  mark_lines();
}

void CodeEditor::set_contexts(std::map<int, ContextMark> lines, int stopped) {
  gutter_->set_contexts(std::move(lines), stopped);
  mark_lines();
}

void CodeEditor::set_theme(Theme theme) {
  theme_ = theme;
  colour();
  mark_lines();
  gutter_->set_theme(theme);
}

void CodeEditor::go_to(int line, int column) {
  const QTextBlock block = document()->findBlockByNumber(line - 1);
  if (!block.isValid()) return;
  QTextCursor cursor(block);
  cursor.setPosition(block.position() + character_of(block.text(), static_cast<uint32_t>(std::max(column, 1))));
  setTextCursor(cursor);
  centerCursor();
}

// The text is only looked through when there is a bracket.
std::optional<BracketPair> CodeEditor::bracket() const {
  const int at = textCursor().position();
  for (const int near : {at, at - 1})
    if (near >= 0 && QStringLiteral("()[]{}").contains(document()->characterAt(near)))
      return bracket_at(toPlainText(), at);
  return std::nullopt;
}

void CodeEditor::go_to_bracket() {
  const auto pair = bracket();
  if (!pair || pair->other < 0) return;
  QTextCursor cursor = textCursor();
  cursor.setPosition(pair->other);
  setTextCursor(cursor);
  ensureCursorVisible();
}

void CodeEditor::colour() {
  coloured_ = true;
  static const std::vector<assembler::IndexToken> kNone;
  const auto file = index_file();
  colour_text(*document(), file ? index_->tokens(*file) : kNone, theme_);
}

void CodeEditor::mark_lines() {
  setExtraSelections(code_marks(
      *document(),
      {textCursor(), line_of_built(gutter_->stopped_line()), &problems_, &matches_, chosen_match_, bracket()}, theme_));
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
  place_gutter();
}

std::vector<const Diagnostic*> CodeEditor::repairable(int line) const {
  std::vector<const Diagnostic*> out;
  for (const Diagnostic& d : problems_)
    if (!d.fixits.empty() && line >= static_cast<int>(d.range.begin.line) &&
        line <= static_cast<int>(std::max(d.range.begin.line, d.range.end.line)))
      out.push_back(&d);
  return out;
}

void CodeEditor::take_folds() {
  static const std::vector<assembler::IndexFold> kNone;
  const auto file = index_file();
  folds_.take(file ? index_->folds(*file) : kNone);
  gutter_->set_foldable(!folds_.empty());
  show_folds();
}

void CodeEditor::show_folds() {
  gutter_->update();
  if (folds_.show()) viewport()->update();
}

void CodeEditor::toggle_fold(int line) {
  if (!folds_.toggle(line)) return;
  if (is_folded(line)) leave_folds();
  show_folds();
}

void CodeEditor::fold_all(bool folded) {
  folds_.set_all(folded);
  if (folded) leave_folds();
  show_folds();
}

// The cursor does not stay where it cannot be seen.
void CodeEditor::leave_folds() {
  if (const int first = folds_.hidden_by(current_line_number()); first != 0)
    setTextCursor(QTextCursor(document()->findBlockByNumber(first - 1)));
}

void CodeEditor::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  // What is hidden shows as a box with dots after its first line.
  QPainter painter(viewport());
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    if (box.top() > event->rect().bottom()) break;
    if (!block.isVisible() || block.userState() != 1 || block.layout()->lineCount() == 0) continue;
    const QRectF dots(box.left() + block.layout()->lineAt(0).naturalTextWidth() + 8, box.top() + 2,
                      fontMetrics().horizontalAdvance(QStringLiteral(" ... ")),
                      box.height() - PanelLayout::room_below(block) - 4);
    painter.setPen(gutter_text(theme_));
    painter.drawRoundedRect(dots, 3, 3);
    painter.drawText(dots, Qt::AlignCenter, QStringLiteral("..."));
  }
  if (line_notes_.empty()) return;
  painter.setPen(gutter_text(theme_));
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    if (box.top() > event->rect().bottom()) break;
    const auto note = line_notes_.find(block.blockNumber() + 1);
    if (note == line_notes_.end() || !block.isVisible() || block.layout()->lineCount() == 0) continue;
    const double left = box.left() + block.layout()->lineAt(0).naturalTextWidth() + 28;
    painter.drawText(QRectF(left, box.top(), viewport()->width() - left, box.height() - PanelLayout::room_below(block)),
                     Qt::AlignLeft | Qt::AlignVCenter, note->second);
  }
}

void CodeEditor::set_line_notes(std::map<int, QString> notes) {
  if (notes == line_notes_) return;
  line_notes_ = std::move(notes);
  viewport()->update();
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  if (assist_->takes(*event)) return event->accept();
  // A new line starts where the one before it started. With Shift too: Qt would make a line separator (U+2028), which
  // is a character of the file, not the end of a line.
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
      (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0 && !isReadOnly()) {
    QTextCursor cursor = textCursor();
    const QString before =
        cursor.block().text().left(cursor.selectionStart() - document()->findBlock(cursor.selectionStart()).position());
    int blanks = 0;
    while (blanks < before.size() && (before[blanks] == QLatin1Char(' ') || before[blanks] == QLatin1Char('\t')))
      ++blanks;
    cursor.insertText(QLatin1Char('\n') + (cursor.hasSelection() ? QString() : before.left(blanks)));
    setTextCursor(cursor);
    ensureCursorVisible();
    assist_->typed(*event);
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
  if (isReadOnly()) return assist_->hide();  // nothing was typed that could be completed
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
    if (!d->remedy.empty())
      text += QStringLiteral("<br><i>%1</i>").arg(QString::fromStdString(d->remedy).toHtmlEscaped());
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
  if (tip.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(tip_place_, tip, this);
  if (!tip_name_.isEmpty()) Q_EMIT value_requested(tip_name_);
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

void CodeEditor::place_gutter() {
  const int width = gutter_->wanted_width();
  setViewportMargins(width, 0, 0, 0);
  const QRect area = contentsRect();
  gutter_->setGeometry(area.left(), area.top(), width, area.height());
}

std::vector<VisibleLine> CodeEditor::visible_lines(int top, int bottom) const {
  std::vector<VisibleLine> out;
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    if (box.top() > bottom) break;
    if (block.isVisible() && box.bottom() >= top)
      out.push_back({block.blockNumber() + 1, static_cast<int>(box.top()),
                     static_cast<int>(box.height()) - PanelLayout::room_below(block)});
  }
  return out;
}

int CodeEditor::line_at(int y) const { return cursorForPosition(QPoint(0, y)).blockNumber() + 1; }

void CodeEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  place_gutter();
}

}  // namespace weft::ide
