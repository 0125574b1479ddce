#include "packet_bytes_pane.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "models/packet_path_model.h"
#include "models/workspace.h"
#include "save_files.h"

namespace weft::ide {

namespace {

constexpr int kName = 0, kBefore = 1, kAfter = 2, kNote = 3;

std::optional<std::pair<size_t, size_t>> bytes_of(const std::optional<std::pair<size_t, size_t>>& bits) {
  if (!bits || bits->second == 0) return std::nullopt;
  const size_t first = bits->first / 8, end = (bits->first + bits->second + 7) / 8;
  return std::pair(first, end - first);
}

}  // namespace

PacketBytesPane::PacketBytesPane(Workspace& workspace, Theme theme, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      theme_(theme),
      before_box_(new QComboBox),
      after_box_(new QComboBox),
      tree_(new QTreeWidget),
      split_(new QSplitter),
      frames_(new QSplitter(Qt::Vertical)),
      before_hex_(new PacketHex(theme, tr("Bytes that are compared with"))),
      after_hex_(new PacketHex(theme, tr("Bytes of the frame"))),
      writer_(new QLabel),
      go_(new QPushButton(tr("Go there"))) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 2, 0, 0);
  box->setSpacing(2);
  auto* choice = new QHBoxLayout;
  choice->setContentsMargins(4, 0, 4, 0);
  after_box_->setAccessibleName(tr("Moment of the frame"));
  before_box_->setAccessibleName(tr("Compared with"));
  for (QComboBox* combo : {after_box_, before_box_}) {
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(12);
    connect(combo, &QComboBox::currentIndexChanged, this, &PacketBytesPane::refresh);
  }
  choice->addWidget(after_box_, 1);
  choice->addWidget(new QLabel(tr("compared with")));
  choice->addWidget(before_box_, 1);
  box->addLayout(choice);

  tree_->setAccessibleName(tr("Fields of the frame"));
  tree_->setHeaderLabels({tr("Field"), tr("Before"), tr("After"), tr("Note")});
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->header()->setStretchLastSection(true);
  tree_->setRootIsDecorated(true);
  tree_->viewport()->installEventFilter(this);
  connect(tree_, &QTreeWidget::currentItemChanged, this, &PacketBytesPane::field_chosen);
  auto* copy = new QAction(tr("Copy the fields"), tree_);
  copy->setObjectName(QStringLiteral("copy_fields"));
  connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(fields_text()); });
  tree_->addAction(copy);
  auto* save = new QAction(tr("Save the fields as a text..."), tree_);
  connect(save, &QAction::triggered, this, [this] {
    const QString path = ask_file_name(this, tr("Save the fields"), QStringLiteral("fields.txt"), tr("Texts (*.txt)"));
    if (!path.isEmpty()) write_text(workspace_, path, fields_text().toStdString());
  });
  tree_->addAction(save);
  tree_->setContextMenuPolicy(Qt::ActionsContextMenu);
  split_->addWidget(tree_);
  frames_->addWidget(before_hex_);
  frames_->addWidget(after_hex_);
  frames_->setChildrenCollapsible(false);
  split_->addWidget(frames_);
  split_->setChildrenCollapsible(false);
  split_->setStretchFactor(0, 1);
  split_->setStretchFactor(1, 1);
  box->addWidget(split_, 1);
  for (PacketHex* hex : {before_hex_, after_hex_}) {
    auto* save_bytes = new QAction(tr("Save the bytes as a file..."), hex);
    connect(save_bytes, &QAction::triggered, this, [this, hex] {
      const QString path = ask_file_name(this, tr("Save the bytes"), QStringLiteral("frame.bin"), tr("All files (*)"));
      if (!path.isEmpty())
        write_text(workspace_, path, std::string(hex->frame().bytes.begin(), hex->frame().bytes.end()));
    });
    hex->addAction(save_bytes);
    hex->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(hex, &PacketHex::byte_chosen, this, [this, hex](size_t byte) { byte_chosen(*hex, byte); });
    connect(hex, &PacketHex::byte_activated, this, [this, hex](size_t byte) {
      byte_chosen(*hex, byte);
      if (place_) Q_EMIT place_requested(*place_);
    });
  }

  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(4, 0, 4, 2);
  writer_->setWordWrap(true);
  writer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  go_->setAccessibleName(tr("Go to the instruction that wrote the byte, and to its cycle"));
  go_->setToolTip(go_->accessibleName());
  go_->setObjectName(QStringLiteral("go_to_writer"));
  connect(go_, &QPushButton::clicked, this, [this] {
    if (place_) Q_EMIT place_requested(*place_);
  });
  foot->addWidget(writer_, 1);
  foot->addWidget(go_);
  box->addLayout(foot);
}

void PacketBytesPane::set_theme(Theme theme) {
  theme_ = theme;
  before_hex_->set_theme(theme);
  after_hex_->set_theme(theme);
  fill_tree();
}

