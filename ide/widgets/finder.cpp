#include "finder.h"

#include <QAbstractListModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ide {

class FinderList final : public QAbstractListModel {
 public:
  using QAbstractListModel::QAbstractListModel;
  static constexpr int kItemRole = Qt::UserRole;
  void set(std::vector<FinderItem> items) {
    beginResetModel();
    items_ = std::move(items);
    endResetModel();
  }
  const std::vector<FinderItem>& items() const { return items_; }
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(items_.size());
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const FinderItem& item = items_[static_cast<size_t>(index.row())];
    if (role == Qt::DisplayRole) return item.text;
    if (role == Qt::AccessibleTextRole)
      return QStringList{item.text, kind_text(item.kind), item.detail}.join(QStringLiteral(", "));
    return {};
  }

 private:
  std::vector<FinderItem> items_;
};

namespace {

constexpr int kWidth = 620, kRows = 14, kPad = 8;

/// Name with the letters that were typed in bold, what kind it is, and what stands after it at the right.
class FinderCells final : public QStyledItemDelegate {
 public:
  FinderCells(const FinderList& list, QObject* parent) : QStyledItemDelegate(parent), list_(list) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {100, option.fontMetrics.height() + 8};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const FinderItem& item = list_.items()[static_cast<size_t>(index.row())];
    const bool chosen = (option.state & QStyle::State_Selected) != 0;
    const QPalette& colours = option.palette;
    painter->save();
    painter->fillRect(option.rect, chosen ? colours.brush(QPalette::Highlight) : colours.brush(QPalette::Base));
    const QColor strong = colours.color(item.enabled ? QPalette::Normal : QPalette::Disabled,
                                        chosen ? QPalette::HighlightedText : QPalette::Text);
    const QColor pale = chosen ? strong : colours.color(QPalette::PlaceholderText);
    const QRect row = option.rect.adjusted(kPad, 0, -kPad, 0);
    const QFontMetrics metrics = option.fontMetrics;
    const QString right =
        item.detail.isEmpty() ? kind_text(item.kind) : item.detail + QStringLiteral("   ") + kind_text(item.kind);
    const int room = std::min(metrics.horizontalAdvance(right) + 4, row.width() * 6 / 10);
    painter->setPen(pale);
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(right, Qt::ElideLeft, room));
    painter->setPen(strong);
    QFont bold = option.font;
    bold.setBold(true);
    int x = row.left();
    const int end = row.right() - room - 16;
    for (int i = 0; i < item.text.size(); ++i) {
      const bool typed = std::ranges::binary_search(item.positions, i);
      painter->setFont(typed ? bold : option.font);
      const int width = painter->fontMetrics().horizontalAdvance(item.text[i]);
      if (x + width > end) {
        painter->drawText(x, row.top(), 20, row.height(), Qt::AlignVCenter, QStringLiteral("…"));
        break;
      }
      painter->drawText(x, row.top(), width + 2, row.height(), Qt::AlignVCenter, item.text.mid(i, 1));
      x += width;
    }
    painter->restore();
  }

 private:
  const FinderList& list_;
};

}  // namespace

