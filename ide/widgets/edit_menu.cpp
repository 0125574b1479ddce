// The window's Edit menu, and what it keeps of projects that were open.
#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include "code_commands.h"
#include "code_editor.h"
#include "find_bar.h"
#include "find_view.h"
#include "main_window.h"
#include "texts.h"
#include "welcome_page.h"

namespace weft::ide {

namespace {

constexpr int kRecent = 10;

QSettings settings() { return user_settings(); }

}  // namespace

void MainWindow::make_edit_menu(const AddAction& add) {
  const auto separator = [&] { add({}, {}, {}, {}); };
  const auto in_editor = [this](auto what) {
    return [this, what] {
      if (CodeEditor* editor = texts_->current_editor()) what(editor);
    };
  };
  add("undo", tr("&Undo"), QKeySequence::Undo, in_editor([](CodeEditor* e) { e->undo(); }));
  add("redo", tr("&Redo"), QKeySequence::Redo, in_editor([](CodeEditor* e) { e->redo(); }));
  separator();
  add("cut", tr("Cut"), QKeySequence::Cut, [this] { edit_focused("cut"); });
  add("copy", tr("Cop&y"), QKeySequence::Copy, [this] { edit_focused("copy"); });
  add("paste", tr("Paste"), QKeySequence::Paste, [this] { edit_focused("paste"); });
  add("select_all", tr("Select all"), QKeySequence::SelectAll, [this] { edit_focused("selectAll"); });
  separator();
  auto* bar = new FindBar;
  texts_->add_bar(bar);
  connect(texts_, &Texts::current_changed, bar, [this, bar] { bar->set_editor(texts_->current_editor()); });
  auto* everywhere = findChild<FindView*>();
  connect(everywhere, &FindView::edits_requested, this, [this](const std::vector<TextEdit>& edits) {
    const QString why = texts_->apply(edits);
    Q_EMIT workspace_.message(why.isEmpty() ? tr("%1 places are replaced; nothing is saved yet").arg(edits.size())
                                            : tr("Nothing is replaced: %1").arg(why));
  });
  add("find", tr("F&ind..."), QKeySequence::Find, in_editor([bar](CodeEditor* e) { bar->open(e, false); }));
  add("replace", tr("R&eplace..."), QKeySequence(Qt::CTRL | Qt::Key_H),
      in_editor([bar](CodeEditor* e) { bar->open(e, true); }));
  add("find_next", tr("Find &next"), QKeySequence(Qt::Key_F3), [bar] { bar->next(); });
  add("find_previous", tr("Find previous"), QKeySequence(Qt::SHIFT | Qt::Key_F3), [bar] { bar->previous(); });
  add("find_everywhere", tr("Find in all &texts..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
      [this, everywhere] {
        raise_view("find");
        const CodeEditor* editor = texts_->current_editor();
        const QString selected = editor ? editor->textCursor().selectedText() : QString();
        everywhere->open(selected.contains(QChar::ParagraphSeparator) ? QString() : selected);
      });
  separator();
  add("complete", tr("&Complete"), QKeySequence(Qt::CTRL | Qt::Key_Space), [this] { commands_->complete(); });
  add("signature", tr("Show the &form"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Space),
      [this] { commands_->signature(); });
  add("repair", tr("Re&pair the line"), QKeySequence(Qt::ALT | Qt::Key_Return), [this] { commands_->repair(); });
  add("rename", tr("Rena&me..."), QKeySequence(Qt::Key_F2), [this] { commands_->rename(); });
  add("format", tr("Format the te&xt"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I),
      [this] { commands_->format(); });
  add("comment", tr("Comment or uncomment line&s"), QKeySequence(Qt::CTRL | Qt::Key_Slash),
      [this] { commands_->comment(); });
  separator();
  add("definition", tr("Go to the &definition"), QKeySequence(Qt::Key_F12), [this] { commands_->definition(); });
  add("references", tr("Find references"), QKeySequence(Qt::SHIFT | Qt::Key_F12), [this] { commands_->references(); });
  add("go_back", tr("Go &back"), QKeySequence(Qt::ALT | Qt::Key_Left), [this] { texts_->back(); });
  add("go_forward", tr("Go for&ward"), QKeySequence(Qt::ALT | Qt::Key_Right), [this] { texts_->forward(); });
  add("matching_bracket", tr("Go to the matc&hing bracket"), QKeySequence(Qt::CTRL | Qt::Key_BracketRight),
      in_editor([](CodeEditor* e) { e->go_to_bracket(); }));
  const auto places = [this] {
    actions_["go_back"]->setEnabled(texts_->can_go_back());
    actions_["go_forward"]->setEnabled(texts_->can_go_forward());
  };
  connect(texts_, &Texts::places_changed, this, places);
  places();
  separator();
  add("fold", tr("F&old or unfold"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_BracketLeft),
      [this] { commands_->toggle_fold(); });
  add("fold_all", tr("Fold &all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Minus),
      in_editor([](CodeEditor* e) { e->fold_all(true); }));
  add("unfold_all", tr("Unfold all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Equal),
      in_editor([](CodeEditor* e) { e->fold_all(false); }));
  add("generated", tr("&Generated instructions of the line"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
      [this] { commands_->toggle_generated(); });
  separator();
  // In a text Tab writes blanks; who works without a mouse gets out of it by this.
  add("tab_moves", tr("Tab mo&ves the focus"), QKeySequence(Qt::CTRL | Qt::Key_M),
      [this] { texts_->set_tab_moves(actions_["tab_moves"]->isChecked()); });
  actions_["tab_moves"]->setCheckable(true);
  separator();
  const auto zoom = [this](int points) {
    texts_->set_font_size(points);
    settings().setValue(QStringLiteral("editor/points"), texts_->font_size());
  };
  add("larger", tr("&Larger font"), QKeySequence(Qt::CTRL | Qt::Key_Plus),
      [this, zoom] { zoom(texts_->font_size() + 1); });
  actions_["larger"]->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
  add("smaller", tr("Smaller font"), QKeySequence(Qt::CTRL | Qt::Key_Minus),
      [this, zoom] { zoom(texts_->font_size() - 1); });
  add("normal_font", tr("Font as it was"), QKeySequence(Qt::CTRL | Qt::Key_0), [zoom] { zoom(10); });
  texts_->set_font_size(settings().value(QStringLiteral("editor/points"), 10).toInt());
}

void MainWindow::remember_recent(const QString& path) {
  QSettings kept = settings();
  QStringList all = kept.value(QStringLiteral("projects/recent")).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  all.removeAll(absolute);
  all.prepend(absolute);
  while (all.size() > kRecent) all.removeLast();
  kept.setValue(QStringLiteral("projects/recent"), all);
}

void MainWindow::show_recent() {
  welcome_->set_recent(settings().value(QStringLiteral("projects/recent")).toStringList());
}

void MainWindow::fill_recent() {
  recent_->clear();
  for (const QString& path : settings().value(QStringLiteral("projects/recent")).toStringList()) {
    QAction* action = recent_->addAction(path, this, [this, path] { open_project(path); });
    action->setEnabled(QFileInfo::exists(path));
  }
  if (recent_->isEmpty()) recent_->addAction(tr("No project was opened yet"))->setEnabled(false);
}

}  // namespace weft::ide
