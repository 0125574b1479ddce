// Names of files as the system understands them, and as they may be shown.
#include "weft/base/paths.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"

using namespace weft;
namespace fs = std::filesystem;

TEST_CASE("a path without links is as short as it can be") {
  Random random(1);
  const char* const parts[] = {".", "..", "a", "b", "", "c.d"};
  for (int i = 0; i < 3000; ++i) {
    std::string path = random.chance(1, 3) ? "/" : "";
    const size_t count = random.below(7);
    for (size_t n = 0; n < count; ++n) path += std::string(n == 0 ? "" : "/") + parts[random.below(6)];
    INFO("'" << path << "'");
    CHECK(tidy(path).string() == fs::path(path).lexically_normal().string());
  }
}

TEST_CASE("a link and what is above it: the folder above its target, as the system says") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "target/inner/deep");
  fs::create_directories(folder.path() / "here");
  fs::create_directory_symlink(folder.path() / "target/inner", folder.path() / "here/link");
  for (const char* name : {"here/link/..", "here/link/../inner", "here/./link/../../target", "here/link/deep/..",
                           "here/link/deep/../..", "here/../target/inner/..", "here/link/../inner/../../here"}) {
    const fs::path path = folder.path() / name;
    INFO(name);
    REQUIRE(fs::exists(path));
    CHECK(fs::canonical(tidy(path)) == fs::canonical(path));
    CHECK(tidy(path).string().find("/./") == std::string::npos);
  }
  CHECK(tidy(folder.path() / "here/link/../inner") == folder.path() / "here/link/../inner");
  CHECK(tidy(folder.path() / "here/../target") == folder.path() / "target");
}

TEST_CASE("what is printed holds no control characters") {
  CHECK(printable("plain \u00e4 \u4e16") == "plain \u00e4 \u4e16");
  for (const std::string bad : {"\x1b[31m", "\r", "\n", "\x7f", "\xff", "\b",
                                "\xc2\x9b"
                                "31m"}) {
    const std::string shown = printable("a" + bad + "b");
    for (const char c : shown) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
    CHECK(shown.find("\xc2\x9b") == std::string::npos);
    CHECK(shown.find("\xff") == std::string::npos);
    CHECK(shown.starts_with("a"));
    CHECK(shown.ends_with("b"));
  }
  CHECK(printable("\x1b\n\r\t\x7f\xff\xc2\x9b\xe2\x80\xae\xe2\x81\xa9") ==
        "\\x1b\\n\\r\\t\\u007f\\xff\\u009b\\u202e\\u2069");
  CHECK(printable("\xe2\x80\x93 \xe2\x86\x92 \xf0\x9f\x99\x82 \xc2\xa0") ==
        "\xe2\x80\x93 \xe2\x86\x92 \xf0\x9f\x99\x82 \xc2\xa0");
  CHECK(printable("\xe2\x80") == "\\xe2\\x80");
  CHECK(printable_lines("a\tb\r\nc\x1b") == "a\tb\\r\nc\\x1b");
  Diagnostics out;
  out.error("x", whole_file("evil\x1b]0;title\x07.uc"), "a \x1b[2J text", "do \x1b[1m");
  const std::string text = render_text(out);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\x07') == std::string::npos);
  CHECK(text.find("evil") != std::string::npos);
  // A name in a message begins no line.
  Diagnostics forged;
  forged.error("x", whole_file("a\nFORGED"), "there is no 'a\nFORGED: error: b'", "write\nFORGED");
  CHECK(render_text(forged).find("\nFORGED") == std::string::npos);
  CHECK(render_github(out).find('\x1b') == std::string::npos);
}
