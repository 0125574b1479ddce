// The registers of one context, as its program names them. Those that changed since the last stop are marked.
#pragma once

#include <QAbstractTableModel>

#include "since_stop.h"

namespace weft::ide {

class RegistersModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kName, kPhysical, kHexadecimal, kDecimal, kLive, kColumns };
  static constexpr int kChangedRole = Qt::UserRole;

  explicit RegistersModel(Target& target, QObject* parent = nullptr);
  void show(std::optional<ContextId> id);
  std::optional<ContextId> shown() const { return id_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void refresh();
  void take(std::vector<workbench::RegisterView> registers);

  Target& target_;
  std::optional<ContextId> id_;
  std::vector<workbench::RegisterView> rows_;
  SinceStop<std::string, std::optional<uint32_t>> since_;  ///< by name and side
  std::vector<bool> changed_;
  bool asked_ = false;  ///< an answer is on its way
};

/// "0x12-0x30, receive.uc:40-77": the words in which a register has a place, and their lines.
QString range_text(const workbench::LiveRange& range);

}  // namespace weft::ide
