// Diagnostics as text, JSON and SARIF, compared with what was written down by hand.
#include "weft/base/render.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace weft;
using namespace std::string_literals;

namespace {

SourceRange range(const SourceFilePtr& file, Position begin, Position end) {
  SourceRange r;
  r.file = file;
  r.begin = begin;
  r.end = end;
  return r;
}

void add_note(Diagnostic& d, const SourceRange& where, const char* text) {
  Note& note = d.notes.emplace_back();
  note.range = where;
  note.text = text;
}

void add_fix(Diagnostic& d, const SourceRange& where, const char* text) {
  FixIt& fix = d.fixits.emplace_back();
  fix.range = where;
  fix.replacement = text;
}

Diagnostics one(const SourceFilePtr& file, Position begin, Position end) {
  Diagnostics list;
  list.error("asm-test", range(file, begin, end), "this is wrong");
  return list;
}

}  // namespace

TEST_CASE("the line and a mark below the range") {
  const auto file = make_source("a.uc", "nop\n  alu[a, b]\n");
  CHECK(render_text(one(file, {2, 7}, {2, 8})) ==
        "a.uc:2:7: error: this is wrong [asm-test]\n"
        "    2 |   alu[a, b]\n"
        "      |       ^\n");
  CHECK(render_text(one(file, {2, 3}, {2, 6})) ==
        "a.uc:2:3: error: this is wrong [asm-test]\n"
        "    2 |   alu[a, b]\n"
        "      |   ^~~\n");
}

TEST_CASE("an empty range still gets a mark, also after the end of the line") {
  const auto file = make_source("a.uc", "nop\n");
  CHECK(render_text(one(file, {1, 2}, {1, 2})) ==
        "a.uc:1:2: error: this is wrong [asm-test]\n"
        "    1 | nop\n"
        "      |  ^\n");
  CHECK(render_text(one(file, {1, 4}, {1, 4})) ==
        "a.uc:1:4: error: this is wrong [asm-test]\n"
        "    1 | nop\n"
        "      |    ^\n");
}

TEST_CASE("a range over lines is marked to the end of its first") {
  const auto file = make_source("a.uc", "alu[a,\n  b]\n");
  CHECK(render_text(one(file, {1, 5}, {2, 4})) ==
        "a.uc:1:5: error: this is wrong [asm-test]\n"
        "    1 | alu[a,\n"
        "      |     ^~\n");
}

TEST_CASE("a tab takes four columns and the marks follow") {
  const auto file = make_source("a.uc", "\tnop\tx\n");
  CHECK(render_text(one(file, {1, 6}, {1, 7})) ==
        "a.uc:1:6: error: this is wrong [asm-test]\n"
        "    1 |     nop    x\n"
        "      |            ^\n");
}

TEST_CASE("a character of several bytes takes one column") {
  const auto file = make_source("a.uc", "\xc3\xa4\xe2\x82\xac x\n");
  CHECK(render_text(one(file, {1, 7}, {1, 8})) ==
        "a.uc:1:7: error: this is wrong [asm-test]\n"
        "    1 | \xc3\xa4\xe2\x82\xac x\n"
        "      |    ^\n");
}

TEST_CASE("no place, a whole file, and severities") {
  Diagnostics list;
  list.warning("w", {}, "no place");
  list.error("e", whole_file("x.json"), "cannot open");
  Diagnostic info;
  info.code = "i";
  info.severity = Severity::info;
  info.text = "for your information";
  list.add(info);
  CHECK(render_text(list) ==
        "warning: no place [w]\n"
        "x.json: error: cannot open [e]\n"
        "info: for your information [i]\n");
}

TEST_CASE("highlights, notes, remedy and fix-its") {
  const auto file = make_source("a.uc", "alu[a, b, +, c]\n.reg a\n");
  Diagnostics list;
  Diagnostic& d = list.error("asm-x", range(file, {1, 8}, {1, 9}), "same bank", "move one");
  d.highlights.push_back(range(file, {1, 14}, {1, 15}));
  add_note(d, range(file, {2, 6}, {2, 7}), "declared here");
  add_note(d, {}, "and more");
  add_fix(d, range(file, {1, 8}, {1, 9}), "d");
  CHECK(render_text(list) ==
        "a.uc:1:8: error: same bank [asm-x]\n"
        "    1 | alu[a, b, +, c]\n"
        "      |        ^     ~\n"
        "a.uc:2:6: note: declared here\n"
        "    2 | .reg a\n"
        "      |      ^\n"
        "note: and more\n"
        "  help: move one\n"
        "  fix: alu[a, d, +, c]\n"
        "              +\n");
}

