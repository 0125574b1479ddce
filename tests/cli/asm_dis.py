"""`weft asm` and `weft dis`: forms of output, and source -> words -> source -> words."""
import json
import random
import re
import unittest

from weft_cli import SOURCE, CliTest

PROGRAM = """
; adds up a table
.sig done
.reg sum addr count
.reg $word
immed[sum, 0]
immed[addr, 0x100]
immed[count, 4]
.while (count > 0)
  scratch[read, $word, addr, 0, 1], ctx_swap[done]
  alu[sum, sum, +, $word]
  alu[addr, addr, +, 4]
  alu[count, count, -, 1]
.endw
ctx_arb[kill]
"""


class AsmDis(CliTest):
    def test_forms(self):
        self.write("sum.uc", PROGRAM)
        self.weft("asm", "sum.uc", "-o", "sum.json", "--list", "sum.lst", "-MD", "sum.d")
        image = json.loads((self.folder / "sum.json").read_text())
        self.assertEqual(image["version"], 1)
        self.assertIn("alu[sum, sum, +, $word]", (self.folder / "sum.lst").read_text())
        self.assertEqual((self.folder / "sum.d").read_text().split(), ["sum.json:", "\\", "sum.uc"])
        words = self.weft("asm", "sum.uc", "--emit", "words").stdout
        hexa = self.weft("asm", "sum.uc", "--emit", "hex").stdout.decode().split()
        self.assertEqual(len(words), 5 * len(hexa))
        self.assertEqual(words.hex(), "".join(hexa))
        c = self.weft("asm", "sum.uc", "--emit", "c").stdout.decode()
        self.assertEqual(c.count("0x"), len(hexa))
        for word, text in zip(hexa, [line.strip(" ,") for line in c.splitlines() if "0x0" in line]):
            value, plain = int(text, 16), int(word, 16)
            self.assertEqual(value & ((1 << 40) - 1), plain)
            self.assertEqual(bin(plain & 0xfffff).count("1") % 2, value >> 40 & 1)
            self.assertEqual(bin(plain >> 20 & 0xfffff).count("1") % 2, value >> 41 & 1)

    def test_the_listing_costs_what_the_chip_file_says(self):
        self.write("loop.uc", ".reg n\nimmed[n, 3]\nagain#:\nalu[n, n, -, 1]\nbne[again#]\nctx_arb[kill]\n")

        def column(chip):
            listing = self.weft("asm", "loop.uc", "--chip", chip, "--list", "-", "-o", "loop.json").stdout.decode()
            return [line.split()[2] for line in listing.splitlines() if line.split()[0].isdigit()]

        self.assertEqual(column("ixp2400"), ["1", "1", "1+3", "3"])
        chip = json.loads(re.sub(r"(?m)^//.*$", "", (SOURCE / "emulator/chips/ixp2400.json").read_text()))
        chip["name"] = "slow"
        chip["engines"]["abort_branch_cc"]["value"] = 5
        chip["engines"]["abort_swap"]["value"] = 7
        self.write("slow.json", json.dumps(chip))
        self.assertEqual(column("slow.json"), ["1", "1", "1+5", "8"])

    def round_trip(self, words, *chip):
        self.write("in.words", words)
        text = self.weft("dis", "--raw", "in.words", *chip).stdout
        self.write("out.uc", text)
        again = self.weft("asm", "out.uc", "--emit", "words", *chip).stdout
        self.assertEqual(again.hex(), words.hex())
        return text.decode()

    def test_round_trip_of_a_program(self):
        self.write("sum.uc", PROGRAM)
        text = self.round_trip(self.weft("asm", "sum.uc", "--emit", "words").stdout)
        self.assertNotIn(".word", text)
        self.assertIn(".registers physical", text)
        # The Image disassembles to the same words, too.
        self.weft("asm", "sum.uc", "-o", "sum.json")
        self.write("image.uc", self.weft("dis", "sum.json").stdout)
        self.assertEqual(self.weft("asm", "image.uc", "--emit", "words").stdout,
                         self.weft("asm", "sum.uc", "--emit", "words").stdout)

    def test_round_trip_of_random_words(self):
        rng = random.Random(7)
        text = self.round_trip(b"".join(rng.getrandbits(40).to_bytes(5, "big") for _ in range(3000)))
        self.assertIn(".word", text)
        text = self.round_trip(b"".join(rng.getrandbits(32).to_bytes(4, "big") for _ in range(1500)), "--chip", "ixp1200")
        self.assertIn(".word", text)

    def test_words_and_hex_of_the_ixp1200(self):
        self.write("one.uc", ".reg x y\nimmed[x, 1]\nimmed[y, 2]\nalu[x, x, +, y]\n.use x\nctx_arb[kill]\n")
        words = self.weft("asm", "one.uc", "--chip", "ixp1200", "--emit", "words").stdout
        hexa = self.weft("asm", "one.uc", "--chip", "ixp1200", "--emit", "hex").stdout.decode().split()
        self.assertEqual([len(word) for word in hexa], [8] * 4)
        self.assertEqual(words.hex(), "".join(hexa))
        # 32-bit words have no parity bits.
        c = self.weft("asm", "one.uc", "--chip", "ixp1200", "--emit", "c").stdout.decode()
        self.assertEqual([line.strip(" ,")[2:] for line in c.splitlines() if line.startswith("  0x")], hexa)
        self.assertNotIn(".word", self.round_trip(words, "--chip", "ixp1200"))
        self.weft("asm", "one.uc", "--chip", "ixp1200", "-o", "one.json")
        self.write("again.uc", self.weft("dis", "one.json").stdout)
        self.assertEqual(self.weft("asm", "again.uc", "--chip", "ixp1200", "--emit", "words").stdout, words)

    def test_physical_names_are_ordinary_without_the_directive(self):
        self.write("names.uc", ".reg a5 b7\nimmed[a5, 1]\nimmed[b7, 2]\nalu[a5, a5, +, b7]\n.use a5\n")
        self.weft("asm", "names.uc", "-o", "names.json")
        self.write("undeclared.uc", "immed[a5, 1]\n")
        self.weft("asm", "undeclared.uc", "-o", "undeclared.json", expect=1)

    def test_diagnostics_as_json_and_sarif(self):
        self.write("bad.uc", "immed[x, 1]\n")
        rows = json.loads(self.weft("asm", "bad.uc", "-o", "x", "--diagnostics", "json", expect=1).stdout)
        self.assertEqual(rows["diagnostics"][0]["range"]["begin"]["line"], 1)
        sarif = json.loads(self.weft("asm", "bad.uc", "-o", "x", "--diagnostics", "sarif", expect=1).stdout)
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertEqual(len(sarif["runs"][0]["results"]), len(rows["diagnostics"]))

    def test_standard_input_and_output(self):
        out = self.weft("asm", "-", "--emit", "hex", stdin=b"nop\n").stdout
        self.assertEqual(out, b"f0000c0300\n")

    def test_preprocess_only(self):
        self.write("m.uc", "#define N 3\n#macro twice(x)\nalu[x, x, +, x]\n#endm\n.reg y\nimmed[y, N]\n")
        text = self.weft("asm", "m.uc", "-E").stdout.decode()
        self.assertIn("immed[y, 3]", text.replace(" ,", ","))
        self.assertNotIn("#", text.replace("#line", ""))


if __name__ == "__main__":
    unittest.main(verbosity=1)
