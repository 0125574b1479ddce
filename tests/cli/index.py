"""weft index: names and places of a program, for people and for programs."""
import json
import unittest

from weft_cli import SOURCE, CliTest

PROGRAM = """#macro twice(to)
alu[to, to, +, to]
#endm
.reg total
immed[total, 1]
twice(total)
ctx_arb[kill]
"""


class Index(CliTest):
    def test_names_for_people(self):
        self.write("a.uc", PROGRAM)
        out = self.weft("index", "a.uc").stdout.decode()
        self.assertIn("register total\n  defined a.uc:4:6\n  written a.uc:5:7\n", out)
        self.assertIn("  written a.uc:6:7, in twice(total) from a.uc:6:1\n", out)
        self.assertIn("macro twice  (to)\n  defined a.uc:1:8\n  used a.uc:6:1\n", out)

    def test_json_of_every_example_is_whole(self):
        for path in sorted((SOURCE / "examples" / "language").glob("*.uc")):
            index = json.loads(self.weft("index", path, "--json").stdout)
            self.assertEqual((index["format"], index["version"]), ("weft-index", 1))
            lines = {i: self.lines(f) for i, f in enumerate(index["files"])}
            for name in index["names"]:
                for place in name["references"]:
                    if place["file"] not in lines or not lines[place["file"]] or place.get("made") or name["kind"] in ("file", "mark"):
                        continue
                    at = lines[place["file"]][place["line"] - 1][place["column"] - 1:][:place["length"]]
                    self.assertEqual(at.lower(), name["written"].lower(), (path, place))
            self.assertEqual(len(index["tokens"]), len(index["files"]))

    @staticmethod
    def lines(name):
        return [] if name.startswith("<") else (SOURCE / name).read_text().split("\n")

    def test_one_place(self):
        self.write("a.uc", PROGRAM)
        out = self.weft("index", "a.uc", "--at", "5:8").stdout.decode()
        self.assertIn(".reg total", out)
        self.assertIn("expected: destination", out)
        place = json.loads(self.weft("index", "a.uc", "--at", "5:8", "--json").stdout)
        self.assertEqual(place["format"], "weft-index-position")
        self.assertEqual(place["context"]["head"], "immed")
        self.assertEqual([p["line"] for p in place["rename"]["places"]], [4, 5, 6])

    def test_errors_are_said_and_the_index_is_there(self):
        self.write("a.uc", PROGRAM + "alu[total, missing\n")
        done = self.weft("index", "a.uc")
        self.assertIn(b"error", done.stderr)
        self.assertIn(b"register total", done.stdout)

    def test_standard_input_and_allocation(self):
        program = PROGRAM.replace("immed[", ".addr total 3 a\nimmed[")
        out = self.weft("index", "-", "--allocation", stdin=program.encode()).stdout.decode()
        self.assertIn("register total  in a3\n", out)

    def test_wrong_command_lines(self):
        self.write("a.uc", PROGRAM)
        for place in ("5", "0:1", "5:x", ":", "5:"):
            self.weft("index", "a.uc", "--at", place, expect=2)
        self.weft("index", "none.uc", expect=1)
        self.weft("index", expect=2)


if __name__ == "__main__":
    unittest.main()
