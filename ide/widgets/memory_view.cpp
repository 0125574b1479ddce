#include "memory_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "changed_delegate.h"
#include "empty_page.h"
#include "past_question.h"
#include "tables.h"

namespace weft::ide {

MemoryView::MemoryView(Workspace& workspace, Theme)
    : workspace_(workspace),
      memory_(new QComboBox),
      symbol_(new QComboBox),
      radix_(new QComboBox),
      group_(new QComboBox),
      pattern_(new QComboBox),
      address_(new QLineEdit),
      search_(new QLineEdit),
      follow_(new QCheckBox(tr("Follow"))),
      table_(make_table(this, tr("Memory"))),
      bar_(new QScrollBar(Qt::Vertical)),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      found_(new QLabel),
      note_(new QLabel),
      next_(new QPushButton(tr("Find"))),
      stop_(new QPushButton(tr("Stop"))),
      undo_(new QPushButton(tr("Undo"))),
      who_(new QPushButton(tr("Who wrote this?"))),
      there_(new QPushButton(tr("Go there"))),
      instruction_(new QPushButton(tr("Show line"))) {
  QVBoxLayout* const rows = fill_view(this, pages_, empty_);
  rows->setSpacing(-1);  // the style's
  rows->setSpacing(2);
  make_top();
  make_bottom();

  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  table_->setModel(&model_);
  table_->setItemDelegate(new ChangedDelegate(MemoryModel::kChangedRole, table_));
  table_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  table_->setSelectionBehavior(QAbstractItemView::SelectItems);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->installEventFilter(this);
  table_->viewport()->installEventFilter(this);
  bar_->setAccessibleName(tr("Place in the memory"));
  bar_->setFocusPolicy(Qt::NoFocus);
  middle->addWidget(table_);
  middle->addWidget(bar_);
  rows->insertLayout(rows->count() - 1, middle, 1);
  connect(bar_, &QScrollBar::valueChanged, this, &MemoryView::scroll);
  connect(table_, &QTableView::customContextMenuRequested, this, &MemoryView::menu);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) selected_ = model_.address_of(index);
  });
  connect(&model_, &QAbstractItemModel::modelReset, this, [this] { select(selected_); });
  connect(&model_, &MemoryModel::edited, this, [this](const QString& text) {
    say(text);
    if (workspace_.target()) Q_EMIT workspace_.target()->said(text);
    undo_->setEnabled(!model_.edits().empty());
  });
  model_.set_careful(careful(workspace_, this));
  connect(&model_, &MemoryModel::refused, this, &MemoryView::say);
  connect(&workspace, &Workspace::project_changed, this, &MemoryView::attach);
  connect(&workspace, &Workspace::memory_requested, this,
          [this](unsigned chip, const QString& memory, quint64 address) {
            for (QWidget* w = parentWidget(); w != nullptr; w = w->parentWidget())
              if (auto* dock = qobject_cast<QDockWidget*>(w)) {
                dock->show();
                dock->raise();
              }
            go_to(chip, memory, address);
          });
  connect(&workspace.cursor(), &Cursor::context_changed, this, &MemoryView::note_pointers);
  add_value_keys(this, workspace, [this] { return chosen_value(); });
  attach();
}

