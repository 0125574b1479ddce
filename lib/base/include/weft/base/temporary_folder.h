// A folder for files that others must read by name: made by the constructor, gone with all in it at the end.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

class TemporaryFolder {
 public:
  /// In the system's folder for such things; `name` says there whose it is. When it cannot be made, writing into it
  /// fails and says where.
  explicit TemporaryFolder(std::string_view name = "weft");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view file) const { return (path_ / file).string(); }

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

}  // namespace weft
