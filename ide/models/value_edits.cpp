#include "value_edits.h"

namespace weft::ide {

std::optional<int64_t> parse_value(const QString& text) {
  QString digits = text.trimmed();
  digits.remove(QLatin1Char(','));  // as counts are shown
  bool right = false;
  const qlonglong value = digits.startsWith(QStringLiteral("0b"), Qt::CaseInsensitive)
                              ? digits.mid(2).toLongLong(&right, 2)
                              : digits.toLongLong(&right, 0);
  if (!right || value < INT32_MIN || value > int64_t{UINT32_MAX}) return std::nullopt;
  return value;
}

}  // namespace weft::ide
