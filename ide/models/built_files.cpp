#include "built_files.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "target.h"

namespace weft::ide {

namespace {

FileStamp stamp_of(const QString& path) {
  const QFileInfo info(path);
  return info.isFile() ? FileStamp{info.size(), info.lastModified().toMSecsSinceEpoch()} : FileStamp{};
}

}  // namespace

void BuiltFiles::add(const QString& name, bool is_text) {
  const QString path = QDir::cleanPath(QFileInfo(name).absoluteFilePath());
  // The stamp is taken first: what is written between the two is seen later.
  const FileStamp now = stamp_of(path);
  if (now.octets < 0 || !stamps.emplace(path, now).second || !is_text) return;
  QFile file(path);
  if (file.open(QIODevice::ReadOnly)) digests[path] = Target::digest_of(file.readAll());
}

BuiltFiles::Stamps BuiltFiles::stamps_now() const {
  Stamps out;
  for (const auto& [path, stamp] : stamps) out[path] = stamp_of(path);
  return out;
}

void BuiltFiles::take_earlier(const Stamps& before) {
  for (auto& [path, stamp] : stamps) {
    const auto then = before.find(path);
    if (then == before.end() || then->second == stamp) continue;
    stamp = then->second;
    if (const auto digest = digests.find(path); digest != digests.end()) digest->second.clear();
  }
}

bool BuiltFiles::has_changed(const QString& path) const {
  const auto then = stamps.find(path);
  if (then == stamps.end() || then->second == stamp_of(path)) return false;
  const auto digest = digests.find(path);
  if (digest == digests.end()) return true;
  QFile file(path);
  return !file.open(QIODevice::ReadOnly) || Target::digest_of(file.readAll()) != digest->second;
}

QStringList BuiltFiles::changed() const {
  QStringList out;
  for (const auto& [path, stamp] : stamps)
    if (has_changed(path)) out << path;
  return out;
}

}  // namespace weft::ide
