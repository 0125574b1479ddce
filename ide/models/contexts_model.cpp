#include "contexts_model.h"

#include <QFont>
#include <algorithm>

#include "packets_model.h"

namespace weft::ide {

QString state_text(emulator::ContextState state) {
  switch (state) {
    case emulator::ContextState::inactive: return QObject::tr("inactive");
    case emulator::ContextState::executing: return QObject::tr("executing");
    case emulator::ContextState::ready: return QObject::tr("ready");
    case emulator::ContextState::sleep: return QObject::tr("asleep");
  }
  return {};
}

QString context_text(const MachineView& view, ContextId id) {
  const QString name = QStringLiteral("me%1.%2").arg(id.engine).arg(id.context);
  return view.chips.size() > 1 ? QString::fromStdString(view.chips[id.chip]) + QLatin1Char(' ') + name : name;
}

ContextsModel::ContextsModel(Target& target, QObject* parent) : TableModel(kColumns, parent), target_(target) {
  connect(&target, &Target::view_changed, this, &ContextsModel::refresh);
  refresh();
}

// The same machine keeps its rows, so that selections stay.
void ContextsModel::refresh() {
  const auto view = target_.view();
  const auto rows = [](const std::shared_ptr<const MachineView>& v) { return v ? v->contexts.size() : 0; };
  const bool same =
      rows(view) == rows(view_) && rows(view) > 0 &&
      std::ranges::equal(view->contexts, view_->contexts, {}, &workbench::ContextView::id, &workbench::ContextView::id);
  if (!same) beginResetModel();
  view_ = view;
  stopped_ = target_.stopped_at();
  if (!same)
    endResetModel();
  else
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

std::optional<ContextId> ContextsModel::id(int row) const {
  if (row < 0 || row >= rowCount()) return std::nullopt;
  return view_->contexts[static_cast<size_t>(row)].id;
}
int ContextsModel::row_of(ContextId id) const {
  for (int row = 0; row < rowCount(); ++row)
    if (view_->contexts[static_cast<size_t>(row)].id == id) return row;
  return -1;
}

QVariant ContextsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const workbench::ContextView& c = view_->contexts[static_cast<size_t>(index.row())];
  if (role == kIdRole) return QVariant::fromValue(c.id.chip << 16 | c.id.engine << 8 | c.id.context);
  if (role == kFileRole) return QString::fromStdString(c.file);
  if (role == kLineRole) return c.line;
  if (role == Qt::FontRole && stopped_ == c.id) {
    QFont font;
    font.setBold(true);
    return font;
  }
  if (role == kPacketRole) return packet_id(c.id.chip, c.packet.value_or(0));
  if (role == Qt::ToolTipRole && index.column() == kInState && !c.in_state)
    return view_->has_history ? tr("The history does not reach back to the start of this state")
                              : tr("Needs the history: Run, Watch the run for");
  if (role == Qt::ToolTipRole && index.column() == kPacket) {
    if (!c.packet)
      return view_->has_packets
                 ? tr("Known of the latest moment that was reached; the way of each packet is in Packets")
                 : tr("Needs packets to be followed: Run, Watch the run for");
    return *c.packet == 0 ? tr("It has no packet in hand") : QString();
  }
  const bool number = index.column() == kInState || index.column() == kPc || index.column() >= kPacket;
  if (role == Qt::TextAlignmentRole && number) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kContext: return context_text(*view_, c.id);
    case kProgram: {
      const auto engine = std::ranges::find_if(view_->engines, [&](const workbench::EngineView& e) {
        return e.chip == c.id.chip && e.engine == c.id.engine;
      });
      return engine == view_->engines.end() ? QString() : QString::fromStdString(engine->program);
    }
    case kState: return state_text(c.state);
    case kInState: return c.in_state ? QVariant::fromValue<qulonglong>(*c.in_state) : QVariant(QStringLiteral("–"));
    case kPc: return QStringLiteral("0x%1").arg(c.pc, 0, 16);
    case kPlace: return c.line == 0 ? QString() : target_.names().place(c.file, c.line);
    case kLabel: return QString::fromStdString(c.label);
    case kWaits: return QString::fromStdString(c.waits_on);
    case kPacket: return !c.packet ? QVariant(QStringLiteral("–")) : *c.packet == 0 ? QVariant() : QVariant(*c.packet);
    case kExecuting: return QVariant::fromValue<qulonglong>(c.executing);
    case kAborted: return QVariant::fromValue<qulonglong>(c.aborted);
    case kStalled: return QVariant::fromValue<qulonglong>(c.stalled);
    case kIdle: return QVariant::fromValue<qulonglong>(c.idle);
    default: return {};
  }
}

QStringList ContextsModel::names() const {
  return names_of<kColumns>(tr("Context"), tr("Program"), tr("State"), tr("In state"), tr("PC"), tr("Place"),
                            tr("Label"), tr("Waits for"), tr("Packet"), tr("Executing"), tr("Aborted"), tr("Stalled"),
                            tr("Idle"));
}

}  // namespace weft::ide
