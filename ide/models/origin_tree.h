// Where a value comes from and goes to, as a tree: a row is a longword with its last writer, below it what that writer
// had read; and who reads it next. What is below a row is asked for when it is opened.
#pragma once

#include <QStandardItemModel>
#include <optional>
#include <utility>

#include "workspace.h"

namespace weft::ide {

class OriginTree final : public QStandardItemModel {
  Q_OBJECT

 public:
  enum Column { kWhat, kValue, kWho, kPlace, kCycle, kHow, kColumns };
  enum class Row : uint8_t {
    asked,    ///< the answer is on its way
    open,     ///< nobody has asked yet who wrote it
    written,  ///< by a writer that is known
    loaded,   ///< not written since the recording began
    read,     ///< a reader, or what wrote over it unread
    failed,
  };
  static constexpr int kRowRole = Qt::UserRole, kCycleRole = Qt::UserRole + 1, kContextRole = Qt::UserRole + 2,
                       kFileRole = Qt::UserRole + 3, kLineRole = Qt::UserRole + 4, kNumberRole = Qt::UserRole + 5;

  explicit OriginTree(Workspace& workspace, QObject* parent = nullptr);

  /// Begins with a longword as it stands at this moment.
  void ask(const workbench::Holder& what);
  /// Who wrote the longword of a row, when that is not known yet.
  void ask_writer(const QModelIndex& row);
  /// Who reads what was written there: a row below it.
  void ask_reader(const QModelIndex& row);
  /// "temp of me0.3 (a3), as it stood in cycle 5012"; empty: nothing was asked.
  const QString& title() const { return title_; }
  Row row_of(const QModelIndex& row) const;
  bool hasChildren(const QModelIndex& parent = {}) const override;
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override { ask_writer(parent); }
  void forget();

 Q_SIGNALS:
  void answered(const QModelIndex& row);

 private:
  void add_row(QStandardItem& under, const workbench::Holder& what, const QString& role, std::optional<uint64_t> before,
               std::optional<uint32_t> value, Row state);
  void take_origin(QStandardItem& first, const Target::OriginAnswer& answer);
  void take_use(QStandardItem& first, const Target::UseAnswer& answer);
  void fill_who(QStandardItem& first, const workbench::Writer& writer);
  void set_cell(QStandardItem& first, Column column, const QString& text);
  QStandardItem* item_of(quint64 number) const;
  bool may_ask(QStandardItem& first);
  void tell_trail();

  Workspace& workspace_;
  QString title_;
  quint64 next_ = 1;
};

}  // namespace weft::ide

Q_DECLARE_METATYPE(weft::workbench::Holder)
