// weft.json: what is read, what is refused and where, and what the command line changes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "folder.h"
#include "weft/workbench/files_read.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

const std::string kHead = R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}])";

/// The only diagnostic of a project whose last members are `rest`.
Diagnostic only_error(const std::string& text) {
  const Folder folder;
  folder.write("weft.json", text);
  const auto project = folder.load();
  if (project) FAIL("accepted: " << text);
  INFO(text << "\n" << project.error().list()[0].text);
  REQUIRE(project.error().size() == 1);
  return project.error().list()[0];
}

}  // namespace

TEST_CASE("a whole project is read") {
  const Folder folder;
  folder.write("weft.json", R"(// comment
{
  "version": 1, "name": "router", "board": "enp2611", "seed": "0x10",
  "include": ["blocks", "/absolute"],
  "programs": [
    {"source": "a.uc", "engines": [0, 2], "define": {"PORTS": 4, "NAME": "x"}, "include": ["own"]},
    {"image": "b.json", "engines": [1]}
  ],
  "memory": {"scratch": [{"begin": "0x100", "end": "1K"}], "sram1": [{"begin": 0, "end": "2M"}]},
  "constants": {"limit": 96},
  "control": {"program": "ipv4", "config": "router.conf", "options": {"martians": "off", "n": 3}},
  "ports": [
    {"port": 1, "in": {"capture": "c.pcap", "timing": "capture"}},
    {"port": 0, "out": "out.pcap",
     "in": {"generate": {"count": "2K", "size": "imix", "destinations": "random", "flows": 9, "rate": 0.5}}}
  ],
  "limits": {"cycles": 1, "packets": 2, "quiet": 3}
})");
  const auto project = folder.load();
  REQUIRE(project);
  const auto at = [&](const char* name) { return folder.path() / name; };
  CHECK(project->name == "router");
  CHECK(project->board == "enp2611");
  CHECK(project->seed == 16);
  REQUIRE(project->programs.size() == 2);
  const ProgramEntry& a = project->programs[0];
  CHECK(a.file == at("a.uc"));
  CHECK_FALSE(a.is_image);
  CHECK(a.engines == std::vector<unsigned>{0, 2});
  CHECK(a.defines == std::vector<std::pair<std::string, std::string>>{{"NAME", "x"}, {"PORTS", "4"}});
  CHECK(a.include_dirs == std::vector<std::filesystem::path>{at("own"), at("blocks"), "/absolute"});
  CHECK(project->programs[1].is_image);
  REQUIRE(project->spaces.size() == 2);
  CHECK(project->spaces[0].region == image::Region::scratch);
  CHECK(project->spaces[0].begin == 0x100);
  CHECK(project->spaces[0].end == 1024);
  CHECK(project->spaces[1].end == 2 * 1024 * 1024);
  CHECK(project->constants.at("limit") == 96);
  REQUIRE(project->control);
  CHECK(project->control->config == at("router.conf"));
  CHECK(project->control->options.at("martians") == "off");
  CHECK(project->control->options.at("n") == "3");
  REQUIRE(project->ports.size() == 2);
  CHECK(project->ports[0].in.kind == TrafficEntry::Kind::capture);
  CHECK(project->ports[0].in.capture == at("c.pcap"));
  CHECK_FALSE(project->ports[0].in.line_rate);
  CHECK(project->ports[0].in.repeat == 1);
  CHECK_FALSE(project->ports[0].out);
  CHECK(project->ports[1].in.kind == TrafficEntry::Kind::generated);
  CHECK(project->ports[1].in.count == 2048);
  CHECK(project->ports[1].in.size == "imix");
  CHECK(project->ports[1].in.flows == 9);
  CHECK(project->ports[1].in.rate == 0.5);
  CHECK(*project->ports[1].out == at("out.pcap"));
  CHECK(project->limits.cycles == 1);
  CHECK(project->limits.packets == 2);
  CHECK(project->limits.quiet_cycles == 3);
}

