// The bytes of a frame: offsets, hexadecimal and text. Written bytes have a colour; a field that was chosen elsewhere
// is framed; the byte under the cursor can be chosen with mouse and keys.
#pragma once

#include <QAbstractScrollArea>
#include <optional>
#include <set>

#include "theme.h"
#include "weft/emulator/observers/packet_bytes.h"

namespace weft::ide {

class PacketHex final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit PacketHex(Theme theme, const QString& accessible_name, QWidget* parent = nullptr);

  void set_theme(Theme theme);
  /// `changed`: bytes that differ from those that it is compared with.
  void set_frame(emulator::FrameState state, std::set<size_t> changed);
  const emulator::FrameState& frame() const { return state_; }
  const std::set<size_t>& changed() const { return changed_; }
  /// First byte and their number; shows them.
  void mark(std::optional<std::pair<size_t, size_t>> bytes);
  std::optional<std::pair<size_t, size_t>> marked() const { return marked_; }
  std::optional<size_t> chosen() const { return chosen_; }
  void choose(std::optional<size_t> byte);
  int per_row() const;
  QRect rect_of(size_t byte) const;  ///< of its two digits, in the viewport

 Q_SIGNALS:
  void byte_chosen(size_t byte);
  void byte_activated(size_t byte);  ///< double click or Enter

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  std::optional<size_t> byte_at(QPoint at) const;
  void lay_out();
  void show_byte(size_t byte);
  int row_height() const;
  int digit() const;

  Theme theme_;
  emulator::FrameState state_;
  std::set<size_t> changed_;
  std::optional<std::pair<size_t, size_t>> marked_;
  std::optional<size_t> chosen_;
};

/// Bytes that are not the same in both, in the one that is shown.
std::set<size_t> changed_bytes(const std::vector<uint8_t>& before, const std::vector<uint8_t>& shown);

}  // namespace weft::ide
