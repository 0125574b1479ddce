#include "recording/read_parts.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

#include "recording/archive.h"
#include "weft/base/limits.h"

namespace weft::workbench {

uint64_t max_bytes(const Manifest& manifest, const std::string& name) {
  if (name == kManifest) return limits::kFileBytes;
  if (name == kManifestSum) return sum_of({}).size();
  const auto part = manifest.parts.find(name);
  return part != manifest.parts.end() ? part->second.bytes : 0;
}

bool is_part(const Manifest& manifest, const std::string& name, std::string_view bytes) {
  const auto part = manifest.parts.find(name);
  return part != manifest.parts.end() && part->second == part_of(bytes);
}

ReadParts::ReadParts(std::string path, const Manifest& manifest) : path_(std::move(path)), manifest_(manifest) {
  reading_ = std::async(std::launch::async | std::launch::deferred, [this] { read(); });
  if (reading_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) reading_.get();
}

ReadParts::~ReadParts() {
  given_up_ = true;
  if (reading_.valid()) reading_.wait();
}

std::optional<std::string> ReadParts::next() {
  std::unique_lock lock(mutex_);
  came_.wait(lock, [&] { return !read_.empty() || ended_; });
  if (read_.empty()) return std::nullopt;
  std::string out = std::move(read_.front());
  read_.pop_front();
  return out;
}

std::function<std::optional<std::string>()> ReadParts::states_again() const {
  return [path = path_, manifest = manifest_] {
    std::optional<std::string> out;
    static_cast<void>(read_archive(
        path, [](const std::string& name) { return name == kStates; },
        [&](const std::string& name) { return max_bytes(manifest, name); },
        [&](const std::string& name, std::string bytes) -> Result<bool> {
          if (is_part(manifest, name, bytes)) out = std::move(bytes);
          return false;
        }));
    return out;
  };
}

Diagnostics ReadParts::problems() {
  std::unique_lock lock(mutex_);
  came_.wait(lock, [&] { return ended_; });
  return problems_;
}

void ReadParts::read() {
  std::vector<std::string> order{kStates, kEvents, kObservers};
  size_t found = 0;
  auto done = read_archive(
      path_,
      [](const std::string& name) {
        return !name.starts_with(kProjectFolder) && name != kManifest && name != kManifestSum;
      },
      [&](const std::string& name) { return max_bytes(manifest_, name); },
      [&](const std::string& name, std::string bytes) -> Result<bool> {
        if (found >= order.size() || name != order[found] || !is_part(manifest_, name, bytes))
          return damaged_recording(path_, fmt::format("'{}' is not what was recorded", name));
        ++found;
        const std::lock_guard lock(mutex_);
        read_.push_back(std::move(bytes));
        came_.notify_one();
        return !given_up_;
      });
  const std::lock_guard lock(mutex_);
  if (!done)
    problems_ = std::move(done.error());
  else if (found != order.size() && !given_up_)
    problems_ = damaged_recording(path_, "its end is missing").value();
  ended_ = true;
  came_.notify_one();
}

}  // namespace weft::workbench
