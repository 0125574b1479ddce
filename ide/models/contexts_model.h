// All contexts of the board, a row each: where they stand and what they wait for.
#pragma once

#include <memory>

#include "table_model.h"
#include "target.h"

namespace weft::ide {

class ContextsModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column {
    kContext,
    kProgram,
    kState,
    kInState,
    kPc,
    kPlace,
    kLabel,
    kWaits,
    kPacket,
    kExecuting,
    kAborted,
    kStalled,
    kIdle,
    kColumns
  };
  static constexpr int kIdRole = Qt::UserRole;  ///< chip << 16 | engine << 8 | context

  static constexpr int kFileRole = Qt::UserRole + 1, kLineRole = Qt::UserRole + 2;  ///< where it stands
  static constexpr int kPacketRole = Qt::UserRole + 3;  ///< packet_id() of what it has in hand; 0: none

  explicit ContextsModel(Target& target, QObject* parent = nullptr);

  QVariant data(const QModelIndex& index, int role) const override;
  std::optional<ContextId> id(int row) const;
  int row_of(ContextId id) const;  ///< -1: none

 private:
  size_t rows() const override { return view_ ? view_->contexts.size() : 0; }
  QStringList names() const override;

  void refresh();
  Target& target_;
  std::shared_ptr<const MachineView> view_;
  std::optional<ContextId> stopped_;
};

/// "executing", "ready", "asleep", "inactive".
QString state_text(emulator::ContextState state);
/// "me2.3"; "egress me2.3" when there are several chips.
QString context_text(const MachineView& view, ContextId id);

}  // namespace weft::ide
