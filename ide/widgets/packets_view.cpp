#include "packets_view.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QProcess>
#include <QResizeEvent>
#include <QSaveFile>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

#include "breakpoint_menu.h"
#include "column_sizes.h"
#include "empty_page.h"
#include "models/packet_export.h"
#include "packet_bytes_pane.h"
#include "packet_details.h"
#include "tables.h"
#include "view_parts.h"
#include "wrapping_row.h"

namespace weft::ide {

using emulator::Verdict;

namespace {

constexpr std::array kVerdicts{Verdict::dropped, Verdict::forwarded, Verdict::to_core,
                               Verdict::lost_in, Verdict::lost_out,  Verdict::in_flight};

QString sentence(const Diagnostics& problems) {
  if (problems.empty()) return {};
  const Diagnostic& d = problems.list().front();
  QString text = QString::fromStdString(d.text);
  if (!d.remedy.empty()) text += QStringLiteral("; ") + QString::fromStdString(d.remedy);
  return text;
}

}  // namespace

PacketsView::PacketsView(Workspace& workspace, Theme theme)
    : workspace_(workspace),
      pages_(new QStackedWidget),
      text_(new QLineEdit),
      verdict_(new QComboBox),
      reason_(new QComboBox),
      port_(new QComboBox),
      actions_(new QToolButton),
      range_(new QToolButton),
      count_(new QLabel),
      table_(make_table(this, tr("Packets"))),
      split_(new QSplitter),
      details_(new PacketDetails(workspace, theme)) {
  empty_ = new EmptyPage(tr("Follow the packets and build anew"), "record", [this] {
    workbench::Observation observation = workspace_.observation();
    observation.packets = observation.packet_limits.frames = true;
    workspace_.set_observation(observation);
  });
  QVBoxLayout* const column = fill_view(this, pages_, empty_);
  column->setSpacing(2);
  auto* filters = new QWidget;
  auto* bar = new QHBoxLayout(filters);
  bar->setContentsMargins(0, 0, 0, 0);
  bar->setSpacing(4);
  prepare_field(*text_, tr("Filter: text or number"), tr("Filter packets by text"));
  verdict_->setAccessibleName(tr("Filter packets by verdict"));
  reason_->setAccessibleName(tr("Filter packets by reason"));
  port_->setAccessibleName(tr("Filter packets by port"));
  verdict_->addItem(tr("all verdicts"));
  for (const Verdict verdict : kVerdicts) verdict_->addItem(verdict_text(verdict), static_cast<int>(verdict));
  reason_->addItem(tr("all reasons"));
  port_->addItem(tr("all ports"), -1);
  reason_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  reason_->setMinimumContentsLength(9);
  range_->setObjectName(QStringLiteral("packets_range"));
  range_->setText(tr("Range"));
  range_->setAccessibleName(tr("Only packets on their way within the range that is chosen in the history"));
  range_->setToolTip(range_->accessibleName());
  range_->setCheckable(true);
  range_->setChecked(true);
  range_->setEnabled(false);
  range_->setFocusPolicy(Qt::TabFocus);
  connect(range_, &QToolButton::toggled, this, &PacketsView::filter);
  connect(&workspace.cursor(), &Cursor::range_changed, this, &PacketsView::filter);
  actions_->setText(tr("Export"));
  actions_->setAccessibleName(tr("What can be done with the chosen packets"));
  actions_->setToolTip(actions_->accessibleName());
  actions_->setPopupMode(QToolButton::InstantPopup);
  actions_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(this);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    make_menu(menu);
  });
  actions_->setMenu(menu);
  count_->setMinimumWidth(10);
  text_->setFixedWidth(150);
  for (QWidget* widget : std::initializer_list<QWidget*>{text_, verdict_, reason_, port_, range_, actions_})
    bar->addWidget(widget);
  auto* top = new WrappingRow;
  top->setContentsMargins(4, 3, 4, 0);
  top->setSpacing(6);
  top->add(filters);
  top->add(count_);
  column->addLayout(top);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setSortIndicator(PacketsModel::kNumber, Qt::AscendingOrder);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
    QMenu here(this);
    if (const QModelIndex index = table_->indexAt(at); index.isValid()) add_breakpoints(here, model_->row(index.row()));
    make_menu(&here);
    here.exec(table_->viewport()->mapToGlobal(at));
  });
  split_->addWidget(table_);
  split_->addWidget(details_);
  split_->setStretchFactor(0, 1);
  split_->setStretchFactor(1, 1);
  split_->setChildrenCollapsible(false);
  table_->setMinimumWidth(120);
  details_->setMinimumWidth(200);
  connect(split_, &QSplitter::splitterMoved, this, [this] { divided_ = true; });
  split_->setSizes({1000, 1000});  // shares of what there is
  column->addWidget(split_, 1);

  connect(text_, &QLineEdit::textChanged, this, &PacketsView::filter);
  for (QComboBox* combo : {verdict_, reason_, port_})
    connect(combo, &QComboBox::currentIndexChanged, this, &PacketsView::filter);
  connect(&workspace, &Workspace::project_changed, this, &PacketsView::attach);
  connect(&workspace.cursor(), &Cursor::packet_changed, this, &PacketsView::follow);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& row) {
    if (model_ && row.isValid()) workspace_.cursor().look_at_packet(model_->row(row.row()).id);
  });
  attach();
}
PacketsView::~PacketsView() = default;

