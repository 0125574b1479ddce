"""Command lines of old Makefiles: what means one of our options works, the rest says what to write instead."""
import json
import unittest

from weft_cli import CliTest

PROGRAM = """.reg chip first last
immed[chip, __IXPTYPE]
immed[first, __REVISION_MIN]
immed[last, __REVISION_MAX]
.use chip first last
ctx_arb[kill]
"""
CONFLICT = """.reg x y z r
immed[x, 1]
immed[y, 2]
immed[z, 3]
alu[r, x, +, y]
alu[r, y, +, z]
alu[r, z, +, x]
.use r
ctx_arb[kill]
"""


class VendorOptions(CliTest):
    def setUp(self):
        super().setUp()
        self.write("p.uc", PROGRAM)
        self.write("c.uc", CONFLICT)
        self.write("unset.uc", ".reg x\nbr=ctx[0, on#]\nimmed[x, 1]\non#:\nalu[x, x, +, 1]\n.use x\nctx_arb[kill]\n")

    def words(self, *options, source="p.uc", expect=0):
        return self.weft("asm", *options, source, "--emit", "hex", expect=expect).stdout.decode().split()

    def test_chips(self):
        for option, chip in [("-ixp2400", "ixp2400"), ("-ixp2800", "ixp2800"), ("-ixp1200", "ixp1200")]:
            self.assertEqual(self.words(option), self.words("--chip", chip))
        self.assertEqual(self.words("-chip", "ixp2800"), self.words("--chip", "ixp2800"))
        self.assertNotEqual(self.words("-ixp2400"), self.words("-ixp2800"))

    def test_revisions(self):
        given = self.words("-REVISION_MIN=A0", "-REVISION_MAX=B1")
        self.assertEqual(given, self.words("-D", "__REVISION_MIN=0", "-D", "__REVISION_MAX=0x11"))
        self.assertEqual(self.words("-REVISION=0x10"), self.words("-REVISION_MIN=16", "-REVISION_MAX=16"))
        self.assertNotEqual(given, self.words())
        done = self.weft("asm", "-REVISION=B0", "p.uc", "-o", "x.json")
        self.assertEqual(done.stderr, b"")

    def test_preprocessor(self):
        self.assertEqual(self.weft("asm", "-P", "p.uc").stdout, self.weft("asm", "-E", "p.uc").stdout)
        self.write("wide.uc", "#if (0x7fffffff + 1 > 0)\nnop\n#endif\n#if (NOTHING == 0)\nnop\n#endif\nctx_arb[kill]\n")
        self.words("-preproc64", source="wide.uc", expect=1)
        self.assertEqual(len(self.words("-preproc64", "-preproc_c", source="wide.uc")), 3)
        self.assertEqual(len(self.words("-preproc32", "-preproc_c", source="wide.uc")), 2)

    def test_conflicts(self):
        self.words(source="c.uc", expect=1)
        self.assertEqual(len(self.words("-Of", source="c.uc")), len(CONFLICT.splitlines()) - 2 + 1)

    def test_too_many_registers(self):
        names = [f"r{n}" for n in range(40)]
        lines = [".reg " + " ".join(names)] + [f"immed[{n}, 1]" for n in names] + [f"alu[--, --, B, {n}]" for n in names]
        self.write("many.uc", "\n".join(lines + ["ctx_arb[kill]", ""]))
        self.words(source="many.uc", expect=1)
        self.assertEqual(len(self.words("-Os", source="many.uc")), 81 + 9)  # nothing moved, nine words make the pointer
        self.assertEqual(self.words("-Os", source="many.uc"), self.words("--spill", source="many.uc"))

    def test_warnings(self):
        def said(*options, expect=0):
            return self.weft("asm", *options, "unset.uc", "-o", "x.json", expect=expect).stderr.decode()

        self.assertIn("asm-maybe-unset", said())
        for option in ("-W1", "-W2", "-W3", "-W4"):
            self.assertIn("asm-maybe-unset", said(option))
        for option in ("-W0", "-w"):
            self.assertEqual(said(option), "")
        self.assertIn("error", said("-WX", expect=1))

    def test_what_is_the_case_anyway(self):
        self.assertEqual(self.words("-g", "-R"), self.words())
        image = json.loads(self.weft("asm", "-g", "p.uc").stdout)
        self.assertEqual(len(image["lines"]), len(image["words"]))

    def test_case(self):
        self.assertEqual(self.words("-C"), self.words())
        self.write("case.uc", ".reg Value value\nimmed[Value, 1]\nimmed[value, 2]\nalu[--, Value, +, value]\nctx_arb[kill]\n")
        self.assertIn(b"with -C", self.weft("asm", "case.uc", "-o", "x.json", expect=1).stderr)
        self.weft("asm", "-C", "case.uc", "-o", "x.json")
        project = {"version": 1, "board": "generic-2400", "programs": [{"source": "case.uc", "engines": [0]}]}
        self.write("weft.json", json.dumps(project))
        self.assertIn(b"with -C", self.weft("run", ".", expect=1).stderr)
        for more in ({"case_sensitive": True}, {"programs": [{**project["programs"][0], "case_sensitive": True}]}):
            self.write("weft.json", json.dumps({**project, **more}))
            self.weft("run", ".")
        self.write("weft.json", json.dumps({**project, "case_sensitive": "yes"}))
        self.assertIn(b"case_sensitive", self.weft("run", ".", expect=1).stderr)

    def test_refusals_name_what_to_write(self):
        for option, instead in [("-ixp2xxx", "--chip ixp2400"), ("-r", ".reg"), ("-lm", ".local_mem"),
                                ("-lr", ".local_mem"), ("-ctx_start", "ctx_arb"), ("-ctx_end", "ctx_arb"), ("-pml", "later parts"), ("-N", "leave")]:
            with self.subTest(option=option):
                text = self.weft("asm", option, "p.uc", "-o", "x.json", expect=2).stderr.decode()
                self.assertRegex(text, f"^weft asm: {option} is an option of another assembler: .*({instead})")
                self.assertFalse((self.folder / "x.json").exists())

    def test_values_are_not_options(self):
        self.weft("asm", "p.uc", "-o", "-w")
        self.assertTrue((self.folder / "-w").exists())


if __name__ == "__main__":
    unittest.main()
