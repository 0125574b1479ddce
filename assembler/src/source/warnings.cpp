#include "weft/assembler/warnings.h"

#include <algorithm>
#include <array>

namespace weft::assembler {
namespace {

std::string_view class_of(std::string_view code) {
  if (code.starts_with("asm-")) code.remove_prefix(4);
  return code;
}

}  // namespace

std::span<const std::string_view> quiet_warnings() {
  static constexpr std::array<std::string_view, 5> quiet = {"asm-spill", "asm-unreachable", "asm-unused-label",
                                                            "asm-unused-register", "asm-unused-signal"};
  return quiet;
}

WarningOptions::Class& WarningOptions::of(std::string_view name) { return classes_[std::string(class_of(name))]; }

const WarningOptions::Class* WarningOptions::find(const std::string& code) const {
  const auto found = classes_.find(std::string(class_of(code)));
  return found == classes_.end() ? nullptr : &found->second;
}

bool WarningOptions::add(std::string_view text) {
  const bool off = text.starts_with("no-");
  if (off) text.remove_prefix(3);
  if (text == "all") {
    all_ = !off;
    none_ = off;
  } else if (text == "error") {
    error_ = !off;
  } else if (text.starts_with("error=")) {
    text.remove_prefix(6);
    if (text.empty()) return false;
    of(text).error = !off;
    if (!off) of(text).on = true;
  } else if (!text.empty()) {
    of(text).on = !off;
  } else {
    return false;
  }
  return true;
}

Diagnostics WarningOptions::apply(const Diagnostics& all) const {
  return all.changed([this](Diagnostic& d) {
    if (d.severity != Severity::warning) return true;
    const auto quiet = quiet_warnings();
    const Class* named = find(d.code);
    bool on = !none_ && (all_ || std::find(quiet.begin(), quiet.end(), d.code) == quiet.end());
    if (named && named->on) on = *named->on;
    if (on && (named && named->error ? *named->error : error_)) d.severity = Severity::error;
    return on;
  });
}

std::vector<std::string> WarningOptions::named() const {
  std::vector<std::string> out;
  for (const auto& [name, state] : classes_) out.push_back(name);
  return out;
}

}  // namespace weft::assembler