TEST_CASE("what is left out has the documented value") {
  const Folder folder;
  folder.write("weft.json", kHead + "}");
  const auto project = folder.load();
  REQUIRE(project);
  CHECK(project->name == folder.path().filename().string());
  CHECK(project->seed == 1);
  CHECK(project->ports.empty());
  CHECK_FALSE(project->control);
  CHECK(project->limits.cycles == 0);
}

TEST_CASE("every wrong value is refused at its place") {
  struct Row {
    const char* text;
    const char* code;
    const char* word;  ///< in the message or its remedy
  };
  const Row rows[] = {
      {R"({"version": 2, "board": "b", "programs": [{"source": "p.uc", "engines": [0]}]})", "json-wrong-value",
       "version 2"},
      {R"({"board": "b", "programs": [{"source": "p.uc", "engines": [0]}]})", "json-missing", "version"},
      {R"({"version": 1, "programs": [{"source": "p.uc", "engines": [0]}]})", "json-missing", "board"},
      {R"({"version": 1, "board": "b"})", "json-missing", "programs"},
      {R"({"version": 1, "board": "b", "programs": []})", "json-wrong-value", "no program"},
      {R"({"version": 1, "board": "b", "programs": {}})", "json-wrong-value", "list"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "p.uc"}]})", "json-missing", "engines"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "p.uc", "engines": []}]})", "json-wrong-value",
       "no microengine"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "p.uc", "engines": [3, 3]}]})", "json-wrong-value",
       "named twice"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "p.uc", "engines": [16]}]})", "json-wrong-value",
       "0 to 15"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "p.uc", "engines": [-1]}]})", "json-wrong-value",
       "whole number"},
      {R"({"version": 1, "board": "b", "programs": [{"engines": [0]}]})", "json-wrong-value", "either"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "a", "image": "b", "engines": [0]}]})",
       "json-wrong-value", "either"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "a", "engines": [0]}, {"source": "b", "engines": [0]}]})",
       "project-engine-twice", "microengine 0"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "a", "engines": [0], "define": {"9x": 1}}]})",
       "json-wrong-value", "9x"},
      {R"({"version": 1, "board": "b", "programs": [{"source": "a", "engines": [0], "define": ["x"]}]})",
       "json-wrong-value", "define"},
      {R"({"version": 1, "version": 1, "board": "b", "programs": [{"source": "a", "engines": [0]}]})",
       "json-name-twice", "version"},
      {"{\"version\": 1", "json-syntax", "JSON"},
  };
  for (const Row& row : rows) {
    const Diagnostic d = only_error(row.text);
    INFO(row.text << " -> " << d.text << " / " << d.remedy);
    CHECK(d.code == row.code);
    CHECK((d.text + d.remedy).find(row.word) != std::string::npos);
    CHECK(d.range.begin.line == 1);
  }
}

