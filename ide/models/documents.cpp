#include "documents.h"

#include <QFileInfo>

#include "weft/workbench/project.h"

namespace weft::ide {

QString find_documents() {
  const std::filesystem::path data = workbench::data_folder();
  for (const std::filesystem::path& folder : {data / "docs", data.parent_path() / "docs"}) {
    const QString path = QString::fromStdString(folder.string());
    if (QFileInfo::exists(path + QStringLiteral("/ide/README.md"))) return path;
  }
  return {};
}

}  // namespace weft::ide
