#include "code_assist.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTextBlock>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

#include "code_editor.h"

namespace weft::ide {

namespace {

constexpr int kRows = 10;

/// Words begin with what marks their kind: $read, @shared, .reg, #define.
bool begins_word(QChar c) {
  return c == QLatin1Char('$') || c == QLatin1Char('@') || c == QLatin1Char('.') || c == QLatin1Char('#');
}

}  // namespace

CodeAssist::CodeAssist(CodeEditor& editor) : editor_(editor) {
  connect(&editor, &CodeEditor::indexed, this, &CodeAssist::indexed);
  // What is shown belongs to the place of the cursor.
  connect(editor.verticalScrollBar(), &QScrollBar::valueChanged, this, &CodeAssist::hide);
  editor.viewport()->installEventFilter(this);
}

bool CodeAssist::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress) hide();
  return QObject::eventFilter(watched, event);
}

CodeAssist::~CodeAssist() {
  delete list_.data();
  delete signature_.data();
}

QString CodeAssist::prefix() const {
  const QTextCursor cursor = editor_.textCursor();
  const QString line = cursor.block().text();
  int begin = cursor.positionInBlock();
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  while (begin > 0 && begins_word(line[begin - 1])) --begin;
  return line.mid(begin, cursor.positionInBlock() - begin);
}

bool CodeAssist::is_listing() const { return list_ != nullptr && list_->isVisible(); }

QStringList CodeAssist::listed() const {
  QStringList out;
  if (is_listing())
    for (int i = 0; i < list_->topLevelItemCount(); ++i) out << list_->topLevelItem(i)->text(0);
  return out;
}

QString CodeAssist::signature() const {
  return signature_ != nullptr && signature_->isVisible() ? signature_->accessibleDescription() : QString();
}

void CodeAssist::complete() {
  wanted_ = explicit_ = inserts_ = true;
  if (editor_.is_current()) indexed();
}

void CodeAssist::show_signature() {
  signature_wanted_ = true;
  if (editor_.is_current()) ask_signature();
}

void CodeAssist::hide_list() {
  wanted_ = explicit_ = inserts_ = false;
  if (list_ != nullptr) list_->hide();
}

void CodeAssist::hide() {
  hide_list();
  signature_wanted_ = false;
  if (signature_ != nullptr) signature_->hide();
}

void CodeAssist::indexed() {
  if (wanted_ && editor_.hasFocus()) fill();
  if (signature_wanted_ && editor_.hasFocus()) ask_signature();
}

void CodeAssist::fill() {
  const bool inserts = std::exchange(inserts_, false);
  const auto file = editor_.index_file();
  if (!file) return hide_list();
  const QTextCursor cursor = editor_.textCursor();
  const assembler::IndexContext context = editor_.index()->context_at(*file, editor_.position());
  std::vector<assembler::IndexCompletion> all = editor_.index()->completions_at(*file, editor_.position());
  const QString begun = QString::fromStdString(context.prefix);
  // The assembler says how much of the word is written; a directive counts its mark or does not.
  std::erase_if(all, [&](const assembler::IndexCompletion& c) {
    return !QString::fromStdString(c.text).startsWith(begun, Qt::CaseInsensitive);
  });
  const bool whole =
      all.size() == 1 && QString::fromStdString(all.front().text).compare(begun, Qt::CaseInsensitive) == 0;
  if (all.empty() || whole) return hide_list();
  prefix_at_ = cursor.position() - static_cast<int>(begun.size());
  if (inserts && all.size() == 1) {
    QTextCursor change(editor_.document());
    change.setPosition(prefix_at_);
    change.setPosition(cursor.position(), QTextCursor::KeepAnchor);
    change.insertText(QString::fromStdString(all.front().text));
    return hide_list();
  }
  // What is declared here is meant more often than what is built in; shorter words come first among equals.
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    const auto rank = [](const assembler::IndexCompletion& c) {
      return c.kind == "register" || c.kind == "signal" || c.kind == "label" || c.kind == "parameter" ? 0 : 1;
    };
    return std::pair(rank(a), a.text) < std::pair(rank(b), b.text);
  });
  if (list_ == nullptr) {
    list_ = new QTreeWidget(editor_.window());
    list_->setAccessibleName(tr("What may stand here"));
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setColumnCount(3);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFrameShape(QFrame::Box);
    list_->header()->setStretchLastSection(true);
    connect(list_, &QTreeWidget::itemClicked, this, [this] { accept(); });
  }
  list_->clear();
  QList<QTreeWidgetItem*> items;
  for (const assembler::IndexCompletion& c : all) {
    auto* item = new QTreeWidgetItem({QString::fromStdString(c.text), QString::fromStdString(c.kind),
                                      QString::fromStdString(c.detail).simplified()});
    QFont small = editor_.font();
    item->setFont(0, small);
    for (const int column : {1, 2}) item->setForeground(column, list_->palette().color(QPalette::PlaceholderText));
    items << item;
  }
  list_->addTopLevelItems(items);
  list_->setCurrentItem(items.front());
  list_->resizeColumnToContents(0);
  list_->resizeColumnToContents(1);
  const int row = std::max(list_->sizeHintForRow(0), 1);
  int detail = 0;
  for (const QTreeWidgetItem* item : items)
    detail = std::max(detail, list_->fontMetrics().horizontalAdvance(item->text(2)));
  detail = std::min(320, detail);
  list_->resize(std::clamp(list_->columnWidth(0) + list_->columnWidth(1) + detail + 30, 240, 640),
                row * std::min<int>(kRows, static_cast<int>(items.size())) + 2 * list_->frameWidth() + 2);
  place(list_, false);
  list_->show();
  list_->raise();
  if (signature_ != nullptr && signature_->isVisible()) place(signature_, true);
}

