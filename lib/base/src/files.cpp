#include "weft/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "weft/base/limits.h"

namespace weft {
namespace {

constexpr std::string_view kTemporary = ".weft-tmp-";  // and six characters

/// What to do about a file that the system refuses for this reason.
std::string remedy_of(int reason, std::string otherwise) {
  switch (reason) {
    case ENAMETOOLONG: return "give it a shorter name";
    case ELOOP: return "name the file itself: links lead to each other";
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "make room, or write elsewhere";
    default: return otherwise;
  }
}

/// What a link names in the end, whether it is there or not, or the first link that is `there`; another path stays.
/// Links that lead to each other stay links.
template <class There>
std::filesystem::path behind_links(std::filesystem::path path, There there) {
  std::error_code error;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, error) && !there(path); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  return path;
}
std::filesystem::path behind_links(const std::string& path) {
  return behind_links(path, [](const auto&) { return false; });
}

/// How the names begin that make_temporary() gives: short enough for a name that is as long as a name may be.
std::string temporary_of(const std::filesystem::path& path) {
  return path.filename().string().substr(0, 200) + std::string(kTemporary);
}

/// Removes what killed runs have left of `path`. Who still writes holds a lock.
void remove_leftovers(const std::filesystem::path& path) {
  const std::string begin = temporary_of(path);
  std::error_code error;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(begin) || name.size() != begin.size() + 6) continue;
    const int descriptor = ::open(at->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) continue;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(at->path().c_str());
    ::close(descriptor);
  }
}

/// Six characters that nobody can guess; empty, with errno, when the system has none.
std::string random_characters() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
  std::array<unsigned char, 6> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) return {};
  std::string out;
  for (const unsigned char byte : bytes) out += kLetters[byte % kLetters.size()];
  return out;
}

/// A new file beside `path`, locked; -1 with errno otherwise. `name` is what it is called. mkostemp() would open it for
/// reading, too, which a process that may only write there cannot do (weft run --confine).
int make_temporary(const std::string& path, std::string& name) {
  for (int turn = 0; turn < 10; ++turn) {
    const std::string characters = random_characters();
    if (characters.empty()) return -1;
    name = (std::filesystem::path(path).parent_path() / (temporary_of(path) + characters)).string();
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) {
      // Where files may be made but not written (weft run --confine) it has been made.
      const int reason = errno;
      if (reason == EACCES) ::unlink(name.c_str());
      errno = reason;
      return -1;
    }
    // Another run may have taken it for a leftover before it was locked.
    struct stat now = {};
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &now) == 0 && now.st_nlink > 0)
      return descriptor;
    ::close(descriptor);
    if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) return ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  }
  errno = EBUSY;
  return -1;
}

/// A temporary file of `path` that this process has begun already, and what it is called; -1 when there is none. Our
/// own descriptors say so: a process that gives up the right to write in a folder keeps what it has open there.
int begun_temporary(const std::filesystem::path& path, std::string& name) {
  constexpr int kMaxDescriptors = 1024;
  const std::string begin = temporary_of(path);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (int open = STDERR_FILENO + 1; open < kMaxDescriptors; ++open) {
    std::error_code error;
    const std::filesystem::path at = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", open), error);
    if (error) continue;
    const std::string file = at.filename().string();
    if (!file.starts_with(begin) || file.size() != begin.size() + 6) continue;
    if (!std::filesystem::equivalent(at.parent_path(), folder, error)) continue;
    name = at.string();
    return ::fcntl(open, F_DUPFD_CLOEXEC, 0);
  }
  return -1;
}

/// The number of one of our own descriptors that `path` names, as /dev/stdout, /dev/fd/1 and /proc/self/fd/1 do. What
/// is open has no name to be replaced by: it may be a file that has been removed.
std::optional<int> open_descriptor(const std::string& path) {
  std::error_code error;
  const std::filesystem::path ours = std::filesystem::canonical("/proc/self/fd", error);
  if (error) return std::nullopt;
  const auto is_ours = [&](const std::filesystem::path& link) {
    return std::filesystem::canonical(link.parent_path(), error) == ours;
  };
  const std::filesystem::path at = behind_links(std::filesystem::absolute(path, error), is_ours);
  if (!std::filesystem::is_symlink(at, error) || !is_ours(at)) return std::nullopt;
  return std::atoi(at.filename().c_str());
}

