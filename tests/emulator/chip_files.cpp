// Chip and board files: the ones that ship, and what is said about wrong ones.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "units_support.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::emulator;

namespace {

std::string text_of(const std::string& path) { return *read_file(WEFT_SOURCE_DIR "/emulator/" + path); }

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

std::set<std::string> codes(const Diagnostics& diagnostics) {
  std::set<std::string> out;
  for (const Diagnostic& d : diagnostics) {
    CHECK(d.range);
    CHECK(d.range.begin.line > 0);
    out.insert(d.code);
  }
  return out;
}

std::set<std::string> chip_codes(const std::string& what, const std::string& with) {
  auto document = JsonDocument::parse(make_source("wrong.json", replaced(text_of("chips/ixp2400.json"), what, with)));
  REQUIRE(document);
  auto chip = read_chip(*document);
  return chip ? std::set<std::string>{} : codes(chip.error());
}

std::set<std::string> board_codes(const std::string& what, const std::string& with) {
  auto document =
      JsonDocument::parse(make_source("wrong.json", replaced(text_of("boards/generic-2400.json"), what, with)));
  REQUIRE(document);
  auto out = read_board(*document, data_folders());
  return out ? std::set<std::string>{} : codes(out.error());
}

}  // namespace

TEST_CASE("ixp2400 is what the papers say") {
  const BoardDescription b = board();
  const ChipDescription& chip = b.chips.at(0).chip;
  CHECK(chip.engines == 8);
  CHECK(chip.contexts == 8);
  CHECK(chip.engine_numbers == std::vector<uint8_t>{0, 1, 2, 3, 0x10, 0x11, 0x12, 0x13});
  CHECK(chip.engine.control_store == 4096);
  CHECK(chip.scratch.bytes == 16384);
  // 1/6 ns: 600 MHz = 10 ticks, 200 = 30, 150 = 40, 133 1/3 = 45, a byte at 1 Gb/s = 48.
  CHECK(b.ticks_per_second == 6'000'000'000);
  CHECK(chip.engine.period == 10);
  CHECK(b.chips[0].sram.at(1).period == 30);
  CHECK(b.chips[0].dram.period == 40);
  CHECK(b.chips[0].media.period == 45);
  CHECK(b.chips[0].ports.at(3).byte_ticks == 48);
  CHECK(b.chips[0].sram[0].bytes == 64u << 20);
  CHECK(b.chips[0].dram.bytes == 512u << 20);
  CHECK(b.chips[0].ports.size() == 4);
}

TEST_CASE("enp2611 has the memory and ports of the Ghent board") {
  const BoardDescription b = board("enp2611");
  for (const PortDescription& port : b.chips[0].ports) CHECK(port.hands_over_fcs);
  const BoardDescription other = board("generic-2400");
  for (const PortDescription& port : other.chips[0].ports) CHECK_FALSE(port.hands_over_fcs);
  CHECK(b.chips.at(0).ports.size() == 3);
  CHECK(b.chips[0].sram[0].bytes + b.chips[0].sram[1].bytes == 8u << 20);
  CHECK(b.chips[0].dram.bytes == 256u << 20);
}

TEST_CASE("ixp1200 is what datasheet and thesis say, in three variants") {
  for (const auto& [name, words, sram, sdram] :
       {std::tuple{"ixp1200", 2048u, 22u, 46u}, std::tuple{"ixp1200-a", 1024u, 22u, 46u},
        std::tuple{"ixp1200-nctu", 1024u, 30u, 55u}}) {
    const auto chip = load_chip(name, data_folders());
    REQUIRE(chip);
    CHECK(chip->profile == weft::isa::Profile::me1);
    CHECK(chip->engines == 6);
    CHECK(chip->contexts == 4);
    CHECK(chip->engine.contexts == 4);
    CHECK(chip->engine.profile == weft::isa::Profile::me1);
    CHECK(chip->engine.control_store == words);
    CHECK(chip->sram.timing.unloaded == sram);
    CHECK(chip->dram.timing.unloaded == sdram);
    CHECK(chip->scratch.bytes == 4096);
  }
  const BoardDescription b = board("nctu-1200");
  CHECK(b.chips.at(0).chip.name == "ixp1200-nctu");
  CHECK(b.chips[0].chip.engine.period == 5);  // 200 MHz in nanoseconds
  CHECK(b.chips[0].sram.at(0).period == 10);
  CHECK(b.chips[0].dram.period == 10);
  CHECK(b.chips[0].media.period == 15);
  CHECK(b.chips[0].sram[0].bytes == 2u << 20);
  CHECK(board("generic-1200").chips.at(0).chip.name == "ixp1200");
}

TEST_CASE("a chip file of the IXP1200 is checked as the others are") {
  const auto codes_of = [](const std::string& what, const std::string& with) {
    auto document = JsonDocument::parse(make_source("wrong.json", replaced(text_of("chips/ixp1200.json"), what, with)));
    REQUIRE(document);
    auto chip = read_chip(*document);
    return chip ? std::set<std::string>{} : codes(chip.error());
  };
  using Codes = std::set<std::string>;
  CHECK(codes_of("\"me1\"", "\"me1\"").empty());
  CHECK(codes_of("\"unloaded_write\": {\"value\": 34", "\"unloaded_write\": {\"value\": 35") == Codes{"chip-latency"});
  CHECK(codes_of("\"locks\": {\"value\": 8, ", "\"locks\": {\"value\": 0, ") == Codes{"json-wrong-value"});
  CHECK(codes_of("\"contexts\": {\"value\": 4, ", "\"contexts\": {\"value\": 5, ") == Codes{"json-wrong-value"});
  CHECK(codes_of("{\"value\": 2048, \"source\": \"Intel", "{\"value\": 4096, \"source\": \"Intel") ==
        Codes{"json-wrong-value"});
  CHECK(codes_of("\"sdram\": {", "\"dram\": {") == Codes{"json-unknown-name", "json-missing"});
  // What the generation decides: its units are others.
  CHECK(codes_of("\"profile\": \"me1\"", "\"profile\": \"me2\"") == Codes{"json-unknown-name", "json-missing"});
}

TEST_CASE("signals of the chips that ship take as long as the table of local CSRs says, and so without a chip") {
  const auto cycles = [](isa::Csr csr) {
    return static_cast<unsigned>(isa::find_csr(isa::Profile::me2, static_cast<uint32_t>(csr))->use_latency);
  };
  const auto check = [&](const EngineTiming& timing) {
    CHECK(timing.same_me_signal == cycles(isa::Csr::same_me_signal));
    CHECK(timing.neighbor_signal == cycles(isa::Csr::next_neighbor_signal));
    CHECK(timing.neighbor_signal == cycles(isa::Csr::prev_neighbor_signal));
    CHECK(timing.neighbor_write <= isa::sizes(isa::Profile::me2).neighbor_latency);
  };
  check(EngineTiming{});
  for (const char* name : {"ixp2400", "ixp2800"}) {
    const auto chip = load_chip(name, data_folders());
    REQUIRE(chip);
    check(chip->engine);
  }
}

TEST_CASE("every number of every description carries a source") {
  size_t numbers = 0;
  for (const std::string& name : list_descriptions(DescriptionKind::chip, data_folders())) {
    auto chip = load_chip(name, data_folders());
    REQUIRE(chip);
    CHECK(chip->name == name);
    for (const SourcedNumber& number : chip->numbers) CHECK_FALSE(number.source.empty());
    numbers += chip->numbers.size();
  }
  for (const std::string& name : list_descriptions(DescriptionKind::board, data_folders())) {
    const BoardDescription b = board(name);
    CHECK(b.name == name);
    for (const SourcedNumber& number : b.numbers) CHECK_FALSE(number.source.empty());
    numbers += b.numbers.size();
  }
  CHECK(numbers > 100);
}

TEST_CASE("mistakes in a chip file are named where they are") {
  using Codes = std::set<std::string>;
  CHECK(chip_codes("\"near_full_percent\"", "\"near_ful_percent\"") == Codes{"json-unknown-name", "json-missing"});
  CHECK(chip_codes(R"("rings": {"value": 16, "source": "IXP2800 HRM p. 230"})", R"("rings": 16)") ==
        Codes{"chip-source"});
  CHECK(chip_codes(R"({"value": 16, "source": "IXP2800 HRM p. 230"})", R"({"value": 16})") == Codes{"chip-source"});
  CHECK(chip_codes(R"({"value": 16, "source": "IXP2800 HRM p. 230"})", R"({"value": 99, "source": "x"})") ==
        Codes{"json-wrong-value"});
  CHECK(chip_codes(R"({"value": 90, )", R"({"value": 91, )") == Codes{"chip-latency"});
  CHECK(chip_codes(R"({"value": 90, )", R"({"value": "ninety", )") == Codes{"json-wrong-value"});
  CHECK(chip_codes("[0, 1, 2, 3, 16, 17, 18, 19]", "[0, 1, 2, 3]") == Codes{"chip-range"});
  CHECK(chip_codes("[0, 1, 2, 3, 16, 17, 18, 19]", "[0, 2, 1, 3, 16, 17, 18, 19]") == Codes{"chip-range"});
  CHECK(chip_codes("weft-chip", "weft-board") == Codes{"chip-format"});
  CHECK(chip_codes("\"version\": 1", "\"version\": 2") == Codes{"chip-format"});
  CHECK(chip_codes("\"profile\": \"me2\"", "\"profile\": \"me9\"") == Codes{"json-wrong-value"});
  const std::string interval =
      R"("refresh_interval": {"value": 0, "source": "chosen: off, as the vendor's simulator (AN301144 p. 9); a row each 7.8 us is 4680 cycles"},
      "refresh_cycles": {"value": )";
  const std::string shorter = R"("refresh_interval": {"value": 100, "source": "x"}, "refresh_cycles": {"value": )";
  CHECK(chip_codes(interval + "0", shorter + "99").empty());
  CHECK(chip_codes(interval + "0", shorter + "100") == Codes{"chip-range"});
  CHECK(chip_codes(R"("row_bytes": {"value": 2048,)", R"("row_bytes": {"value": 64,)") == Codes{"json-wrong-value"});
  CHECK(chip_codes("me2", "me2").empty());
}

TEST_CASE("mistakes in a board file are named where they are") {
  using Codes = std::set<std::string>;
  CHECK(board_codes(R"("ticks_per_ns": {"value": 6,)", R"("ticks_per_ns": {"value": 4,)") == Codes{"board-clock"});
  CHECK(board_codes("\"400/3\"", "\"400/0\"") == Codes{"json-wrong-value"});
  CHECK(board_codes("{\"value\": 600,", "{\"value\": 1200,") == Codes{"chip-range"});
  CHECK(board_codes("\"channel\": 1", "\"channel\": 0") == Codes{"board-port"});
  CHECK(board_codes("\"gigabit1\"", "\"gigabit0\"") == Codes{"board-port"});
  CHECK(board_codes("02:00:00:00:00:01", "02:00:00:00:01") == Codes{"board-port"});
  CHECK(board_codes("\"64M\"", "\"65M\"") == Codes{"json-wrong-value"});
  CHECK(board_codes("\"value\": 64,", "\"value\": 96,") == Codes{"chip-range"});
  CHECK(board_codes("\"64M\"", "\"64M\"").empty());
}

TEST_CASE("an impossible clock comes with the tick that makes it possible") {
  auto document = JsonDocument::parse(make_source(
      "b.json", replaced(text_of("boards/generic-2400.json"), "{\"value\": 200, \"source\": \"ITJ 2003: QDR",
                         "{\"value\": 7, \"source\": \"ITJ 2003: QDR")));
  REQUIRE(document);
  auto out = read_board(*document, data_folders());
  REQUIRE_FALSE(out);
  REQUIRE(out.error().size() == 1);
  CHECK(out.error().list()[0].remedy.find("\"ticks_per_ns\": 42") != std::string::npos);
}

namespace {

// The reader accepts a shipped file without missing or unknown members, so the names of one that says everything are
// all the names there are.
void compare_names(const nlohmann::json& value, const nlohmann::json& schema, const std::string& where,
                   bool all = true) {
  if (value.is_array() && value.empty()) return;
  if (value.is_array() && schema.contains("items")) {
    for (const auto& item : value) compare_names(item, schema.at("items"), where + "[]", all);
    return;
  }
  if (!value.is_object() || schema.contains("$ref")) return;  // a sourced number
  std::set<std::string> there, described, required;
  for (const auto& item : value.items()) there.insert(item.key());
  for (const auto& item : schema.at("properties").items()) described.insert(item.key());
  for (const auto& name : schema.at("required")) required.insert(name.get<std::string>());
  INFO(where);
  if (all) CHECK(there == described);
  CHECK(std::includes(described.begin(), described.end(), there.begin(), there.end()));
  CHECK(std::includes(there.begin(), there.end(), required.begin(), required.end()));
  for (const auto& item : value.items())
    if (schema.at("properties").contains(item.key()))
      compare_names(item.value(), schema.at("properties").at(item.key()), where + "/" + item.key(), all);
}

}  // namespace

TEST_CASE("the published schemas describe what the readers take") {
  const auto parse = [](const std::string& path) {
    return nlohmann::json::parse(*read_file(WEFT_SOURCE_DIR + path), nullptr, true, true);
  };
  const auto chips = parse("/docs/schemas/chip.schema.json").at("$defs");
  compare_names(parse("/emulator/chips/ixp2400.json"), chips.at("me2"), "chip of me2");
  compare_names(parse("/emulator/chips/ixp1200.json"), chips.at("me1"), "chip of me1");
  compare_names(parse("/emulator/boards/itj-dual-2400.json"), parse("/docs/schemas/board.schema.json"),
                "board of two chips");
  for (const std::string& name : list_descriptions(DescriptionKind::board, data_folders()))
    compare_names(parse("/emulator/boards/" + name + ".json"), parse("/docs/schemas/board.schema.json"), name, false);
}

TEST_CASE("a variant says only what differs, and every number knows its file") {
  const auto base = load_chip("ixp1200", data_folders()), variant = load_chip("ixp1200-nctu", data_folders());
  REQUIRE(base);
  REQUIRE(variant);
  CHECK(base->based_on.empty());
  CHECK(base->family == base->name);
  CHECK(variant->based_on == "ixp1200-a");
  CHECK(variant->family == "ixp1200");
  REQUIRE(variant->numbers.size() == base->numbers.size());
  std::map<std::string, size_t> by_file;
  size_t different = 0;
  for (size_t i = 0; i < base->numbers.size(); ++i) {
    const SourcedNumber &a = base->numbers[i], &b = variant->numbers[i];
    CHECK(a.path == b.path);
    const std::string file = std::filesystem::path(b.file).stem().string();
    ++by_file[file];
    if (file == "ixp1200")
      CHECK((a.value == b.value && a.source == b.source));
    else
      ++different;
  }
  CHECK(by_file["ixp1200-a"] == 1);
  CHECK(by_file["ixp1200-nctu"] == 8);
  CHECK(different == 9);
}

TEST_CASE("mistakes in a variant are named where they are") {
  const std::string folder = std::string(WEFT_BINARY_DIR) + "/chip_variants";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& rest) {
    REQUIRE(write_file(
        folder + "/" + name,
        "{\"format\": \"weft-chip\", \"version\": 1, \"name\": \"x\", \"summary\": \"x\",\n" + rest + "}\n"));
  };
  const auto anywhere = [&](const std::string& rest) {
    write("x.json", rest);
    const auto chip = load_chip(folder + "/x.json", data_folders());
    REQUIRE_FALSE(chip);
    REQUIRE(chip.error().size() == 1);
    return chip.error().list()[0];
  };
  const auto problem = [&](const std::string& rest) {
    const Diagnostic d = anywhere(rest);
    CHECK(d.range.begin.line == 2);
    CHECK(d.range.file->name() == folder + "/x.json");
    return d;
  };
  write("good.json", R"("based_on": "ixp2400", "engines": {"contexts": {"value": 4, "source": "a study"}})");
  const auto good = load_chip(folder + "/good.json", data_folders());
  REQUIRE(good);
  CHECK(good->contexts == 4);
  CHECK(good->engines == 8);

  CHECK(problem(R"("based_on": "ixp240")").code == "description-missing");
  CHECK(problem(R"("based_on": "ixp240")").remedy.find("ixp2400") != std::string::npos);
  const Diagnostic missing = anywhere(R"("based_on": "none.json")");
  CHECK(missing.code == "file-missing");
  CHECK(missing.notes.at(0).range.file->name() == folder + "/x.json");
  CHECK(problem(R"("based_on": "x.json")").code == "chip-base");
  // A longer circle is reported where it closes.
  write("y.json", R"("based_on": "x.json")");
  const Diagnostic circle = anywhere(R"("based_on": "y.json")");
  CHECK(circle.code == "chip-base");
  CHECK(circle.range.file->name() == folder + "/y.json");
  CHECK(circle.text.find("y.json > ") != std::string::npos);
  CHECK(circle.notes.at(0).range.file->name() == folder + "/x.json");
  CHECK(problem(R"("based_on": "ixp2400", "profile": "me1")").code == "chip-base");
  CHECK(problem(R"("based_on": "ixp2400", "engines": {"context": {"value": 4, "source": "x"}})").code ==
        "json-unknown-name");
  // The base's source does not say where this number is from.
  CHECK(problem(R"("based_on": "ixp2400", "engines": {"contexts": {"value": 4}})").code == "chip-source");
  CHECK(anywhere(R"("based_on": "ixp2400", "units": {"scratch": {"access": {"value": 9, "source": "x"}}})").code ==
        "chip-latency");
  // What contradicts the base is said where the variant says it.
  const Diagnostic count = problem(R"("based_on": "ixp2400", "engines": {"count": {"value": 1, "source": "x"}})");
  CHECK(count.code == "chip-range");
  CHECK(count.text == "8 numbers for 1 engine");
  CHECK(count.remedy.find("\"numbers\"") != std::string::npos);
  REQUIRE(count.notes.size() == 1);
  CHECK(count.notes[0].range.file->name().ends_with("ixp2400.json"));
  CHECK(count.notes[0].text == "'numbers' comes from here");
  const Diagnostic latency =
      problem(R"("based_on": "ixp2400", "units": {"scratch": {"access": {"value": 9, "source": "x"}}})");
  CHECK(latency.code == "chip-latency");
  CHECK(latency.notes.size() == 3);  // what it sums to, and the two other parts
  CHECK(
      problem(
          R"("based_on": "ixp2400", "units": {"hash": {"steps_48": {"value": 900, "source": "x"}, "steps_64": {"value": 901, "source": "x"}, "steps_128": {"value": 902, "source": "x"}}})")
          .code == "chip-range");
  CHECK(problem(R"("based_on": ["ixp2400"])").code == "json-wrong-value");
  // A mistake of the base is the base's.
  write("bad.json", R"("based_on": "ixp2400", "engines": {"contexts": {"value": 99, "source": "x"}})");
  write("x.json", R"("based_on": "bad.json")");
  const auto chip = load_chip(folder + "/x.json", data_folders());
  REQUIRE_FALSE(chip);
  CHECK(chip.error().list()[0].range.file->name() == folder + "/bad.json");
  REQUIRE(chip.error().list()[0].notes.size() == 1);
  CHECK(chip.error().list()[0].notes[0].range.file->name() == folder + "/x.json");
  std::filesystem::remove_all(folder);
}

