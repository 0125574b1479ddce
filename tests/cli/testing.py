"""weft test: what passes, what fails, and what is said of it."""
import json
import struct
import subprocess
import unittest
import xml.etree.ElementTree as xml

from weft_cli import SOURCE as ROOT
from weft_cli import WEFT, CliTest


class Folder(CliTest):
    def write(self, name, content):
        return super().write(name, content if isinstance(content, str) else json.dumps(content))

    def put_tests(self, tests, name="a.test.json", **more):
        self.write(name, {"version": 1, "code": [".reg volatile a b r", "alu[r, a, +, b]"], "tests": tests, **more})

    def run_weft(self, *words):
        return subprocess.run([WEFT, "test", *words], cwd=self.folder, capture_output=True, text=True, timeout=120)


GOOD = {"name": "sum", "set": {"a": 7, "b": 5}, "expect": {"values": {"r": 12}, "instructions": 1}}
BAD = {"name": "wrong sum", "set": {"a": 7, "b": 5}, "expect": {"values": {"r": 13}}}


class Outcomes(Folder):
    def test_a_test_that_passes(self):
        self.put_tests([GOOD])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("a.test.json: sum: ok (1 instructions, 1 cycles)", ran.stdout)
        self.assertIn("1 passed", ran.stdout)

    def test_a_test_that_fails_says_what_was_found(self):
        self.put_tests([GOOD, BAD])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("r is 0xc (12), expected 0xd (13)", ran.stdout)
        self.assertIn("a.test.json:1:", ran.stdout)
        self.assertIn("again: weft test a.test.json --filter 'wrong sum'", ran.stdout)
        self.assertIn("1 passed, 1 failed", ran.stdout)

    def test_the_command_for_one_case_runs_that_case(self):
        self.put_tests([GOOD, {"name": "odd (name) [1] 'x'", **{k: BAD[k] for k in ("set", "expect")}}])
        ran = self.run_weft()
        command = next(line for line in ran.stdout.splitlines() if "again:" in line).split("again: ", 1)[1]
        again = subprocess.run(["sh", "-c", command.replace("weft", WEFT, 1)], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("\n0 passed, 1 failed\n", again.stdout)

    def test_rows(self):
        self.put_tests([{"name": "table", "set": {"a": "${a}", "b": 1}, "expect": {"values": {"r": "${a} + 1"}},
                         "rows": [{"a": 1}, {"name": "wrap", "a": "0xffffffff"}]}])
        ran = self.run_weft("--jobs", "1")
        self.assertIn("table [1]: ok", ran.stdout)
        self.assertIn("table [wrap]: ok", ran.stdout)  # longwords: the low half of 0x100000000
        self.assertIn("table [wrap]", self.run_weft("--list").stdout)

    def test_contexts_at_one_place_are_one_line(self):
        self.write("p.uc", "br=ctx[3, own#]\nbr=ctx[5, own#]\nbr=ctx[6, own#]\n.sig never own\nctx_arb[never]\nctx_arb[kill]\nown#:\nctx_arb[own]\nctx_arb[kill]\n")
        self.write("weft.json", {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0, 2]}]})
        self.write("b.test.json", {"version": 1, "project": ".", "tests": [
            {"name": "contexts", "check": "off", "expect": {"values": {"scratch[0]": 1}}}]})
        lines = [line.strip() for line in self.run_weft("b.test.json").stdout.splitlines() if "asleep" in line]
        self.assertEqual([line.split(":")[0] for line in lines],
                         [f"me{e}.{c}" for e in (0, 2) for c in ("ctx0 to ctx2, ctx4, ctx7", "ctx3, ctx5, ctx6")])

    def test_a_memory_block_of_an_ixp1200_is_in_bytes_and_its_commands_count_longwords(self):
        """The program of docs/language/directives.md."""
        text = (ROOT / "docs" / "language" / "directives.md").read_text(encoding="utf-8")
        program = text.split("```asm\n; chip: ixp1200\n", 1)[1].split("```", 1)[0]
        self.write("p.uc", program)
        self.write("weft.json", {"version": 1, "board": "nctu-1200", "programs": [{"source": "p.uc", "engines": [0]}],
                                 "memory": {"sram0": [{"begin": "0x1000", "end": "0x2000"}]}})
        self.write("b.test.json", {"version": 1, "project": ".", "tests": [
            {"name": "block", "expect": {"values": {"me0.ctx0.seen": 77, "sram0[table + 4]": 77}}}]})
        ran = self.run_weft("b.test.json")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_places_by_the_name_of_a_memory_block(self):
        self.write("p.uc", ".alloc_mem table sram0 global 64 64\n.reg at\nat = table\nctx_arb[kill]\n")
        self.write("weft.json", {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
                                 "memory": {"sram0": [{"begin": "0x1000", "end": "0x2000"}]}})

        def put(**test):
            self.write("b.test.json", json.dumps({"version": 1, "project": ".", "tests": [{"name": "block", **test}]}, indent=1))
            return self.run_weft("b.test.json")

        seen = {"sram0[0x1000]": 5, "sram0[0x1004]": 6, "sram0[0x1008]": 7}
        for given in ({"sram0[table]": 5, "sram0[table + 4]": 6, "sram0[0x1000 + 8]": 7}, {"sram0[table]": [5, 6, 7]}):
            ran = put(set=given, expect={"values": {**seen, "sram0[table]": [5, 6, 7]}})
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        ran = put(commands=["at 10: write sram0[table] = 5", "at 10: write sram0[table + 4] = 6", "at 10: write sram0[table + 8] = 7"],
                  expect={"values": seen})
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        # A wrong command is at its line of the file.
        ran = put(commands=["at 10: write sram0[table] = 5", "at 10: write sram0[tabel] = 5"], expect={})
        line = (self.folder / "b.test.json").read_text().splitlines().index('    "at 10: write sram0[tabel] = 5"') + 1
        self.assertIn(f"b.test.json:{line}:5: error: ", ran.stdout + ran.stderr)

    def test_what_never_ends(self):
        self.put_tests([{"name": "loop", "code": ["again#:", "br[again#]"], "limit": {"cycles": 500}, "expect": {}}])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("did not come to its end within 500 cycles", ran.stdout)
        self.put_tests([{"name": "loop", "code": ["again#:", "br[again#]"], "limit": {"cycles": 10**15}, "expect": {}}])
        ran = self.run_weft("--timeout", "1")
        self.assertIn("TOO LATE", ran.stdout)

    def test_a_register_that_nobody_wrote_fails_and_the_check_can_be_off(self):
        test = {"name": "unset", "set": {"a": 7}, "expect": {"values": {"r": 7}}}
        self.put_tests([test])
        self.assertIn("check-uninitialised", self.run_weft().stdout)
        self.put_tests([dict(test, check="off")])
        self.assertEqual(self.run_weft().returncode, 0)

    def test_zero_that_the_test_wrote_counts_as_written(self):
        self.put_tests([{"name": "zero", "set": {"a": 0, "b": 0}, "expect": {"values": {"r": 0}}}])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_known_failures(self):
        self.put_tests([dict(BAD, fails="the sum is one too small")])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0)
        self.assertIn("fails as known", ran.stdout)
        self.put_tests([dict(GOOD, fails="not any more")])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("remove its \"fails\"", ran.stdout)

    def test_memory_before_and_behind(self):
        code = [".reg base $x[2]", ".xfer_order $x", ".sig s", "immed[base, 0x40]", "sram[read, $x[0], base, 0, 2], ctx_swap[s]",
                "alu[$x[0], $x[1], +, 1]", "alu[$x[1], --, B, $x[0]]", "sram[write, $x[0], base, 8, 2], ctx_swap[s]"]
        self.put_tests([{"name": "memory", "code": code, "set": {"sram0[0x40]": [1, 2]}, "expect": {"values": {"sram0[0x48]": [3, 1], "sram0[0x48] ": {"is": 0x13, "mask": 15}}}}])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_lists_in_local_memory(self):
        code = [".reg volatile r", "immed[r, 0]", "local_csr_wr[ACTIVE_LM_ADDR_0, r]", "nop", "nop", "nop", "alu[r, --, B, *l$index0[0]]", "alu[r, r, +, *l$index0[1]]"]
        test = {"name": "local", "code": code, "set": {"me0.lm[0]": [40, 2]}, "expect": {"values": {"r": 42, "me0.lm[0]": [40, 2]}}}
        self.put_tests([test])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.put_tests([dict(test, expect={"values": {"me0.lm[0]": [40, 3]}})])
        self.assertIn("me0.lm[0] and 1 longwords is 0x2 (2), expected 0x3 (3)", self.run_weft().stdout)

    def test_fixtures_come_before_what_the_file_says(self):
        self.write("more/fixture.json", {"version": 1, "set": {"a": 7, "b": 1}})
        self.put_tests([dict(GOOD, set={"b": 5})], use=["more/fixture.json"])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_a_broken_program_is_told_with_its_line(self):
        self.put_tests([{"name": "broken", "code": [".reg a", "alu[a, --, B, missing]"], "expect": {}}])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("BROKEN", ran.stdout)
        self.assertIn("a.test.json/broken.uc:2:15", ran.stdout)

    def test_an_empty_list_of_frames_lets_none_enter(self):
        project = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}], "limits": {"cycles": 20000},
                   "ports": [{"port": 0, "in": {"generate": {"count": 3, "destinations": "10.0.0.1", "destination-mac": "02:00:00:00:01:0a"}}}]}
        self.write("weft.json", project)
        self.write("p.uc", "again#:\nbr[again#]\n")
        for frames in {}, {"in": []}:
            self.write("a.test.json", {"version": 1, "project": ".", "tests": [{"name": "none", "expect": {"drops": {"nix": 0}}, **frames}]})
            # The way of each packet that entered stands below a failure.
            self.assertEqual("packet 1 (port 0" in self.run_weft().stdout, not frames)

    def test_no_reason_at_all_is_an_expectation(self):
        project = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}], "limits": {"cycles": 20000},
                   "reasons": [{"name": "swallowed", "memory": "scratch", "address": 64}, {"name": "told", "fate": "control", "memory": "scratch", "address": 68}]}
        self.write("weft.json", project)
        self.write("p.uc", ".reg $n at\n.sig s\nbr!=ctx[0, again#]\nimmed[$n, 3]\nimmed[at, 64]\nscratch[write, $n, at, 0, 1], ctx_swap[s]\nagain#:\nbr[again#]\n")
        for expect in {"drops": {}}, {"drops": {}, "exceptions": {}}:
            self.write("a.test.json", {"version": 1, "project": ".", "tests": [{"name": "none", "expect": expect}]})
            ran = self.run_weft()
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertIn("packets dropped for 'swallowed': 3, expected none", ran.stdout)
        self.write("a.test.json", {"version": 1, "project": ".", "tests": [{"name": "none", "expect": {"exceptions": {}}}]})
        self.assertEqual(self.run_weft().returncode, 0)


