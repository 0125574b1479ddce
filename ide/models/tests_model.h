// The tests of a project: its test files with their cases, what became of each when it ran last, and the first thing
// that was wrong. They run in processes of their own (weft/workbench/testing.h), started by a thread that nobody waits
// for.
#pragma once

#include <QAbstractItemModel>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "file_names.h"
#include "line_coverage.h"
#include "weft/workbench/testing.h"

namespace weft::ide {

class TestsModel final : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { kName, kVerdict, kCycles, kTime, kColumns };
  /// Of a case with a failure: where the test file says what was expected; the text; a row that ran and is not good.
  enum Role { kFileRole = Qt::UserRole, kLineRole, kColumnRole, kTextRole, kBadRole };

  explicit TestsModel(QObject* parent = nullptr);
  ~TestsModel() override;

  /// Reads the test files anew. What ran keeps its outcome while it has its name.
  void set_files(const QStringList& files, const FileNames& names);
  /// Those of the rows, files with all of their cases; none: all. Nothing happens while some run.
  void run(const QModelIndexList& rows);
  void stop();
  bool runs() const { return runs_; }
  /// What can be said in a line: how many passed, and which failed.
  QString summary() const;
  /// Not read: why.
  QString problems() const { return problems_; }
  size_t cases() const;
  /// Lines that the cases have executed which ran since the files were read; by file.
  const std::map<std::string, std::map<int, LineCoverage>>& coverage() const { return lines_; }
  QModelIndex first_failure() const;
  /// The case of a row; of a file its first that has failed, else its first. None: there is no case.
  std::optional<workbench::TestPlan::Item> case_at(const QModelIndex& row) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 Q_SIGNALS:
  void changed();   ///< summary(), runs()
  void finished();  ///< all that were asked for

 private:
  struct Case {
    std::string name;
    workbench::TestPlan::Item item;
    std::optional<workbench::CaseOutcome> outcome;
    bool waits = false;
  };
  struct File {
    std::string path;
    std::vector<Case> cases;
  };
  void take(const workbench::CaseOutcome& outcome);
  void ended(const workbench::SourceCoverage& coverage);
  QVariant of_file(const File& file, int column, int role) const;
  QVariant of_case(const Case& one, int column, int role) const;

  std::vector<File> files_;
  FileNames names_;
  QString problems_;
  workbench::SourceCoverage covered_;
  std::map<std::string, std::map<int, LineCoverage>> lines_;
  std::atomic<bool> stop_ = false;
  bool runs_ = false;
  std::thread thread_;
};

}  // namespace weft::ide
