// Cells in which counts are written as they are everywhere: with a separator between thousands. Models give numbers, so
// that exports and sorting have them plain.
#pragma once

#include <QLocale>
#include <QStyledItemDelegate>

namespace weft::ide {

class NumberCells : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QString displayText(const QVariant& value, const QLocale& locale) const override {
    switch (value.typeId()) {
      case QMetaType::Int:
      case QMetaType::LongLong: return QLocale().toString(value.toLongLong());
      case QMetaType::UInt:
      case QMetaType::ULongLong: return QLocale().toString(value.toULongLong());
      default: return QStyledItemDelegate::displayText(value, locale);
    }
  }
};

}  // namespace weft::ide
