"""blocks.py on documents that are written here."""
import unittest

import blocks


class Blocks(unittest.TestCase):
    def one(self, text):
        found, faults = blocks.parse(text)
        self.assertEqual(faults, [])
        (block,) = found
        return block

    def test_kinds(self):
        for words, kind in (("text", "text"), ("sh", "sh"), ("sh outside", "outside"), ("console", "console"), ("asm", "asm"),
                            ("asm part", "part"), ("jsonc a/b.test.json", "file"), ("conf router.conf", "file"),
                            ("", None), ("json", None), ("sh later", None), ("jsonc /etc/x.json", None), ("jsonc ../x.json", None),
                            ("text sh", None), ("c", None)):
            self.assertEqual(blocks.kind(self.one(f"```{words}\nx\n```\n")), kind, words)

    def test_places_and_comments(self):
        text = "a\n\n<!-- before: .reg a\n.reg b -->\n```asm part\nnop\n```\n\n```sh\nweft\n```\n<!-- check: weft run x -->\n"
        found, faults = blocks.parse(text)
        self.assertEqual(faults, [])
        self.assertEqual([(b.line, b.words, b.text, b.before, b.checks) for b in found], [
            (5, ["asm", "part"], "nop\n", ".reg a\n.reg b", []), (9, ["sh"], "weft\n", "", ["weft run x"])])

    def test_a_fence_in_a_list(self):
        self.assertEqual(self.one("1. x\n\n   ```sh\n   a\n     b\n   ```\n").text, "a\n  b\n")

    def test_commands_that_are_only_indented(self):
        for line in ("    weft run x", "    $ weft run x", "    scripts/test -R x"):
            _, faults = blocks.parse(f"a\n\n{line}\n")
            self.assertEqual([number for number, _ in faults], [3], line)
        for line in ("weft run x", "```text\n    weft run x\n```", "    weft run x | y in a table |"):
            self.assertEqual(blocks.parse(line + "\n")[1], [], line)

    def test_wrong_documents(self):
        for text in ("```sh\nweft\n", "<!-- check: weft -->\n", "```sh\na\n```\n<!-- check: weft\nx -->\n"):
            self.assertEqual(len(blocks.parse(text)[1]), 1, text)

    def test_commands(self):
        block = self.one("```console\n$ a b\n1\n2\n$ c\n```\n")
        self.assertEqual(blocks.commands(block), [("a b", ["1", "2"]), ("c", [])])
        self.assertIsNone(blocks.commands(self.one("```console\n1\n$ a\n```\n")))

    def test_matches(self):
        for expected, said, good in (
                (["a", "b"], ["a", "b "], True), (["a"], ["a", "b"], False), (["a", "..."], ["a", "b", "c"], True),
                (["...", "c"], ["c"], True), (["a ... c"], ["a b c"], True), (["a ... c"], ["a b d"], False),
                (["a.c"], ["abc"], False), (["...", "b", "..."], ["a", "c"], False)):
            self.assertEqual(blocks.matches(expected, said), good, (expected, said))


if __name__ == "__main__":
    unittest.main()
