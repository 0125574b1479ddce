#include "confine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "console.h"

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_LEAKS_ARE_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_LEAKS_ARE_CHECKED 1
#endif
#endif

namespace weft::cli {
namespace {

constexpr uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr uint64_t kRead = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kWriteFile = LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr uint64_t kMake = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
constexpr uint64_t kMakeFolders = LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR;
// Nothing of Weft makes these, so they are held back everywhere; nor is another program run.
constexpr uint64_t kNever = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                            LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
constexpr uint64_t kHandled = kRead | kWriteFile | kMake | kMakeFolders | kNever;

auto impossible(const char* why) {
  return fail("confine-impossible", {}, fmt::format("this system cannot confine a run: {}", why),
              "it takes Linux 5.13 or later with Landlock; leave --confine out only for files that you trust");
}

struct Descriptor {
  explicit Descriptor(int of) : number(of) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

Result<bool> allow(int rules, const std::string& path, uint64_t what) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat kind = {};
  if (place.number < 0 || ::fstat(place.number, &kind) != 0)
    return fail("file-missing", whole_file(path), fmt::format("cannot open '{}': {}", path, std::strerror(errno)),
                "check the name");
  if (!S_ISDIR(kind.st_mode)) what &= kReadFile | kWriteFile;
  const landlock_path_beneath_attr rule{what, place.number};
  if (::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    return impossible(std::strerror(errno));
  return true;
}

/// Where an output is made and renamed: a link stays one, and the file that it names is replaced.
std::filesystem::path behind_links(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, error); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  return path;
}

/// What it takes to write one output. A rule on a folder holds for all below it, so neither reading nor writing is a
/// part of it: the output is begun now, and may be renamed and removed there. A pipe or a device is written itself.
Result<bool> allow_output(int rules, const std::string& name, std::vector<AtomicFile>& begun) {
  if (is_standard_output(name)) return true;  // it is open
  const std::filesystem::path file = behind_links(name);
  std::error_code error;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error) &&
      !std::filesystem::is_directory(file, error))
    return allow(rules, file.string(), kWriteFile);
  auto output = AtomicFile::create(name);
  if (!output) return tl::unexpected(std::move(output.error()));
  begun.push_back(std::move(*output));
  const std::string folder = file.parent_path().string();
  return allow(rules, folder.empty() ? "." : folder, kMake);
}

}  // namespace

Result<std::vector<AtomicFile>> confine(const Confinement& to) {
  std::vector<AtomicFile> begun;
  const landlock_ruleset_attr attributes{kHandled};
  const Descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0)));
  if (rules.number < 0) return impossible(std::strerror(errno));
  for (const std::string& folder : to.folders)
    if (auto done = allow(rules.number, folder, kRead | kWriteFile | kMake | kMakeFolders); !done)
      return tl::unexpected(std::move(done.error()));
  for (const std::string& path : to.read)
    if (auto done = allow(rules.number, path, kRead); !done) return tl::unexpected(std::move(done.error()));
#ifdef WEFT_LEAKS_ARE_CHECKED
  // At the end of the process its leak checker looks at its threads and its memory there.
  if (auto done = allow(rules.number, "/proc/self", kRead); !done) return tl::unexpected(std::move(done.error()));
#endif
  for (const std::string& file : to.output_files)
    if (auto done = allow_output(rules.number, file, begun); !done) return tl::unexpected(std::move(done.error()));
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::syscall(SYS_landlock_restrict_self, rules.number, 0) != 0)
    return impossible(std::strerror(errno));
  return begun;
}

}  // namespace weft::cli
