#include "options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <csignal>

#include "print.h"
#include "weft/workbench/observation.h"

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

std::string limit_number(const std::string& text) {
  if (std::string wrong = whole_number(text); !wrong.empty()) return wrong;
  return text.find_first_not_of('0') == std::string::npos
             ? fmt::format("'{}' is a run of nothing: a limit is at least 1; leave it out for a run without one", text)
             : "";
}

CLI::Validator real_range(double least, double most) {
  const CLI::Range bounds(least, most);
  const auto check = [bounds](std::string& text) {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && std::isnan(value)) return fmt::format("'{}' is not a number", text);
    return bounds(text);
  };
  return {check, bounds.get_description()};
}

std::optional<std::pair<std::string, std::string>> key_and_value(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

bool is_history_name(std::string_view command, const std::string& path) {
  if (workbench::is_history_file(path)) return true;
  print_error("weft {}: --history {}: the name must end in .perfetto-trace, .pftrace or .pb (Perfetto), or .json\n",
              command, path);
  return false;
}

const std::atomic<bool>* watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);  // a build server ends a run so
  return &interrupted;
}

void forget_interrupts() { interrupted = false; }

}  // namespace weft::cli
