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
    return fail("file-unreadable", whole_file(path), fmt::format("'{}' is a folder, not a file", path));
  std::FILE* in = std::fopen(path.c_str(), "rb");
  if (!in) {
    const bool missing = errno == ENOENT;
    return fail(missing ? "file-missing" : "file-unreadable", whole_file(path),
                fmt::format("cannot open '{}': {}", path, std::strerror(errno)),
                missing ? "check the name; relative names start at the folder named in the documentation of the option"
                        : "");
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
  return make_source(path, std::move(*bytes));
}

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  AtomicFile file;
  file.path_ = path;
  file.temporary_ = path + ".XXXXXX";
  const int descriptor = mkstemp(file.temporary_.data());
  if (descriptor < 0)
    return fail("file-unwritable", whole_file(path), fmt::format("cannot write '{}': {}", path, std::strerror(errno)),
                "check that the folder exists and may be written");
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
  std::remove(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stream_); }

Result<bool> AtomicFile::commit() {
  const bool bad = std::fflush(stream_) != 0 || std::ferror(stream_) != 0;
  const bool unclosed = std::fclose(std::exchange(stream_, nullptr)) != 0;
  if (bad || unclosed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary_.c_str());
    return fail("file-unwritable", whole_file(path_), fmt::format("cannot write '{}': {}", path_, reason),
                "check that the disk has room and the folder may be written");
  }
  return true;
}

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  file->write(bytes);
  return file->commit();
}

}  // namespace weft
