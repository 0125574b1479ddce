#include "state_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <functional>

#include "changed_delegate.h"
#include "empty_page.h"
#include "models/contexts_model.h"
#include "models/memory_model.h"
#include "past_question.h"
#include "save_files.h"
#include "view_parts.h"

namespace weft::ide {

namespace {

QString name_of(StateView::What what) {
  switch (what) {
    case StateView::What::csrs: return QObject::tr("CSRs");
    case StateView::What::engine: return QObject::tr("CAM and signals");
    case StateView::What::queues: return QObject::tr("Queues and rings");
  }
  return {};
}
QStringList columns_of(StateView::What what) {
  return what == StateView::What::csrs     ? csr_columns()
         : what == StateView::What::engine ? engine_columns()
                                           : queue_columns();
}

QJsonArray json_of(const QAbstractItemModel& model, const QModelIndex& under) {
  QJsonArray out;
  for (int row = 0; row < model.rowCount(under); ++row) {
    QJsonObject fields;
    for (int column = 0; column < model.columnCount(under); ++column) {
      const QString text = model.index(row, column, under).data().toString();
      if (!text.isEmpty()) fields[model.headerData(column, Qt::Horizontal).toString()] = text;
    }
    const QModelIndex first = model.index(row, 0, under);
    if (model.rowCount(first) > 0) fields[QStringLiteral("below")] = json_of(model, first);
    out.append(fields);
  }
  return out;
}

/// Hides what does not contain the text, itself or below. True: something is shown.
bool keep(QTreeView& tree, const QModelIndex& under, const QString& text) {
  const QAbstractItemModel& model = *tree.model();
  bool any = false;
  for (int row = 0; row < model.rowCount(under); ++row) {
    bool match = text.isEmpty();
    for (int column = 0; !match && column < model.columnCount(under); ++column)
      match = model.index(row, column, under).data().toString().contains(text, Qt::CaseInsensitive);
    const QModelIndex first = model.index(row, 0, under);
    const bool below = keep(tree, first, match ? QString() : text);
    tree.setRowHidden(row, under, !match && !below);
    if (!match && below) tree.expand(first);
    any = any || match || below;
  }
  return any;
}

}  // namespace

StateView::StateView(Workspace& workspace, What what)
    : workspace_(workspace),
      what_(what),
      model_(columns_of(what), what == What::queues ? 2 : 1),
      title_(new QLabel),
      search_(new QLineEdit),
      tree_(new QTreeView),
      pages_(new QStackedWidget),
      empty_(new EmptyPage) {
  QVBoxLayout* box = tight_column(this);
  QHBoxLayout* top = tool_row();
  top->addWidget(title_, 1);
  prepare_field(*search_, tr("Show only ..."), tr("Show only rows with this text, of %1").arg(name_of(what)));
  search_->setMaximumWidth(200);
  top->addWidget(search_);
  box->addLayout(top);
  box->addWidget(pages_);
  pages_->addWidget(empty_);
  pages_->addWidget(tree_);
  tree_->setModel(&model_);
  tree_->setAccessibleName(name_of(what));
  tree_->setItemDelegate(new ChangedDelegate(StateTree::kMarkedRole, tree_));
  tree_->setAlternatingRowColors(true);
  tree_->setUniformRowHeights(true);
  tree_->setTextElideMode(Qt::ElideMiddle);
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->header()->setStretchLastSection(true);
  connect(tree_, &QTreeView::customContextMenuRequested, this, &StateView::menu);
  connect(tree_, &QTreeView::activated, this, &StateView::activate);
  connect(search_, &QLineEdit::textChanged, this, &StateView::filter);
  add_value_keys(this, workspace, [this] { return value_of(tree_->currentIndex()); });
  connect(&workspace, &Workspace::project_changed, this, &StateView::attach);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &StateView::refresh);
  attach();
}

void StateView::attach() {
  model_.forget();
  request_.reset();
  opened_ = false;
  shown_.reset();
  pages_->setCurrentIndex(0);
  if (workspace_.target()) {
    connect(workspace_.target(), &Target::state_changed, this, &StateView::refresh);
    connect(workspace_.target(), &Target::view_changed, this, &StateView::refresh);
  }
  refresh();
}

void StateView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  refresh();
}

