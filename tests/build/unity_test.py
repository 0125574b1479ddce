"""Which sources may be compiled as one: none that would read another meaning into a word of the other."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = sys.argv.pop(1) if len(sys.argv) > 1 else os.getcwd()
sys.path.insert(0, os.path.join(ROOT, "cmake"))
import unity_groups  # noqa: E402


class Groups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def groups(self, **files):
        """The groups of the sources among `files`, as their names without endings. x_h is the header x.h."""
        sources = []
        for name, text in files.items():
            path = os.path.join(self.folder, name[:-2] + ".h" if name.endswith("_h") else name + ".cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            if path.endswith(".cpp"):
                sources.append(path)
        made = unity_groups.groups(sources, unity_groups.Headers(self.folder))
        return [[os.path.basename(path)[:-4] for path in group] for group in made]

    def apart(self, **files):
        self.assertEqual(self.groups(**files), [["a"], ["b"]])

    def together(self, **files):
        self.assertEqual(self.groups(**files), [["a", "b"]])

    def test_sources_that_keep_nothing_from_each_other(self):
        self.together(a="int f() { return 1; }", b="int f();\nint g() { return f(); }")

    def test_a_name_in_an_unnamed_namespace(self):
        for kept in ("int n = 1;", "int n() { return 1; }", "struct n { int m; };", "enum class n : char { m };", "using n = int;",
                     "template <class T>\nstd::vector<std::pair<T, int>> n(T t) { return {}; }", "class n final : public m {};",
                     "constexpr std::array<int, 2> n{1, 2};", "constexpr unsigned m = 9, n = 8;", "namespace { int n; }"):
            with self.subTest(kept):
                a = "namespace weft {\nnamespace {\n" + kept + "\n}  // namespace\n}"
                self.apart(a=a, b="int f(int k) { return n(k); }")
                self.apart(a="int f(int k) { return n(k); }", b=a)
                self.together(a=a, b='// n\nint f(int k) { return k; }  /* n */\nconst char* s = "n";')

    def test_what_is_inside_a_body_is_nobodys(self):
        self.together(a="namespace {\nint f() { int n = 1; return n; }\n}", b="int g(int n) { return n; }")

    def test_static_functions_and_macros(self):
        self.apart(a="static int n() { return 1; }", b="int n(int k);")
        self.apart(a="#define N 1\nint f() { return N; }", b="int g() { enum { N }; return N; }")
        self.apart(a="#define N 1\nint f() { return N; }", b="int g(H* h) { return h->N; }")

    def test_members_of_an_object(self):
        a = "namespace {\nint n() { return 1; }\n}"
        for use in ("int f(H h) { return h.n; }", "int f(H* h) { return h->n(2); }"):
            self.together(a=a, b=use)
        for use in ("int f();  // so.\nn g();", "int f(auto... n) { return g(n...); }", "int f() { return H::n; }",
                    "int f() { return 1.5 -n; }", "int f() { return g(k ...n); }"):
            with self.subTest(use):
                self.apart(a=a, b=use)

    def test_what_a_declaration_does_not_declare(self):
        for kept in ("const int k = 0xabc, m = 12u;", "static_assert(sizeof(int) == 4);", "const char* k[] = {nullptr, nullptr};",
                     "const std::vector<int> k(std::vector<int>{1});", "int32_t (*k)(int64_t, bool) = nullptr;"):
            with self.subTest(kept):
                b = "static_assert(true);\nint f(int xabc, int64_t u, std::vector<int> v) { return nullptr; }"
                self.together(a="namespace {\n" + kept + "\n}", b=b)

    def test_a_header_that_comes_behind(self):
        """Read once, after a's own `n`: what b means by `n` must not become that."""
        self.apart(h_h="struct Holder { n one; };", a="namespace { struct n { int a, b; }; }", b='#include "h.h"\nint f();')
        self.apart(h_h='#include "g.h"', g_h="struct Holder { n one; };", a="namespace { struct n {}; }",
                   b='#include "../h.h"\nint f();')
        self.together(h_h="struct Holder { n one; };", a='#include "h.h"\nnamespace { int m; }', b='#include "h.h"\nint f();')

    def test_a_type_that_two_namespaces_have(self):
        """Seen: a record of a header had another layout after `using emulator::Position;`, and a test's process crashed."""
        two = {"p_h": "namespace base { struct Position { int line; }; }",
               "q_h": "namespace machine { struct Position { long cycle, step; }; }"}
        self.apart(a='#include "q.h"\nusing machine::Position;', b='#include "p.h"\nint f(Position p);', **two)
        self.together(a='#include "q.h"\nusing machine::Role;', b='#include "p.h"\nint f(Role p);', **two)
        # One that none of these sources includes is no such type.
        self.together(a='#include "q.h"\nusing machine::Position;', b="int f(Position p);", **two)

    def test_no_group_is_too_long(self):
        long = "int f();\n" * (unity_groups.LINES // 2 + 1)
        self.assertEqual(self.groups(a=long, b=long, c="int g();"), [["a", "c"], ["b"]])

    def test_the_sources_of_the_tree_come_together(self):
        folder = os.path.join(ROOT, "emulator", "src")
        sources = sorted(os.path.join(at, f) for at, _, files in os.walk(folder) for f in files if f.endswith(".cpp"))
        made = unity_groups.groups(sources, unity_groups.Headers(ROOT))
        self.assertEqual(sorted(path for group in made for path in group), sources)
        self.assertLess(len(made), len(sources) / 3)


unittest.main()
