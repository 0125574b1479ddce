#include "checkpoints_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <algorithm>

namespace weft::ide {

CheckpointsDialog::CheckpointsDialog(const Checkpoints& shown, QWidget* parent)
    : QDialog(parent), cycles_(new QSpinBox), max_(new QSpinBox) {
  setObjectName(QStringLiteral("checkpoints_dialog"));
  setWindowTitle(tr("Checkpoints"));
  auto* form = new QFormLayout(this);
  auto* what =
      new QLabel(tr("The run keeps moments to go back to. A step back repeats the run from the moment before it: with "
                    "moments that are close together it takes less time, and they take more memory. "
                    "When there are as many as may be, every second one goes. Another choice starts the run anew."));
  what->setWordWrap(true);
  form->addRow(what);
  const auto add = [form](QSpinBox* box, const QString& name, const QString& label, uint64_t min, uint64_t max,
                          int step, uint64_t value) {
    box->setObjectName(name);
    box->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    box->setGroupSeparatorShown(true);
    box->setRange(static_cast<int>(min), static_cast<int>(max));
    box->setSingleStep(step);
    box->setValue(static_cast<int>(std::min(value, max)));
    form->addRow(label, box);
  };
  add(cycles_, QStringLiteral("checkpoint_cycles"), tr("&Cycles from one to the next"), kMinCheckpointCycles,
      1'000'000'000, 10'000, shown.cycles);
  add(max_, QStringLiteral("checkpoint_most"), tr("At &most"), kMinCheckpoints, 100'000, 16, shown.max);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  form->addRow(buttons);
}

Checkpoints CheckpointsDialog::checkpoints() const {
  return {static_cast<uint64_t>(cycles_->value()), static_cast<size_t>(max_->value())};
}

}  // namespace weft::ide
