#include "watches_view.h"

#include <QHeaderView>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "changed_delegate.h"
#include "empty_page.h"
#include "table_export.h"
#include "tables.h"
#include "view_parts.h"

namespace weft::ide {

namespace {

/// The values of a row as a line, from the least to the most of them.
class Sparkline final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const auto points = index.data(WatchesModel::kPointsRole).value<QVector<double>>();
    if (points.size() < 2) return;
    const auto [min, max] = std::ranges::minmax(points);
    const QRectF box = QRectF(option.rect).adjusted(4, 4, -4, -4);
    const double step = box.width() / static_cast<double>(points.size() - 1), span = max - min;
    const auto y_of = [&, low = min](double v) {
      return span > 0 ? box.bottom() - (v - low) / span * box.height() : box.center().y();
    };
    // Values stay until the next one is known.
    QPainterPath line(QPointF(box.left(), y_of(points.front())));
    for (int i = 1; i < points.size(); ++i) {
      line.lineTo(box.left() + step * i, y_of(points[i - 1]));
      line.lineTo(box.left() + step * i, y_of(points[i]));
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool chosen = (option.state & QStyle::State_Selected) != 0;
    painter->setPen(QPen(option.palette.color(chosen ? QPalette::HighlightedText : QPalette::Link), 1.5));
    painter->drawPath(line);
    painter->restore();
  }
};

}  // namespace

WatchesView::WatchesView(Workspace& workspace, Theme)
    : workspace_(workspace),
      model_(workspace),
      field_(new QLineEdit),
      answer_(new QLabel),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      table_(make_table(this, tr("Watches"))) {
  QVBoxLayout* box = tight_column(this);
  QHBoxLayout* top = tool_row();
  field_->setPlaceholderText(tr("Expression: n + 1, me0.ctx3.temp, ring3.count"));
  field_->setAccessibleName(tr("Expression to evaluate or to watch"));
  field_->setToolTip(tr("Enter evaluates it for the chosen context at this moment; Ctrl+Enter watches it"));
  field_->setClearButtonEnabled(true);
  field_->installEventFilter(this);
  auto* evaluate = new QPushButton(tr("&Evaluate"));
  auto* watch = new QPushButton(tr("&Watch"));
  answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  answer_->setFocusPolicy(Qt::NoFocus);
  top->addWidget(field_, 1);
  top->addWidget(evaluate);
  top->addWidget(watch);
  box->addLayout(top);
  answer_->setContentsMargins(6, 0, 6, 2);
  answer_->setWordWrap(true);
  answer_->hide();
  box->addWidget(answer_);
  box->addWidget(pages_, 1);
  pages_->addWidget(empty_);
  pages_->addWidget(table_);
  table_->setModel(&model_);
  table_->setItemDelegate(new ChangedDelegate(WatchesModel::kChangedRole, table_));
  table_->setItemDelegateForColumn(WatchesModel::kCourse, new Sparkline(table_));
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setColumnWidth(WatchesModel::kExpression, 130);
  for (const int value : {WatchesModel::kHexadecimal, WatchesModel::kDecimal, WatchesModel::kLast})
    table_->setColumnWidth(value, table_->fontMetrics().horizontalAdvance(QStringLiteral("1,000,000,000")) + 12);
  table_->installEventFilter(this);
  connect(evaluate, &QPushButton::clicked, this, &WatchesView::evaluate);
  connect(watch, &QPushButton::clicked, this, &WatchesView::add);
  connect(table_, &QTableView::customContextMenuRequested, this, &WatchesView::menu);
  connect(&model_, &WatchesModel::refused, &workspace, &Workspace::message);
  // An answer is of the moment in which it was given.
  connect(&workspace, &Workspace::project_changed, answer_, &QLabel::hide);
  add_value_keys(this, workspace, [this] { return chosen(); });
  for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&model_, changed, this, &WatchesView::tell);
  connect(&model_, &QAbstractItemModel::modelReset, this, &WatchesView::tell);
  tell();
}

void WatchesView::tell() {
  empty_->say(
      tr("Write an expression above: Enter evaluates it once, Ctrl+Enter watches it. Ctrl+Shift+A watches what is "
         "chosen in Registers, Memory, CSRs, Queues or a text. Here is what it is now, was at the last stop, and its "
         "course."));
  pages_->setCurrentIndex(model_.rowCount() == 0 ? 0 : 1);
}

int WatchesView::current() const { return table_->currentIndex().isValid() ? table_->currentIndex().row() : -1; }

std::optional<ValueName> WatchesView::chosen() const {
  if (current() < 0) return std::nullopt;
  return ValueName{workspace_.watches().at(current()), workspace_.cursor().context().value_or(ContextId())};
}

void WatchesView::evaluate() {
  if (field_->text().trimmed().isEmpty()) return;
  model_.evaluate(field_->text(), [this](const QString& text) {
    answer_->setText(text);
    answer_->show();
  });
}

void WatchesView::add() {
  workspace_.add_watch(field_->text());
  if (const qsizetype row = workspace_.watches().indexOf(field_->text().trimmed()); row >= 0)
    table_->setCurrentIndex(model_.index(static_cast<int>(row), 0));
}

void WatchesView::move(int by) {
  const int to = model_.shift(current(), by);
  if (to >= 0) table_->setCurrentIndex(model_.index(to, 0));
}

void WatchesView::remove() {
  const int row = current();
  if (row < 0) return;
  model_.remove(row);
  if (model_.rowCount() > 0) table_->setCurrentIndex(model_.index(std::min(row, model_.rowCount() - 1), 0));
}

bool WatchesView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return View::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (watched == field_ && enter) {
    (key->modifiers() & Qt::ControlModifier) != 0 ? add() : evaluate();
    return true;
  }
  if (watched != table_) return false;
  if (key->key() == Qt::Key_Delete) {
    remove();
    return true;
  }
  if (key->key() == Qt::Key_Insert) {
    field_->setFocus();
    return true;
  }
  if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
    move(key->key() == Qt::Key_Up ? -1 : 1);
    return true;
  }
  if (enter && key->modifiers() == Qt::NoModifier && current() >= 0) {
    table_->edit(model_.index(current(), WatchesModel::kExpression));
    return true;
  }
  return false;
}

void WatchesView::menu(const QPoint& at) {
  if (const QModelIndex index = table_->indexAt(at); index.isValid()) table_->setCurrentIndex(index);
  const int row = current();
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Change"), this, [this] { table_->edit(model_.index(current(), 0)); })->setEnabled(row >= 0);
  menu->addAction(tr("Remove"), this, &WatchesView::remove)->setEnabled(row >= 0);
  menu->addAction(tr("Move up"), this, [this] { move(-1); })->setEnabled(row > 0);
  menu->addAction(tr("Move down"), this, [this] { move(1); })->setEnabled(row >= 0 && row + 1 < model_.rowCount());
  if (const auto value = chosen()) {
    menu->addSeparator();
    menu->addAction(tr("Who wrote this, who reads it next?"), this,
                    [this, value = *value] { ask_origin(workspace_, value); });
  }
  menu->addSeparator();
  add_table_exports(*menu, table_, workspace_);
  menu->popup(table_->viewport()->mapToGlobal(at));
}

QJsonValue WatchesView::state() const {
  QJsonObject out{{QStringLiteral("watches"), rows_of(&model_)}};
  if (!answer_->isHidden()) out[QStringLiteral("answer")] = answer_->text();
  return out;
}

}  // namespace weft::ide
