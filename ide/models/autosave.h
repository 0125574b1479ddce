// Copies of texts that are not saved, for the case that the program or the machine ends without asking. One file for
// each text, in QStandardPaths::AppLocalDataLocation/autosave; it goes when the text is saved or its changes are given
// up.
#pragma once

#include <QDateTime>
#include <QString>
#include <optional>

namespace weft::ide {

struct AutosaveCopy {
  QString path;
  QString text;
  QByteArray saved_digest;  ///< of the file that was edited, as it stood then
  QDateTime when;
};

class Autosave final {
 public:
  explicit Autosave(QString folder = default_folder());
  static QString default_folder();

  /// False: it could not be written.
  bool write(const QString& path, const QString& text, const QByteArray& saved) const;
  /// Nothing: there is none, or it cannot be read.
  std::optional<AutosaveCopy> read(const QString& path) const;
  void remove(const QString& path) const;
  static QByteArray digest(const QByteArray& octets);

 private:
  QString file_of(const QString& path) const;
  QString folder_;
};

}  // namespace weft::ide
