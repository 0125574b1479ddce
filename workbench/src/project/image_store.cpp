#include "project/image_store.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::workbench {

static constexpr size_t kMaxImages = 64;  // of a megabyte at most, mostly far less

std::string assembly_key(const ProgramEntry& entry, const assembler::Options& options) {
  std::string key = fmt::format("{}\n{} {} {} {} {} {} {} {} {}\n", entry.file.string(), options.chip, options.family,
                                static_cast<int>(options.profile), options.control_store, options.sram_channels,
                                options.case_sensitive, options.lost.has_value(), entry.text.has_value(),
                                entry.text ? entry.text->size() : 0);
  if (options.lost)
    key += fmt::format("{} {} {} {}\n", options.lost->branch, options.lost->branch_cc, options.lost->branch_test,
                       options.lost->swap);
  for (const std::string& folder : options.include_dirs) key += fmt::format("{} {}\n", folder.size(), folder);
  for (const auto& [name, value] : options.defines)
    key += fmt::format("{} {} {}={}\n", name.size(), value.size(), name, value);
  return key + entry.text.value_or("");
}

std::vector<ImageStore::Stamp> ImageStore::stamps_of(const std::vector<std::string>& files) {
  std::vector<Stamp> out;
  for (const std::string& file : files) {
    std::error_code none;  // a text that stands in no file has no stamp, before and now
    Stamp& stamp = out.emplace_back();
    stamp.size = std::filesystem::file_size(file, none);
    stamp.time = std::filesystem::last_write_time(file, none);
  }
  return out;
}

const AssembledImage* ImageStore::find(const std::string& key) {
  const auto found = kept_.find(key);
  if (found == kept_.end()) return nullptr;
  if (stamps_of(found->second.image.files) == found->second.stamps) return &found->second.image;
  kept_.erase(found);
  return nullptr;
}

void ImageStore::keep(AssembledImage image) {
  if (kept_.size() >= kMaxImages)
    kept_.erase(std::min_element(kept_.begin(), kept_.end(),
                                 [](const auto& a, const auto& b) { return a.second.number < b.second.number; }));
  std::string key = image.key;
  std::vector<Stamp> stamps = stamps_of(image.files);
  kept_.insert_or_assign(std::move(key), Kept{std::move(image), std::move(stamps), next_++});
}

std::vector<const AssembledImage*> ImageStore::fresh() {
  std::vector<const AssembledImage*> out;
  for (uint64_t number = told_; number < next_; ++number)
    for (const auto& [key, kept] : kept_)
      if (kept.number == number) out.push_back(&kept.image);
  told_ = next_;
  return out;
}

}  // namespace weft::workbench
