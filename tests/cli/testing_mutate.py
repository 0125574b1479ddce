"""weft test: mutants, coverage with floors and as pages, and what happens to processes."""
import html.parser
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

WEFT = os.environ["WEFT"]

# out = the number of turns in which n goes down to 0, and 7 more; the comment is not part of the line.
BLOCK = """#macro count_down(out, n)
.begin
    .reg left
    immed[out, 7]              // seven more
    alu[left, --, B, n]
    beq[done#]
again#:
    alu[out, out, +, 1]
    alu[left, left, -, 1]
    bne[again#]
done#:
.end
#endm
"""


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)
        self.write("block.uc", BLOCK)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text if isinstance(text, str) else json.dumps(text))

    def put_tests(self, numbers, name="a.test.json", **more):
        """One case for each number of turns."""
        code = ["#include \"block.uc\"", ".reg volatile n r", "count_down(r, n)"]
        tests = [{"name": f"{n} turns", "set": {"n": n}, "expect": {"values": {"r": n + 7}}} for n in numbers]
        self.write(name, {"version": 1, "code": code, "tests": tests, **more})

    def weft(self, *words, cwd=None):
        return subprocess.run([WEFT, "test", *words], cwd=cwd or self.folder, capture_output=True, text=True, timeout=120)

    def mutate(self, *words, **more):
        return self.weft("--mutate", *(() if "--jobs" in words else ("--jobs", "2")), *words, **more)


