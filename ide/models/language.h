// What the assembler knows of the texts while they are being written: classes of tokens, names, problems. It is made
// anew in a thread of its own after each key; a text that has changed meanwhile stops the work on the old one. A
// program none of whose files has changed keeps its index.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "weft/assembler/index.h"
#include "weft/workbench/sources.h"

namespace weft::ide {

/// One program as it stood. A value that nobody changes; any thread may ask it.
struct ProgramIndex {
  std::string file;  ///< its main text
  std::shared_ptr<const assembler::Index> index;
};

class Language final : public QObject {
  Q_OBJECT

 public:
  explicit Language(QObject* parent = nullptr);
  ~Language() override;

  void set_programs(std::vector<workbench::ProgramSource> programs);
  /// The text of an open document that is not saved, by its absolute path; a null string: it is as the file.
  void set_text(const QString& path, const QString& text);
  /// Files have changed on the disk.
  void read_again();
  /// As the assembler would read it: what is not saved, or the file. Nothing: it cannot be read.
  std::optional<std::string> text(const QString& path) const;

  /// The program that a file belongs to: the first one that begins with it or includes it. Null: none, or not known
  /// yet.
  std::shared_ptr<const assembler::Index> index_of(const QString& path) const;
  /// Of all programs, each problem once.
  Diagnostics problems() const;
  const std::vector<ProgramIndex>& programs() const { return done_; }

 Q_SIGNALS:
  void indexed();

 private:
  class Worker;
  void again();

  std::vector<workbench::ProgramSource> programs_;
  std::map<std::string, std::string> buffers_;
  std::vector<ProgramIndex> done_;
  uint64_t wanted_ = 0;  ///< number of the latest state of the texts
  uint64_t disk_ = 0;    ///< number of the latest state of the files, as far as somebody said so
  std::unique_ptr<Worker> worker_;
};

}  // namespace weft::ide