TEST_CASE("wrong values after the programs") {
  struct Row {
    const char* rest;
    const char* code;
    const char* word;
  };
  const Row rows[] = {
      {R"("limit": {})", "json-unknown-name", "limits"},
      {R"("include": "x")", "json-wrong-value", "list"},
      {R"("seed": 1.5)", "json-wrong-value", "whole number"},
      {R"("memory": {"sramm": []})", "json-wrong-value", "sramm"},
      {R"("memory": {"dram": {"begin": 0, "end": 8}})", "json-wrong-value", "list"},
      {R"("memory": {"dram": [{"begin": 8, "end": 8}]})", "json-wrong-value", "empty"},
      {R"("constants": [1])", "json-wrong-value", "names with values"},
      {R"("constants": {"x": "0x100000000"})", "json-wrong-value", "out of range"},
      {R"("ports": {})", "json-wrong-value", "list"},
      {R"("ports": [{}])", "json-missing", "port"},
      {R"("ports": [{"port": 32}])", "json-wrong-value", "0 to 31"},
      {R"("ports": [{"port": 1}, {"port": 1}])", "project-port-twice", "port 1"},
      {R"("ports": [{"port": 0, "in": {}}])", "json-wrong-value", "either"},
      {R"("ports": [{"port": 0, "in": {"capture": "x", "timing": "slow"}}])", "json-wrong-value", "slow"},
      {R"("ports": [{"port": 0, "in": {"capture": "x", "repeat": 0}}])", "json-wrong-value", "out of range"},
      {R"("ports": [{"port": 0, "in": {"generate": {"destinations": "random"}}}])", "json-missing", "count"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1}}}])", "json-missing", "destinations"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "size": 55}}}])",
       "json-wrong-value", "56 to 9018"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "labels": "16-17"}}}])",
       "json-wrong-value", "a list"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "labels": ["17-16"]}}}])",
       "json-wrong-value", "not a range"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "labels": [1048576]}}}])",
       "json-wrong-value", "1048575"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "size": "large"}}}])",
       "json-wrong-value", "whole number"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "flows": 0}}}])",
       "json-wrong-value", "out of range"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "rate": 1.1}}}])",
       "json-wrong-value", "0.001 to 1"},
      {R"("ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "rate": 0}}}])",
       "json-wrong-value", "0.001 to 1"},
      {R"("control": {"config": "x"})", "json-missing", "program"},
      {R"("control": {"program": "ipv4"})", "json-missing", "config"},
      {R"("control": {"program": "ipv4", "config": "x", "options": 1})", "json-wrong-value", "options"},
      {R"("limits": 5)", "json-wrong-value", "object"},
      {R"("limits": {"cycles": "soon"})", "json-wrong-value", "whole number"},
  };
  for (const Row& row : rows) {
    const Diagnostic d = only_error(kHead + ",\n" + row.rest + "}");
    INFO(row.rest << " -> " << d.text << " / " << d.remedy);
    CHECK(d.code == row.code);
    CHECK((d.text + d.remedy).find(row.word) != std::string::npos);
    CHECK(d.range.begin.line == 2);
  }
}

TEST_CASE("all that is wrong is reported at once") {
  const Folder folder;
  folder.write("weft.json",
               R"({"version": 1, "board": 5, "programs": [{"source": "p.uc", "engines": [0]}], "seed": true})");
  const auto project = folder.load();
  REQUIRE_FALSE(project);
  CHECK(project.error().size() == 2);
}

TEST_CASE("a folder without weft.json says so") {
  const Folder folder;
  const auto project = folder.load();
  REQUIRE_FALSE(project);
  CHECK(project.error().list()[0].code == "project-missing");
}

TEST_CASE("a folder whose weft.json cannot be looked for is not said to have none") {
  const Folder folder;
  std::filesystem::create_symlink("weft.json", folder.path() / "weft.json");  // of itself
  const auto looped = folder.load();
  REQUIRE_FALSE(looped);
  CHECK(looped.error().list()[0].code == "file-unreadable");
  std::filesystem::remove(folder.path() / "weft.json");
  folder.write("weft.json", test::project());
  // Below the folder for temporary files, which everybody may pass; root may read everything.
  const std::filesystem::path closed =
      std::filesystem::temp_directory_path() / ("weft_closed_" + std::to_string(::getpid()));
  std::filesystem::create_directory(closed);
  std::filesystem::copy(folder.path() / "weft.json", closed / "weft.json");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  const bool root = ::geteuid() == 0;
  constexpr unsigned kNobody = 65534;
  if (root) REQUIRE(::seteuid(kNobody) == 0);
  const auto refused = load_project(closed.string());
  if (root) REQUIRE(::seteuid(0) == 0);
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
  std::filesystem::remove_all(closed);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().list()[0].text == "the folder '" + closed.string() + "' may not be read");
  CHECK(refused.error().list()[0].remedy == "check its permissions");
}

