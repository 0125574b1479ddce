#include "file_names.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include "weft/workbench/inspect.h"

namespace weft::ide {

FileNames::FileNames(const QString& folder) {
  if (!folder.isEmpty()) folder_ = QDir::cleanPath(QFileInfo(folder).absoluteFilePath()) + QLatin1Char('/');
}

// By text alone: tables ask for thousands of names, and the files of a recording lie nowhere.
QString FileNames::name(const QString& path) const {
  const QString clean = QDir::cleanPath(path);
  const qsizetype last = clean.lastIndexOf(QLatin1Char('/'));
  if (folder_.isEmpty() || last <= 0) return clean.mid(last + 1);
  if (clean.startsWith(folder_)) return clean.mid(folder_.size());
  return clean.mid(clean.lastIndexOf(QLatin1Char('/'), last - 1) + 1);
}

QString FileNames::shortened(const QString& text) const {
  static const QRegularExpression path(QStringLiteral(R"((?<![\w/])/[^\s:'"(),;]+/[^\s:'"(),;/]+)"));
  QString out;
  qsizetype from = 0;
  for (auto matches = path.globalMatch(text); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    out += text.mid(from, match.capturedStart() - from) + name(match.captured());
    from = match.capturedEnd();
  }
  return out + text.mid(from);
}

QString label_text(const std::string& label) { return QString::fromStdString(workbench::written_label(label)); }

}  // namespace weft::ide
