// The registers of one context, as its program names them. Those that changed since the last stop are marked.
#pragma once

#include <QAbstractTableModel>
#include <map>

#include "target.h"

namespace weft::ide {

class RegistersModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kName, kPhysical, kHexadecimal, kDecimal, kColumns };
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
  std::map<std::string, std::optional<uint32_t>> before_;  ///< by name and place
  std::vector<bool> changed_;
  bool asked_ = false;  ///< an answer is on its way
};

}  // namespace weft::ide
