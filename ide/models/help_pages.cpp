#include "help_pages.h"

#include <QFileInfo>
#include <algorithm>
#include <array>

#include "weft/workbench/project.h"

namespace weft::ide {

namespace {

struct Page {
  const char *view, *page;
};

constexpr std::array kPages{
    Page{"editor", "ide/editing.md"},  Page{"tests", "ide/testing.md"},         Page{"outline", "ide/editing.md"},
    Page{"project", "ide/editing.md"}, Page{"problems", "ide/editing.md"},      Page{"references", "ide/editing.md"},
    Page{"find", "ide/editing.md"},    Page{"contexts", "ide/state.md"},        Page{"registers", "ide/state.md"},
    Page{"memory", "ide/state.md"},    Page{"queues", "ide/state.md"},          Page{"csrs", "ide/state.md"},
    Page{"cam", "ide/state.md"},       Page{"breakpoints", "ide/debugging.md"}, Page{"log", "ide/debugging.md"},
    Page{"history", "ide/history.md"}, Page{"coverage", "ide/coverage.md"},     Page{"statistics", "ide/statistics.md"},
    Page{"packets", "ide/packets.md"}, Page{"flame", "ide/history.md"},         Page{"origin", "ide/values.md"},
    Page{"watches", "ide/values.md"}};

}  // namespace

QString find_documents() {
  const std::filesystem::path data = workbench::data_folder();
  for (const std::filesystem::path& folder : {data / "docs", data.parent_path() / "docs"}) {
    const QString path = QString::fromStdString(folder.string());
    if (QFileInfo::exists(path + QStringLiteral("/ide/README.md"))) return path;
  }
  return {};
}

QString help_page(const QString& view) {
  const auto page = std::ranges::find_if(kPages, [&](const Page& p) { return view == QLatin1String(p.view); });
  return page == kPages.end() ? QStringLiteral("ide/README.md") : QString::fromLatin1(page->page);
}

}  // namespace weft::ide