void PacketsView::attach() {
  table_->setModel(nullptr);
  model_ = workspace_.target() ? std::make_unique<PacketsModel>(*workspace_.target()) : nullptr;
  sized_ = false;
  kept_.clear();
  details_->show_packet(0);
  if (model_) {
    table_->setModel(model_.get());
    connect(workspace_.target(), &Target::state_changed, this, &PacketsView::tell);
    connect(model_.get(), &PacketsModel::updated, this, [this] {
      fill_filters();
      tell();
      if (!sized_ && model_->rowCount() > 0) {
        size_columns(table_, 150);
        sized_ = true;
        fit();
      }
      // Nobody has chosen yet: the first that was dropped, for which people come here, else the first.
      if (workspace_.cursor().packet() == 0 && model_->rowCount() > 0 && model_->complete() &&
          workspace_.target()->state() != Target::State::running) {
        uint32_t first = model_->row(0).id;
        for (int row = model_->rowCount() - 1; row >= 0; --row)
          if (model_->row(row).verdict == Verdict::dropped) first = model_->row(row).id;
        workspace_.cursor().set_packet(first);
      }
      // One that was under way may have ended.
      const uint32_t shown = workspace_.cursor().packet();
      const PacketRow* row = shown != 0 ? model_->find(shown) : nullptr;
      if (row != nullptr && (!details_->detail().known || details_->detail().row.verdict != row->verdict))
        details_->show_packet(shown);
    });
    connect(model_.get(), &QAbstractItemModel::modelReset, this, &PacketsView::choose_again);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
      if (filling_) return;
      kept_.clear();
      for (const uint32_t id : chosen()) kept_.insert(id);
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
      if (filling_ || !row.isValid()) return;
      const uint32_t id = model_->row(row.row()).id;
      if (table_->hasFocus())
        workspace_.cursor().look_at_packet(id);
      else
        workspace_.cursor().set_packet(id);
    });
  }
  tell();
}

// What became of a packet is seen also where the list has little room; what it is gets the width that this leaves.
void PacketsView::fit() {
  int rest = table_->viewport()->width();
  for (int c = 0; c < PacketsModel::kSummary; ++c) rest -= table_->columnWidth(c);
  const QList<int> shares = split_->sizes();
  if (rest < 0 && !divided_ && split_->orientation() == Qt::Horizontal &&
      shares[1] + rest >= details_->minimumWidth()) {
    split_->setSizes({shares[0] - rest, shares[1] + rest});
    rest = 0;
  }
  table_->setColumnWidth(PacketsModel::kSummary, std::max(rest, 150));
}

void PacketsView::tell() {
  QString why;
  bool offer = false;
  if (workspace_.target() == nullptr) {
    why = tr("Open a project, and run it: then its packets stand here.");
  } else if (const QString none = no_machine(workspace_); !none.isEmpty()) {
    why = none;
  } else if (model_->all() == 0) {
    const workbench::Observation& observation = workspace_.observation();
    if (!observation.packets && !model_->recorded()) {
      offer = true;
      const auto& limits = observation.packet_limits;
      why = tr("The packets of this run are not followed.\n\nFollowing needs the reference engine, which is slower "
               "than a run that nobody watches. The last %L1 packets are kept with their frames, about "
               "600 bytes each and what came and was written. It changes nothing in what the machine does.")
                .arg(limits.packets);
    } else {
      why = tr("Packets are followed, but none has come yet. Run (F5).");
    }
  }
  empty_->say(why, offer);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
  if (!model_) return;
  const int shown = model_->rowCount();
  QString count = shown == static_cast<int>(model_->all()) ? shown == 1 ? tr("1 packet") : tr("%L1 packets").arg(shown)
                                                           : tr("%L1 of %L2 packets").arg(shown).arg(model_->all());
  if (model_->not_kept() > 0) count += tr("; %L1 earlier ones are gone").arg(model_->not_kept());
  if (!model_->frames() && model_->all() > 0) count += tr("; frames were not kept");
  count_->setText(count);
  count_->setToolTip(count);
}

