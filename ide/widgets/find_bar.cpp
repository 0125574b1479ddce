#include "find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "code_editor.h"

namespace weft::ide {

namespace {

constexpr size_t kMarked = 1000;  // more marks than this slow the editor down and tell nobody more

}  // namespace

QToolButton* make_choice(const QString& text, const QString& name) {
  auto* b = new QToolButton;
  b->setText(text);
  b->setCheckable(true);
  b->setToolTip(name);
  b->setAccessibleName(name);
  b->setFocusPolicy(Qt::TabFocus);
  return b;
}

FindBar::FindBar(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Find"));
  const auto field = [](const QString& name) {
    auto* line = new QLineEdit;
    line->setAccessibleName(name);
    line->setPlaceholderText(name);
    line->setMinimumWidth(110);
    line->setMaximumWidth(360);
    return line;
  };
  const auto button = [this](const QString& text, const QString& tip, auto what) {
    auto* b = new QToolButton;
    b->setText(text);
    b->setToolTip(tip);
    b->setAccessibleName(text);
    b->setFocusPolicy(Qt::TabFocus);
    connect(b, &QToolButton::clicked, this, what);
    return b;
  };
  const auto box = [this](const QString& text, const QString& name) {
    QToolButton* b = make_choice(text, name);
    connect(b, &QToolButton::toggled, this, &FindBar::search);
    return b;
  };
  what_ = field(tr("Find"));
  with_ = field(tr("Replace by"));
  case_ = box(QStringLiteral("Aa"), tr("Capital letters count"));
  words_ = box(QStringLiteral("\"w\""), tr("Whole words only"));
  expression_ = box(QStringLiteral(".*"), tr("Regular expression"));
  expression_->setToolTip(tr("A regular expression; \\1 in the replacement is what its first group caught"));
  count_ = new QLabel;
  count_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("nothing is found")));
  auto* top = new QHBoxLayout;
  top->addWidget(what_, 1);
  top->addWidget(case_);
  top->addWidget(words_);
  top->addWidget(expression_);
  top->addWidget(button(tr("Previous"), tr("Shift+F3"), [this] { previous(); }));
  top->addWidget(button(tr("Next"), tr("F3"), [this] { next(); }));
  top->addWidget(count_);
  top->addStretch(1);
  top->addWidget(button(tr("Close"), tr("Esc"), [this] { close_bar(); }));
  replace_row_ = new QWidget;
  auto* below = new QHBoxLayout(replace_row_);
  below->setContentsMargins(0, 0, 0, 0);
  below->addWidget(with_, 1);
  below->addWidget(button(tr("Replace"), tr("The one that is marked"), [this] { replace_one(); }));
  below->addWidget(button(tr("Replace all"), tr("In one step that can be undone"), [this] { replace_all(); }));
  below->addStretch(2);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(6, 4, 6, 4);
  rows->setSpacing(4);
  rows->addLayout(top);
  rows->addWidget(replace_row_);
  connect(what_, &QLineEdit::textChanged, this, [this] {
    search();
    // From where the cursor stands; what was being typed is found again, longer.
    if (!editor_ || matches_.empty()) return;
    const int from = editor_->textCursor().selectionStart();
    const auto first = std::ranges::find_if(matches_, [&](const SearchMatch& m) { return m.begin >= from; });
    go(first == matches_.end() ? 0 : static_cast<int>(first - matches_.begin()));
  });
  connect(what_, &QLineEdit::returnPressed, this, &FindBar::next);
  connect(with_, &QLineEdit::returnPressed, this, &FindBar::replace_one);
  hide();
}

TextSearch FindBar::pattern() const {
  return TextSearch({what_->text(), case_->isChecked(), words_->isChecked(), expression_->isChecked()});
}

void FindBar::open(CodeEditor* editor, bool replacing) {
  set_editor(editor);
  replace_row_->setVisible(replacing);
  show();
  const QString selected = editor->textCursor().selectedText();
  if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator)) what_->setText(selected);
  what_->selectAll();
  what_->setFocus();
  search();
}

void FindBar::set_editor(CodeEditor* editor) {
  if (editor_ == editor) return;
  if (editor_) {
    editor_->set_matches({}, -1);
    disconnect(editor_, nullptr, this, nullptr);
  }
  editor_ = editor;
  if (editor_)
    connect(editor_, &QPlainTextEdit::textChanged, this, [this] {
      if (isVisible() && !changing_) search();
    });
  if (isVisible()) search();
}