TEST_CASE("the command line changes the project") {
  const Folder folder;
  folder.write("weft.json", kHead + R"(, "ports": [{"port": 2, "out": "old.pcap"}], "limits": {"quiet": 7}})");
  Overrides overrides;
  overrides.seed = 99;
  overrides.in = {{2, "/tmp/in.pcap"}, {0, "/tmp/other.pcap"}};
  overrides.out = {{2, "/tmp/new.pcap"}, {0, "-"}};
  overrides.set = {
      {"limits.cycles", "64K"}, {"programs.0.define.N", "12"}, {"name", "other"}, {"programs.0.engines.1", "3"}};
  const auto project = folder.load(overrides);
  REQUIRE(project);
  CHECK(project->seed == 99);
  CHECK(project->name == "other");
  CHECK(project->limits.cycles == 65536);
  CHECK(project->limits.quiet_cycles == 7);
  CHECK(project->programs[0].engines == std::vector<unsigned>{0, 3});
  CHECK(project->programs[0].defines == std::vector<std::pair<std::string, std::string>>{{"N", "12"}});
  REQUIRE(project->ports.size() == 2);
  CHECK(project->ports[0].port == 2);
  CHECK(project->ports[0].in.capture == "/tmp/in.pcap");
  CHECK(*project->ports[0].out == "/tmp/new.pcap");
  CHECK(project->ports[1].port == 0);
  CHECK(project->ports[1].in.capture == "/tmp/other.pcap");
  CHECK(*project->ports[1].out == "-");
}

TEST_CASE("a wrong change names the command line") {
  const Folder folder;
  folder.write("weft.json", kHead + "}");
  for (const char* key : {"limits.cycle", "programs.0.engines.0", "programs.7.source", "programs.x", "limits.cycles.x",
                          "ports.99999999999.port", ".."}) {
    Overrides overrides;
    overrides.set = {{key, "none"}};
    const auto project = folder.load(overrides);
    INFO(key);
    REQUIRE_FALSE(project);
    const Diagnostic& d = project.error().list()[0];
    REQUIRE(d.notes.size() == 1);
    CHECK(d.notes[0].text.find("--set " + std::string(key)) != std::string::npos);
  }
}

TEST_CASE("a wrong change of a test names the test") {
  const Folder folder;
  folder.write("weft.json", kHead + "}");
  const SourceRange place{make_source("a.test.json", ""), {4, 2}, {4, 8}};
  for (const auto& [key, value, where] :
       {std::tuple("limits.cycle", "1", true), std::tuple("limits", "{\"x\": 1}", true),
        std::tuple("programs.7.source", "x", true), std::tuple("control.config", "x", false)}) {
    Overrides overrides;
    overrides.set.emplace_back(key, value);
    overrides.set_places[key] = place;
    const auto project = folder.load(overrides);
    INFO(key);
    REQUIRE_FALSE(project);
    const Diagnostic& d = project.error().list()[0];
    CHECK((d.range.file->name() == "a.test.json") == where);
    CHECK(d.notes.size() == (where ? 0U : 1U));
    const SourceRange& told = where ? d.range : d.notes.at(0).range;
    CHECK(told.begin == Position{4, 2});
  }
}

TEST_CASE("a definition is told where it stands") {
  const Folder folder;
  folder.write("p.uc", ".reg r\nimmed[r, A]\n");
  const auto with = [&](const std::string& value) {
    folder.write("weft.json", R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0],
"define": {"A": ")" + value + "\"}}]}");
  };
  with("x y");
  auto project = folder.load();
  REQUIRE(project);
  const auto session = Session::create(std::move(*project));
  REQUIRE_FALSE(session);
  const Diagnostic& d = session.error().list()[0];
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0].range.file->name().ends_with("weft.json"));
  CHECK(d.notes[0].range.begin == Position{2, 17});
  with("1\\n2");
  const auto refused = folder.load();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().list()[0].range.begin == Position{2, 17});
  CHECK(refused.error().list()[0].text == "the value of 'A' has more than one line");
}