TEST_CASE("the board of two chips is what the paper says") {
  const BoardDescription b = board("itj-dual-2400");
  REQUIRE(b.chips.size() == 2);
  for (unsigned c = 0; c < 2; ++c) {
    const ChipOnBoard& chip = b.chips[c];
    CHECK(chip.name == (c == 0 ? "ingress" : "egress"));
    CHECK(chip.chip.name == "ixp2400");
    CHECK(chip.chip.engine.period == 10);
    CHECK(chip.sram[0].bytes + chip.sram[1].bytes == 8u << 20);
    CHECK(chip.dram.bytes == 512u << 20);
    CHECK(chip.dram.period == 40);
    CHECK(chip.media.mpacket_bytes == 128);
    REQUIRE(chip.ports.size() == 4);
    CHECK(chip.ports[3].number == 3);
    CHECK(chip.ports[3].board_number == 4 * c + 3);
    CHECK(chip.links.size() == 8);
  }
  REQUIRE(b.links.size() == 8);
  for (const LinkDescription& link : b.links) {
    CHECK(link.from_chip != link.to_chip);
    CHECK(link.latency == 8 * 45);
    CHECK(b.chips[link.from_chip].links[link.from_end].sends);
    CHECK_FALSE(b.chips[link.to_chip].links[link.to_end].sends);
  }
}