TEST_CASE("a fix-it is shown as the line would be") {
  const auto shown = [](std::string text, Position begin, Position end, std::string replacement) {
    const auto file = make_source("a.uc", std::move(text));
    Diagnostics list;
    add_fix(list.error("x", {}, "x"), range(file, begin, end), replacement.c_str());
    return render_text(list).substr(std::string("error: x [x]\n").size());
  };
  CHECK(shown("    br x\n", {1, 8}, {1, 9}, "x#") ==
        "  fix: br x#\n"
        "          ++\n");
  // An insertion, behind a tab and a letter of two bytes.
  CHECK(shown("\ta\xC3\xA4 c\n", {1, 5}, {1, 5}, ", ") ==
        "  fix: a\xC3\xA4,  c\n"
        "         ++\n");
  // What cannot be shown in one line.
  CHECK(shown(std::string(200, 'a') + "\n", {1, 1}, {1, 2}, "b") == "  fix: write 'b'\n");
  CHECK(shown("a\nb\n", {1, 1}, {2, 1}, "b") == "  fix: write 'b'\n");
  CHECK(shown("a\n", {1, 1}, {1, 9}, "b") == "  fix: write 'b'\n");
}

TEST_CASE("colours only on request, and the text is the same without them") {
  const auto file = make_source("a.uc", "nop\n");
  const Diagnostics list = one(file, {1, 1}, {1, 4});
  const std::string plain = render_text(list), colored = render_text(list, {true});
  CHECK(plain.find('\033') == std::string::npos);
  std::string stripped;
  for (size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\033') {
      i = colored.find('m', i);
    } else {
      stripped += colored[i];
    }
  }
  CHECK(colored != plain);
  CHECK(stripped == plain);
}

TEST_CASE("JSON holds everything") {
  const auto file = make_source("a.uc", "alu[a, b]\n");
  Diagnostics list;
  Diagnostic& d = list.warning("asm-x", range(file, {1, 5}, {1, 6}), "say \"why\"", "because");
  add_note(d, range(file, {1, 1}, {1, 4}), "here");
  add_fix(d, range(file, {1, 5}, {1, 6}), "q");
  list.error("asm-y", {}, "no place");

  const auto json = nlohmann::json::parse(render_json(list));
  CHECK(json["version"] == 1);
  REQUIRE(json["diagnostics"].size() == 2);
  const auto& first = json["diagnostics"][0];
  CHECK(first["code"] == "asm-x");
  CHECK(first["severity"] == "warning");
  CHECK(first["text"] == "say \"why\"");
  CHECK(first["remedy"] == "because");
  CHECK(first["range"]["file"] == "a.uc");
  CHECK(first["range"]["begin"]["line"] == 1);
  CHECK(first["range"]["begin"]["column"] == 5);
  CHECK(first["range"]["end"]["column"] == 6);
  CHECK(first["notes"][0]["text"] == "here");
  CHECK(first["fixits"][0]["replacement"] == "q");
  CHECK(json["diagnostics"][1]["range"].is_null());
  CHECK_FALSE(json["diagnostics"][1].contains("remedy"));
}

TEST_CASE("bytes that are not UTF-8 do not stop JSON and SARIF") {
  Diagnostics list;
  list.error("e", whole_file("f\xff.uc"), "text \xfe here");
  CHECK_NOTHROW(nlohmann::json::parse(render_json(list)));
  CHECK_NOTHROW(nlohmann::json::parse(render_sarif(list)));
}

TEST_CASE("SARIF has the structure that readers of it expect") {
  const auto file = make_source("dir/a.uc", "alu[a, b]\n");
  Diagnostics list;
  Diagnostic& d = list.error("asm-x", range(file, {1, 5}, {1, 6}), "wrong", "write it right");
  add_note(d, range(file, {1, 1}, {1, 4}), "here");
  add_fix(d, range(file, {1, 5}, {1, 6}), "q");
  Diagnostic info;
  info.code = "i";
  info.severity = Severity::info;
  info.text = "only said";
  list.add(info);

  const auto log = nlohmann::json::parse(render_sarif(list));
  CHECK(log["version"] == "2.1.0");
  CHECK(log["$schema"].get<std::string>().find("sarif-2.1.0") != std::string::npos);
  REQUIRE(log["runs"].size() == 1);
  CHECK(log["runs"][0]["tool"]["driver"]["name"] == "weft");
  const auto& results = log["runs"][0]["results"];
  REQUIRE(results.size() == 2);
  CHECK(results[0]["ruleId"] == "asm-x");
  CHECK(results[0]["level"] == "error");
  CHECK(results[0]["message"]["text"] == "wrong (write it right)");
  const auto& physical = results[0]["locations"][0]["physicalLocation"];
  CHECK(physical["artifactLocation"]["uri"] == "dir/a.uc");
  CHECK(physical["region"]["startLine"] == 1);
  CHECK(physical["region"]["startColumn"] == 5);
  CHECK(physical["region"]["endColumn"] == 6);
  CHECK(results[0]["relatedLocations"][0]["message"]["text"] == "here");
  const auto& change = results[0]["fixes"][0]["artifactChanges"][0];
  CHECK(change["replacements"][0]["insertedContent"]["text"] == "q");
  CHECK(change["replacements"][0]["deletedRegion"]["startColumn"] == 5);
  // "info" is not a level of SARIF.
  CHECK(results[1]["level"] == "note");
}

TEST_CASE("no diagnostics are still a document") {
  CHECK(render_text({}) == "");
  CHECK(nlohmann::json::parse(render_json({}))["diagnostics"].empty());
  CHECK(nlohmann::json::parse(render_sarif({}))["runs"][0]["results"].is_array());
}