void PacketsView::fill_filters() {
  filling_ = true;
  const auto fill = [](QComboBox* combo, const QStringList& texts, const auto& value) {
    if (combo->count() - 1 == texts.size()) return;
    const QString chosen = combo->currentIndex() > 0 ? combo->currentText() : QString();
    while (combo->count() > 1) combo->removeItem(1);
    for (qsizetype i = 0; i < texts.size(); ++i) combo->addItem(texts[i], value(i));
    combo->setCurrentIndex(std::max(0, chosen.isEmpty() ? 0 : combo->findText(chosen)));
  };
  fill(reason_, model_->reasons(), [](qsizetype) { return QVariant(); });
  const std::vector<int> ports = model_->ports();
  QStringList names;
  for (const int port : ports) names << tr("port %1").arg(port);
  fill(port_, names, [&](qsizetype i) { return QVariant(ports[static_cast<size_t>(i)]); });
  filling_ = false;
}

void PacketsView::filter() {
  const auto range = workspace_.cursor().range();
  range_->setEnabled(range.has_value());
  if (filling_ || !model_) return;
  PacketFilter wanted;
  if (verdict_->currentIndex() > 0) wanted.verdict = static_cast<Verdict>(verdict_->currentData().toInt());
  if (reason_->currentIndex() > 0) wanted.reason = reason_->currentText();
  wanted.port = port_->currentData().toInt();
  wanted.text = text_->text().trimmed();
  if (range_->isChecked()) wanted.range = range;
  model_->set_filter(wanted);
  tell();
}

std::vector<uint32_t> PacketsView::chosen() const {
  std::vector<uint32_t> out;
  if (!model_ || table_->selectionModel() == nullptr) return out;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) out.push_back(model_->row(index.row()).id);
  std::ranges::sort(out);
  return out;
}

void PacketsView::choose_again() {
  filling_ = true;
  QItemSelection selection;
  for (const uint32_t id : kept_) {
    const int row = model_->row_of(id);
    if (row >= 0) selection.select(model_->index(row, 0), model_->index(row, PacketsModel::kColumns - 1));
    if (kept_.size() > 500) break;  // a choice of many is made again by hand
  }
  table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  const int current = model_->row_of(workspace_.cursor().packet());
  if (current >= 0)
    table_->selectionModel()->setCurrentIndex(
        model_->index(current, 0),
        kept_.empty() ? QItemSelectionModel::SelectCurrent | QItemSelectionModel::Rows : QItemSelectionModel::NoUpdate);
  filling_ = false;
}

void PacketsView::follow() {
  const uint32_t id = workspace_.cursor().packet();
  details_->show_packet(id);
  if (!model_ || id == 0) return;
  const int row = model_->row_of(id);
  if (row < 0 || table_->currentIndex().row() == row) return;
  filling_ = true;
  table_->selectRow(row);
  table_->scrollTo(model_->index(row, 0));
  kept_ = {id};
  filling_ = false;
}

// At the place where it was decided, and at what makes another packet like this one.
void PacketsView::add_breakpoints(QMenu& menu, const PacketRow& row) {
  const auto place =
      add_awaited_place(menu, workspace_, tr("Breakpoint where packet %1 ended").arg(number_of_packet(row.id)), this);
  workspace_.target()->ask(
      this, [id = row.id](const Inspector& machine) { return packet_detail(machine, id); },
      [place](const PacketDetail& detail) {
        if (const CodePlace* last = detail.last_place())
          place(QString::fromStdString(last->file), static_cast<int>(last->line));
      });
  const auto event = [&](int port, const QString& what) {
    return packet_event(workspace_, chip_of_packet(row.id), port, what);
  };
  BreakpointRow of;
  if (row.verdict == Verdict::dropped && row.reason != row.line)
    of.events.push_back(event(-1, QStringLiteral("dropped ") + row.reason));
  if (row.verdict == Verdict::lost_in || row.verdict == Verdict::lost_out)
    of.events.push_back(event(row.verdict == Verdict::lost_in ? row.port : row.out_port, QStringLiteral("lost")));
  of.events.push_back(event(row.port, QStringLiteral("in")));
  if (row.out_port >= 0) of.events.push_back(event(row.out_port, QStringLiteral("out")));
  add_breakpoint_menus(menu, workspace_, of, this);
}

