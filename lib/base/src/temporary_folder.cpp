#include "weft/base/temporary_folder.h"

#include <cstdlib>

namespace weft {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(std::string_view name) {
  std::error_code none;
  fs::path folder = fs::temp_directory_path(none);
  if (none) folder = "/tmp";
  std::string path = (folder / (std::string(name) + "-XXXXXX")).string();
  made_ = mkdtemp(path.data()) != nullptr;
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (made_) fs::remove_all(path_, ignored);
}

}  // namespace weft