TEST_CASE("what a terminal would obey, or is not text, is not printed as it is") {
  const SourceFilePtr source = make_source("x", "a\x1b[31m\0b\xff\xc3\xa4"s + "c");
  Diagnostics list;
  list.error("e", {source, {1, 12}, {1, 13}}, "bad \x07 and \xff and \xc3\xa4");
  const std::string text = render_text(list);
  for (const char c : text) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  CHECK(text.find("\xc3\xa4 [e]") != std::string::npos);  // well-formed text stays
  CHECK(text.find('\xff') == std::string::npos);
}

TEST_CASE("of a long line the part around the place is shown") {
  const SourceFilePtr source = make_source("x", std::string(5000, 'a') + "HERE" + std::string(5000, 'b'));
  Diagnostics list;
  list.error("e", {source, {1, 5001}, {1, 5005}}, std::string(9000, 'n'));
  const std::string text = render_text(list);
  CHECK(text.size() < 1200);
  const size_t excerpt = text.find("HERE"), marks = text.find("^~~~");
  REQUIRE(excerpt != std::string::npos);
  REQUIRE(marks != std::string::npos);
  CHECK(excerpt - text.rfind('\n', excerpt) == marks - text.rfind('\n', marks));
}

TEST_CASE("SARIF: rules once each, with what the tool says of them") {
  Diagnostics list;
  list.error("asm-x", {}, "first");
  list.warning("asm-y", {}, "second");
  list.error("asm-x", {}, "third");
  const SarifTool tool{"1.2.3", [](const std::string& code) -> std::optional<SarifTool::Rule> {
                         if (code != "asm-x") return std::nullopt;
                         return SarifTool::Rule{"What x means.", "Why."};
                       }};
  const auto run = nlohmann::json::parse(render_sarif(list, tool))["runs"][0];
  const auto& driver = run["tool"]["driver"];
  CHECK(driver["version"] == "1.2.3");
  REQUIRE(driver["rules"].size() == 2);
  CHECK(driver["rules"][0]["id"] == "asm-x");
  CHECK(driver["rules"][0]["shortDescription"]["text"] == "What x means.");
  CHECK(driver["rules"][0]["help"]["text"] == "Why.");
  CHECK(driver["rules"][1] == nlohmann::json{{"id", "asm-y"}});
  CHECK(run["results"][0]["ruleIndex"] == 0);
  CHECK(run["results"][1]["ruleIndex"] == 1);
  CHECK(run["results"][2]["ruleIndex"] == 0);
  CHECK(run["results"][0]["locations"].empty());
}

TEST_CASE("SARIF: file names are URI references, columns count characters") {
  const auto file = make_source("a b/c:d\xc3\xa4%.uc", "\xc3\xa4\xe2\x82\xac x\n");
  Diagnostics list;
  list.error("x", {file, {1, 7}, {1, 8}}, "wrong");
  list.error("x", {file, {2, 3}, {1, 1}}, "an end before its begin is left out");
  list.error("x", {file, {0, 0}, {0, 0}}, "the file as a whole");
  list.error("x", {make_source("//host/a.uc", ""), {0, 0}, {0, 0}}, "a path that begins with two slashes");
  const auto results = nlohmann::json::parse(render_sarif(list))["runs"][0]["results"];
  const auto physical = [&](size_t i) { return results[i]["locations"][0]["physicalLocation"]; };
  CHECK(physical(0)["artifactLocation"]["uri"] == "a%20b/c%3Ad%C3%A4%25.uc");
  CHECK(physical(0)["region"]["startColumn"] == 4);
  CHECK(physical(0)["region"]["endColumn"] == 5);
  CHECK(physical(1)["region"] == nlohmann::json{{"startLine", 2}, {"startColumn", 3}});
  CHECK_FALSE(physical(2).contains("region"));
  CHECK(physical(3)["artifactLocation"]["uri"] == "/host/a.uc");
}

TEST_CASE("workflow commands: one line each, with what ends lines and properties escaped") {
  const auto file = make_source("d,1:a.uc", "alu[a, b]\nnop\n");
  Diagnostics list;
  Diagnostic& d = list.error("asm-x", {file, {1, 5}, {1, 6}}, "100 % wrong\nreally", "write it right");
  d.notes.push_back({{file, {2, 1}, {2, 4}}, "here"});
  list.warning("asm-y", {file, {1, 5}, {2, 2}}, "over lines");
  Diagnostic info;
  info.code = "i";
  info.severity = Severity::info;
  info.text = "only said";
  list.add(info);
  CHECK(render_github(list) ==
        "::error file=d%2C1%3Aa.uc,line=1,col=5,endColumn=6,title=asm-x::100 %25 wrong%0Areally%0Ahelp: write it "
        "right%0Anote: "
        "d,1:a.uc:2:1: here\n"
        "::warning file=d%2C1%3Aa.uc,line=1,endLine=2,title=asm-y::over lines\n"
        "::notice title=i::only said\n");
  CHECK(render_github({}) == "");
}
