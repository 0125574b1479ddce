"""weft run: --until, --log, --control."""
import json
import re
import unittest

from weft_cli import SOURCE, CliTest

COUNT = """.reg n at
.sig done
.reg write $n
immed[at, 0x40]
immed[n, 0]
again#:
alu[n, n, +, 1]
alu[$n, --, B, n]
scratch[write, $n, at, 0, 1], ctx_swap[done]
br[again#]
"""


class Stops(CliTest):
    def setUp(self):
        super().setUp()
        self.write("p.uc", COUNT)
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
                                            "limits": {"cycles": 50000}}))

    def report(self, *arguments, **named):
        done = self.weft("run", ".", "--json", "r.json", *arguments, **named)
        return json.loads((self.folder / "r.json").read_text()), done.stderr.decode()

    def test_commands_of_the_project(self):
        self.write("router.conf", "interface A port 0 mac 02:00:00:00:01:0a\naddress A 10.0.0.1/24\n")
        project = json.loads((self.folder / "weft.json").read_text())
        project["control"] = {"commands": ["at 5us: print cycle {cycle}"]}  # a design of one's own has no program
        self.write("weft.json", json.dumps(project))
        self.assertRegex(self.report()[1], r"cycle 3\d\d\d")
        project["control"] = {"program": "ipv4", "config": "router.conf", "commands": ["at 5us: print cycle {cycle}", "at 10us: show route 10.0.0.9"]}
        self.write("weft.json", json.dumps(project))
        _, said = self.report()
        self.assertRegex(said, r"cycle 3\d\d\d")
        self.assertIn("10.0.0.0/24", said)
        project["control"]["commands"] = ["at 5us: nonsense"]
        self.write("weft.json", json.dumps(project))
        done = self.weft("run", ".", expect=1)
        self.assertIn("weft.json:1:189: error: ", done.stderr.decode())
        self.assertIn("nonsense", done.stderr.decode())

    def test_until(self):
        for condition, cycles in [("2000 cycles", 2000), ("2000", 2000), ("5us", 3000), ("cycle >= 7000 || 1 == 2", None)]:
            with self.subTest(condition=condition):
                report, _ = self.report("--until", condition)
                if cycles is not None:
                    self.assertEqual(report["cycles"], cycles)
                else:
                    self.assertGreaterEqual(report["cycles"], 7000)
                    self.assertLess(report["cycles"], 7100)
        self.assertEqual(self.report("--until", "4000", "--cycles", "3000")[0]["cycles"], 3000, "whichever comes first")
        self.assertEqual(self.report("--until", "3000", "--cycles", "4000")[0]["cycles"], 3000)
        report, _ = self.report("--until", "scratch[0x40] == 20")
        self.assertIn("'scratch[0x40] == 20' has become true", report["stop"])
        later, _ = self.report("--until", "scratch[0x40] == 21")
        self.assertGreater(later["cycles"], report["cycles"])
        self.assertEqual(self.report("--until", "me0.ctx3.n == 4")[0]["cycles"], self.report("--until", "me0.ctx3.n == 4")[0]["cycles"])

    def test_a_condition_that_cannot_be_evaluated_stops(self):
        for condition, why in [("10 / (50 - cycle) == 99", "division by 0"), ("1 << cycle == 3", "a shift by 64"),
                               ("scratch[me0.ctx0.n] == 99", "a multiple of 4"), ("me0.lm[me0.ctx0.n * 1000] == 1", "local memory")]:
            with self.subTest(condition=condition):
                report, said = self.report("--until", condition, "--stats=s.csv", expect=2)
                self.assertRegex(report["stop"], re.escape(f"'{condition}' cannot be evaluated at cycle ") + r"\d+: .*" + why)
                self.assertIn(f"weft run: --until: {report['stop']}\n", said)
                self.assertLess(report["cycles"], 1000)
                self.assertTrue((self.folder / "s.csv").exists())
        self.assertEqual(self.report("--until", "10 / (50 - cycle) == 99", expect=2)[0]["cycles"], 50)
        # In the first cycles the register holds nothing yet: that is no mistake.
        self.assertIn("has become true", self.report("--until", "me0.ctx0.n == 3")[0]["stop"])
        self.assertIn("has become true", self.report("--until", "cycle != 50 && 10 / (50 - cycle) == 0 - 10")[0]["stop"])

    def test_parts_sum_to_the_whole(self):
        """Also where a run stops within a cycle: engines that come later have had no turn in it."""
        halt = ".reg n\nimmed[n, 5]\nagain#:\nalu[n, n, -, 1]\nbne[again#]\nctx_arb[bpt]\nbr[again#]\n"
        self.write("halt/p.uc", halt)
        self.write("halt/q.uc", COUNT)
        programs = [{"source": "q.uc", "engines": [0, 3]}, {"source": "p.uc", "engines": [2]}]
        self.write("halt/weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": programs}))
        forwarder = SOURCE / "examples" / "ipv4-forwarder"
        for arguments in (["halt"], [forwarder, "--until", "received >= 2"], [forwarder, "--until", "transmitted >= 1"],
                          [".", "--until", "3333ns"], [".", "--until", "scratch[0x40] == 20"]):
            with self.subTest(arguments=arguments):
                self.weft("run", *arguments, "--json", "r.json", "--stats=s.json", "--profile", "p.json", "--history", "h.json")
                report, stats, profile, history = (json.loads((self.folder / f"{name}.json").read_text()) for name in "rsph")
                parts = [c["executing"] + c["aborted"] + c["stalled"] + c["idle"] for c in report["contexts"]]
                self.assertEqual(set(parts), {report["cycles"]})
                for whole in (stats, profile, history):
                    self.assertEqual((whole["from-cycle"], whole["to-cycle"]), (0, report["cycles"]))
                self.assertEqual(max(e["cycles"] for e in stats["engines"]), report["cycles"])
                for engine in stats["engines"]:
                    for c in engine["contexts"]:
                        self.assertEqual(c["executing"] + c["aborted"] + c["stalled"] + c["idle"], engine["cycles"])
                self.assertEqual(max(c["states"][-1][1] for c in history["contexts"]), report["cycles"])

    def test_wrong(self):
        for condition, word in [("me0.ctx3.nn == 5", b"did you mean 'n'"), ("1 +", b"operand"), ("5 apples", b"not expected"), ("5 apples", b"'100 packets'"),
                                ("1.5ms", b"whole numbers"), ("1/0", b"guard it"), ("me0.again#", b"never changes"), ("1 == 1", b"break loop#"), ("1/0", b"note: the condition is '1/0'"), ("9 / n == 1", b"write me0.ctx0"), (" ", b"--until is empty")]:
            with self.subTest(condition=condition):
                said = self.weft("run", ".", "--until", condition, expect=2).stderr
                self.assertIn(word, said)
                self.assertIn(b"--until", said)
        # 600 MHz are ten ticks a cycle, and ticks have 64 bits.
        for condition, largest in [("5000000000s", "3074457345s"), ("3074457346s", "3074457345s"), ("99999999999999999999ms", "3074457345618ms"),
                                   ("18446744073709551615", "1844674407370955161 cycles"), ("18446744073709551616 packets", "18446744073709551615 packets")]:
            with self.subTest(condition=condition):
                said = self.weft("run", ".", "--until", condition, expect=2).stderr.decode()
                self.assertIn(f"--until: error: '{condition}' is more than a run can hold [run-limit]", said)
                self.assertIn(f"help: the largest is {largest}\n", said)
                self.write("c.txt", f"at {condition}: print never\n")
                said = self.weft("run", ".", "--control", "c.txt", expect=1).stderr.decode()
                self.assertIn(f"c.txt:1:4: error: '{condition}' is more than a run can hold", said)
                self.assertIn(f"help: the largest is {largest}\n", said)
        for limit in (["--until", "0 cycles"], ["--until", "0"], ["--until", "0us"], ["--until", "0 packets"], ["--cycles", 0], ["--cycles", "00"],
                      ["--packets", 0], ["--packets", "0", "--packets", "3"]):
            with self.subTest(limit=limit):
                said = self.weft("run", ".", *limit, expect=2)
                self.assertIn(b"' is a run of nothing", said.stderr)
                self.assertIn(b"at least 1", said.stderr)
                self.assertEqual(said.stdout, b"")
        self.assertEqual(self.report("--until", "1ns")[0]["cycles"], 1)
        self.assertEqual(self.report("--cycles", "007")[0]["cycles"], 7)
        for condition in ("3074457345s", "1844674407370955161 cycles", "18446744073709551615 packets"):
            self.assertEqual(self.report("--until", condition, "--cycles", "50000")[0]["cycles"], 50000, condition)
        self.assertTrue(self.weft("run", ".", "--log", "p.uc:7={nn}", expect=2).stderr.startswith(b"--log: error: "))
        self.assertIn(b"PLACE=TEXT", self.weft("run", ".", "--log", "p.uc:7", expect=2).stderr)
        self.assertIn(b"makes no instruction", self.weft("run", ".", "--log", "p.uc:1=x", expect=2).stderr)
        self.assertIn(b"none.txt", self.weft("run", ".", "--control", "none.txt", expect=1).stderr)
        self.write("c.txt", "at 5: wirte scratch[0] = 1\n")
        self.assertIn(b"c.txt:1", self.weft("run", ".", "--control", "c.txt", expect=1).stderr)

    def test_log(self):
        _, messages = self.report("--log", "p.uc:7={ctx} counts {n}", "--until", "me0.ctx0.n == 3")
        self.assertIn("0 counts 1\n", messages)
        self.assertIn("5 counts 1\n", messages)

    def test_commands(self):
        self.write("c.txt", "at 1000: print {cycle >= 1000} {scratch[0x100]}\nat 2000: write scratch[0x100] = 77\nat 3000: print now {scratch[0x100]}\n")
        _, messages = self.report("--control", "c.txt")
        self.assertIn("1 0\nnow 77\n", messages)
        _, messages = self.report("--control", "-", stdin=b"at 4000: print from standard input\n")
        self.assertIn("from standard input\n", messages)

    def test_addresses_of_commands(self):
        for command in ("write scratch[0x9999990] = 4", "write scratch[0x102] = 4", "write sram3[0] = 4", "write msf[0x45] = 4",
                        "write me0.lm[700] = 1", "write scratch[0] = scratch[0x9999990]", "print {scratch[0x9999990]}"):
            with self.subTest(command=command):
                self.write("c.txt", f"# first\nat 1000: {command}\n")
                said = self.weft("run", ".", "--control", "c.txt", expect=1).stderr.decode()
                self.assertIn("c.txt:2", said)
                self.assertRegex(said, r"help: \S")

    def test_the_part_of_a_line_that_is_wrong(self):
        for line, wrong in [("at 5 weeks: print 1", "5 weeks"), ("at 5us: wirte scratch[0] = 1", "wirte"), ("at 5us:  print {nothing}", "{nothing}"),
                            ("at 5us: write nothing  = 5", "nothing"), ("at 5us: write scratch[0x100] = nothing", "nothing"),
                            ("at 5us: write scratch[0x100] = 1 / 0", "1 / 0"), ("at 5us: write cycle = 5", "cycle"),
                            ("  write scratch[0] = 1", "  write scratch[0] = 1")]:
            with self.subTest(line=line):
                self.write("c.txt", line + "\n")
                said = self.weft("run", ".", "--control", "c.txt", expect=1).stderr.decode().splitlines()
                self.assertTrue(said[0].startswith(f"c.txt:1:{line.index(wrong) + 1}: error: "), said)
                self.assertEqual(said[2].strip().removeprefix("|").strip(), "^" + "~" * (len(wrong) - 1), said)

    def test_a_value_of_the_command_line_beside_the_text_of_the_file(self):
        project = {**json.loads((self.folder / "weft.json").read_text()), "rings": [{"ring": 3, "base": "0x1800", "size": 256}, {"ring": 4, "base": "0x1c00", "size": 256}]}
        self.write("weft.json", json.dumps(project, indent=1))
        note = "note: the command line changes the project: --set rings.0.base=0x1900\n"
        said = self.weft("run", ".", "--set", "rings.0.base=0x1900", expect=1).stderr.decode()
        self.assertIn("a ring of 1024 bytes cannot begin at 0x1900", said)
        self.assertIn(note, said)
        said = self.weft("run", ".", "--set", "rings.0.base=0x2000", "--set", "rings.1.size=200", expect=1).stderr.decode()
        self.assertIn("a scratch ring cannot have 200 longwords", said)
        self.assertNotIn("rings.0.base", said)  # nothing is wrong there
        self.assertIn("--set rings.1.size=200\n", said)

    def test_what_is_known_of_a_write_before_the_run(self):
        for command, word in [("write scratch[0x100] = 99999999999", "32 bits"), ("write me0.a5 = 0 - 0x80000001", "32 bits"),
                              ("write scratch[0x100] = 1 / 0", "division by 0"), ("write cycle = 5", "'cycle' cannot be written"),
                              ("write ring1.count = 5", "'ring1.count' cannot be written"), ("write a5 = 5", "no microengine is named")]:
            with self.subTest(command=command):
                self.write("c.txt", f"# first\nat 5us: {command}\n")
                said = self.weft("run", ".", "--control", "c.txt", expect=1).stderr.decode()
                self.assertRegex(said, r"(?m)^c\.txt:2:\d+: error: .*" + re.escape(word))
                self.assertRegex(said, r"help: \S")
        # What is known in the run alone is told then, and nothing is written. The ends of what fits do.
        self.write("c.txt", "at 5: write scratch[0x100] = 0xffffffff\nat 6: write scratch[0x104] = 0 - 0x80000000\n"
                            "at 1000: write scratch[0x100] = scratch[0x100] + 1\nat 1000: write me0.a5 = scratch[0x100] * 2\n"
                            "at 2000: print {scratch[0x100]:x} {scratch[0x104]:x}\n")
        _, messages = self.report("--control", "c.txt")
        self.assertIn("write scratch[0x100] = scratch[0x100] + 1: 4294967296 does not fit into the 32 bits of 'scratch[0x100]'\n", messages)
        self.assertIn("write me0.a5 = scratch[0x100] * 2: 8589934590 does not fit into the 32 bits of 'me0.a5'\n", messages)
        self.assertIn("0xffffffff 0x80000000\n", messages)

    def test_commands_with_a_byte_order_mark(self):
        text = b"\xef\xbb\xbfat 1000: print here\n"
        self.write("c.txt", text)
        self.assertIn("here\n", self.report("--control", "c.txt")[1])
        self.assertIn("here\n", self.report("--control", "-", stdin=text)[1])

    def test_a_load_that_waits_for_an_engine_for_ever(self):
        self.write("p.uc", ".reg n\nimmed[n, 0]\nagain#:\nalu[n, n, +, 1]\nbr[again#]\n.use n\n")
        self.write("other.uc", "ctx_arb[kill]\n")
        for more, left in (("", 1), ("at 2us: print hello\n", 2)):
            with self.subTest(more=more):
                self.write("c.txt", "at 1us: load 0 other.uc\n" + more)
                done = self.weft("run", ".", "--control", "c.txt", "--cycles", "5000", "--json", "r.json")
                self.assertEqual(json.loads((self.folder / "r.json").read_text())["commands-left"], left)
                self.assertRegex(done.stdout.decode(), rf"(?m)^  not done: {left} commands? when the run ended, first 'load 0 other.uc'$")
                self.assertNotIn("hello", done.stderr.decode())
        # One that is done is not told.
        self.write("p.uc", COUNT)
        report, _ = self.report("--control", "c.txt")
        self.assertNotIn("commands-left", report)

    def test_figures_of_two_programs_are_told(self):
        self.write("other.uc", COUNT.replace("immed[n, 0]", "immed[n, 5]"))
        self.write("c.txt", "at 1us: load 0 other.uc\n")
        told = r"warning: the program of me0 was replaced in this run: in {} the words of both .* \[program-replaced\]\n"
        for options, observers in ((["--coverage", "c.info"], "coverage"), (["--stats", "--profile", "p.txt"], "profile and statistics"),
                                   (["--record", "r.weftrec"], "coverage, statistics and history")):
            with self.subTest(options=options):
                _, said = self.report("--control", "c.txt", *options)
                self.assertEqual(len(re.findall(told.format(observers), said)), 1, said)
        for options in (["--control", "c.txt"], ["--coverage", "c.info"]):
            self.assertNotIn("program-replaced", self.report(*options)[1])

    def test_who_names_the_control_program(self):
        self.write("router.conf", "interface A port 0 mac 02:00:00:00:01:0a\naddress A 10.0.0.1/24\n")
        project = json.loads((self.folder / "weft.json").read_text())
        project["control"] = {"program": "ipv4", "config": "router.conf"}
        self.write("weft.json", json.dumps(project, indent=1))
        for change in ("control.config=/tmp", "control.config=none.conf", "control.program=nix"):
            with self.subTest(change=change):
                said = self.weft("run", ".", "--set", change, expect=1).stderr.decode()
                self.assertRegex(said, r"(?m)^note: the command line names it$")
                self.assertNotRegex(said, r"weft\.json:\d")
        for name, value, place in (("config", "none.conf", "note: the project names it here"), ("program", "nix", "error: there is no control program")):
            with self.subTest(name=name):
                project["control"] = {"program": "ipv4", "config": "router.conf", name: value}
                self.write("weft.json", json.dumps(project, indent=1))
                said = self.weft("run", ".", expect=1).stderr.decode()
                line = 1 + json.dumps(project, indent=1).split("\n").index(f'  "{name}": "{value}"' + ("," if name == "program" else ""))
                self.assertRegex(said, rf"(?m)weft\.json:{line}:\d+: {place}")

    def test_faults_of_units(self):
        # A ring of 128 longwords gets more than that, and a channel is used that the board does not have.
        self.write("p.uc", ".reg n at far\n.sig done\n.reg write $a\nbr!=ctx[0, out#]\nimmed[$a, 0]\nimmed[at, 12]\nimmed[n, 150]\nagain#:\n"
                           "scratch[put, $a, at, 0, 1], ctx_swap[done]\nalu[n, n, -, 1]\nbne[again#]\nimmed[far, 0x40]\nimmed_w1[far, 0xc000]\n"
                           "sram[write, $a, far, 0, 1], ctx_swap[done]\nout#:\nctx_arb[kill]\n")
        self.write("c.txt", "at 0: print begin\n")
        done = self.weft("run", ".", "--json", "r.json", "--stats=s.json", "--control", "c.txt")
        report, stats = (json.loads((self.folder / name).read_text()) for name in ("r.json", "s.json"))
        text = done.stdout.decode()
        faults = {}
        for source in (report, stats):
            for unit in source["units"]:
                self.assertEqual("faults" in unit, unit["name"] in ("scratch", "absent SRAM channel"), unit)
                if "faults" in unit:
                    self.assertEqual(faults.setdefault(unit["name"], (unit["faults"], unit["last-fault"])), (unit["faults"], unit["last-fault"]))
                    self.assertRegex(text, fr"(?m)^{unit['name']} +{unit['faults']}  {re.escape(unit['last-fault'])}$")
        self.assertEqual(faults["absent SRAM channel"][0], 1)
        self.assertRegex(faults["absent SRAM channel"][1], "0xc0000040.*channel 3, which the board does not have")
        # No ring was set up: every put fails.
        self.assertEqual(faults["scratch"][0], 150)
        self.weft("run", ".", "--stats=s.csv")
        rows = (self.folder / "s.csv").read_text()
        self.assertIn('unit,"scratch",faults,150,count\n', rows)
        self.assertIn("\nfaults ", self.weft("run", ".", "--stats").stdout.decode().split("statistics of cycles")[1])

    def test_forwarder_learns_a_route(self):
        self.write("c.txt", "at 20 packets: route 198.51.100.0/24 discard\n")
        arguments = ["run", SOURCE / "examples" / "ipv4-forwarder", "--set", "ports.0.in.generate.count=60", "--set",
                     "ports.1.in.generate.count=10", "--set", "limits.quiet=3000", "--json", "r.json"]
        self.weft(*arguments)
        before = json.loads((self.folder / "r.json").read_text())
        self.weft(*arguments, "--control", "c.txt")
        after = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([port["in"] for port in before["ports"]], [port["in"] for port in after["ports"]])
        self.assertNotIn("discard_route", json.dumps(before))
        self.assertIn("discard_route", json.dumps(after))


if __name__ == "__main__":
    unittest.main()
