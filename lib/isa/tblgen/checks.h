// What the generator refuses. TableGen itself checks almost nothing about encodings.
#pragma once

#include "model.h"

namespace weft::tblgen {

struct CheckOptions {
  bool documentation = true;  ///< ask for doc strings and worked examples
};

void check(const Model& model, const CheckOptions& options, Report& report);

}  // namespace weft::tblgen
