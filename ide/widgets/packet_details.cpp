#include "packet_details.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "breakpoint_menu.h"
#include "packet_bytes_pane.h"
#include "save_files.h"
#include "tables.h"

namespace weft::ide {

using emulator::Verdict;

namespace {

constexpr int kRoomForCost = 260;  // pixels of height

}  // namespace

PacketDetails::PacketDetails(Workspace& workspace, Theme theme, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      headline_(new QLabel),
      cost_(new QLabel),
      go_(new QPushButton(tr("Go there"))),
      tabs_(new QTabWidget),
      path_(make_table(this, tr("Way of the packet"))),
      path_model_(new PacketPathModel(this)),
      bytes_(new PacketBytesPane(workspace, theme)) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(2);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(4, 3, 4, 0);
  headline_->setWordWrap(true);
  headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  headline_->setAccessibleName(tr("What became of the packet"));
  go_->setObjectName(QStringLiteral("go_to_reason"));
  go_->setAccessibleName(tr("Go to the line and the cycle where it was decided"));
  go_->setToolTip(tr("Shows the line, and takes the machine to the cycle in which it was decided"));
  connect(go_, &QPushButton::clicked, this, [this] {
    if (const CodePlace* place = detail_.last_place()) go_to(*place);
  });
  top->addWidget(headline_, 1);
  box->addLayout(top);

  auto* way = new QWidget;
  auto* column = new QVBoxLayout(way);
  column->setContentsMargins(0, 2, 0, 0);
  column->setSpacing(2);
  cost_->setWordWrap(true);
  cost_->setContentsMargins(4, 0, 4, 0);
  cost_->setAccessibleName(tr("What the packet cost"));
  column->addWidget(cost_);
  path_->setModel(path_model_);
  path_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  path_->horizontalHeader()->setStretchLastSection(false);
  column->addWidget(path_, 1);
  auto* copy = new QAction(tr("Copy the way"), path_);
  copy->setObjectName(QStringLiteral("copy_way"));
  connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(csv_of(*path_model_)); });
  path_->addAction(copy);
  auto* save = new QAction(tr("Save the way as CSV..."), path_);
  connect(save, &QAction::triggered, this, [this] {
    const QString path = ask_file_name(this, tr("Save the way"), tr("packet-%1.csv").arg(number_of_packet(wanted_)),
                                       tr("Tables (*.csv)"));
    if (!path.isEmpty()) write_text(workspace_, path, csv_of(*path_model_).toStdString());
  });
  path_->addAction(save);
  add_breakpoint_menus(path_, workspace_, [this](const QModelIndex& index) {
    const CodePlace& place = path_model_->step(index.row()).place;
    return BreakpointRow{QString::fromStdString(place.file), static_cast<int>(place.line),
                         name_of_context(workspace_, place.who)};
  });
  tabs_->addTab(way, tr("Way"));
  tabs_->addTab(bytes_, tr("Bytes"));
  tabs_->setDocumentMode(true);
  tabs_->setCornerWidget(go_);  // the text above has the whole width
  tabs_->tabBar()->setAccessibleName(tr("Way or bytes of the packet"));
  tabs_->setAccessibleName(tr("Way and bytes of the packet"));
  box->addWidget(tabs_, 1);
  // A click shows the line, Enter and double click go to the cycle too.
  connect(path_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    const CodePlace& place = path_model_->step(index.row()).place;
    workspace_.cursor().set_context(place.who);
    workspace_.cursor().set_cycle(place.cycle);
    if (place.line != 0)
      workspace_.request_built_place(QString::fromStdString(place.file), static_cast<int>(place.line));
  });
  connect(path_, &QTableView::activated, this,
          [this](const QModelIndex& index) { go_to(path_model_->step(index.row()).place); });
  connect(bytes_, &PacketBytesPane::place_requested, this, &PacketDetails::go_to);
  take({});
}

void PacketDetails::set_theme(Theme theme) { bytes_->set_theme(theme); }
QString PacketDetails::headline() const { return headline_->text(); }
QString PacketDetails::cost_text() const { return cost_->text(); }

// In little room the way has it; what the packet cost is in the tip of its tab then.
void PacketDetails::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  cost_->setVisible(height() >= kRoomForCost);
}

