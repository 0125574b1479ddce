// The open texts: a tab each, with what saves them from being lost. A file that changes on the disk while it is edited
// is not read over the edits, and edits are not written over the change: a bar asks. Copies of what is not saved are
// kept for a crash.
#pragma once

#include <QFileSystemWatcher>
#include <QTimer>
#include <QWidget>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/autosave.h"
#include "models/line_map.h"
#include "models/text_edit.h"
#include "models/workspace.h"
#include "text_octets.h"
#include "text_places.h"
#include "theme.h"

class QLabel;
class QPushButton;
class QSplitter;
class QTabWidget;
class QVBoxLayout;

namespace weft::ide {

class CodeEditor;

struct Text {
  enum class Question { none, changed, gone };
  QString path;
  CodeEditor* editor = nullptr;
  QByteArray disk;  ///< as it was last read or written
  TextForm form;
  Question question = Question::none;
  QByteArray disk_now;          ///< Question::changed
  std::optional<QString> copy;  ///< of a crash, kept until it is answered; asked for when there is no other question
};

class Texts final : public QWidget {
  Q_OBJECT

 public:
  Texts(Workspace& workspace, Theme theme, QWidget* parent = nullptr);
  ~Texts() override;

  const std::vector<Text>& all() const { return texts_; }
  Text* current();
  CodeEditor* current_editor();
  /// The editor of a file, which is opened when it is not yet; null when it cannot be read.
  CodeEditor* open(const QString& path, bool raise = true);
  /// Goes there, and remembers where it came from.
  void show_place(const QString& path, int line, int column = 1);
  /// The same for what moves by itself: the keyboard stays where it is, and no place is remembered.
  void reveal(const QString& path, int line);
  /// Where a line of the text that was built is now; the line itself when it is gone.
  int line_of_built(const QString& path, int line);
  void back();
  void forward();
  bool can_go_back() const { return places_.can_go_back(); }
  bool can_go_forward() const { return places_.can_go_forward(); }

  /// A file that has changed is not written over before the question about it is answered. One that is gone is made
  /// again when `also_gone`: the user means this text.
  bool save(Text& text, bool also_gone = true);
  bool save_all();
  /// Under another name; the text has it from then on, and the file of before stays as it was. Empty, or why not.
  /// Nothing happens when it is not open any more.
  QString save_as(const CodeEditor* editor, const QString& path);
  /// An empty file, and opens it. Empty, or why not.
  QString create(const QString& path);
  bool close(int index);
  /// Without asking: after may_close().
  void close_all();
  /// False: the user wants to go on editing.
  bool may_close();
  /// All or none; each text in one step that can be undone, and none is saved. Empty, or why nothing was changed.
  QString apply(const std::vector<TextEdit>& edits);

  /// Those of the side that has the keyboard, or had it last.
  QTabWidget* tabs() const { return tabs_; }
  /// Texts are on one side or on two beside each other; each is open once.
  bool is_split() const;
  int side_of(const CodeEditor* editor) const;  ///< 0 or 1
  void put_on_side(CodeEditor* editor, int side);
  /// The text with the keyboard; nothing happens when it is the only one.
  void move_to_other_side();
  void go_to_other_side();
  /// By sides, as their tabs are.
  std::vector<const Text*> in_order() const;
  /// Shown while no project is open.
  void set_welcome(QWidget* page);
  void set_theme(Theme theme);
  int font_size() const { return font_size_; }
  void set_font_size(int points);
  /// Whether Tab leaves a text, or is written into it.
  void set_tab_moves(bool moves);
  /// Under the tabs: the bar that searches.
  void add_bar(QWidget* bar);
  /// Over them.
  void add_top_bar(QWidget* bar);
  /// What would be saved now.
  static QByteArray octets_of(const Text& text);
  /// What the bar on top asks; empty: nothing.
  QString question() const;
  void set_autosave(const Autosave& autosave, int milliseconds);

 Q_SIGNALS:
  void opened(CodeEditor* editor);
  void current_changed();
  void saved(const QString& path);
  void edited(const weft::ide::Text& text);  ///< it is another one now, or the file is
  void read_again(CodeEditor* editor);       ///< from its file, which has changed: nobody has typed that
  void closed(const QString& path);
  void places_changed();
  void message(const QString& text);

 private:
  Text* text_of(const CodeEditor* editor);
  Text* text_of(const QString& path);
  QTabWidget* make_side();
  QTabWidget* tabs_of(const CodeEditor* editor) const;
  void activate(QTabWidget* side);
  void tidy_sides();
  void name_tabs();
  void changed(CodeEditor* editor);
  void file_changed(const QString& path);
  void folder_changed(const QString& folder);
  void reload(Text& text, const QByteArray& octets);
  void ask();
  void answered(bool first);
  void go(const TextPlace& place);
  void keep_copies();
  /// Of changes that are saved or given up. A copy that a crash left stays until its question is answered.
  void forget_copy(const Text& text) const;

  Workspace& workspace_;
  Theme theme_;
  std::vector<Text> texts_;
  /// Of texts that were closed: what their files held, and which of its lines were which in the text that was built.
  std::map<QString, std::pair<QByteArray, LineMap>> left_lines_;
  std::array<QTabWidget*, 2> sides_{};
  QSplitter* split_;
  QTabWidget* tabs_;  ///< one of sides_
  QWidget* welcome_ = nullptr;
  QVBoxLayout* box_;
  QWidget* bar_;
  QLabel *question_, *empty_ = nullptr;
  QPushButton *first_, *second_;
  QFileSystemWatcher watcher_;
  Autosave autosave_;
  QTimer copies_;
  TextPlaces places_;
  int font_size_ = 10;
  bool tab_moves_ = false;
  bool reading_ = false;  ///< what changes in a text is what its file has
};

/// What a file holds. Nothing, and why, when it cannot be read.
std::optional<QByteArray> read_octets(const QString& path, QString* why = nullptr);

}  // namespace weft::ide
