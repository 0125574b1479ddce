// What the user writes into registers and memory.
#pragma once

#include <QString>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "target.h"

namespace weft::ide {

/// "12", "0x1f", "0b101", "-1": what people write for a longword.
std::optional<int64_t> parse_value(const QString& text);

/// Does something to the machine; while it stands in the past only after the user was asked (widgets/past_question.h).
/// Models ask nobody: they get it from their view.
using Careful = std::function<void(std::function<void()>)>;

/// What was written and can be undone, the last one first. `Edit` has the engine cycle at which it was written. A
/// change belongs to a run: it is forgotten when another one begins before it, or a machine is built that has not been
/// there.
template <class Edit>
class EditList {
 public:
  bool empty() const { return edits_.empty(); }
  const std::vector<Edit>& all() const { return edits_; }
  void clear() { *this = {}; }
  void add(Edit edit, const Target& target) {
    edit.cycle = cycle_of(target);
    forget_after(edit.cycle);
    edits_.push_back(std::move(edit));
    ++awaited_;
  }
  /// The machine has gone back before the last change: it is not there to be undone.
  bool is_ahead(const Target& target) const { return !edits_.empty() && edits_.back().cycle > cycle_of(target); }
  Edit take_last() {
    Edit last = std::move(edits_.back());
    edits_.pop_back();
    awaited_ = std::min(awaited_, edits_.size());
    return last;
  }
  /// To be called with each Target::state_changed(): a build with a replay writes them again, up to where it stands.
  void state_changed(const Target& target) {
    const bool building = target.state() == Target::State::building;
    if (!std::exchange(building_, building) || building || target.build_failed()) return;
    if (target.present() == 0)
      clear();
    else
      forget_after(target.present());
  }
  /// With each Target::view_changed() and Target::refused(): answers come in the order of what was written.
  void confirm() { awaited_ -= std::min<size_t>(awaited_, 1); }
  void refuse() {
    if (awaited_ == 0) return;
    edits_.erase(edits_.end() - static_cast<std::ptrdiff_t>(awaited_));
    --awaited_;
  }

 private:
  static uint64_t cycle_of(const Target& target) {
    const auto view = target.view();
    return view ? view->cycle : 0;
  }
  void forget_after(uint64_t cycle) {
    std::erase_if(edits_, [&](const Edit& edit) { return edit.cycle > cycle; });
    awaited_ = std::min(awaited_, edits_.size());
  }

  std::vector<Edit> edits_;
  size_t awaited_ = 0;  ///< of the last ones nobody knows yet whether they were refused
  bool building_ = false;
};

}  // namespace weft::ide
