#include "breakpoint_place.h"

#include <set>

#include "breakpoint_text.h"
#include "weft/image/image.h"

namespace weft::ide {

namespace {

constexpr unsigned kMaxEngines = 64;  // of any chip

}  // namespace

std::optional<int> next_line_with_code(const workbench::Session& session, const workbench::Breakpoint& b) {
  const FilePlace asked = file_place(b);
  if (b.kind != workbench::Breakpoint::Kind::location || asked.file.isEmpty() || asked.line < 1) return std::nullopt;
  std::optional<int> next;
  const auto take = [&](const image::Image& image, uint32_t file, uint32_t line) {
    const int there = static_cast<int>(line);
    if (there > asked.line && (!next || there < *next) && file < image.files.size() &&
        is_in_file(b, QString::fromStdString(image.files[file])))
      next = there;
  };
  std::set<const image::Image*> seen;
  const std::vector<std::string> chips = session.chips();
  for (unsigned chip = 0; chip < chips.size(); ++chip) {
    if (!chips[chip].empty() && b.target.find(": ") != std::string::npos && !b.target.starts_with(chips[chip] + ": "))
      continue;
    for (unsigned engine = 0; engine < kMaxEngines; ++engine) {
      const image::Image* image = session.program(engine, chip);
      if (image == nullptr || !seen.insert(image).second) continue;
      for (const image::LineRow& row : image->lines) {
        take(*image, row.place.file, row.place.line);
        for (const auto& call : row.macros) take(*image, call.second.file, call.second.line);
      }
    }
  }
  return next;
}

}  // namespace weft::ide
