"""What `weft` writes for other programs is what its published schemas say. The schemas name every field, so that one that is new,
gone, or called otherwise is seen here."""
import json
import os
import unittest

from weft_cli import SOURCE, CliTest

EXAMPLES = SOURCE / "examples"
FULL = os.environ.get("WEFT_FULL") == "1"


class Outputs(CliTest):
    def setUp(self):
        super().setUp()
        import jsonschema  # scripts/setup installs it
        self.schemas = {}
        for path in (SOURCE / "docs/schemas").glob("*.schema.json"):
            schema = json.loads(path.read_text())
            jsonschema.Draft202012Validator.check_schema(schema)
            self.schemas[path.name.removesuffix(".schema.json")] = jsonschema.Draft202012Validator(schema)

    def valid(self, name, schema):
        value = json.loads((self.folder / name).read_text())
        problems = [f"/{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in self.schemas[schema].iter_errors(value)]
        self.assertFalse(problems, f"{name}:\n" + "\n".join(problems[:10]))
        return value

    def run_with_all(self, project, *options, chips=("",)):
        kinds = {"--coverage": "coverage", "--packets": "packets", "--history": "history", "--profile": "profile"}
        words = [word for option, kind in kinds.items() for word in (option, f"{kind}.json")]
        self.weft("run", project, "--json", "report.json", "--stats=statistics.json", *words, *options)
        out = {"report": self.valid("report.json", "report")}
        for kind in ("statistics", *kinds.values()):
            for chip in chips:
                out[kind] = self.valid(f"{kind}.{chip}.json" if chip else f"{kind}.json", kind)
        return out

    def test_a_router(self):
        out = self.run_with_all(EXAMPLES / "dual-stack-router", "--cycles", "25000")
        # What is there often enough to be checked.
        self.assertGreater(out["report"]["packets"]["out"], 5)
        self.assertTrue(any("out-port" in packet for packet in out["packets"]["packets"]))
        self.assertTrue(any(reference["done"] is None for reference in out["history"]["references"]))
        self.assertTrue(any("taken" in word for engine in out["coverage"]["engines"] for word in engine["words"]))
        self.assertTrue(out["profile"]["macros"])
        self.assertTrue(any("latency" in kind for unit in out["statistics"]["units"] for kind in unit["kinds"]))

    def test_contexts_of_the_chip(self):
        out = self.run_with_all(EXAMPLES / "ipv4-forwarder-1200", "--cycles", "5000")
        self.assertEqual({context["context"] for context in out["history"]["contexts"]}, {0, 1, 2, 3})

    def test_two_chips(self):
        out = self.run_with_all(EXAMPLES / "two-chips", "--cycles", "15000", chips=("ingress", "egress"))
        self.assertTrue(out["report"]["links"])
        self.assertTrue(all(context["chip"] for context in out["report"]["contexts"]))

    def test_the_other_generation_and_its_services(self):
        out = self.run_with_all(EXAMPLES / "diffserv-edge-1200", "--cycles", "15000")
        self.assertTrue(out["report"]["service"])

    def test_faults_and_commands_that_are_left(self):
        self.write("p.uc", ".reg a $x\n.sig s\nimmed[a, 0xffff]\nscratch[read, $x, a, 0, 1], ctx_swap[s]\nimmed[a, 8]\n"
                           "alu[$x, --, B, a]\nscratch[put, $x, a, 0, 1], ctx_swap[s]\n.use $x\nctx_arb[kill]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}))
        self.write("commands", "at 1000: print now\nat 900000: print later\n")
        out = self.run_with_all(self.folder, "--cycles", "2000", "--control", "commands")
        (unit,) = [unit for unit in out["report"]["units"] if unit["name"] == "scratch"]
        self.assertTrue(unit["fault-places"][0]["place"])
        self.assertEqual(out["report"]["commands-left"], 1)
        self.assertTrue(any("faults" in unit for unit in out["statistics"]["units"]))

    def test_messages(self):
        programs = {"error.uc": ".reg total\nimmed[totl, 1]\nalu[total, total, +\n", "bytes.uc": b".reg a\nfoo\xff\x1b[1]\n",
                    "warning.uc": ".reg unused x\nimmed[x, 1]\nctx_arb[kill]\n", "empty.uc": ""}
        seen = set()
        for name, text in programs.items():
            self.write(name, text)
            self.weft("asm", name, "-o", "x.json", "--diagnostics-file", "m.json", "--diagnostics", "json",
                      expect=0 if name == "warning.uc" else 1)
            for row in self.valid("m.json", "diagnostics")["diagnostics"]:
                seen |= set(row)
        self.weft("run", "nowhere", "--diagnostics-file", "m.json", "--diagnostics", "json", expect=1)
        self.valid("m.json", "diagnostics")
        self.assertLessEqual({"code", "severity", "text", "range", "remedy", "fixits"}, seen)

    def test_longwords_of_lines_are_those_of_their_units(self):
        # Of commands that take and answer, both.
        self.write("p.uc", """.reg base n
.reg $x $l
.reg $h0 $h1 $h2 $h3
.xfer_order $h0 $h1 $h2 $h3
.sig s t
immed[base, 0x100]
immed[n, 5]
again#:
alu[$x, --, B, n]
scratch[test_and_set, $x, base, 0], sig_done[s]
ctx_arb[s]
alu[$l, --, B, n]
sram[swap, $l, base, 0], sig_done[t]
ctx_arb[t]
alu[$h0, --, B, n]
alu[$h1, --, B, n]
alu[$h2, --, B, n]
alu[$h3, --, B, n]
hash_128[$h0, 1], sig_done[s]
ctx_arb[s]
alu[n, n, -, 1]
bne[again#]
ctx_arb[kill]
""")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}))
        self.weft("run", ".", "--stats=s.json")
        figures = json.loads((self.folder / "s.json").read_text())
        lines = {line["unit"]: line["longwords"] for line in figures["lines"]}
        self.assertEqual(lines, {unit["name"]: unit["longwords-in"] + unit["longwords-out"] for unit in figures["units"] if unit["commands"]})
        self.assertEqual(sorted(lines), ["hash", "scratch", "sram0"])
        self.assertTrue(all(lines.values()))

    def test_measurements(self):
        self.weft("bench", "throughput", EXAMPLES / "ipv4-forwarder", "--packets", "40", "--json", "b.json")
        self.assertTrue(self.valid("b.json", "bench")["trials"])
        if FULL:
            self.weft("bench", "paper-diffserv", EXAMPLES / "diffserv-edge-1200", "--quick", "--json", "p.json")
            self.assertTrue(self.valid("p.json", "bench")["figures"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