void FindBar::search() {
  matches_.clear();
  chosen_ = -1;
  if (!editor_) return;
  const TextSearch search = pattern();
  if (!search.is_empty()) matches_ = search.matches(editor_->toPlainText());
  const int at = editor_->textCursor().selectionStart();
  for (size_t i = 0; i < matches_.size(); ++i)
    if (matches_[i].begin == at && editor_->textCursor().selectionEnd() == at + matches_[i].length)
      chosen_ = static_cast<int>(i);
  std::vector<std::pair<int, int>> marks;
  for (const SearchMatch& m : matches_) {
    if (marks.size() == kMarked) break;
    marks.emplace_back(m.begin, m.length);
  }
  editor_->set_matches(std::move(marks), chosen_);
  if (!search.error().isEmpty())
    count_->setText(search.error());
  else if (what_->text().isEmpty())
    count_->clear();
  else if (matches_.empty())
    count_->setText(tr("nothing is found"));
  else if (chosen_ < 0)
    count_->setText(tr("%1 found").arg(matches_.size()));
  else
    count_->setText(tr("%1 of %2").arg(chosen_ + 1).arg(matches_.size()));
}

void FindBar::go(int match) {
  if (!editor_ || match < 0 || match >= static_cast<int>(matches_.size())) return;
  const SearchMatch& m = matches_[static_cast<size_t>(match)];
  QTextCursor cursor(editor_->document());
  cursor.setPosition(m.begin);
  cursor.setPosition(m.begin + m.length, QTextCursor::KeepAnchor);
  editor_->setTextCursor(cursor);
  editor_->ensureCursorVisible();
  search();
}

void FindBar::next() {
  if (!editor_ || matches_.empty()) return;
  const int from = chosen_ >= 0 ? editor_->textCursor().selectionEnd() : editor_->textCursor().position();
  const auto found = std::ranges::find_if(matches_, [&](const SearchMatch& m) { return m.begin >= from; });
  go(found == matches_.end() ? 0 : static_cast<int>(found - matches_.begin()));
}

void FindBar::previous() {
  if (!editor_ || matches_.empty()) return;
  const int from = editor_->textCursor().selectionStart();
  int found = static_cast<int>(matches_.size()) - 1;
  for (int i = 0; i < static_cast<int>(matches_.size()) && matches_[static_cast<size_t>(i)].begin < from; ++i)
    found = i;
  if (matches_.front().begin >= from) found = static_cast<int>(matches_.size()) - 1;
  go(found);
}

void FindBar::replace_one() {
  if (!editor_ || editor_->isReadOnly()) return;
  if (chosen_ < 0) return next();
  const SearchMatch m = matches_[static_cast<size_t>(chosen_)];
  const QString with = pattern().replacement(editor_->toPlainText(), m, with_->text());
  QTextCursor cursor(editor_->document());
  cursor.setPosition(m.begin);
  cursor.setPosition(m.begin + m.length, QTextCursor::KeepAnchor);
  cursor.insertText(with);
  editor_->setTextCursor(cursor);
  search();
  next();
}

void FindBar::replace_all() {
  if (!editor_ || editor_->isReadOnly() || matches_.empty()) return;
  const TextSearch search_for = pattern();
  const QString text = editor_->toPlainText();
  const std::vector<SearchMatch> all = matches_;
  changing_ = true;
  QTextCursor cursor(editor_->document());
  cursor.beginEditBlock();
  for (auto m = all.rbegin(); m != all.rend(); ++m) {
    cursor.setPosition(m->begin);
    cursor.setPosition(m->begin + m->length, QTextCursor::KeepAnchor);
    cursor.insertText(search_for.replacement(text, *m, with_->text()));
  }
  cursor.endEditBlock();
  changing_ = false;
  search();
  count_->setText(tr("%1 replaced").arg(all.size()));
}

void FindBar::close_bar() {
  hide();
  if (!editor_) return;
  editor_->set_matches({}, -1);
  editor_->setFocus();
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    close_bar();
  else
    QWidget::keyPressEvent(event);
}

}  // namespace weft::ide
