"""Random cases of profile me1, as cases.py makes them for me2."""

import words1
from cases import Case, NOP, number, other_branches


class Operands:
    """Legal operands of me1 for one case, with random values where they point."""

    def __init__(self, rng, case, restricted):
        self.rng, self.case, self.restricted = rng, case, restricted

    def _gpr(self, bank):
        if not self.restricted and self.rng.random() < 0.25:
            return ("@" + bank, self.rng.randrange(16, 64))
        return (bank, self.rng.randrange(15))

    def source(self, kinds):
        kind = self.rng.choice(kinds)
        if kind == "c":
            return ("c", self.rng.choice((self.rng.randrange(256), 0, 255, 127, 128)))
        operand = self._gpr(kind) if kind in "ab" else ({"s": "$", "d": "$$"}[kind], self.rng.randrange(8))
        self.case.before.setdefault(f"{kind}{operand[1]}", number(self.rng))
        return operand

    def pair(self):
        left, right = self.rng.choice((("a", "bcsd"), ("b", "acsd"), ("c", "absd"), ("sd", "abc")))
        return self.source(left), self.source(right)

    def dest(self, none=True):
        kind = self.rng.choice("ababsd" + ("-" if none else ""))
        if kind == "-":
            return None
        if kind in "ab":
            operand = self._gpr(kind)
            self.case.see(f"{kind}{operand[1]}")
        else:
            operand = ({"s": "$", "d": "$$"}[kind], self.rng.randrange(8))
            self.case.see(f"{kind}w{operand[1]}")
        return operand


def start(rng, group, restricted=False):
    case = Case("me1 " + group, profile="me1")
    case.before["cc"] = rng.randrange(16)
    return case, Operands(rng, case, restricted)


def sources(rng, pick, op, kinds):
    if op in ("B", "~B") and rng.random() < 0.7:
        return None, pick.source(kinds)
    return pick.pair()


def give_amount(rng, case):
    """The instruction before, whose left operand is the indirect amount."""
    case.before["a15"], case.before["b15"] = number(rng), number(rng)
    case.do("alu", op=rng.choice(("AND", "OR", "XOR", "+")), dest=None, left=("a", 15), right=("b", 15))