Result<std::string> read_all(std::FILE* in, const std::string& name, uint64_t max) {
  std::string bytes;
  char buffer[65536];
  size_t got = 0;
  while (bytes.size() <= max && (got = std::fread(buffer, 1, sizeof buffer, in)) > 0) bytes.append(buffer, got);
  if (std::ferror(in) != 0) {
    const int reason = errno;
    return fail("file-unreadable", whole_file(name), fmt::format("cannot read '{}': {}", name, std::strerror(reason)),
                "check the disk, and that the file stays while it is read");
  }
  if (bytes.size() > max)
    return fail("input-limit", whole_file(name), fmt::format("'{}' has more than {} MiB", name, max >> 20),
                "name another file, or see docs/limits.md");
  return bytes;
}

}  // namespace

bool is_enough(Diagnostics& out, const SourceRange& at) {
  if (out.error_count() < limits::kErrors) return false;
  if (out.error_count() == limits::kErrors)
    out.error("input-limit", at,
              fmt::format("there are {} errors up to here; what follows is not looked at", limits::kErrors),
              "cure the first ones; the others often go with them");
  return true;
}

Result<std::string> read_file(const std::string& path) { return read_file(path, limits::kFileBytes); }

Result<std::string> read_file(const std::string& path, uint64_t max) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail("file-unreadable", whole_file(path), fmt::format("'{}' is a folder, not a file", path), "name a file");
  std::FILE* in = std::fopen(path.c_str(), "rb");
  if (!in) {
    const int reason = errno;
    const bool missing = reason == ENOENT || reason == ENOTDIR;
    return fail(missing ? "file-missing" : "file-unreadable", whole_file(path),
                fmt::format("cannot open '{}': {}", path, std::strerror(reason)),
                missing ? "check the name" : remedy_of(reason, "check that you may read it"));
  }
  auto bytes = read_all(in, path, max);
  std::fclose(in);
  return bytes;
}

Result<std::string> read_stream(std::FILE* in, const std::string& name, uint64_t max) {
  return read_all(in, name, max);
}

