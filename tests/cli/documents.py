"""What the documents say is done here: every command, program, project and option that they show."""
import json
import pathlib
import re
import shlex
import struct
import unittest

from weft_cli import SOURCE, CliTest


def text(name):
    return (SOURCE / name).read_text(encoding="utf-8")


def blocks(name, language):
    return re.findall(rf"```{language}(?: [^\n]*)?\n(.*?)```", text(name), re.S)


def without_comments(jsonc):
    """Comments go, texts that hold two slashes stay."""
    return re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*', lambda m: m.group(1) or "", jsonc)


def ipv4_frame():
    """A frame that the router of the example forwards from port 0 to port 1."""
    header = bytearray(struct.pack(">BBHHHBBH4s4s", 0x45, 0, 46, 1, 0, 64, 17, 0, bytes([10, 0, 0, 2]), bytes([198, 51, 100, 9])))
    total = sum(struct.unpack(">10H", header))
    struct.pack_into(">H", header, 10, ~(total % 0xffff) & 0xffff)
    return bytes.fromhex("02000000010a02000000000a0800") + bytes(header) + bytes(26)


def capture(*frames):
    records = b"".join(struct.pack("<IIII", i, 0, len(f), len(f)) + f for i, f in enumerate(frames))
    return struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1) + records


