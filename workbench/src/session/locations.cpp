#include "session/locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "weft/base/json.h"

namespace weft::workbench {
namespace {

struct FileLine {
  std::string file;
  uint32_t line = 0;
};

std::optional<uint32_t> location_number(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint32_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || stop != text.data() + text.size() || error != std::errc()) return std::nullopt;
  return value;
}

std::optional<FileLine> file_line(const std::string& place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  const auto line = location_number(std::string_view(place).substr(colon + 1));
  if (!line) return std::nullopt;
  return FileLine{place.substr(0, colon), *line};
}

/// "forward.uc" and "dir/forward.uc" name "/project/dir/forward.uc".
bool names_file(const std::string& file, const std::string& asked) {
  if (!file.ends_with(asked)) return false;
  return file.size() == asked.size() || file[file.size() - asked.size() - 1] == '/' || asked.front() == '/';
}

bool holds(const image::Image& image, const SourceFrame& frame, const FileLine& asked) {
  return frame.line == asked.line && frame.file < image.files.size() && names_file(image.files[frame.file], asked.file);
}

}  // namespace

std::vector<SourceFrame> frames_at(const image::Image& image, uint32_t address) {
  std::vector<SourceFrame> out;
  if (address >= image.lines.size()) return out;
  const image::LineRow& row = image.lines[address];
  for (auto call = row.macros.rbegin(); call != row.macros.rend(); ++call)
    out.push_back({call->second.file, call->second.line});
  out.push_back({row.place.file, row.place.line});
  return out;
}

bool same_frames(const std::vector<SourceFrame>& a, const std::vector<SourceFrame>& b, size_t levels) {
  return a.size() >= levels && b.size() >= levels &&
         std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(levels), b.begin());
}

std::vector<uint32_t> words_at(const image::Image& image, const std::string& place) {
  std::vector<uint32_t> out;
  if (const auto address = location_number(place)) {
    if (*address < image.words.size()) out.push_back(*address);
    return out;
  }
  if (place.ends_with("#")) {
    for (const image::Label& label : image.labels)
      if (label.name == place) out.push_back(label.address);
    return out;
  }
  const auto asked = file_line(place);
  if (!asked) return out;
  std::vector<SourceFrame> before;
  for (uint32_t address = 0; address < image.lines.size(); ++address) {
    const std::vector<SourceFrame> frames = frames_at(image, address);
    for (size_t level = 0; level < frames.size(); ++level) {
      if (!holds(image, frames[level], *asked)) continue;
      if (!same_frames(before, frames, level + 1)) out.push_back(address);
      break;
    }
    before = frames;
  }
  return out;
}

Diagnostics no_such_place(const std::vector<const image::Image*>& images, const std::string& place) {
  Diagnostics out;
  const auto asked = file_line(place);
  if (!asked) {
    std::vector<std::string> labels;
    for (const image::Image* image : images)
      for (const image::Label& label : image->labels) labels.push_back(label.name);
    const auto close = nearest(place, labels);
    out.error("breakpoint-place", {}, fmt::format("no program there has the place '{}'", place),
              close ? fmt::format("did you mean '{}'?", *close) : "places are forward.uc:120, loop#, 0x1f");
    return out;
  }
  bool file_known = false;
  std::optional<uint32_t> next;
  std::vector<std::string> files;
  for (const image::Image* image : images) {
    for (const std::string& file : image->files) files.push_back(file.substr(file.rfind('/') + 1));
    for (uint32_t address = 0; address < image->lines.size(); ++address) {
      for (const SourceFrame& frame : frames_at(*image, address)) {
        if (frame.file >= image->files.size() || !names_file(image->files[frame.file], asked->file)) continue;
        file_known = true;
        if (frame.line > asked->line && (!next || frame.line < *next)) next = frame.line;
      }
    }
  }
  if (file_known) {
    out.error("breakpoint-place", {}, fmt::format("line {} of {} makes no instruction", asked->line, asked->file),
              next ? fmt::format("the next line that does is {}", *next) : "it is after the last one that does");
    return out;
  }
  const auto close = nearest(asked->file, files);
  out.error("breakpoint-place", {}, fmt::format("no program there has instructions from '{}'", asked->file),
            close ? fmt::format("did you mean '{}'?", *close) : "name a source file of a program, or an include file");
  return out;
}

}  // namespace weft::workbench
