// How much Weft takes from a file, in one place (docs/limits.md has the same table). Beyond a limit the input is
// refused with "input-limit" and its place; nothing near one is slow. A program or a project that needs more is a
// reason to raise it here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "weft/base/diagnostic.h"

namespace weft {

/// True when `out` has limits::kErrors errors; the last one says that what follows `at` is not looked at.
bool is_enough(Diagnostics& out, const SourceRange& at);

/// As read_file() of files.h, which takes limits::kFileBytes, with a limit of its own.
Result<std::string> read_file(const std::string& path, uint64_t max);
/// The same of read_source(), which takes limits::kSourceBytes.
Result<SourceFilePtr> read_source(const std::string& path, uint64_t max);

}  // namespace weft

namespace weft::limits {

/// Bytes of a text that a person may have written: microcode, configurations, rules, commands. Each line and word of it
/// is kept with its place, some fifty bytes for each byte that is read.
inline constexpr uint64_t kSourceBytes = 8ull << 20;
/// Bytes of another file that is read whole: JSON, tables of routes, words.
inline constexpr uint64_t kFileBytes = 64ull << 20;
/// Bytes of a capture that a recording takes along.
inline constexpr uint64_t kCaptureBytes = 2ull << 30;
/// Brackets inside each other in a JSON file.
inline constexpr unsigned kJsonNesting = 64;
/// Values in a JSON file.
inline constexpr size_t kJsonValues = 1'000'000;
/// Bytes of the paths of all values of a JSON file together: what long names of objects with many values cost.
inline constexpr uint64_t kJsonPathBytes = 256ull << 20;
/// Scopes inside each other in the outline of a file; deeper ones stand beside each other, so that its JSON is read by
/// whoever keeps to kJsonNesting.
inline constexpr size_t kOutlineNesting = 24;
/// Operators inside each other in an expression of --until, --control and breakpoints.
inline constexpr unsigned kExpressionDepth = 200;
/// Errors of one input; what follows is not looked at.
inline constexpr size_t kErrors = 5'000;
/// Bytes of the frames of one test, those that enter and those that are expected, each with kFrameCost for its record.
inline constexpr uint64_t kTestFrameBytes = 512ull << 20;
inline constexpr uint64_t kFrameCost = 256;
/// Characters of a name of a test, and of --filter: the work of a search grows with the product of the two.
inline constexpr size_t kTestName = 300, kTestFilter = 200;
/// Places of --filter with its counted repeats written out, which the work of a search grows with as well.
inline constexpr size_t kTestFilterPlaces = 1'000;
/// Bytes that a recording unpacks to by its manifest: kUnpackedFreely of any, more when the file has a
/// kUnpackedTimes-th of it.
inline constexpr uint64_t kUnpackedBytes = 8ull << 30;
inline constexpr uint64_t kUnpackedFreely = 1ull << 30;
inline constexpr uint64_t kUnpackedTimes = 100;

}  // namespace weft::limits