class Documents(CliTest):
    def setUp(self):
        super().setUp()
        for name in ("examples", "lib"):
            (self.folder / name).symlink_to(SOURCE / name)
        self.write("frames.pcap", capture(ipv4_frame()))

    def commands(self, *names):
        """Every weft command in the inline code of the documents; for blocks see tests/documents."""
        for name in names:
            source = text(name)
            yield from (re.sub(r"\s+", " ", c) for c in re.findall(r"`(weft (?:run|asm|dis) [^`]*[./=][^`]*)`", source)
                        if "..." not in c)

    def test_commands_run(self):
        seen = 0
        documents = ["README.md", *(f"docs/{p.name}" for p in (SOURCE / "docs").glob("*.md"))]
        for document in documents:  # files that a document shows before it uses them
            for name, block in re.findall(r"```text ([\w.]+)\n(.*?)```", text(document), re.S):
                self.write(name, block)
        for command in self.commands(*documents):
            with self.subTest(command=command):
                words = shlex.split(command, comments=True)[1:]
                if words[-1].endswith(".weftrec"):
                    continue  # made by a block of the document: tests/documents
                if words[0] == "bench" and words[1].startswith("paper-"):
                    continue  # some minutes together; each has a test of its own that runs it with --quick
                if words[-2:] == ["run", "examples/ipv4-forwarder"]:
                    words += ["--packets", "200"]  # the whole run is scripts/demo
                done = self.weft(*words)
                self.assertTrue(done.stdout)
                seen += 1
        self.assertGreaterEqual(seen, 2)
        self.assertEqual((self.folder / "out.pcap").stat().st_size, 24 + 16 + 60, "the capture's frame left port 1")

    def test_programs_assemble(self):
        seen = 0
        for path in [SOURCE / "README.md", *SOURCE.glob("docs/*.md"), *SOURCE.glob("lib/*/README.md")]:
            for block in re.findall(r"```asm\n(.*?)```", text(path.relative_to(SOURCE)), re.S):
                with self.subTest(document=path.name, program=block):
                    self.write("block.uc", block)
                    self.weft("asm", "block.uc", "-o", "block.json")
                    seen += 1
        self.assertGreaterEqual(seen, 1)

    def test_the_first_program_computes_what_it_says(self):
        source = text("examples/first/first.uc")
        self.assertIn("puts the sum, 55,", source)
        # It reads its own result back and stops at a breakpoint unless that is 55.
        check = source.replace("ctx_arb[kill]", "", 1).replace(".sig written", ".sig written back\n.reg read $again") + """
    scratch[read, $again, base, 0, 1], ctx_swap[back]
    alu[n, $again, -, 55]
    beq[good#]
    ctx_arb[bpt]
good#:
    ctx_arb[kill]
"""
        self.write("p.uc", check)
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}))
        self.weft("run", ".", "--json", "good.json")
        self.assertIn("nothing is left", json.loads((self.folder / "good.json").read_text())["stop"])
        self.write("p.uc", check.replace("55", "54"))
        self.weft("run", ".", "--json", "bad.json")
        self.assertIn("halt", json.loads((self.folder / "bad.json").read_text())["stop"])

    def test_the_project_of_the_document_runs(self):
        (block,) = blocks("docs/project.md", "jsonc")
        project = json.loads(without_comments(block))
        self.write("p/weft.json", block)
        for program in project["programs"]:
            self.write("p/program.uc", "ctx_arb[kill]\n")
            if "source" in program:
                self.write(f"p/{program['source']}", "ctx_arb[kill]\n")
            else:
                self.weft("asm", "p/program.uc", "-o", f"p/{program['image']}")
        self.write("p/router.conf", text("examples/ipv4-forwarder/router.conf"))
        self.write("p/frames.pcap", capture(ipv4_frame()))
        done = self.weft("run", "p", "--set", "ports.1.in.generate.count=10", "--json", "r.json")
        self.assertIn(b"11 in", done.stdout)
        self.assertTrue((self.folder / "p" / "port1.pcap").exists())
        # The keys that the text names for --set.
        for key in re.findall(r"`((?:limits|ports)\.[a-z0-9.]+)`", text("docs/project.md")):
            self.weft("run", "p", "--set", f"{key}=5", "--cycles", "1000")

    def test_every_name_of_the_project_is_in_the_document(self):
        schema = json.loads(text("docs/schemas/project.schema.json"))
        document = text("docs/project.md")

        def names(node):
            for name, child in node.get("properties", {}).items():
                yield name
                yield from names(child)
            for child in node.get("$defs", {}).values():
                yield from names(child)

        for name in sorted(set(names(schema)) - {"description", "sram1", "sram2"}):
            self.assertRegex(document, rf"\b{re.escape(name)}\b", f"docs/project.md does not name '{name}'")

    def test_every_name_of_test_files_is_in_the_document(self):
        schema = json.loads(text("docs/schemas/test.schema.json"))
        document = text("docs/testing.md")
        for name in {**schema["properties"], **schema["$defs"]["test"]["properties"], **schema["$defs"]["expect"]["properties"], **schema["$defs"]["step"]["properties"]}:
            if name not in ("version", "description"):
                self.assertRegex(document, rf"\b{re.escape(name)}\b", f"docs/testing.md does not name '{name}'")

    def test_options_of_the_document_and_of_the_program_agree(self):
        rows = re.findall(r"(?m)^\| `weft (asm|bench|dis|run|test|index) [^`]*` \| (.*) \|$", text("docs/cli.md"))
        self.assertEqual([command for command, _ in rows], ["asm", "dis", "index", "run", "test", "bench"])
        for command, row in rows:
            usage = re.findall(rf"`weft {command} ([^`]*)`", text("docs/cli.md"))[0]
            shown = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", row + " " + usage))
            shown = {re.sub(r"^-W.*", "-W", option) for option in shown}
            help_text = self.weft("help", command).stdout.decode()
            # The first column of the help, and the short names beside long ones.
            known = set(re.findall(r"(?m)(?:^  |,)(--?[A-Za-z][\w-]*)", help_text)) - {"-h", "--help"}
            known = {"-MD" if option == "--MD" else option for option in known}
            self.assertEqual(shown, known, command)

    def test_reasons_of_the_forwarder_document_are_those_of_the_program(self):
        document = text("docs/ipv4-forwarder.md")
        table = re.search(r"## What happens to a packet\n(.*?)\n## ", document, re.S).group(1)
        named = set(re.findall(r"`([a-z0-9_]+)`", table))
        self.assertGreater(len(named), 25)
        sources = "".join(p.read_text() for p in (SOURCE / "control").rglob("*.[hc]*"))
        for reason in named:
            self.assertIn(f'"{reason}"', sources)


