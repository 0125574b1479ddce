// Archives as recordings use them: files with names and contents, in a tar under zstd.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "weft/base/diagnostic.h"

namespace weft::workbench {

class ArchiveWriter {
 public:
  /// The file appears with commit().
  static Result<ArchiveWriter> create(const std::string& path);
  ArchiveWriter(ArchiveWriter&&) noexcept;
  ~ArchiveWriter();
  void add(const std::string& name, std::string_view bytes);
  Result<bool> commit();

 private:
  ArchiveWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Gives the files of an archive in their order, until `take` is false. Names are relative and stay inside. A file that
/// is not wanted is not read. One that has more bytes than `max` says of it, wanted or not, is damage, before it is
/// unpacked. Diagnostics: recording-damaged, those of `take`, and of files.
Result<bool> read_archive(const std::string& path, const std::function<bool(const std::string& name)>& wanted,
                          const std::function<uint64_t(const std::string& name)>& max,
                          const std::function<Result<bool>(const std::string& name, std::string bytes)>& take);

tl::unexpected<Diagnostics> damaged_recording(const std::string& path, const std::string& how);

}  // namespace weft::workbench
