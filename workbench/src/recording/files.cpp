#include "recording/files.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "recording/contents.h"
#include "weft/base/files.h"
#include "weft/workbench/files_read.h"

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
  /// What the project says itself.
  void add_project(const Project& project) {
    if (project.document.source()) add(project.document.source()->name());
    for (const PortEntry& port : project.ports) {
      add(port.in.capture);
      add(port.in.table);
    }
    // Those of the project's own folder come before those of Weft.
    for (const char* kind : {"boards", "chips"}) add_descriptions(project.folder / kind);
    if (project.board.find('/') != std::string::npos || project.board.ends_with(".json")) {
      const fs::path board = (project.folder / project.board).lexically_normal();
      add_descriptions(board.parent_path());
      for (const char* kind : {"boards", "chips"}) add_descriptions(board.parent_path().parent_path() / kind);
    }
  }
  const std::set<fs::path>& files() const { return files_; }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const fs::path& file : files_) out.push_back(file.string());
    return out;
  }

 private:
  std::set<fs::path> files_;
};

/// From where commands name files.
std::vector<fs::path> command_folders(const Project& project) {
  std::vector<fs::path> folders{project.folder};
  if (project.control) folders.push_back(project.control->config.parent_path());
  return folders;
}

void add_named(const Project& project, std::string_view commands, Collector& all) {
  all.add_project(project);
  for (const ProgramEntry& program : project.programs) {
    all.add(program.file);
    if (!program.rules.empty()) all.add(program.rules);
  }
  const std::vector<fs::path> folders = command_folders(project);
  all.add_named(commands, folders);
  if (!project.control) return;
  all.add_named(project.control->commands, folders);
  all.add(project.control->config);
  // A configuration with a mistake does not come to the point of naming its files.
  if (const auto text = read_file(project.control->config.string())) all.add_named(*text, folders);
  for (const auto& [name, value] : project.control->options) all.add_named(value, folders);
}

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

std::vector<std::string> files_named(const Project& project, std::string_view commands) {
  Collector all;
  add_named(project, commands, all);
  return all.names();
}

std::vector<std::string> files_read(const Session& session) {
  Collector all;
  add_named(SessionContents::project(session), {}, all);
  for (const SourceFilePtr& commands : SessionContents::commands(session))
    all.add_named(commands->text(), command_folders(SessionContents::project(session)));
  std::vector<std::string> out = all.names();
  const std::vector<std::string>& read = SessionContents::files(session);
  out.insert(out.end(), read.begin(), read.end());
  return out;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  return fs::weakly_canonical(fs::absolute(a), error) == fs::weakly_canonical(fs::absolute(b), error);
}

RunFiles files_of_run(const Session& session) {
  const Project& project = SessionContents::project(session);
  Collector all;
  all.add_project(project);
  for (const std::string& read : SessionContents::files(session)) all.add(read);
  for (const SourceFilePtr& commands : SessionContents::commands(session))
    all.add_named(commands->text(), command_folders(project));

  RunFiles out;
  out.root = common_folder(all.files());
  for (const fs::path& each : all.files()) out.files.emplace(each.lexically_relative(out.root).generic_string(), each);
  for (const std::string& read : SessionContents::files(session))
    if (const std::string name = fs::absolute(read).lexically_normal().lexically_relative(out.root).generic_string();
        out.files.contains(name))
      out.called.emplace(name, read);
  out.project =
      fs::absolute(project.document.source()->name()).lexically_normal().lexically_relative(out.root).generic_string();
  return out;
}

}  // namespace weft::workbench