TEST_CASE("mistakes in a board of several chips are named where they are") {
  using Codes = std::set<std::string>;
  const auto codes_of = [](const std::string& what, const std::string& with) {
    auto document =
        JsonDocument::parse(make_source("wrong.json", replaced(text_of("boards/itj-dual-2400.json"), what, with)));
    REQUIRE(document);
    auto out = read_board(*document, data_folders());
    return out ? Codes{} : codes(out.error());
  };
  CHECK(codes_of("\"egress\"", "\"egress\"").empty());
  CHECK(codes_of("\"egress\"", "\"ingress\"") == Codes{"board-chip"});
  CHECK(codes_of("\"egress\"", "\"2nd\"") == Codes{"board-chip"});
  CHECK(codes_of("\"name\": \"egress\",", "") == Codes{"json-missing"});
  CHECK(codes_of("\"to-egress1\"", "\"to-egress0\"") == Codes{"board-link"});
  CHECK(codes_of(R"("to": {"chip": 1, "channel": 4})", R"("to": {"chip": 0, "channel": 4})") == Codes{"board-link"});
  CHECK(codes_of(R"("to": {"chip": 1, "channel": 4})", R"("to": {"chip": 2, "channel": 4})") == Codes{"board-link"});
  CHECK(codes_of(R"("to": {"chip": 1, "channel": 4})", R"("to": {"chip": 1, "channel": 3})") == Codes{"board-link"});
  CHECK(codes_of(R"("to": {"chip": 1, "channel": 4})", R"("to": {"chip": 1, "channel": 5})") == Codes{"board-link"});
  CHECK(codes_of(R"("to": {"chip": 1, "channel": 4})", R"("to": {"chip": 1, "channel": 16})")
            .contains("json-wrong-value"));
  CHECK(codes_of("\"latency_clocks\": {\"value\": 8", "\"latency_clocks\": {\"value\": 0") ==
        Codes{"json-wrong-value"});
  CHECK(codes_of("\"buffer_mpackets\"", "\"buffer\"") == Codes{"json-unknown-name", "json-missing"});
  CHECK(codes_of("\"chip\": \"ixp2400\"", "\"chip\": \"ixp1200\"").contains("board-link"));
  CHECK(codes_of("\"chip\": 1,\n      \"channel\": 0", "\"chip\": 2,\n      \"channel\": 0") == Codes{"board-port"});
}

TEST_CASE("descriptions are found by name or path, and a misspelt name is corrected") {
  CHECK(load_chip("ixp2400", data_folders()));
  CHECK(load_chip(WEFT_SOURCE_DIR "/emulator/chips/ixp2400.json", {}));
  auto missing = load_board("generic-240", data_folders());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().list()[0].code == "description-missing");
  CHECK(missing.error().list()[0].remedy.find("generic-2400") != std::string::npos);
  CHECK(load_chip("no/such/file.json", {}).error().list()[0].code == "file-missing");
  CHECK(check_description(WEFT_SOURCE_DIR "/emulator/boards/enp2611.json", data_folders()).empty());
  CHECK(check_description(WEFT_SOURCE_DIR "/emulator/chips/ixp2400.json", {}).empty());
}