class Code(Folder):
    """Lines of a test file stand in no file, whatever files there are."""

    CALL = ["#include \"block.uc\"", ".reg volatile a r", "block(r, a)"]

    def test_they_are_not_taken_for_a_file_with_the_name_of_the_test(self):
        self.write("block.uc", "#macro block(out, in)\nalu[out, in, +, 1]\n#endm\n")
        self.write("sum.uc", "nop\nnop\nnop\nnop\n")
        for name in "sum", "./sum", str(self.folder / "sum"):
            self.put_tests([{"name": name, "code": self.CALL, "set": {"a": 1}, "expect": {"values": {"r": 2}}}])
            ran = self.run_weft("--coverage", "out.info")
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            self.assertIn("block.uc", ran.stdout)
            text = (self.folder / "out.info").read_text()
            self.assertIn("block.uc", text)
            self.assertNotIn("sum.uc", text)
        self.put_tests([{"name": "sum", "code": ["missing[]"], "expect": {}}])
        self.assertIn("a.test.json/sum.uc:1:1: error", self.run_weft().stdout)

    def test_includes_begin_at_the_folder_of_the_test_file(self):
        self.write("up.uc", "#macro block(out, in)\nalu[out, in, +, 1]\n#endm\n")
        self.write("t/up.uc", "#macro block(out, in)\nalu[out, in, +, 2]\n#endm\n")
        for include, r in ("../up.uc", 2), ("up.uc", 3):
            code = [f"#include \"{include}\"", *self.CALL[1:]]
            self.put_tests([{"name": "sum", "code": code, "set": {"a": 1}, "expect": {"values": {"r": r}}}], name="t/a.test.json")
            self.assertEqual(self.run_weft("t").returncode, 0)
            ran = subprocess.run([WEFT, "test"], cwd=self.folder / "t", capture_output=True, text=True, timeout=120)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


