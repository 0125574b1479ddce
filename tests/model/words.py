"""Instruction words of profile me2, written from the published description of the 40-bit encoding only.

An operand is a pair: ("a", 3) and ("b", 3) relative registers, ("@a", 40) absolute ones, ("c", 255) a constant,
("$", 2) and ("$$", 2) transfer registers, ("n", 2) a neighbour register, ("l0", 5) and ("l1", 5) local memory at an
offset from a pointer, ("l0+", 0) and ("l0-", 0) with post-modify; None is "--".
An instruction is a pair (name, fields); `word` makes its 40 bits, `text` shows it to people.
"""

ALU = {"B": 0, "+": 1, "~B": 4, "+16": 5, "AND": 8, "+8": 9, "~AND": 12, "-carry": 13, "AND~": 16, "+carry": 17,
       "OR": 20, "-": 21, "XOR": 24, "B-A": 25}
SHF = {"B": 0, "~B": 1, "AND": 2, "~AND": 3, "AND~": 4, "OR": 5}
CRC_TYPES = {"none": 0, "ccitt": 2, "crc_32": 4, "iscsi": 5, "crc_10": 6, "crc_5": 7}
CRC_BYTES = {(0, 3): 0, (1, 3): 1, (2, 3): 2, (3, 3): 3, (0, 2): 4, (0, 1): 5, (0, 0): 6}
CONDITIONS = {"beq": 0, "bne": 1, "bmi": 2, "bpl": 3, "bhs": 4, "blo": 5, "bvs": 6, "bvc": 7, "bge": 8, "blt": 9,
              "ble": 10, "bgt": 11}
MUL_SIZES = {"24x8": 1, "16x16": 2, "32x32": 3}
MUL_STEPS = {"step1": 0, "step2": 1, "step3": 2, "step4": 3, "last": 4, "last2": 5}

_UR = {"a": 0x000, "b": 0x000, "@a": 0x080, "@b": 0x080, "$": 0x180, "$$": 0x1c0, "n": 0x280, "l0": 0x200, "l1": 0x220,
       "l0+": 0x210, "l0-": 0x211, "l1+": 0x230, "l1-": 0x231, "c": 0x300}
_RE = {"a": 0x00, "b": 0x00, "$": 0x80, "$$": 0xc0, "l0": 0x50, "l1": 0x58}


def ur(operand):
    return _UR[operand[0]] + operand[1]


def re(operand):
    kind, value = operand
    if kind == "c":
        low = value & 0x7f
        return 0x20 | (low & 0x1f) | ((low & 0x60) << 1)
    return _RE[kind] + value


def in_a(operand):
    return operand is not None and operand[0] in ("a", "@a")


def in_b(operand):
    return operand is not None and operand[0] in ("b", "@b")


def _slots(left, right):
    """(slot A, slot B, swap)"""
    return (right, left, 1) if in_b(left) or in_a(right) else (left, right, 0)


def _ur_pair(left, right):
    a, b, swap = _slots(left, right)
    return (0 if a is None else ur(a)) | (0x300 if b is None else ur(b)) << 10 | swap << 30


def _re_pair(left, right):
    a, b, swap = _slots(left, right)
    i8 = any(o is not None and o[0] == "c" and o[1] > 127 for o in (a, b))
    return (0 if a is None else re(a)) | (0 if b is None else re(b)) << 10 | i8 << 18 | swap << 19


def _ur_dest(dest):
    return (0x300 if dest is None else ur(dest)) << 20 | (1 << 36 if in_b(dest) else 0)


def _re_dest(dest):
    return (0x20 if dest is None else re(dest)) << 20 | (1 << 36 if in_b(dest) else 0)


def _shift(kind, n):
    """Control 9:8 and amount 32:28. Left shifts and left rotations are stored as the distance to the right."""
    control, amount = {None: (0, 0), ">>": (1, n), "<<": (2, (32 - n) % 32), ">>rot": (0, n), "<<rot": (0, (32 - n) % 32),
                       ">>indirect": (1, 0), "<<indirect": (2, 0)}[kind]
    return control << 8 | amount << 28


def _alu(op, dest, left, right):
    return 5 << 37 | op << 31 | _ur_dest(dest) | _ur_pair(left, right)


def _constant_and(register, constant, put):
    """A register with a constant beside it: the register in slot A unless it is in bank B."""
    a, b = (constant, register) if in_b(register) else (register, constant)
    return put(a) | put(b) << 10


def _immed(dest, value, width, shift, invert=0):
    target = 0x300 if dest is None else ur(dest)
    low = 0x300 | (value & 0xff)
    a, b = (low, target) if in_b(dest) else (target, low)
    return 0x1e << 35 | a | b << 10 | (value >> 8) << 20 | width << 29 | invert << 31 | shift << 33


def _branch(target, defer):
    return target << 22 | defer << 20