TEST_CASE("spaces, pools and blocks lie in the memories of the board, and spaces apart") {
  const Folder folder;
  const auto refused = [&](const std::string& board, const std::string& rest,
                           const std::string& source = "ctx_arb[kill]\n") {
    folder.write("p.uc", source);
    folder.write("weft.json", "{\"version\": 1, \"board\": \"" + board +
                                  "\",\n \"programs\": [{\"source\": \"p.uc\", \"engines\": [0]}],\n" + rest + "}");
    auto project = folder.load();
    Diagnostics problems;
    if (!project) {
      problems = project.error();
    } else {
      auto session = Session::create(std::move(*project));
      if (session) return Diagnostic{};
      problems = session.error();
    }
    REQUIRE(problems.size() == 1);
    return problems.list()[0];
  };
  const auto space = [](const char* memory, const char* begin, const char* end) {
    return fmt::format(R"( "memory": {{"{}": [{{"begin": "{}", "end": "{}"}}]}})", memory, begin, end);
  };
  const auto pool = [](const char* rest) {
    return fmt::format(R"( "pools": [{{"name": "x", "size": 2048, {}}}])", rest);
  };
  struct Row {
    std::string board, rest, word, remedy;
  };
  const Row rows[] = {
      {"generic-2400", space("scratch", "0x8000", "0x9000"),
       "from 0x8000 to 0x9000 does not lie in scratch, which has 16384 bytes", "below 0x4000"},
      {"generic-2400", space("scratch", "0x3000", "0x4004"), "16384 bytes", "below 0x4000"},
      {"generic-2400", space("sram2", "0", "64"), "ixp2400 has no sram2", "sram1 with"},
      {"generic-2400", space("dram", "0", "0x20000001"), "536870912 bytes", "below 0x20000000"},
      {"generic-1200", space("scratch", "0x800", "0x2000"), "4096 bytes", "below 0x1000"},
      {"generic-1200", space("sram1", "0", "64"), "ixp1200 has no sram1", "sram0 with"},
      {"generic-2400", pool(R"("free": {"ring": 0}, "base": "0xfff00000", "count": 960000)"),
       "960000 buffers of 2048 bytes", "below 0x20000000"},
      {"generic-2400", pool(R"("free": {"ring": 0}, "base": "0xffffffffffffffff", "count": 1)"), "does not lie in dram",
       "below 0x20000000"},
      {"generic-2400", pool(R"("free": {"ring": 0}, "memory": "sram3", "base": 0, "count": 1)"), "has no sram3",
       "sram1"},
      {"generic-2400", pool(R"("free": {"sram-queue": 0, "channel": 2}, "base": 0, "count": 1)"), "no SRAM channel 2",
       "0 to 1"},
  };
  for (const Row& row : rows) {
    INFO(row.board << row.rest);
    const Diagnostic d = refused(row.board, row.rest);
    INFO(d.text << " / " << d.remedy);
    CHECK(d.code == "project-memory");
    CHECK(d.range.file->name() == (folder.path() / "weft.json").string());
    CHECK(d.range.begin.line == 3);
    CHECK(d.text.find(row.word) != std::string::npos);
    CHECK(d.remedy.find(row.remedy) != std::string::npos);
  }
  const Diagnostic overlap = refused("generic-2400", R"( "memory": {"scratch": [{"begin": "0x3000", "end": "0x3800"},
    {"begin": "0x3080", "end": "0x3200"}]})");
  CHECK(overlap.code == "project-spaces-overlap");
  CHECK(overlap.range.begin.line == 4);
  REQUIRE(overlap.notes.size() == 1);
  CHECK(overlap.notes[0].range.begin.line == 3);
  // At a fixed address a block needs no space.
  const Diagnostic block =
      refused("generic-2400", R"( "seed": 1)", ".alloc_mem table sram1+0x7fffffc local 64\nctx_arb[kill]\n");
  INFO(block.text);
  CHECK(block.code == "project-memory");
  CHECK(block.text.find("'table'") != std::string::npos);
  // All of a memory may be used, and spaces may touch.
  for (
      const std::string& right :
      {space("scratch", "0", "16K"), space("dram", "0", "512M"),
       pool(R"("free": {"sram-queue": 63, "channel": 1}, "base": "0x1ffff800", "count": 1)"),
       std::string(
           R"( "memory": {"scratch": [{"begin": 0, "end": 64}, {"begin": 64, "end": 128}], "sram0": [{"begin": 0, "end": 64}]})")}) {
    INFO(right);
    CHECK(refused("generic-2400", right).text.empty());
  }
}

