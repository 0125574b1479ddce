// A case that cannot run here says so: ctest then reports it as skipped, not as passed (exit status 77 of a program
// that has run skipped cases only). What may be skipped is listed in tests/skips.txt; .ci/run fails when a skip is new.
#pragma once

#include <string>

namespace weft {

/// Marks the running case as skipped for the reason `why`; the case then returns: `if (!there) return
/// skip_test("...");`. A case that also fails has failed.
void skip_test(const std::string& why);

}  // namespace weft
