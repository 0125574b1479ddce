#!/usr/bin/env python3
"""Chooses which sources of a target are compiled together (cmake/WeftUnity.cmake).

    unity_groups.py TARGETS OUT

TARGETS has one line for each target: its name, its folder and its sources, with tabs between. OUT is a CMake file that
gives each source its group. Two sources may share one when no name that one of them keeps to itself (in an unnamed
namespace, `static`, a macro) is a word of the other, nor of a header that the other brings along: so nobody has to find
names that are new in the whole component, and no header ever reads another meaning into its words.
"""
import os
import re
import sys

LINES = 4000  # in a group: enough to read the common headers once for many, not so much that one core works alone

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|'
    r'^[ \t]*\#(?:\\\n|[^\n])*|\d[\w\']*|[A-Za-z_]\w*|[{}();=\[\]<>:,]',
    re.S | re.M)
KEYWORDS = set('alignas auto bool case char class const consteval constexpr constinit double else enum explicit '
               'extern false final float for friend if inline int long namespace noexcept nullptr operator return '
               'short signed sizeof static static_assert struct switch template this throw true typedef typename '
               'union unsigned using virtual void while'.split())


def words_and_private(text):
    """All identifiers of a source (`.b` for the b of `a.b`), those that it declares for itself alone, and those of other
    namespaces (`using a::B;`)."""
    words, private, chosen = set(), set(), set()
    tokens = []
    for match in TOKEN.finditer(text):
        token = match.group(0)
        stripped = token.lstrip()
        if stripped.startswith('#'):
            macro = re.match(r'#\s*define\s+(\w+)', stripped)
            if macro:
                private.update((macro.group(1), '.' + macro.group(1)))
            words.update(re.findall(r'[A-Za-z_]\w*', re.sub(r'"[^"]*"|<[^>]*>|//.*', '', stripped)))
        elif token[0] in '/"\'' or token.startswith('R"'):
            continue
        else:
            tokens.append(token)
            if token[0].isalpha() or token[0] == '_':
                # A member that is asked for by its object (`a.size`) keeps its meaning, whatever but a macro is declared.
                before = text[max(0, match.start() - 2):match.start()]
                member = before == '->' or (before.endswith('.') and before != '..')
                words.add('.' + token if member else token)
    # The braces that are open: 'named' and 'unnamed' namespaces, or anything else.
    open_braces, head = [], []
    for token in tokens:
        at_declarations = all(kind != 'other' for kind in open_braces)
        hidden = 'unnamed' in open_braces or 'static' in head
        if token == '{':
            if at_declarations and 'namespace' in head and '(' not in head:
                open_braces.append('unnamed' if head[-1] == 'namespace' else 'named')
                head = []
                continue
            if at_declarations and hidden:
                private.update(declared(head))
            open_braces.append('other')
        elif token == '}':
            if open_braces:
                open_braces.pop()
            if all(kind != 'other' for kind in open_braces):
                head = []
        elif token == ';':
            if at_declarations and head[:1] == ['using'] and '=' not in head:
                if 'namespace' not in head:
                    chosen.add(head[-1])
            elif at_declarations and hidden and head[:1] != ['namespace']:  # `namespace fs = ` means one thing everywhere
                private.update(declared(head))
            if at_declarations:
                head = []
        elif at_declarations:
            head.append(token)
    return words, private, chosen


def declared(head):
    """The names that a declaration gives, as far as its tokens up to ';' or '{' tell."""
    depth, plain = 0, []
    for token in head:
        if token == '<':
            depth += 1
        elif token == '>':
            depth = max(0, depth - 1)
        elif depth == 0:
            if token == '(' and plain:
                plain.append(token)
                break
            plain.append(token)
    for kind in ('class', 'struct', 'enum', 'union'):
        if kind in plain and '(' not in head:
            return [t for t in plain[plain.index(kind):] if is_name(t)][:1]
    # `int a = 1, b = 2` gives two.
    return [name for before, name, behind in zip([''] + plain, plain, plain[1:] + [','])
            if is_name(name) and before != ':' and behind in ('(', '=', ',', '[')]


def is_name(token):
    return (token[0].isalpha() or token[0] == '_') and token not in KEYWORDS and not token.endswith('_t')


class Headers:
    """The headers of the tree, by what an #include may call them."""

    def __init__(self, root):
        self._by_name, self._words, self._types, self._included = {}, {}, {}, {}
        for folder, folders, files in os.walk(root):
            folders[:] = [f for f in folders if f != 'build' and not f.startswith('.')]
            for name in files:
                if name.endswith('.h'):
                    path = os.path.join(folder, name)
                    self._by_name.setdefault(name, []).append(path)
                    self._of(path)

    def of_several(self, paths):
        """The names that more than one of these headers gives to a type."""
        once, several = set(), set()
        for path in paths:
            several |= once & self._types[path]
            once |= self._types[path]
        return several

    def included(self, text):
        """All headers that a text includes, and those that they include. One name in two folders counts as both."""
        found, left = set(), re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M)
        while left:
            name = left.pop()
            for path in self._by_name.get(os.path.basename(name), []):
                if path not in found and path.endswith('/' + name.lstrip('./')):
                    found.add(path)
                    left += self._of(path)
        return found

    def words(self, path):
        self._of(path)
        return self._words[path]

    def _of(self, path):
        if path not in self._included:
            with open(path, encoding='utf-8') as file:
                text = file.read()
            self._words[path] = words_and_private(text)[0]
            self._types[path] = re.findall(r'\b(?:struct|class|enum(?: class)?)\s+(\w+)[^;]*?\{|\busing\s+(\w+)\s*=', text)
            self._types[path] = {one or other for one, other in self._types[path]}
            self._included[path] = re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M)
        return self._included[path]


def groups(sources, headers):
    """Lists of sources; each list is compiled as one."""
    read = []
    for path in sources:
        with open(path, encoding='utf-8') as file:
            text = file.read()
        read.append((path, text.count('\n'), headers.included(text), *words_and_private(text)))
    of_several = headers.of_several(set().union(*(included for _, _, included, *_ in read)))
    made = []
    for path, lines, included, words, private, chosen in read:
        private |= chosen & of_several  # `Position` means another thing to a header that comes after
        for group in made:
            if group['lines'] + lines > LINES or group['words'] & private or group['private'] & words:
                continue
            # A header is read once, for the first source that includes it.
            if not any(group['private'] & headers.words(header) for header in included - group['headers']):
                break
        else:
            group = {'paths': [], 'words': set(), 'private': set(), 'headers': set(), 'lines': 0}
            made.append(group)
        group['paths'].append(path)
        group['words'] |= words
        group['private'] |= private
        group['headers'] |= included
        group['lines'] += lines
    return [group['paths'] for group in made]


def main():
    out = []
    headers = Headers(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(sys.argv[1], encoding='utf-8') as file:
        for line in file.read().splitlines():
            target, folder, *sources = line.split('\t')
            for number, paths in enumerate(groups(sources, headers)):
                if len(paths) == 1:
                    continue
                names = ' '.join(f'"{path}"' for path in paths)
                out.append(f'set_source_files_properties({names} DIRECTORY "{folder}" PROPERTIES UNITY_GROUP {number})')
    text = '\n'.join(out) + '\n'
    path = sys.argv[2]
    if not os.path.exists(path) or open(path, encoding='utf-8').read() != text:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    main()