int PacketBytesPane::before() const { return before_box_->currentIndex() - 1; }
int PacketBytesPane::after() const { return after_box_->currentIndex(); }
QString PacketBytesPane::writer_text() const { return writer_->text(); }

void PacketBytesPane::show_packet(const PacketDetail& detail) {
  detail_ = detail;
  linking_ = true;
  after_box_->clear();
  before_box_->clear();
  before_box_->addItem(tr("nothing"));
  for (const FrameStage& stage : detail_.stages) {
    after_box_->addItem(stage.title);
    before_box_->addItem(stage.title);
  }
  // What the programs made of it, beside what came.
  const int count = static_cast<int>(detail_.stages.size());
  after_box_->setCurrentIndex(count - 1);
  before_box_->setCurrentIndex(count > 1 ? 1 : 0);
  linking_ = false;
  before_hex_->choose(std::nullopt);
  after_hex_->choose(std::nullopt);
  refresh();
}

void PacketBytesPane::show_stages(int before, int after) {
  linking_ = true;
  before_box_->setCurrentIndex(before + 1);
  after_box_->setCurrentIndex(after);
  linking_ = false;
  refresh();
}

void PacketBytesPane::refresh() {
  if (linking_) return;
  place_.reset();
  go_->setEnabled(false);
  const auto count = static_cast<int>(detail_.stages.size());
  if (after() < 0 || after() >= count) {
    rows_.clear();
    before_hex_->hide();
    after_hex_->set_frame({}, {});
    writer_->setText(detail_.known ? tr("The frame was not kept: let the run keep frames.") : QString());
    return fill_tree();
  }
  const emulator::FrameState& shown = detail_.stages[static_cast<size_t>(after())].state;
  const bool two = before() >= 0;
  const emulator::FrameState& other = two ? detail_.stages[static_cast<size_t>(before())].state : shown;
  rows_ = compare_frames(other.bytes, shown.bytes);
  const auto changed = two ? changed_bytes(other.bytes, shown.bytes) : std::set<size_t>();
  after_hex_->set_frame(shown, changed);
  before_hex_->setVisible(two);
  before_hex_->set_frame(other, two ? changed_bytes(shown.bytes, other.bytes) : std::set<size_t>());
  after_hex_->mark(std::nullopt);
  before_hex_->mark(std::nullopt);
  QString text =
      two ? changed.empty() && other.bytes.size() == shown.bytes.size()
                ? tr("Nothing differs.")
                : tr("%Ln byte(s) differ: choose one to see who wrote it.", nullptr, static_cast<int>(changed.size()))
          : tr("Choose a byte to see who wrote it.");
  const emulator::PacketBytes& bytes = detail_.record.bytes_of;
  if (bytes.missing > 0) text += QLatin1Char(' ') + tr("%L1 writes beyond the limit are missing.").arg(bytes.missing);
  if (bytes.unexplained > 0)
    text += QLatin1Char(' ') + tr("%L1 bytes that left were written by nobody who was seen.").arg(bytes.unexplained);
  writer_->setText(text);
  fill_tree();
}

void PacketBytesPane::fill_tree() {
  linking_ = true;
  tree_->clear();
  items_.clear();
  const bool two = before() >= 0;
  tree_->setColumnHidden(kBefore, !two);
  tree_->headerItem()->setText(kAfter, two ? tr("After") : tr("Value"));
  QTreeWidgetItem* layer = nullptr;
  for (const FieldRow& row : rows_) {
    auto* item = row.layer || layer == nullptr ? new QTreeWidgetItem(tree_) : new QTreeWidgetItem(layer);
    if (row.layer) layer = item;
    item->setText(kName, row.name);
    item->setText(kBefore, row.before);
    item->setText(kAfter, row.after);
    item->setToolTip(kBefore, row.before);
    item->setToolTip(kAfter, row.after);
    item->setToolTip(kNote, row.note);
    item->setText(kNote, row.wrong && row.note.isEmpty() ? tr("wrong") : row.note);
    QFont font = tree_->font();
    font.setBold(row.layer || row.changed);
    for (int column = 0; column < 4; ++column) {
      if (row.changed && !row.layer) item->setBackground(column, QColor(theme_ == Theme::light ? 0xfff1c4 : 0x4a3d12));
      item->setFont(column, font);
    }
    if (row.wrong)
      for (const int column : {kName, kNote})
        item->setForeground(column, palette_of(theme_).color(QPalette::BrightText));
    items_.push_back(item);
  }
  // Layers in which nothing is to be seen are closed: payload, and when frames are compared those that are the same.
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) tree_->topLevelItem(i)->setExpanded(true);
  for (size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].layer && two && !rows_[i].changed && !rows_[i].wrong) items_[i]->setExpanded(false);
  linking_ = false;
  fit_columns();
}

