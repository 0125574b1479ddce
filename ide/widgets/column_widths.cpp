#include "column_widths.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace weft::ide {

namespace {

constexpr int kMinCharacters = 15;  // of a text that gives way
constexpr int kMaxCharacters = 24;  // of one that need not, because the table scrolls

}  // namespace

ColumnWidths::ColumnWidths(QTableView* table, std::vector<int> texts)
    : QObject(table), table_(table), texts_(std::move(texts)) {
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->viewport()->installEventFilter(this);
  connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int, int width) {
    if (!laying_out_ && !wanted_.empty() && width > 0) chosen_[column] = width;
  });
}

void ColumnWidths::forget() {
  wanted_.clear();
  chosen_.clear();
}

void ColumnWidths::fit() {
  if (table_->model() == nullptr || table_->model()->rowCount() == 0) return;
  wanted_.resize(static_cast<size_t>(table_->model()->columnCount()), 0);
  for (size_t c = 0; c < wanted_.size(); ++c) {
    const int column = static_cast<int>(c);
    wanted_[c] = std::max({wanted_[c], static_cast<QAbstractItemView*>(table_)->sizeHintForColumn(column),
                           table_->horizontalHeader()->sectionSizeHint(column)});
  }
  lay_out();
}

void ColumnWidths::lay_out() {
  if (wanted_.empty()) return;
  std::vector<int> widths = wanted_;
  for (const auto& [column, width] : chosen_) widths[static_cast<size_t>(column)] = width;
  int rest = table_->viewport()->width(), texts = 0;
  std::vector<size_t> open;  // texts whose width is ours
  for (size_t c = 0; c < widths.size(); ++c) {
    const int column = static_cast<int>(c);
    if (std::ranges::find(texts_, column) == texts_.end() || chosen_.contains(column)) {
      rest -= widths[c];
    } else {
      open.push_back(c);
      texts += widths[c];
    }
  }
  const int character = table_->fontMetrics().averageCharWidth(), min = kMinCharacters * character;
  int at_least = 0;
  for (const size_t c : open) at_least += std::min(widths[c], min);
  // Where all cannot be seen in any case nothing is cut off for it.
  const bool scrolls = at_least > rest;
  for (size_t i = 0; i < open.size(); ++i) {
    int& width = widths[open[i]];
    if (rest >= texts) {
      const int count = static_cast<int>(open.size()), more = rest - texts;
      width += more / count + (i + 1 == open.size() ? more % count : 0);
    } else if (scrolls) {
      width = std::min(width, kMaxCharacters * character);
    } else {
      width = std::max(std::min(width, min), static_cast<int>(int64_t{width} * std::max(rest, 0) / texts));
    }
  }
  laying_out_ = true;
  for (size_t c = 0; c < widths.size(); ++c) table_->setColumnWidth(static_cast<int>(c), widths[c]);
  laying_out_ = false;
}

bool ColumnWidths::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) lay_out();
  return QObject::eventFilter(watched, event);
}

}  // namespace weft::ide
