#include "coverage_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "breakpoint_menu.h"
#include "column_sizes.h"
#include "empty_page.h"
#include "save_files.h"
#include "tables.h"
#include "tools.h"
#include "view_parts.h"
#include "wrapping_row.h"

namespace weft::ide {

namespace {

constexpr std::array kTests{CoverageTest::all,     CoverageTest::executed, CoverageTest::never,  CoverageTest::at_least,
                            CoverageTest::at_most, CoverageTest::one_way,  CoverageTest::differs};
constexpr std::array kLooks{CoverageStyle::stacked, CoverageStyle::sum, CoverageStyle::rows, CoverageStyle::context};

}  // namespace

CoverageView::CoverageView(Workspace& workspace, Theme theme)
    : workspace_(workspace),
      model_(workspace),
      words_(model_),
      canvas_(new CoverageCanvas(model_, theme)),
      table_(make_table(nullptr, tr("Words that were found"))),
      bar_(new QToolBar),
      compare_bar_(new QToolBar),
      search_bar_(new QToolBar),
      choice_(new QComboBox),
      look_(new QComboBox),
      test_(new QComboBox),
      search_(new QLineEdit),
      limit_(new QSpinBox),
      found_(new QLabel),
      summary_(new QLabel),
      pages_(new QStackedWidget) {
  empty_ = new EmptyPage(tr("Record the coverage and build anew"), "record",
                         [this] { workspace_.observe_too(&workbench::Observation::coverage); });
  QVBoxLayout* const column = fill_view(this, pages_, empty_);
  make_bars();
  auto* bars_row = new WrappingRow;
  for (QToolBar* bar : {bar_, compare_bar_, search_bar_}) bars_row->add(bar);
  column->addLayout(bars_row);
  auto* split = new QSplitter;
  auto* left = new QWidget;
  QVBoxLayout* bars = tight_column(left);
  bars->addWidget(canvas_, 1);
  summary_->setMinimumWidth(10);
  summary_->setWordWrap(true);
  summary_->setMargin(2);
  bars->addWidget(summary_);
  split->addWidget(left);
  auto* right = new QWidget;
  auto* list = new QVBoxLayout(right);
  list->setContentsMargins(2, 0, 0, 0);
  list->setSpacing(0);
  list->addWidget(table_, 1);
  split->addWidget(right);
  split->setStretchFactor(0, 6);
  split->setStretchFactor(1, 5);
  split->setSizes({545, 455});
  split->setChildrenCollapsible(false);
  column->addWidget(split, 1);

  table_->setModel(&words_);
  table_->horizontalHeader()->setSortIndicator(CoverageTable::kAddress, Qt::AscendingOrder);
  table_->setSortingEnabled(true);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& row) { model_.jump_to(words_.address(row.row())); });
  connect(table_, &QTableView::clicked, this,
          [this](const QModelIndex& row) { model_.jump_to(words_.address(row.row())); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
    if (row.isValid()) canvas_->choose(words_.address(row.row()));
  });
  const auto menu = [this](const QPoint& global, std::optional<uint32_t> address) {
    QMenu popup(this);
    const CoverageSeries& series = model_.series();
    if (address && *address < series.size()) {
      const CoverageWord& word = series.program->words[*address];
      add_breakpoint_menus(popup, workspace_, {QString::fromStdString(word.file), static_cast<int>(word.line)}, this);
    }
    fill_menu(popup);
    popup.exec(global);
  };
  connect(table_, &QTableView::customContextMenuRequested, this, [this, menu](const QPoint& at) {
    const QModelIndex index = table_->indexAt(at);
    menu(table_->viewport()->mapToGlobal(at),
         index.isValid() ? std::optional(words_.address(index.row())) : std::nullopt);
  });
  connect(canvas_, &CoverageCanvas::menu_requested, this,
          [this, menu](const QPoint& global) { menu(global, canvas_->chosen()); });
  connect(canvas_, &CoverageCanvas::chosen_changed, this, &CoverageView::follow);
  connect(&model_, &CoverageModel::choices_changed, this, &CoverageView::fill_choices);
  connect(&model_, &CoverageModel::changed, this, &CoverageView::tell);
  connect(&model_, &CoverageModel::hits_changed, this, [this] {
    found_->setText(tr("%L1 of %L2").arg(model_.hits().size()).arg(model_.series().size()));
    follow();
  });
  workspace.on_state(this, [this] { tell(); });
  connect(&workspace.cursor(), &Cursor::context_changed, this, &CoverageView::filter_changed);
  tell();
}

