// How many moments a run keeps to go back to, and how far they are apart.
#pragma once

#include <QDialog>

#include "models/session_target.h"

class QSpinBox;

namespace weft::ide {

class CheckpointsDialog final : public QDialog {
  Q_OBJECT

 public:
  CheckpointsDialog(const Checkpoints& shown, QWidget* parent = nullptr);
  /// As the fields say.
  Checkpoints checkpoints() const;

 private:
  QSpinBox *cycles_, *max_;
};

}  // namespace weft::ide