Finder::Finder(Workspace& workspace, QWidget* window)
    : QFrame(window),
      workspace_(workspace),
      field_(new QLineEdit),
      list_(new QListView),
      note_(new QLabel),
      model_(new FinderList(this)) {
  setObjectName(QStringLiteral("finder"));
  setAccessibleName(tr("Find anything"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  field_->setAccessibleName(tr("Name of a file, macro, label, view or command; a cycle"));
  field_->setPlaceholderText(
      tr("File, macro, label, view, command or cycle    > command   : line   @ label, macro   # packet"));
  field_->setClearButtonEnabled(true);
  list_->setAccessibleName(tr("What was found"));
  list_->setModel(model_);
  list_->setItemDelegate(new FinderCells(*model_, list_));
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);  // the field keeps the keyboard, and moves in the list
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFrameShape(QFrame::NoFrame);
  note_->setMargin(kPad);
  note_->setWordWrap(true);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(6, 6, 6, 6);
  box->setSpacing(4);
  box->addWidget(field_);
  box->addWidget(list_);
  box->addWidget(note_);
  field_->installEventFilter(this);
  window->installEventFilter(this);
  connect(field_, &QLineEdit::textChanged, this, &Finder::search);
  connect(list_, &QListView::clicked, this, &Finder::choose);
  hide();
}

void Finder::open(const QString& text, std::vector<FinderItem> all, int lines) {
  if (!isVisible()) before_ = window()->focusWidget();
  all_ = std::move(all);
  lines_ = lines;
  show();
  raise();
  field_->setText(text);
  search();
  field_->setFocus();
  field_->deselect();
  field_->setCursorPosition(static_cast<int>(text.size()));
}

std::vector<FinderItem> Finder::shown() const { return model_->items(); }

void Finder::search() {
  const FinderQuery query = read_query(field_->text());
  const uint64_t asked = ++asked_;
  if (query.what != FinderQuery::What::packets)
    return show_items(find_items(field_->text(), all_, lines_),
                      query.what == FinderQuery::What::line
                          ? lines_ == 0 ? tr("No text is open.") : tr("Type a line from 1 to %L1.").arg(lines_)
                          : tr("Nothing has this name."));
  Target* target = workspace_.target();
  if (target == nullptr || !target->view()) return show_items({}, tr("Packets are known when a project is built."));
  if (!target->view()->has_packets)
    return show_items({}, tr("Packets are not followed: Run, Watch the run for, Packets."));
  target->ask(
      this, [text = query.text](const Inspector& machine) { return find_packets(machine, text); },
      [this, asked](const std::vector<FinderItem>& items) {
        if (asked == asked_) show_items(items, tr("No packet is so."));
      });
}

void Finder::show_items(std::vector<FinderItem> items, const QString& none) {
  model_->set(std::move(items));
  note_->setText(none);
  note_->setVisible(model_->rowCount() == 0);
  list_->setVisible(model_->rowCount() > 0);
  if (model_->rowCount() > 0) list_->setCurrentIndex(model_->index(0));
  place();
}

// In the middle on top, as high as what it shows.
void Finder::place() {
  const QWidget* around = parentWidget();
  const int width = std::min(kWidth, around->width() - 40);
  const int row = list_->fontMetrics().height() + 8, rows = std::min(model_->rowCount(), kRows);
  const int high =
      std::min((rows > 0 ? rows * row + 2 : note_->heightForWidth(width - 12)) + field_->sizeHint().height() + 18,
               around->height() - 60);
  setGeometry((around->width() - width) / 2, 36, width, high);
}

void Finder::leave() {
  if (!isVisible()) return;
  ++asked_;
  const bool had = isAncestorOf(window()->focusWidget());
  hide();
  if (had && before_) before_->setFocus();
}

void Finder::choose() {
  const QModelIndex index = list_->currentIndex();
  if (!index.isValid()) return;
  const FinderItem item = model_->items()[static_cast<size_t>(index.row())];
  if (!item.enabled) return;
  leave();
  Q_EMIT chosen(item);
}

bool Finder::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::ShortcutOverride) {
    // Escape is the window's key for what moves.
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) event->accept();
  } else if (watched == field_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key(), rows = model_->rowCount();
    const int row = list_->currentIndex().row();
    const auto go = [&](int to) {
      if (rows > 0) list_->setCurrentIndex(model_->index(std::clamp(to, 0, rows - 1)));
    };
    switch (key) {
      case Qt::Key_Escape: leave(); return true;
      case Qt::Key_Return:
      case Qt::Key_Enter: choose(); return true;
      case Qt::Key_Down: go(row + 1 < rows ? row + 1 : 0); return true;
      case Qt::Key_Up: go(row > 0 ? row - 1 : rows - 1); return true;
      case Qt::Key_PageDown: go(row + kRows); return true;
      case Qt::Key_PageUp: go(row - kRows); return true;
      case Qt::Key_Tab: return true;
      default: break;
    }
  } else if (watched == field_ && event->type() == QEvent::FocusOut) {
    if (static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason) leave();
  } else if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) {
    place();
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace weft::ide
