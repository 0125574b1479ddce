// A project of two files, of which the one uses the other's macro, in a folder of its own and open in a window.
#pragma once

#include <memory>

#include "support.h"
#include "widgets/code_editor.h"
#include "widgets/main_window.h"
#include "windows.h"

namespace weft::ide::test {

/// A main text: some registers, then these lines, which may use part.uc, and the end.
inline QByteArray summing(const QByteArray& lines) {
  return "#include \"part.uc\"\n"
         ".reg total step\n"
         ".sig done\n"
         "    immed[total, 0]\n"
         "    immed[step, 3]\n" +
         lines + "    ctx_arb[kill]\n";
}

struct ProgramFixture {
  QTemporaryDir folder;
  QString main, part;
  std::unique_ptr<MainWindow> window;
  CodeEditor* editor = nullptr;  ///< of main

  ProgramFixture(const QByteArray& main_text, const QByteArray& part_text) {
    main = folder.filePath(QStringLiteral("main.uc"));
    part = folder.filePath(QStringLiteral("part.uc"));
    write(main, main_text);
    write(part, part_text);
    // The example's project, with our text.
    QByteArray json = read(QStringLiteral(WEFT_SOURCE_DIR "/examples/first/weft.json"));
    QVERIFY(json.contains("first.uc"));
    write(folder.filePath(QStringLiteral("weft.json")), json.replace("first.uc", "main.uc"));
    start();
  }
  void start() {
    window = std::make_unique<MainWindow>(Theme::light);
    activate(*window);
    QVERIFY(window->open_project(folder.path()));
    QTRY_VERIFY_WITH_TIMEOUT(window->workspace().target()->state() != Target::State::building, kLong);
    editor = window->open_file(main);
    QVERIFY(editor != nullptr);
    editor->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(editor->is_current(), kLong);
  }
};

}  // namespace weft::ide::test