TEST_CASE("pools of a project") {
  const Folder folder;
  const std::string rest = R"("version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}])";
  folder.write("weft.json", "{" + rest + R"(, "pools": [
    {"name": "packets", "free": {"ring": 3}, "base": "0x100000", "size": 2048, "count": 960},
    {"name": "cells", "free": {"sram-queue": 7, "channel": 1}, "memory": "sram1", "base": 64, "size": 16, "count": 10, "shift": 2}]})");
  const auto project = folder.load();
  REQUIRE(project);
  REQUIRE(project->pools.size() == 2);
  const emulator::BufferPool &first = project->pools[0].pool, &second = project->pools[1].pool;
  CHECK(first.list == emulator::BufferPool::List::scratch_ring);
  CHECK(first.list_number == 3);
  CHECK(first.buffer_of_handle(0x100000 + 2048 * 5 + 17) == 5);
  CHECK_FALSE(first.buffer_of_handle(0x100000 + 2048 * 960));
  CHECK(second.list == emulator::BufferPool::List::sram_queue);
  CHECK(second.list_channel == 1);
  CHECK(second.channel == 1);
  CHECK(second.buffer_of_handle((64 + 16 * 9) / 4) == 9);
  for (const char* wrong :
       {R"({"name": "x", "free": {}, "base": 0, "size": 64, "count": 1})",
        R"({"name": "x", "free": {"ring": 0, "sram-ring": 1}, "base": 0, "size": 64, "count": 1})",
        R"({"name": "x", "free": {"ring": 16}, "base": 0, "size": 64, "count": 1})",
        R"({"name": "x", "free": {"ring": 0}, "memory": "scratch", "base": 0, "size": 64, "count": 1})",
        R"({"name": "x", "free": {"ring": 0}, "base": 0, "size": 0, "count": 1})"}) {
    INFO(wrong);
    folder.write("weft.json", "{" + rest + R"(, "pools": [)" + wrong + "]}");
    CHECK_FALSE(folder.load());
  }
}

TEST_CASE("a project names its board and its chips, and nothing that lies beside them") {
  const Folder folder;
  for (const char* kind : {"boards", "chips"}) std::filesystem::create_directories(folder.path() / kind);
  folder.write("weft.json", kHead + "}");
  folder.write("p.uc", "nop\n");
  folder.write("boards/other.json", "{}");
  const auto named = [&] {
    const auto project = folder.load();
    REQUIRE(project);
    std::vector<std::string> out;
    for (const std::string& file : files_named(*project))
      if (file.ends_with(".json") && !file.ends_with("weft.json")) out.push_back(file);
    return out;
  };
  const std::string weft = data_folder().string() + "/";
  CHECK(named() == std::vector<std::string>{weft + "boards/generic-2400.json", weft + "chips/ixp2400.json"});
  // The first that cannot be read is one, too: a file of messages must not take its place.
  folder.write("boards/generic-2400.json", R"({"chips": [{"chip": "mine"}, {"chip": 7}, {"chip": "../x.json"}]})");
  folder.write("chips/mine.json", R"({"based_on": "./mine.json"})");
  folder.write("x.json", "{");
  const std::string own = folder.path().string() + "/";
  CHECK(named() == std::vector<std::string>{own + "boards/generic-2400.json", own + "chips/mine.json", own + "x.json"});
}