class Boards(Folder):
    """One source on several chips."""

    CODE = [".reg volatile a r", "#if (__IXPTYPE == __IXP1200)", "immed[a, 1200]", "#else", "immed[a, 2400]", "#endif", "alu[r, --, B, a]"]

    def test_a_list_of_boards_runs_the_test_on_each(self):
        self.put_tests([{"name": "chip", "code": self.CODE, "expect": {"values": {"r": 2400}}}], board=["generic-2400", "generic-1200"])
        ran = self.run_weft("--jobs", "1")
        self.assertIn("chip [generic-2400]: ok", ran.stdout)
        self.assertIn("chip [generic-1200]: FAILED", ran.stdout)
        self.assertIn("r is 0x4b0 (1200), expected 0x960 (2400)", ran.stdout)
        self.assertEqual(self.run_weft("--filter", r"chip \[generic-2400\]").returncode, 0)

    def test_rows_and_boards(self):
        test = {"name": "chip", "code": self.CODE, "board": ["generic-1200", "generic-2800"], "expect": {"values": {"r": "${r}"}},
                "rows": [{"r": 1200}, {"name": "big", "r": 2400}]}
        self.put_tests([test], board="generic-2400")
        listed = self.run_weft("--list").stdout
        for name in ("chip [1, generic-1200]", "chip [1, generic-2800]", "chip [big, generic-1200]", "chip [big, generic-2800]"):
            self.assertIn(name, listed)
        ran = self.run_weft()
        self.assertIn("2 passed, 2 failed", ran.stdout)
        self.put_tests([dict(test, board="${board}", rows=[{"r": 1200, "board": "generic-1200"}, {"r": 2400, "board": "generic-2400"}])])
        self.assertEqual(self.run_weft().returncode, 0)

    def test_a_project_runs_on_another_board(self):
        self.write("weft.json", {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}], "limits": {"cycles": 100}})
        self.write("p.uc", "\n".join([*self.CODE, "ctx_arb[kill]"]) + "\n")
        test = {"name": "chip", "expect": {"values": {"me0.ctx0.r": "${r}"}}, "check": "off", "board": "${board}",
                "rows": [{"board": "generic-2400", "r": 2400}, {"board": "generic-1200", "r": 1200}]}
        self.write("a.test.json", {"version": 1, "project": ".", "tests": [test]})
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


