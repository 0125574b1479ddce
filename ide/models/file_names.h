// How files are named where people read them: those of the project from its folder on, others with the folder that they
// are in, so that two files of one name can be told apart.
#pragma once

#include <QString>

namespace weft::ide {

class FileNames {
 public:
  /// Without a project: files by their name alone.
  FileNames() = default;
  explicit FileNames(const QString& folder);

  QString name(const QString& path) const;
  QString name(const std::string& path) const { return name(QString::fromStdString(path)); }
  /// "receive/receive.uc:149"
  QString place(const std::string& path, unsigned line) const {
    return name(path) + QLatin1Char(':') + QString::number(line);
  }
  /// A sentence in which whole paths of texts are, with their names instead.
  QString shortened(const QString& text) const;

 private:
  QString folder_;  ///< with "/" at its end; empty: no project
};

/// A label as it is written in the text: without the number of the macro call, which the assembler puts in front.
QString label_text(const std::string& label);

}  // namespace weft::ide