void PacketsView::make_menu(QMenu* menu) {
  const bool any = !chosen().empty();
  const auto add = [&](const char* name, const QString& text, bool enabled, auto&& what) {
    QAction* action = menu->addAction(text, this, what);
    action->setObjectName(QString::fromLatin1(name));
    action->setEnabled(enabled);
  };
  const auto ask_file = [this](const QString& title, const QString& name, const QString& kind) {
    return QFileDialog::getSaveFileName(this, title, name, kind);
  };
  const bool frames = any && model_ && model_->frames();
  add("pcap", tr("Save as pcap, as received..."), frames, [this, ask_file] {
    if (const QString path = ask_file(tr("Save packets"), QStringLiteral("received.pcap"), tr("Captures (*.pcap)"));
        !path.isEmpty())
      save_pcap(path, false);
  });
  add("pcap_sent", tr("Save as pcap, as transmitted..."), frames, [this, ask_file] {
    if (const QString path = ask_file(tr("Save packets"), QStringLiteral("transmitted.pcap"), tr("Captures (*.pcap)"));
        !path.isEmpty())
      save_pcap(path, true);
  });
  add("wireshark", tr("Open in Wireshark"), frames, [this] { open_in_wireshark(find_wireshark()); });
  add("case", tr("Make a test case..."), frames, [this, ask_file] {
    const QString folder =
        QFileInfo(workspace_.path()).isDir() ? workspace_.path() : QFileInfo(workspace_.path()).path();
    const QString name = QDir(folder).exists(QStringLiteral("tests"))
                             ? folder + QStringLiteral("/tests/packet.test.json")
                             : folder + QStringLiteral("/packet.test.json");
    if (const QString path = ask_file(tr("Make a test case"), name, tr("Tests (*.test.json)")); !path.isEmpty())
      make_case(path);
  });
  menu->addSeparator();
  add("copy_hex", tr("Copy as hex"), frames, [this] { copy_hex(); });
  add("copy", tr("Copy"), model_ != nullptr, [this] { QApplication::clipboard()->setText(model_->csv()); });
  add("csv", tr("Save as CSV..."), model_ != nullptr, [this, ask_file] {
    const QString path = ask_file(tr("Save as CSV"), QStringLiteral("packets.csv"), tr("Tables (*.csv)"));
    if (path.isEmpty()) return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(model_->csv().toUtf8()) < 0 || !file.commit())
      Q_EMIT workspace_.message(tr("%1 cannot be written: %2").arg(path, file.errorString()));
  });
}

void PacketsView::with_frames(const std::function<void(const std::vector<PacketFrame>&)>& then) {
  const std::vector<uint32_t> ids = chosen();
  if (ids.empty() || workspace_.target() == nullptr) {
    Q_EMIT workspace_.message(tr("Choose packets in the list first."));
    return;
  }
  workspace_.target()->ask(
      this, [ids](const Inspector& machine) { return packet_frames(machine, ids); }, then);
}

void PacketsView::save_pcap(const QString& path, bool sent) {
  with_frames([this, path, sent](const std::vector<PacketFrame>& packets) {
    const auto saved = ide::save_pcap(packets, sent ? WhichFrame::sent : WhichFrame::received, path);
    Q_EMIT workspace_.message(saved ? tr("%1: %L2 of %L3 packets written").arg(path).arg(*saved).arg(packets.size())
                                    : sentence(saved.error()));
  });
}

