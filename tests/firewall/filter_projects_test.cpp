// Whole projects whose filter programs and control program do not agree about the rules, and mistakes on the command
// line.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "must.h"
#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"
#include "weft/workbench/session.h"

using namespace weft;
using namespace weft::workbench;

namespace {

const std::string kFilter = WEFT_SOURCE_DIR "/examples/firewall-filter",
                  kNapt = WEFT_SOURCE_DIR "/examples/firewall-napt/conversations.json";

using Settings = std::vector<std::pair<std::string, std::string>>;

Result<std::unique_ptr<Session>> start(const std::string& project, const Settings& settings) {
  Overrides overrides;
  overrides.set = settings;
  auto read = load_project(project, overrides);
  if (!read) return tl::unexpected(std::move(read.error()));
  return Session::create(std::move(*read));
}

/// FILTER_STORE, and rules when it is 3, of the filter programs 2, 3 and 4.
Settings stores(const std::string& a, const std::string& b, const std::string& c) {
  Settings out;
  unsigned program = 2;
  for (const std::string& store : {a, b, c}) {
    out.emplace_back(fmt::format("programs.{}.define.FILTER_STORE", program), store);
    if (store == "3") out.emplace_back(fmt::format("programs.{}.rules", program), "firewall.rules");
    ++program;
  }
  return out;
}

Settings with(Settings settings, const std::string& name, const std::string& value) {
  settings.emplace_back(name, value);
  return settings;
}

/// Lines of weft.json that are refused.
std::vector<uint32_t> refused(const Settings& settings) {
  const auto session = start(kFilter, settings);
  REQUIRE_FALSE(session);
  std::vector<uint32_t> lines;
  for (const Diagnostic& d : session.error()) {
    INFO(d.text);
    CHECK(d.code == "project-rules");
    CHECK_THAT(d.remedy, Catch::Contains("--set programs.") && Catch::Contains("--set control.options.store="));
    lines.push_back(d.range.begin.line);
  }
  return lines;
}

}  // namespace

TEST_CASE("filter programs with another rule store than the control program are refused, each at its line") {
  const std::vector<uint32_t> all{10, 11, 12};
  CHECK(refused({{"control.options.store", "compiled"}}) == all);
  CHECK(refused({{"control.options.store", "local"}}) == all);
  CHECK(refused(with(stores("3", "3", "3"), "control.options.store", "sram")) == all);
  CHECK(refused(with(stores("2", "2", "2"), "control.options.store", "sram")) == all);
  CHECK(refused(stores("3", "1", "3")) == std::vector<uint32_t>{11});
  CHECK(refused(with(stores("1", "1", "3"), "control.options.store", "compiled")) == std::vector<uint32_t>{10, 11});

  const auto one = start(kFilter, {{"control.options.store", "compiled"}});
  REQUIRE_FALSE(one);
  CHECK_THAT(one.error().list().front().text, Catch::Contains("in SRAM") && Catch::Contains("is compiled"));
  CHECK_THAT(one.error().list().front().remedy,
             Catch::Contains("--set programs.2.define.FILTER_STORE=3 --set programs.2.rules=firewall.rules;"));
}

TEST_CASE("a store that nobody names is that of the filter programs") {
  for (const std::string store : {"1", "2", "3"}) {
    INFO(store);
    must(start(kFilter, stores(store, store, store)));
  }
}

