#include "views.h"

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

// Those of one area lie after each other in this order.
constexpr std::array kViews{
    ViewKind{"project", QT_TRANSLATE_NOOP("View", "Project"), Qt::LeftDockWidgetArea, &make<ProjectTree>},
    ViewKind{"outline", QT_TRANSLATE_NOOP("View", "Outline"), Qt::LeftDockWidgetArea, &make<OutlineView>},
    ViewKind{"contexts", QT_TRANSLATE_NOOP("View", "Contexts"), Qt::BottomDockWidgetArea, &make<ContextsView>},
    ViewKind{"breakpoints", QT_TRANSLATE_NOOP("View", "Breakpoints"), Qt::BottomDockWidgetArea, &make<BreakpointsView>},
    ViewKind{"problems", QT_TRANSLATE_NOOP("View", "Problems"), Qt::BottomDockWidgetArea, &make<ProblemsView>},
    ViewKind{"tests", QT_TRANSLATE_NOOP("View", "Tests"), Qt::BottomDockWidgetArea, &make<TestsView>},
    ViewKind{"references", QT_TRANSLATE_NOOP("View", "References"), Qt::BottomDockWidgetArea, &make<ReferencesView>},
    ViewKind{"find", QT_TRANSLATE_NOOP("View", "Find"), Qt::BottomDockWidgetArea, &make<FindView>},
    ViewKind{"log", QT_TRANSLATE_NOOP("View", "Log"), Qt::BottomDockWidgetArea, &make<LogView>},
    ViewKind{"timeline", QT_TRANSLATE_NOOP("View", "History"), Qt::BottomDockWidgetArea, &make<TimelineView>},
    ViewKind{"coverage", QT_TRANSLATE_NOOP("View", "Coverage"), Qt::BottomDockWidgetArea, &make<CoverageView>},
    ViewKind{"statistics", QT_TRANSLATE_NOOP("View", "Statistics"), Qt::BottomDockWidgetArea, &make<StatisticsView>},
    ViewKind{"flame", QT_TRANSLATE_NOOP("View", "Flame graph"), Qt::BottomDockWidgetArea, &make<FlameView>},
    ViewKind{"packets", QT_TRANSLATE_NOOP("View", "Packets"), Qt::BottomDockWidgetArea, &make<PacketsView>},
    ViewKind{"registers", QT_TRANSLATE_NOOP("View", "Registers"), Qt::RightDockWidgetArea, &make<RegistersView>},
    ViewKind{"origin", QT_TRANSLATE_NOOP("View", "Who wrote this"), Qt::BottomDockWidgetArea, &make<OriginView>},
    ViewKind{"watches", QT_TRANSLATE_NOOP("View", "Watches"), Qt::RightDockWidgetArea, &make<WatchesView>},
    ViewKind{"memory", QT_TRANSLATE_NOOP("View", "Memory"), Qt::BottomDockWidgetArea, &make<MemoryView>},
    ViewKind{"queues", QT_TRANSLATE_NOOP("View", "Queues"), Qt::BottomDockWidgetArea, &make<QueuesView>},
    ViewKind{"csrs", QT_TRANSLATE_NOOP("View", "CSRs"), Qt::RightDockWidgetArea, &make<CsrsView>},
    ViewKind{"engine", QT_TRANSLATE_NOOP("View", "CAM, signals"), Qt::RightDockWidgetArea, &make<CamView>},
};

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

}  // namespace weft::ide
