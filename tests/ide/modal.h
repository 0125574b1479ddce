// Dialogs and menus that run a loop of their own, used as people use them: by the keys and the mouse, when they have
// the keyboard, and not before. A dialog has it some time after it is there, and keys that are sent to a part of it
// before then do other things than those of a user: QFileDialog, for one, prefers what is chosen in its list to the
// name that was typed, and deselects what a shorter name chose only while the name has the focus
// (QFileDialog::selectedFiles, _q_autoCompleteFileName). Return then opens a folder, and the dialog stays.
#pragma once

#include <QAction>
#include <QFileDialog>
#include <functional>
#include <type_traits>

#include "waits.h"
#include "watchdog.h"

namespace weft::ide::test {

/// Whether keys that a user presses now would go to it or to a part of it. It is made the active window if it is none.
bool takes_keys(QWidget& window);

/// Does `open`, and `use` when a dialog that `is` one of those has the keyboard. False, and the test has failed with
/// where it stands, when none comes or it does not close in time; it is closed then. `open` may return before the
/// dialog is closed or not; false of it: there will be no dialog.
bool use_dialog(const std::function<bool(QWidget&)>& is, const std::function<bool()>& open,
                const std::function<void(QWidget&)>& use, int limit = kLong);

template <class D, class Open>
bool with_dialog(Open&& open, const std::function<void(D&)>& use, int limit = kLong) {
  const auto opened = [&] {
    if constexpr (std::is_same_v<std::invoke_result_t<Open>, bool>) return open();
    open();
    return true;
  };
  return use_dialog([](QWidget& w) { return qobject_cast<D*>(&w) != nullptr; }, opened,
                    [&](QWidget& w) { use(static_cast<D&>(w)); }, limit);
}

/// Does `open`, and takes the entry that `chooses` in the menu that comes up; without one, the menu is closed. False
/// when there is none; the test has failed when no menu came. What the entry does may run a loop of its own.
bool choose_in_menu(const std::function<void()>& open, const std::function<bool(const QAction&)>& chooses,
                    int limit = kLong);

/// Replaces what is in a field of a window that has the keyboard by text, key by key.
bool type_into(QWidget& field, const QString& text);

/// Types the path into a dialog that asks for a file, and Return.
void name_file(QFileDialog& dialog, const QString& path);

}  // namespace weft::ide::test
