// weft test --mutate: changes the programs of the tests, and says which changes no test sees.
#pragma once

#include <string>
#include <vector>

#include "messages.h"
#include "weft/workbench/mutation.h"

namespace weft::cli {

struct MutateOptions {
  workbench::MutationOptions mutation;
  double floor = 90;
  bool quiet = false;
  std::vector<std::string> paths;
};

/// The exit status. `messages` learns which files were read.
int mutate(const workbench::TestPlan& plan, const MutateOptions& options, Messages& messages);
/// In quotes for a shell.
std::string shell_quoted(const std::string& text);

}  // namespace weft::cli
