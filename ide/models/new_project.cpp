#include "new_project.h"

#include <QCoreApplication>
#include <QDir>
#include <QSaveFile>
#include <utility>

namespace weft::ide {

namespace {

constexpr const char* kProject =
    "{\n  \"version\": 1,\n  \"board\": \"generic-2400\",\n  \"programs\": [{\"source\": \"main.uc\", \"engines\": "
    "[0]}]\n}\n";

constexpr const char* kProgram =
    "// Counts from 10 down to 0, in each context of the microengine.\n"
    ".reg n\n"
    "\n"
    "immed[n, 10]\n"
    "again#:\n"
    "    alu[n, n, -, 1]\n"
    "    bne[again#]\n"
    "ctx_arb[kill]\n";

QString tr(const char* text) { return QCoreApplication::translate("NewProject", text); }

}  // namespace

QString make_project(const QString& folder) {
  const QDir dir(folder);
  const std::pair<const char*, const char*> files[] = {{"main.uc", kProgram}, {"weft.json", kProject}};
  for (const auto& [name, text] : files)
    if (dir.exists(QString::fromLatin1(name)))
      return tr("%1 has a %2 already; choose an empty folder").arg(folder, QString::fromLatin1(name));
  for (const auto& [name, text] : files) {
    QSaveFile file(dir.filePath(QString::fromLatin1(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0 || !file.commit())
      return tr("%1 cannot be written: %2").arg(file.fileName(), file.errorString());
  }
  return {};
}

}  // namespace weft::ide