class Mutants(Folder):
    ALL = ("--mutants", "1000")

    def test_a_weak_test_lets_a_mutant_live_and_a_strong_one_kills_it(self):
        self.put_tests([0, 1])
        weak = self.mutate(*self.ALL)
        # With one turn nobody sees that the branch back is never taken.
        self.assertIn("block.uc:10: drop", re.findall(r"survived: (.*)", weak.stdout))
        self.assertRegex(weak.stdout, r"    bne\[again#\]\n    after again#\n    bne\[l\d+#\]  ->  nop\n    1 case executed it and passed\n")
        self.put_tests([0, 1, 5])
        strong = self.mutate(*self.ALL)
        self.assertNotIn("block.uc:10: drop", re.findall(r"survived: (.*)", strong.stdout))
        killed = self.mutate("--mutant", "block.uc:10: drop")
        self.assertEqual(killed.returncode, 0, killed.stdout + killed.stderr)
        self.assertIn("killed by a.test.json: 5 turns", killed.stdout)
        self.assertIn("r is 0x8 (8), expected 0xc (12)", killed.stdout)

    def test_what_hangs_is_killed_by_its_cycles(self):
        self.put_tests([3])
        ran = self.mutate("--mutant", "block.uc:9: drop")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertRegex(ran.stdout, r"did not end within \d+ cycles; without the change it takes \d+")

    def test_the_command_for_one_mutant_runs_that_mutant(self):
        self.put_tests([0, 1])
        ran = self.mutate(*self.ALL)
        ids = re.findall(r"survived: (.*)", ran.stdout)
        commands = re.findall(r"again: (.*)", ran.stdout)
        self.assertEqual(len(ids), len(commands))
        self.assertGreater(len(ids), 0)
        for name, command in list(zip(ids, commands))[:4]:
            again = subprocess.run(["sh", "-c", command.replace("weft", shlex.quote(WEFT), 1)], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(again.returncode, 1, again.stderr)
            self.assertTrue(again.stdout.startswith(name + "\n"), again.stdout)
            self.assertIn("survived", again.stdout)

    def test_the_seed_alone_decides_which_mutants_are_made(self):
        self.put_tests([0, 1])
        made = lambda *words, **more: re.findall(r"^  (?:survived|equivalent): .*?(\d+(?:\.\d+)?: .*)$", self.mutate("--mutants", "8", *words, **more).stdout, re.M)
        first = [made("--seed", str(seed)) for seed in range(1, 9)]
        self.assertEqual(first, [made("--seed", str(seed), "--jobs", "1") for seed in range(1, 9)])
        self.assertEqual(first, [made("--seed", str(seed), str(self.folder), cwd="/") for seed in range(1, 9)])
        self.assertGreater(len({str(f) for f in first}), 2)
        self.assertEqual(first[0], made())

    def test_figures_and_the_floor(self):
        self.put_tests([0, 1, 5])
        ran = self.mutate("--mutants", "20")
        figures = re.search(r"block.uc: (\d+) mutants, (\d+) killed, (\d+) survived, (\d+) equivalent: ([\d.]+) %", ran.stdout)
        made, killed, survived, equivalent = map(int, figures.groups()[:4])
        self.assertEqual(made, 20)
        self.assertEqual(made, killed + survived + equivalent)
        self.assertAlmostEqual(float(figures.group(5)), 100 * killed / (made - equivalent), delta=0.06)
        self.assertRegex(ran.stdout, r"made from \d+ mutants; \d+ more changes have no word")
        self.assertEqual(self.mutate("--mutation-floor", "0").returncode, 0)
        self.put_tests([0])  # most of the block is not executed
        low = self.mutate(*self.ALL)
        self.assertEqual(low.returncode, 1)
        self.assertIn("below the floor of 90 %", low.stdout)
        self.assertIn("no test executes this instruction", low.stdout)

    def test_a_block_without_tests_is_told(self):
        self.put_tests([0, 1, 5])
        self.write("other.uc", "#macro other(x)\nimmed[x, 1]\n#endm\n")
        self.write("numbers.uc", "// Only names.\n#define FOUR \\\n  4\n")
        self.write("calls.uc", "#include \"block.uc\"\n.reg volatile n r\ncount_down(r, n)\nctx_arb[bpt]\nnop\n")
        self.write("tests/helper.uc", "#macro helper(x)\nimmed[x, 1]\n#endm\n")
        self.write("tests/b.test.json", {"version": 1, "source": "../calls.uc", "tests": [{"name": "calls", "set": {"n": 2}, "expect": {"values": {"r": 9}}}]})
        ran = self.mutate()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("other.uc: no test executes it", ran.stdout)
        self.assertNotIn("numbers.uc", ran.stdout)
        self.assertNotIn("helper.uc", ran.stdout)

    def test_blocks_that_a_test_file_names(self):
        self.put_tests([0, 1, 5])
        self.write("other.uc", "#macro other(x)\nimmed[x, 1]\n#endm\n")
        code = ["#include \"../block.uc\"", "#include \"../other.uc\"", ".reg volatile n r", "other(n)", "count_down(r, n)"]
        self.write("tests/b.test.json", {"version": 1, "code": code, "blocks": ["../other.uc"], "tests": [{"name": "both", "expect": {"values": {"r": 8}}}]})
        ran = self.mutate("tests", "--mutants", "5")
        self.assertIn("other.uc: 5 mutants", ran.stdout)
        self.assertIn("block.uc: no test executes it", ran.stdout)  # its own tests are not among these

    def test_one_word_in_several_programs_is_one_mutant(self):
        # Both programs hold the line, each is killed by its own test only.
        self.write("block.uc", "#macro put(out, v)\n#if (v > 5)\nalu[out, out, +, 1]\n#endif\nimmed[out, v]\n#endm\n")
        code = ["#include \"block.uc\"", ".reg volatile r", "put(r, ${v})"]
        self.write("a.test.json", {"version": 1, "code": code, "tests": [{"name": "put", "set": {"r": 0}, "expect": {"values": {"r": "${v}"}}, "rows": [{"v": 3}, {"v": 4}]}]})
        ran = self.mutate(*self.ALL)
        self.assertEqual(len(re.findall(r"block.uc:5: value \+1", ran.stdout)), 0, ran.stdout)
        one = self.mutate("--mutant", "block.uc:5: value +1")
        self.assertIn("immed[", one.stdout)
        self.assertIn("killed by a.test.json: put [", one.stdout)

    def test_equivalent_mutants_are_proved(self):
        self.put_tests([0, 1, 5])
        ran = self.mutate(*self.ALL)
        self.assertIn("equivalent: block.uc:8: swap sources: the sources of this operation can be exchanged", ran.stdout)
        self.assertIn("equivalent: block.uc:8: + becomes +16: the right source has eight bits", ran.stdout)

    def listed(self, entry, *words, numbers=(0, 1)):
        self.put_tests(numbers, blocks=["block.uc"], equivalent=[entry])
        return self.mutate("--mutation-floor", "0", *words)

    def test_equivalent_mutants_that_a_file_lists(self):
        entry = {"line": "bne[again#]", "mutation": "drop", "reason": "one turn is all that it makes"}
        ran = self.listed(entry, *self.ALL)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("equivalent (listed): block.uc:10: drop: one turn is all that it makes", ran.stdout)
        self.assertNotIn("survived: block.uc:10: drop", ran.stdout)
        # A line is written without its comment.
        entry = {"line": "immed[out, 7]", "mutation": "drop", "reason": "x"}
        self.assertIn("'block.uc:4: drop' is not equivalent: a.test.json: 0 turns fails with it", self.listed(entry).stderr)

    def test_entries_that_are_wrong(self):
        def refused(text, **changes):
            ran = self.listed({"line": "bne[again#]", "mutation": "drop", "reason": "x", **changes})
            self.assertEqual(ran.returncode, 1)
            self.assertIn(text, ran.stderr)
            self.assertIn("a.test.json:1:", ran.stderr)

        refused("no line of block.uc is 'bne[agian#]'", line="bne[agian#]")
        refused("block.uc:10 has no mutant 'shift +1'", mutation="shift +1")
        refused("'reason' is empty", reason="")
        refused("only 1 lines are 'bne[again#]'", nth=2)
        refused("'resaon' ", resaon="x")
        # It is run even when the seed does not choose it.
        ran = self.listed({"line": "bne[again#]", "mutation": "drop", "reason": "x"}, "--mutants", "1", numbers=(0, 1, 5))
        self.assertEqual(ran.returncode, 1)
        self.assertIn("'block.uc:10: drop' is not equivalent", ran.stderr)
        self.write("block.uc", BLOCK.replace("    beq[done#]\n", "    beq[done#]\n    beq[done#]\n"))
        ran = self.listed({"line": "beq[done#]", "mutation": "drop", "reason": "the first one"})
        self.assertIn("2 lines are 'beq[done#]'", ran.stderr)
        ran = self.listed({"line": "beq[done#]", "nth": 2, "mutation": "drop", "reason": "the first one"}, *self.ALL, numbers=(0, 1, 5))
        self.assertIn("equivalent (listed): block.uc:7: drop: the first one", ran.stdout)

    TWICE = BLOCK.replace("done#:", "    br[done#]\nmore#:\n    alu[out, out, +, 1]\n    alu[out, out, +, 1]\ndone#:")

    def test_lines_of_one_text_are_told_apart_by_their_labels(self):
        def listed(**context):
            entry = {"line": "alu[out, out, +, 1]", "mutation": "drop", "reason": "nobody comes here", **context}
            self.put_tests([0, 1, 5], blocks=["block.uc"], equivalent=[entry])
            self.write("block.uc", self.TWICE)
            return self.mutate("--mutation-floor", "0", *self.ALL)

        ran = listed()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("3 lines are 'alu[out, out, +, 1]'", ran.stderr)
        self.assertIn("\"label\", the label before it, of again#, more#", ran.stderr)
        self.assertIn("'block.uc:8: drop' is not equivalent", listed(label="again#").stderr)
        self.assertIn("2 lines are 'alu[out, out, +, 1]' after more#", listed(label="more#").stderr)
        self.assertIn("only 2 lines are 'alu[out, out, +, 1]' after more#", listed(label="more#", nth=3).stderr)
        self.assertIn("no line is 'alu[out, out, +, 1]' after mor#", listed(label="mor#").stderr)
        self.assertIn("'label' is empty", listed(label="").stderr)
        ran = listed(label="more#", nth=2)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("equivalent (listed): block.uc:14: drop: nobody comes here", ran.stdout)
        # Survivors are named by line and context.
        self.assertRegex(ran.stdout, r"survived: block.uc:13: drop\n    alu\[out, out, \+, 1\]\n    after more#, number 1 of 2 such lines\n")
        self.put_tests([0, 1])
        self.write("block.uc", BLOCK)
        self.assertRegex(self.mutate(*self.ALL).stdout, r"survived: block.uc:10: drop\n    bne\[again#\]\n    after again#\n    bne")

    def test_tests_that_fail_anyway_judge_nothing(self):
        self.put_tests([0, 1, 5])
        self.write("b.test.json", {"version": 1, "code": ["#include \"block.uc\"", ".reg volatile n r", "count_down(r, n)"],
                                   "tests": [{"name": "wrong", "set": {"n": 9}, "expect": {"values": {"r": 1}}}]})
        ran = self.mutate("--mutants", "3", "--mutation-floor", "0")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("b.test.json: wrong: FAILED without any change", ran.stdout)
        self.assertIn("block.uc: 3 mutants", ran.stdout)

    def test_wrong_options(self):
        self.put_tests([1])
        ran = self.mutate("--mutant", "block.uc:10: dorp")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("there is no mutant 'block.uc:10: dorp'", ran.stderr)
        self.assertIn("did you mean 'block.uc:10: drop'?", ran.stderr)
        for words in (["--mutants", "5"], ["--mutate", "--mutants", "0"], ["--mutate", "--mutation-floor", "101"], ["--mutate", "--junit", "x.xml"]):
            self.assertEqual(self.weft(*words).returncode, 2, words)


class Page(html.parser.HTMLParser):
    """Rows of tables as lists of texts, links, and whether every element that was opened is closed."""
    EMPTY = {"meta", "!doctype"}

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.links, self.classes = [], [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        if tag in self.EMPTY:
            return
        self.open.append(tag)
        values = dict(attributes)
        if tag == "tr":
            self.rows.append([])
            self.classes.append(values.get("class", ""))
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if "href" in values:
            self.links.append(values["href"])
        for name in ("src", "onclick"):
            assert name not in values

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, text):
        if self.open and self.open[-1] in ("td", "th", "a") and self.rows and self.rows[-1]:
            self.rows[-1][-1] += text


class Coverage(Folder):
    def test_pages(self):
        self.put_tests([0, 2])
        self.write("block.uc", BLOCK.replace("// seven more", "// 7 < 8 & \"more\""))
        ran = self.weft("--coverage-html", "pages")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        index = Page((self.folder / "pages/index.html").read_text())
        self.assertEqual(index.links, ["block.uc.html"])
        self.assertIn(["block.uc", "100.0 %", "6 of 6", "100.0 %", "6 of 6", "100.0 %", "4 of 4"], index.rows)
        page = Page((self.folder / "pages/block.uc.html").read_text())
        rows = {row[0]: (row[1:], sort) for row, sort in zip(page.rows, page.classes)}
        self.assertEqual(rows["4"][0], ["2", "1 of 1", "", "    immed[out, 7]              // 7 < 8 & \"more\""])
        self.assertEqual(rows["6"][0][:3], ["2", "1 of 1", "1 / 1"])  # taken without turns only
        self.assertEqual(rows["10"][0][:3], ["2", "1 of 1", "1 / 1"])
        self.assertEqual(rows["3"][0][:3], ["", "", ""])
        self.put_tests([0])
        self.weft("--coverage-html", "pages")
        page = Page((self.folder / "pages/block.uc.html").read_text())
        sorts = {row[0]: sort for row, sort in zip(page.rows, page.classes)}
        self.assertEqual((sorts["4"], sorts["6"], sorts["8"]), ("hit", "part", "miss"))
        self.write("taken", "")
        ran = self.weft("--coverage-html", "taken")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("this folder cannot be made", ran.stderr)

    def test_the_floor_of_all_blocks(self):
        self.put_tests([0])
        ran = self.weft("--coverage-floor", "95")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stdout, r"6  50.0 % +6  50.0 % +4  25.0 %  block.uc  not: 8, 9, 10\n")
        self.assertIn("block.uc: below the floor of 95 %", ran.stdout)
        self.assertEqual(self.weft("--coverage-floor", "50").returncode, 0)
        self.put_tests([0, 1, 5])
        self.assertEqual(self.weft("--coverage-floor", "100").returncode, 0)

    def test_a_macro_that_no_test_calls_counts(self):
        self.put_tests([0, 1, 5])
        self.write("block.uc", BLOCK + "/* more\n*/\n#macro unused(x)\n    .reg y\nl#:  immed[x, 1] ; a comment\n    // nothing\n    alu[x, x, +, 1]\n#endm\n")
        ran = self.weft("--coverage-floor", "95")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("no test calls unused", ran.stdout)
        self.assertRegex(ran.stdout, r"8  75.0 % .*  block.uc  not: 18, 20")

    def test_a_floor_in_the_test_file(self):
        self.put_tests([0], blocks=["block.uc"], coverage={"lines": 90, "branches": 50})
        ran = self.weft("--junit", "out.xml")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("a.test.json: (coverage): FAILED", ran.stdout)
        self.assertIn("block.uc: 50.0 % of the lines executed, expected 90 %", ran.stdout)
        self.assertIn("block.uc: 25.0 % of the outcomes of branches executed, expected 50 %", ran.stdout)
        self.assertIn("a.test.json:1:", ran.stdout)
        self.assertIn("(coverage)", (self.folder / "out.xml").read_text())
        again = self.weft("--rerun-failed")
        self.assertIn("0 turns: ok", again.stdout)
        self.assertIn("(coverage): FAILED", again.stdout)
        self.put_tests([0, 1, 5], blocks=["block.uc"], coverage=100)
        self.assertEqual(self.weft().returncode, 0)
        # Some of the cases cannot be expected to reach it.
        self.assertNotIn("(coverage)", self.weft("--filter", "0 turns").stdout)

    def test_what_is_wrong_with_blocks(self):
        def refused(text, **members):
            self.put_tests([0], **members)
            ran = self.weft("--list")
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertIn(text, ran.stderr)

        refused("nothing says of which sources", coverage=90)
        refused("there is no file missing.uc", blocks=["missing.uc"])
        refused("a percentage is a number from 0 to 100", blocks=["block.uc"], coverage=101)
        refused("nothing says in which source these lines stand", equivalent=[{"line": "x", "mutation": "drop", "reason": "y"}])
        refused("'blocks' is a list of sources", blocks=[])


