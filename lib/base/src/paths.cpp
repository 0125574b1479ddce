#include "weft/base/paths.h"

namespace weft {

std::filesystem::path tidy(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  fs::path out;
  for (const fs::path& part : path) {
    if (part == "." || part.empty()) continue;
    const bool up = part == ".." && out.has_filename() && out.filename() != "..";
    std::error_code error;
    if (up && !fs::is_symlink(out, error))
      out = out.parent_path();
    else if (part == ".." && !out.empty() && out == out.root_path())
      continue;  // above the root is the root
    else
      out /= part;
  }
  // As lexically_normal() does it: a folder keeps its stroke, and nothing is ".".
  if (out.empty()) return path.empty() ? "" : ".";
  const bool folder = !path.has_filename() || path.filename() == "." || path.filename() == "..";
  if (folder && out.has_filename() && out.filename() != "..") out /= "";
  return out;
}

}  // namespace weft
