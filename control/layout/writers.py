"""Descriptions as text: a header for the control program, defines for the microcode."""
import textwrap

from description import Array, Code, Enumeration, Number, Record, Text

WIDTH = 118


def comment(text, mark="//", indent=""):
    """Wrapped paragraphs. A line that starts with a blank stays as it is (tables)."""
    out = []
    for line in text.strip("\n").splitlines():
        if line.startswith(" ") or not line:
            out.append(f"{indent}{mark}{' ' + line if line else ''}")
        elif out and not out[-1].startswith(f"{indent}{mark}  ") and out[-1] != f"{indent}{mark}":
            out[-1] += " " + line
        else:
            out.append(f"{indent}{mark} {line}")
    wrapped = []
    for line in out:
        if line.startswith(f"{indent}{mark}  "):
            wrapped.append(line)
        else:
            wrapped += textwrap.wrap(line, WIDTH, subsequent_indent=f"{indent}{mark} ", break_long_words=False,
                                     break_on_hyphens=False) or [line]
    return wrapped


def table(record):
    lines = [record.title + ":"]
    width = max(len(words) for words, _ in record.rows)
    for words, what in record.rows:
        lead = f"  {words:<{width}}  "
        if isinstance(what, str):
            for part in textwrap.wrap(what, WIDTH - 4 - len(lead)):
                lines.append(lead + part)
                lead = " " * len(lead)
            continue
        for bits in what:
            span = str(bits.low) if bits.high == bits.low else f"{bits.high}:{bits.low}"
            for part in textwrap.wrap(bits.name + (": " + bits.about if bits.about else ""), WIDTH - 12 - len(lead)):
                lines.append(f"{lead}{span:<5}  {part}")
                lead, span = " " * len(lead), ""
    return "\n".join(lines)


def literal(value, hexadecimal):
    return hex(value) if hexadecimal else str(value)


# ---- the microcode ----

def microcode_value(number):
    if number.kind == "longword":
        return str(number.value * 4)
    if number.kind == "address":
        if number.value % 4:
            raise ValueError(f"{number.microcode}: {number.value:#x} is not an address of a longword")
        return literal(number.value // 4, number.hexadecimal and number.value >= 4096)
    return literal(number.value, number.hexadecimal)


def define(name, value, about):
    line = f"#define {name:<23} {value}"
    if not about:
        return [line]
    one = f"{line:<39} // {about}"
    return [one] if len(one) <= 140 else comment(about) + [line]


def spaced(lines):
    """A comment that stands alone is set apart by an empty line."""
    out = []
    for line in lines:
        starts = line.startswith("//") and out and not out[-1].startswith("//") and out[-1] != ""
        out += ["", line] if starts else [line]
    return out


def enumeration_defines(item):
    lines = comment(item.about) if item.microcode else []
    for number, name, about in item.members:
        if item.microcode is None or name in item.microcode:
            lines += define(item.prefix + name.upper(), number, about)
    return lines


def microcode_frame(file, source, lines):
    head = comment(file.about) + comment(f"Written by scripts/layouts from {source}: change that, not this.")
    includes = [f'#include "{name}"' for name in file.includes]
    body = [f"#ifndef {file.guard}", f"#define {file.guard}", ""] + includes + ([""] if includes else [])
    return "\n".join(head + body + spaced(lines) + ["", "#endif"]) + "\n"


def microcode(layout, source):
    lines = []
    for item in layout.items:
        if isinstance(item, Text) and item.side != "control":
            lines += [""] + comment(item.text)
        elif isinstance(item, Record):
            lines += [""] + comment(table(item))
        elif isinstance(item, Number) and item.microcode:
            about = item.about
            if item.kind == "bit":
                about = "bit number" + (": " + about if about else "")
            lines += define(item.microcode, microcode_value(item), about)
        elif isinstance(item, Array) and item.microcode:
            for number, value in enumerate(item.values):
                lines += define(f"{item.microcode}_{number}", literal(value, item.hexadecimal), item.about if number == 0 else "")
        elif isinstance(item, Enumeration) and not item.file and (item.microcode is None or item.microcode):
            lines += [""] + enumeration_defines(item)
    while lines and not lines[0]:
        lines.pop(0)
    out = {layout.microcode.path: microcode_frame(layout.microcode, source, lines)}
    for file in layout.extra:
        members = [i for i in layout.items if isinstance(i, Enumeration) and i.file == file.path]
        out[file.path] = microcode_frame(file, source, [line for item in members for line in enumeration_defines(item)])
    return out


# ---- the control program ----

def control_value(number):
    if number.kind == "bit":
        return f"1u << {number.value}"
    if number.kind == "power":
        return str(1 << number.value)
    if number.kind == "offset":
        return f"{number.base.control} + {number.value}"
    return literal(number.value, number.hexadecimal)


def enum_class(item):
    lines = comment(item.about, "///") + [f"enum class {item.name} : uint8_t {{"]
    for number, name, about in item.members:
        lines += (comment(about, "///", "  ") if about else []) + [f"  {name} = {number},"]
    lines.append("};")
    if item.table:
        struct, constant = item.table
        member = item.name.lower().removeprefix("firewall")
        lines += [f"struct {struct} {{", f"  {item.name} {member};", "  std::string_view name;", "};",
                  f"inline constexpr auto {constant} = std::to_array<{struct}>({{"]
        lines += [f'    {{{item.name}::{name}, "{name}"}},' for _, name, _ in item.members] + ["});"]
    return lines


def control(layout, source):
    file = layout.control
    lines = comment(file.about) + comment(f"Written by scripts/layouts from {source}: change that, not this.")
    system = sorted(i for i in file.includes if "/" not in i)
    own = sorted(i for i in file.includes if "/" in i)
    lines += ["#pragma once", ""] + [f"#include <{i}>" for i in system] + ([""] if own else [])
    lines += [f'#include "{i}"' for i in own] + ["", f"namespace {layout.namespace} {{"]
    if isinstance(layout.items[0], Number):
        lines.append("")
    for item in layout.items:
        if isinstance(item, Text) and item.side != "microcode":
            lines += [""] + comment(item.text)
        elif isinstance(item, Record):
            lines += [""] + comment(table(item))
        elif isinstance(item, Number) and item.control:
            if item.about:
                lines += comment(item.about, "///")
            lines.append(f"inline constexpr {item.type} {item.control} = {control_value(item)};")
        elif isinstance(item, Array) and item.control:
            values = ", ".join(literal(v, item.hexadecimal) for v in item.values)
            lines += comment(item.about, "///") if item.about else []
            lines.append(f"inline constexpr std::array<uint32_t, {len(item.values)}> {item.control}{{{values}}};")
        elif isinstance(item, Enumeration):
            lines += [""] + enum_class(item)
        elif isinstance(item, Code):
            lines += [""] + item.text.strip("\n").splitlines()
    lines += ["", f"}}  // namespace {layout.namespace}"]
    return {file.path: "\n".join(lines) + "\n"}
