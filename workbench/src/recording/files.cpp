#include "recording/files.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "project/build.h"
#include "recording/contents.h"
#include "weft/base/files.h"
#include "weft/base/paths.h"
#include "weft/workbench/files_read.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;

/// An absolute path without a stroke at its end.
fs::path whole(const fs::path& path) {
  std::error_code error;
  const fs::path out = tidy(fs::absolute(path, error));
  return out.has_filename() ? out : out.parent_path();
}

/// Files that exist, each by the name that it has for the project: the project's folder goes by its real name, so that
/// ".." leads from there to the same file when the folder is a link, and when all of them are unpacked elsewhere.
class Collector {
 public:
  explicit Collector(const Project& project) : folder_(whole(project.folder)) {
    std::error_code error;
    real_ = fs::weakly_canonical(folder_, error);
    if (error) real_ = folder_;
  }
  fs::path name_of(const fs::path& file) const {
    const fs::path path = whole(file);
    const auto [rest, end] = std::mismatch(path.begin(), path.end(), folder_.begin(), folder_.end());
    if (end != folder_.end()) return path.lexically_normal();
    fs::path out = real_;
    for (auto part = rest; part != path.end(); ++part) out /= *part;
    return tidy(out).lexically_normal();
  }
  void add(const fs::path& file) {
    std::error_code error;
    const fs::path path = whole(file);
    if (fs::is_regular_file(path, error)) files_.emplace(name_of(file), path);
  }
  /// Words of a command may name files, from one of the folders. Most words name none, and to ask the system for each
  /// would take long: a file is there when the folder has its first part.
  void add_named(std::string_view commands, const std::vector<fs::path>& folders) {
    std::vector<std::set<std::string, std::less<>>> entries;
    for (const fs::path& folder : folders) {
      std::error_code error;
      auto& names = entries.emplace_back(std::set<std::string, std::less<>>{".", ".."});
      for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        names.insert(at->path().filename().string());
    }
    std::set<std::string, std::less<>> seen;
    std::istringstream lines{std::string(commands)};
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      for (std::string word; words >> word && word.front() != '#';) {
        const std::string first = word.substr(0, word.find('/'));
        for (size_t i = 0; i < folders.size(); ++i)
          if ((first.empty() || entries[i].contains(first)) && seen.insert(word).second) {
            for (const fs::path& folder : folders) add(folder / word);
            break;
          }
      }
    }
  }
  /// What the project says itself; `all`: with descriptions of boards and chips that Weft brings along.
  void add_project(const Project& project, bool all) {
    if (project.document.source()) add(project.document.source()->name());
    for (const PortEntry& port : project.ports) {
      add(port.in.capture);
      add(port.in.table);
    }
    for (const std::string& file : board_files(project, all)) add(file);
  }
  /// Where they are, by name.
  const std::map<fs::path, fs::path>& files() const { return files_; }
  std::vector<std::string> paths() const {
    std::vector<std::string> out;
    for (const auto& [name, path] : files_) out.push_back(path.string());
    return out;
  }

 private:
  fs::path folder_, real_;  ///< of the project
  std::map<fs::path, fs::path> files_;
};

/// From where commands name files.
std::vector<fs::path> command_folders(const Project& project) {
  std::vector<fs::path> folders{project.folder};
  if (project.control && project.control->has_program()) folders.push_back(project.control->config.parent_path());
  return folders;
}

void add_named(const Project& project, std::string_view commands, Collector& all) {
  all.add_project(project, true);
  for (const ProgramEntry& program : project.programs) {
    all.add(program.file);
    if (!program.rules.empty()) all.add(program.rules);
  }
  const std::vector<fs::path> folders = command_folders(project);
  all.add_named(commands, folders);
  if (!project.control) return;
  all.add_named(project.control->commands, folders);
  if (!project.control->has_program()) return;
  all.add(project.control->config);
  // A configuration with a mistake does not come to the point of naming its files.
  if (const auto text = read_file(project.control->config.string())) all.add_named(*text, folders);
  for (const auto& [name, value] : project.control->options) all.add_named(value, folders);
}

fs::path common_folder(const std::map<fs::path, fs::path>& files) {
  fs::path out = files.begin()->first.parent_path();
  for (const auto& [file, path] : files) {
    fs::path shared;
    auto a = out.begin();
    for (auto b = file.begin(); a != out.end() && b != file.end() && *a == *b; ++a, ++b) shared /= *a;
    out = shared;
  }
  return out;
}

}  // namespace

std::vector<std::string> files_named(const Project& project, std::string_view commands) {
  Collector all(project);
  add_named(project, commands, all);
  return all.paths();
}

std::vector<std::string> files_read(const Session& session) {
  Collector all(SessionContents::project(session));
  add_named(SessionContents::project(session), {}, all);
  for (const SourceFilePtr& commands : SessionContents::commands(session))
    all.add_named(commands->text(), command_folders(SessionContents::project(session)));
  std::vector<std::string> out = all.paths();
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
  Collector all(project);
  all.add_project(project, false);
  for (const std::string& read : SessionContents::files(session)) all.add(read);
  for (const SourceFilePtr& commands : SessionContents::commands(session))
    all.add_named(commands->text(), command_folders(project));

  RunFiles out;
  out.root = common_folder(all.files());
  for (const auto& [name, path] : all.files())
    out.files.emplace(name.lexically_relative(out.root).generic_string(), path);
  for (const std::string& read : SessionContents::files(session))
    if (const std::string name = all.name_of(read).lexically_relative(out.root).generic_string();
        out.files.contains(name))
      out.called.emplace(name, read);
  out.project = all.name_of(project.document.source()->name()).lexically_relative(out.root).generic_string();
  return out;
}

}  // namespace weft::workbench
