#include "recording/files.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "recording/contents.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  void add(const fs::path& file) {
    std::error_code error;
    const fs::path whole = fs::absolute(file, error).lexically_normal();
    if (!error && fs::is_regular_file(whole, error)) files_.insert(whole);
  }
  void add_descriptions(const fs::path& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".json") add(entry.path());
  }
  /// Words of a command may name files, from one of the folders.
  void add_named(std::string_view commands, const std::vector<fs::path>& folders) {
    std::istringstream words{std::string(commands)};
    for (std::string word; words >> word;)
      for (const fs::path& folder : folders) add(folder / word);
  }
  const std::set<fs::path>& files() const { return files_; }

 private:
  std::set<fs::path> files_;
};

fs::path common_folder(const std::set<fs::path>& files) {
  fs::path out = files.begin()->parent_path();
  for (const fs::path& file : files) {
    fs::path shared;
    auto a = out.begin();
    for (auto b = file.begin(); a != out.end() && b != file.end() && *a == *b; ++a, ++b) shared /= *a;
    out = shared;
  }
  return out;
}

}  // namespace

RunFiles files_of_run(const Session& session) {
  const Project& project = SessionContents::project(session);
  Collector all;
  const std::string& file = project.document.source()->name();
  all.add(file);
  for (const std::string& read : SessionContents::files(session)) all.add(read);
  for (const PortEntry& port : project.ports) {
    all.add(port.in.capture);
    all.add(port.in.table);
  }
  // Those of the project's own folder come before those of Weft.
  for (const char* kind : {"boards", "chips"}) all.add_descriptions(project.folder / kind);
  if (project.board.find('/') != std::string::npos || project.board.ends_with(".json")) {
    const fs::path board = (project.folder / project.board).lexically_normal();
    all.add_descriptions(board.parent_path());
    for (const char* kind : {"boards", "chips"}) all.add_descriptions(board.parent_path().parent_path() / kind);
  }
  std::vector<fs::path> folders{project.folder};
  if (project.control) folders.push_back(project.control->config.parent_path());
  for (const SourceFilePtr& commands : SessionContents::commands(session)) all.add_named(commands->text(), folders);

  RunFiles out;
  out.root = common_folder(all.files());
  for (const fs::path& each : all.files()) out.files.emplace(each.lexically_relative(out.root).generic_string(), each);
  for (const std::string& read : SessionContents::files(session))
    if (const std::string name = fs::absolute(read).lexically_normal().lexically_relative(out.root).generic_string();
        out.files.contains(name))
      out.called.emplace(name, read);
  out.project = fs::absolute(file).lexically_normal().lexically_relative(out.root).generic_string();
  return out;
}

}  // namespace weft::workbench
