// Programs that were assembled before are not assembled again, unless something of them has changed.
#include "project/image_store.h"

#include "folder.h"
#include "project/build.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

std::string project_with(const std::string& defines) {
  return R"({"version": 1, "board": "generic-2400",
             "programs": [{"source": "p.uc", "engines": [0])" +
         defines + "}]}";
}

/// A program that begins with these lines, and a file that it may include.
void write_program(const Folder& folder, const std::string& lines) {
  folder.write("weft.json", project_with(""));
  folder.write("part.uc", "nop\n");
  folder.write("p.uc", lines + "ctx_arb[kill]\n");
}

struct Made {
  std::string image;
  size_t assembled = 0;  ///< that were kept by it
  size_t warnings = 0;
  std::vector<std::string> files;
};

Made make(const Folder& folder, ImageStore& store) {
  const auto project = folder.load();
  REQUIRE(project);
  std::vector<std::string> read;
  const auto built = build(*project, &read, &store);
  REQUIRE(built);
  return {image::to_json(built->chips[0].programs[0]->image), store.fresh().size(), built->warnings.size(), read};
}

}  // namespace

TEST_CASE("a program is assembled once for many machines") {
  const Folder folder;
  write_program(folder, "#include \"part.uc\"\n");
  ImageStore store;
  const Made first = make(folder, store);
  CHECK(first.assembled == 1);
  CHECK(first.files.size() == 2);
  const Made second = make(folder, store);
  CHECK(second.assembled == 0);
  CHECK(second.image == first.image);
  CHECK(second.files == first.files);  // they count as read
}

TEST_CASE("a program is assembled again when a file, a definition or its text has changed") {
  const Folder folder;
  write_program(folder, "#ifndef LONG\n#include \"part.uc\"\n#endif\n");
  ImageStore store;
  const Made first = make(folder, store);
  folder.write("part.uc", "nop\nnop\n");
  const Made included = make(folder, store);
  CHECK(included.assembled == 1);
  CHECK(included.image != first.image);
  folder.write("weft.json", project_with(R"(, "define": {"LONG": 1})"));
  const Made defined = make(folder, store);
  CHECK(defined.assembled == 1);
  CHECK(defined.image != included.image);
  folder.write("weft.json", project_with(""));
  CHECK(make(folder, store).assembled == 0);  // both are kept
}

TEST_CASE("a program with warnings is assembled for everybody, so that everybody is warned") {
  const Folder folder;
  folder.write("weft.json", project_with(""));
  folder.write("p.uc", "#warning not yet measured\nctx_arb[kill]\n");
  ImageStore store;
  const Made first = make(folder, store), second = make(folder, store);
  CHECK(first.warnings == 1);
  CHECK(second.warnings == 1);
  CHECK(first.assembled == 0);
}

TEST_CASE("what is kept has an end: the oldest image goes") {
  ImageStore store;
  for (int i = 0; i < 100; ++i) store.keep({std::to_string(i), {}, {}});
  CHECK(store.find("0") == nullptr);
  CHECK(store.find("99") != nullptr);
  CHECK(store.fresh().size() < 100);
  CHECK(store.fresh().empty());
}