void MemoryView::make_top() {
  auto* rows = qobject_cast<QVBoxLayout*>(pages_->widget(1)->layout());
  auto* top = new QHBoxLayout;
  top->setContentsMargins(4, 2, 4, 0);
  memory_->setAccessibleName(tr("Memory that is shown"));
  address_->setAccessibleName(tr("Address, name or expression"));
  address_->setPlaceholderText(tr("Address, name or expression"));
  follow_->setToolTip(tr("Evaluate the expression at each stop, and go where it leads"));
  symbol_->setAccessibleName(tr("Tables and symbols"));
  radix_->setAccessibleName(tr("Radix"));
  group_->setAccessibleName(tr("Bytes of a group"));
  radix_->addItems({tr("hex"), tr("decimal"), tr("binary"), tr("octal")});
  for (const int bytes : {1, 2, 4, 8}) group_->addItem(bytes == 1 ? tr("1 byte") : tr("%1 bytes").arg(bytes), bytes);
  group_->setCurrentIndex(2);
  for (QComboBox* combo : {memory_, symbol_}) {
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(12);
    combo->view()->setMinimumWidth(320);
  }
  address_->setMinimumWidth(90);
  top->addWidget(memory_, 2);
  top->addWidget(address_, 2);
  top->addWidget(follow_);
  top->addWidget(symbol_, 2);
  top->addWidget(radix_);
  top->addWidget(group_);
  rows->addLayout(top);
  connect(memory_, QOverload<int>::of(&QComboBox::activated), this, [this](int which) {
    choose(which);
    row_ = 0;
    selected_ = 0;
    resized();
  });
  connect(address_, &QLineEdit::returnPressed, this, [this] { go_to(address_->text()); });
  connect(symbol_, QOverload<int>::of(&QComboBox::activated), this, [this](int which) {
    if (which <= 0) return;
    const auto& symbol = symbols_.at(static_cast<size_t>(which - 1));
    go_to(model_.chip(), QString::fromStdString(symbol.memory), symbol.address);
  });
  const auto format = [this] {
    MemoryFormat f;
    f.radix = static_cast<MemoryFormat::Radix>(radix_->currentIndex());
    f.group_bytes = group_->currentData().toInt();
    f.row_bytes = f.radix == MemoryFormat::Radix::binary ? 4 : 16;
    if (f.group_bytes > f.row_bytes) f.row_bytes = f.group_bytes;
    model_.set_format(f);
    go_to(model_.chip(), model_.memory() ? QString::fromStdString(model_.memory()->name) : QString(), selected_);
  };
  connect(radix_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, format);
  connect(group_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, format);
}

void MemoryView::make_bottom() {
  auto* rows = qobject_cast<QVBoxLayout*>(pages_->widget(1)->layout());
  auto* search = new QHBoxLayout;
  search->setContentsMargins(4, 0, 4, 0);
  search_->setAccessibleName(tr("What is searched in the memory"));
  search_->setPlaceholderText(tr("Search: de ad be ef"));
  pattern_->setAccessibleName(tr("Kind of what is searched"));
  pattern_->addItems({tr("hex bytes"), tr("longword"), tr("text")});
  search->addWidget(search_, 2);
  search->addWidget(pattern_);
  search->addWidget(next_);
  search->addWidget(stop_);
  search->addWidget(who_);
  search->addWidget(undo_);
  stop_->setEnabled(false);
  undo_->setEnabled(false);
  for (QPushButton* b : {next_, stop_, undo_, who_, there_, instruction_}) b->setAccessibleName(b->text());
  stop_->setAccessibleName(tr("Stop the search"));
  undo_->setAccessibleName(tr("Undo the last change of a longword"));
  rows->addLayout(search);
  auto* bottom = new QWidget;
  auto* answers = new QHBoxLayout(bottom);
  answers->setContentsMargins(4, 0, 4, 2);
  found_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  found_->setFocusPolicy(Qt::NoFocus);
  found_->setMinimumWidth(60);
  found_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  answers->addWidget(found_, 3);
  answers->addWidget(note_, 1);
  answers->addWidget(there_);
  answers->addWidget(instruction_);
  there_->setVisible(false);
  instruction_->setVisible(false);
  rows->addWidget(bottom);
  connect(search_, &QLineEdit::returnPressed, this, &MemoryView::search_next);
  connect(next_, &QPushButton::clicked, this, &MemoryView::search_next);
  connect(stop_, &QPushButton::clicked, this, [this] {
    ++search_id_;
    set_searching(false);
    say(tr("The search was stopped"));
  });
  connect(undo_, &QPushButton::clicked, &model_, &MemoryModel::undo);
  connect(who_, &QPushButton::clicked, this, [this] { who_wrote(false); });
  connect(there_, &QPushButton::clicked, this, [this] {
    if (writer_ && workspace_.target()) workspace_.target()->go_to(writer_->cycle);
  });
  connect(instruction_, &QPushButton::clicked, this, [this] {
    if (!writer_ || writer_->file.empty()) return;
    if (writer_->by == workbench::Writer::By::engine) workspace_.cursor().set_context(writer_->who);
    workspace_.request_built_place(QString::fromStdString(writer_->file), static_cast<int>(writer_->line));
  });
}

/// Another machine, or none yet.
void MemoryView::forget() {
  empty_->say(no_machine(workspace_));
  model_.set_target(workspace_.target());
  places_.clear();
  symbols_.clear();
  memory_->clear();
  symbol_->clear();
  pages_->setCurrentIndex(0);
  row_ = selected_ = 0;
  ++search_id_;
  set_searching(false);
  say({});
  undo_->setEnabled(!model_.edits().empty());
}

