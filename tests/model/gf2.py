"""The hash unit: a(x) * m(x) mod g(x) over GF(2), by multiplication and long division bit by bit.

    gf2.py FILE [COUNT [SEED]]

writes COUNT vectors per width as lines `WIDTH A M HASH` in hexadecimal, which the tests of the hash unit read.
"""

import random
import sys

GENERATORS = {48: (48, 36, 25, 10, 0), 64: (64, 54, 35, 17, 0), 128: (128, 98, 69, 33, 0)}


def multiply(a, b):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        b >>= 1
    return product


def remainder(value, generator):
    degree = generator.bit_length()
    while value.bit_length() >= degree:
        value ^= generator << (value.bit_length() - degree)
    return value


def hash_value(width, a, m):
    return remainder(multiply(a, m), sum(1 << power for power in GENERATORS[width]))


def check():
    """Properties that hold whatever the implementation: the identity, x * x^(w-1) = g without its top, distributivity."""
    rng = random.Random(5)
    for width, powers in GENERATORS.items():
        low = sum(1 << p for p in powers) ^ 1 << width
        assert hash_value(width, 1 << width - 1, 2) == low
        for _ in range(50):
            a, b, m = (rng.getrandbits(width) for _ in range(3))
            assert hash_value(width, a, 1) == a
            assert hash_value(width, a, m) == hash_value(width, m, a)
            assert hash_value(width, a ^ b, m) == hash_value(width, a, m) ^ hash_value(width, b, m)


def main(path, count=1000, seed=1):
    check()
    rng = random.Random(seed)
    with open(path, "w", encoding="ascii") as out:
        for width in GENERATORS:
            ones = (1 << width) - 1
            pairs = [(0, 0), (1, 1), (ones, ones), (ones, 1), (1, ones), (1 << width - 1, 2)]
            pairs += [(rng.getrandbits(width), rng.getrandbits(width)) for _ in range(count)]
            for a, m in pairs:
                out.write(f"{width} {a:x} {m:x} {hash_value(width, a, m):x}\n")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
