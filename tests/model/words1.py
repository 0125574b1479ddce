"""Instruction words of profile me1, written from the bit pictures in lib/isa/me1_formats.td alone.

Operands and instructions are those of words.py, as far as the IXP1200 has them.
"""

ALU = {"B": 0, "+": 1, "~B": 2, "+16": 3, "AND": 4, "+8": 5, "~AND": 6, "-carry": 7, "AND~": 8, "+carry": 9, "OR": 10,
       "-": 11, "XOR": 12, "B-A": 13}
SHF = {"B": 0, "~B": 1, "AND": 2, "~AND": 3, "AND~": 4, "OR": 5}
CONDITIONS = {"beq": 0, "bne": 1, "bmi": 2, "bpl": 3, "bhs": 4, "blo": 5, "bvs": 6, "bvc": 7, "bge": 8, "blt": 9,
              "ble": 10, "bgt": 11}
# In order of the code.
SHIFTS = ([(None, 0)] + [("<<", n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24)] +
          [(">>", n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 28, 31)] +
          [("<<rot", 8), ("<<rot", 16), (">>rot", 8), ("<<indirect", 0), (">>indirect", 0)])

_UR = {"@a": 0x00, "@b": 0x40, "a": 0x80, "b": 0x90, "$": 0xa0, "$$": 0xa8}
_RE = {"a": 0x00, "b": 0x10, "$": 0x20, "$$": 0x28}


def ur(operand):
    return 0xb0 if operand is None else _UR[operand[0]] + operand[1]


def re(operand):
    return 0x30 if operand is None else _RE[operand[0]] + operand[1]


def is_constant(operand):
    return operand is not None and operand[0] == "c"


def _constant_pair(left, right):
    """(order, register, constant)"""
    return (1, right, left[1]) if is_constant(left) else (0, left, right[1])


def _alu(f):
    left, right, op = f["left"], f["right"], ALU[f["op"]]
    if is_constant(left) or is_constant(right):
        order, register, constant = _constant_pair(left, right)
        return 0b100 << 29 | order << 28 | op << 24 | ur(f["dest"]) << 16 | ur(register) << 8 | constant
    return 0b1110 << 28 | op << 24 | ur(f["dest"]) << 16 | ur(left) << 8 | ur(right)


def _alu_shf(f):
    left, right, op, shift = f["left"], f["right"], SHF[f["op"]], SHIFTS.index((f["shift"], f["n"]))
    if is_constant(left) or is_constant(right):
        order, register, constant = _constant_pair(left, right)
        return (0b101 << 29 | order << 28 | op << 25 | shift << 20 | re(f["dest"]) << 14 | re(register) << 8 | constant)
    return op << 23 | shift << 18 | re(f["dest"]) << 12 | re(left) << 6 | re(right)


def _dbl_shf(f):
    left, right, n = f["left"], f["right"], f["n"]
    if is_constant(left) or is_constant(right):
        order, register, constant = _constant_pair(left, right)
        return 0b000010 << 26 | order << 25 | n << 20 | re(f["dest"]) << 14 | re(register) << 8 | constant
    return 0b000100 << 26 | n << 18 | re(f["dest"]) << 12 | re(left) << 6 | re(right)


def _find_with_mask(f):
    left, right, n = f["left"], f["right"], f["n"]
    if is_constant(left) or is_constant(right):
        order, register, constant = _constant_pair(left, right)
        return 0b001011111 << 23 | order << 22 | n << 14 | re(register) << 8 | constant
    return 0b001011110 << 23 | n << 12 | re(left) << 6 | re(right)


def _field(f, clear):
    source = 0x100 | f["right"][1] if is_constant(f["right"]) else re(f["right"])
    shift = SHIFTS.index((f["shift"], f["n"]))
    return (0b000001 << 26 | clear << 25 | f["load_cc"] << 24 | f["mask"] << 20 | shift << 15 | re(f["dest"]) << 9 | source)


def _branch(f, condition, number=0):
    return (0b000110 << 26 | condition << 21 | number << 17 | f.get("guess", 0) << 13 | f["defer"] << 11 | f["target"])


_ENCODERS = {
    "alu": _alu,
    "alu_shf": _alu_shf,
    "dbl_shf": _dbl_shf,
    "ld_field": lambda f: _field(f, 0),
    "ld_field_w_clr": lambda f: _field(f, 1),
    "find_bset": lambda f: 0b00101100 << 24 | f["n"] << 6 | re(f["left"]),
    "find_bset_with_mask": _find_with_mask,
    "load_bset": lambda f: 0b001011 << 26 | f["number"] << 24 | ur(f["dest"]),
    "immed": lambda f: 0b11110 << 27 | f["invert"] << 26 | f["shift"] << 24 | ur(f["dest"]) << 16 | f["value"],
    "immed_b": lambda f: 0b001001 << 26 | f["part"] << 24 | ur(f["dest"]) << 16 | f["value"],
    "immed_w": lambda f: 0b000101 << 26 | f["part"] << 25 | ur(f["dest"]) << 16 | f["value"],
    "br": lambda f: _branch(f, 24),
    "bcc": lambda f: _branch(f, CONDITIONS[f["condition"]]),
    "br_ctx": lambda f: _branch(f, 16 if f["equal"] else 17, f["context"]),
    "br_bit": lambda f: 0b000011 << 26 | f["set"] << 25 | f["bit"] << 20 | re(f["left"]) << 14 | f.get("guess", 0) << 13 |
    f["defer"] << 11 | f["target"],
    "br_byte": lambda f: 0b01 << 30 | f["equal"] << 29 | f["byte"] << 27 | f["value"] << 19 | re(f["left"]) << 13 |
    (3 if f.get("guess") else f["defer"]) << 11 | f["target"],
    "jump": lambda f: 0b000111 << 26 | (f["target"] == 0) << 25 | ur(f["left"]) << 13 | f["defer"] << 11 | f["target"],
    "nop": lambda f: 0b11110 << 27 | 0xb0 << 16,
}


def word(instruction):
    name, fields = instruction
    return _ENCODERS[name](fields)
