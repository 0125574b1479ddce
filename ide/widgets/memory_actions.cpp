// What can be done with the memory that is shown: search, who wrote this, breakpoints, copies.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>

#include "memory_view.h"
#include "save_files.h"

namespace weft::ide {

namespace {

constexpr uint64_t kSlice = 4u << 20;  // bytes that are searched between two looks at what else the machine is asked

}  // namespace

void MemoryView::set_searching(bool on) {
  searching_ = on;
  next_->setEnabled(!on);
  stop_->setEnabled(on);
}

void MemoryView::search_next() {
  if (!model_.memory() || searching_) return;
  const auto bytes = parse_pattern(search_->text(), static_cast<Pattern>(pattern_->currentIndex()));
  if (bytes.empty()) {
    say(pattern_->currentIndex() == 0
            ? tr("'%1' is not a row of hexadecimal bytes: write de ad be ef").arg(search_->text())
        : pattern_->currentIndex() == 1 ? tr("'%1' is not a longword: write 12, 0x1f or 0b101").arg(search_->text())
                                        : tr("There is no text to search"));
    return;
  }
  ++search_id_;
  search_begin_ = std::min(selected_ + 1, model_.memory()->bytes);
  set_searching(true);
  say(tr("Searching..."));
  search_slice(search_begin_, model_.memory()->bytes, false);
}

// From after the present place to the end, then from the start on.
void MemoryView::search_slice(uint64_t from, uint64_t end, bool wrapped) {
  if (!model_.memory() || !workspace_.target()) return set_searching(false);
  if (from >= end) {
    if (!wrapped) return search_slice(0, std::min(search_begin_ + 1, model_.memory()->bytes), true);
    set_searching(false);
    return say(tr("%1 is not found in %2").arg(search_->text(), QString::fromStdString(model_.memory()->name)));
  }
  const auto pattern = static_cast<Pattern>(pattern_->currentIndex());
  const auto bytes = parse_pattern(search_->text(), pattern);
  const unsigned align = pattern == Pattern::longword ? 4 : 1;
  const uint64_t stop = std::min(end, from + kSlice), id = search_id_;
  const unsigned chip = model_.chip();
  workspace_.target()->ask(
      this,
      [chip, memory = model_.memory()->name, bytes, from, stop, align](const Inspector& machine) {
        return machine.find(chip, memory, bytes, from, stop, align);
      },
      [this, id, stop, end, wrapped](const std::optional<uint64_t>& found) {
        if (id != search_id_) return;
        if (!found) return search_slice(stop, end, wrapped);
        set_searching(false);
        go_to(model_.chip(), QString::fromStdString(model_.memory()->name), *found);
        say(wrapped ? tr("Found at 0x%1, from the start on").arg(qulonglong{*found}, 0, 16)
                    : tr("Found at 0x%1").arg(qulonglong{*found}, 0, 16));
      });
}

void MemoryView::who_wrote(bool next) {
  const auto address = current_address();
  Target* target = workspace_.target();
  if (!address || target == nullptr) return;
  const std::string name = workbench::longword_name(*model_.memory(), *address);
  if (name.empty()) return say(tr("Control stores are written by the loader and by 'load' commands"));
  if (target->state() == Target::State::running) return say(tr("The machine runs: stop it first"));
  say(tr("Looking through the recording..."));
  target->find_write(name, {model_.chip(), 0, 0}, next, this,
                     [this, name = QString::fromStdString(name), next](const Target::WriteAnswer& answer) {
                       take_writer(answer, name, next);
                     });
}

std::optional<ValueName> MemoryView::chosen_value() const {
  const auto address = current_address();
  const std::string name = address ? workbench::longword_name(*model_.memory(), *address) : std::string();
  if (name.empty()) return std::nullopt;
  return ValueName{QString::fromStdString(name), {model_.chip(), 0, 0}};
}

void MemoryView::take_writer(const Target::WriteAnswer& answer, const QString& name, bool next) {
  writer_ = answer.writer;
  if (!answer.problems.empty()) return say(QString::fromStdString(answer.problems.list().front().text));
  if (!writer_)
    return say(next ? tr("%1 is not written again up to the latest moment that was reached").arg(name)
                    : tr("%1 was not written since the recording began: it is as it was loaded").arg(name));
  say(QStringLiteral("%1: %2").arg(name, QString::fromStdString(to_text(*writer_))));
  there_->setVisible(true);
  there_->setToolTip(tr("To cycle %L1, in which the old value still stands").arg(writer_->cycle));
  instruction_->setVisible(!writer_->file.empty());
}

void MemoryView::watch(workbench::Breakpoint::Kind kind) {
  const auto address = current_address();
  if (!address) return;
  workbench::Breakpoint b;
  b.kind = kind;
  b.target = prefix().toStdString() + workbench::longword_name(*model_.memory(), *address);
  if (const int bytes = model_.format().group_bytes; bytes == 8) b.bytes = 8;
  workspace_.add_breakpoint(b);
  say(tr("A breakpoint watches %1").arg(QString::fromStdString(b.target)));
}

void MemoryView::save_range() {
  const auto address = current_address();
  if (!address || !workspace_.target()) return;
  bool chosen = false;
  const QString text =
      QInputDialog::getText(this, tr("Save a range"), tr("First byte and how many, as numbers:"), QLineEdit::Normal,
                            QStringLiteral("0x%1 0x1000").arg(qulonglong{*address}, 0, 16), &chosen);
  if (!chosen) return;
  const QStringList parts = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  bool right = parts.size() == 2, second = false;
  const uint64_t first = right ? parts[0].toULongLong(&right, 0) : 0;
  const uint64_t count = right ? parts[1].toULongLong(&second, 0) : 0;
  constexpr uint64_t kMax = 16u << 20;
  if (!right || !second || count == 0 || count > kMax || first >= model_.memory()->bytes)
    return say(tr("Write an address in the memory and up to 16 MB, for example 0x1000 256"));
  const QString path =
      ask_file_name(this, tr("Save a range"),
                    QStringLiteral("%1.bin").arg(QString::fromStdString(model_.memory()->name)), tr("All files (*)"));
  if (path.isEmpty()) return;
  workspace_.target()->ask(
      this,
      [chip = model_.chip(), memory = model_.memory()->name, first, count](const Inspector& machine) {
        std::string out;
        for (const uint32_t w :
             machine.longwords(chip, memory, first & ~uint64_t{3}, static_cast<unsigned>((count + 7) / 4)))
          for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(w >> shift);
        return out.substr(first % 4, count);
      },
      [this, path](const std::string& bytes) { write_text(workspace_, path, bytes); });
}

void MemoryView::menu(const QPoint& at) {
  if (!model_.memory()) return;
  if (const QModelIndex index = table_->indexAt(at); index.isValid()) table_->setCurrentIndex(index);
  const bool named = model_.memory()->kind != workbench::MemoryInfo::Kind::store && current_address();
  QMenu menu(this);
  if (named) {
    if (const auto value = chosen_value()) fill_value_menu(menu, workspace_, *value);
    menu.addAction(tr("Who wrote this?"), this, [this] { who_wrote(false); });
    menu.addAction(tr("Who writes it next?"), this, [this] { who_wrote(true); });
    menu.addSeparator();
    using Kind = workbench::Breakpoint::Kind;
    if (model_.memory()->kind != workbench::MemoryInfo::Kind::buffer) {
      menu.addAction(tr("Break when it is written"), this, [this] { watch(Kind::write); });
      menu.addAction(tr("Break when it is read"), this, [this] { watch(Kind::read); });
    }
    menu.addAction(tr("Break when it changes"), this, [this] { watch(Kind::change); });
    menu.addSeparator();
    menu.addAction(tr("Copy the value"), this,
                   [this] { QApplication::clipboard()->setText(table_->currentIndex().data().toString()); });
    menu.addAction(tr("Copy the name"), this, [this] {
      QApplication::clipboard()->setText(
          prefix() + QString::fromStdString(workbench::longword_name(*model_.memory(), *current_address())));
    });
  }
  menu.addAction(tr("Copy"), this, [this] { QApplication::clipboard()->setText(tabbed_text_of(model_)); });
  menu.addAction(tr("Save as CSV..."), this, [this] {
    const QString path = ask_file_name(this, tr("Save as CSV"), QStringLiteral("memory.csv"), tr("CSV (*.csv)"));
    if (!path.isEmpty()) write_text(workspace_, path, csv_of(model_).toStdString());
  });
  menu.addAction(tr("Save a range as a file..."), this, &MemoryView::save_range);
  menu.exec(table_->viewport()->mapToGlobal(at));
}

}  // namespace weft::ide
