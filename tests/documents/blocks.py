"""The fenced blocks of a Markdown document, and how each is checked.

The words after the fence say what is done with a block:

    ```text              a drawing, or output: not run
    ```sh                commands: run by bash in a copy of the repository, with `weft` in PATH
    ```sh outside        commands that no test can run (they build, or open a window): what they name must exist
    ```console           lines that begin with "$ " are run; what stands under them is compared. "..." stands for anything
    ```asm               a program: assembled. With a comment `// chip: NAME` or `; chip: NAME` for that chip
    ```asm part          a piece of one: assembled after the lines of a comment <!-- before: ... --> before the block
    ```LANGUAGE PATH     a file: saved under PATH (from the top of the repository), for the blocks and comments after it.
                         NAME.test.json runs with `weft test`; for other files, or when more is needed, a comment
                         <!-- check: COMMAND --> stands after the block and is run instead, or a later block names the file

A block with any other words is an error, and so is a command that is only indented.
"""
import re

FENCE = re.compile(r"^( *)(```+|~~~+)(.*)$")
COMMENT = re.compile(r"^<!-- (before|check): ?(.*?)(-->)?$")
INDENTED = re.compile(r"^ {4}(\$ )?(weft|weft-ide|scripts/[a-z]+|cmake|ctest) [^|]*$")


class Block:
    def __init__(self, line, words):
        self.line, self.words = line, words
        self.lines, self.before, self.checks = [], "", []

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def parse(text):
    """The blocks in their order, and what is wrong with the document: [(line, what)]."""
    blocks, faults = [], []
    before, fence, block, comment = "", None, None, None
    for number, line in enumerate(text.splitlines(), 1):
        if comment is not None:  # inside of a comment of several lines
            if line.rstrip().endswith("-->"):
                comment.append(line.rstrip()[:-3].rstrip())
                before, comment = "\n".join(comment), None
            else:
                comment.append(line)
            continue
        match = FENCE.match(line)
        if fence is not None:
            if match and match[2].startswith(fence) and not match[3].strip():
                fence = None
            else:
                block.lines.append(line[indent:] if line[:indent].isspace() else line)
            continue
        if match:
            indent, fence = len(match[1]), match[2]
            block = Block(number, match[3].split())
            block.before, before = before, ""
            blocks.append(block)
            continue
        if said := COMMENT.match(line):
            if said[1] == "check":
                if not said[3]:
                    faults.append((number, "a check stands in one line"))
                elif block is None:
                    faults.append((number, "a check without a block before it"))
                else:
                    block.checks.append(said[2].strip())
            elif said[3]:
                before = said[2].strip()
            else:
                comment = [said[2]]
            continue
        if INDENTED.match(line):
            faults.append((number, "a command that is only indented is not run: put it between fences (```sh)"))
    if fence is not None:
        faults.append((block.line, "the fence is not closed"))
    return blocks, faults


def kind(block):
    """text, sh, outside, console, asm, part or file; None when the words are none of them."""
    words = block.words
    if words in (["text"], ["sh"], ["console"], ["asm"]):
        return words[0]
    if words == ["sh", "outside"]:
        return "outside"
    if words == ["asm", "part"]:
        return "part"
    if len(words) == 2 and re.fullmatch(r"[\w./-]*[\w-]\.\w+", words[1]) and not words[1].startswith("/") and ".." not in words[1]:
        return "file"
    return None


def commands(block):
    """Of a console block: each command with the lines under it."""
    out = []
    for line in block.lines:
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif out:
            out[-1][1].append(line)
        else:
            return None  # output of nothing
    return out


def matches(expected, said):
    """Whether the lines `said` are those expected, in which ... stands for anything: in a line, or for any number of lines."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in said)) is not None