class Processes(Folder):
    def test_an_interrupt_leaves_no_process_behind(self):
        code = ["again#:", "br[again#]"]
        self.write("a.test.json", {"version": 1, "code": code, "limit": {"cycles": 10**15}, "tests": [{"name": n, "expect": {}} for n in "abc"]})
        for number in (signal.SIGINT, signal.SIGTERM):
            running = subprocess.Popen([WEFT, "test", "--jobs", "2"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
            children = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children")
            if not children.exists():
                running.kill()
                self.skipTest("this system does not tell the children of a process")
            while len(children.read_text().split()) < 2:
                time.sleep(0.01)
            os.kill(running.pid, number)
            _, err = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 130)
            self.assertIn("interrupted; 0 of 3 cases had ended", err)
            with self.assertRaises(ProcessLookupError):
                os.killpg(running.pid, 0)

    def test_children_end_when_the_runner_is_killed(self):
        self.write("a.test.json", {"version": 1, "code": ["again#:", "br[again#]"], "limit": {"cycles": 10**15}, "tests": [{"name": "a", "expect": {}}]})
        running = subprocess.Popen([WEFT, "test"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        children = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children")
        if not children.exists():
            running.kill()
            self.skipTest("this system does not tell the children of a process")
        while not (found := children.read_text().split()):
            time.sleep(0.01)
        running.kill()
        running.wait()
        while pathlib.Path(f"/proc/{found[0]}").exists() and "Z" not in pathlib.Path(f"/proc/{found[0]}/stat").read_text().rsplit(")", 1)[1].split()[0]:
            time.sleep(0.01)  # CTest has the limit of time


if __name__ == "__main__":
    unittest.main()
