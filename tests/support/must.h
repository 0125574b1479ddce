// The value of a result that a test needs; without it the test fails with the diagnostics as a user sees them.
#pragma once

#include <catch2/catch.hpp>
#include <utility>

#include "weft/base/render.h"

namespace weft {

template <class T>
T must(Result<T> result) {
  if (!result) FAIL(render_text(result.error()));
  return std::move(*result);
}

}  // namespace weft
