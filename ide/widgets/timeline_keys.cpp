// What hands do to the picture of the execution history: wheel, keys, clicks, drags, and what lies under the mouse.
#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include "canvas_moves.h"
#include "models/contexts_model.h"
#include "timeline_canvas.h"

namespace weft::ide {

using emulator::kNever;

namespace {

constexpr int kMinDrag = 4;  // pixels; less is a click

}  // namespace

// Over the bars the wheel zooms about the mouse; with Shift, or sideways, it moves in time; over the names it moves the
// rows; with Ctrl it makes rows higher.
void TimelineCanvas::wheelEvent(QWheelEvent* event) {
  const double turned = notches(*event);
  event->accept();
  if ((event->modifiers() & Qt::ControlModifier) != 0) {
    row_height_ = std::clamp(row_height_ + static_cast<int>(turned > 0 ? 2 : -2), 4, 48);
    moved();
  } else if (wheel_pans(*event)) {
    pan(-turned * axis_.width() / 10);
  } else if (event->position().x() < kNames) {
    verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(turned * 3 * row_height_));
  } else {
    zoom(std::pow(kZoomStep, turned), event->position().x() - kNames);
  }
}

void TimelineCanvas::show_context(int by) {
  const auto& rows = timeline_.rows();
  Cursor& cursor = timeline_.workspace().cursor();
  int row = cursor.context() ? timeline_.row_of(*cursor.context()) : -1;
  if (row < 0 && by < 0) return;
  do row += by;
  while (row >= 0 && row < static_cast<int>(rows.size()) &&
         rows[static_cast<size_t>(row)].kind != TimelineRow::Kind::context);
  if (row < 0 || row >= static_cast<int>(rows.size())) return;
  cursor.set_context(rows[static_cast<size_t>(row)].id);
  cursor.look();
  if (row_top(row) < rows_top())
    verticalScrollBar()->setValue(row * row_height_);
  else if (row_top(row) + row_height_ > rows_top() + bars().height())
    verticalScrollBar()->setValue((row + 1) * row_height_ - bars().height());
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
  if (move_by_key(*this, event->key())) return;
  Cursor& cursor = timeline_.workspace().cursor();
  const auto move_to = [&](uint64_t cycle) {
    const auto limits = axis_.limits();
    cursor.set_cycle(std::clamp(cycle, limits.first, limits.second));
  };
  const uint64_t far = std::max<uint64_t>(1, static_cast<uint64_t>(10 * axis_.per_pixel()));
  const uint64_t by = (event->modifiers() & Qt::ShiftModifier) != 0 ? far : 1;
  switch (event->key()) {
    case Qt::Key_Left: return move_to(cursor.cycle() - std::min(cursor.cycle(), by));
    case Qt::Key_Right: return move_to(cursor.cycle() + by);
    case Qt::Key_Up: return show_context(-1);
    case Qt::Key_Down: return show_context(1);
    case Qt::Key_F:
    case Qt::Key_Home: return fit();
    case Qt::Key_R: return fit_range();
    case Qt::Key_N: return timeline_.search().go((event->modifiers() & Qt::ShiftModifier) == 0);
    case Qt::Key_Slash: return Q_EMIT search_requested();
    case Qt::Key_M: return timeline_.add_mark(cursor.cycle());
    case Qt::Key_Escape: return cursor.set_range(std::nullopt);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (timeline_.workspace().target() != nullptr) timeline_.workspace().target()->go_to(cursor.cycle());
      return;
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position().toPoint();
  pressed_packet_ = 0;
  if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  if (pressed_.y() < kOverview && pressed_.x() >= kNames) {
    drag_ = Drag::overview;
    return drag_overview(pressed_.x());
  }
  const int row = row_at(pressed_.y());
  if (row >= 0) {
    const TimelineRow r = timeline_.rows()[static_cast<size_t>(row)];
    if (r.kind == TimelineRow::Kind::context)
      timeline_.workspace().cursor().set_context(r.id);
    else if (pressed_.x() < kNames &&
             (shows_activity(r) || r.kind == TimelineRow::Kind::packets || r.kind == TimelineRow::Kind::queues))
      return timeline_.set_open(r, !timeline_.is_open(r));
    const TimelinePacket* packet = pressed_.x() >= kNames ? packet_at(pressed_) : nullptr;
    pressed_packet_ = packet != nullptr ? packet->id : 0;
    if (packet != nullptr) timeline_.workspace().cursor().set_packet(packet->id);
    if (r.kind == TimelineRow::Kind::context && pressed_.x() < kNames) timeline_.workspace().cursor().look();
  }
  if (pressed_.x() < kNames) return;
  drag_ = Drag::press;
  pressed_cycle_ = axis_.cycle_at(pressed_.x() - kNames);
}

void TimelineCanvas::drag_overview(int x) {
  const auto limits = axis_.limits();
  const double span = axis_.end() - axis_.begin();
  const double at = static_cast<double>(limits.first) +
                    (x - kNames) * static_cast<double>(limits.second - limits.first) / axis_.width();
  show_cycles(at - span / 2, at + span / 2);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  hover_ = at;
  switch (drag_) {
    case Drag::overview: drag_overview(at.x()); break;
    case Drag::pan:
      pan(pressed_.x() - at.x());
      pressed_ = at;
      break;
    case Drag::press:
      if (std::abs(at.x() - pressed_.x()) < kMinDrag) break;
      drag_ = Drag::range;
      [[fallthrough]];
    case Drag::range: {
      // The cycles at both ends are within it.
      const uint64_t here = axis_.cycle_at(at.x() - kNames);
      timeline_.workspace().cursor().set_range(
          std::pair(std::min(here, pressed_cycle_), std::max(here, pressed_cycle_) + 1));
      break;
    }
    case Drag::none: break;
  }
  viewport()->update();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent*) {
  if (drag_ == Drag::press) {
    Cursor& cursor = timeline_.workspace().cursor();
    cursor.set_cycle(pressed_cycle_);
    if (pressed_packet_ != 0)
      cursor.look_at_packet(pressed_packet_);
    else
      cursor.look();
  }
  drag_ = Drag::none;
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  Target* target = timeline_.workspace().target();
  if (event->button() != Qt::LeftButton || at.x() < kNames || at.y() < kOverview || target == nullptr)
    return mousePressEvent(event);
  timeline_.workspace().cursor().set_cycle(axis_.cycle_at(at.x() - kNames));
  target->go_to(axis_.cycle_at(at.x() - kNames));
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
  const Cursor& cursor = timeline_.workspace().cursor();
  const bool by_mouse = event->reason() == QContextMenuEvent::Mouse;
  const int row = by_mouse ? row_at(event->y()) : cursor.context() ? timeline_.row_of(*cursor.context()) : -1;
  Q_EMIT menu_requested(event->globalPos(),
                        by_mouse && event->x() >= kNames ? axis_.cycle_at(event->x() - kNames) : cursor.cycle(), row);
}

const TimelineReference* TimelineCanvas::reference_at(QPoint at) const {
  const TimelineAnswer* answer = timeline_.answer();
  if (answer == nullptr) return nullptr;
  for (const auto& line : reference_lines_)
    if (line.second < answer->references.size() && line.first.adjusted(-2, -1, 2, 1).contains(at))
      return &answer->references[line.second];
  return nullptr;
}

bool TimelineCanvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    show_tip(help->pos(), help->globalPos());
    return true;
  }
  if (event->type() == QEvent::Leave) {
    hover_ = std::nullopt;
    viewport()->update();
  }
  return QAbstractScrollArea::viewportEvent(event);
}

