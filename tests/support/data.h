// Files that tests compare with (tests/data/README.md): those of the repository, then those that may not be passed on.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace weft::test {

/// The file or folder `name`, as tests/data/README.md calls it; nothing when it is not on this machine.
inline std::optional<std::string> data_file(const std::string& name) {
  namespace fs = std::filesystem;
  const std::string top = WEFT_SOURCE_DIR, tables = top + "/examples/dual-stack-router/bench/tables/";
  if (name == "routes/standin_maewest_28895_ipv4.txt") return tables + "ipv4.txt";
  if (name == "routes/standin_as4554_1200_ipv6.txt") return tables + "ipv6.txt";
  if (fs::exists(top + "/tests/data/" + name)) return top + "/tests/data/" + name;
  const char* more = std::getenv("WEFT_TEST_DATA");
  const std::string outside = (more != nullptr ? std::string(more) : top + "/../shared/data") + "/" + name;
  if (fs::exists(outside)) return outside;
  return std::nullopt;
}

/// What a case says that skips because data_file(name) is nothing.
inline std::string no_data(const std::string& name) {
  return name + " is neither in tests/data nor in the folder that WEFT_TEST_DATA names";
}

}  // namespace weft::test
