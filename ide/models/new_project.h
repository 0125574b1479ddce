// A project to begin with: one program that does something, without packets.
#pragma once

#include <QString>

namespace weft::ide {

/// Writes weft.json and main.uc into a folder. Empty, or why nothing was written: a folder with one of them stays as it
/// is.
QString make_project(const QString& folder);

}  // namespace weft::ide
