"""Published schemas and readers refuse the same files. Wrong files are made from good ones: each value is null, missing, of
another type, or at and beyond the limits that the schema gives it. What the schema refuses the reader refuses too, in one
message or more with file and line; what the schema takes is not refused for its form (names that do not exist, numbers that
do not fit together and the like may be: those are no matter of form).

  schema_readers.py            a part of the files, chosen by WEFT_SEED; with WEFT_FULL=1 all of them
"""
import concurrent.futures
import copy
import json
import os
import pathlib
import random
import re
import subprocess
import unittest

from weft_cli import SOURCE, WEFT, CliTest

FULL = os.environ.get("WEFT_FULL") == "1"
SEED = int(os.environ.get("WEFT_SEED", "1"))
PART = 60  # files of each format in a run that is not full
# What readers say about the form of a value, and of values whose limits other values give, which are no matter of form.
FORM = re.compile(r"json-(missing|unknown-name|syntax|name-twice)|(a whole number|a number|an object.*|a list.*|true or false|a text.*) is expected here|"
                  r"is out of range; allowed is|is not a number from")
OF_OTHERS = re.compile(r"image: /(words|(registers|signals|marks|labels|lines|inits|memory)/)|cases: /tests/0/frames/f/0/|/ports/\d+/(channel|chip) |/chips = |/chips/\d+/(name missing|chip |sram|dram/bytes/)|ixp1200-nctu\.json: /units/|/units/hash/steps_")


ROUTER = """interface A port 0 mac 02:00:00:00:01:0a
interface B port 1 mac 02:00:00:00:01:0b
address A 10.0.0.1/24
address B 192.0.2.1/24
neighbour 192.0.2.2 mac 02:00:00:00:00:0a
route 198.51.100.0/24 via 192.0.2.2
"""


def read(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    return json.loads(re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.S))


