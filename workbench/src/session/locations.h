// Source places and control-store addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/image/image.h"

namespace weft::workbench {

/// The words at which a place begins: "file.uc:120", "label#", "0x1f". A line begins where the word before belongs to
/// another line or to another call; a macro call begins at its first word. Empty when the image does not hold the
/// place.
std::vector<uint32_t> words_at(const image::Image& image, const std::string& place);

/// Why no program has the place, with what is near: diagnostic breakpoint-place.
Diagnostics no_such_place(const std::vector<const image::Image*>& images, const std::string& place);

/// The source lines of a word from the outermost macro call to the word itself.
struct SourceFrame {
  uint32_t file = 0, line = 0;
  bool operator==(const SourceFrame&) const = default;
};
std::vector<SourceFrame> frames_at(const image::Image& image, uint32_t address);

/// True when the first `levels` frames of both are the same.
bool same_frames(const std::vector<SourceFrame>& a, const std::vector<SourceFrame>& b, size_t levels);

}  // namespace weft::workbench
