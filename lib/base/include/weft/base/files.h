// Files: whole reads, and output that appears whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "weft/base/diagnostic.h"

namespace weft {

/// The whole file as bytes; a diagnostic "file-missing" or "file-unreadable" that names it otherwise.
Result<std::string> read_file(const std::string& path);
/// The same of an open stream, which is called `name` in messages.
Result<std::string> read_stream(std::FILE* in, const std::string& name, uint64_t max);
/// Text without the byte order mark that some editors put in front.
std::string without_mark(std::string text);
/// A file as a SourceFile, without that mark.
Result<SourceFilePtr> read_source(const std::string& path);

/// Whether a file can be written at `path`, as far as that can be known without writing: for long work whose result
/// goes there.
Result<bool> check_output(const std::string& path);

/// An output file that is written beside its destination and takes its name only on commit(). If it is destroyed before
/// that, nothing is left behind. What exists and is not an ordinary file (a pipe, a device) is written directly. Where
/// the process may no longer write, one of the same path that was created before, and is still there, is gone on with.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  void write(std::string_view bytes);
  Result<bool> commit();
  std::FILE* stream() { return stream_; }

 private:
  AtomicFile() = default;
  void discard();
  std::string path_;
  std::string temporary_;  ///< empty: path_ itself is written
  std::FILE* stream_ = nullptr;
};

/// Writes a whole file atomically.
Result<bool> write_file(const std::string& path, std::string_view bytes);

}  // namespace weft