void StateView::refresh() {
  Target* target = workspace_.target();
  const auto view = target ? target->view() : nullptr;
  if (!view) {
    request_.reset();  // a question to the machine before may have got lost with it
    empty_->say(no_machine(workspace_));
    title_->clear();
    pages_->setCurrentIndex(0);
    return;
  }
  if (!isVisible()) return;  // it asks when it is looked at
  if (!request_.begin()) return;
  const ContextId id =
      workspace_.cursor().context().value_or(view->contexts.empty() ? ContextId{} : view->contexts.front().id);
  const bool same = shown_ && (what_ == What::queues ? shown_->chip == id.chip : *shown_ == id);
  if (!same) {
    model_.forget();
    opened_ = false;
    shown_ = id;
  }
  const QString chip = view->chips.size() > 1 ? QString::fromStdString(view->chips.at(id.chip)) : QString();
  title_->setText(what_ == What::queues ? (chip.isEmpty() ? tr("cycle %L1").arg(view->cycle)
                                                          : tr("%1, cycle %L2").arg(chip).arg(view->cycle))
                                        : tr("%1, cycle %L2").arg(context_text(*view, id)).arg(view->cycle));
  target->ask(
      this,
      [what = what_, id, names = workspace_.names()](const Inspector& machine) {
        return what == What::csrs     ? csr_rows(machine, id)
               : what == What::engine ? engine_rows(machine, id)
                                      : queue_rows(machine, id.chip, names);
      },
      [this](const StateRows& rows) { take(rows); });
}

void StateView::take(const StateRows& rows) {
  const bool again = request_.end();
  model_.show(rows, moment_of(*workspace_.target()));
  pages_->setCurrentIndex(1);
  if (!opened_ && model_.rowCount() > 0) {
    opened_ = true;
    tree_->expandToDepth(0);
    tree_->setIndentation(14);
    for (int column = 0; column + 1 < model_.columnCount(); ++column) {
      tree_->resizeColumnToContents(column);
      const int min = what_ == What::queues && column == 3 ? 150 : column > 3 ? 110 : 0;
      tree_->setColumnWidth(column, std::clamp(tree_->columnWidth(column) + 8, min, 260));
    }
  }
  // In a narrow place names give way to values; their ends tell them apart.
  if (what_ != What::queues)
    if (const int room = tree_->viewport()->width() - tree_->columnWidth(1); room > 80 && tree_->columnWidth(0) > room)
      tree_->setColumnWidth(0, room);
  if (!search_->text().isEmpty()) filter();
  if (again) refresh();
}

void StateView::filter() { keep(*tree_, {}, search_->text()); }

void StateView::activate(const QModelIndex& index) {
  const QModelIndex first = index.siblingAtColumn(0);
  if (const auto id = first.data(StateTree::kContextRole); id.isValid())
    workspace_.cursor().set_context(id.value<ContextId>());
  if (const QString file = first.data(StateTree::kFileRole).toString(); !file.isEmpty()) {
    workspace_.request_built_place(file, first.data(StateTree::kLineRole).toInt());
  } else if (!first.data(StateTree::kWriteRole).toString().isEmpty()) {
    edit(first);
  } else if (const QString memory = first.data(StateTree::kMemoryRole).toString(); !memory.isEmpty() && shown_) {
    Q_EMIT workspace_.memory_requested(shown_->chip, memory, first.data(StateTree::kAddressRole).toULongLong());
  }
}

void StateView::edit(const QModelIndex& index) {
  const QString name = index.data(StateTree::kWriteRole).toString();
  bool chosen = false;
  const QString text =
      QInputDialog::getText(this, tr("Change a CSR"), tr("New value of %1 (12, 0x1f, 0b101):").arg(name),
                            QLineEdit::Normal, index.siblingAtColumn(1).data().toString(), &chosen);
  if (!chosen || !shown_) return;
  const auto bytes = parse_pattern(text, Pattern::longword);
  if (bytes.size() != 4) {
    Q_EMIT workspace_.message(tr("'%1' is not a number: write 12, 0x1f or 0b101").arg(text));
    return;
  }
  const uint32_t value = uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
  const QString said = tr("%1: %2 stood there, now 0x%3")
                           .arg(name, index.siblingAtColumn(1).data().toString())
                           .arg(value, 8, 16, QLatin1Char('0'));
  careful(workspace_, this)([this, said, name, value, where = *shown_] {
    Q_EMIT workspace_.message(said);
    workspace_.target()->write(name.toStdString(), value, where);
  });
}

void StateView::show_sender(const QModelIndex& index) {
  const auto command = index.data(StateTree::kCommandRole).value<emulator::Command>();
  workspace_.target()->find_sender(command, shown_ ? shown_->chip : 0, this, [this](const Target::WriteAnswer& answer) {
    if (!answer.problems.empty())
      Q_EMIT workspace_.message(QString::fromStdString(answer.problems.list().front().text));
    else if (!answer.writer)
      Q_EMIT workspace_.message(tr("The recording begins after this command"));
    else if (!answer.writer->file.empty())
      workspace_.request_built_place(QString::fromStdString(answer.writer->file),
                                     static_cast<int>(answer.writer->line));
    else
      Q_EMIT workspace_.message(
          tr("It was sent by the word at 0x%1, which has no source line").arg(answer.writer->pc, 0, 16));
  });
}

