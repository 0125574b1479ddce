#include "views.h"

#include <array>

#include "breakpoints_view.h"
#include "contexts_view.h"
#include "coverage_view.h"
#include "find_view.h"
#include "log_view.h"
#include "memory_view.h"
#include "packets_view.h"
#include "problems_view.h"
#include "project_tree.h"
#include "references_view.h"
#include "registers_view.h"
#include "state_view.h"
#include "statistics_view.h"
#include "timeline_view.h"

namespace weft::ide {

namespace {

template <class V>
View* make(Workspace& workspace, Theme theme) {
  return new V(workspace, theme);
}

// Those of one area lie behind each other in this order.
constexpr std::array kViews{
    ViewKind{"project", QT_TRANSLATE_NOOP("View", "Project"), Qt::LeftDockWidgetArea, &make<ProjectTree>},
    ViewKind{"contexts", QT_TRANSLATE_NOOP("View", "Contexts"), Qt::BottomDockWidgetArea, &make<ContextsView>},
    ViewKind{"breakpoints", QT_TRANSLATE_NOOP("View", "Breakpoints"), Qt::BottomDockWidgetArea, &make<BreakpointsView>},
    ViewKind{"problems", QT_TRANSLATE_NOOP("View", "Problems"), Qt::BottomDockWidgetArea, &make<ProblemsView>},
    ViewKind{"references", QT_TRANSLATE_NOOP("View", "References"), Qt::BottomDockWidgetArea, &make<ReferencesView>},
    ViewKind{"find", QT_TRANSLATE_NOOP("View", "Find"), Qt::BottomDockWidgetArea, &make<FindView>},
    ViewKind{"log", QT_TRANSLATE_NOOP("View", "Log"), Qt::BottomDockWidgetArea, &make<LogView>},
    ViewKind{"timeline", QT_TRANSLATE_NOOP("View", "History"), Qt::BottomDockWidgetArea, &make<TimelineView>},
    ViewKind{"coverage", QT_TRANSLATE_NOOP("View", "Coverage"), Qt::BottomDockWidgetArea, &make<CoverageView>},
    ViewKind{"statistics", QT_TRANSLATE_NOOP("View", "Statistics"), Qt::BottomDockWidgetArea, &make<StatisticsView>},
    ViewKind{"packets", QT_TRANSLATE_NOOP("View", "Packets"), Qt::BottomDockWidgetArea, &make<PacketsView>},
    ViewKind{"registers", QT_TRANSLATE_NOOP("View", "Registers"), Qt::RightDockWidgetArea, &make<RegistersView>},
    ViewKind{"memory", QT_TRANSLATE_NOOP("View", "Memory"), Qt::BottomDockWidgetArea, &make<MemoryView>},
    ViewKind{"queues", QT_TRANSLATE_NOOP("View", "Queues"), Qt::BottomDockWidgetArea, &make<QueuesView>},
    ViewKind{"csrs", QT_TRANSLATE_NOOP("View", "CSRs"), Qt::RightDockWidgetArea, &make<CsrsView>},
    ViewKind{"engine", QT_TRANSLATE_NOOP("View", "CAM, signals"), Qt::RightDockWidgetArea, &make<CamView>},
};

}  // namespace

std::span<const ViewKind> view_kinds() { return kViews; }

}  // namespace weft::ide
