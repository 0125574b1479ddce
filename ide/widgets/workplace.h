// What was open in a project comes back with it: texts, in which line, and what was folded. It is kept a moment after
// it changes, so that it also outlives a program that does not end as it should.
#pragma once

#include <QObject>
#include <QTimer>

#include "models/autosave.h"

namespace weft::ide {

class CodeEditor;
class Texts;
class Workspace;

class Workplace final : public QObject {
  Q_OBJECT

 public:
  Workplace(Workspace& workspace, Texts& texts, QObject* parent = nullptr);

  /// From now on it is kept.
  void keep() { keeps_ = true; }
  void save();
  /// Of the project that is open. False: there is nothing.
  bool restore();
  static constexpr int kRest = 1000;  ///< ms

 private:
  void fold(CodeEditor* editor, const std::vector<int>& lines);
  Workspace& workspace_;
  Texts& texts_;
  QTimer rest_;
  bool keeps_ = false, restoring_ = false;
};

}  // namespace weft::ide
