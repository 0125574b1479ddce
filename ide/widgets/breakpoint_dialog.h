// Makes a breakpoint, or changes one. What is wrong with it is said while it is written, and it is not taken before it
// is right.
#pragma once

#include <QDialog>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "models/breakpoint_text.h"
#include "models/workspace.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QRadioButton;
class QSpinBox;
class QTimer;

namespace weft::ide {

class BreakpointDialog final : public QDialog {
  Q_OBJECT

 public:
  BreakpointDialog(Workspace& workspace, const workbench::Breakpoint& shown, QWidget* parent = nullptr);

  /// As the fields say.
  workbench::Breakpoint breakpoint() const;
  /// What is wrong with it; empty: nothing, or it was not looked at yet.
  QString problem() const;
  void accept() override;

 private:
  void show_kind();
  void check();
  using EnginesByChip = std::map<QString, std::vector<unsigned>>;
  /// The microengines that are chosen; the chip has no name where there is one.
  EnginesByChip chosen_engines() const;
  /// Why these microengines and the place are no single breakpoint; empty: they are.
  QString wrong_chip() const;

  Workspace& workspace_;
  workbench::Breakpoint before_;
  QComboBox* kind_;
  QLabel *field_name_, *example_, *problem_;
  QLineEdit *field_, *condition_, *log_;
  QSpinBox *bytes_, *from_;
  QLabel* bytes_name_;
  QWidget *where_, *where_name_;
  QRadioButton *every_, *chosen_;
  QListWidget* engines_;
  std::vector<std::string> chips_;
  std::array<QCheckBox*, 8> contexts_{};
  QRadioButton *stop_, *only_log_;
  QCheckBox *once_, *enabled_;
  QDialogButtonBox* buttons_;
  QTimer* later_;
  uint64_t asked_ = 0;
  bool accepting_ = false;
};

/// Opens the dialog; what comes of it goes into the workspace: a new one, or the one at a place of the list.
BreakpointDialog* edit_breakpoint(Workspace& workspace, const workbench::Breakpoint& shown, std::optional<size_t> which,
                                  QWidget* parent);

}  // namespace weft::ide
