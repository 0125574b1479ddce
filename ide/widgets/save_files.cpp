#include "save_files.h"

#include <QAbstractItemModel>
#include <QFileDialog>
#include <QPixmap>
#include <QSaveFile>
#include <QWidget>

#include "models/workspace.h"

namespace weft::ide {

namespace {

bool complain(Workspace& workspace, const QString& path, const QString& why) {
  Q_EMIT workspace.message(QObject::tr("%1 cannot be written: %2").arg(path, why));
  return false;
}

template <class Field>
QString lines_of(const QAbstractItemModel& model, QChar between, Field&& field) {
  QString out;
  for (int row = -1; row < model.rowCount(); ++row) {
    for (int column = 0; column < model.columnCount(); ++column) {
      const QVariant value = row < 0 ? model.headerData(column, Qt::Horizontal) : model.index(row, column).data();
      if (column > 0) out += between;
      out += field(value.toString());
    }
    out += QLatin1Char('\n');
  }
  return out;
}

}  // namespace

bool write_text(Workspace& workspace, const QString& path, const std::string& text) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0 ||
      !file.commit())
    return complain(workspace, path, file.errorString());
  Q_EMIT workspace.message(QObject::tr("%1 is written.").arg(path));
  return true;
}

bool write_picture(Workspace& workspace, const QString& path, QWidget& widget) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !widget.grab().save(&file, "PNG") || !file.commit())
    return complain(workspace, path, file.errorString());
  Q_EMIT workspace.message(QObject::tr("%1 is written.").arg(path));
  return true;
}

QString ask_file_name(QWidget* parent, const QString& title, const QString& proposal, const QString& filter) {
  return QFileDialog::getSaveFileName(parent, title, proposal, filter);
}

QString csv_of(const QAbstractItemModel& model) {
  return lines_of(model, QLatin1Char(','), [](QString text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n')))
      return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
  });
}

QString tabbed_text_of(const QAbstractItemModel& model) {
  return lines_of(model, QLatin1Char('\t'), [](QString text) {
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
  });
}

}  // namespace weft::ide
