#!/usr/bin/env python3
"""Chooses which sources of a target are compiled together (cmake/WeftUnity.cmake).

    unity_groups.py TARGETS OUT

TARGETS has one line for each target: its name, its folder and its sources, with tabs between. OUT is a CMake file that
gives each source its group. Two sources may share one when no name that one of them keeps to itself (in an unnamed
namespace, `static`, a macro) is a word of the other: so nobody has to find names that are new in the whole room.
"""
import os
import re
import sys

LINES = 3000  # in a group: enough to read the common headers once for many, not so much that one core works alone

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|'
    r'^[ \t]*\#(?:\\\n|[^\n])*|[A-Za-z_]\w*|[{}();=\[\]<>:,]',
    re.S | re.M)
KEYWORDS = set('alignas auto bool case char class const consteval constexpr constinit double else enum explicit extern '
               'final float for friend if inline int long namespace noexcept operator return short signed sizeof static '
               'struct switch template this throw typedef typename union unsigned using virtual void while'.split())


def words_and_private(text):
    """All identifiers of a source, and those that it declares for itself alone."""
    words, private = set(), set()
    tokens = []
    for match in TOKEN.finditer(text):
        token = match.group(0)
        stripped = token.lstrip()
        if stripped.startswith('#'):
            macro = re.match(r'#\s*define\s+(\w+)', stripped)
            if macro:
                private.add(macro.group(1))
            words.update(re.findall(r'[A-Za-z_]\w*', re.sub(r'"[^"]*"|<[^>]*>|//.*', '', stripped)))
        elif token[0] in '/"\'' or token.startswith('R"'):
            continue
        else:
            tokens.append(token)
            if token[0].isalpha() or token[0] == '_':
                words.add(token)
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
            if at_declarations and hidden:
                private.update(declared(head))
            if at_declarations:
                head = []
        elif at_declarations:
            head.append(token)
    return words, private


def declared(head):
    """The name that the beginning of a declaration gives, if any."""
    depth, plain = 0, []
    for i, token in enumerate(head):
        if token == '<' :
            depth += 1
        elif token == '>':
            depth = max(0, depth - 1)
        elif depth == 0:
            if token in ('(', '=', '[') and plain:
                break
            plain.append(token)
    names = [t for t in plain if re.match(r'[A-Za-z_]', t) and t not in KEYWORDS]
    for kind in ('class', 'struct', 'enum', 'union'):
        if kind in plain and '(' not in head:
            after = [t for t in plain[plain.index(kind):] if t not in KEYWORDS and re.match(r'[A-Za-z_]', t)]
            return after[:1]
    return names[-1:]


def groups(sources):
    """Lists of sources; each list is compiled as one."""
    made = []
    for path in sources:
        with open(path, encoding='utf-8') as file:
            text = file.read()
        words, private = words_and_private(text)
        lines = text.count('\n')
        for group in made:
            if group['lines'] + lines <= LINES and not group['words'] & private and not group['private'] & words:
                break
        else:
            group = {'paths': [], 'words': set(), 'private': set(), 'lines': 0}
            made.append(group)
        group['paths'].append(path)
        group['words'] |= words
        group['private'] |= private
        group['lines'] += lines
    return [group['paths'] for group in made]


def main():
    out = []
    with open(sys.argv[1], encoding='utf-8') as file:
        for line in file.read().splitlines():
            target, folder, *sources = line.split('\t')
            for number, paths in enumerate(groups(sources)):
                if len(paths) == 1:
                    continue
                names = ' '.join(f'"{path}"' for path in paths)
                out.append(f'set_source_files_properties({names} DIRECTORY "{folder}" PROPERTIES UNITY_GROUP {number})')
    text = '\n'.join(out) + '\n'
    path = sys.argv[2]
    if not os.path.exists(path) or open(path, encoding='utf-8').read() != text:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)


main()
