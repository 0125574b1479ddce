#include "flame_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>
#include <functional>

#include "empty_page.h"
#include "save_files.h"
#include "tools.h"
#include "view_parts.h"
#include "wrapping_row.h"

namespace weft::ide {

using workbench::FlameNode;
using workbench::FlameOptions;

FlameView::FlameView(Workspace& workspace, Theme theme)
    : workspace_(workspace),
      model_(workspace),
      canvas_(new FlameCanvas(theme)),
      bar_(new QToolBar),
      search_(new QLineEdit),
      title_(new QLabel),
      empty_(new EmptyPage(tr("Record the history and build anew"), "record_flame",
                           [this] { workspace_.observe_too(&workbench::Observation::history); })),
      pages_(new QStackedWidget) {
  QVBoxLayout* const column = fill_view(this, pages_, empty_);
  make_bar();
  column->addWidget(bar_);
  column->addWidget(canvas_, 1);
  title_->setMargin(2);
  title_->setMinimumWidth(10);
  column->addWidget(title_);
  connect(canvas_, &FlameCanvas::chosen_changed, this, &FlameView::tell_chosen);
  connect(canvas_, &FlameCanvas::activated, this, &FlameView::show_place);
  connect(canvas_, &FlameCanvas::menu_requested, this, &FlameView::show_menu);
  connect(&model_, &FlameModel::changed, this, &FlameView::tell);
  workspace.on_state(this, [this] { tell(); });
  connect(&workspace.cursor(), &Cursor::range_changed, this, &FlameView::tell);
  tell();
}

void FlameView::make_bar() {
  bar_->setAccessibleName(tr("Tools of the flame graph"));
  out_ = add_tool(bar_, "flame_all", tr("All"), tr("Show all cycles (Esc: a step back)"), this,
                  [this] { canvas_->zoom_to(nullptr); });
  bar_->addSeparator();
  range_ = add_switch(bar_, "flame_range", tr("Range"),
                      tr("Cycles within the range that is chosen in the history, not of the whole run"),
                      model_.of_range(), this, [this](bool on) { model_.set_of_range(on); });
  const auto option = [this](const char* name, const QString& text, const QString& tip, bool FlameOptions::*member) {
    add_switch(bar_, name, text, tip, model_.options().*member, this, [this, member](bool on) {
      FlameOptions options = model_.options();
      options.*member = on;
      model_.set_options(options);
    });
  };
  option("flame_engines", tr("Microengines"), tr("Each microengine by itself; else those of a program are one"),
         &FlameOptions::by_engine);
  option("flame_lines", tr("Lines"), tr("Down to the lines of the text"), &FlameOptions::lines);
  option("flame_waiting", tr("Waiting"),
         tr("Also the cycles in which contexts slept or were ready, not only those in "
            "which they held an engine"),
         &FlameOptions::waiting);
  bar_->addSeparator();
  search_->setObjectName(QStringLiteral("flame_search"));
  prepare_field(*search_, tr("mark names with"), tr("Mark bars whose name holds this"));
  search_->setMaximumWidth(180);
  connect(search_, &QLineEdit::textChanged, canvas_, &FlameCanvas::mark);
  bar_->addWidget(search_);
}

void FlameView::tell() {
  QString why;
  bool offered = false;
  const Target* target = workspace_.target();
  if (target == nullptr) {
    why = tr("Open a project, and run it: then the cycles of its blocks and macros are here.");
  } else if (const QString none = no_machine(workspace_); !none.isEmpty()) {
    why = none;
  } else if (!workspace_.observation().history && !workspace_.observation().profile) {
    why =
        tr("A flame graph is counted from the execution history, for any range, or from the profile, for the whole "
           "run. This run has neither.");
    offered = true;
  } else if (target->present() == 0) {
    why = tr("Nothing has run yet. Run (F5) or step (F9).");
  } else if (!model_.root()) {
    why = model_.counting() ? tr("Counting: %1 %").arg(static_cast<int>(model_.share() * 100))
          : target->state() == Target::State::running
              ? tr("The history is counted when the run pauses, or for a range that is chosen in it.")
              : tr("Counting.");
  } else if (workbench::flame_width(*model_.root(), model_.options()) == 0) {
    why = tr("No context has held an engine in these cycles.");
  }
  empty_->say(why, offered);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
  range_->setEnabled(workspace_.cursor().range().has_value());
  canvas_->show_tree(model_.root(), model_.options());
}

void FlameView::tell_chosen() {
  out_->setEnabled(canvas_->zoomed());
  const auto [first, last] = model_.range();
  QString text = model_.root() ? tr("cycles %L1 to %L2").arg(first).arg(last == 0 ? 0 : last - 1) : QString();
  if (model_.of_chosen_range()) text += tr(", the chosen range");
  if (const FlameNode* node = canvas_->chosen()) text = canvas_->text_of(*node) + QStringLiteral("  –  ") + text;
  title_->setText(text);
  title_->setToolTip(text);
}

void FlameView::show_place(const FlameNode* node) {
  if (node->line != 0) workspace_.request_built_place(QString::fromStdString(node->file), static_cast<int>(node->line));
}

void FlameView::show_menu(const QPoint& global) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const FlameNode* node = canvas_->chosen();
  menu->addAction(tr("Show its place in the text"), this,
                  [this] {
                    if (canvas_->chosen() != nullptr) show_place(canvas_->chosen());
                  })
      ->setEnabled(node != nullptr && node->line != 0);
  menu->addAction(tr("Show it large"), this, [this] { canvas_->zoom_to(canvas_->chosen()); })
      ->setEnabled(node != nullptr);
  menu->addAction(tr("A step back"), canvas_, &FlameCanvas::zoom_out)->setEnabled(canvas_->zoomed());
  menu->addSeparator();
  menu->addAction(tr("Copy as folded stacks"), this, [this] { QApplication::clipboard()->setText(model_.folded()); });
  menu->addAction(tr("Save as folded stacks..."), this, [this] {
    const QString path =
        ask_file_name(this, tr("Save the flame graph"), QStringLiteral("flame.folded"), tr("Folded stacks (*.folded)"));
    if (!path.isEmpty()) write_text(workspace_, path, model_.folded().toStdString());
  });
  menu->addAction(tr("Save picture..."), this, [this] {
    const QString path = ask_file_name(this, tr("Save picture"), QStringLiteral("flame.png"), tr("Pictures (*.png)"));
    if (!path.isEmpty()) write_picture(workspace_, path, *canvas_);
  });
  menu->popup(global);
}

void FlameView::set_theme(Theme theme) { canvas_->set_theme(theme); }

QJsonValue FlameView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  const std::function<QJsonObject(const FlameNode&, int)> write = [&](const FlameNode& node, int depth) {
    QJsonObject out{{QStringLiteral("name"), QString::fromStdString(node.name)},
                    {QStringLiteral("cycles"), static_cast<double>(flame_width(node, model_.options()))}};
    QJsonArray inside;
    if (depth < 8)
      for (const FlameNode& child : node.children) inside << write(child, depth + 1);
    if (!inside.isEmpty()) out[QStringLiteral("inside")] = inside;
    return out;
  };
  return QJsonObject{{QStringLiteral("title"), title_->text()}, {QStringLiteral("graph"), write(*model_.root(), 0)}};
}

}  // namespace weft::ide
