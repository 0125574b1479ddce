// What several commands do with their command line.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <optional>
#include <string>
#include <utility>

namespace weft::cli {

/// For CLI11, which would take "-1" as the number 2^64 - 1: empty, or what is wrong.
std::string whole_number(const std::string& text);
/// The same for a limit, of which 0 would be none.
std::string limit_number(const std::string& text);
/// A real number between bounds. CLI::Range takes "nan" too, which is outside of none.
CLI::Validator real_range(double least, double most);
/// The parts of KEY=VALUE; nothing without a key.
std::optional<std::pair<std::string, std::string>> key_and_value(const std::string& text);
/// Whether --history can be written to such a name; otherwise standard error says why. `command`: "run".
bool is_history_name(std::string_view command, const std::string& path);
/// From now on Ctrl-C sets this instead of ending the process.
const std::atomic<bool>* watch_interrupts();
/// Ctrl-C that came before now does not count.
void forget_interrupts();

}  // namespace weft::cli