void CoverageView::make_bars() {
  bar_->setAccessibleName(tr("Tools of the coverage"));
  choice_->setAccessibleName(tr("Microengine"));
  choice_->setObjectName(QStringLiteral("choice"));
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(choice_, &QComboBox::activated, this, [this](int index) { model_.choose(index); });
  bar_->addWidget(choice_);
  look_->setAccessibleName(tr("What bars stand for"));
  look_->setObjectName(QStringLiteral("look"));
  look_->addItems({tr("contexts stacked"), tr("all contexts"), tr("a row per context"), tr("chosen context")});
  connect(look_, &QComboBox::currentIndexChanged, this, [this](int index) {
    canvas_->set_look(kLooks[static_cast<size_t>(index)]);
    filter_changed();
  });
  bar_->addWidget(look_);
  log_ = add_switch(bar_, "log", tr("Log"), tr("Heights by the logarithm of the count"), false, this,
                    [this](bool on) { canvas_->set_scale(on ? CoverageScale::logarithmic : CoverageScale::linear); });
  bar_->addSeparator();
  add_tool(bar_, "fit", tr("All"), tr("Show the whole program (F)"), this, [this] { canvas_->fit(); });
  add_tool(bar_, "zoom_in", tr("+"), tr("Show less, larger (+ or W, or the wheel)"), this,
           [this] { canvas_->zoom(1.6); });
  add_tool(bar_, "zoom_out", tr("−"), tr("Show more (- or S, or the wheel)"), this, [this] { canvas_->zoom(1 / 1.6); });
  compare_bar_->setAccessibleName(tr("Comparison and files of the coverage"));
  add_tool(compare_bar_, "keep", tr("Keep as A"), tr("Keep these counts to compare later ones with"), this,
           [this] { model_.keep(); });
  add_tool(compare_bar_, "load", tr("Load A..."), tr("Compare with a file of another run (JSON or lcov)"), this,
           [this] { ask_load(); });
  difference_ = add_tool(compare_bar_, "difference", tr("Difference"), tr("Show by how much the counts differ from A"),
                         this, [this](bool on) { canvas_->set_difference(on); });
  difference_->setCheckable(true);
  difference_->setChecked(true);
  forget_ =
      add_tool(compare_bar_, "forget", tr("Forget A"), tr("Compare with nothing"), this, [this] { model_.forget(); });
  compare_bar_->addSeparator();
  QToolButton* save = menu_button("save", tr("Save"), tr("Save the coverage as lcov, CSV, JSON or a picture"));
  fill_menu(*save->menu());
  compare_bar_->addWidget(save);

  search_bar_->setAccessibleName(tr("Search in the coverage"));
  prepare_field(*search_, tr("label, instruction, line or 0x address"),
                tr("Search for label, instruction, line or address"));
  connect(search_, &QLineEdit::textChanged, this, &CoverageView::filter_changed);
  connect(search_, &QLineEdit::returnPressed, this, [this] { step_hit(true); });
  search_->setMinimumWidth(90);
  search_bar_->addWidget(search_);
  test_->setAccessibleName(tr("Which words"));
  test_->setObjectName(QStringLiteral("test"));
  test_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  test_->setMinimumContentsLength(9);
  test_->addItems({tr("all words"), tr("executed"), tr("never executed"), tr("at least"), tr("at most"),
                   tr("branch one way only"), tr("different from A")});
  connect(test_, &QComboBox::currentIndexChanged, this, &CoverageView::filter_changed);
  search_bar_->addWidget(test_);
  limit_->setAccessibleName(tr("Threshold"));
  limit_->setRange(0, 2'000'000'000);
  limit_->setValue(1);
  limit_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  limit_->setEnabled(false);
  limit_->setFixedWidth(60);
  connect(limit_, &QSpinBox::valueChanged, this, &CoverageView::filter_changed);
  search_bar_->addWidget(limit_);
  add_tool(search_bar_, "previous", tr("◀"), tr("The word that was found before (Shift+N)"), this,
           [this] { step_hit(false); });
  add_tool(search_bar_, "next", tr("▶"), tr("The next word that was found (N)"), this, [this] { step_hit(true); });
  search_bar_->addWidget(found_);
}

void CoverageView::fill_menu(QMenu& menu) {
  menu.addAction(tr("Copy what was found"), this,
                 [this] { QApplication::clipboard()->setText(tabbed_text_of(words_)); })
      ->setObjectName(QStringLiteral("copy"));
  menu.addAction(tr("Save what was found as CSV..."), this, [this] {
    const QString path = ask_file_name(this, tr("Save what was found"), QStringLiteral("words.csv"), tr("CSV (*.csv)"));
    if (!path.isEmpty()) write_text(workspace_, path, csv_of(words_).toStdString());
  });
  menu.addSeparator();
  menu.addAction(tr("Save coverage as lcov..."), this, [this] { ask_save("info"); })
      ->setObjectName(QStringLiteral("save_lcov"));
  menu.addAction(tr("Save coverage as CSV..."), this, [this] { ask_save("csv"); })
      ->setObjectName(QStringLiteral("save_csv"));
  menu.addAction(tr("Save coverage as JSON..."), this, [this] { ask_save("json"); })
      ->setObjectName(QStringLiteral("save_json"));
  menu.addAction(tr("Save picture..."), this, [this] { ask_save("png"); })->setObjectName(QStringLiteral("save_png"));
}

void CoverageView::ask_save(const char* ending) {
  const QString kind = QString::fromLatin1(ending);
  const QString path =
      ask_file_name(this, tr("Save the coverage"), QStringLiteral("coverage.") + kind, QStringLiteral("*.") + kind);
  if (!path.isEmpty()) save(path);
}

void CoverageView::save(const QString& path) {
  if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
    write_picture(workspace_, path, *canvas_);
    return;
  }
  const CoverageFormat format = path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)    ? CoverageFormat::csv
                                : path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) ? CoverageFormat::json
                                                                                              : CoverageFormat::lcov;
  model_.ask_file(format, [this, path](const std::string& text) { write_text(workspace_, path, text); });
}

