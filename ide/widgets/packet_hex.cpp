#include "packet_hex.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

namespace weft::ide {

namespace {

constexpr int kLeft = 6;
constexpr int kGap = 2;  // digits between the offset and the bytes, and between these and the text

QColor changed_colour(Theme theme) { return QColor(theme == Theme::light ? 0xffe08a : 0x6b5310); }

}  // namespace

// Frames of one length byte by byte. Where bytes were put in or taken away, by the longest sequence that both have in
// common, so that what only moved is not marked.
std::set<size_t> changed_bytes(const std::vector<uint8_t>& before, const std::vector<uint8_t>& shown) {
  constexpr size_t kMax = size_t{4} << 20;  // comparisons
  std::set<size_t> out;
  if (before.size() == shown.size()) {
    for (size_t i = 0; i < shown.size(); ++i)
      if (before[i] != shown[i]) out.insert(i);
    return out;
  }
  size_t front = 0, back = 0;
  const size_t min = std::min(before.size(), shown.size());
  while (front < min && before[front] == shown[front]) ++front;
  while (back < min - front && before[before.size() - 1 - back] == shown[shown.size() - 1 - back]) ++back;
  const size_t rows = before.size() - front - back, columns = shown.size() - front - back;
  for (size_t i = 0; i < columns; ++i) out.insert(front + i);
  if (rows == 0 || columns == 0 || rows * columns > kMax) return out;
  std::vector<uint16_t> length((rows + 1) * (columns + 1));
  const auto at = [&](size_t row, size_t column) -> uint16_t& { return length[row * (columns + 1) + column]; };
  for (size_t r = rows; r-- > 0;)
    for (size_t c = columns; c-- > 0;)
      at(r, c) = before[front + r] == shown[front + c] ? static_cast<uint16_t>(at(r + 1, c + 1) + 1)
                                                       : std::max(at(r + 1, c), at(r, c + 1));
  for (size_t r = 0, c = 0; r < rows && c < columns;) {
    if (before[front + r] == shown[front + c] && at(r, c) == at(r + 1, c + 1) + 1) {
      out.erase(front + c);
      ++r;
      ++c;
    } else if (at(r + 1, c) >= at(r, c + 1)) {
      ++r;
    } else {
      ++c;
    }
  }
  return out;
}

PacketHex::PacketHex(Theme theme, const QString& accessible_name, QWidget* parent)
    : QAbstractScrollArea(parent), theme_(theme) {
  setAccessibleName(accessible_name);
  viewport()->setAccessibleName(accessible_name);
  verticalScrollBar()->setAccessibleName(tr("Rows of bytes"));
  setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMinimumWidth(kLeft + (4 + kGap + 8 * 3) * digit());
}

void PacketHex::set_theme(Theme theme) {
  theme_ = theme;
  viewport()->update();
}

int PacketHex::digit() const { return fontMetrics().horizontalAdvance(QLatin1Char('0')); }
int PacketHex::row_height() const { return fontMetrics().height() + 2; }
int PacketHex::per_row() const {
  // Sixteen where they have room beside their text, else eight.
  return viewport()->width() >= kLeft + (4 + kGap + 16 * 3 + kGap + 16) * digit() ? 16 : 8;
}

void PacketHex::set_frame(emulator::FrameState state, std::set<size_t> changed) {
  state_ = std::move(state);
  changed_ = std::move(changed);
  if (chosen_ && *chosen_ >= state_.bytes.size()) chosen_.reset();
  if (marked_ && marked_->first >= state_.bytes.size()) marked_.reset();
  lay_out();
  viewport()->update();
}

void PacketHex::mark(std::optional<std::pair<size_t, size_t>> bytes) {
  marked_ = bytes;
  if (marked_ && marked_->first < state_.bytes.size()) show_byte(marked_->first);
  viewport()->update();
}

void PacketHex::choose(std::optional<size_t> byte) {
  chosen_ = byte;
  if (byte) show_byte(*byte);
  viewport()->update();
}

void PacketHex::lay_out() {
  const int rows = (static_cast<int>(state_.bytes.size()) + per_row() - 1) / per_row(),
            page = std::max(1, viewport()->height() / row_height());
  verticalScrollBar()->setRange(0, std::max(0, rows - page));
  verticalScrollBar()->setPageStep(page);
}

void PacketHex::show_byte(size_t byte) {
  const int row = static_cast<int>(byte) / per_row(), page = std::max(1, viewport()->height() / row_height());
  if (row < verticalScrollBar()->value())
    verticalScrollBar()->setValue(row);
  else if (row >= verticalScrollBar()->value() + page)
    verticalScrollBar()->setValue(row - page + 1);
}

QRect PacketHex::rect_of(size_t byte) const {
  const int n = per_row(), row = static_cast<int>(byte) / n - verticalScrollBar()->value(),
            column = static_cast<int>(byte) % n;
  return {kLeft + (4 + kGap + 3 * column) * digit(), row * row_height(), 2 * digit(), row_height()};
}

std::optional<size_t> PacketHex::byte_at(QPoint at) const {
  const int n = per_row(), row = at.y() / row_height() + verticalScrollBar()->value();
  const int left = kLeft + (4 + kGap) * digit(), text = left + (3 * n + kGap) * digit();
  int column = -1;
  if (at.x() >= text && at.x() < text + n * digit())
    column = (at.x() - text) / digit();
  else if (at.x() >= left - digit() / 2 && at.x() < left + 3 * n * digit())
    column = std::min(n - 1, (at.x() - left + digit() / 2) / (3 * digit()));
  if (column < 0 || at.y() < 0) return std::nullopt;
  const size_t byte = static_cast<size_t>(row) * static_cast<size_t>(n) + static_cast<size_t>(column);
  return byte < state_.bytes.size() ? std::optional(byte) : std::nullopt;
}

void PacketHex::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const QPalette colours = palette_of(theme_);
  painter.fillRect(viewport()->rect(), colours.color(QPalette::Base));
  painter.setFont(font());
  const int n = per_row(), ascent = fontMetrics().ascent() + 1;
  const int text = kLeft + (4 + kGap + 3 * n + kGap) * digit();
  const int rows = viewport()->height() / row_height() + 1;
  for (int r = 0; r < rows; ++r) {
    const size_t first = static_cast<size_t>(r + verticalScrollBar()->value()) * static_cast<size_t>(n);
    if (first >= state_.bytes.size()) break;
    const int top = r * row_height();
    painter.setPen(colours.color(QPalette::PlaceholderText));
    painter.drawText(kLeft, top + ascent, QStringLiteral("%1").arg(first, 4, 16, QLatin1Char('0')));
    for (size_t i = first; i < std::min(first + static_cast<size_t>(n), state_.bytes.size()); ++i) {
      const QRect at = rect_of(i);
      const QRect letter(text + static_cast<int>(i - first) * digit(), top, digit(), row_height());
      const bool marked = marked_ && i >= marked_->first && i < marked_->first + marked_->second;
      const bool changed = changed_.contains(i);
      if (changed) {
        painter.fillRect(at.adjusted(-1, 0, 1, 0), changed_colour(theme_));
        painter.fillRect(letter, changed_colour(theme_));
      }
      if (marked) {
        QColor shade = colours.color(QPalette::Highlight);
        shade.setAlpha(theme_ == Theme::light ? 60 : 110);
        painter.fillRect(at.adjusted(-digit() / 2, 0, digit() / 2, 0), shade);
        painter.fillRect(letter, shade);
      }
      const uint8_t byte = state_.bytes[i];
      const bool unknown = i < state_.source.size() && state_.source[i] == emulator::PacketPiece::kUnknown;
      painter.setPen(unknown ? colours.color(QPalette::PlaceholderText) : colours.color(QPalette::Text));
      QFont bold = font();
      bold.setBold(changed);  // for eyes that tell no colours
      painter.setFont(bold);
      painter.drawText(at.left(), top + ascent, QStringLiteral("%1").arg(byte, 2, 16, QLatin1Char('0')));
      painter.setFont(font());
      painter.drawText(
          letter.left(), top + ascent,
          byte >= 0x20 && byte < 0x7f ? QString(QLatin1Char(static_cast<char>(byte))) : QStringLiteral("."));
      if (chosen_ == i) {
        painter.setPen(QPen(colours.color(QPalette::Highlight), hasFocus() ? 2 : 1));
        painter.drawRect(at.adjusted(-2, 0, 1, -1));
      }
    }
  }
  if (state_.bytes.empty()) {
    painter.setPen(colours.color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("The frame was not kept."));
  }
}