void MemoryView::attach() {
  forget();
  Target* target = workspace_.target();
  if (target == nullptr) return;
  // The model has heard of both before: it was connected by forget().
  connect(target, &Target::refused, this, [this] { undo_->setEnabled(!model_.edits().empty()); });
  connect(target, &Target::state_changed, this, [this] {
    empty_->say(no_machine(workspace_));
    undo_->setEnabled(!model_.edits().empty());
  });
  connect(target, &Target::view_changed, this, [this] {
    if (!workspace_.target()->view())
      forget();
    else if (places_.empty())
      ask_memories();
    if (follow_->isChecked() && workspace_.target()->state() != Target::State::running) go_to(address_->text());
    note_pointers();
  });
  ask_memories();
}

void MemoryView::ask_memories() {
  Target* target = workspace_.target();
  if (target == nullptr || !target->view()) return;
  const auto chips = static_cast<unsigned>(target->view()->chips.size());
  target->ask(
      this,
      [chips](const Inspector& machine) {
        std::vector<Place> out;
        for (unsigned chip = 0; chip < chips; ++chip)
          for (workbench::MemoryInfo& m : machine.memories(chip)) out.push_back({chip, std::move(m)});
        return out;
      },
      [this](const std::vector<Place>& places) {
        if (places.empty() || !places_.empty()) return;
        places_ = places;
        const auto view = workspace_.target()->view();
        for (const Place& p : places_) {
          const QString title = QString::fromStdString(p.memory.title);
          memory_->addItem(view && view->chips.size() > 1
                               ? QStringLiteral("%1: %2").arg(QString::fromStdString(view->chips.at(p.chip)), title)
                               : title);
        }
        pages_->setCurrentIndex(1);
        if (!wanted_.isEmpty())
          go_to(wanted_chip_, std::exchange(wanted_, {}), wanted_address_);
        else
          choose(0);
      });
}

void MemoryView::choose(int which) {
  if (which < 0 || static_cast<size_t>(which) >= places_.size()) return;
  const Place& p = places_[static_cast<size_t>(which)];
  const bool other_chip = p.chip != model_.chip() || symbol_->count() == 0;
  memory_->setCurrentIndex(which);
  model_.show(p.chip, p.memory);
  if (other_chip) fill_symbols();
  resized();
  note_pointers();
}

void MemoryView::fill_symbols() {
  symbol_->clear();
  symbol_->addItem(tr("Go to a table..."));
  const unsigned chip = model_.chip();
  workspace_.target()->ask(
      this, [chip](const Inspector& machine) { return std::pair(chip, machine.symbols(chip)); },
      [this](const std::pair<unsigned, std::vector<workbench::MemorySymbol>>& answer) {
        if (answer.first != model_.chip()) return;
        symbols_ = answer.second;
        while (symbol_->count() > 1) symbol_->removeItem(1);
        for (const auto& s : symbols_)
          symbol_->addItem(QStringLiteral("%1  (%2[0x%3])")
                               .arg(QString::fromStdString(s.name), QString::fromStdString(s.memory))
                               .arg(qulonglong{s.address}, 0, 16));
      });
}

void MemoryView::resized() {
  const int height = std::max(1, table_->verticalHeader()->defaultSectionSize());
  const int rows = std::max(1, table_->viewport()->height() / height);
  model_.set_window(row_, rows);
  row_ = model_.first();
  const QSignalBlocker quiet(bar_);
  const auto total = static_cast<int>(std::min<uint64_t>(model_.total_rows(), 0x7fffffff));
  bar_->setRange(0, std::max(0, total - model_.rowCount()));
  bar_->setPageStep(std::max(1, rows));
  bar_->setValue(static_cast<int>(row_));
  bool widths = table_->property("sized").toInt() !=
                model_.columnCount() * 100 + model_.format().group_bytes + static_cast<int>(model_.format().radix) * 10;
  if (widths && model_.rowCount() > 0) {
    table_->setProperty("sized", model_.columnCount() * 100 + model_.format().group_bytes +
                                     static_cast<int>(model_.format().radix) * 10);
    const QFontMetrics metrics(table_->font());
    const MemoryFormat f = model_.format();
    const QString widest = f.radix == MemoryFormat::Radix::decimal
                               ? QString::number(f.group_bytes == 8 ? ~0ull : (1ull << (8 * f.group_bytes)) - 1)
                               : group_text(0, f);
    table_->setColumnWidth(0, metrics.horizontalAdvance(QStringLiteral("0x00000000")) + 16);
    for (int c = 1; c < model_.text_column(); ++c) table_->setColumnWidth(c, metrics.horizontalAdvance(widest) + 12);
  }
}

