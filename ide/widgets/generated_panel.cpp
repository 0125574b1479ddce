#include "generated_panel.h"

#include <fmt/format.h>

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "empty_page.h"
#include "models/contexts_model.h"
#include "table_export.h"
#include "tables.h"
#include "theme.h"
#include "view_parts.h"
#include "weft/emulator/lost_cycles.h"

namespace weft::ide {

namespace {

constexpr int kMaxRows = 12;  // more are scrolled to

/// "me0.0-3, me0.7": neighbours together, as all contexts often stand at one instruction.
QString short_text(const MachineView& view, const std::vector<workbench::ContextId>& ids) {
  QStringList parts;
  for (size_t first = 0; first < ids.size();) {
    size_t last = first;
    while (last + 1 < ids.size() && ids[last + 1].engine == ids[first].engine &&
           ids[last + 1].context == ids[last].context + 1)
      ++last;
    const QString text = context_text(view, ids[first]);
    parts << (last == first ? text : QStringLiteral("%1-%2").arg(text).arg(ids[last].context));
    first = last + 1;
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace

GeneratedPanel::GeneratedPanel(Workspace& workspace, const QString& path, int line)
    : workspace_(workspace),
      path_(path),
      line_(line),
      what_(new QLabel),
      choice_(new QComboBox),
      table_(make_table(this, tr("Generated instructions"))) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setCursor(Qt::ArrowCursor);
  setAccessibleName(tr("Instructions of line %1").arg(line));
  choice_->setAccessibleName(tr("Program whose instructions are shown"));
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto* close = new QToolButton;
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setFocusPolicy(Qt::TabFocus);
  close->setAccessibleName(tr("Fold the generated instructions"));
  close->setToolTip(close->accessibleName());
  connect(close, &QToolButton::clicked, this, &GeneratedPanel::close_requested);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(6, 1, 2, 1);
  head->addWidget(what_, 1);
  head->addWidget(choice_);
  head->addWidget(close);
  QVBoxLayout* box = tight_column(this);
  box->addLayout(head);
  box->addWidget(table_);
  table_->setModel(&model_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->installEventFilter(this);
  paint_next();
  auto* source = new QAction(tr("Show where it is &written"), table_);
  connect(source, &QAction::triggered, this, [this] { show_source(table_->currentIndex()); });
  auto* toggle = new QAction(tr("&Breakpoint on this instruction"), table_);
  connect(toggle, &QAction::triggered, this, &GeneratedPanel::toggle_breakpoint);
  table_->addActions({toggle, source});
  add_table_exports(table_, workspace_);
  connect(table_, &QTableView::activated, this, &GeneratedPanel::show_source);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == GeneratedModel::kHere) toggle_breakpoint();
  });
  connect(choice_, &QComboBox::activated, this, [this](int chosen) {
    const Program& p = programs_.at(static_cast<size_t>(chosen));
    pinned_ = workbench::ContextId{p.chip, p.engines.front(), 0};
    ask();
  });
  connect(&workspace_, &Workspace::breakpoints_changed, this, &GeneratedPanel::mark);
  connect(&workspace_.cursor(), &Cursor::context_changed, this, &GeneratedPanel::ask);
  connect(&workspace_, &Workspace::project_changed, this, &GeneratedPanel::attach);
  attach();
}

void GeneratedPanel::attach() {
  request_.reset();
  if (Target* target = workspace_.target()) {
    connect(target, &Target::view_changed, this, &GeneratedPanel::ask);
    connect(target, &Target::state_changed, this, [this, target] {
      if (target->state() == Target::State::building)
        request_.reset();  // a question to the machine before may have got lost with it
      say();
    });
  }
  ask();
}

void GeneratedPanel::set_line(int line) {
  line_ = line;
  setAccessibleName(tr("Instructions of line %1").arg(line));
  ask();
}

void GeneratedPanel::set_stale(bool stale) {
  if (std::exchange(stale_, stale) != stale) say();
}

// The palette says which theme the window has.
void GeneratedPanel::paint_next() {
  model_.set_next_colour(stopped_line(palette().color(QPalette::Base).lightness() < 128 ? Theme::dark : Theme::light));
}

void GeneratedPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) paint_next();
  QFrame::changeEvent(event);
}

int GeneratedPanel::wanted_height() const {
  const int rows = std::clamp(model_.rowCount(), 0, kMaxRows);
  const int head =
      std::max({what_->sizeHint().height(), choice_->isVisibleTo(this) ? choice_->sizeHint().height() : 0, 22}) + 2;
  const int table = rows == 0 ? 0
                              : table_->horizontalHeader()->sizeHint().height() +
                                    rows * table_->verticalHeader()->defaultSectionSize() +
                                    table_->horizontalScrollBar()->sizeHint().height();
  return head + table + 2 * frameWidth() + 2;
}

