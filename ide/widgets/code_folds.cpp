#include "code_folds.h"

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>

namespace weft::ide {

void CodeFolds::take(const std::vector<assembler::IndexFold>& folds) {
  folds_.clear();
  for (const assembler::IndexFold& f : folds) {
    int& last = folds_[static_cast<int>(f.first)];
    last = std::max(last, static_cast<int>(f.last));
  }
  std::erase_if(folds_, [](const auto& f) { return f.second <= f.first; });
}

void CodeFolds::edit(const LineEdit& edit) {
  std::map<int, int> moved;
  const int behind = edit.first + edit.gone, by = edit.added - edit.gone;
  for (const auto& [first, last] : folds_) {
    if (first >= edit.first && first < behind) continue;
    const int to = last >= behind ? last + by : std::min(last, edit.first - 1);
    const int from = first >= behind ? first + by : first;
    if (to > from) moved[from] = to;
  }
  folds_ = std::move(moved);
}

bool CodeFolds::is_folded(int line) const {
  const QTextBlock block = document_->findBlockByNumber(line - 1);
  return block.isValid() && block.userState() == 1;
}

int CodeFolds::around(int line) const {
  int found = 0;
  for (const auto& [first, last] : folds_)
    if (first <= line && line <= last) found = std::max(found, first);
  return found;
}

bool CodeFolds::toggle(int line) {
  QTextBlock block = document_->findBlockByNumber(line - 1);
  if (!begins_at(line) || !block.isValid()) return false;
  block.setUserState(block.userState() != 1 ? 1 : -1);
  return true;
}

void CodeFolds::set_all(bool folded) {
  for (const auto& [first, last] : folds_) document_->findBlockByNumber(first - 1).setUserState(folded ? 1 : -1);
}

int CodeFolds::hidden_by(int line) const {
  for (const auto& [first, last] : folds_)
    if (line > first && line <= last && is_folded(first)) return first;
  return 0;
}

bool CodeFolds::show() {
  bool changed = false;
  int hidden_to = 0, line = 1;
  for (QTextBlock block = document_->firstBlock(); block.isValid(); block = block.next(), ++line) {
    const bool visible = line > hidden_to;
    if (block.isVisible() != visible) {
      block.setVisible(visible);
      block.setLineCount(visible ? std::max(1, block.layout()->lineCount()) : 0);
      changed = true;
    }
    if (block.userState() != 1) continue;
    const auto fold = folds_.find(line);
    if (fold == folds_.end())
      block.setUserState(-1);  // the text there is another one now
    else
      hidden_to = std::max(hidden_to, fold->second);
  }
  if (changed) {
    document_->markContentsDirty(0, document_->characterCount());
    Q_EMIT document_->documentLayout()->documentSizeChanged(document_->documentLayout()->documentSize());
  }
  return changed;
}

}  // namespace weft::ide
