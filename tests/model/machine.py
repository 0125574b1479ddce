"""What instructions compute: one context of an engine, one instruction after the other, without time.

Written from the published description and the project's decisions where that is silent (reference manual, "Decisions"),
never from the emulator, which it checks.
"""

M32 = 0xffffffff


def signed(value):
    return value - (1 << 32) if value >> 31 else value


def reflect(value, width):
    return int(f"{value:0{width}b}"[::-1], 2)


# Width and generator polynomial (without its highest term) as the CRC catalogues print them.
CRC_POLYNOMIALS = {"ccitt": (16, 0x1021), "crc_32": (32, 0x04c11db7), "iscsi": (32, 0x1edc6f41), "crc_10": (10, 0x233),
                   "crc_5": (5, 0x05)}


def crc_bits(kind, reflected, remainder, bits):
    """One bit of the message at a time, the way the division is done on paper."""
    width, polynomial = CRC_POLYNOMIALS[kind]
    remainder &= (1 << width) - 1
    if reflected:
        polynomial = reflect(polynomial, width)
        for bit in bits:
            low = (remainder ^ bit) & 1
            remainder >>= 1
            if low:
                remainder ^= polynomial
    else:
        for bit in bits:
            high = (remainder >> (width - 1)) ^ bit
            remainder = remainder << 1 & (1 << width) - 1
            if high:
                remainder ^= polynomial
    return remainder


def crc_word(kind, order, remainder, data, first, last, bit_swap):
    if kind == "none":
        return remainder
    octets = data.to_bytes(4, "big" if order == "be" else "little")[first:last + 1]
    bits = []
    for octet in octets:
        if bit_swap:
            octet = reflect(octet, 8)
        in_order = [octet >> i & 1 for i in range(8)]
        bits += in_order if order == "le" else in_order[::-1]
    return crc_bits(kind, order == "le", remainder, bits)


def lowest_of_16(field):
    """What find_bset finds in the low half."""
    return next((i for i in range(16) if field >> i & 1), 16)


class Cam:
    def __init__(self):
        self.clear()

    def clear(self):
        self.tags = [0] * 16
        self.states = [0] * 16
        self.order = list(range(16))  # least recently used first

    def touch(self, entry):
        self.order.remove(entry)
        self.order.append(entry)

    def lookup(self, tag):
        """(result word, entry)"""
        if tag in self.tags:
            entry = self.tags.index(tag)
            self.touch(entry)
            return self.states[entry] << 8 | 1 << 7 | entry << 3, entry
        entry = self.order[0]
        return entry << 3, entry

    def write(self, entry, tag, state):
        self.tags[entry] = tag
        self.states[entry] = state
        self.touch(entry)


