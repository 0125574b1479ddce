#include "origin_tree.h"

#include <QFileInfo>
#include <functional>
#include <map>

#include "state_tree.h"

namespace weft::ide {

using workbench::Holder;
using workbench::Writer;

namespace {

constexpr int kHolderRole = OriginTree::kNumberRole + 1, kBeforeRole = kHolderRole + 1, kBehindRole = kHolderRole + 2;

QString hexadecimal(uint32_t value) { return QStringLiteral("0x%1").arg(value, 8, 16, QLatin1Char('0')); }

QString who_of(const Writer& w) {
  switch (w.by) {
    case Writer::By::engine: return QStringLiteral("me%1.%2").arg(w.who.engine).arg(w.who.context);
    case Writer::By::media: return OriginTree::tr("the media interface");
    case Writer::By::control: return OriginTree::tr("the control processor");
    case Writer::By::user: return OriginTree::tr("you");
    case Writer::By::unknown: break;
  }
  return OriginTree::tr("not followed");
}

}  // namespace

OriginTree::OriginTree(Workspace& workspace, QObject* parent)
    : QStandardItemModel(0, kColumns, parent), workspace_(workspace) {
  setHorizontalHeaderLabels({tr("What"), tr("Value"), tr("By"), tr("Place"), tr("Cycle"), tr("How")});
}

void OriginTree::forget() {
  removeRows(0, rowCount());
  title_.clear();
  tell_trail();
}

QStandardItem* OriginTree::item_of(quint64 number) const {
  const auto found = match(index(0, 0), kNumberRole, number, 1, Qt::MatchExactly | Qt::MatchRecursive);
  return found.empty() ? nullptr : itemFromIndex(found.front());
}

OriginTree::Row OriginTree::row_of(const QModelIndex& row) const {
  return static_cast<Row>(row.siblingAtColumn(0).data(kRowRole).toInt());
}

bool OriginTree::hasChildren(const QModelIndex& parent) const {
  return QStandardItemModel::hasChildren(parent) || canFetchMore(parent);
}
bool OriginTree::canFetchMore(const QModelIndex& parent) const {
  return parent.isValid() && parent.column() == 0 && row_of(parent) == Row::open;
}

void OriginTree::set_cell(QStandardItem& first, Column column, const QString& text) {
  QStandardItem* parent = first.parent() != nullptr ? first.parent() : invisibleRootItem();
  QStandardItem* cell = parent->child(first.row(), column);
  cell->setText(text);
  cell->setToolTip(text);
}

void OriginTree::add_row(QStandardItem& under, const Holder& what, const QString& role, std::optional<uint64_t> before,
                         std::optional<uint32_t> value, Row state) {
  QList<QStandardItem*> cells;
  for (int column = 0; column < kColumns; ++column) {
    cells << new QStandardItem;
    cells.back()->setEditable(false);
  }
  const QString name = QString::fromStdString(to_text(what));
  cells[kWhat]->setText(role.isEmpty() ? name : QStringLiteral("%1: %2").arg(role, name));
  cells[kWhat]->setData(static_cast<int>(state), kRowRole);
  cells[kWhat]->setData(next_++, kNumberRole);
  cells[kWhat]->setData(QVariant::fromValue(what), kHolderRole);
  if (before) cells[kWhat]->setData(qulonglong{*before}, kBeforeRole);
  if (value) cells[kValue]->setText(hexadecimal(*value));
  if (state == Row::open) cells[kWho]->setText(tr("open it to ask"));
  under.appendRow(cells);
}

bool OriginTree::may_ask(QStandardItem& first) {
  Target* target = workspace_.target();
  if (target == nullptr || !target->view()) return false;
  if (target->state() == Target::State::running || target->state() == Target::State::building) {
    set_cell(first, kWho, tr("the machine runs: stop it first"));
    return false;
  }
  set_cell(first, kWho, tr("looking through the recording..."));
  return true;
}

void OriginTree::ask(const Holder& what) {
  removeRows(0, rowCount());
  tell_trail();
  Target* target = workspace_.target();
  const auto view = target ? target->view() : nullptr;
  title_ =
      view ? tr("%1, as it stood in cycle %L2").arg(QString::fromStdString(to_text(what))).arg(view->cycle) : QString();
  if (!view) return;
  add_row(*invisibleRootItem(), what, {}, std::nullopt, std::nullopt, Row::open);
  QStandardItem* first = item(0);
  if (!may_ask(*first)) return;
  first->setData(static_cast<int>(Row::asked), kRowRole);
  const quint64 number = first->data(kNumberRole).toULongLong();
  target->find_origin(what, std::nullopt, this, [this, number](const Target::OriginAnswer& answer) {
    QStandardItem* const row = item_of(number);
    if (row == nullptr) return;
    take_origin(*row, answer);
    // And the other way, from the moment that was asked about.
    if (!answer.origin) return;
    workspace_.target()->find_use(answer.origin->what, std::nullopt, this,
                                  [this, number](const Target::UseAnswer& use) {
                                    if (QStandardItem* const root = item_of(number)) take_use(*root, use);
                                  });
  });
}

void OriginTree::ask_writer(const QModelIndex& row) {
  QStandardItem* first = itemFromIndex(row.siblingAtColumn(0));
  if (first == nullptr || row_of(row) != Row::open || !may_ask(*first)) return;
  first->setData(static_cast<int>(Row::asked), kRowRole);
  const QVariant before = first->data(kBeforeRole);
  workspace_.target()->find_origin(first->data(kHolderRole).value<Holder>(),
                                   before.isValid() ? std::optional<uint64_t>(before.toULongLong()) : std::nullopt,
                                   this, [this, number = first->data(kNumberRole).toULongLong()](const auto& answer) {
                                     if (QStandardItem* const at = item_of(number)) take_origin(*at, answer);
                                   });
}

void OriginTree::ask_reader(const QModelIndex& row) {
  QStandardItem* first = itemFromIndex(row.siblingAtColumn(0));
  Target* target = workspace_.target();
  if (first == nullptr || row_of(row) != Row::written || target == nullptr ||
      target->state() == Target::State::running || target->state() == Target::State::building)
    return;
  target->find_use(first->data(kHolderRole).value<Holder>(), first->data(kBehindRole).toULongLong(), this,
                   [this, number = first->data(kNumberRole).toULongLong()](const auto& answer) {
                     if (QStandardItem* const at = item_of(number)) take_use(*at, answer);
                   });
}

void OriginTree::fill_who(QStandardItem& first, const Writer& w) {
  set_cell(first, kWho, who_of(w));
  const QString file = QString::fromStdString(w.file);
  if (w.line != 0) {
    set_cell(first, kPlace, workspace_.names().place(w.file, w.line));
    first.setData(file, kFileRole);
    first.setData(w.line, kLineRole);
  } else if (w.by == Writer::By::engine) {
    set_cell(first, kPlace, QStringLiteral("0x%1").arg(w.pc, 0, 16));
  }
  set_cell(first, kCycle, QStringLiteral("%L1").arg(w.cycle));
  set_cell(first, kHow, QString::fromStdString(w.how));
  first.setData(qulonglong{w.cycle}, kCycleRole);
  if (w.by == Writer::By::engine) first.setData(QVariant::fromValue(w.who), kContextRole);
  QStandardItem* parent = first.parent() != nullptr ? first.parent() : invisibleRootItem();
  parent->child(first.row(), kCycle)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void OriginTree::take_origin(QStandardItem& first, const Target::OriginAnswer& answer) {
  if (!answer.origin) {
    // One that was ended by the user can be asked for again.
    const Diagnostic& why = answer.problems.list().front();
    first.setData(static_cast<int>(why.code == "search-interrupted" ? Row::open : Row::failed), kRowRole);
    set_cell(first, kWho, QString::fromStdString(why.text));
  } else if (!answer.origin->writer) {
    first.setData(static_cast<int>(Row::loaded), kRowRole);
    set_cell(first, kWho, tr("not written since the recording began"));
  } else {
    const Writer& w = *answer.origin->writer;
    first.setData(QVariant::fromValue(answer.origin->what), kHolderRole);
    if (first.parent() == nullptr) set_cell(first, kWhat, QString::fromStdString(to_text(answer.origin->what)));
    fill_who(first, w);
    set_cell(first, kValue, hexadecimal(w.after));
    first.setData(static_cast<int>(Row::written), kRowRole);
    first.setData(qulonglong{answer.origin->behind}, kBehindRole);
    for (const workbench::Source& s : answer.origin->sources)
      add_row(first, s.what, tr(s.role.c_str()), s.before, s.value, Row::open);
  }
  tell_trail();
  Q_EMIT answered(first.index());
}

void OriginTree::take_use(QStandardItem& first, const Target::UseAnswer& answer) {
  const auto what = first.data(kHolderRole).value<Holder>();
  QStandardItem* under = first.parent() == nullptr ? invisibleRootItem() : &first;
  add_row(*under, what, tr("next"), std::nullopt, std::nullopt, Row::read);
  QStandardItem* row = under->child(under->rowCount() - 1, 0);
  if (!answer.problems.empty()) {
    row->setData(static_cast<int>(Row::failed), kRowRole);
    set_cell(*row, kWho, QString::fromStdString(answer.problems.list().front().text));
  } else if (!answer.use) {
    row->setData(static_cast<int>(Row::failed), kRowRole);
    set_cell(*row, kWho, tr("nobody, up to the latest moment that was reached"));
  } else {
    const Writer& w = answer.use->who;
    fill_who(*row, w);
    row->setText((answer.use->read ? tr("read next: %1") : tr("written over unread: %1"))
                     .arg(QString::fromStdString(to_text(what))));
    set_cell(*row, kValue, hexadecimal(w.after));
  }
  tell_trail();
  Q_EMIT answered(row->index());
}

// All that is known, in order of time.
void OriginTree::tell_trail() {
  std::multimap<quint64, QString> places;
  const std::function<void(const QStandardItem&)> add = [&](const QStandardItem& under) {
    for (int row = 0; row < under.rowCount(); ++row) {
      const QStandardItem& item = *under.child(row, 0);
      if (item.data(kCycleRole).isValid()) {
        const QString name = QString::fromStdString(item.data(kHolderRole).value<Holder>().name);
        places.emplace(item.data(kCycleRole).toULongLong(),
                       row_of(item.index()) == Row::read ? tr("%1 read").arg(name) : tr("%1 written").arg(name));
      }
      add(item);
    }
  };
  add(*invisibleRootItem());
  QList<std::pair<quint64, QString>> all;
  for (const auto& place : places) all << place;
  Q_EMIT workspace_.trail_changed(all);
}

}  // namespace weft::ide
