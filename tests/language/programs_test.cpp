// Every program under examples/language is assembled without a warning and run; its comment lines say with what and
// what must come out:
//   // given: scratch[0x80] = 5        memory before the run
//   // gives: me0.@total = 36          what Session::read says after it
//   // partner: other.uc on 1          a program on another microengine
//   // constant: limit = 7             an import variable
//   // part: of other.uc               runs only as a partner
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <sstream>

#include "must.h"
#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"
#include "weft/emulator/units.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

using namespace weft;

namespace {

const std::string folder = std::string(WEFT_SOURCE_DIR) + "/examples/language";

struct Pair {
  std::string name;
  uint32_t value;
};

struct Expectation {
  std::vector<Pair> given, gives, constants;
  std::vector<std::pair<std::string, unsigned>> partners;
  bool is_part = false;
};

Expectation read_expectation(const std::string& file) {
  Expectation out;
  std::istringstream text(must(read_file(folder + "/" + file)));
  for (std::string line; std::getline(text, line) && line.starts_with("//");) {
    std::istringstream words(line);
    std::string slashes, key, name, between, value;
    words >> slashes >> key >> name >> between >> value;
    if (key == "part:") out.is_part = true;
    if (key == "partner:") out.partners.emplace_back(name, static_cast<unsigned>(std::stoul(value)));
    auto* list = key == "given:"      ? &out.given
                 : key == "gives:"    ? &out.gives
                 : key == "constant:" ? &out.constants
                                      : nullptr;
    if (!list) continue;
    INFO(file << ": " << line);
    REQUIRE(between == "=");
    list->push_back({name, static_cast<uint32_t>(std::stoul(value, nullptr, 0))});
  }
  return out;
}

void preset(emulator::HostPort& host, const Pair& p) {
  const size_t bracket = p.name.find('[');
  REQUIRE(bracket != std::string::npos);
  const std::string region = p.name.substr(0, bracket);
  REQUIRE((region == "scratch" || region == "sram0" || region == "dram"));
  const auto space = region == "scratch" ? emulator::MemorySpace::scratch
                     : region == "dram"  ? emulator::MemorySpace::dram
                                         : emulator::MemorySpace::sram;
  host.write(space, static_cast<uint32_t>(std::stoul(p.name.substr(bracket + 1), nullptr, 0)), p.value);
}

std::vector<std::string> programs() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".uc") out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The entry of a program in the project: its source, or the Image that -O makes of it, put into `place`.
std::string entry(const std::string& file, unsigned engine, const std::string& place, bool optimise) {
  if (!optimise) return fmt::format(R"({{"source": "{}/{}", "engines": [{}]}})", folder, file, engine);
  assembler::Options options;
  options.optimize = true;
  const assembler::Assembly assembly = assembler::assemble(folder + "/" + file, options);
  INFO(render_text(assembly.diagnostics));
  REQUIRE(assembly.image);
  must(write_file(place + "/" + file + ".json", image::to_json(*assembly.image)));
  return fmt::format(R"({{"image": "{}.json", "engines": [{}]}})", file, engine);
}

std::string project(const std::string& file, const Expectation& e, const std::string& place, bool optimise) {
  std::string list = entry(file, 0, place, optimise);
  for (const auto& [name, engine] : e.partners) list += ", " + entry(name, engine, place, optimise);
  std::string constants;
  for (const Pair& c : e.constants)
    constants += fmt::format("{}\"{}\": {}", constants.empty() ? "" : ", ", c.name, c.value);
  return fmt::format(R"({{"version": 1, "board": "generic-2400", "programs": [{}], "constants": {{{}}},
    "memory": {{"scratch": [{{"begin": "0x3000", "end": "0x4000"}}], "sram0": [{{"begin": "0x10000", "end": "0x20000"}}]}},
    "limits": {{"cycles": 200000}}}})",
                     list, constants);
}

}  // namespace

TEST_CASE("The programs of the guide do what they say, as written and with -O") {
  std::set<std::string> parts, used;
  size_t run = 0;
  for (const std::string& file : programs()) {
    const Expectation e = read_expectation(file);
    if (e.is_part) {
      parts.insert(file);
      continue;
    }
    for (const auto& partner : e.partners) used.insert(partner.first);
    for (const bool optimise : {false, true}) {
      INFO(file << (optimise ? " with -O" : ""));
      REQUIRE_FALSE(e.gives.empty());
      const TemporaryFolder place;
      must(write_file(place / "weft.json", project(file, e, place.path().string(), optimise)));
      auto session = must(workbench::Session::create(must(workbench::load_project(place / "weft.json"))));
      CHECK(render_text(session->warnings()) == "");
      for (const Pair& p : e.given) preset(session->units().host(), p);
      const workbench::Stop stop = session->run({});
      INFO(stop.text);
      CHECK(stop.kind == workbench::Stop::Kind::quiet);
      for (const Pair& p : e.gives) {
        INFO(p.name);
        CHECK(must(session->read(p.name)) == p.value);
      }
    }
    ++run;
  }
  CHECK(run >= 12);
  CHECK(parts == used);
}
