#include "autosave.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

namespace weft::ide {

Autosave::Autosave(QString folder) : folder_(std::move(folder)) {}

QString Autosave::default_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/autosave");
}

QByteArray Autosave::digest(const QByteArray& octets) {
  return QCryptographicHash::hash(octets, QCryptographicHash::Sha256).toHex();
}

QString Autosave::file_of(const QString& path) const {
  return folder_ + QLatin1Char('/') + QString::fromLatin1(digest(path.toUtf8()).left(32)) + QStringLiteral(".json");
}

bool Autosave::write(const QString& path, const QString& text, const QByteArray& saved) const {
  if (!QDir().mkpath(folder_)) return false;
  QSaveFile file(file_of(path));
  const QJsonObject copy{{"path", path},
                         {"text", text},
                         {"saved", QString::fromLatin1(digest(saved))},
                         {"when", QDateTime::currentDateTimeUtc().toString(Qt::ISODate)}};
  if (!file.open(QIODevice::WriteOnly)) return false;
  file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
  return file.write(QJsonDocument(copy).toJson()) >= 0 && file.commit();
}

std::optional<AutosaveCopy> Autosave::read(const QString& path) const {
  QFile file(file_of(path));
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QJsonObject copy = QJsonDocument::fromJson(file.readAll()).object();
  if (copy["path"].toString() != path || !copy["text"].isString()) return std::nullopt;
  return AutosaveCopy{path, copy["text"].toString(), copy["saved"].toString().toLatin1(),
                      QDateTime::fromString(copy["when"].toString(), Qt::ISODate)};
}

void Autosave::remove(const QString& path) const { QFile::remove(file_of(path)); }

}  // namespace weft::ide
