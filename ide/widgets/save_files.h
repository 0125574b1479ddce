// What views export: asked for by name, written whole or not at all.
#pragma once

#include <QString>

class QAbstractItemModel;
class QWidget;

namespace weft::ide {

class Workspace;

/// Writes it; what is wrong goes to Workspace::message.
bool write_text(Workspace& workspace, const QString& path, const std::string& text);
bool write_picture(Workspace& workspace, const QString& path, QWidget& widget);
/// Asks for a name first. Empty: the user does not want to.
QString ask_file_name(QWidget* parent, const QString& title, const QString& proposal, const QString& filter);
/// Rows and columns as they stand, RFC 4180.
QString csv_of(const QAbstractItemModel& model);
/// With tabs between, as other programs take it from the clipboard.
QString tabbed_text_of(const QAbstractItemModel& model);

}  // namespace weft::ide