void CoverageView::ask_load() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Compare with"), QString(), tr("Coverage (*.json *.info *.lcov)"));
  if (!path.isEmpty()) model_.load(path);
}

void CoverageView::fill_choices() {
  choice_->clear();
  for (const CoverageChoice& c : model_.choices()) choice_->addItem(model_.name(c));
  choice_->setCurrentIndex(model_.choice());
}

void CoverageView::tell() {
  QString why;
  bool offer = false;
  Target* target = workspace_.target();
  if (target == nullptr) {
    why = tr("Open a project, and run it: then it stands here how often each instruction was executed.");
  } else if (const QString none = no_machine(workspace_); !none.isEmpty()) {
    why = none;
  } else if (!model_.run().recorded && !workspace_.observation().coverage) {
    why = tr("The coverage of this run is not recorded. It costs little and changes nothing in what the machine does.");
    offer = true;
  } else if (!model_.series().program) {
    why = model_.run().recorded ? tr("No microengine has a program.") : tr("This run holds no coverage.");
  }
  empty_->say(why, offer);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
  choice_->setCurrentIndex(model_.choice());
  summary_->setText(model_.summary());
  const bool kept = model_.kept() != nullptr;
  difference_->setEnabled(kept);
  forget_->setEnabled(kept);
  for (const int column : {int{CoverageTable::kKept}, int{CoverageTable::kDifference}}) {
    if (table_->isColumnHidden(column) == !kept) continue;
    table_->setColumnHidden(column, !kept);
    table_->resizeColumnToContents(column);
  }
  table_->setTextElideMode(Qt::ElideMiddle);  // the line of a place is at its end
  if (!sized_ && words_.rowCount() > 0) {
    size_columns(table_, 220);
    for (const auto& [column, max] :
         std::initializer_list<std::pair<int, int>>{{CoverageTable::kPlace, 130}, {CoverageTable::kLabel, 120}})
      table_->setColumnWidth(column, std::min(table_->columnWidth(column), max));
    sized_ = model_.run().cycle > 0;
  }
}

void CoverageView::filter_changed() {
  CoverageFilter filter;
  filter.text = search_->text();
  filter.test = kTests[static_cast<size_t>(test_->currentIndex())];
  filter.limit = static_cast<uint64_t>(limit_->value());
  const auto id = workspace_.cursor().context();
  if (canvas_->look() == CoverageStyle::context && id) filter.context = static_cast<int>(id->context);
  limit_->setEnabled(filter.test == CoverageTest::at_least || filter.test == CoverageTest::at_most);
  model_.set_filter(filter);
}

void CoverageView::follow() {
  const auto chosen = canvas_->chosen();
  const int row = chosen ? words_.row_of(*chosen) : -1;
  if (row < 0) return table_->clearSelection();
  const QModelIndex at = words_.index(row, 0);
  if (table_->currentIndex().row() != at.row()) table_->selectRow(at.row());
  table_->scrollTo(at);
}

void CoverageView::step_hit(bool forward) {
  if (const auto hit = model_.next_hit(canvas_->chosen(), forward)) canvas_->choose(hit);
}

void CoverageView::set_theme(Theme theme) { canvas_->set_theme(theme); }

QJsonValue CoverageView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  QJsonObject out;
  out[QStringLiteral("shown")] = choice_->currentText();
  out[QStringLiteral("summary")] = summary_->text();
  out[QStringLiteral("cycle")] = static_cast<double>(model_.run().cycle);
  out[QStringLiteral("found")] = rows_of(&words_);
  if (const auto chosen = canvas_->chosen()) out[QStringLiteral("chosen")] = static_cast<double>(*chosen);
  if (model_.kept() != nullptr) out[QStringLiteral("compared_with")] = QString::fromStdString(model_.kept()->title);
  return out;
}

}  // namespace weft::ide