void PacketsView::open_in_wireshark(const QString& program) {
  if (program.isEmpty()) {
    Q_EMIT workspace_.message(
        tr("Wireshark is not installed, or not in the PATH: install it, or save the packets as pcap."));
    return;
  }
  with_frames([this, program](const std::vector<PacketFrame>& packets) {
    // The other program reads the file when it has started, and may read it again: it goes when this one ends.
    if (!for_others_) for_others_ = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/weft-XXXXXX"));
    if (!for_others_->isValid()) {
      Q_EMIT workspace_.message(
          tr("No folder can be made in %1: %2").arg(QDir::tempPath(), for_others_->errorString()));
      return for_others_.reset();
    }
    const QString path = for_others_->filePath(QStringLiteral("packets-%1.pcap").arg(++given_));
    const auto saved = ide::save_pcap(packets, WhichFrame::received, path);
    if (!saved) return Q_EMIT workspace_.message(sentence(saved.error()));
    if (!QProcess::startDetached(program, {QStringLiteral("-r"), path}))
      Q_EMIT workspace_.message(tr("%1 cannot be started").arg(program));
    else
      Q_EMIT workspace_.message(tr("%L1 packets are opened in Wireshark").arg(*saved));
  });
}

void PacketsView::copy_hex() {
  with_frames([](const std::vector<PacketFrame>& packets) { QApplication::clipboard()->setText(hex_text(packets)); });
}

// The packets run alone for the test, and the test is run: seconds, not for this thread.
void PacketsView::make_case(const QString& path) {
  with_frames([this, path](const std::vector<PacketFrame>& packets) {
    std::vector<workbench::PacketOfCase> chosen;
    for (const PacketFrame& p : packets) chosen.push_back(case_of(p));
    Q_EMIT workspace_.message(tr("The test is made and tried ..."));
    using Made = Result<std::string>;
    auto made = std::make_shared<std::optional<Made>>();
    QThread* thread = QThread::create([made, chosen, path, project = workspace_.path().toStdString()] {
      *made = workbench::write_packet_case(project, chosen, path.toStdString());
    });
    connect(thread, &QThread::finished, this, [this, made, path] {
      const Made& result = **made;
      Q_EMIT workspace_.message(result ? tr("%1 written; it passes: %2").arg(path, QString::fromStdString(*result))
                                       : sentence(result.error()));
    });
    connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->start();
  });
}

void PacketsView::set_theme(Theme theme) { details_->set_theme(theme); }

void PacketsView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  const bool wide = event->size().width() >= 640 || event->size().width() > event->size().height();
  if ((split_->orientation() == Qt::Horizontal) != wide) split_->setOrientation(wide ? Qt::Horizontal : Qt::Vertical);
  if (sized_) QTimer::singleShot(0, this, &PacketsView::fit);  // the list has its width after this
}

QJsonValue PacketsView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  QJsonObject out;
  constexpr int kMax = 200;
  out[QStringLiteral("count")] = model_->rowCount();
  out[QStringLiteral("all")] = static_cast<double>(model_->all());
  QJsonArray rows;
  for (int row = 0; row < std::min(model_->rowCount(), kMax); ++row) {
    QJsonObject fields;
    for (int column = 0; column < PacketsModel::kColumns; ++column)
      fields[model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()] =
          QJsonValue::fromVariant(model_->index(row, column).data());
    rows.append(fields);
  }
  out[QStringLiteral("rows")] = rows;
  const PacketDetail& detail = details_->detail();
  if (!detail.known) return out;
  QJsonObject packet{{QStringLiteral("number"), static_cast<int>(number_of_packet(detail.row.id))},
                     {QStringLiteral("headline"), details_->headline()},
                     {QStringLiteral("cost"), details_->cost_text()}};
  QJsonArray steps;
  for (const PacketStepView& s : detail.steps)
    steps.append(QJsonObject{{QStringLiteral("from"), static_cast<double>(s.from)},
                             {QStringLiteral("context"), context_name(s.place.who)},
                             {QStringLiteral("stage"), QString::fromStdString(s.place.stage)},
                             {QStringLiteral("line"), place_text(s.place, workspace_.names())}});
  packet[QStringLiteral("way")] = steps;
  QJsonArray fields;
  for (const FieldRow& row : details_->bytes()->rows())
    fields.append(QJsonObject{{QStringLiteral("name"), row.name},
                              {QStringLiteral("before"), row.before},
                              {QStringLiteral("after"), row.after},
                              {QStringLiteral("note"), row.note},
                              {QStringLiteral("changed"), row.changed}});
  packet[QStringLiteral("fields")] = fields;
  packet[QStringLiteral("writer")] = details_->bytes()->writer_text();
  out[QStringLiteral("packet")] = packet;
  return out;
}

}  // namespace weft::ide
