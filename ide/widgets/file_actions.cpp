// New texts and projects, and texts under another name.
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QSaveFile>

#include "code_editor.h"
#include "main_window.h"
#include "models/new_project.h"
#include "texts.h"

namespace weft::ide {

QString MainWindow::folder_for_files() {
  if (const Text* text = texts_->current()) return QFileInfo(text->path).absolutePath();
  return target() != nullptr && !workspace_.recording() ? QString::fromStdString(workspace_.project().folder.string())
                                                        : QDir::homePath();
}

void MainWindow::new_text() {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("New text"), QDir(folder_for_files()).filePath(QStringLiteral("new.uc")),
                                   tr("Microcode (*.uc *.h);;All files (*)"));
  if (path.isEmpty()) return;
  if (const QString why = texts_->create(path); !why.isEmpty()) Q_EMIT workspace_.message(why);
}

void MainWindow::save_text_as() {
  const Text* text = texts_->current();
  if (text == nullptr) return;
  const QPointer<CodeEditor> editor = text->editor;  // a stop of the machine may open a text while the dialog is there
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save as"), text->path, tr("Microcode (*.uc *.h);;All files (*)"));
  if (path.isEmpty()) return;
  if (const QString why = texts_->save_as(editor, path); !why.isEmpty()) Q_EMIT workspace_.message(why);
}

void MainWindow::new_project() {
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("New project: choose or make an empty folder"), QDir::homePath());
  if (folder.isEmpty()) return;
  if (const QString why = make_project(folder); !why.isEmpty())
    Q_EMIT workspace_.message(why);
  else
    open_project(folder);
}

}  // namespace weft::ide
