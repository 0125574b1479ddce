// The examples that come with Weft: beside the installed program, or in the source tree.
#pragma once

#include <QString>
#include <vector>

namespace weft::ide {

struct Example {
  QString name;   ///< of its folder
  QString path;   ///< of the folder
  QString about;  ///< the first sentence of its project file's comment; empty: it has none
};

/// Folders with a weft.json, by name. Empty: there are none.
std::vector<Example> find_examples();
/// Of one folder; for tests.
std::vector<Example> examples_in(const QString& folder);

}  // namespace weft::ide