std::string without_mark(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

Result<SourceFilePtr> read_source(const std::string& path) { return read_source(path, limits::kSourceBytes); }

Result<SourceFilePtr> read_source(const std::string& path, uint64_t max) {
  auto bytes = read_file(path, max);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  return make_source(path, without_mark(std::move(*bytes)));
}

Result<bool> check_output(const std::string& path) {
  const auto no = [&](const std::string& why, std::string remedy) {
    return fail("file-unwritable", whole_file(path), fmt::format("cannot write '{}': {}", path, why),
                std::move(remedy));
  };
  std::error_code error;
  if (path.empty()) return no("the name is empty", "name a file");
  if (const auto open = open_descriptor(path)) {
    const int mode = ::fcntl(*open, F_GETFL);
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY) return no(std::strerror(EBADF), "name what is open for writing");
    return true;
  }
  const std::filesystem::path file = behind_links(path);
  if (struct stat unused = {}; ::stat(file.c_str(), &unused) != 0 && (errno == ENAMETOOLONG || errno == ELOOP))
    return no(std::strerror(errno), remedy_of(errno, {}));
  if (std::filesystem::is_directory(file, error)) return no("it is a folder", "name a file in it");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error))
    return no(fmt::format("there is no folder '{}'", folder.string()), "make the folder first");
  const bool exists = std::filesystem::exists(file, error);
  const bool special = exists && !std::filesystem::is_regular_file(file, error);
  const auto writable = [](const std::string& name) {
    return ::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) == 0;
  };
  if (exists && !writable(path)) return no(std::strerror(errno), "check that you may write it, or give another name");
  if (!special && !writable(folder)) return no(std::strerror(errno), "check that you may write there");
  return true;
}

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  if (auto good = check_output(path); !good) return tl::unexpected(std::move(good.error()));
  AtomicFile file;
  file.path_ = behind_links(path).string();  // a link stays one, its file is replaced
  std::error_code error;
  std::optional<struct stat> old;
  if (const auto open = open_descriptor(path)) {
    // Goes on where it stands, after what was printed before.
    std::fflush(nullptr);
    const int descriptor = ::fcntl(*open, F_DUPFD_CLOEXEC, 0);
    file.stream_ = descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
    if (file.stream_) return file;
    const int reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    return fail("file-unwritable", whole_file(path), fmt::format("cannot write '{}': {}", path, std::strerror(reason)),
                "check that it is open for writing");
  }
  if (std::filesystem::exists(path, error)) {
    // A pipe or a device is written to: a file that took its name would replace it.
    if (!std::filesystem::is_regular_file(path, error)) {
      file.stream_ = std::fopen(path.c_str(), "wb");
      if (!file.stream_)
        return fail("file-unwritable", whole_file(path),
                    fmt::format("cannot write '{}': {}", path, std::strerror(errno)), "check that you may write there");
      return file;
    }
    if (::stat(file.path_.c_str(), &old.emplace()) != 0) old.reset();
  }
  remove_leftovers(file.path_);
  int descriptor = make_temporary(file.path_, file.temporary_);
  const int reason = errno;
  if (descriptor < 0 && reason == EACCES) descriptor = begun_temporary(file.path_, file.temporary_);
  if (descriptor < 0) {
    return fail("file-unwritable", whole_file(path), fmt::format("cannot write '{}': {}", path, std::strerror(reason)),
                remedy_of(reason, "check that the folder may be written"));
  }
  // The temporary file is private; a new output file follows the umask, another one is as it was.
  const mode_t mask = umask(0);
  umask(mask);
  if (old && (old->st_uid != ::geteuid() || old->st_gid != ::getegid()))
    (void)!::fchown(descriptor, old->st_uid, old->st_gid);  // root may; of others the system decides
  (void)fchmod(descriptor, old ? old->st_mode & 07777 : 0666 & ~mask);
  file.stream_ = fdopen(descriptor, "wb");
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept { *this = std::move(other); }

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    temporary_ = std::move(other.temporary_);
    stream_ = std::exchange(other.stream_, nullptr);
  }
  return *this;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (!stream_) return;
  std::fclose(std::exchange(stream_, nullptr));
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stream_); }

Result<bool> AtomicFile::commit() {
  // A write that failed before has left its mark only: what is written now fails for the same reason.
  bool bad = std::ferror(stream_) != 0;
  int reason = 0;
  if (!bad && std::fflush(stream_) != 0) {
    bad = true;
    reason = errno;
  }
  if (!bad && !temporary_.empty() && ::fsync(fileno(stream_)) != 0) {
    bad = true;
    reason = errno;
  }
  if (bad && reason == 0) {
    std::clearerr(stream_);
    errno = 0;
    const std::string more(temporary_.empty() ? 1 : 1 << 20, '\0');  // one octet may still find room
    const bool failed = std::fwrite(more.data(), 1, more.size(), stream_) != more.size() || std::fflush(stream_) != 0;
    reason = failed && errno != 0 ? errno : EIO;
  }
  if (std::fclose(std::exchange(stream_, nullptr)) != 0 && !bad) {
    bad = true;
    reason = errno;
  }
  if (!bad && !temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    bad = true;
    reason = errno;
  }
  if (!bad) return true;
  if (!temporary_.empty()) std::remove(temporary_.c_str());
  return fail("file-unwritable", whole_file(path_), fmt::format("cannot write '{}': {}", path_, std::strerror(reason)),
              remedy_of(reason, "check the disk, and that the folder may be written"));
}

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  file->write(bytes);
  return file->commit();
}

}  // namespace weft