def alu(rng, sets):
    for op in words1.ALU:
        for _ in range(sets // 2):
            case, pick = start(rng, f"alu {op}")
            left, right = sources(rng, pick, op, "abcsd")
            case.do("alu", op=op, dest=pick.dest(), left=left, right=right)
            case.see("cc")
            yield case


def shifts(rng, sets):
    for op in words1.SHF:
        for kind, n in words1.SHIFTS:
            for _ in range(max(4, sets // 40)):
                case, pick = start(rng, f"alu_shf {op}", True)
                left, right = sources(rng, pick, op, "abcsd")
                give_amount(rng, case)
                case.do("alu_shf", op=op, dest=pick.dest(), left=left, right=right, shift=kind, n=n)
                case.see("cc")
                yield case
    for n in range(1, 32):
        for _ in range(max(4, sets // 40)):
            case, pick = start(rng, "dbl_shf", True)
            left, right = pick.pair()
            case.do("dbl_shf", dest=pick.dest(), left=left, right=right, n=n)
            case.see("cc")
            yield case


def ld_field(rng, sets):
    for name in ("ld_field", "ld_field_w_clr"):
        for load_cc in (0, 1):
            for _ in range(sets // 2):
                case, pick = start(rng, f"{name} load_cc" if load_cc else name, True)
                bank = rng.choice("ab")
                dest = (bank, rng.randrange(15))
                case.before[f"{bank}{dest[1]}"] = number(rng)
                case.see(f"{bank}{dest[1]}", "cc")
                right = pick.source(("b" if bank == "a" else "a") + "csd")
                give_amount(rng, case)
                kind, n = rng.choice(words1.SHIFTS)
                case.do(name, dest=dest, mask=rng.randrange(16), right=right, shift=kind, n=n, load_cc=load_cc)
                yield case


def immed(rng, sets):
    for invert in (0, 1):
        for shift in (0, 1, 2):
            for _ in range(sets // 4):
                case, pick = start(rng, "immed")
                case.do("immed", dest=pick.dest(), value=number(rng) & 0xffff, shift=shift, invert=invert)
                case.see("cc")
                yield case
    for name, parts, bits in (("immed_b", 4, 8), ("immed_w", 2, 16)):
        for part in range(parts):
            for _ in range(sets // 4):
                case, pick = start(rng, f"{name}{part}")
                operand = pick.source("ab")
                case.do(name, dest=operand, value=number(rng) & (1 << bits) - 1, part=part)
                case.see(operand[0][-1] + str(operand[1]), "cc")
                yield case


def find_bset(rng, sets):
    """Searches and loads in random order, so that results are seen as late as they are."""
    for _ in range(sets):
        case, pick = start(rng, "find_bset and its loads (12 words)", True)
        for i in range(12):
            draw = rng.random()
            if draw < 0.2:
                left, right = pick.pair()
                case.do("find_bset_with_mask", left=left, right=right, n=rng.choice((0, 16, rng.randrange(32))))
            elif draw < 0.5:
                source = pick.source("absd")
                if rng.random() < 0.5:  # mostly empty fields would tell little
                    place = {"$": "s", "$$": "d"}.get(source[0], source[0]) + str(source[1])
                    case.before[place] = rng.choice((1 << rng.randrange(32), 0))
                case.do("find_bset", left=source, n=rng.choice((0, 16, rng.randrange(32))))
            else:
                case.do("load_bset", number=rng.choice((1, 2)), dest=(rng.choice(("@a", "@b")), 32 + i))
        case.see(*(f"{bank}{32 + i}" for bank in "ab" for i in range(12)), "cc")
        yield case


def _shadow(case, rng, name, defer_max, **fields):
    """A branch over three words, which leave traces; half of the conditional ones are guessed."""
    guess = int(name not in ("br", "jump") and rng.random() < 0.5)
    defer = 0 if guess and name == "br_byte" else rng.randrange(defer_max + 1)
    case.do(name, target=len(case.program) + 4, defer=defer, guess=guess, **fields)
    for slot in range(3):
        case.do("immed", dest=("@b", 32 + slot), value=1 + slot, shift=0, invert=0)
        case.see(f"b{32 + slot}")
    case.see("cc")


def branches(rng, sets):
    for condition in words1.CONDITIONS:
        for _ in range(sets // 4):
            case, pick = start(rng, f"{condition}")
            case.before["a0"], case.before["b0"] = number(rng), number(rng)
            if rng.random() < 0.25:
                case.before["b0"] = case.before["a0"]
            case.do("alu", op=rng.choice(("-", "-", "+")), dest=None, left=("a", 0), right=("b", 0))
            _shadow(case, rng, "bcc", 2, condition=condition)
            yield case
    for _ in range(sets // 2):
        case, pick = start(rng, "br_bset, br_bclr", True)
        _shadow(case, rng, "br_bit", 2, left=pick.source("absd"), bit=rng.randrange(32), set=rng.randrange(2))
        yield case
    yield from other_branches(rng, start, _shadow, sets // 2, sets // 10, contexts=4, slots=1)
    for _ in range(sets // 4):
        case, pick = start(rng, "jump, rtn")
        register = (rng.choice("ab"), rng.randrange(16))
        row = 3
        part = rng.choice((row, 0, row - 1))
        case.before[f"{register[0]}{register[1]}"] = row - part + rng.randrange(5)
        case.do("jump", left=register, target=part, defer=rng.randrange(3))
        for i in range(8):
            case.do("immed", dest=("@b", 32 + i), value=1 + i, shift=0, invert=0)
            case.see(f"b{32 + i}")
        case.program.append(NOP)
        yield case


GROUPS = (alu, shifts, ld_field, immed, find_bset, branches)