// Name, before and after are all to be seen; what a field has in full stands in its tip, and notes come behind.
void PacketBytesPane::fit_columns() {
  const int room = tree_->viewport()->width();
  const std::vector<int> columns = before() >= 0 ? std::vector{kName, kBefore, kAfter} : std::vector{kName, kAfter};
  int wanted = 0;
  for (const int column : columns) {
    tree_->resizeColumnToContents(column);
    if (column != kName) tree_->setColumnWidth(column, std::min(tree_->columnWidth(column), 230));
    wanted += tree_->columnWidth(column);
  }
  if (wanted <= room || room <= 0) return;
  // The name gives way last, and keeps a third.
  const int name = std::min(tree_->columnWidth(kName), room / 3), values = static_cast<int>(columns.size()) - 1;
  tree_->setColumnWidth(kName, name);
  int rest = room - name, open = values;
  for (const int column : {kBefore, kAfter}) {
    if (column == kBefore && before() < 0) continue;
    const int width = std::min(tree_->columnWidth(column), rest / open);
    tree_->setColumnWidth(column, open == 1 ? std::min(tree_->columnWidth(column), rest) : width);
    rest -= tree_->columnWidth(column);
    --open;
  }
}

void PacketBytesPane::field_chosen() {
  if (linking_) return;
  const auto at = std::ranges::find(items_, tree_->currentItem());
  if (at == items_.end()) return;
  const FieldRow& row = rows_[static_cast<size_t>(at - items_.begin())];
  const auto mine = bytes_of(row.after_bits), other = bytes_of(row.before_bits);
  after_hex_->mark(mine);
  before_hex_->mark(other);
  if (mine) tell_writer(*after_hex_, mine->first);
}

void PacketBytesPane::byte_chosen(PacketHex& hex, size_t byte) {
  const bool left = &hex == before_hex_ && before() >= 0;
  (left ? after_hex_ : before_hex_)->choose(std::nullopt);
  // The smallest field that holds it.
  int best = -1;
  size_t bits = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const auto& place = left ? rows_[i].before_bits : rows_[i].after_bits;
    if (!place || byte * 8 + 8 <= place->first || byte * 8 >= place->first + place->second) continue;
    if (best >= 0 && place->second >= bits) continue;
    best = static_cast<int>(i);
    bits = place->second;
  }
  if (best >= 0) {
    linking_ = true;
    QTreeWidgetItem* item = items_[static_cast<size_t>(best)];
    if (item->parent() != nullptr) item->parent()->setExpanded(true);
    tree_->setCurrentItem(item);
    tree_->scrollToItem(item);
    linking_ = false;
    after_hex_->mark(bytes_of(rows_[static_cast<size_t>(best)].after_bits));
    before_hex_->mark(bytes_of(rows_[static_cast<size_t>(best)].before_bits));
    hex.choose(byte);
  }
  tell_writer(hex, byte);
}

void PacketBytesPane::tell_writer(const PacketHex& hex, size_t byte) {
  place_.reset();
  const auto& sources = hex.frame().source;
  if (byte >= sources.size()) return;
  const int32_t source = sources[byte];
  const QString which =
      tr("Byte %1 (0x%2) is 0x%3").arg(byte).arg(byte, 0, 16).arg(hex.frame().bytes[byte], 2, 16, QLatin1Char('0'));
  if (source == emulator::PacketPiece::kReceived) {
    writer_->setText(tr("%1: it came so.").arg(which));
  } else if (source < 0 || static_cast<size_t>(source) >= detail_.writers.size()) {
    writer_->setText(tr("%1: nobody was seen to write it.").arg(which));
  } else {
    place_ = detail_.writers[static_cast<size_t>(source)];
    const bool element =
        detail_.record.bytes_of.writes[static_cast<size_t>(source)].kind == emulator::PacketWrite::Kind::element;
    writer_->setText(tr("%1: written by %2 (%3, %4) in cycle %L5%6")
                         .arg(which, place_text(*place_, workspace_.names()), context_name(place_->who),
                              QString::fromStdString(place_->stage.empty() ? place_->label : place_->stage))
                         .arg(place_->cycle)
                         .arg(element ? tr(", into the transmit element") : QString()));
  }
  go_->setEnabled(place_.has_value());
}

QString PacketBytesPane::fields_text() const {
  QString out;
  for (const FieldRow& row : rows_) {
    const QString name = row.layer ? row.name : QStringLiteral("  ") + row.name;
    out +=
        name.leftJustified(20) + (before() >= 0 && row.changed && !row.layer ? tr("%1 -> %2").arg(row.before, row.after)
                                  : row.after.isEmpty()                      ? row.before
                                                                             : row.after);
    if (!row.note.isEmpty()) out += QStringLiteral(" (%1)").arg(row.note);
    out += QLatin1Char('\n');
  }
  return out;
}

void PacketBytesPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  split_->setOrientation(event->size().width() >= 500 ? Qt::Horizontal : Qt::Vertical);
  frames_->setOrientation(Qt::Vertical);
}

bool PacketBytesPane::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_->viewport() && event->type() == QEvent::Resize) fit_columns();
  return QWidget::eventFilter(watched, event);
}

}  // namespace weft::ide
