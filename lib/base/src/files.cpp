#include "weft/base/files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace weft {

Result<std::string> read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail("file-unreadable", whole_file(path), fmt::format("'{}' is a folder, not a file", path), "name a file");
  std::FILE* in = std::fopen(path.c_str(), "rb");
  if (!in) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return fail(missing ? "file-missing" : "file-unreadable", whole_file(path),
                fmt::format("cannot open '{}': {}", path, std::strerror(errno)),
                missing ? "check the name" : "check that you may read it");
  }
  std::string bytes;
  char buffer[65536];
  size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, in)) > 0) bytes.append(buffer, got);
  const bool bad = std::ferror(in) != 0;
  std::fclose(in);
  if (bad) return fail("file-unreadable", whole_file(path), fmt::format("cannot read '{}'", path));
  return bytes;
}

Result<SourceFilePtr> read_source(const std::string& path) {
  auto bytes = read_file(path);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  if (bytes->starts_with("\xEF\xBB\xBF")) bytes->erase(0, 3);  // the mark with which some editors begin UTF-8 files
  return make_source(path, std::move(*bytes));
}

Result<bool> check_output(const std::string& path) {
  const auto no = [&](const std::string& why, std::string remedy) {
    return fail("file-unwritable", whole_file(path), fmt::format("cannot write '{}': {}", path, why),
                std::move(remedy));
  };
  std::error_code error;
  const std::filesystem::path file(path);
  if (path.empty()) return no("the name is empty", "name a file");
  if (std::filesystem::is_directory(file, error)) return no("it is a folder", "name a file in it");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error))
    return no(fmt::format("there is no folder '{}'", folder.string()), "make the folder first");
  const bool exists = std::filesystem::exists(file, error);
  const bool special = exists && !std::filesystem::is_regular_file(file, error);
  if (::access(special ? path.c_str() : folder.c_str(), W_OK) != 0)
    return no(std::strerror(errno), "check that you may write there");
  return true;
}

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  if (auto good = check_output(path); !good) return tl::unexpected(std::move(good.error()));
  AtomicFile file;
  file.path_ = path;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    // A pipe or a device is written to: a file that took its name would replace it. A link stays one, its file is
    // replaced.
    if (!std::filesystem::is_regular_file(path, error)) {
      file.stream_ = std::fopen(path.c_str(), "wb");
      if (!file.stream_)
        return fail("file-unwritable", whole_file(path),
                    fmt::format("cannot write '{}': {}", path, std::strerror(errno)), "check that you may write there");
      return file;
    }
    file.path_ = std::filesystem::canonical(path, error).string();
    if (error) file.path_ = path;
  }
  file.temporary_ = file.path_ + ".XXXXXX";
  const int descriptor = mkstemp(file.temporary_.data());
  if (descriptor < 0)
    return fail("file-unwritable", whole_file(path), fmt::format("cannot write '{}': {}", path, std::strerror(errno)),
                "check that the folder may be written");
  // mkstemp makes the file private; an ordinary output file follows the umask.
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(descriptor, 0666 & ~mask);
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
  errno = 0;
  bool bad = std::fflush(stream_) != 0 || std::ferror(stream_) != 0;
  int reason = errno;
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
              "check that the disk has room and the folder may be written");
}

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  file->write(bytes);
  return file->commit();
}

}  // namespace weft
