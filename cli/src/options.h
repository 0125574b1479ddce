// What several commands do with their command line.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>

namespace weft::cli {

/// For CLI11, which would take "-1" as the number 2^64 - 1: empty, or what is wrong.
std::string whole_number(const std::string& text);
/// The parts of KEY=VALUE; nothing without a key.
std::optional<std::pair<std::string, std::string>> key_and_value(const std::string& text);
/// From now on Ctrl-C sets this instead of ending the process.
const std::atomic<bool>* watch_interrupts();

}  // namespace weft::cli
