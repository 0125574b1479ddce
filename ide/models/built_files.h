// Which files a machine was made from, and how each was then. Files change outside of the window too, so whoever asks
// whether it has to be built again looks at the disk.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <map>

namespace weft::ide {

/// Enough to see that a file was written, without reading it.
struct FileStamp {
  qint64 octets = -1;   ///< -1: there is no such file
  qint64 modified = 0;  ///< ms
  bool operator==(const FileStamp&) const = default;
};

struct BuiltFiles {
  using Stamps = std::map<QString, FileStamp>;
  Stamps stamps;  ///< by whole names
  /// Of the texts among them (Target::digest_of()): one that was only touched is the same. Captures and tables may be
  /// long, so their stamps count alone.
  std::map<QString, QByteArray> digests;

  /// Another file that was read; nothing happens when it is known or stands in no file.
  void add(const QString& name, bool is_text);
  Stamps stamps_now() const;
  /// They were so before they were read: one that was written since then counts as changed, because nobody knows
  /// which of the two was read.
  void take_earlier(const Stamps& before);
  bool has_changed(const QString& path) const;
  QStringList changed() const;
  bool operator==(const BuiltFiles&) const = default;
};

}  // namespace weft::ide