class Machine:
    def __init__(self):
        self.store = {}  # places such as "a3" or "lm17"; what is absent is 0
        self.n = self.z = self.v = self.c = 0
        self.left = self.right = self.result = 0  # of the previous ALU instruction
        self.product = (0, 0)
        self.cam = Cam()
        self.found = []  # results of find_bset, newest first: (number, instruction that may first load it)
        self.clock = 0   # instructions executed; programs with find_bset have no branches

    # Places ----------------------------------------------------------------------------------------------------------

    def get(self, place):
        if place == "cc":
            return self.n << 3 | self.z << 2 | self.v << 1 | self.c
        return self.store.get(place, 0)

    def set(self, place, value):
        if place == "cc":
            self.n, self.z, self.v, self.c = (value >> i & 1 for i in (3, 2, 1, 0))
        else:
            self.store[place] = value & M32

    def _local(self, pointer, offset):
        csr = "csr:64" if pointer == "0" else "csr:6c"
        return f"lm{self.get(csr) >> 2 & 0x3ff | offset}"

    def place(self, operand, dest):
        kind, value = operand
        if kind[0] == "l":
            return self._local(kind[1], value)
        return {"a": "a", "b": "b", "@a": "a", "@b": "b", "$": "sw" if dest else "s", "$$": "dw" if dest else "d",
                "n": "n"}[kind] + str(value)

    def read(self, operand):
        if operand is None:
            return 0
        if operand[0] == "c":
            return operand[1]
        return self.get(self.place(operand, False))

    def write(self, operand, value):
        if operand is not None:
            self.set(self.place(operand, True), value)

    def _post_modify(self, fields):
        for pointer in {o[0] for o in (fields.get("dest"), fields.get("left"), fields.get("right")) if o is not None}:
            if pointer in ("l0+", "l0-", "l1+", "l1-"):
                csr = "csr:64" if pointer[1] == "0" else "csr:6c"
                step = 4 if pointer[2] == "+" else -4
                self.set(csr, (self.get(csr) + step) & 0xffc)

    # Codes -----------------------------------------------------------------------------------------------------------

    def _codes(self, result, carry=0, overflow=0):
        self.n, self.z, self.v, self.c = result >> 31, int(result == 0), overflow, carry

    def _add(self, a, b, carry):
        """Also subtraction: a - b is a + ~b + 1, so that the carry means "no borrow"."""
        total = a + b + carry
        result = total & M32
        self._codes(result, total >> 32, int(signed(a) + signed(b) + carry != signed(result)))
        return result

    # Instructions ----------------------------------------------------------------------------------------------------

    def alu(self, f):
        a, b, op = self.read(f["left"]), self.read(f["right"]), f["op"]
        if op == "+":
            result = self._add(a, b, 0)
        elif op == "+16":
            result = self._add(a, b & 0xffff, 0)
        elif op == "+8":
            result = self._add(a, b & 0xff, 0)
        elif op == "+carry":
            result = self._add(a, b, self.c)
        elif op == "-":
            result = self._add(a, ~b & M32, 1)
        elif op == "-carry":
            result = self._add(a, ~b & M32, self.c)
        elif op == "B-A":
            result = self._add(b, ~a & M32, 1)
        else:
            result = self.logic(op, a, b)
            self._codes(result)
        self._latch(a, b, result)
        return result

    @staticmethod
    def logic(op, a, b):
        return {"B": b, "~B": ~b & M32, "AND": a & b, "~AND": ~a & b, "AND~": a & ~b & M32, "OR": a | b, "XOR": a ^ b}[op]

    def _latch(self, a, b, result):
        self.left, self.right, self.result = a, b, result

    def _shifted(self, value, kind, n):
        if kind is None:
            return value
        if kind.endswith("indirect"):
            n = self.left & 31
        if kind.startswith("<<rot"):
            n, kind = (32 - n) % 32, ">>rot"
        if kind == ">>rot":
            return (value >> n | value << (32 - n)) & M32
        return value << n & M32 if kind.startswith("<<") else value >> n

    def alu_shf(self, f):
        a, b = self.read(f["left"]), self.read(f["right"])
        result = self.logic(f["op"], a, self._shifted(b, f["shift"], f["n"]))
        self._codes(result)
        self._latch(a, b, result)
        return result

    def dbl_shf(self, f):
        a, b = self.read(f["left"]), self.read(f["right"])
        result = ((a << 32 | b) >> (f["n"] or self.left & 31)) & M32
        self._codes(result)
        self._latch(a, b, result)
        return result

    def asr(self, f):
        b, n = self.read(f["right"]), f["n"] or self.left & 31
        sign = (M32 << (32 - n)) & M32 if self.result >> 31 else 0
        result = b >> n | sign
        self._codes(result)
        self._latch(0, b, result)
        return result

    def byte_align_be(self, f):
        current = self.read(f["right"])
        result = ((self.right << 32 | current) >> (32 - 8 * (self.get("csr:70") & 3))) & M32
        self._latch(0, current, result)
        return result

    def byte_align_le(self, f):
        current = self.read(f["left"])
        result = ((current << 32 | self.left) >> (8 * (self.get("csr:70") & 3))) & M32
        self._latch(current, 0, result)
        return result

    def ld_field(self, f, clear=False):
        b = self.read(f["right"])
        source = self._shifted(b, f["shift"], f["n"])
        mask = sum(0xff << 8 * i for i in range(4) if f["mask"] >> i & 1)
        old = 0 if clear else self.read(f["dest"])
        result = old & ~mask | source & mask
        if f["load_cc"]:
            self._codes(result)
        self._latch(0, b, result)
        return result

    def ld_field_w_clr(self, f):
        return self.ld_field(f, True)

    def ffs(self, f):
        b = self.read(f["right"])
        result = (b & -b).bit_length() - 1 if b else 0
        self.n, self.z, self.v, self.c = 0, int(b == 0), 0, 0
        self._latch(0, b, result)
        return result

    def pop_count3(self, f):
        b = self.read(f["right"])
        result = bin(b).count("1")
        self._codes(result)
        self._latch(0, b, result)
        return result

    def cam_lookup(self, f):
        a = self.read(f["left"])
        result, entry = self.cam.lookup(a)
        for bit, csr in ((1, "csr:64"), (2, "csr:6c")):
            if f["load"] & bit:
                self.set(csr, f["constant"] << 10 | entry << 6)
        self._codes(result)
        return result

    def cam_read_tag(self, f):
        result = self.cam.tags[self.read(f["right"]) & 15]
        self._codes(result)
        return result

    def cam_read_state(self, f):
        result = self.cam.states[self.read(f["right"]) & 15] << 8
        self._codes(result)
        return result

    def cam_write(self, f):
        self.cam.write(self.read(f["right"]) & 15, self.read(f["left"]), f["state"])

    def cam_write_state(self, f):
        self.cam.states[self.read(f["right"]) & 15] = f["state"]

    def cam_clear(self, f):
        self.cam.clear()

    def crc(self, f):
        data = self.read(f["right"])
        self.set("csr:140", crc_word(f["type"], f["order"], self.get("csr:140"), data, *f["bytes"], f["bit_swap"]))
        return data

    def find_bset(self, f):
        self.found.insert(0, (lowest_of_16(self.read(f["left"]) >> f["n"]), self.clock + 2))

    def find_bset_with_mask(self, f):
        self.found.insert(0, (lowest_of_16(self.read(f["right"]) >> f["n"] & self.read(f["left"])), self.clock + 2))

    def load_bset(self, f):
        landed = [number for number, due in self.found if due <= self.clock]
        return landed[f["number"] - 1] if len(landed) >= f["number"] else 0

    def immed(self, f):
        value = f["value"] << 8 * f["shift"] & M32
        return ~value & M32 if f["invert"] else value

    def immed_b(self, f):
        at = 8 * f["part"]
        return self._old(f["dest"]) & ~(0xff << at) | f["value"] << at

    def immed_w(self, f):
        at = 16 * f["part"]
        return self._old(f["dest"]) & ~(0xffff << at) | f["value"] << at

    def _old(self, dest):
        return self.read(dest)

    def mul_start(self, f):
        self.product = (self.read(f["left"]), self.read(f["right"]))

    def mul_last(self, f):
        a, b = self.product
        whole = a * b
        return (whole >> 32 if f["step"] == "last2" else whole) & M32

    def csr_wr(self, f):
        self.set(f"csr:{f['csr']:x}", self.read(f["left"]))

    def csr_rd(self, f):
        self.delivered = self.get(f"csr:{f['csr']:x}")

    def _nothing(self, f):
        pass

    pop_count1 = pop_count2 = mul_step = nop = _nothing

    def condition(self, name):
        return {"beq": self.z, "bne": not self.z, "bmi": self.n, "bpl": not self.n, "bhs": self.c, "blo": not self.c,
                "bvs": self.v, "bvc": not self.v, "bge": self.n == self.v, "blt": self.n != self.v,
                "ble": self.z or self.n != self.v, "bgt": not self.z and self.n == self.v}[name]

    def branch_target(self, name, f):
        """The next address, or None where no branch is taken."""
        if name == "br":
            taken = True
        elif name == "bcc":
            taken = self.condition(f["condition"])
        elif name == "br_ctx":
            taken = (f["context"] == 0) == f["equal"]  # the model is context 0
        elif name == "br_bit":
            taken = (self.read(f["left"]) >> f["bit"] & 1) == f["set"]
        elif name == "br_byte":
            taken = ((self.read(f["left"]) >> 8 * f["byte"] & 0xff) == f["value"]) == bool(f["equal"])
        else:
            return f["target"] + self.read(f["left"])
        return f["target"] if taken else None

    BRANCHES = ("br", "bcc", "br_ctx", "br_bit", "br_byte", "jump")

    def run(self, program, limit=10000):
        pc = 0
        pending = None  # [instructions of the defer shadow still to execute, target]
        self.delivered = None
        while pc < len(program):
            limit -= 1
            assert limit > 0, "the model does not stop"
            name, fields = program[pc]
            pc += 1
            self.clock += 1
            if name in self.BRANCHES:
                assert pending is None, "a branch in a defer shadow"
                target = self.branch_target(name, fields)
                if target is not None:
                    pending = [fields["defer"], target]
            else:
                delivered, self.delivered = self.delivered, None
                result = getattr(self, name)(fields)
                if delivered is not None:
                    result = delivered  # an immed after local_csr_rd
                if result is not None:
                    self.write(fields.get("dest"), result)
                self._post_modify(fields)
                if pending:
                    pending[0] -= 1
            if pending and pending[0] == 0:
                pc, pending = pending[1], None