_ENCODERS = {
    "alu": lambda f: _alu(ALU[f["op"]], f["dest"], f["left"], f["right"]),
    "alu_shf": lambda f: 4 << 37 | SHF[f["op"]] << 33 | _re_dest(f["dest"]) | _re_pair(f["left"], f["right"]) |
    _shift(f["shift"], f["n"]),
    "dbl_shf": lambda f: 4 << 37 | _re_dest(f["dest"]) | _re_pair(f["left"], f["right"]) | 3 << 8 | f["n"] << 28,
    "asr": lambda f: 4 << 37 | 6 << 33 | _re_dest(f["dest"]) | _re_pair(None, f["right"]) | 1 << 8 | f["n"] << 28,
    "byte_align_be": lambda f: 4 << 37 | 7 << 33 | _re_dest(f["dest"]) | _re_pair(None, f["right"]) | 1 << 8,
    "byte_align_le": lambda f: 4 << 37 | 7 << 33 | _re_dest(f["dest"]) | _re_pair(f["left"], None) | 2 << 8,
    "ffs": lambda f: _alu(14, f["dest"], None, f["right"]),
    "pop_count1": lambda f: _alu(6, None, None, f["right"]),
    "pop_count2": lambda f: _alu(7, None, None, f["right"]),
    "pop_count3": lambda f: _alu(3, f["dest"], None, f["right"]),
    "cam_clear": lambda f: _alu(11, None, None, None),
    "cam_read_tag": lambda f: _alu(15, f["dest"], None, f["right"]),
    "cam_read_state": lambda f: _alu(31, f["dest"], None, f["right"]),
    "cam_write": lambda f: _alu(19, ("c", f["state"]), f["left"], f["right"]),
    "cam_write_state": lambda f: _alu(27, ("c", f["state"]), None, f["right"]),
    "cam_lookup": lambda f: _alu(23, f["dest"], f["left"], ("c", f["load"] | f["constant"] << 2)),
    "crc": lambda f: 5 << 37 | 18 << 31 | 1 << 30 | _ur_dest(f["dest"]) | ur(f["right"]) | CRC_TYPES[f["type"]] << 15 |
    f["bit_swap"] << 14 | (f["order"] == "le") << 13 | CRC_BYTES[f["bytes"]] << 10,
    "immed": lambda f: _immed(f["dest"], f["value"], 0, f["shift"], f["invert"]),
    "immed_b": lambda f: _immed(f["dest"], f["value"], 1, f["part"]),
    "immed_w": lambda f: _immed(f["dest"], f["value"], 2, f["part"] * 2),
    "mul_start": lambda f: 0x7c << 33 | _ur_pair(f["left"], f["right"]),
    "mul_step": lambda f: 0x7c << 33 | _ur_pair(f["left"], f["right"]) | MUL_SIZES[f["size"]] << 31 |
    MUL_STEPS[f["step"]] << 20,
    "mul_last": lambda f: 0x7c << 33 | ur(f["dest"]) | 0x300 << 10 | MUL_SIZES[f["size"]] << 31 |
    MUL_STEPS[f["step"]] << 20 | in_b(f["dest"]) << 23,
    "br": lambda f: 0x1b << 35 | _branch(f["target"], f["defer"]) | 24,
    "bcc": lambda f: 0x1b << 35 | _branch(f["target"], f["defer"]) | 1 << 8 | CONDITIONS[f["condition"]],
    "br_ctx": lambda f: 0x1b << 35 | _branch(f["target"], f["defer"]) | f["context"] << 14 | (16 if f["equal"] else 17),
    "br_bit": lambda f: 0x1a << 35 | _branch(f["target"], f["defer"]) | f["set"] << 18 |
    _constant_and(f["left"], ("c", f["bit"] + 1), re),
    "br_byte": lambda f: 0x19 << 35 | _branch(f["target"], f["defer"]) | f["byte"] << 8 | f["equal"] << 19 |
    (f["value"] > 127) << 18 | _constant_and(f["left"], ("c", f["value"]), re),
    "jump": lambda f: 0x1d << 35 | (f["target"] >> 8) << 22 | f["defer"] << 20 |
    _constant_and(f["left"], ("c", f["target"] & 0xff), ur),
    "csr_rd": lambda f: 0x7e << 33 | f["csr"] // 4 << 22 | 0x300 << 10,
    "csr_wr": lambda f: 0x7e << 33 | f["csr"] // 4 << 22 | 1 << 21 |
    (ur(f["left"]) * 0x401 if f["left"][0] == "c" else _constant_and(f["left"], ("c", 0), ur)),
    "nop": lambda f: _immed(None, 0, 0, 0),
}


def _field_word(name, f):
    """ld_field: the destination in slot A, or in slot B when it is bank B or the source is bank A."""
    dest, source = f["dest"], f["right"]
    swap = in_b(dest) or in_a(source)
    a, b = (source, dest) if swap else (dest, source)
    i8 = source[0] == "c" and source[1] > 127
    return (0x18 << 35 | re(a) | re(b) << 10 | i8 << 18 | swap << 19 | (name == "ld_field_w_clr") << 20 | f["mask"] << 24 |
            _shift(f["shift"], f["n"]) | f["load_cc"] << 34)


def word(instruction):
    name, fields = instruction
    if name.startswith("ld_field"):
        return _field_word(name, fields)
    return _ENCODERS[name](fields)


def text(instruction):
    name, fields = instruction
    return name + " " + " ".join(f"{k}={v}" for k, v in fields.items())
