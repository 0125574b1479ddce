// The JSON form: everything survives, and what is wrong is reported at its place.
#include "weft/base/json.h"

#include <catch2/catch.hpp>

#include "weft/image/image.h"

using namespace weft;
using image::Image;
using image::Mark;

namespace {

Image example() {
  Image i;
  i.name = "forward \"quoted\"";
  i.contexts = 4;
  i.nn_self = true;
  i.lm_absolute = {false, true};
  i.words = {0xf0000c0300, 0xe000020000, 0xffffffffff};
  i.files = {"forward.uc", "macros.uc"};
  i.lines = {{{0, 1, 3}, {}}, {{1, 20, 5}, {{"inner", {1, 30, 1}}, {"outer", {0, 2, 1}}}}, {{0, 3, 1}, {}}};
  i.labels = {{"start#", 0}, {"end#", 3}};
  i.registers = {{"temp", image::RegisterKind::gpr, isa::Bank::b, 12, 0, 2},
                 {"$x", image::RegisterKind::xfer_s_read, isa::Bank::none, 3, 1, 3}};
  i.signals = {{"done", 4, true, 1, 2}};
  i.marks = {{Mark::Kind::block, "rx", 0}, {Mark::Kind::drop, "ttl", 1}, {Mark::Kind::block, "tx", 2}};
  i.memory = {{"table", image::Region::sram1, true, 4096, 64, std::nullopt}};
  i.inits = {{"table", 8, -1, {1, 0xffffffff}}, {"temp", 0, 3, {7}}};
  i.imports = {"i$base"};
  i.uses = {{"i$base", 0, image::ImportUse::Part::high16, -4}};
  return i;
}

Result<Image> read(const std::string& text) { return image::from_json(make_source("test.json", text)); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("an Image survives the way through JSON") {
  const Image before = example();
  const auto after = read(image::to_json(before));
  REQUIRE(after);
  CHECK(after->name == before.name);
  CHECK(after->chip == "ixp2400");
  CHECK(after->contexts == 4);
  CHECK(after->nn_self);
  CHECK(after->lm_absolute == std::array<bool, 2>{false, true});
  CHECK(after->words == before.words);
  CHECK(after->files == before.files);
  REQUIRE(after->lines.size() == 3);
  CHECK(after->lines[1].place.line == 20);
  REQUIRE(after->lines[1].macros.size() == 2);
  CHECK(after->lines[1].macros[1].first == "outer");
  CHECK(after->lines[1].macros[1].second.file == 0);
  REQUIRE(after->labels.size() == 2);
  CHECK(after->labels[1].address == 3);
  REQUIRE(after->registers.size() == 2);
  CHECK(after->registers[0].bank == isa::Bank::b);
  CHECK(after->registers[0].number == 12);
  CHECK(after->registers[1].kind == image::RegisterKind::xfer_s_read);
  CHECK(after->registers[1].end == 3);
  REQUIRE(after->signals.size() == 1);
  CHECK(after->signals[0].doubled);
  REQUIRE(after->marks.size() == 3);
  CHECK(after->marks[1].kind == Mark::Kind::drop);
  REQUIRE(after->memory.size() == 1);
  CHECK(after->memory[0].region == image::Region::sram1);
  CHECK(after->memory[0].align == 64);
  REQUIRE(after->inits.size() == 2);
  CHECK(after->inits[0].values == std::vector<uint32_t>{1, 0xffffffff});
  CHECK(after->inits[1].context == 3);
  CHECK(after->imports == before.imports);
  REQUIRE(after->uses.size() == 1);
  CHECK(after->uses[0].addend == -4);
  CHECK(after->uses[0].part == image::ImportUse::Part::high16);
  // The same text again: nothing was lost that the writer knows.
  CHECK(image::to_json(*after) == image::to_json(before));
}

TEST_CASE("an empty Image survives too") {
  const auto after = read(image::to_json(Image{}));
  REQUIRE(after);
  CHECK(after->words.empty());
  CHECK(after->contexts == 8);
}

TEST_CASE("an unknown version is refused") {
  const auto r = read(replaced(image::to_json(example()), "\"version\": 1", "\"version\": 2"));
  REQUIRE_FALSE(r);
  REQUIRE(r.error().size() == 1);
  CHECK(r.error().list()[0].code == "image-version");
  CHECK(r.error().list()[0].range.begin.line == 3);
}

TEST_CASE("faults are reported where they stand, all at once") {
  std::string text = image::to_json(example());
  text = replaced(text, "\"number\": 12", "\"number\": 1200");
  text = replaced(text, "\"kind\": \"drop\"", "\"kind\": \"dropp\"");
  text = replaced(text, "f0000c0300", "g0000c0300");
  const auto r = read(text);
  REQUIRE_FALSE(r);
  REQUIRE(r.error().size() == 3);
  for (const Diagnostic& d : r.error()) {
    CHECK(d.range.file->name() == "test.json");
    CHECK(d.range.begin.line > 3);
  }
  CHECK(r.error().list()[0].text.find("g0000c0300") != std::string::npos);
  CHECK(r.error().list()[2].remedy.find("drop") != std::string::npos);
}

TEST_CASE("impossible contents are refused") {
  const std::string good = image::to_json(example());
  const auto [from, to] = GENERATE(table<std::string, std::string>({
      {"\"ffffffffff\"", "\"1ffffffffff\""},  // 41 bits
      {"\"contexts\": 4", "\"contexts\": 5"},
      {"[0, 3, 1]", "[7, 3, 1]"},  // no such file
      {"[0, 3, 1]", "[0, 3]"},
      {"\"address\": 3}", "\"address\": 4}"},  // label after the end
      {"\"bank\": \"b\", ", ""},
      {"\"align\": 64", "\"align\": 48"},
      {"\"words\"", "\"wordz\""},
      {"\"name\": \"i$base\", ", ""},
      {"\"context\": 3", "\"context\": 8"},
  }));
  CAPTURE(from, to);
  CHECK_FALSE(read(replaced(good, from, to)));
}

TEST_CASE("foreign and broken JSON is refused") {
  CHECK_FALSE(read("[]"));
  CHECK_FALSE(read("{}"));
  CHECK_FALSE(read("{\"format\": \"other\", \"version\": 1}"));
  CHECK_FALSE(read("{\"format\": \"weft-image\", \"version\": 1"));
  CHECK_FALSE(image::read_image("/nonexistent/image.json"));
}

TEST_CASE("every shortened text is refused without a crash") {
  const std::string text = image::to_json(example());
  for (size_t n = 0; n + 2 < text.size(); n += 3) CHECK_FALSE(read(text.substr(0, n)));
}

TEST_CASE("mark_at finds the last mark of its kind at or before an address") {
  const Image i = example();
  CHECK(image::mark_at(i, 1, Mark::Kind::block)->text == "rx");
  CHECK(image::mark_at(i, 2, Mark::Kind::block)->text == "tx");
  CHECK(image::mark_at(i, 2, Mark::Kind::drop)->text == "ttl");
  CHECK(image::mark_at(i, 0, Mark::Kind::drop) == nullptr);
  CHECK(image::mark_at(i, 2, Mark::Kind::stage) == nullptr);
}
