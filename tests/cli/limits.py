"""Input that is too deep, too large or without an end is refused by every reader with the limit and its place: no signal, no status 3,
within 30 seconds and 4 GB. So is null wherever a value is due."""
import json
import re
import subprocess
import unittest

from weft_cli import SOURCE, WEFT, CliTest, bounded

PROJECT = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}


class Limits(CliTest):
    def setUp(self):
        super().setUp()
        self.write("p.uc", ".reg n\nimmed[n, 1]\nalu[--, --, B, n]\nctx_arb[kill]\n")
        self.write("weft.json", json.dumps(PROJECT))

    def refused(self, *words, code="input-limit", place=None, status=1):
        done = bounded(words, cwd=self.folder, capture_output=True)
        said = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, f"{words}: {said[-2000:]}")
        self.assertIn(f"[{code}]", said)
        if place:
            self.assertIn(place, said)
        self.assertLess(len(said), 20000)
        return said

    def test_brackets_inside_each_other(self):
        for text in ("[" * 30000 + "]" * 30000, '{"a":' * 30000 + "1" + "}" * 30000, "[" * 3000000):
            for name, words in (("weft.json", ["run", "."]), ("x.test.json", ["test", "x.test.json"]), ("i.json", ["dis", "i.json"]),
                                ("chip.json", ["chip", "check", "chip.json"]), ("chip.json", ["chip", "show", "./chip.json"]),
                                ("chip.json", ["asm", "p.uc", "--chip", "./chip.json"])):
                with self.subTest(words=words, text=text[:5]):
                    self.write(name, text)
                    if words[0] == "dis" and text[0] == "[":  # that is not an Image, whatever comes
                        self.refused(*words, code="image-format")
                        continue
                    self.refused(*words, place=f"{name}:1:")
            self.write("weft.json", json.dumps(PROJECT))

    def test_values_of_the_command_line(self):
        self.refused("run", ".", "--set", "seed=" + "[" * 30000 + "]" * 30000, place="--set seed:1:65")
        self.refused("run", ".", "--set", "a." * 60000 + "a=1", place="--set: error: 'a.a.")
        for words in (["run", ".", "--seed", "9" * 100000 + "x"], ["run", ".", "--log", "x" * 100000]):
            self.assertLess(len(bounded(words, cwd=self.folder, capture_output=True).stderr), 5000)

    def test_expressions(self):
        deep = ["1+" * 30000 + "1", "1?1:" * 30000 + "1", "(" * 30000 + "1" + ")" * 30000, "-" * 30000 + "1", "1?" * 30000 + "1" + ":1" * 30000,
                "scratch[" * 300 + "0" + "]" * 300, "min(1," * 15000 + "1" + ")" * 15000]
        for text in deep:
            with self.subTest(text=text[:10]):
                self.refused("run", ".", "--until", text + " == 5", status=2 if self.until_status() == 2 else 1)
                self.write("c.txt", f"\nat 10: print {{{text}}}\n")
                self.refused("run", ".", "--control", "c.txt", place="c.txt:2:")
                self.write("c.txt", f"\nat 10: write scratch[0] = {text}\n")
                self.refused("run", ".", "--control", "c.txt", place="c.txt:2:")
        # Near the limit it works.
        self.write("c.txt", "at 10: print {" + "1+" * 190 + "1} {" + "(" * 90 + "1" + ")" * 90 + "}\n")
        self.assertIn(b"191 1", self.weft("run", ".", "--control", "c.txt").stderr)

    def until_status(self):
        return subprocess.run([WEFT, "run", ".", "--until", "1 +"], cwd=self.folder, capture_output=True, timeout=30).returncode

    def test_scopes_inside_each_other(self):
        """The outline of 30,000 scopes was written by a function that calls itself: SIGSEGV."""
        for begin, end in (".begin", ".end"), (".local x", ".endlocal"):
            self.write("n.uc", f"{begin}\n" * 30000 + "ctx_arb[kill]\n" + f"{end}\n" * 30000)
            out = json.loads(self.weft("index", "n.uc", "--json").stdout)
            self.assertEqual(len(out["scopes"]), 30001)
            depth, level = 0, out["outline"][0]
            while level:  # names of a scope stand before the scope inside
                depth, level = depth + 1, next((item["inside"] for item in level if "inside" in item), None)
            self.assertEqual(depth, 25)

    def test_files_without_an_end(self):
        router = {"control": {"program": "ipv4", "config": "r.conf"}}
        self.refused("asm", "/dev/zero", place="/dev/zero")
        self.write("i.uc", '#include "/dev/zero"\nctx_arb[kill]\n')
        self.assertIn("more than 8 MiB", self.refused("asm", "i.uc", place="i.uc:1:10"))
        shown = bounded(["index", "i.uc", "--json"], cwd=self.folder, capture_output=True)
        self.assertIn(b"input-limit", shown.stdout + shown.stderr)
        self.refused("dis", "/dev/zero")
        self.refused("rules", "/dev/zero")
        self.refused("test", "/dev/zero")
        self.refused("index", "/dev/zero")
        self.refused("run", ".", "--control", "/dev/zero")
        for change in ({"programs": [{"source": "/dev/zero", "engines": [0]}]}, {"programs": [{"image": "/dev/zero", "engines": [0]}]},
                       {"control": {"program": "ipv4", "config": "/dev/zero"}}, {"board": "/dev/zero"}):
            with self.subTest(**change):
                self.write("weft.json", json.dumps({**PROJECT, **change}))
                self.refused("run", ".", place="/dev/zero")
        self.write("weft.json", json.dumps({**PROJECT, **router}))
        self.write("r.conf", "interface P0 port 0 mac 02:00:00:00:01:00\naddress P0 10.0.0.1/24\nneighbour 10.0.0.2 mac 02:00:00:00:00:02\n"
                             "routes-from /dev/zero via 10.0.0.2\n")
        self.assertIn("more than 64 MiB", self.refused("run", ".", place="r.conf:4:13"))
        self.write("c.txt", "at 5: routes-from /dev/zero via 10.0.0.2\n")
        self.write("r.conf", "interface P0 port 0 mac 02:00:00:00:01:00\naddress P0 10.0.0.1/24\nneighbour 10.0.0.2 mac 02:00:00:00:00:02\n")
        self.refused("run", ".", "--control", "c.txt", place="c.txt:1:1")
        with open(self.folder / "big.uc", "wb") as big:
            big.truncate((8 << 20) + 1)
        self.refused("asm", "big.uc", place="big.uc")

    def test_a_text_as_long_as_it_may_be(self):
        """Every reader is done with it within 30 seconds and 4 GB; eight times as much was too much for index, fmt and rules."""
        for unit in b"a ", b"\n", b"nop\n", b"x#:\n":
            self.write("p.uc", unit * ((8 << 20) // len(unit)))
            for words in (["asm", "p.uc"], ["fmt", "--check", "p.uc"], ["index", "p.uc"], ["rules", "p.uc"]):
                with self.subTest(unit=unit, words=words):
                    done = bounded(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    self.assertIn(done.returncode, (0, 1), done.stderr[-300:])


class Growth(CliTest):
    """A short file asks for much: its frames, or the texts of its rows. Memory ran out, which is status 3."""

    def refused(self, document, place, *more):
        self.write("x.test.json", json.dumps(document, indent=0))
        done = bounded(["test", "x.test.json", *more], cwd=self.folder, capture_output=True)
        said = done.stderr.decode() + done.stdout.decode()
        self.assertEqual(done.returncode, 1, said[-2000:])
        self.assertIn("[input-limit]", said)
        self.assertRegex(said, place)

    def test_frames(self):
        def document(**case):
            return {"version": 1, "project": str(SOURCE / "examples/first"), "tests": [{"name": "a", "expect": {"cycles": 1}, **case}]}
        many = {"port": 0, "frame": [{"payload": 9000}], "times": 1000000}
        self.refused(document(**{"in": [many]}), r"x\.test\.json:\d+:\d+: error: the frames of this test need more than 512 MiB")
        self.refused(document(**{"in": [{**many, "frame": [{"payload": 60}]}] * 500}), r"x\.test\.json:\d+:\d+: error: the frames")
        self.refused(document(expect={"out": [many]}), r"x\.test\.json:\d+:\d+: error: the frames")

    def test_texts_of_rows(self):
        def document(code, rows):
            return {"version": 1, "code": code, "tests": [{"name": "a", "rows": rows, "expect": {"cycles": 1}}]}
        self.refused(document(["${x}" * 5000], [{"x": "a" * 1000000}]), r"x\.test\.json:\d+:\d+: error: the text has more than 8 MiB")
        self.refused(document(["${x}"] * 100, [{"x": "a" * 100000}] * 20), r"x\.test\.json:\d+:\d+: error: the program has more than 8 MiB")

    def test_names_and_filters(self):
        """std::regex goes down one call for each character."""
        self.refused({"version": 1, "tests": [{"name": "a" * 60000, "code": ["nop"], "expect": {}}]}, r"x\.test\.json:\d+:\d+: error: the name",
                     "--list", "--filter", "a.*b")
        self.write("x.test.json", json.dumps({"version": 1, "tests": [{"name": "a" * 300, "code": ["nop"], "expect": {}}]}))
        for text, status in (("(" * 60000 + ")" * 60000, 2), ("(" * 66 + "a" + ")*" * 66, 0), ("(a*)*" * 39 + "b", 0), ("a.*a", 0)):
            with self.subTest(text=text[:10]):
                done = bounded(["test", "--list", "x.test.json", "--filter", text], cwd=self.folder, capture_output=True)
                self.assertEqual(done.returncode, status, done.stderr[-300:])
        for text, places in (("((a{1,200}){1,200})b", 40001), (r"[a{9}]{2}\{9}(b|c{3}){400,}", 2005)):
            done = bounded(["test", "--list", "x.test.json", "--filter", text], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((done.returncode, f"come to {places} places" in done.stderr), (2, True), done.stderr[-300:])
        self.assertEqual(bounded(["test", "--list", "x.test.json", "--filter", "(a{10}){30}"], cwd=self.folder, capture_output=True).returncode, 0)


class Mistakes(CliTest):
    """A file with a mistake in every line is refused in seconds, with the first ones."""

    def setUp(self):
        super().setUp()
        self.write("p.uc", "ctx_arb[kill]\n")

    def refused(self, *words, seconds=30):
        done = bounded(words, cwd=self.folder, capture_output=True, seconds=seconds)
        self.assertEqual(done.returncode, 1, done.stderr[-500:])
        return done.stderr.decode()

    def test_configurations_and_commands(self):
        self.write("weft.json", json.dumps({**PROJECT, "control": {"program": "ipv4", "config": "r.conf"}}))
        good = ("interface P0 port 0 mac 02:00:00:00:01:00\naddress P0 10.0.0.1/24\nneighbour 10.0.0.2 mac 02:00:00:00:00:02\n"
                "route 10.1.0.0/16 via 10.0.0.2\n")
        for text in ("x\n" * 4000000, "address P9 10.0.0.1/24\n" * 300000):
            self.write("r.conf", good + text)
            said = self.refused("run", ".", "--cycles", "100")
            self.assertRegex(said, r"r\.conf:5:")
        for text in ("#\n" * 4000000, " # k k k k\n" * 700000):
            self.write("r.conf", good + text)
            self.assertEqual(bounded(["run", ".", "--cycles", "100"], cwd=self.folder, capture_output=True, seconds=30).returncode, 0)
        self.write("r.conf", good)
        for text in ("at 10: write kN = 1\n", f"at 10: write {'k' * 6900000} = 1\n"):
            self.write("c.txt", "".join(text.replace("N", str(i)) for i in range(max(1, 5000000 // len(text)))))
            self.assertIn("c.txt:1:1", self.refused("run", ".", "--cycles", "100", "--control", "c.txt"))
        self.write("c.txt", "".join(f"at {i}: write scratch[{4 * (i % 64)}] = {i}\n" for i in range(200000)))
        self.assertEqual(bounded(["run", ".", "--cycles", "100", "--control", "c.txt"], cwd=self.folder, capture_output=True, seconds=30).returncode, 0)

    def test_unknown_names(self):
        for document in ({"version": 1, "k" * 60000000: 1}, {"version": 1, **{f"k{i}": 1 for i in range(900000)}}):
            self.write("weft.json", json.dumps(document, indent=0))
            self.assertIn("json-unknown-name", self.refused("run", "."))
            self.write("x.test.json", json.dumps(document, indent=0))
            self.assertIn("x.test.json:3:", self.refused("test", "x.test.json"))
        # Laid over what the chip is based on.
        self.write("c.json", json.dumps({"format": "weft-chip", "version": 1, "name": "x", "based_on": "ixp2400", "summary": "s",
                                         "engines": {f"x{i}": {"value": 1} for i in range(50000)}}))
        self.assertIn("4951 more messages are not shown", self.refused("chip", "check", "c.json"))

    def test_an_error_behind_many_warnings(self):
        """It was not among those that are shown, and with more than 10,000 not among those that are kept."""
        for count in (60, 10100):
            self.write("w.uc", "".join(f'#warning "{i}"\n' for i in range(count)) + "frobnicate[1]\n")
            text = self.refused("asm", "w.uc", "-o", "x.json")
            self.assertIn(f"w.uc:{count + 1}:1: error:", text)
            self.assertIn(f"weft: {count + 1 - 50} more messages are not shown", text)
            text = self.refused("asm", "w.uc", "-o", "x.json", "--diagnostics", "json", "--diagnostics-file", "d.json")
            self.assertEqual("weft: 100 more messages are left out" in text, count == 10100)
            kept = json.loads((self.folder / "d.json").read_text())["diagnostics"]
            self.assertEqual((len(kept), kept[-1]["severity"]), (min(count, 10000) + 1, "error"))

    def test_messages_of_a_program_of_a_project(self):
        """Those that were only counted got lost, and of a source that engines share each is one message."""
        self.write("w.uc", "".join(f'#warning "{i}"\n' for i in range(10100)) + "frobnicate[1]\n")
        for programs in (1, 2):
            entries = [{"source": "w.uc", "engines": [i], "define": {"N": i}} for i in range(programs)]
            self.write("weft.json", json.dumps({**PROJECT, "programs": entries}))
            self.assertIn(f"weft: {10101 - 50} more messages are not shown", self.refused("run", "."))

    def test_ports_of_one_channel(self):
        """Each was reported once for each port before it: std::bad_alloc."""
        board = json.loads(re.sub(r"(?m)^ *//.*$", "", (SOURCE / "emulator/boards/generic-2400.json").read_text()))
        board["ports"] = [{**board["ports"][0], "name": f"p{i}"} for i in range(6000)]
        self.write("b.json", json.dumps(board, indent=1))
        self.assertRegex(self.refused("chip", "check", "b.json"), r"b\.json:\d+:\d+: error: channel 0 is taken by port 'p0'")
        self.write("b.json", json.dumps({**board, "ports": [{}] * 200000}))
        self.assertIn("more messages are not shown", self.refused("chip", "check", "b.json"))

    def test_files_that_are_used_again(self):
        """Each was kept as often as it was named: std::bad_alloc."""
        self.write("x.test.json", json.dumps({"version": 1, "code": ["nop"], "use": ["x.test.json"] * 6000, "tests": []}, indent=0))
        self.assertRegex(self.refused("test", "x.test.json"), r"x\.test\.json:\d+:1: error: 'x.test.json' is used already")

    def test_unknown_frames(self):
        frame = [{"ethernet": {"type": "0x88b5"}}]
        self.write("weft.json", json.dumps({**PROJECT, "ports": [{"port": 0}]}))
        self.write("x.test.json", json.dumps({"version": 1, "project": ".", "frames": {f"f{i}": frame for i in range(20000)}, "tests": [
            {"name": "x", "in": [{"port": 0, "frame": {"same_as": f"g{i}"}} for i in range(20000)], "expect": {}}]}))
        self.assertIn("no frame has the name 'g0'", self.refused("test", "x.test.json"))

    def test_a_program_far_too_long(self):
        """Registers were looked for in all of it."""
        self.write("p.uc", "".join(f".reg r{i}\nimmed[r{i}, 1]\n" for i in range(14000)) +
                   "".join(f"alu[r{i}, r{i}, +, r{(i + 1) % 14000}]\n" for i in range(14000)) + "ctx_arb[kill]\n")
        self.assertIn("program has 28,001 words", self.refused("asm", "p.uc", "-o", "p.json", "--spill", "-O", "--repair-banks"))


class Many(CliTest):
    """What a file may have many of takes time with its number, not with the square of it: minutes for these."""

    def quick(self, *words, expect=0):
        done = subprocess.run([WEFT, *words], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, expect, done.stderr[-2000:])
        return done

    def test_rows_and_tests(self):
        self.write("r.test.json", json.dumps({"version": 1, "tests": [
            {"name": "x", "code": ["nop"], "expect": {}, "rows": [{"a": i} for i in range(40000)]}]}))
        self.assertEqual(self.quick("test", "--list", "r.test.json").stdout.count(b"\n"), 40000)
        self.write("t.test.json", json.dumps({"version": 1, "tests": [{"name": f"x{i}", "code": ["nop"], "expect": {}} for i in range(40000)]}))
        self.assertEqual(self.quick("test", "--list", "t.test.json").stdout.count(b"\n"), 40000)

    def test_reasons_and_pools(self):
        self.write("p.uc", "ctx_arb[kill]\n")
        self.write("weft.json", json.dumps({
            **PROJECT, "reasons": [{"name": f"r{i}", "memory": "sram0", "address": 4 * i} for i in range(100000)],
            "pools": [{"name": f"p{i}", "free": {"ring": 0}, "base": 4096 + 8 * i, "size": 8, "count": 1} for i in range(20000)]}))
        self.quick("run", ".")

    def test_mistakes(self):
        """Each says one thing, not one about each before it: 5,000 ports took all memory."""
        self.write("p.uc", "ctx_arb[kill]\n")
        port = {"port": 3, "in": {"generate": {"count": 4, "flows": 64}}}
        self.write("weft.json", json.dumps({**PROJECT, "ports": [port] * 5000, "programs": PROJECT["programs"] * 5000,
                                            "rings": [{"name": "a", "ring": 0, "base": 0, "size": 128}] * 5000}))
        done = self.quick("run", ".", expect=1)
        self.assertLess(len(done.stderr), 100000)

    def test_names_of_a_test(self):
        for key, values in (("define", {f"N{i}": i for i in range(100000)}), ("set", {f"scratch[{4 * i}]": i for i in range(4000)} |
                                                                             {f"sram0[{4 * i}]": i for i in range(96000)})):
            self.write("d.test.json", json.dumps({"version": 1, "tests": [{"name": "x", "code": ["nop"], key: values, "expect": {"instructions": 1}}]}))
            self.quick("test", "d.test.json")

    def test_macros(self):
        self.write("m.uc", "".join(f"#macro m{i}[]\nnop\n#endm\n" for i in range(100000)) + "ctx_arb[kill]\n")
        self.quick("index", "m.uc", "--json")

    def test_memory_blocks(self):
        self.write("p.uc", "".join(f".alloc_mem m{i} sram0 global 4\n.init m{i} 5\n" for i in range(150000)) + "ctx_arb[kill]\n")
        self.quick("asm", "p.uc", "-o", "p.json")


class Null(CliTest):
    """What a reader took for a name that is left out ended in SIGFPE, SIGSEGV, or never."""

    def nulls(self, value, path=()):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            if isinstance(child, (dict, list)):
                yield from self.nulls(child, (*path, key))

    def each(self, value, name, *words):
        count = 0
        for path in self.nulls(value):
            wrong = json.loads(json.dumps(value))
            at = wrong
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = None
            self.write(name, json.dumps(wrong, indent=1))
            done = bounded(words, cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, 1, path)
            self.assertRegex(done.stderr.decode(), name + r":\d+:\d+: error: null is not a value here", path)
            count += 1
        return count

    def test_boards_chips_and_projects(self):
        self.write("p.uc", "ctx_arb[kill]\n")
        text = (SOURCE / "emulator/boards/nctu-1200.json").read_text()
        board = json.loads(re.sub(r"(?m)^ *//.*$", "", text))
        board["ports"] = board["ports"][:2]
        self.assertGreater(self.each(board, "b.json", "chip", "check", "b.json"), 40)
        self.assertGreater(self.each({**PROJECT, "limits": {"cycles": 5}, "seed": 3}, "weft.json", "run", "."), 8)
        self.write("weft.json", json.dumps(PROJECT))
        self.assertIn(b"null is not a value", self.weft("run", ".", "--set", "programs=null", expect=1).stderr)
        self.assertIn(b"null is not a value", self.weft("run", ".", "--set", "seed=null", expect=1).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
