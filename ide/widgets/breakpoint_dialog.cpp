#include "breakpoint_dialog.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "models/breakpoint_place.h"
#include "theme.h"

namespace weft::ide {

namespace {

// Of an entry of the list of microengines.
constexpr int kEngineRole = Qt::UserRole;
constexpr int kChipRole = Qt::UserRole + 1;

constexpr int kQuiet = 250;  // ms without a key before the machine is asked what it thinks

QString translated(const char* text) { return QCoreApplication::translate("Breakpoint", text); }

}  // namespace

BreakpointDialog::BreakpointDialog(Workspace& workspace, const workbench::Breakpoint& shown, QWidget* parent)
    : QDialog(parent),
      workspace_(workspace),
      before_(shown),
      kind_(new QComboBox),
      field_name_(new QLabel),
      example_(new QLabel),
      problem_(new QLabel),
      field_(new QLineEdit),
      condition_(new QLineEdit),
      log_(new QLineEdit),
      bytes_(new QSpinBox),
      from_(new QSpinBox),
      bytes_name_(new QLabel(tr("&Bytes"))),
      where_(new QWidget),
      where_name_(new QLabel(tr("For"))),
      every_(new QRadioButton(tr("e&very microengine that runs it"))),
      chosen_(new QRadioButton(tr("onl&y"))),
      engines_(new QListWidget),
      stop_(new QRadioButton(tr("&stop"))),
      only_log_(new QRadioButton(tr("only &log"))),
      once_(new QCheckBox(tr("o&nce, then it goes"))),
      enabled_(new QCheckBox(tr("switched &on"))),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)),
      later_(new QTimer(this)) {
  setObjectName(QStringLiteral("breakpoint"));
  auto* form = new QFormLayout(this);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  for (const BreakpointChoice& choice : breakpoint_choices()) kind_->addItem(translated(choice.title));
  kind_->setAccessibleName(tr("Kind"));
  kind_->setMaxVisibleItems(20);
  form->addRow(tr("&When"), kind_);
  field_name_->setBuddy(field_);
  form->addRow(field_name_, field_);
  example_->setForegroundRole(QPalette::PlaceholderText);
  form->addRow(QString(), example_);
  bytes_->setRange(4, 1 << 20);
  bytes_->setSingleStep(4);
  bytes_->setAccessibleName(tr("Bytes"));
  bytes_name_->setBuddy(bytes_);
  form->addRow(bytes_name_, bytes_);

  auto* where = new QVBoxLayout(where_);
  where->setContentsMargins(0, 0, 0, 0);
  auto* which = new QButtonGroup(this);
  which->addButton(every_);
  which->addButton(chosen_);
  auto* line = new QHBoxLayout;
  line->addWidget(every_);
  line->addWidget(chosen_);
  line->addStretch();
  where->addLayout(line);
  engines_->setAccessibleName(tr("Microengines"));
  engines_->setFlow(QListView::LeftToRight);
  engines_->setWrapping(true);
  engines_->setResizeMode(QListView::Adjust);
  engines_->setMaximumHeight(3 * (fontMetrics().height() + 8));
  where->addWidget(engines_);
  auto* contexts = new QHBoxLayout;
  contexts->addWidget(new QLabel(tr("contexts")));
  for (unsigned c = 0; c < contexts_.size(); ++c) {
    contexts_[c] = new QCheckBox(QString::number(c));
    contexts_[c]->setAccessibleName(tr("Context %1").arg(c));
    contexts->addWidget(contexts_[c]);
  }
  contexts->addStretch();
  where->addLayout(contexts);
  form->addRow(where_name_, where_);

  condition_->setPlaceholderText(tr("always; or for example n == 3 && scratch[0x40] != 0"));
  form->addRow(tr("&If"), condition_);
  from_->setRange(1, 1'000'000'000);
  from_->setAccessibleName(tr("First hit that counts"));
  form->addRow(tr("&From hit"), from_);
  auto* action = new QHBoxLayout;
  action->addWidget(stop_);
  action->addWidget(once_);
  action->addWidget(only_log_);
  action->addStretch();
  form->addRow(tr("Then"), action);
  log_->setPlaceholderText(tr("n is {n}, in hexadecimal {n:x}, at cycle {cycle}"));
  form->addRow(tr("&Text"), log_);
  form->addRow(QString(), enabled_);
  problem_->setWordWrap(true);
  problem_->setMinimumHeight(2 * fontMetrics().lineSpacing());
  problem_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  problem_->setObjectName(QStringLiteral("problem"));
  form->addRow(problem_);
  form->addRow(buttons_);
  connect(buttons_, &QDialogButtonBox::accepted, this, &BreakpointDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);

  const bool of_engines = shown.kind == workbench::Breakpoint::Kind::location && !shown.engines.empty();
  const QString of_chip = of_engines ? chip_in_front(shown) : QString();
  if (const auto view = workspace_.target() ? workspace_.target()->view() : nullptr) {
    chips_ = view->chips;
    for (const workbench::EngineView& e : view->engines) {
      const QString chip = chips_.size() > 1 ? QString::fromStdString(chips_[e.chip]) : QString();
      const QString name = chip.isEmpty() ? QString() : chip + QLatin1Char(' ');
      auto* item = new QListWidgetItem(
          QStringLiteral("%1me%2 %3").arg(name).arg(e.engine).arg(QString::fromStdString(e.program)), engines_);
      item->setData(kEngineRole, e.engine);
      item->setData(kChipRole, chip);
      const bool checked = std::find(shown.engines.begin(), shown.engines.end(), e.engine) != shown.engines.end() &&
                           (of_chip.isEmpty() || of_chip == chip + QStringLiteral(": "));
      item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    }
  }
  kind_->setCurrentIndex(static_cast<int>(choice_of(shown)));
  // The chip is that of the microengines that are chosen.
  field_->setText(chips_.size() > 1 ? field_of(shown).mid(of_chip.size()) : field_of(shown));
  bytes_->setValue(static_cast<int>(shown.bytes));
  (shown.engines.empty() ? every_ : chosen_)->setChecked(true);
  for (unsigned c = 0; c < contexts_.size(); ++c) contexts_[c]->setChecked((shown.contexts >> c & 1) != 0);
  condition_->setText(QString::fromStdString(shown.condition));
  from_->setValue(static_cast<int>(std::min<uint64_t>(shown.from_hit, 1'000'000'000)));
  (shown.log.empty() ? stop_ : only_log_)->setChecked(true);
  log_->setText(QString::fromStdString(shown.log));
  once_->setChecked(shown.once);
  enabled_->setChecked(shown.enabled);

  later_->setSingleShot(true);
  connect(later_, &QTimer::timeout, this, &BreakpointDialog::check);
  const auto changed = [this] { later_->start(kQuiet); };
  connect(kind_, &QComboBox::currentIndexChanged, this, [this, changed] {
    show_kind();
    changed();
  });
  for (QLineEdit* edit : {field_, condition_, log_}) connect(edit, &QLineEdit::textChanged, this, changed);
  for (QAbstractButton* button : std::initializer_list<QAbstractButton*>{every_, chosen_, stop_, only_log_})
    connect(button, &QAbstractButton::toggled, this, [this, changed] {
      show_kind();
      changed();
    });
  for (QCheckBox* box : contexts_) connect(box, &QCheckBox::toggled, this, changed);
  connect(engines_, &QListWidget::itemChanged, this, changed);
  connect(bytes_, &QSpinBox::valueChanged, this, changed);
  show_kind();
  if (!field_->text().isEmpty()) check();
}

void BreakpointDialog::show_kind() {
  const BreakpointChoice& choice = breakpoint_choices()[static_cast<size_t>(kind_->currentIndex())];
  using Kind = workbench::Breakpoint::Kind;
  field_name_->setText(translated(choice.what));
  field_->setAccessibleName(translated(choice.what));
  example_->setText(QStringLiteral("%1 %2").arg(tr("for example:"), translated(choice.example)));
  const bool location = choice.kind == Kind::location,
             access = choice.kind == Kind::read || choice.kind == Kind::write || choice.kind == Kind::change;
  where_->setVisible(location);
  where_name_->setVisible(location);
  bytes_->setVisible(access);
  bytes_name_->setVisible(access);
  engines_->setEnabled(chosen_->isChecked());
  log_->setEnabled(only_log_->isChecked());
  once_->setEnabled(stop_->isChecked());
}

BreakpointDialog::EnginesByChip BreakpointDialog::chosen_engines() const {
  EnginesByChip out;
  for (int row = 0; row < engines_->count(); ++row)
    if (const QListWidgetItem* item = engines_->item(row); item->checkState() == Qt::Checked)
      out[item->data(kChipRole).toString()].push_back(item->data(kEngineRole).toUInt());
  return out;
}

QString BreakpointDialog::wrong_chip() const {
  const EnginesByChip chosen = chosen_engines();
  if (chosen.empty() || chips_.size() < 2) return {};
  workbench::Breakpoint typed;
  typed.target = field_->text().toStdString();
  const QString chip = chip_in_front(typed).chopped(chip_in_front(typed).isEmpty() ? 0 : 2);
  const bool same =
      std::all_of(chosen.begin(), chosen.end(), [&](const auto& one) { return one.second == chosen.begin()->second; });
  if (chosen.size() > 1 && (!same || chosen.size() < chips_.size()))
    return tr("The microengines belong to several chips: make a breakpoint for each chip");
  if (!chip.isEmpty() && (chosen.size() > 1 || chosen.begin()->first != chip))
    return tr("The place is in %1, the microengine in another chip").arg(chip);
  return {};
}

workbench::Breakpoint BreakpointDialog::breakpoint() const {
  workbench::Breakpoint b = before_;
  const BreakpointChoice& choice = breakpoint_choices()[static_cast<size_t>(kind_->currentIndex())];
  set_target(b, choice, field_->text());
  const bool location = b.kind == workbench::Breakpoint::Kind::location;
  b.engines.clear();
  if (const EnginesByChip chosen = chosen_engines(); location && chosen_->isChecked() && !chosen.empty()) {
    const auto& [chip, engines] = *chosen.begin();
    b.engines = engines;
    // The same numbers of every chip need no chip's name.
    if (chosen.size() == 1 && !chip.isEmpty() && chip_in_front(b).isEmpty())
      b.target.insert(0, chip.toStdString() + ": ");
  }
  b.contexts = location ? 0u : 0xffu;
  for (unsigned c = 0; location && c < contexts_.size(); ++c) b.contexts |= contexts_[c]->isChecked() ? 1u << c : 0u;
  b.bytes = bytes_->isHidden() ? 4 : static_cast<uint32_t>(bytes_->value());
  b.condition = condition_->text().trimmed().toStdString();
  b.from_hit = static_cast<uint64_t>(from_->value());
  b.log = only_log_->isChecked() ? log_->text().toStdString() : std::string();
  b.once = stop_->isChecked() && once_->isChecked();
  b.enabled = enabled_->isChecked();
  b.problem.clear();
  return b;
}

QString BreakpointDialog::problem() const { return problem_->text(); }

// The machine is asked: names, live ranges and places are what the assembler made of the program that it runs.
void BreakpointDialog::check() {
  const auto say = [this](const QString& text) {
    problem_->setText(text);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, error_colour(theme_of(colours)));
    problem_->setPalette(text.isEmpty() ? palette() : colours);
    if (!text.isEmpty()) accepting_ = false;
  };
  const workbench::Breakpoint b = breakpoint();
  const BreakpointChoice& choice = breakpoint_choices()[static_cast<size_t>(kind_->currentIndex())];
  if (field_->text().trimmed().isEmpty() && !choice.may_be_empty)
    return say(tr("%1 is missing").arg(translated(choice.what)));
  if (b.kind == workbench::Breakpoint::Kind::location && chosen_->isChecked() && b.engines.empty())
    return say(tr("No microengine is chosen"));
  if (b.kind == workbench::Breakpoint::Kind::location && chosen_->isChecked() && !wrong_chip().isEmpty())
    return say(wrong_chip());
  if (only_log_->isChecked() && b.log.empty()) return say(tr("The text that is logged is missing"));
  Target* target = workspace_.target();
  const auto there = workspace_.in_built_text(b);
  if (target == nullptr || !target->view() || !there) {
    say({});
    if (accepting_) QDialog::accept();  // looked at when it is built
    return;
  }
  const auto question = [there,
                         chips = target->view()->chips](const Inspector& machine) -> std::pair<QString, QString> {
    const auto fine = check_in_every_chip(machine, chips, *there);
    if (fine) return {};
    const Diagnostic& why = fine.error().list().front();
    return {QString::fromStdString(why.text), QString::fromStdString(why.remedy)};
  };
  target->ask(this, question, [this, say, asked = ++asked_](const std::pair<QString, QString>& why) {
    if (asked != asked_) return;
    say(why.second.isEmpty() ? why.first : QStringLiteral("%1: %2").arg(why.first, why.second));
    if (why.first.isEmpty() && accepting_) QDialog::accept();
  });
}

void BreakpointDialog::accept() {
  accepting_ = true;
  later_->stop();
  check();
}

BreakpointDialog* edit_breakpoint(Workspace& workspace, const workbench::Breakpoint& shown, std::optional<size_t> which,
                                  QWidget* parent) {
  auto* dialog = new BreakpointDialog(workspace, shown, parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(which ? BreakpointDialog::tr("Change a breakpoint") : BreakpointDialog::tr("New breakpoint"));
  QObject::connect(dialog, &QDialog::accepted, parent, [&workspace, dialog, which] {
    if (which)
      workspace.change_breakpoint(*which, dialog->breakpoint());
    else
      workspace.add_breakpoint(dialog->breakpoint());
  });
  dialog->open();
  return dialog;
}

}  // namespace weft::ide
