"""The words in which the files beside this one describe what microcode and control program share.

A description says each number once; scripts/layouts writes it in the form that each side needs (control/layout/writers.py):

  kind       in the microcode               in the control program
  number     n                              n
  bit        number of the bit              mask, 1 << n
  power      exponent                       1 << n
  longword   offset in bytes, 4 * n         index of the longword, n
  offset     offset from the base           base + n
  address    longword address, n / 4        byte address, n

`name` becomes NAME (after the prefix of the layout) and kName. `microcode` and `control` replace one of them; False leaves the number
out there. A record or a message is a table of longwords; numbers that depend on it are taken from it (Record.low, len).
"""
from dataclasses import dataclass, field

KINDS = ("number", "bit", "power", "longword", "offset", "address")


@dataclass
class Text:
    """A paragraph for both sides, or for one of them ("microcode", "control")."""
    text: str
    side: str = ""


@dataclass
class Number:
    kind: str
    value: int
    microcode: str  # "" where a side does not have it
    control: str
    about: str = ""
    hexadecimal: bool = False
    base: "Number | None" = None
    type: str = "uint32_t"


@dataclass
class Array:
    """Numbers in a row: one array in the control program, NAME_0, NAME_1 ... in the microcode (or none)."""
    values: list
    microcode: str
    control: str
    about: str = ""
    hexadecimal: bool = False


@dataclass
class Record:
    """What the longwords of a table's record or of a message hold: (longwords, text), or (longwords, fields of bits)."""
    title: str
    rows: list
    longwords: int

    def __len__(self):
        return self.longwords

    def low(self, name):
        """The lowest bit of the field of that name."""
        for _, what in self.rows:
            for bits in what if isinstance(what, list) else []:
                if bits.name == name:
                    return bits.low
        raise KeyError(f"{self.title} has no field {name}")


@dataclass
class Bits:
    high: int
    low: int
    name: str
    about: str = ""


@dataclass
class Enumeration:
    """Named numbers: an enum class in the control program, with a table of names where `table` gives the struct and its
    member; PREFIX_NAME in the microcode for those in `microcode` (None: all of them)."""
    name: str
    about: str
    members: list  # (number, name, about)
    table: tuple = ()
    prefix: str = ""
    microcode: "list | None" = None
    file: str = ""  # a microcode file of their own


@dataclass
class Code:
    """C++ that follows from the numbers: addresses by formula, checks."""
    text: str


@dataclass
class File:
    path: str
    about: str
    includes: list = field(default_factory=list)
    guard: str = ""


class Layout:
    def __init__(self, control, microcode, namespace, prefix="", reasons=None):
        self.control, self.microcode, self.namespace, self.prefix = control, microcode, namespace, prefix
        self.extra = [reasons] if reasons else []  # microcode files of single enumerations
        self.items = []

    def _add(self, item):
        self.items.append(item)
        return item

    def text(self, text, side=""):
        return self._add(Text(text, side))

    def code(self, text):
        return self._add(Code(text))

    def record(self, title, rows, longwords):
        return self._add(Record(title, rows, longwords))

    def _names(self, name, microcode, control):
        if microcode is None or microcode is True:
            microcode = self.prefix + name.upper()
        if control is None or control is True:
            control = "k" + "".join(part.capitalize() for part in name.split("_"))
        return microcode or "", control or ""

    def _number(self, kind, name, value, about, microcode, control, hexadecimal=False, base=None, type="uint32_t"):
        return self._add(Number(kind, value, *self._names(name, microcode, control), about, hexadecimal, base, type))

    def number(self, name, value, about="", microcode=None, control=None, hexadecimal=False, type="uint32_t"):
        return self._number("number", name, value, about, microcode, control, hexadecimal, type=type)

    def bit(self, name, value, about="", microcode=None, control=None):
        return self._number("bit", name, value, about, microcode, control)

    def power(self, name, value, about="", microcode=None, control=None):
        return self._number("power", name, value, about, microcode, control)

    def longword(self, name, value, about="", microcode=None, control=None):
        return self._number("longword", name, value, about, microcode, control)

    def offset(self, name, base, value, about="", microcode=None, control=None):
        return self._number("offset", name, value, about, microcode, control, base=base)

    def address(self, name, value, about="", microcode=None, control=None):
        return self._number("address", name, value, about, microcode, control, hexadecimal=True)

    def array(self, name, values, about="", microcode=None, control=None, hexadecimal=False):
        return self._add(Array(values, *self._names(name, microcode, control), about, hexadecimal))

    def enumeration(self, *args, **options):
        return self._add(Enumeration(*args, **options))