def places(value, path=()):
    """Every value inside, by its path; of a list the first and the last one, as one part of a reader reads them all."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for i in sorted({0, len(value) - 1} if value else ()):
            yield from places(value[i], (*path, i))


def changed(document, path, value):
    out = copy.deepcopy(document)
    if not path:
        return value
    node = out
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    return out


def without(document, path):
    out = copy.deepcopy(document)
    node = out
    for part in path[:-1]:
        node = node[part]
    del node[path[-1]]
    return out


class Limits:
    """The limits that a schema gives the value at a path, in all its alternatives."""

    def __init__(self, schema):
        self.schema = schema

    def resolved(self, node):
        while "$ref" in node:
            part = self.schema
            for name in node["$ref"].removeprefix("#/").split("/"):
                part = part[name]
            node = {**part, **{k: v for k, v in node.items() if k != "$ref"}}
        return node

    def alternatives(self, node):
        node = self.resolved(node)
        yield node
        for kind in ("oneOf", "anyOf", "allOf"):
            for each in node.get(kind, []):
                yield from self.alternatives(each)
        for kind in ("if", "then", "else"):
            if kind in node:
                yield from self.alternatives(node[kind])

    def at(self, path):
        nodes = list(self.alternatives(self.schema))
        for part in path:
            inner = []
            for node in nodes:
                if isinstance(part, str):
                    found = node.get("properties", {}).get(part, node.get("additionalProperties"))
                else:
                    found = node.get("items")
                if isinstance(found, dict):
                    inner.extend(self.alternatives(found))
            nodes = inner
        return nodes


def replacements(value, nodes):
    """Values in the place of another."""
    out = [None, "x", "", -1, 1.5, True, [], {}, [None], {"unknown": 1}, 2**64, 1e300]
    for node in nodes:
        for name, step in (("minimum", -1), ("maximum", 1), ("exclusiveMinimum", 0), ("exclusiveMaximum", 0)):
            if name in node:
                out += [node[name], node[name] + step]
        if "enum" in node:
            out += [*node["enum"], "not-" + str(node["enum"][0])]
        if "const" in node:
            out += [node["const"]]
        if isinstance(value, list):
            if "minItems" in node:
                out += [value[:node["minItems"]], value[:max(0, node["minItems"] - 1)]]
            if "maxItems" in node and value:
                out += [value[:1] * node["maxItems"], value[:1] * (node["maxItems"] + 1)]
            if node.get("uniqueItems") and value:
                out += [value[:1] * 2]
    unique = []
    for each in out:
        if not any(type(each) is type(other) and each == other for other in unique) and not (type(each) is type(value) and each == value):
            unique.append(each)
    return unique


def wrong_files(document, limits):
    for path in places(document):
        name = "/" + "/".join(map(str, path))
        for value in replacements(None if not path else at(document, path), limits.at(path)):
            yield f"{name} = {json.dumps(value)[:60]}", changed(document, path, value)
        if path and isinstance(path[-1], str):
            yield f"{name} missing", without(document, path)
            yield f"{name} misspelt", changed(without(document, path), (*path[:-1], path[-1] + "x"), at(document, path))


def at(document, path):
    for part in path:
        document = document[part]
    return document


class SchemaReaders(CliTest):
    def setUp(self):
        super().setUp()
        import jsonschema  # scripts/setup installs it
        self.validator = jsonschema.Draft202012Validator

    @staticmethod
    def place(what):
        """The line of the value; the file, of what is wrong as a whole; and a file that cannot be read is named where it is
        named here."""
        if what.startswith("/ ="):
            return r"(?m)^.*file\.json(:\d+){0,2}: error: "
        return r"(?m)^.*file\.json(:\d+){1,2}: (error|note): "

    def agree(self, schema_name, documents, command, prepare=None):
        schema = read(SOURCE / "docs/schemas" / schema_name)
        self.validator.check_schema(schema)
        validator = self.validator(schema)
        limits = Limits(schema)
        files = []
        for name, document in documents.items():
            self.assertTrue(validator.is_valid(document), f"{name} is not good by its schema")
            files += [(name, what, each) for what, each in wrong_files(document, limits)]
        if not FULL:
            files = random.Random(SEED).sample(files, min(PART, len(files)))

        files = [(name, "as it is", document) for name, document in documents.items()] + files

        def run(number):
            name, what, document = files[number]
            folder = self.folder / str(number % 64) / str(number)
            folder.mkdir(parents=True)
            if prepare:
                prepare(folder)
            (folder / "file.json").write_text(json.dumps(document, indent=1))
            done = subprocess.run([WEFT, *command], cwd=folder, capture_output=True, timeout=120, env=dict(os.environ, NO_COLOR="1"))
            return done.returncode, done.stderr.decode(errors="replace")

        faults = []
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for (name, what, document), (status, message) in zip(files, pool.map(run, range(len(files)))):
                good = validator.is_valid(document)
                case = f"{name}: {what}: "
                if status != 0 and what == "as it is":  # otherwise nothing else would show
                    faults.append(case + f"status {status}: {message[:300]}")
                elif status not in (0, 1):
                    faults.append(case + f"status {status}: {message[:300]}")
                elif not good and status == 0:
                    error = next(validator.iter_errors(document))
                    faults.append(case + "the schema refuses it, the reader takes it: " + error.message[:120])
                elif good and status == 1 and FORM.search(message) and not OF_OTHERS.search(case):
                    faults.append(case + "the schema takes it, the reader says: " + message.strip()[:200])
                elif status == 1 and not re.search(self.place(what), message):
                    faults.append(case + "no place: " + message.strip()[:200])
        self.assertFalse(faults, f"{len(faults)} of {len(files)} files:\n" + "\n".join(faults[:int(os.environ.get("WEFT_SHOW", "40"))]))
        self.assertGreaterEqual(len(files), PART)

    def test_chips(self):
        self.agree("chip.schema.json", {n: read(SOURCE / "emulator/chips" / n) for n in ("ixp2400.json", "ixp1200.json", "ixp1200-nctu.json")},
                   ["chip", "check", "file.json"])

    def test_boards(self):
        self.agree("board.schema.json", {n: read(SOURCE / "emulator/boards" / n) for n in ("generic-2400.json", "itj-dual-2400.json", "nctu-1200.json")},
                   ["chip", "check", "file.json"])

    def test_projects(self):
        def prepare(folder):
            (folder / "p.uc").write_text(".reg $x\nnop\nctx_arb[kill]\n")
            (folder / "routes.txt").write_text("198.51.100.0/24\n")
            (folder / "router.conf").write_text(ROUTER)
        self.agree("project.schema.json", {"project": {
            "version": 1, "name": "all", "description": "everything", "board": "generic-2400", "seed": 3, "include": ["."], "case_sensitive": True,
            "programs": [{"source": "p.uc", "engines": [0, 1], "define": {"A": 1}, "include": ["."], "case_sensitive": False}],
            "memory": {"scratch": [{"begin": "0x100", "end": "1K"}], "dram": [{"begin": 0, "end": 4096}]},
            "constants": {"size": "4K", "count": 3},
            "ports": [{"port": 0, "in": {"generate": {"count": 2, "size": 64, "destinations": "10.0.0.1", "flows": 2, "rate": 0.5,
                                                      "source-mac": "02:00:00:00:00:01", "labels": [16, "17-18"]}}},
                      {"port": 1, "out": "out.pcap"}],
            "pools": [{"name": "pool", "free": {"ring": 2}, "memory": "dram", "base": "1M", "size": 2048, "count": 4, "shift": 0, "fill": True}],
            "rings": [{"ring": 2, "base": 4096, "size": 128, "status": "full", "contents": [1, "0x2"]},
                      {"sram-ring": 1, "channel": 0, "base": 0, "size": 512}],
            "reasons": [{"name": "bad", "fate": "dropped", "memory": "scratch", "address": "0x200", "ports": 2, "stride": 4}],
            "tables": [{"memory": "sram0", "address": "0x1000", "bytes": "4K"}],
            "limits": {"cycles": 50, "packets": "1K", "quiet": 100}},
            "router": {
            "version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
            "control": {"program": "ipv4", "config": "router.conf", "options": {"icmp-rate": "64"}, "commands": ["at 5: print x"]},
            "ports": [{"port": 0, "in": {"generate": {"count": 2, "destinations-from": "routes.txt", "distinct": 1,
                                                      "special": {"kind": "local", "permille": 5, "to": "10.0.0.1"}}}}]}}, ["run", "file.json", "--cycles", "10"], prepare)

    def test_test_files(self):
        self.agree("test.schema.json", {"cases": {
            "version": 1, "tests": [{
                "name": "one", "description": "text", "board": ["generic-2400"], "include": ["."], "case_sensitive": False, "define": {"A": 1},
                "set": {"me0.a0": 5, "scratch[0]": [1, 2]}, "check": "off", "limit": {"cycles": 10, "quiet": "1K"}, "seed": 2,
                "frames": {"f": [{"ethernet": {"type": 2048}}, {"payload": 10}]},
                "code": ["nop", "ctx_arb[kill]"], "contexts": 1, "constants": {"k": 4},
                "in": [{"port": 0, "frame": {"same_as": "f"}, "times": 2, "at": "1us", "damaged": False}],
                "expect": {"values": {"me0.a0": 5, "scratch[0]": {"is": 1, "mask": "0xff"}}, "out": [{"port": 1, "frame": {"same_as": "f"}, "times": 1}],
                           "cycles": {"least": 1, "most": 1000}, "instructions": 2, "drops": {"x": 0}}}]}},
                   ["test", "--list", "file.json"])

    def test_images(self):
        self.write("p.uc", ".alloc_mem table scratch me 64\n.reg r $x\n.sig s\n.stage a\nimmed[r, 1]\n.drop ttl\n"
                           "scratch[read, $x, r, 0, 1], ctx_swap[s]\n.use $x\nctx_arb[kill]\n")
        self.weft("asm", "p.uc", "-o", "p.json")
        self.agree("image.schema.json", {"image": read(self.folder / "p.json")}, ["dis", "file.json"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