class Options(Folder):
    def test_rerun_failed_and_fail_fast(self):
        self.put_tests([BAD, GOOD])
        ran = self.run_weft("--fail-fast", "--jobs", "1")
        self.assertIn("1 failed, 1 not run", ran.stdout)
        ran = self.run_weft("--rerun-failed")
        self.assertNotIn("sum: ok", ran.stdout)
        self.assertIn("1 failed", ran.stdout)
        self.put_tests([dict(BAD, expect={"values": {"r": 12}}), GOOD])
        self.assertEqual(self.run_weft("--rerun-failed").returncode, 0)
        self.assertIn("no test failed in the last run", self.run_weft("--rerun-failed").stdout)
        (self.folder / ".weft-test-failed").write_text("gone.test.json: gone\n")
        self.assertIn("no test is called like those in .weft-test-failed", self.run_weft("--rerun-failed").stderr)

    def test_filter(self):
        self.put_tests([BAD, GOOD])
        ran = self.run_weft("--filter", ": sum$")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("1 passed\n", ran.stdout)
        self.assertEqual(self.run_weft("--filter", "nothing").returncode, 1)
        ran = self.run_weft("--filter", "(")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("not a regular expression", ran.stderr)

    def test_junit(self):
        self.put_tests([BAD, GOOD])
        self.run_weft("--junit", "out.xml")
        suite = xml.parse(self.folder / "out.xml").getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("2", "1", "0"))
        self.assertIn("expected 0xd", suite.find("testcase/failure").text)
        self.put_tests([dict(BAD, name="a\ufffeb\uffff")])  # XML has no such characters
        self.run_weft("--junit", "out.xml")
        self.assertEqual(xml.parse(self.folder / "out.xml").getroot().find("testsuite/testcase").get("name"), "a\ufffdb\ufffd")

    def test_coverage_adds_up_over_cases(self):
        self.write("block.uc", "#macro block(out, in)\nalu[--, in, -, 5]\nbeq[five#]\nimmed[out, 1]\nbr[end#]\nfive#:\nimmed[out, 2]\nend#:\n#endm\n")
        code = ["#include \"block.uc\"", ".reg volatile a r", "block(r, a)", "nop"]
        tests = [{"name": str(a), "code": code, "set": {"a": a}, "expect": {"values": {"r": r}}} for a, r in ((4, 1), (5, 2))]
        self.put_tests(tests[:1])
        ran = self.run_weft("--coverage", "out.info")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertRegex(ran.stdout, r"5  80.0 % +5  80.0 % +2  50.0 %  block.uc  not: 7\n")
        self.put_tests(tests)
        ran = self.run_weft("--coverage", "out.info")
        self.assertRegex(ran.stdout, r"5 100.0 % +5 100.0 % +2 100.0 %  block.uc\n")
        text = (self.folder / "out.info").read_text()
        self.assertIn("DA:2,2\n", text)
        self.assertIn("DA:7,1\n", text)
        self.assertIn("BRDA:3,0,0,1\nBRDA:3,0,1,1\n", text)

    def test_history_of_one_case(self):
        self.put_tests([BAD, GOOD])
        self.assertEqual(self.run_weft("--history", "h.json").returncode, 2)
        ran = self.run_weft("--filter", ": sum$", "--history", "h.json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        json.loads((self.folder / "h.json").read_text())
        for name in "h.txt", "h.csv":
            ran = self.run_weft("--filter", ": sum$", "--history", name)
            self.assertEqual(ran.returncode, 2)
            self.assertIn(f"weft test: --history {name}: the name must end in .perfetto-trace", ran.stderr)
            self.assertNotIn("passed", ran.stdout)
            self.assertFalse((self.folder / name).exists())

    def test_numbers_that_are_none(self):
        self.put_tests([GOOD])
        for option in ["--timeout"], ["--coverage-floor"], ["--mutate", "--mutation-floor"]:
            for value in "nan", "-nan", "inf", "1e9", "x":
                ran = self.run_weft(*option[:-1], f"{option[-1]}={value}")
                self.assertEqual(ran.returncode, 2, (option, value, ran.stdout))
                self.assertIn(value, ran.stderr)

    def test_both_engines(self):
        self.put_tests([GOOD])
        self.assertEqual(self.run_weft("--engine", "fast").returncode, 0)


class WrongInput(Folder):
    def refused(self, *texts, tests=None, **more):
        self.put_tests(tests if tests is not None else [GOOD], **more)
        ran = self.run_weft("--list")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        for text in texts:
            self.assertIn(text, ran.stderr)

    def test_files_that_are_wrong(self):
        self.refused("'exspect' means nothing here", "did you mean 'expect'?", tests=[{"name": "x", "exspect": {}}])
        self.refused("the row has no value 'c'", tests=[{"name": "x", "set": {"a": "${c}"}, "rows": [{"a": 1}], "expect": {}}])
        self.refused("a test before this one has the name 'sum'", tests=[GOOD, GOOD])
        self.refused("nothing is expected of this test", tests=[{"name": "x"}])
        self.refused("a test runs one thing", tests=[dict(GOOD, code=["nop"], source="x.uc")])
        self.refused("cannot open", use=["missing.json"])
        self.refused("this version of test files is not known", version=2)
        self.refused("no frame has the name 'plane'", "did you mean 'plain'?", frames={"plain": "00"},
                     tests=[dict(GOOD, **{"in": [{"port": 0, "frame": {"same_as": "plane"}}]})])
        self.refused("'20 years' is not a time", tests=[dict(GOOD, **{"in": [{"port": 0, "frame": "00", "at": "20 years"}]})])
        self.refused("there is no layer 'ipv5'", tests=[dict(GOOD, **{"in": [{"port": 0, "frame": [{"ipv5": {}}]}]})])
        self.refused("a row before this one is called 'r'", tests=[dict(GOOD, rows=[{"name": "r"}, {"name": "r"}])])
        self.refused("a row before this one is called '1'", tests=[dict(GOOD, rows=[{"x": 1}, {"name": "1"}])])
        self.refused("a name has no control characters", tests=[dict(GOOD, name="two\nlines")])
        self.refused("there is no test in this file", tests=[])
        self.refused("no number is at least 5 and at most 2", tests=[dict(GOOD, expect={"cycles": {"least": 5, "most": 2}})])
        self.write("a.test.json", "{\"version\": 1, \"tests\": [}")
        self.assertIn("a.test.json:1:", self.run_weft().stderr)
        self.refused("the board 'x' is named twice", board=["x", "x"])
        self.refused("a list of boards names at least one", board=[])

    def test_values_beyond_a_longword(self):
        for value in "0x100000003", 2**32, -2**31 - 1, "-0x80000001", 1e300:
            self.refused(f"'{value}' has more than the 32 bits of a longword", "a.test.json:1:", tests=[dict(GOOD, expect={"values": {"r": value}})])
            self.refused("has more than the 32 bits", tests=[dict(GOOD, set={"a": value, "b": 5})])
            self.refused("has more than the 32 bits", tests=[dict(GOOD, set={"sram0[0x40]": [1, value]})])
            self.refused("has more than the 32 bits", tests=[dict(GOOD, expect={"values": {"r": {"is": value, "mask": 1}}})])
        self.put_tests([dict(GOOD, set={"a": -2**31, "b": "0x80000000"}, expect={"values": {"r": 0}}),
                        dict(GOOD, name="row", set={"a": "${a}", "b": 0}, expect={"values": {"r": "0xffffffff"}}, rows=[{"a": 2**32 - 1}, {"a": -1}])])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_a_mask_is_for_what_is_expected(self):
        self.refused("what is set is a value or a list of them", "a.test.json:1:", tests=[dict(GOOD, set={"a": {"is": 1}, "b": 5})])

    def test_fields_that_no_frame_has(self):
        for name, *texts in (("ipv4.nix", "no frame has a field 'ipv4.nix'"), ("ipv4.tttl", "did you mean 'ipv4.ttl'?"), ("ipv5.ttl", "did you mean 'ipv4.ttl'?"),
                             ("foo", "'foo' names no field"), ("x.y.z", "no frame has a field 'x.y.z'"), ("mpls#0.label", "names no field"), ("mpls#2.lable", "did you mean 'mpls.label'?")):
            self.refused(*texts, "a.test.json:1:", tests=[dict(GOOD, expect={"out": [], "ignore": ["ipv4.ttl", name]})])
        self.refused("no frame has a field 'ipv4.nix'", tests=[dict(GOOD, expect={"out": [{"port": 0, "fields": {"ipv4.nix": 1}}]})])
        names = ["ethernet.type", "vlan.id", "mpls#3.ttl", "arp.target_mac", "ipv4#1.options", "ipv6.flow_label", "hop_by_hop.options", "destination_options.length",
                 "routing.data", "fragment.more", "udp.length", "tcp.options", "icmp.rest", "icmpv6.checksum", "payload.octets", "padding.length", "frame.octet"]
        self.put_tests([dict(GOOD, expect={"ignore": names})])
        self.assertEqual(self.run_weft("--list").returncode, 0)

    def test_contexts_that_the_chip_lacks(self):
        for contexts in 16, "0xf0", 31:
            self.refused("ixp1200 has 4 contexts", "write 1 to 0xf", "a.test.json:1:", tests=[dict(GOOD, board="generic-1200", contexts=contexts)])
        self.put_tests([dict(GOOD, name=board, board=board, contexts=contexts) for board, contexts in (("generic-1200", 8), ("generic-2400", "0x80"))])
        self.assertEqual(self.run_weft("--list").returncode, 0)

    def test_definitions_that_are_wrong(self):
        self.refused("'A B' cannot be defined", "a.test.json:1:", define={"A B": 1})
        self.refused("the value of 'A' has more than one line", "a.test.json:1:", tests=[dict(GOOD, define={"A": "1\n2"})])
        self.put_tests([{"name": "x", "define": {"A": "x y"}, "code": [".reg r", "immed[r, A]"], "expect": {}}])
        ran = self.run_weft()
        self.assertRegex(ran.stdout, r"a\.test\.json:1:\d+: note: in expansion of 'A'")
        self.assertNotIn("<command line>", ran.stdout)

    def test_a_board_that_there_is_not(self):
        self.put_tests([dict(GOOD, board="nix")])
        self.assertRegex(self.run_weft().stdout, r"a\.test\.json:1:\d+: error: there is no board 'nix'")

    def test_an_override_that_is_wrong(self):
        self.write("p.uc", "nop\n")
        self.write("weft.json", {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}], "limits": {"cycles": 9}})
        for override, text in (({"nix": 1}, "error: 'nix' is not a name that belongs here"), ({"limits.cycles": "x"}, "error: a whole number is expected here"),
                               ({"limits": {"cycle": 3}}, "error: 'cycle' is not a name that belongs here"), ({"programs.x": 1}, "error: there is no place '/programs/x' in weft.json"),
                               ({"board": 5}, "error: a text in quotes"), ({"control.config": "x"}, "note: the test changes 'control.config' of the project here")):
            self.write("a.test.json", {"version": 1, "project": ".", "tests": [{"name": "x", "override": override, "expect": {}}]})
            ran = self.run_weft("--list")
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertRegex(ran.stderr, r"a\.test\.json:1:\d+: " + text.replace(".", r"\."))
            self.assertNotIn("command line", ran.stderr)
        self.write("a.test.json", {"version": 1, "project": ".", "tests": [{"name": "x", "board": "nix", "expect": {}}]})
        self.assertRegex(self.run_weft().stdout, r"a\.test\.json:1:\d+: error: there is no board 'nix'")

    def test_values_of_another_shape_are_not_taken_for_nothing(self):
        self.refused("'tests' is a list", tests={"name": "x"})
        self.refused("an object is expected here", tests=[5])
        self.refused("'use' is a list", use="fixture.json")
        for name in ("define", "constants", "set", "frames"):
            self.refused(f"'{name}' has names in it", **{name: ["x"]})
        for name in ("values", "drops", "exceptions"):
            self.refused(f"'{name}' has names in it", tests=[dict(GOOD, expect={name: ["x"]})])
        self.refused("'out' is a list", tests=[dict(GOOD, expect={"out": {"port": 0}})])
        self.refused("'expect' has names in it", tests=[dict(GOOD, expect=5)])
        self.refused("a row has values with names", tests=[dict(GOOD, rows=[5])])
        self.refused("'rows' is a list", tests=[dict(GOOD, rows={"a": 1})])
        self.refused("no value stands for 'sram0[0x40]'", tests=[dict(GOOD, expect={"values": {"sram0[0x40]": []}})])

    def test_places_that_hold_no_tests(self):
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("no test files below this folder", ran.stderr)
        ran = self.run_weft("missing.test.json")
        self.assertIn("missing.test.json", ran.stderr)

    def test_values_that_cannot_be_read(self):
        self.put_tests([dict(GOOD, expect={"values": {"rr": 12}})])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("'rr':", ran.stdout)
        self.put_tests([dict(GOOD, set={"a": [1, 2], "b": 5})])
        self.assertIn("'a' is not a memory at a number: it takes one value", self.run_weft().stdout)


