#include "views.h"

#include <algorithm>
#include <array>

#include "breakpoints_view.h"
#include "contexts_view.h"
#include "coverage_view.h"
#include "find_view.h"
#include "flame_view.h"
#include "log_view.h"
#include "memory_view.h"
#include "origin_view.h"
#include "outline_view.h"
#include "packets_view.h"
#include "problems_view.h"
#include "project_tree.h"
#include "references_view.h"
#include "registers_view.h"
#include "state_view.h"
#include "statistics_view.h"
#include "tests_view.h"
#include "timeline_view.h"
#include "watches_view.h"

namespace weft::ide {

namespace {

template <class V>
View* make(Workspace& workspace, Theme theme) {
  return new V(workspace, theme);
}

constexpr auto kLeft = Qt::LeftDockWidgetArea, kRight = Qt::RightDockWidgetArea, kBottom = Qt::BottomDockWidgetArea;

// Those of one area lie after each other in this order.
constexpr std::array kViews{
    ViewKind{"project", QT_TRANSLATE_NOOP("View", "Project"), kLeft, "editing", &make<ProjectTree>},
    ViewKind{"outline", QT_TRANSLATE_NOOP("View", "Outline"), kLeft, "editing", &make<OutlineView>},
    ViewKind{"contexts", QT_TRANSLATE_NOOP("View", "Contexts"), kBottom, "state", &make<ContextsView>},
    ViewKind{"breakpoints", QT_TRANSLATE_NOOP("View", "Breakpoints"), kBottom, "debugging", &make<BreakpointsView>},
    ViewKind{"problems", QT_TRANSLATE_NOOP("View", "Problems"), kBottom, "editing", &make<ProblemsView>},
    ViewKind{"tests", QT_TRANSLATE_NOOP("View", "Tests"), kBottom, "testing", &make<TestsView>},
    ViewKind{"references", QT_TRANSLATE_NOOP("View", "References"), kBottom, "editing", &make<ReferencesView>},
    ViewKind{"find", QT_TRANSLATE_NOOP("View", "Find"), kBottom, "editing", &make<FindView>},
    ViewKind{"log", QT_TRANSLATE_NOOP("View", "Log"), kBottom, "debugging", &make<LogView>},
    ViewKind{"timeline", QT_TRANSLATE_NOOP("View", "History"), kBottom, "history", &make<TimelineView>},
    ViewKind{"coverage", QT_TRANSLATE_NOOP("View", "Coverage"), kBottom, "coverage", &make<CoverageView>},
    ViewKind{"statistics", QT_TRANSLATE_NOOP("View", "Statistics"), kBottom, "statistics", &make<StatisticsView>},
    ViewKind{"flame", QT_TRANSLATE_NOOP("View", "Flame graph"), kBottom, "history", &make<FlameView>},
    ViewKind{"packets", QT_TRANSLATE_NOOP("View", "Packets"), kBottom, "packets", &make<PacketsView>},
    ViewKind{"registers", QT_TRANSLATE_NOOP("View", "Registers"), kRight, "state", &make<RegistersView>},
    ViewKind{"origin", QT_TRANSLATE_NOOP("View", "Who wrote this"), kBottom, "values", &make<OriginView>},
    ViewKind{"watches", QT_TRANSLATE_NOOP("View", "Watches"), kRight, "values", &make<WatchesView>},
    ViewKind{"memory", QT_TRANSLATE_NOOP("View", "Memory"), kBottom, "state", &make<MemoryView>},
    ViewKind{"queues", QT_TRANSLATE_NOOP("View", "Queues"), kBottom, "state", &make<QueuesView>},
    ViewKind{"csrs", QT_TRANSLATE_NOOP("View", "CSRs"), kRight, "state", &make<CsrsView>},
    ViewKind{"engine", QT_TRANSLATE_NOOP("View", "CAM, signals"), kRight, "state", &make<CamView>},
};
static_assert(std::ranges::all_of(kViews, [](const ViewKind& kind) { return kind.page != nullptr; }));

constexpr std::pair<const char*, const char*> kNames[] = {{"timeline", "history"}, {"engine", "cam"}};

}  // namespace

void View::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  set_watching(true);
}
void View::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  set_watching(false);
}

std::span<const ViewKind> view_kinds() { return kViews; }

QString view_name(const QString& dock) {
  for (const auto& [old, name] : kNames)
    if (dock == QLatin1String(old)) return QString::fromLatin1(name);
  return dock;
}
QString dock_name(const QString& view) {
  for (const auto& [old, name] : kNames)
    if (view == QLatin1String(name)) return QString::fromLatin1(old);
  return view;
}

QString help_page(const QString& view) {
  const auto kind = std::ranges::find(kViews, dock_name(view), [](const ViewKind& k) { return QLatin1String(k.name); });
  const char* const page = view == QStringLiteral("editor") ? "editing" : kind == kViews.end() ? "README" : kind->page;
  return QStringLiteral("ide/%1.md").arg(QLatin1String(page));
}

}  // namespace weft::ide
