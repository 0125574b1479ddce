"""Random cases, seeded: a few instructions, the state before, and the places to look at afterwards.

Each group is a generator of Case values; its name is the line in the report. `sets` is the number of operand sets per
operation of the group.
"""

from dataclasses import dataclass, field

import words

EDGES = (0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
         0xffffffff)
NOP = ("nop", {})


@dataclass
class Case:
    group: str
    program: list = field(default_factory=list)
    before: dict = field(default_factory=dict)
    look: list = field(default_factory=list)
    profile: str = "me2"

    def do(self, name, **fields):
        self.program.append((name, fields))
        return self

    def see(self, *places):
        self.look += [p for p in places if p not in self.look]


def number(rng):
    choice = rng.random()
    if choice < 0.3:
        return rng.choice(EDGES)
    if choice < 0.5:
        return rng.getrandbits(rng.randrange(1, 33))
    return rng.getrandbits(32)


class Operands:
    """Picks legal operands for one case and puts random values where they point."""

    def __init__(self, rng, case, restricted):
        self.rng, self.case, self.restricted = rng, case, restricted
        self.used_local = False

    def _gpr(self, bank):
        if not self.restricted and self.rng.random() < 0.25:
            return ("@" + bank, self.rng.randrange(16, 128))
        return (bank, self.rng.randrange(16))

    def _fill(self, place):
        if place not in self.case.before:
            self.case.before[place] = number(self.rng)

    def _local(self):
        """Local memory through a pointer that is set beforehand; restricted operands have offsets 0-7 only."""
        pointer = self.rng.choice("01")
        csr = "csr:64" if pointer == "0" else "csr:6c"
        self.used_local = True
        if csr not in self.case.before:
            self.case.before[csr] = 4 * self.rng.randrange(640 - 16)
        if not self.restricted and self.rng.random() < 0.4:
            return (f"l{pointer}{self.rng.choice('+-')}", 0), csr
        return (f"l{pointer}", self.rng.randrange(8 if self.restricted else 16)), csr

    def _local_place(self, operand, csr):
        longword = self.case.before[csr] >> 2
        return f"lm{longword | operand[1]}", longword

    def source(self, kinds):
        kind = self.rng.choice(kinds)
        if kind in "ab":
            operand = self._gpr(kind)
            self._fill(f"{kind}{operand[1]}")
        elif kind == "c":
            operand = ("c", self.rng.choice((self.rng.randrange(256), 0, 255, 127, 128)))
        elif kind == "l":
            operand, csr = self._local()
            place, _ = self._local_place(operand, csr)
            if int(place[2:]) >= 640:
                return self.source(kinds.replace("l", "a") if "a" in kinds else kinds.replace("l", "b"))
            self._fill(place)
            self.case.see(csr)
        else:
            operand = ({"s": "$", "d": "$$", "n": "n"}[kind], self.rng.randrange(16))
            self._fill(f"{kind}{operand[1]}")
        return operand

    def pair(self):
        """Two sources that one instruction can name: different banks, or a register and something else, or a constant
        and something else."""
        other = "csdl" if self.restricted else "csdnl"
        left, right = self.rng.choice((("a", "b" + other), ("b", "a" + other), ("c", "absdl"), ("sdl", "abc"), (other, "ab")))
        return self.source(left), self.source(right)

    def dest(self, none=True):
        kinds = ["a", "b", "a", "b", "s", "d"] + (["l"] if not self.used_local else []) + (["-"] if none else [])
        kind = self.rng.choice(kinds)
        if kind == "-":
            return None
        if kind in "ab":
            operand = self._gpr(kind)
            self.case.see(f"{kind}{operand[1]}")
        elif kind == "l":
            operand, csr = self._local()
            place, _ = self._local_place(operand, csr)
            if int(place[2:]) >= 640:
                return None
            self.case.see(place, csr)
        else:
            operand = ({"s": "$", "d": "$$"}[kind], self.rng.randrange(16))
            self.case.see(f"{kind}w{operand[1]}")
        return operand


def start(rng, group, restricted=False):
    case = Case(group)
    case.before["cc"] = rng.randrange(16)
    return case, Operands(rng, case, restricted)


