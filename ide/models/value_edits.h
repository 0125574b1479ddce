// What the user writes into registers and memory.
#pragma once

#include <QString>
#include <functional>
#include <optional>

namespace weft::ide {

/// "12", "0x1f", "0b101", "-1": what people write for a longword.
std::optional<int64_t> parse_value(const QString& text);

/// Does something to the machine; while it stands in the past only after the user was asked (widgets/past_question.h).
/// Models ask nobody: they get it from their view.
using Careful = std::function<void(std::function<void()>)>;

}  // namespace weft::ide
