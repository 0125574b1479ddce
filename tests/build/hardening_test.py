"""The program that a release gives has what cmake/WeftHardening.cmake asks for (x86-64; elsewhere what the format shows).

  hardening_test.py PROGRAM
"""
import platform
import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def readelf(*options):
    return subprocess.run(["readelf", "-W", *options, PROGRAM], check=True, capture_output=True, text=True).stdout


class Hardening(unittest.TestCase):
    def test_no_fixed_addresses(self):
        self.assertRegex(readelf("-h"), r"Type: +DYN")
        self.assertRegex(readelf("-d"), r"FLAGS_1.*\bPIE\b")

    def test_tables_of_the_linker_are_read_only(self):
        self.assertIn("GNU_RELRO", readelf("-l"))
        self.assertRegex(readelf("-d"), r"FLAGS.*\bBIND_NOW\b|FLAGS_1.*\bNOW\b")

    def test_nothing_executes_on_the_stack(self):
        self.assertRegex(readelf("-l"), r"GNU_STACK .* RW +0x")

    def test_the_stack_is_guarded_and_functions_check_sizes(self):
        symbols = readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__(mem|str|read|recv|poll|sn?printf|vsnprintf|fread|realpath)\w*_chk\b")

    @unittest.skipUnless(platform.machine() == "x86_64", "another processor")
    def test_targets_of_jumps_are_marked(self):
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--section=.text", PROGRAM], check=True, capture_output=True, text=True).stdout
        self.assertGreater(len(re.findall(r"\bendbr64\b", code)), 1000)


if __name__ == "__main__":
    unittest.main()