class Forwarder(Folder):
    """A frame that is not as expected: what a person needs to see."""

    SENT = {"same_as": "plain", "change": {"ethernet.destination": "02:00:00:00:00:0b", "ethernet.source": "02:00:00:00:01:0b", "ipv4.ttl": 63}}

    def put_forwarder(self, frames_in, out):
        text = "\n".join(line for line in (ROOT / "examples/ipv4-forwarder/tests/forwarder.test.json").read_text().splitlines() if not line.lstrip().startswith("//"))
        frames = json.loads(text)["frames"]
        self.write("a.test.json", {"version": 1, "project": str(ROOT / "examples/ipv4-forwarder"), "frames": frames,
                                   "tests": [{"name": "times", "in": frames_in, "expect": {"out": out}}]})

    def test_times_of_frames(self):
        frames_in = [{"port": 0, "frame": {"same_as": "plain"}, "at": "10us", "times": 2, "every": "50us"}]
        first, second = ({"port": 1, "frame": self.SENT, "after": after, "before": before} for after, before in (("10us", "60us"), ("60us", "110us")))
        self.put_forwarder(frames_in, [first, second])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.put_forwarder(frames_in, [dict(first, before="11us"), dict(second, after="109us")])
        ran = self.run_weft()
        self.assertRegex(ran.stdout, r"frame 1 left port 1 at 1[1-9]\d\d\d ns, expected at 11000 ns or earlier")
        self.assertRegex(ran.stdout, r"frame 2 left port 1 at [67]\d\d\d\d ns, expected at 109000 ns or later")
        self.put_forwarder(frames_in, [dict(first, after="70us", before="60us")])
        self.assertIn("no moment is later than 'after' and earlier than 'before'", self.run_weft().stderr)

    def test_fields_that_count(self):
        frames_in = [{"port": 0, "frame": {"same_as": "plain", "change": {"ipv4.tos": "0xb9"}}}]
        right = {"ipv4.ttl": 63, "ipv4.destination": "198.51.100.7", "ipv4.tos": {"is": "0xb8", "mask": "0xfc"}, "ethernet#1.destination": "02:00:00:00:00:0b"}
        self.put_forwarder(frames_in, [{"port": 1, "fields": right}])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        for wrong, words in (({"ipv4.ttl": 64}, "ipv4.ttl: 64 -> 63"),
                             ({"ipv4.tos": {"is": "0xb8", "mask": "0xff"}}, "ipv4.tos: 184 in the bits 0xff -> 0xb9"),
                             ({"ipv4.destination": "198.51.100.8"}, "ipv4.destination: 198.51.100.8 -> 198.51.100.7"),
                             ({"mpls#2.label": 5}, "mpls#2.label: 5 -> (missing)")):
            self.put_forwarder(frames_in, [{"port": 1, "fields": wrong}])
            ran = self.run_weft()
            self.assertEqual(ran.returncode, 1)
            self.assertIn(words, ran.stdout)
        for fields, words in (({}, "no field is named"), ({"ttl": 3}, "'ttl' names no field"), ({"mpls#0.label": 3}, "names no field"),
                              ({"ipv4.ttl": {"is": 3, "maks": 1}}, "maks")):
            self.put_forwarder(frames_in, [{"port": 1, "fields": fields}])
            ran = self.run_weft()
            self.assertEqual(ran.returncode, 1)
            self.assertIn(words, ran.stderr)
            self.assertIn("a.test.json:", ran.stderr)
        self.put_forwarder(frames_in, [{"port": 1, "fields": right, "frame": {"same_as": "plain"}}])
        self.assertIn("name one of the three", self.run_weft().stderr)

    def test_flags_that_count(self):
        """Flags are names as in frames, a number, or what a capture tool prints; a field of one bit is true or false too."""
        plain = [{"ethernet": {"destination": "02:00:00:00:01:0a", "source": "02:00:00:00:00:0a"}},
                 {"ipv4": {"source": "10.0.0.2", "destination": "198.51.100.7", "dont_fragment": True}}, {"tcp": {"source": 1, "destination": 9, "flags": "syn ack"}}]
        frames_in = [{"port": 0, "frame": plain}]
        for flags in "syn ack", "ack syn", 18, "0x12", "SA", {"is": 2, "mask": 3}, {"is": "0xf0", "mask": "0x10"}:
            self.put_forwarder(frames_in, [{"port": 1, "fields": {"tcp.flags": flags, "ipv4.dont_fragment": True, "ipv4.more_fragments": False}}])
            ran = self.run_weft()
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        for fields, words in (({"tcp.flags": "syn"}, "tcp.flags: syn -> SA"), ({"tcp.flags": 2}, "tcp.flags: 2 -> SA"), ({"tcp.flags": True}, "tcp.flags: true -> SA"),
                              ({"tcp.flags": {"is": 2, "mask": 18}}, "tcp.flags: 2 in the bits 0x12 -> SA"), ({"tcp.flags": "sin"}, "tcp.flags: sin -> SA"),
                              ({"ipv4.dont_fragment": False}, "ipv4.dont_fragment: false -> 1"), ({"ipv4.more_fragments": True}, "ipv4.more_fragments: true -> 0")):
            self.put_forwarder(frames_in, [{"port": 1, "fields": fields}])
            ran = self.run_weft()
            self.assertEqual(ran.returncode, 1)
            self.assertIn(words, ran.stdout)

    def test_a_part_of_a_capture(self):
        frame = bytes.fromhex("02000000010a02000000000a0800") + bytes(46)
        packets = [frame[:-1] + bytes([n]) for n in range(4)]
        capture = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1) + b"".join(struct.pack("<IIII", 0, 0, 60, 60) + p for p in packets)
        (self.folder / "in.pcap").write_bytes(capture)
        taken = {"port": 0, "pcap": "in.pcap", "skip": 1, "count": 2, "every": "10us"}
        self.put_forwarder([taken], [])
        ran = self.run_weft()
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)  # no IPv4 header: dropped
        self.put_forwarder([taken], [{"port": 1, "frame": self.SENT}])
        text = self.run_weft().stdout
        self.assertIn("packet 2 (port 0, frame 2)", text)
        self.assertNotIn("packet 3 (", text)
        self.put_forwarder([dict(taken, times=2)], [{"port": 1, "frame": self.SENT}])
        text = self.run_weft().stdout
        self.assertIn("packet 4 (port 0, frame 4)", text)
        self.assertNotIn("packet 5 (", text)
        self.put_forwarder([dict(taken, damaged=True)], [{"port": 1, "frame": self.SENT}])
        self.assertEqual(self.run_weft().stdout.count("): dropped, receive_error"), 2)
        self.put_forwarder([{"port": 0, "frame": {"same_as": "plain"}, "times": 2}], [{"port": 1, "pcap": "in.pcap", "times": 2}])
        self.assertIn("frame 8 did not leave by port 1", self.run_weft().stdout)
        self.put_forwarder([dict(taken, skip=4)], [])
        self.assertIn("in.pcap has 4 packets, and 4 are left out", self.run_weft().stderr)
        self.put_forwarder([{"port": 0, "frame": {"same_as": "plain"}, "skip": 1}], [])
        self.assertIn("'skip' chooses packets of a 'pcap'", self.run_weft().stderr)

    def test_the_difference_of_a_frame(self):
        text = (ROOT / "examples/ipv4-forwarder/tests/forwarder.test.json").read_text()
        project = json.dumps(str(ROOT / "examples/ipv4-forwarder"))
        self.write("a.test.json", text.replace('"project": ".."', '"project": ' + project).replace('"ipv4.ttl": 63, "payload"', '"ipv4.ttl": 62, "payload"'))
        ran = self.run_weft("--filter", r"forwarded \[2\]")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("ipv4.ttl (octet 22): 62 -> 63", ran.stdout)
        self.assertRegex(ran.stdout, r"0010 expected .* 3e .*\n +got +.* 3f ")
        self.assertIn("packet 1 (port 0, frame 1): forwarded; way: me0", ran.stdout)


if __name__ == "__main__":
    unittest.main()