QString TimelineCanvas::cycle_text(emulator::Tick tick) const {
  if (tick == kNever) return tr("not yet");
  const uint64_t period = timeline_.answer() != nullptr ? timeline_.answer()->ticks_per_cycle : 1;
  return QLocale().toString(static_cast<double>(tick) / static_cast<double>(period), 'f', tick % period == 0 ? 0 : 1);
}

void TimelineCanvas::show_tip(QPoint at, QPoint global) {
  const int row = row_at(at.y());
  const TimelineAnswer* answer = timeline_.answer();
  hover_text_.clear();
  if (row < 0 || at.x() < kNames || answer == nullptr || !answer->recorded) return QToolTip::hideText();
  const TimelineRow r = timeline_.rows()[static_cast<size_t>(row)];
  const uint64_t cycle = axis_.cycle_at(at.x() - kNames);
  const auto show = [this, global](const QString& text) {
    hover_text_ = text;
    QToolTip::showText(global, text, viewport());
  };
  if (!shows_activity(r)) return show(lane_tip(row, at));
  if (r.kind != TimelineRow::Kind::context) {
    const auto asked = std::ranges::find(answer->question.rows, r);
    if (asked == answer->question.rows.end() || cycle < answer->question.begin || cycle >= answer->question.end) return;
    const auto& cells = answer->rows[static_cast<size_t>(asked - answer->question.rows.begin())];
    size_t cell = 0;
    while (cell + 1 < cells.size() && answer->cell_begin(cell + 1) <= cycle) ++cell;
    QString text = tr("%1, cycles %L2 to %L3")
                       .arg(timeline_.name(r))
                       .arg(answer->cell_begin(cell))
                       .arg(answer->cell_begin(cell + 1) - 1);
    uint64_t total = 0;
    for (const uint64_t part : cells[cell]) total += part;
    for (const emulator::Activity a : {emulator::Activity::executing, emulator::Activity::aborted,
                                       emulator::Activity::stalled, emulator::Activity::sleep})
      if (const uint64_t part = cells[cell][static_cast<size_t>(a)]; part > 0)
        text += QStringLiteral("\n%1 %L2 (%3 %)")
                    .arg(a == emulator::Activity::sleep ? tr("idle") : activity_text(a))
                    .arg(part)
                    .arg(100.0 * static_cast<double>(part) / static_cast<double>(total), 0, 'f', 1);
    return show(text);
  }
  const QString who = timeline_.name(r);
  if (const TimelineReference* found = reference_at(at)) {
    const emulator::Reference t = found->times;
    const QString head =
        tr("%1: %2 at 0x%3, %4 of them")
            .arg(who, QString::fromUtf8(isa::info(t.op).name.data(), static_cast<int>(isa::info(t.op).name.size())))
            .arg(t.address, 0, 16)
            .arg(t.count);
    const QString times = tr("issued %1, accepted %2\nqueued %3, served %4\ndone %5, signalled %6")
                              .arg(cycle_text(t.issued), cycle_text(t.accepted), cycle_text(t.queued),
                                   cycle_text(t.served), cycle_text(t.done),
                                   t.signalled == kNever ? (t.signal == 0 ? tr("never (no signal)") : tr("not yet"))
                                                         : cycle_text(t.signalled));
    const QString took = t.done == kNever ? tr("not done") : tr("%1 cycles in all").arg(cycle_text(t.done - t.issued));
    timeline_.ask_moment(r.id, cycle, t.pc, [show, head, times, took](const TimelineMoment&, const std::string& place) {
      show(head + QStringLiteral("\n") + QString::fromStdString(place) + QStringLiteral("\n") + times +
           QStringLiteral("\n") + took);
    });
    return;
  }
  timeline_.ask_moment(
      r.id, cycle, std::nullopt, [this, show, who, cycle](const TimelineMoment& moment, const std::string&) {
        if (!moment.known) return show(tr("%1, cycle %L2: not recorded").arg(who).arg(cycle));
        QString text = tr("%1, cycle %L2 (%3)\n%4 from %L5 to %L6: %L7 cycles")
                           .arg(who)
                           .arg(cycle)
                           .arg(timeline_.time_text(static_cast<double>(cycle)), activity_text(moment.segment.activity))
                           .arg(moment.segment.begin)
                           .arg(moment.segment.end - 1)
                           .arg(moment.segment.end - moment.segment.begin);
        if (moment.pc)
          text += QStringLiteral("\n0x%1 %2").arg(*moment.pc, 0, 16).arg(QString::fromStdString(moment.label));
        if (moment.line != 0)
          text += QStringLiteral(", ") + timeline_.workspace().names().place(moment.file, moment.line);
        show(text);
      });
}

}  // namespace weft::ide