void PacketHex::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  lay_out();
}

void PacketHex::mousePressEvent(QMouseEvent* event) {
  const auto byte = byte_at(event->position().toPoint());
  if (event->button() == Qt::RightButton || !byte) return;
  choose(byte);
  Q_EMIT byte_chosen(*byte);
}

void PacketHex::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto byte = byte_at(event->position().toPoint())) Q_EMIT byte_activated(*byte);
}

void PacketHex::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void PacketHex::keyPressEvent(QKeyEvent* event) {
  if (state_.bytes.empty()) return QAbstractScrollArea::keyPressEvent(event);
  const auto last = static_cast<std::ptrdiff_t>(state_.bytes.size()) - 1;
  std::ptrdiff_t at = chosen_ ? static_cast<std::ptrdiff_t>(*chosen_) : -1;
  switch (event->key()) {
    case Qt::Key_Left: --at; break;
    case Qt::Key_Right: ++at; break;
    case Qt::Key_Up: at -= per_row(); break;
    case Qt::Key_Down: at += at < 0 ? 1 : per_row(); break;
    case Qt::Key_Home: at = 0; break;
    case Qt::Key_End: at = last; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (chosen_) Q_EMIT byte_activated(*chosen_);
      return;
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
  at = std::clamp<std::ptrdiff_t>(at, 0, last);
  choose(static_cast<size_t>(at));
  Q_EMIT byte_chosen(static_cast<size_t>(at));
}

}  // namespace weft::ide