void PacketDetails::go_to(const CodePlace& place) {
  workspace_.cursor().set_context(place.who);
  workspace_.cursor().set_cycle(place.cycle);
  if (place.line != 0) workspace_.request_built_place(QString::fromStdString(place.file), static_cast<int>(place.line));
  Target* target = workspace_.target();
  if (target != nullptr && target->state() != Target::State::running) target->go_to(place.cycle);
}

void PacketDetails::show_packet(uint32_t id) {
  wanted_ = id;
  if (id == 0 || workspace_.target() == nullptr) return take({});
  workspace_.target()->ask(
      this, [id](const Inspector& machine) { return packet_detail(machine, id); },
      [this, id](const PacketDetail& detail) {
        if (id == wanted_) take(detail);
      });
}

void PacketDetails::take(const PacketDetail& detail) {
  detail_ = detail;
  tabs_->setVisible(detail.known);
  go_->setVisible(detail.known && detail.last_place() != nullptr);
  path_model_->show(detail.steps, detail.record.arrived, workspace_.names());
  for (int i = 0; i < PacketPathModel::kColumns; ++i) path_->resizeColumnToContents(i);
  bytes_->show_packet(detail);
  if (!detail.known) {
    headline_->setText(wanted_ == 0
                           ? tr("Choose a packet: its way through the programs, its bytes and the reason stand here.")
                           : tr("This packet is not known: its record has gone, or the run has not come to it."));
    return;
  }
  const PacketRow& r = detail.row;
  const QString number = tr("Packet %1").arg(number_of_packet(r.id));
  QString what;
  const bool by_line = detail.reason.has_value();
  switch (r.verdict) {
    case Verdict::forwarded:
      what = tr("%1 was forwarded to port %2 in %L3 cycles.").arg(number).arg(r.out_port).arg(r.latency());
      break;
    case Verdict::dropped:
      what = r.reason.isEmpty() || r.reason == r.line
                 ? tr("%1 was dropped").arg(number)
                 : tr("%1 was dropped: <b>%2</b>").arg(number, r.reason.toHtmlEscaped());
      break;
    case Verdict::to_core:
      what = r.reason.isEmpty()
                 ? tr("%1 went to the control processor").arg(number)
                 : tr("%1 went to the control processor: <b>%2</b>").arg(number, r.reason.toHtmlEscaped());
      break;
    case Verdict::lost_in:
      what = tr("%1 was lost at port %2 before a program saw it: <b>%3</b>")
                 .arg(number)
                 .arg(r.port)
                 .arg(r.reason.toHtmlEscaped());
      break;
    case Verdict::lost_out:
      what = tr("%1 was lost where it should leave: <b>%2</b>").arg(number, r.reason.toHtmlEscaped());
      break;
    case Verdict::in_flight: what = tr("%1 has been under way for %L2 cycles.").arg(number).arg(r.latency()); break;
  }
  if (by_line)
    what += tr(", at <b>%1</b> by %2 in cycle <b>%L3</b>")
                .arg(place_text(*detail.reason, workspace_.names()), context_name(detail.reason->who))
                .arg(detail.reason->cycle);
  else if (const CodePlace* last = detail.last_place(); last != nullptr && r.verdict != Verdict::lost_in)
    what += tr(" Last seen at %1 by %2, cycle %L3.")
                .arg(place_text(*last, workspace_.names()), context_name(last->who))
                .arg(last->cycle);
  headline_->setText(QStringLiteral("%1<br>%2").arg(what, r.summary.toHtmlEscaped()));

  QStringList parts;
  for (const emulator::PacketCost& c : detail.record.cost) {
    const uint64_t all = uint64_t{c.executing} + c.aborted + c.stalled;
    QString part = tr("me%1: %L2").arg(c.engine).arg(all);
    if (r.budget > 0)
      part += tr(" (%1 %)").arg(100.0 * static_cast<double>(all) / static_cast<double>(r.budget), 0, 'f', 0);
    if (c.stalled > 0) part += tr(", %L1 stalled").arg(c.stalled);
    parts << part;
  }
  QString cost = parts.isEmpty() ? tr("No program worked on it.")
                                 : tr("Cycles in which engines were held: %1.").arg(parts.join(QStringLiteral("; ")));
  if (r.budget > 0)
    cost += tr(" It takes %L1 cycles on the wire: the budget of one engine at line rate.").arg(r.budget);
  if (detail.record.steps_missing > 0)
    cost += tr(" %L1 words have no step: there are too many.").arg(detail.record.steps_missing);
  cost_->setText(cost);
  tabs_->setTabToolTip(0, cost);
}

}  // namespace weft::ide
