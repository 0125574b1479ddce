// What checks have found in a run, as tests ask for it.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "weft/emulator/observers/checks.h"

namespace weft::test {

struct Found {
  std::unique_ptr<emulator::Checks> checks;

  std::vector<std::string> of(emulator::Check check) const {
    std::vector<std::string> out;
    for (const emulator::Finding& f : checks->findings())
      if (f.check == check) out.push_back(f.text);
    return out;
  }
  std::string only(emulator::Check check) const {
    for (const emulator::Finding& f : checks->findings()) UNSCOPED_INFO(check_name(f.check) << ": " << f.text);
    REQUIRE(checks->findings().size() == 1);
    REQUIRE(checks->findings()[0].check == check);
    return checks->findings()[0].text;
  }
  void silent() const {
    for (const emulator::Finding& f : checks->findings()) UNSCOPED_INFO(check_name(f.check) << ": " << f.text);
    CHECK(checks->findings().empty());
  }
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace weft::test