def alu(rng, sets):
    for op in words.ALU:
        for _ in range(sets):
            case, pick = start(rng, f"alu {op}")
            if op in ("B", "~B") and rng.random() < 0.7:
                left, right = None, pick.source("abcsdnl")
            else:
                left, right = pick.pair()
            case.do("alu", op=op, dest=pick.dest(), left=left, right=right)
            case.see("cc")
            yield case


def carry_chains(rng, sets):
    """Sums and differences of 128 bits, in four steps, against Python's own integers."""
    for op, first in (("+carry", "+"), ("-carry", "-")):
        for _ in range(sets):
            case, _ = start(rng, f"alu 128 bits {op}")
            for i in range(4):
                case.before[f"a{i}"], case.before[f"b{i}"] = number(rng), number(rng)
                case.do("alu", op=op if i else first, dest=("a", 4 + i), left=("a", i), right=("b", i))
            case.see("a4", "a5", "a6", "a7", "cc")
            x, y = (sum(case.before[f"{bank}{i}"] << 32 * i for i in range(4)) for bank in "ab")
            total = (x + y if op == "+carry" else x - y) & (1 << 128) - 1
            case.expect = [total >> 32 * i & 0xffffffff for i in range(4)]
            yield case


SHIFTS = (None, "<<", ">>", "<<rot", ">>rot", "<<indirect", ">>indirect")


def _shift(rng, kinds=SHIFTS):
    kind = rng.choice(kinds)
    return kind, 0 if kind is None or kind.endswith("indirect") else rng.randrange(1, 32)


def _give_amount(rng, case):
    """The instruction before: its left operand is the indirect amount, its result the sign that asr takes."""
    case.before["a15"], case.before["b15"] = number(rng), number(rng)
    left, right = rng.choice(((("a", 15), ("b", 15)), (("b", 15), ("a", 15))))
    case.do("alu", op=rng.choice(("B", "~B", "AND", "~AND", "AND~", "OR", "XOR")), dest=None, left=left, right=right)


