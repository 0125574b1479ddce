#include "breakpoint_place.h"

#include <set>

#include "breakpoint_text.h"
#include "weft/image/image.h"

namespace weft::ide {

namespace {

constexpr unsigned kMaxEngines = 64;  // of any chip

/// The same for each chip of a board of several; as it is where it names one, or where there is one.
std::vector<workbench::Breakpoint> by_chips(const workbench::Breakpoint& b, const std::vector<std::string>& chips) {
  if (b.kind != workbench::Breakpoint::Kind::location || chips.size() < 2 || !chip_in_front(b).isEmpty()) return {b};
  std::vector<workbench::Breakpoint> out;
  for (const std::string& chip : chips) {
    out.push_back(b);
    out.back().target.insert(0, chip + ": ");
  }
  return out;
}

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

Result<std::vector<unsigned>> add_in_every_chip(workbench::Session& session, const workbench::Breakpoint& b) {
  std::vector<unsigned> ids;
  std::optional<Diagnostics> why;
  for (const workbench::Breakpoint& one : by_chips(b, session.chips())) {
    auto added = session.add_breakpoint(one);
    if (added)
      ids.push_back(*added);
    else if (!why)
      why = std::move(added.error());
  }
  if (ids.empty() && why) return tl::unexpected(std::move(*why));
  return ids;
}

Result<bool> check_in_every_chip(const workbench::Inspector& machine, const std::vector<std::string>& chips,
                                 const workbench::Breakpoint& b) {
  std::optional<Diagnostics> why;
  for (const workbench::Breakpoint& one : by_chips(b, chips)) {
    auto fine = machine.check_breakpoint(one);
    if (fine) return true;
    if (!why) why = std::move(fine.error());
  }
  return tl::unexpected(why.value_or(Diagnostics()));
}

}  // namespace weft::ide