class Schemas(CliTest):
    """The published JSON schemas accept what is really read and written."""

    def setUp(self):
        super().setUp()
        import jsonschema  # scripts/setup installs it
        self.validate = lambda value, name: jsonschema.Draft202012Validator(json.loads(text(name))).validate(value)
        self.error = jsonschema.ValidationError

    def validate_all(self, name, schema):
        """All files of that name in the source tree."""
        files = [p for p in SOURCE.rglob(name) if "build" not in p.relative_to(SOURCE).parts]
        self.assertGreaterEqual(len(files), 2)
        for path in files:
            with self.subTest(file=str(path)):
                self.validate(json.loads(without_comments(path.read_text())), schema)

    def test_projects(self):
        self.validate_all("weft.json", "docs/schemas/project.schema.json")
        (block,) = blocks("docs/project.md", "jsonc")
        self.validate(json.loads(without_comments(block)), "docs/schemas/project.schema.json")

    def test_test_files(self):
        self.validate_all("*.test.json", "docs/schemas/test.schema.json")
        whole = [b for b in blocks("docs/testing.md", "jsonc") if '"version"' in b]
        self.assertEqual(len(whole), 7)
        for block in whole:
            self.validate(json.loads(without_comments(block)), "docs/schemas/test.schema.json")
        for wrong in ({"version": 1}, {"version": 1, "tests": [{"name": "x", "exspect": {}}]}, {"version": 1, "tests": [{"name": "x", "rows": []}]},
                      *({"version": 1, "tests": [{"name": "x", "steps": steps}]} for steps in ([], 5, [{}], [{"run": "1us", "expect": {}}], [{"expect": {"recorded": "x.json"}}]))):
            with self.assertRaises(self.error):
                self.validate(wrong, "docs/schemas/test.schema.json")

    def test_projects_that_are_refused_are_refused_by_the_schema(self):
        good = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}
        self.write("p.uc", "ctx_arb[kill]\n")
        self.validate(good, "docs/schemas/project.schema.json")
        wrong = [{"version": 2}, {"board": 5}, {"programs": []}, {"programs": {}}, {"limit": {}}, {"limits": {"cycle": 1}},
                 {"programs": [{"engines": [0]}]}, {"programs": [{"source": "p.uc", "engines": []}]},
                 {"programs": [{"source": "p.uc", "engines": [0, 0]}]}, {"programs": [{"source": "p.uc", "engines": [16]}]},
                 {"ports": [{}]}, {"ports": [{"port": 32}]}, {"ports": [{"port": 0, "in": {}}]}, {"seed": -1},
                 {"ports": [{"port": 0, "in": {"capture": "x", "timing": "slow"}}]}, {"memory": {"flash": []}},
                 {"control": {"program": "ipv4"}}, {"constants": {"x": "many"}},
                 {"ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "rate": 2}}}]}]
        for change in wrong:
            with self.subTest(change=change):
                value = dict(good, **change)
                with self.assertRaises(self.error):
                    self.validate(value, "docs/schemas/project.schema.json")
                self.write("weft.json", json.dumps(value))
                self.weft("run", ".", expect=1)

    def test_indexes(self):
        for path in [SOURCE / "examples/first/first.uc", *sorted((SOURCE / "examples/language").glob("*.uc"))]:
            with self.subTest(program=path.name):
                self.validate(json.loads(self.weft("index", path, "--json", "--allocation").stdout), "docs/schemas/index.schema.json")
        self.write("wrong.uc", ".reg a\n#macro m(x\nalu[x, \n#if\n.if (a\n\"\n\xff".encode("latin-1"))
        self.validate(json.loads(self.weft("index", "wrong.uc", "--json").stdout), "docs/schemas/index.schema.json")

    def test_images(self):
        programs = {
            "plain": "ctx_arb[kill]\n",
            "modes": ".num_contexts 4\n.init_nn_mode self\n.local_mem0_mode abs\nctx_arb[kill]\n",
            "first": text("examples/first/first.uc"),
            "marks": ".block b\n.stage s\nnop\n.drop checksum\nnop\n.exception ttl\nctx_arb[kill]\n",
            "memory": ".alloc_mem table scratch me 64\n.import_var i$x\n.reg r\nimmed[r, (i$x & 0xffff)]\n.use r\nctx_arb[kill]\n",
            "macro": "#macro m(x)\nimmed[x, 1]\n#endm\n.reg y\nm(y)\n.use y\nctx_arb[kill]\n",
        }
        for name, source in programs.items():
            with self.subTest(program=name):
                self.write(f"{name}.uc", source)
                self.weft("asm", f"{name}.uc", "-o", f"{name}.json")
                image = json.loads((self.folder / f"{name}.json").read_text())
                self.validate(image, "docs/schemas/image.schema.json")
                self.assertEqual(image.get("lm_absolute"), [True, False] if name == "modes" else None)
        for path in sorted((SOURCE / "examples" / "ipv4-forwarder").glob("*.uc")):
            with self.subTest(program=path.name):
                out = self.weft("asm", path, "-I", SOURCE / "lib" / "microblocks", "-D", "PORTS=2", "-D", "FORWARDERS=2",
                                "-D", "FORWARD_INDEX=0").stdout
                self.validate(json.loads(out), "docs/schemas/image.schema.json")


if __name__ == "__main__":
    unittest.main(verbosity=1)
