#include "tours.h"

#include <QCoreApplication>
#include <algorithm>

namespace weft::ide {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Tour", text); }

using Done = std::function<bool(const TourScene&)>;

Done seen(const char* view) {
  return [view](const TourScene& scene) { return scene.shown(QLatin1String(view)); };
}
Done stands_after(uint64_t cycle) {
  return [cycle](const TourScene& scene) {
    const auto view = scene.still();
    return view && view->cycle > cycle;
  };
}
bool in_past(const TourScene& scene) { return scene.still() && scene.workspace.target()->in_past(); }
bool in_present(const TourScene& scene) { return scene.still() && !scene.workspace.target()->in_past(); }
bool has_packet(const TourScene& scene) { return scene.workspace.cursor().packet() != 0; }

Tour first_steps() {
  return {tr("First steps"),
          tr("Step through a small program, stop it where you want, and go back in time."),
          QStringLiteral("first"),
          {{tr("The program adds the numbers 1 to 10. Press F9: the chosen context executes one instruction, and the "
               "arrow in the margin shows the next."),
            QStringLiteral("step"), QString(),
            [](const TourScene& scene) { return scene.still() && scene.workspace.target()->stopped_at(); }},
           {tr("Alt+8 shows the registers of the context; what the instruction has written is red."), QString(),
            QStringLiteral("registers"), seen("registers")},
           {tr("Put the cursor into the line 'alu[n, n, -, 1]' and press F8, or click into the margin: a breakpoint."),
            QStringLiteral("breakpoint"), QString(),
            [](const TourScene& scene) { return !scene.workspace.breakpoints().empty(); }},
           {tr("Press F5: it runs until a context comes to the breakpoint."), QStringLiteral("run"), QString(),
            [](const TourScene& scene) {
              return scene.still() &&
                     std::ranges::any_of(scene.workspace.breakpoints(), [](const auto& b) { return b.hits > 0; });
            }},
           {tr("Press Shift+F9: the machine goes back by one instruction, with registers, memory and queues as they "
               "were."),
            QStringLiteral("step_back"), QString(), in_past},
           {tr("Ctrl+End, or the button in the status bar, leads back to the present."), QStringLiteral("present"),
            QString(), in_present}}};
}

Tour dropped_packet() {
  return {
      tr("Why was this packet dropped?"),
      tr("Run a firewall until it drops a packet, and see which line decided it."),
      QStringLiteral("firewall-filter"),
      {{tr("Run, Run to, 'The next packet that a program drops'. The machine stops there, and the status bar says the "
           "reason and the line."),
        QStringLiteral("next_dropped"), QString(), stands_after(0)},
       {tr("Alt+7 shows all packets: what became of each, and why."), QString(), QStringLiteral("packets"),
        seen("packets")},
       {tr("Choose 'dropped' in the filter, and click on a packet: at the right is its way, and its bytes."), QString(),
        QStringLiteral("packets"), has_packet},
       {tr("Press 'Go there': the editor shows the line that decided, and the machine goes to that cycle. Step from "
           "there, or back."),
        QString(), QStringLiteral("packets"), [](const TourScene& scene) {
          const auto view = scene.still();
          return view && view->cycle != scene.began_at;
        }}}};
}

Tour where_cycles_go() {
  return {tr("Where do the cycles go?"),
          tr("Measure a router: its busiest unit, its idle contexts, and any moment of the run."),
          QStringLiteral("dual-stack-router"),
          {{tr("Press Ctrl+Shift+F10, type 100us, and Enter: the router forwards packets for 100 microseconds."),
            QStringLiteral("run_until"), QString(), stands_after(10'000)},
           {tr("Alt+6 shows the statistics. In 'Units' sort by 'Busy': a unit near 100 % is the bottleneck."),
            QString(), QStringLiteral("statistics"), seen("statistics")},
           {tr("Alt+5 shows the history: what each context did in each cycle. Wheel or W and S zoom, A and D move."),
            QString(), QStringLiteral("timeline"), seen("timeline")},
           {tr("Click on a moment of a bar: the machine goes there, and every view and the text with it. In a sleep an "
               "arrow leads to what woke the context."),
            QString(), QStringLiteral("timeline"), in_past},
           {tr("Drag over the bars: the range filters packets and statistics. View, Flame graph shows its cycles by "
               "block and macro."),
            QString(), QStringLiteral("flame"), seen("flame")},
           {tr("Ctrl+End leads back to the present. Ctrl+P finds everything else; F1 explains what has the keyboard."),
            QStringLiteral("present"), QString(), in_present}}};
}

}  // namespace

std::shared_ptr<const MachineView> TourScene::still() const {
  const Target* target = workspace.target();
  if (target == nullptr || target->busy() || target->state() == Target::State::running ||
      target->state() == Target::State::building)
    return nullptr;
  return target->view();
}

std::vector<Tour> tours() { return {first_steps(), dropped_packet(), where_cycles_go()}; }

}  // namespace weft::ide
