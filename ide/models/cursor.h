// Where everybody looks: one cycle, one context, one packet, one stretch of time. Every view follows it and may move
// it.
#pragma once

#include <QObject>
#include <optional>
#include <utility>

#include "weft/workbench/inspect.h"

namespace weft::ide {

class Cursor final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  uint64_t cycle() const { return cycle_; }
  std::optional<workbench::ContextId> context() const { return context_; }
  uint32_t packet() const { return packet_; }  ///< 0: none
  /// Cycles [first, second); none: everything.
  std::optional<std::pair<uint64_t, uint64_t>> range() const { return range_; }

  void set_cycle(uint64_t cycle) {
    if (std::exchange(cycle_, cycle) != cycle) Q_EMIT cycle_changed(cycle);
  }
  void set_context(std::optional<workbench::ContextId> context) {
    if (std::exchange(context_, context) != context) Q_EMIT context_changed();
  }
  void set_packet(uint32_t packet) {
    if (std::exchange(packet_, packet) != packet) Q_EMIT packet_changed(packet);
  }
  void set_range(std::optional<std::pair<uint64_t, uint64_t>> range) {
    if (std::exchange(range_, range) != range) Q_EMIT range_changed();
  }
  // The user looks there, by a click or a key in a view: also when it stood there before. What is chosen by itself
  // says nothing of this.
  void look() { Q_EMIT looked(); }
  void look_at_packet(uint32_t packet) {
    set_packet(packet);
    Q_EMIT packet_looked(packet);
  }

 Q_SIGNALS:
  void looked();
  void packet_looked(uint32_t packet);
  void cycle_changed(uint64_t cycle);
  void context_changed();
  void packet_changed(uint32_t packet);
  void range_changed();

 private:
  uint64_t cycle_ = 0;
  std::optional<workbench::ContextId> context_;
  uint32_t packet_ = 0;
  std::optional<std::pair<uint64_t, uint64_t>> range_;
};

}  // namespace weft::ide
