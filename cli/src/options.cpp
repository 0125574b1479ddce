#include "options.h"

#include <fmt/format.h>

#include <charconv>
#include <csignal>

namespace weft::cli {

namespace {

std::atomic<bool> interrupted{false};  // set by the signal handler, which may touch nothing else
extern "C" void on_interrupt(int) { interrupted = true; }

}  // namespace

std::string whole_number(const std::string& text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return stop == end && error == std::errc() && !text.empty() ? "" : fmt::format("'{}' is not a whole number", text);
}

std::optional<std::pair<std::string, std::string>> key_and_value(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

const std::atomic<bool>* watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);  // a build server ends a run so
  return &interrupted;
}

}  // namespace weft::cli
