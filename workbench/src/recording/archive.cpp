#include "recording/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

#include "weft/base/files.h"

namespace weft::workbench {
namespace {

// Level 1 compresses as fast as a disk writes; higher ones make histories hardly smaller.
constexpr const char* kLevel = "1";
constexpr size_t kReadBlock = size_t{1} << 20;

la_ssize_t write_block(archive*, void* file, const void* data, size_t bytes) {
  static_cast<AtomicFile*>(file)->write({static_cast<const char*>(data), bytes});
  return static_cast<la_ssize_t>(bytes);
}

struct FreeReader {
  void operator()(archive* a) const { archive_read_free(a); }
};
struct FreeWriter {
  void operator()(archive* a) const { archive_write_free(a); }
};

bool stays_inside(const std::filesystem::path& name) {
  if (name.empty() || name.is_absolute()) return false;
  for (const auto& part : name)
    if (part == ".." || part.empty()) return false;
  return true;
}

}  // namespace

struct ArchiveWriter::Impl {
  explicit Impl(AtomicFile to) : file(std::move(to)) {}
  std::string path;
  AtomicFile file;
  std::unique_ptr<archive, FreeWriter> out;
  std::string error;
  void check(int status) {
    if (status < ARCHIVE_WARN && error.empty())
      error = archive_error_string(out.get()) != nullptr ? archive_error_string(out.get()) : "unknown";
  }
};

ArchiveWriter::ArchiveWriter() = default;
ArchiveWriter::ArchiveWriter(ArchiveWriter&&) noexcept = default;
ArchiveWriter::~ArchiveWriter() = default;

Result<ArchiveWriter> ArchiveWriter::create(const std::string& path) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  ArchiveWriter writer;
  writer.impl_ = std::make_unique<Impl>(std::move(*file));
  Impl& self = *writer.impl_;
  self.path = path;
  self.out.reset(archive_write_new());
  self.check(archive_write_set_format_pax_restricted(self.out.get()));
  self.check(archive_write_add_filter_zstd(self.out.get()));
  self.check(archive_write_set_filter_option(self.out.get(), "zstd", "compression-level", kLevel));
  self.check(archive_write_set_bytes_in_last_block(self.out.get(), 1));  // no padding after the compressed data
  self.check(archive_write_open2(self.out.get(), &self.file, nullptr, write_block, nullptr, nullptr));
  return writer;
}

void ArchiveWriter::add(const std::string& name, std::string_view bytes) {
  Impl& self = *impl_;
  if (!self.error.empty()) return;
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0444);
  self.check(archive_write_header(self.out.get(), entry.get()));
  for (size_t done = 0; done < bytes.size() && self.error.empty();) {
    const la_ssize_t written =
        archive_write_data(self.out.get(), bytes.data() + done, std::min(kReadBlock, bytes.size() - done));
    if (written <= 0)
      self.check(ARCHIVE_FATAL);
    else
      done += static_cast<size_t>(written);
  }
}

Result<bool> ArchiveWriter::commit() {
  Impl& self = *impl_;
  self.check(archive_write_close(self.out.get()));
  if (!self.error.empty())
    return fail("file-unwritable", whole_file(self.path),
                fmt::format("the recording cannot be written: {}", self.error));
  return self.file.commit();
}

tl::unexpected<Diagnostics> damaged_recording(const std::string& path, const std::string& how) {
  return fail("recording-damaged", whole_file(path), fmt::format("the recording is cut off or damaged: {}", how),
              "copy it again from where it was made, or record the run again");
}

Result<bool> read_archive(const std::string& path, const std::function<bool(const std::string&)>& wanted,
                          const std::function<uint64_t(const std::string&)>& max,
                          const std::function<Result<bool>(const std::string&, std::string)>& take) {
  const std::unique_ptr<archive, FreeReader> in(archive_read_new());
  const auto why = [&] {
    return std::string(archive_error_string(in.get()) != nullptr ? archive_error_string(in.get())
                                                                 : "its end is missing");
  };
  archive_read_support_filter_zstd(in.get());
  archive_read_support_format_tar(in.get());
  if (archive_read_open_filename(in.get(), path.c_str(), kReadBlock) != ARCHIVE_OK)
    return damaged_recording(path, why());
  while (true) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(in.get(), &entry);
    if (status == ARCHIVE_EOF) return true;
    if (status < ARCHIVE_WARN) return damaged_recording(path, why());
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG || !stays_inside(name))
      return damaged_recording(path, "it holds something that recordings do not hold");
    // What is passed over is unpacked too.
    const uint64_t limit = max(name);
    if (archive_entry_size(entry) < 0 || static_cast<uint64_t>(archive_entry_size(entry)) > limit)
      return damaged_recording(
          path, fmt::format("'{}' unpacks to more than {} bytes, which it has by the manifest", name, limit));
    if (!wanted(name)) continue;
    std::string bytes;
    bytes.reserve(static_cast<size_t>(archive_entry_size(entry)));  // no room twice while it grows
    // Straight from where it was unpacked to.
    while (true) {
      const void* data = nullptr;
      size_t size = 0;
      la_int64_t at = 0;
      const int read = archive_read_data_block(in.get(), &data, &size, &at);
      if (read == ARCHIVE_EOF) break;
      if (read < ARCHIVE_WARN) return damaged_recording(path, why());
      if (at < 0 || static_cast<uint64_t>(at) != bytes.size())
        return damaged_recording(path, fmt::format("'{}' has gaps", name));
      if (bytes.size() + size > limit)
        return damaged_recording(path, fmt::format("'{}' has more bytes than the manifest says, {}", name, limit));
      bytes.append(static_cast<const char*>(data), size);
    }
    if (auto done = take(name, std::move(bytes)); !done || !*done) return done;
  }
}

}  // namespace weft::workbench