def alu_shf(rng, sets):
    for op in words.SHF:
        for kind in SHIFTS:
            for _ in range(sets // 4):
                case, pick = start(rng, f"alu_shf {op}", True)
                if op in ("B", "~B") and rng.random() < 0.7:
                    left, right = None, pick.source("abcsdl")
                else:
                    left, right = pick.pair()
                _give_amount(rng, case)
                chosen, n = _shift(rng, (kind,))
                case.do("alu_shf", op=op, dest=pick.dest(), left=left, right=right, shift=chosen, n=n)
                case.see("cc")
                yield case


def dbl_shf(rng, sets):
    for indirect in (False, True):
        for _ in range(sets):
            case, pick = start(rng, "dbl_shf >>indirect" if indirect else "dbl_shf >>n", True)
            left, right = pick.pair()
            _give_amount(rng, case)
            case.do("dbl_shf", dest=pick.dest(), left=left, right=right, n=0 if indirect else rng.randrange(1, 32))
            case.see("cc")
            yield case


def asr(rng, sets):
    for indirect in (False, True):
        for _ in range(sets):
            case, pick = start(rng, "asr >>indirect" if indirect else "asr >>n", True)
            right = pick.source("abcsdl")
            _give_amount(rng, case)
            case.do("asr", dest=pick.dest(), right=right, n=0 if indirect else rng.randrange(1, 32))
            case.see("cc")
            yield case


def byte_align(rng, sets):
    for name, role in (("byte_align_be", "right"), ("byte_align_le", "left")):
        for index in range(4):
            for _ in range(sets):
                case, pick = start(rng, f"{name} index {index}", True)
                case.before["csr:70"] = index
                for step in range(4):
                    case.do(name, dest=None if step == 0 else (rng.choice("ab"), 10 + step), **{role: pick.source("absd")})
                case.see(*(f"{bank}{10 + step}" for bank in "ab" for step in (1, 2, 3)), "cc")
                yield case


def bit_counts(rng, sets):
    for _ in range(sets):
        case, pick = start(rng, "ffs")
        case.do("ffs", right=pick.source("abcsdnl"), dest=pick.dest())
        case.see("cc")
        yield case
    for _ in range(sets):
        case, pick = start(rng, "pop_count")
        source = pick.source("absdn")
        case.do("pop_count1", right=source).do("pop_count2", right=source)
        case.do("pop_count3", right=source, dest=pick.dest())
        case.see("cc")
        yield case


def multiply(rng, sets):
    for size, (left_bits, right_bits, steps) in {"24x8": (24, 8, 1), "16x16": (16, 16, 2), "32x32": (32, 32, 4)}.items():
        for _ in range(sets):
            case, pick = start(rng, f"mul_step {size}")
            left, right = rng.choice(((("a", 1), ("b", 1)), (("b", 1), ("a", 1)), (("$", 1), ("b", 1)), (("a", 1), ("n", 1))))
            for operand, bits in ((left, left_bits), (right, right_bits)):
                value = rng.choice((rng.getrandbits(bits), rng.getrandbits(bits), (1 << bits) - 1, 0, 1 << bits - 1))
                case.before[{"$": "s"}.get(operand[0], operand[0]) + "1"] = value
            case.do("mul_start", left=left, right=right)
            for step in range(1, steps + 1):
                case.do("mul_step", left=left, right=right, size=size, step=f"step{step}")
            case.do("mul_last", dest=pick.dest(none=False), size=size, step="last")
            if size == "32x32":
                pick.used_local = True
                case.do("mul_last", dest=pick.dest(none=False), size=size, step="last2")
            case.see("cc")
            yield case


def ld_field(rng, sets):
    for name in ("ld_field", "ld_field_w_clr"):
        for load_cc in (0, 1):
            for _ in range(sets):
                case, pick = start(rng, f"{name} load_cc" if load_cc else name, True)
                bank = rng.choice("ab")
                dest = (bank, rng.randrange(15))
                case.before[f"{bank}{dest[1]}"] = number(rng)
                case.see(f"{bank}{dest[1]}", "cc")
                right = pick.source(("b" if bank == "a" else "a") + "csdl")
                _give_amount(rng, case)
                kind, n = _shift(rng)
                case.do(name, dest=dest, mask=rng.randrange(16), right=right, shift=kind, n=n, load_cc=load_cc)
                yield case


def immed(rng, sets):
    for invert in (0, 1):
        for shift in (0, 1, 2):
            for _ in range(sets):
                case, pick = start(rng, f"immed{' inverted' if invert else ''} <<{8 * shift}")
                case.do("immed", dest=pick.dest(), value=number(rng) & 0xffff, shift=shift, invert=invert)
                case.see("cc")
                yield case
    for name, parts, bits in (("immed_b", 4, 8), ("immed_w", 2, 16)):
        for part in range(parts):
            for _ in range(sets):
                case, pick = start(rng, f"{name}{part}")
                operand = pick.source("ab")
                case.do(name, dest=operand, value=number(rng) & (1 << bits) - 1, part=part)
                case.see(operand[0][-1] + str(operand[1]), "cc")
                yield case


def cam(rng, sets):
    """Sequences over a few tags, so that hits, misses and replacements all happen. Most begin with a full CAM: only then
    does it show which entry a hit made young."""
    for _ in range(sets):
        case, _ = start(rng, "cam sequence of 24")
        tags = [number(rng) for _ in range(rng.choice((4, 12, 20)))]
        for i in range(16):
            case.before[f"a{i}"] = rng.choice(tags)
            case.before[f"b{i}"] = rng.randrange(16)  # entries
        if rng.random() < 0.8:
            entries = rng.sample(range(16), 16)
            for i, entry in enumerate(entries):
                case.do("cam_write", right=("c", entry), left=("a", i), state=rng.randrange(16))
        for step in range(24):
            dest = (rng.choice(("@a", "@b")), 32 + step)
            tag, entry = ("a", rng.randrange(16)), ("b", rng.randrange(16))
            kind = rng.choices(("cam_lookup", "cam_write", "cam_write_state", "cam_read_tag", "cam_read_state", "cam_clear"),
                               (14, 4, 2, 1, 1, 0.2))[0] if step < 23 else "cam_lookup"
            if kind == "cam_lookup":
                case.do(kind, dest=dest, left=tag, load=rng.choice((0, 0, 1, 2)), constant=rng.randrange(4))
            elif kind == "cam_write":
                entry = rng.choice((entry, ("c", rng.randrange(16))))
                case.do(kind, right=entry, left=tag, state=rng.randrange(16))
            elif kind == "cam_write_state":
                case.do(kind, right=entry, state=rng.randrange(16))
            elif kind == "cam_clear":
                case.do(kind)
            else:
                case.do(kind, dest=dest, right=entry)
            case.see(f"{dest[0][1]}{dest[1]}")
        case.see("cc", "csr:64", "csr:6c")
        case.program += [NOP] * 4
        yield case


def crc(rng, sets):
    for kind in words.CRC_TYPES:
        for order in ("be", "le"):
            for _ in range(sets):
                case, pick = start(rng, f"crc_{order} {kind}")
                case.before["csr:140"] = number(rng)
                for _ in range(3):
                    dest = pick.dest()
                    pick.used_local = True
                    case.do("crc", type=kind, order=order, dest=dest, right=pick.source("asdc"),
                            bytes=rng.choice(list(words.CRC_BYTES)), bit_swap=rng.randrange(2))
                    case.program += [NOP]
                case.program += [NOP] * 5
                case.see("csr:140", "cc")
                yield case


# Width, start, final exclusive-or and the published value for "123456789" (catalogue of parametrised CRC algorithms).
PUBLISHED = (("crc_32", "le", 0xffffffff, 0xffffffff, 0xcbf43926), ("crc_32", "be", 0xffffffff, 0xffffffff, 0xfc891918),
             ("crc_32", "be", 0xffffffff, 0, 0x0376e6e7), ("crc_32", "be", 0, 0xffffffff, 0x765e7680),
             ("crc_32", "le", 0xffffffff, 0, 0x340bc6d9), ("iscsi", "le", 0xffffffff, 0xffffffff, 0xe3069283),
             ("ccitt", "be", 0xffff, 0, 0x29b1), ("ccitt", "be", 0, 0, 0x31c3), ("ccitt", "be", 0xffff, 0xffff, 0xd64e),
             ("ccitt", "be", 0x1d0f, 0, 0xe5cc), ("ccitt", "le", 0, 0, 0x2189), ("ccitt", "le", 0xffff, 0, 0x6f91),
             ("ccitt", "le", 0xffff, 0xffff, 0x906e), ("crc_10", "be", 0, 0, 0x199), ("crc_5", "le", 0x1f, 0x1f, 0x19))


def crc_published(rng, sets):
    """The nine characters as two longwords and a byte. A reflected algorithm is also its mirror: swapped bits, most
    significant byte first, in a register that is read backwards."""
    message = b"123456789"
    for kind, order, initial, final, check in PUBLISHED:
        for selection in (((0, 3), (0, 3), (0, 0)), ((0, 1), (2, 3), (0, 2), (3, 3), (0, 0)),
                          ((0, 0), (1, 3), (0, 3), (0, 0))):
            case = Case(f"crc check value {kind}")
            case.before["csr:140"] = initial
            at = 0
            for number_, (first, last) in enumerate(selection):
                octets = bytearray(rng.randbytes(4))
                octets[first:last + 1] = message[at:at + last - first + 1]
                at += last - first + 1
                case.before[f"a{number_}"] = int.from_bytes(octets, "big" if order == "be" else "little")
                case.do("crc", type=kind, order=order, dest=None, right=("a", number_), bytes=(first, last), bit_swap=0)
                case.program += [NOP]
            assert at == len(message)
            case.program += [NOP] * 5
            case.see("csr:140")
            case.expect = [check ^ final]
            yield case


def branches(rng, sets):
    """Each condition after a real comparison, with 0 to 3 filled slots: which of the three words after it ran?"""
    for _ in range(sets):
        case, pick = start(rng, "conditional branches (12 each)")
        left, right = number(rng), number(rng)
        if rng.random() < 0.25:
            right = left
        case.before["a0"], case.before["b0"] = left, right
        case.do("alu", op=rng.choice(("-", "-", "-", "+", "AND")), dest=None, left=("a", 0), right=("b", 0))
        for i, condition in enumerate(words.CONDITIONS):
            case.do("bcc", condition=condition, target=len(case.program) + 4, defer=rng.randrange(4))
            for slot in range(3):
                case.do("immed", dest=("@a", 32 + 3 * i + slot), value=1, shift=0, invert=0)
                case.see(f"a{32 + 3 * i + slot}")
        case.see("cc")
        yield case


def _shadow(case, rng, name, defer_max, **fields):
    """A branch over three words, which leave traces."""
    defer = rng.randrange(defer_max + 1)
    case.do(name, target=len(case.program) + 4, defer=defer, **fields)
    for slot in range(3):
        case.do("immed", dest=("@b", 32 + slot), value=1 + slot, shift=0, invert=0)
        case.see(f"b{32 + slot}")
    case.see("cc")


def other_branches(rng, start, shadow, byte_sets, sets, contexts, slots):
    """Branches on a byte, on the context and on nothing, of either profile. `shadow` puts a branch over words that leave
    traces; `slots` is how many of them may be executed after one on the context or on nothing."""
    for _ in range(byte_sets):
        case, pick = start(rng, "br=byte, br!=byte", True)
        left = pick.source("absd")
        byte = rng.randrange(4)
        there = case.before[{"$": "s", "$$": "d"}.get(left[0], left[0]) + str(left[1])] >> 8 * byte & 0xff
        shadow(case, rng, "br_byte", 2, left=left, byte=byte, value=rng.choice((there, rng.randrange(256))),
               equal=rng.randrange(2))
        yield case
    for _ in range(sets):
        case, pick = start(rng, "br=ctx, br!=ctx")
        shadow(case, rng, "br_ctx", slots, context=rng.choice((0, rng.randrange(contexts))), equal=rng.randrange(2))
        yield case
    for _ in range(sets):
        case, pick = start(rng, "br")
        shadow(case, rng, "br", slots)
        yield case


def tests_and_jumps(rng, sets):
    for _ in range(sets):
        case, pick = start(rng, "br_bset, br_bclr", True)
        _shadow(case, rng, "br_bit", 2, left=pick.source("absd"), bit=rng.choice((31, 0, rng.randrange(32))),
                set=rng.randrange(2))
        yield case
    yield from other_branches(rng, start, _shadow, sets, sets // 10, contexts=8, slots=2)
    for _ in range(sets):
        # jump[r, l#] into a row of words that each leave a trace; rtn is a jump whose address part is 0.
        case, pick = start(rng, "jump, rtn")
        base = rng.choice((0, 8, 200, 256, 300))
        case.program += [NOP] * 2
        case.do("br", target=base + 8, defer=0)
        while len(case.program) < base + 8:
            case.program.append(NOP)
        register = (rng.choice("ab"), rng.randrange(16))
        row = len(case.program) + 4
        part = rng.choice((row, 0, row - 1))
        case.before[f"{register[0]}{register[1]}"] = row - part + rng.randrange(5)
        case.do("jump", left=register, target=part, defer=rng.randrange(4))
        for i in range(8):
            case.do("immed", dest=("@b", 32 + i), value=1 + i, shift=0, invert=0)
            case.see(f"b{32 + i}")
        yield case


def local_csrs(rng, sets):
    for _ in range(sets):
        case, pick = start(rng, "local_csr_wr, local_csr_rd")
        case.do("csr_wr", csr=0x140, left=pick.source("abcsd"))
        case.program += [NOP] * 4
        case.do("csr_rd", csr=0x140)
        case.do("immed", dest=pick.dest(none=False), value=rng.getrandbits(16), shift=0, invert=0)
        case.see("csr:140", "cc")
        yield case


GROUPS = (alu, carry_chains, alu_shf, dbl_shf, asr, byte_align, bit_counts, multiply, ld_field, immed, cam, crc,
          crc_published, branches, tests_and_jumps, local_csrs)