void MemoryView::scroll(int value) {
  row_ = static_cast<uint64_t>(std::max(value, 0));
  model_.set_window(row_, model_.rowCount());
  select(selected_);
}

void MemoryView::select(uint64_t address) {
  const QModelIndex index = model_.index_of(address);
  const QSignalBlocker quiet(table_->selectionModel());
  if (index.isValid())
    table_->setCurrentIndex(index);
  else
    table_->setCurrentIndex({});
  table_->viewport()->update();
}

void MemoryView::showEvent(QShowEvent* event) {
  View::showEvent(event);
  resized();
}

bool MemoryView::eventFilter(QObject* object, QEvent* event) {
  if (object == table_->viewport() && event->type() == QEvent::Resize) {
    QMetaObject::invokeMethod(
        this, [this] { resized(); }, Qt::QueuedConnection);
  } else if (object == table_->viewport() && event->type() == QEvent::Wheel) {
    const auto* wheel = static_cast<QWheelEvent*>(event);
    const int steps = wheel->angleDelta().y() / 40;
    if (steps != 0) bar_->setValue(bar_->value() - steps);
    return true;
  } else if (object == table_ && event->type() == QEvent::KeyPress) {
    const auto* pressed = static_cast<QKeyEvent*>(event);
    if (key(pressed->key(), pressed->modifiers())) return true;
  }
  return View::eventFilter(object, event);
}

/// Keys that leave the window: true when it was moved.
bool MemoryView::key(int key, Qt::KeyboardModifiers modifiers) {
  if (!model_.memory() || model_.rowCount() == 0) return false;
  const auto bytes = static_cast<uint64_t>(model_.format().row_bytes);
  const uint64_t last = model_.memory()->bytes - static_cast<uint64_t>(model_.format().group_bytes);
  const QModelIndex now = table_->currentIndex();
  const bool in_text = now.column() == 0 || now.column() >= model_.text_column();
  uint64_t to = selected_;
  const auto back = [&](uint64_t by) { return to >= by ? to - by : to % bytes; };
  const auto forth = [&](uint64_t by) { return to + by <= last ? to + by : last; };
  switch (key) {
    case Qt::Key_Up:
      if (now.row() > 0 && now.isValid()) return false;
      to = back(bytes);
      break;
    case Qt::Key_Down:
      if (now.isValid() && now.row() + 1 < model_.rowCount()) return false;
      to = forth(bytes);
      break;
    case Qt::Key_PageUp: to = back(bytes * static_cast<uint64_t>(model_.rowCount())); break;
    case Qt::Key_PageDown: to = forth(bytes * static_cast<uint64_t>(model_.rowCount())); break;
    case Qt::Key_Home:
      if (!(modifiers & Qt::ControlModifier)) return false;
      to = 0;
      break;
    case Qt::Key_End:
      if (!(modifiers & Qt::ControlModifier)) return false;
      to = last;
      break;
    default: return false;
  }
  const uint64_t row = to / bytes;
  const auto rows = static_cast<uint64_t>(model_.rowCount());
  if (key == Qt::Key_PageUp)
    row_ = row_ >= rows ? row_ - rows : 0;
  else if (key == Qt::Key_PageDown)
    row_ += rows;
  else if (row < row_)
    row_ = row;
  else if (row >= row_ + rows)
    row_ = row - rows + 1;
  const int column = in_text ? now.column() : -1;
  selected_ = to;
  resized();
  select(to);
  if (column >= 0 && table_->currentIndex().isValid())
    table_->setCurrentIndex(table_->currentIndex().siblingAtColumn(column));
  return true;
}

