"""The preprocessor's arithmetic against Python's.

Random expression trees are evaluated here as trees, with Python's unlimited integers that are cut to the width after each
step; the assembler gets them as text, with only the parentheses that C's precedence makes necessary and some that it does
not. So neither side's parser or wrapping is used by the other.

usage: expressions.py WEFT [--count N] [--seed N]
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

LEVEL = {"*": 11, "/": 11, "%": 11, "+": 10, "-": 10, "<<": 9, ">>": 9, "<": 8, "<=": 8, ">": 8, ">=": 8, "==": 7,
         "!=": 7, "&": 6, "^": 5, "|": 4, "&&": 3, "||": 2, "?": 1}
EDGES = [0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7ffffffe, 0x7fffffff]
WIDE_EDGES = {32: [0x80000000, 0x80000001, 0xfffffffe, 0xffffffff],
              64: [0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff]}


class NoValue(Exception):
    """Division by zero or a shift by a negative amount where it counts."""


def cut(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def tree(rng, depth, bits):
    if depth == 0 or rng.random() < 0.15:
        n = rng.choice(EDGES + WIDE_EDGES[bits]) if rng.random() < 0.6 else rng.getrandbits(rng.choice([4, 8, 16, 31]))
        return ("n", n, rng.choice(["d", "d", "x", "b", "0"]))
    kind = rng.random()
    if kind < 0.15:
        return ("u", rng.choice("!~-+"), tree(rng, depth - 1, bits))
    if kind < 0.22:
        return ("?", tree(rng, depth - 1, bits), tree(rng, depth - 1, bits), tree(rng, depth - 1, bits))
    if kind < 0.28:
        return ("log2", tree(rng, depth - 1, bits), rng.choice([-3, -1, 1, 2]))
    op = rng.choice([o for o in LEVEL if o != "?"])
    right = tree(rng, depth - 1, bits)
    if op in ("<<", ">>") and rng.random() < 0.7:
        right = ("n", rng.randrange(0, bits + 4), "d")
    return ("b", op, tree(rng, depth - 1, bits), right)


def value(t, bits):
    if t[0] == "n":
        return cut(t[1], bits)
    if t[0] == "u":
        v = value(t[2], bits)
        return {"!": int(v == 0), "~": cut(~v, bits), "-": cut(-v, bits), "+": v}[t[1]]
    if t[0] == "?":
        return value(t[2] if value(t[1], bits) else t[3], bits)
    if t[0] == "log2":
        n = value(t[1], bits) & ((1 << bits) - 1)
        if n == 0:
            return 0 if t[2] > 0 else -1
        return (n - 1).bit_length() if t[2] > 0 else n.bit_length() - 1
    op, left = t[1], value(t[2], bits)
    if op == "&&":
        return int(left != 0 and value(t[3], bits) != 0)
    if op == "||":
        return int(left != 0 or value(t[3], bits) != 0)
    right = value(t[3], bits)
    if op in ("/", "%"):
        if right == 0:
            raise NoValue
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return cut(quotient if op == "/" else left - quotient * right, bits)
    if op in ("<<", ">>"):
        if right < 0:
            raise NoValue
        right = min(right, 2 * bits)
        return cut(left << right if op == "<<" else left >> right, bits)
    compare = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "==": left == right,
               "!=": left != right}
    if op in compare:
        return int(compare[op])
    return cut({"*": left * right, "+": left + right, "-": left - right, "&": left & right, "^": left ^ right,
                "|": left | right}[op], bits)


def text(t, rng, above=0):
    """Text of the tree; `above` is the lowest level that needs no parentheses."""
    gap = rng.choice(["", " "])
    if t[0] == "n":
        n = t[1]
        return {"d": str(n), "x": f"0x{n:x}", "b": f"0b{n:b}", "0": f"00{n}"}[t[2]]
    if t[0] == "log2":
        return f"log2({text(t[1], rng)},{gap}{t[2]})"
    if t[0] == "u":
        inner = text(t[2], rng, 12)
        # "--" would be one mark to the eye, but two operators to the assembler; both spellings must work.
        out, level = t[1] + gap + inner, 12
    elif t[0] == "?":
        out = f"{text(t[1], rng, 2)} ? {text(t[2], rng)} : {text(t[3], rng, 1)}"
        level = 1
    else:
        level = LEVEL[t[1]]
        out = f"{text(t[2], rng, level)}{gap}{t[1]}{gap}{text(t[3], rng, level + 1)}"
    return f"({out})" if level < above or rng.random() < 0.08 else out


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weft")
    options.add_argument("--count", type=int, default=6000)
    options.add_argument("--seed", type=int, default=1200)
    options = options.parse_args()
    wrong = 0
    for bits, flags in ((32, []), (64, ["--preproc64"])):
        rng = random.Random(options.seed + bits)
        cases = []
        while len(cases) < options.count // 2:
            t = tree(rng, rng.randrange(1, 6), bits)
            try:
                cases.append((text(t, rng), value(t, bits)))
            except NoValue:
                continue
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "expressions.uc")
            with open(path, "w") as f:
                for expression, _ in cases:
                    f.write(f"#define_eval N {expression}\nx N\n")
            run = subprocess.run([options.weft, "asm", "-E", *flags, path], capture_output=True, text=True)
        lines = run.stdout.splitlines()
        if run.returncode != 0 or len(lines) != len(cases):
            print(f"{bits} bits: {len(lines)} values for {len(cases)} expressions\n{run.stderr[:2000]}")
            return 1
        for (expression, expected), line in zip(cases, lines):
            if line != f"x {expected}":
                wrong += 1
                if wrong <= 20:
                    print(f"{bits} bits: {expression}\n  model {expected}, assembler {line[2:]}")
        print(f"{bits} bits: {len(cases)} expressions compared")
    return 1 if wrong else 0


sys.exit(main())
