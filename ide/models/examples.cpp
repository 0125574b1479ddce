#include "examples.h"

#include <QDir>
#include <QFile>
#include <QTextStream>

#include "weft/workbench/project.h"

namespace weft::ide {

namespace {

// "// One program, no packets." at the top of the file, up to its full stop.
QString about(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QTextStream lines(&file);
  QString text, line;
  while (lines.readLineInto(&line) && line.startsWith(QStringLiteral("//")))
    text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + line.mid(2).trimmed();
  const qsizetype stop = text.indexOf(QStringLiteral(". "));
  return stop < 0 ? text : text.left(stop + 1);
}

}  // namespace

std::vector<Example> examples_in(const QString& folder) {
  std::vector<Example> out;
  const QDir dir(folder);
  for (const QString& name : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    const QString project = dir.filePath(name + QStringLiteral("/weft.json"));
    if (QFile::exists(project)) out.push_back({name, dir.absoluteFilePath(name), about(project)});
  }
  return out;
}

std::vector<Example> find_examples() {
  const std::filesystem::path data = workbench::data_folder();
  // share/weft/examples of an installation; emulator/../examples of the source tree.
  for (const std::filesystem::path& folder : {data / "examples", data.parent_path() / "examples"})
    if (auto found = examples_in(QString::fromStdString(folder.string())); !found.empty()) return found;
  return {};
}

}  // namespace weft::ide