void MemoryView::go_to(unsigned chip, const QString& memory, uint64_t address) {
  if (places_.empty()) {
    wanted_ = memory;
    wanted_chip_ = chip;
    wanted_address_ = address;
    return;
  }
  const std::string name = memory.toStdString();
  const auto at =
      std::ranges::find_if(places_, [&](const Place& p) { return p.chip == chip && p.memory.name == name; });
  if (at == places_.end()) return say(tr("The chip has no memory %1").arg(memory));
  if (address >= at->memory.bytes)
    return say(tr("%1 ends at 0x%2").arg(memory).arg(qulonglong{at->memory.bytes}, 0, 16));
  choose(static_cast<int>(at - places_.begin()));
  const auto bytes = static_cast<uint64_t>(model_.format().row_bytes);
  const uint64_t row = address / bytes;
  const auto rows = static_cast<uint64_t>(std::max(1, model_.rowCount()));
  if (row < row_ || row >= row_ + rows) row_ = row >= rows / 3 ? row - rows / 3 : 0;
  selected_ = address;
  resized();
  select(address);
}

void MemoryView::go_to(const QString& given) {
  const QString text = given.trimmed();
  if (text.isEmpty() || !model_.memory() || workspace_.target() == nullptr) return;
  const unsigned chip = model_.chip();
  const bool local = model_.memory()->kind == workbench::MemoryInfo::Kind::local;
  for (const auto& s : symbols_)
    if (text.toStdString() == s.name) return go_to(chip, QString::fromStdString(s.memory), s.address);
  static const QRegularExpression in_memory(
      QStringLiteral("^(scratch|dram|sram[0-3]|rbuf|tbuf|rfifo|tfifo|me\\d+\\.lm)\\[(.*)\\]$"));
  const QRegularExpressionMatch match = in_memory.match(text);
  const QString memory = match.hasMatch() ? match.captured(1) : QString::fromStdString(model_.memory()->name);
  const std::string expression = (match.hasMatch() ? match.captured(2) : text).toStdString();
  const uint64_t unit = match.hasMatch() && memory.endsWith(QStringLiteral(".lm")) ? 4
                        : local && !match.hasMatch()                               ? 4
                                                                                   : 1;
  ContextId where = workspace_.cursor().context().value_or(ContextId{chip, 0, 0});
  if (where.chip != chip) where = {chip, 0, 0};
  workspace_.target()->ask(
      this, [expression, where](const Inspector& machine) { return machine.evaluate(expression, where); },
      [this, chip, memory, unit](const Result<int64_t>& value) {
        if (!value) return say(QString::fromStdString(value.error().list().front().text));
        if (*value < 0) return say(tr("An address is not negative"));
        go_to(chip, memory, static_cast<uint64_t>(*value) * unit);
      });
}

/// Where the local-memory pointers of the chosen context stand.
void MemoryView::note_pointers() {
  const auto id = workspace_.cursor().context();
  const bool local = model_.memory() && model_.memory()->kind == workbench::MemoryInfo::Kind::local;
  if (!local || !id || !workspace_.target()) return note_->clear();
  ContextId whose = *id;
  const auto engine = static_cast<unsigned>(std::atoi(model_.memory()->name.c_str() + 2));
  if (whose.chip != model_.chip() || whose.engine != engine) whose = {model_.chip(), engine, 0};
  workspace_.target()->ask(
      this, [whose](const Inspector& machine) { return machine.engine(whose).lm; },
      [this, whose](const std::array<uint32_t, 2>& lm) {
        note_->setText(tr("me%1.%2: LM_ADDR_0 at [%3], LM_ADDR_1 at [%4]")
                           .arg(whose.engine)
                           .arg(whose.context)
                           .arg(lm[0] / 4)
                           .arg(lm[1] / 4));
        note_->setToolTip(note_->text());
      });
}

std::optional<uint64_t> MemoryView::current_address() const {
  if (!model_.memory() || selected_ >= model_.memory()->bytes) return std::nullopt;
  return selected_;
}

QString MemoryView::prefix() const {
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  return view && view->chips.size() > 1 ? QString::fromStdString(view->chips.at(model_.chip())) + QStringLiteral(": ")
                                        : QString();
}

void MemoryView::say(const QString& text) {
  found_->setText(text);
  found_->setToolTip(text);
  there_->setVisible(false);
  instruction_->setVisible(false);
}

QJsonValue MemoryView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  QJsonObject out;
  out[QStringLiteral("memory")] = QString::fromStdString(model_.memory()->name);
  out[QStringLiteral("address")] = QStringLiteral("0x%1").arg(qulonglong{selected_}, 0, 16);
  out[QStringLiteral("answer")] = found_->text();
  out[QStringLiteral("rows")] = rows_of(&model_);
  return out;
}

}  // namespace weft::ide