void GeneratedPanel::take_focus() {
  // With the focus a table takes its first row, so ours comes before.
  if (!table_->currentIndex().isValid() && model_.rowCount() > 0)
    table_->selectRow(std::max(0, model_.next() ? model_.row_of(*model_.next()) : 0));
  table_->setFocus();
}

// Runs where the machine is.
GeneratedPanel::Answer GeneratedPanel::answer(const Inspector& machine, const std::string& path, uint32_t line,
                                              std::optional<workbench::ContextId> wanted) {
  Answer out;
  std::vector<const image::Image*> images;
  const workbench::MachineView view = machine.machine();
  for (const workbench::EngineView& e : view.engines) {
    const image::Image* image = machine.program(e.chip, e.engine);
    if (image == nullptr || workbench::generated_at(*image, path, line).empty()) continue;
    size_t at = 0;
    while (at < images.size() && (images[at] != image || out.programs[at].chip != e.chip)) ++at;
    if (at == images.size()) {
      images.push_back(image);
      out.programs.push_back({e.chip, {}, QString()});
    }
    Program& p = out.programs[at];
    if (wanted && wanted->chip == e.chip && wanted->engine == e.engine) out.chosen = at;
    const QString chip = view.chips.size() > 1 && p.engines.empty()
                             ? QString::fromStdString(view.chips[e.chip]) + QLatin1Char(' ')
                             : QString();
    p.engines.push_back(e.engine);
    p.name += (p.name.isEmpty() ? QString() : QStringLiteral(", ")) + chip + QStringLiteral("me%1").arg(e.engine);
  }
  for (size_t at = 0; at < images.size(); ++at)
    out.programs[at].name += QStringLiteral(" – ") + QString::fromStdString(images[at]->name);
  if (images.empty()) return out;
  const image::Image& image = *images[out.chosen];
  const Program& program = out.programs[out.chosen];
  out.word_bytes = isa::word_bytes(image.profile);
  const std::vector<uint64_t> words = machine.words(program.chip, program.engines.front());
  const isa::LostCycles lost = emulator::lost_cycles(machine.timing(program.chip));
  const emulator::Coverage* coverage = machine.coverage(program.chip);
  for (const uint32_t address : workbench::generated_at(image, path, line)) {
    GeneratedRow row{workbench::generated_word(image, words, address, lost), std::nullopt, QString()};
    if (coverage != nullptr) {
      uint64_t count = 0;
      for (const unsigned engine : program.engines)
        if (const auto& counted = coverage->words(engine); address < counted.size())
          count += counted[address].all_executed();
      row.executed = count;
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

void GeneratedPanel::ask() {
  Target* target = workspace_.target();
  if (target == nullptr) return;
  if (!request_.begin()) return;
  const auto wanted = pinned_ ? pinned_ : target->stopped_at() ? target->stopped_at() : workspace_.cursor().context();
  target->ask(
      this,
      [path = path_.toStdString(), line = static_cast<uint32_t>(line_), wanted](const Inspector& machine) {
        return answer(machine, path, line, wanted);
      },
      [this](const Answer& got) {
        const bool again = request_.end();
        take(got);
        if (again) ask();
      });
}

void GeneratedPanel::take(const Answer& got) {
  programs_ = got.programs;
  chosen_ = got.chosen;
  std::vector<GeneratedRow> rows = got.rows;
  // The text of a row that is written elsewhere, as the assembler reads it now.
  std::map<std::string, std::optional<std::string>> files;
  for (GeneratedRow& row : rows) {
    if (row.word.file == path_.toStdString() && static_cast<int>(row.word.line) == line_) continue;
    auto known = files.find(row.word.file);
    if (known == files.end())
      known = files.emplace(row.word.file, workspace_.language().text(QString::fromStdString(row.word.file))).first;
    if (!known->second) continue;
    size_t begin = 0;
    for (uint32_t line = 1; line < row.word.line && begin != std::string::npos; ++line) {
      begin = known->second->find('\n', begin);
      if (begin != std::string::npos) ++begin;
    }
    if (begin != std::string::npos)
      row.text =
          QString::fromStdString(known->second->substr(begin, known->second->find('\n', begin) - begin)).trimmed();
  }
  const bool first = model_.rowCount() == 0;
  model_.set_rows(std::move(rows), got.word_bytes, workspace_.names());
  {
    const QSignalBlocker quiet(choice_);
    QStringList names;
    for (const Program& p : programs_) names << p.name;
    QStringList old;
    for (int i = 0; i < choice_->count(); ++i) old << choice_->itemText(i);
    if (names != old) {
      choice_->clear();
      choice_->addItems(names);
    }
    choice_->setCurrentIndex(static_cast<int>(chosen_));
    choice_->setVisible(programs_.size() > 1);
  }
  mark();
  say();
  if (first) {
    table_->resizeColumnsToContents();
    table_->setColumnWidth(GeneratedModel::kHere, fontMetrics().horizontalAdvance(QStringLiteral("● ▶ me0.0-7 ")));
    for (const GeneratedModel::Column wide : {GeneratedModel::kInstruction, GeneratedModel::kNames})
      table_->setColumnWidth(wide, std::min(table_->columnWidth(wide), fontMetrics().averageCharWidth() * 44));
  }
  Q_EMIT height_changed();
}

void GeneratedPanel::say() {
  QString text;
  if (workspace_.target() == nullptr || !workspace_.target()->view())
    text = no_machine(workspace_);
  else if (const Program* p = program())
    text = (model_.rowCount() == 1 ? tr("1 instruction of") : tr("%1 instructions of").arg(model_.rowCount())) +
           (programs_.size() > 1 ? QString() : QLatin1Char(' ') + p->name);
  else
    text = tr("No program that is built has instructions of this line.");
  // In front: after it stands the choice of the program.
  if (stale_) text.prepend(tr("The text has changed since: "));
  what_->setText(text);
  table_->setVisible(model_.rowCount() > 0);
}

// Who stands at the instructions, and what is to stop there.
void GeneratedPanel::mark() {
  const Program* p = program();
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  if (p == nullptr || !view) return;
  const auto of_program = [&](unsigned engine) { return std::ranges::find(p->engines, engine) != p->engines.end(); };
  const auto stopped = workspace_.target()->stopped_at();
  const auto shown = stopped ? stopped : workspace_.cursor().context();
  std::map<uint32_t, std::vector<workbench::ContextId>> standing;
  std::optional<uint32_t> next;
  for (const workbench::ContextView& c : view->contexts) {
    if (c.id.chip != p->chip || !of_program(c.id.engine)) continue;
    standing[c.pc].push_back(c.id);
    if (shown == c.id && workspace_.target()->state() != Target::State::running) next = c.pc;
  }
  std::map<uint32_t, QString> contexts;
  for (const auto& [address, ids] : standing) contexts[address] = short_text(*view, ids);
  const bool moved = next != model_.next();
  model_.set_contexts(std::move(contexts), next);
  std::map<uint32_t, bool> breakpoints;
  for (const workbench::Breakpoint& b : workspace_.breakpoints())
    for (size_t i = 0; i < b.words.size(); ++i) {
      const auto& [engine, address] = b.words[i];
      // Between two machines the program may still be of a chip that the new one does not have.
      const bool here = i >= b.chips.size() || (p->chip < view->chips.size() && b.chips[i] == view->chips[p->chip]);
      if (here && of_program(engine)) breakpoints[address] = breakpoints[address] || b.enabled;
    }
  model_.set_breakpoints(std::move(breakpoints));
  if (moved && next)
    if (const int row = model_.row_of(*next); row >= 0) table_->scrollTo(model_.index(row, 0));
}

void GeneratedPanel::show_source(const QModelIndex& index) {
  const GeneratedRow* row = model_.at(index.row());
  if (row != nullptr && row->word.line != 0)
    workspace_.request_built_place(QString::fromStdString(row->word.file), static_cast<int>(row->word.line));
}

void GeneratedPanel::toggle_breakpoint() {
  const GeneratedRow* row = model_.at(table_->currentIndex().row());
  const Program* p = program();
  const auto view = workspace_.target()->view();
  if (row == nullptr || p == nullptr || !view) return;
  const std::string chip = view->chips.size() > 1 ? view->chips.at(p->chip) + ": " : "";
  const std::string target = fmt::format("{}{:#x}", chip, row->word.address);
  auto all = workspace_.breakpoints();
  const auto known = std::ranges::find_if(all, [&](const workbench::Breakpoint& b) {
    return b.kind == workbench::Breakpoint::Kind::location && b.target == target && b.engines == p->engines;
  });
  if (known != all.end()) {
    all.erase(known);
  } else {
    workbench::Breakpoint added;
    added.target = target;
    added.engines = p->engines;
    all.push_back(std::move(added));
  }
  workspace_.set_breakpoints(std::move(all));
}

bool GeneratedPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
      Q_EMIT leave_requested();
      return true;
    }
    if (key->key() == Qt::Key_Space) {
      toggle_breakpoint();
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace weft::ide
