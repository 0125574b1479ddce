// The registers of one context, as its program names them. Those that changed since the last stop are marked.
#pragma once

#include "refresh_request.h"
#include "since_stop.h"
#include "table_model.h"
#include "value_edits.h"

namespace weft::ide {

class RegistersModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kName, kPhysical, kHexadecimal, kDecimal, kLive, kColumns };
  static constexpr int kChangedRole = Qt::UserRole;

  explicit RegistersModel(Target& target, QObject* parent = nullptr);
  void show(std::optional<ContextId> id);
  std::optional<ContextId> shown() const { return id_; }
  /// "temp", or "$out.out" for the side that is written, as docs/debugging.md names it.
  std::string name_of(int row) const;
  /// How values are written; at first at once.
  void set_careful(Careful careful) { careful_ = std::move(careful); }
  bool can_undo() const { return !edits_.empty(); }
  /// The value that stood before the last change.
  void undo();

  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void edited(const QString& text);  ///< one sentence
  void refused(const QString& text);

 private:
  size_t rows() const override { return rows_.size(); }
  QStringList names() const override;

  struct Edit {
    ContextId where;
    std::string name;
    uint32_t before = 0;
    uint64_t cycle = 0;
  };
  void write(const Edit& edit, int64_t value);
  void refresh();
  void take(std::vector<workbench::RegisterView> registers);

  Target& target_;
  std::optional<ContextId> id_;
  std::vector<workbench::RegisterView> rows_;
  SinceStop<std::string, std::optional<uint32_t>> since_;  ///< by name and side
  std::vector<bool> changed_;
  EditList<Edit> edits_;
  Careful careful_ = [](const std::function<void()>& then) { then(); };
  RefreshRequest request_;
};

/// "0x12-0x30, receive.uc:40-77": the words in which a register has a place, and their lines.
QString range_text(const workbench::LiveRange& range, const FileNames& names = {});

}  // namespace weft::ide
