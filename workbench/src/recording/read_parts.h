// The parts of a recording's run, read while its programs are built.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <string>

#include "recording/contents.h"
#include "recording/manifest.h"

namespace weft::workbench {

/// Bytes that a part may unpack to: what the manifest says, which comes first.
uint64_t max_bytes(const Manifest& manifest, const std::string& name);
/// Whether a part is what the manifest says.
bool is_part(const Manifest& manifest, const std::string& name, std::string_view bytes);

/// The parts of run/, read by a thread of its own while those who asked for them build the programs.
class ReadParts final : public PartSource {
 public:
  ReadParts(std::string path, const Manifest& manifest);
  ~ReadParts() override;
  ReadParts(const ReadParts&) = delete;
  ReadParts& operator=(const ReadParts&) = delete;

  std::optional<std::string> next() override;
  std::function<std::optional<std::string>()> states_again() const override;
  /// After the last part: what was wrong with the file, if anything was.
  Diagnostics problems();

 private:
  void read();

  const std::string path_;
  const Manifest manifest_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::string> read_;
  bool ended_ = false;
  std::atomic<bool> given_up_ = false;
  Diagnostics problems_;
  std::future<void> reading_;  ///< last: it uses all of the above
};

}  // namespace weft::workbench