// CSRs by their names, entries of rings and queues by where they lie.
std::optional<ValueName> StateView::value_of(const QModelIndex& row) const {
  if (!row.isValid() || !shown_) return std::nullopt;
  const QModelIndex first = row.siblingAtColumn(0);
  if (const QString name = first.data(StateTree::kWriteRole).toString(); !name.isEmpty())
    return ValueName{name, *shown_};
  const QString memory = first.data(StateTree::kMemoryRole).toString();
  if (memory.isEmpty()) return std::nullopt;
  const quint64 address = first.data(StateTree::kAddressRole).toULongLong();
  return ValueName{memory.endsWith(QStringLiteral(".lm"))
                       ? QStringLiteral("%1[%2]").arg(memory).arg(address / 4)
                       : QStringLiteral("%1[0x%2]").arg(memory).arg(address & ~quint64{3}, 0, 16),
                   *shown_};
}

void StateView::menu(const QPoint& at) {
  const QModelIndex index = tree_->indexAt(at).siblingAtColumn(0);
  QMenu menu(this);
  if (index.isValid()) {
    if (!index.data(StateTree::kFileRole).toString().isEmpty())
      menu.addAction(tr("Show the instruction"), this, [this, index] { activate(index); });
    else if (index.data(StateTree::kCommandRole).isValid())
      menu.addAction(tr("Show the instruction"), this, [this, index] { show_sender(index); });
    if (const QString memory = index.data(StateTree::kMemoryRole).toString(); !memory.isEmpty() && shown_)
      menu.addAction(tr("Show in memory"), this, [this, index, memory] {
        Q_EMIT workspace_.memory_requested(shown_->chip, memory, index.data(StateTree::kAddressRole).toULongLong());
      });
    if (const auto id = index.data(StateTree::kContextRole); id.isValid())
      menu.addAction(tr("Choose this context"), this,
                     [this, id] { workspace_.cursor().set_context(id.value<ContextId>()); });
    if (const auto value = value_of(index)) fill_value_menu(menu, workspace_, *value);
    if (const QString name = index.data(StateTree::kWriteRole).toString(); !name.isEmpty()) {
      menu.addAction(tr("Change..."), this, [this, index] { edit(index); });
      menu.addAction(tr("Break when it changes"), this, [this, name] {
        workbench::Breakpoint b;
        b.kind = workbench::Breakpoint::Kind::change;
        b.target = name.toStdString();
        const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
        if (view && view->chips.size() > 1 && shown_) b.target.insert(0, view->chips.at(shown_->chip) + ": ");
        workspace_.add_breakpoint(std::move(b));
      });
      menu.addAction(tr("Who wrote this?"), this, [this, name] {
        workspace_.target()->find_write(
            name.toStdString(), *shown_, false, this, [this, name](const Target::WriteAnswer& answer) {
              Q_EMIT workspace_.message(
                  !answer.problems.empty() ? QString::fromStdString(answer.problems.list().front().text)
                  : answer.writer ? name + QStringLiteral(": ") + QString::fromStdString(to_text(*answer.writer))
                                  : tr("%1 was not written since the recording began").arg(name));
              if (answer.writer && !answer.writer->file.empty())
                workspace_.request_built_place(QString::fromStdString(answer.writer->file),
                                               static_cast<int>(answer.writer->line));
            });
      });
    }
    menu.addSeparator();
  }
  menu.addAction(tr("Open all"), tree_, &QTreeView::expandAll);
  menu.addAction(tr("Close all"), tree_, &QTreeView::collapseAll);
  menu.addSeparator();
  menu.addAction(tr("Copy"), this, [this] { QApplication::clipboard()->setText(text_of_tree(QLatin1Char('\t'))); });
  menu.addAction(tr("Save as CSV..."), this, [this] {
    const QString path = ask_file_name(this, tr("Save as CSV"), QStringLiteral("state.csv"), tr("CSV (*.csv)"));
    if (!path.isEmpty()) write_text(workspace_, path, text_of_tree(QLatin1Char(',')).toStdString());
  });
  menu.exec(tree_->viewport()->mapToGlobal(at));
}

/// All rows, those below others with their names in front: "Chip / CTX_ENABLES".
QString StateView::text_of_tree(QChar between) const {
  QString out;
  const auto field = [between](QString text) {
    if (between == QLatin1Char('\t')) return text.replace(QLatin1Char('\t'), QLatin1Char(' '));
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'))) return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
  };
  for (int column = 0; column < model_.columnCount(); ++column)
    out += (column > 0 ? QString(between) : QString()) + field(model_.headerData(column, Qt::Horizontal).toString());
  out += QLatin1Char('\n');
  const std::function<void(const QModelIndex&, const QString&)> add = [&](const QModelIndex& under,
                                                                          const QString& path) {
    for (int row = 0; row < model_.rowCount(under); ++row) {
      const QString name = path + model_.index(row, 0, under).data().toString();
      out += field(name);
      for (int column = 1; column < model_.columnCount(); ++column)
        out += between + field(model_.index(row, column, under).data().toString());
      out += QLatin1Char('\n');
      add(model_.index(row, 0, under), name + QStringLiteral(" / "));
    }
  };
  add({}, {});
  return out;
}

QJsonValue StateView::state() const { return pages_->currentIndex() == 0 ? empty_->state() : json_of(model_, {}); }

}  // namespace weft::ide
