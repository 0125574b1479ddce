// How long tests wait for what must come. These are ends, not measures: only a test that fails ever comes there, so
// they are the same on a slow machine, on a busy one and under sanitizers.
#pragma once

#include <QTest>

namespace weft::ide::test {

/// For what the machine, the assembler or a window does at last, in milliseconds.
constexpr int kLong = 120'000;

}  // namespace weft::ide::test

// Qt gives five seconds where no time is named, which says more about the machine than about the program.
#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT((expression), weft::ide::test::kLong)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT((actual), (expected), weft::ide::test::kLong)
