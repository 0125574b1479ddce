// How a child tells its parent what came out of a case.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "project/image_store.h"
#include "weft/workbench/testing.h"

namespace weft::workbench::testing {

std::string to_wire(const CaseOutcome& outcome);
/// Everything but file and name. False when the text is not whole.
bool from_wire(const std::string& text, CaseOutcome& outcome);

/// Names of files, in one line.
std::string to_wire(const std::vector<std::string>& files);
void add_from_wire(const std::string& text, std::set<std::string>& files);

/// An Image that was made for a case, in one line. The store keeps it for others.
std::string to_wire(const AssembledImage& image);
void add_from_wire(const std::string& text, ImageStore& store);

}  // namespace weft::workbench::testing