// Below the line of the cursor, or above it; where there is room in the window.
void CodeAssist::place(QWidget* widget, bool above) {
  const QRect cursor = editor_.cursorRect();
  QWidget* window = editor_.window();
  if (widget->parentWidget() != window) widget->setParent(window);
  const auto at = [&](int y) { return editor_.viewport()->mapTo(window, QPoint(cursor.left(), y)); };
  QPoint where = above ? at(cursor.top() - widget->height() - 3) : at(cursor.bottom() + 3);
  if (!above && where.y() + widget->height() > window->height()) where = at(cursor.top() - widget->height() - 3);
  if (above && where.y() < 0) where = at(cursor.bottom() + 3);
  where.setX(std::max(0, std::min(where.x(), window->width() - widget->width() - 4)));
  widget->move(where);
}

void CodeAssist::accept() {
  if (!is_listing() || list_->currentItem() == nullptr) return;
  const QString text = list_->currentItem()->text(0);
  QTextCursor cursor = editor_.textCursor();
  const int end = cursor.position();
  cursor.setPosition(prefix_at_);
  cursor.setPosition(end, QTextCursor::KeepAnchor);
  hide_list();
  cursor.insertText(text);
  editor_.setTextCursor(cursor);
  editor_.setFocus();
}

bool CodeAssist::takes(const QKeyEvent& event) {
  if (event.key() == Qt::Key_Escape && (is_listing() || !signature().isEmpty())) {
    hide();
    return true;
  }
  if (!is_listing()) return false;
  const int row = list_->indexOfTopLevelItem(list_->currentItem()), rows = list_->topLevelItemCount();
  const auto go = [&](int to) {
    list_->setCurrentItem(list_->topLevelItem(std::clamp(to, 0, rows - 1)));
    return true;
  };
  switch (event.key()) {
    case Qt::Key_Down: return go(row + 1 == rows ? 0 : row + 1);
    case Qt::Key_Up: return go(row == 0 ? rows - 1 : row - 1);
    case Qt::Key_PageDown: return go(row + kRows);
    case Qt::Key_PageUp: return go(row - kRows);
    case Qt::Key_Tab: accept(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      // A word that is already whole is not what somebody wants completed.
      if (list_->currentItem()->text(0).compare(prefix(), Qt::CaseInsensitive) == 0 && !explicit_) {
        hide_list();
        return false;
      }
      accept();
      return true;
    default: return false;
  }
}

void CodeAssist::typed(const QKeyEvent& event) {
  const QString text = event.text();
  const bool word = !text.isEmpty() && (is_word(text[0]) || begins_word(text[0]));
  const bool shortcut = (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
  // Who types on writes the word: an answer to the keys before it must not write into it.
  if (!text.isEmpty()) inserts_ = false;
  if (event.key() == Qt::Key_Backspace && is_listing()) {
    wanted_ = !prefix().isEmpty() || explicit_;
    if (!wanted_) hide_list();
  } else if (word && !shortcut) {
    const QString begun = prefix();
    // A number is not the beginning of a name.
    wanted_ = !begun.isEmpty() && !begun[0].isDigit();
    explicit_ = false;
    if (!wanted_) hide_list();
    // What is shown already becomes less at once; the index says the same a moment later.
    if (is_listing()) {
      for (int i = list_->topLevelItemCount() - 1; i >= 0; --i)
        if (!list_->topLevelItem(i)->text(0).startsWith(begun, Qt::CaseInsensitive)) delete list_->takeTopLevelItem(i);
      if (list_->topLevelItemCount() == 0)
        list_->hide();
      else if (list_->currentItem() == nullptr)
        list_->setCurrentItem(list_->topLevelItem(0));
    }
  } else if (!text.isEmpty() || event.key() == Qt::Key_Left || event.key() == Qt::Key_Right ||
             event.key() == Qt::Key_Home || event.key() == Qt::Key_End || event.key() == Qt::Key_Up ||
             event.key() == Qt::Key_Down) {
    if (!shortcut || !text.isEmpty()) hide_list();
  }
  if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) {
    signature_wanted_ = false;
    if (signature_ != nullptr) signature_->hide();
  } else if (!text.isEmpty() && !shortcut &&
             (text[0] == QLatin1Char('[') || text[0] == QLatin1Char('(') || text[0] == QLatin1Char(','))) {
    signature_wanted_ = true;
  }
  if ((wanted_ || signature_wanted_) && editor_.is_current()) indexed();
}

void CodeAssist::ask_signature() {
  const auto file = editor_.index_file();
  std::vector<assembler::IndexSignature> all;
  if (file) all = editor_.index()->signatures_at(*file, editor_.position());
  if (all.empty()) {
    signature_wanted_ = false;
    if (signature_ != nullptr) signature_->hide();
    return;
  }
  if (signature_ == nullptr) {
    signature_ = new QLabel(editor_.window());
    signature_->setAccessibleName(tr("Form of the instruction"));
    signature_->setTextFormat(Qt::RichText);
    signature_->setFrameShape(QFrame::Box);
    signature_->setAutoFillBackground(true);
    signature_->setBackgroundRole(QPalette::ToolTipBase);
    signature_->setForegroundRole(QPalette::ToolTipText);
    signature_->setMargin(4);
  }
  QStringList lines, plain;
  for (const assembler::IndexSignature& s : all) {
    if (lines.size() == 4) {
      lines << tr("and %1 more").arg(all.size() - 4);
      break;
    }
    const QString text = QString::fromStdString(s.text);
    plain << text;
    QString shown = text.toHtmlEscaped();
    if (s.active < s.parameters.size()) {
      // The parameter where it stands in the text: after those before it.
      qsizetype from = text.indexOf(QLatin1Char('['));
      if (from < 0) from = text.indexOf(QLatin1Char('('));
      qsizetype length = 0;
      for (uint32_t i = 0; i <= s.active && from >= 0; ++i) {
        const QString parameter = QString::fromStdString(s.parameters[i]);
        from = text.indexOf(parameter, from + length);
        length = parameter.size();
      }
      if (from >= 0)
        shown = QStringLiteral("%1<b><u>%2</u></b>%3")
                    .arg(text.left(from).toHtmlEscaped(), text.mid(from, length).toHtmlEscaped(),
                         text.mid(from + length).toHtmlEscaped());
    }
    lines << QStringLiteral("<code>%1</code>").arg(shown);
  }
  if (!all.front().doc.empty())
    lines << QStringLiteral("<small>%1</small>")
                 .arg(QString::fromStdString(all.front().doc).section(QLatin1Char('\n'), 0, 0).toHtmlEscaped());
  signature_->setText(lines.join(QStringLiteral("<br>")));
  signature_->setAccessibleDescription(plain.join(QLatin1Char('\n')));
  signature_->adjustSize();
  place(signature_, true);
  signature_->show();
  signature_->raise();
}

}  // namespace weft::ide