TEST_CASE("rules compiled into a program must be those of the control program") {
  const TemporaryFolder folder;
  must(write_file(folder / "open.rules", "default accept\n"));
  const Settings compiled =
      with(with({}, "programs.3.define.FILTER_STORE", "3"), "programs.3.rules", folder / "open.rules");
  const auto session = start(kNapt, compiled);
  REQUIRE_FALSE(session);
  const Diagnostic& d = session.error().list().front();
  CHECK(d.code == "project-rules");
  CHECK_THAT(d.text,
             Catch::Contains("open.rules") && Catch::Contains("has those of") && Catch::Contains("firewall.rules"));
  CHECK_THAT(d.remedy, Catch::Contains("--set programs.3.rules=firewall.rules"));
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0].range.begin.line == 18);  // rules firewall.rules, in conversations.conf

  // The same rules under another name are the same.
  std::filesystem::copy_file(WEFT_SOURCE_DIR "/examples/firewall-napt/firewall.rules", folder / "other.rules");
  must(start(kNapt, with(with({}, "programs.3.define.FILTER_STORE", "3"), "programs.3.rules", folder / "other.rules")));

  const auto filter = start(kFilter, with(stores("3", "3", "3"), "programs.4.rules", folder / "open.rules"));
  REQUIRE_FALSE(filter);
  CHECK(filter.error().size() == 1);
  CHECK_THAT(filter.error().list().front().remedy,
             Catch::Contains("--set programs.4.rules=firewall.rules") && Catch::Contains("control.options.rules=FILE"));
}

TEST_CASE("a rule file that a command cannot read is an error of the command's line") {
  auto session = must(start(kFilter, {}));
  const auto missing = session->add_commands(
      std::make_shared<const SourceFile>("commands", "at 1us: counters\nat 1ms: rules nothere\n"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().list().front().range.file->name() == "commands");
  CHECK(missing.error().list().front().range.begin.line == 2);
  // What is wrong inside of the file stands there; the command's line is said beside it.
  const TemporaryFolder folder;
  must(write_file(folder / "wrong.rules", "accept protokol tcp\n"));
  const auto wrong = session->add_commands(
      std::make_shared<const SourceFile>("commands", "\nat 1ms: rules " + (folder / "wrong.rules") + "\n"));
  REQUIRE_FALSE(wrong);
  const Diagnostic& d = wrong.error().list().front();
  CHECK_THAT(d.range.file->name(), Catch::Contains("wrong.rules"));
  REQUIRE_FALSE(d.notes.empty());
  CHECK(d.notes.back().range.begin.line == 2);
}

TEST_CASE("a capture that the command line names is not blamed on the project's line") {
  Overrides overrides;
  overrides.in = {{0, "missing.pcap"}};
  for (const std::string& project : {kFilter, kNapt}) {
    INFO(project);
    const auto session = Session::create(must(load_project(project, overrides)));
    REQUIRE_FALSE(session);
    const Diagnostic& d = session.error().list().front();
    REQUIRE(d.notes.size() == 1);
    CHECK_FALSE(d.notes[0].range);
    CHECK(d.notes[0].text == "the command line names it");
  }
  overrides.in.clear();
  overrides.set = {{"ports.1.in.timing", "line-rate"}};
  must(Session::create(must(load_project(kNapt, overrides))));
}

TEST_CASE("compiled rules that the control store has no room for beside the program are an error of the rules") {
  const TemporaryFolder folder;
  const std::string rules = folder / "many.rules";
  std::string text;
  for (unsigned i = 0; i < 250; ++i)  // 14 instructions each, which no two share
    text += fmt::format("accept in 1 source 203.{}.{}.{}-203.255.255.255 protocol tcp destination-port {}-{}\n", i,
                        255 - i, i * 7 % 251, 1000 + 13 * i, 40000 + 17 * i);
  must(write_file(rules, text));
  const auto session = start(kNapt, {{"programs.3.define.FILTER_STORE", "3"}, {"programs.3.rules", rules}});
  REQUIRE_FALSE(session);
  const Diagnostic& d = session.error().list().front();
  INFO(d.text);
  CHECK(d.code == "firewall-rules-size");
  CHECK(d.range.file->name() == rules);
  CHECK_THAT(d.text, Catch::Contains("250 rules") && Catch::Contains("control store of ixp2400 holds 4,096"));
  CHECK_THAT(d.remedy, Catch::Contains("fewer rules"));
}
