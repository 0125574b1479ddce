"""weft run --confine: nothing outside of the folder is read or written, by whatever name."""
import ctypes
import json
import unittest

from weft_cli import SOURCE, CliTest, main

CREATE_RULESET = 444  # the system call, on every architecture of Linux
landlock = ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, 1) >= 1


@unittest.skipUnless(landlock, "the system has no Landlock")
class Confine(CliTest):
    def setUp(self):
        super().setUp()
        self.write("secret.uc", "secret_words[1]\n")
        self.write("p/p.uc", "ctx_arb[kill]\n")
        self.project()

    def project(self, source="p.uc", **more):
        self.write("p/weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": source, "engines": [0]}], **more}))

    def test_a_run_within_its_folder(self):
        self.project(ports=[{"port": 0, "out": "o.pcap"}])
        self.write("c.txt", "at 10: print done\n")
        done = self.weft("run", "p", "--confine", "--json", "out.json", "--control", "c.txt")
        self.assertIn(b"done", done.stderr)
        self.assertEqual((self.folder / "p/o.pcap").stat().st_size, 24)
        self.assertIn("stop", json.loads((self.folder / "out.json").read_text()))

    def test_a_document_that_the_command_line_names(self):
        self.weft("run", "p", "--confine", "--diagnostics", "json", "--diagnostics-file", "d.json")
        self.assertEqual(json.loads((self.folder / "d.json").read_text())["diagnostics"], [])
        self.project("wrong.uc")
        self.write("p/wrong.uc", "immed[zz, 1]\n")
        self.weft("run", "p", "--confine", "--diagnostics", "json", "--diagnostics-file", "d.json", expect=1)
        self.assertEqual(len(json.loads((self.folder / "d.json").read_text())["diagnostics"]), 1)

    def held(self, said):
        self.assertRegex(said.stderr, b"Permission denied|cannot read the file")
        self.assertIn(b"note: --confine lets no file outside of its folder be opened", said.stderr)
        self.assertNotIn(b"secret_words", said.stderr + said.stdout)

    def test_sources_includes_and_links(self):
        (self.folder / "p/link.uc").symlink_to(self.folder / "secret.uc")
        self.write("p/i.uc", '#include "../secret.uc"\nctx_arb[kill]\n')
        self.write("p/a.uc", f'#include "{self.folder}/secret.uc"\nctx_arb[kill]\n')
        for source in ("../secret.uc", str(self.folder / "secret.uc"), "link.uc", "i.uc", "a.uc"):
            with self.subTest(source=source):
                self.project(source)
                self.assertIn(b"secret_words", self.weft("run", "p", expect=1).stderr)  # without --confine it is read and quoted
                self.held(self.weft("run", "p", "--confine", expect=1))
                self.assertIn(b"secret_words", self.weft("run", "p", "--confine=.", expect=1).stderr)

    def test_the_folder_of_an_output_is_not_read(self):
        self.write("i.uc", "secret_words[1]\n")
        self.write("docs/deep.uc", "secret_words[1]\n")
        self.write("p/i.uc", '#include "../secret.uc"\nctx_arb[kill]\n')
        self.write("p/d.uc", '#include "../docs/deep.uc"\nctx_arb[kill]\n')
        for source in ("../secret.uc", "i.uc", "d.uc"):
            for option in ("--json=out.json", "--stats=out.csv", "--record=out.weftrec", "--diagnostics-file=out.txt"):
                with self.subTest(source=source, option=option):
                    self.project(source)
                    self.held(self.weft("run", "p", "--confine", option, expect=1))

    def test_what_is_beside_an_output_is_not_written(self):
        self.write("docs/thesis.txt", "precious")
        for out in ("../docs/thesis.txt", "../docs/new.pcap", "../new.pcap"):
            with self.subTest(out=out):
                self.project(ports=[{"port": 0, "out": out}])
                self.held(self.weft("run", "p", "--confine", "--json", "out.json", "--stats=docs/s.csv", expect=1))
                self.assertEqual((self.folder / "docs/thesis.txt").read_text(), "precious")
                self.assertFalse([name for name in self.files() if "new" in name or "weft-tmp" in name])

    def test_every_output(self):
        options = ("--json", "r.json", "--coverage", "c.json", "--history", "h.json", "--profile", "p.txt", "--packets", "k.csv", "--stats=s.csv",
                   "--record", "r.weftrec", "--out", "0=o.pcap")
        self.write("results/r.json", "old")
        self.weft("run", "p", "--confine", *(option.replace("=", "=results/") if "=" in option else "results/" + option if "." in option else option
                                             for option in options))
        self.assertEqual(sorted(file.name for file in (self.folder / "results").iterdir()),
                         ["c.json", "h.json", "k.csv", "o.pcap", "p.txt", "r.json", "r.weftrec", "s.csv"])
        self.assertIn("stop", json.loads((self.folder / "results/r.json").read_text()))

    def test_outputs_of_several_chips(self):
        two = ("run", SOURCE / "examples/two-chips", f"--confine={SOURCE}", "--cycles", "2000")
        self.held(self.weft(*two, "--stats=s.csv", expect=1))
        self.weft(*two, "--json", "r.json")
        self.assertEqual(self.files(), sorted(["p.uc", "weft.json", "secret.uc", "r.json"]))

    def test_outputs_behind_a_link_and_devices(self):
        self.write("results/old.json", "old")
        (self.folder / "link.json").symlink_to("results/old.json")
        self.weft("run", "p", "--confine", "--json", "link.json")
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertIn("stop", json.loads((self.folder / "results/old.json").read_text()))
        self.assertEqual([file.name for file in (self.folder / "results").iterdir()], ["old.json"])
        self.weft("run", "p", "--confine", "--json", "/dev/null")
        # Beside a device nothing is written: the folder of links to open files has none of its own.
        self.project(ports=[{"port": 0, "out": "/dev/shm/weft-confined.pcap"}])
        self.held(self.weft("run", "p", "--confine", "--json", "/dev/null", expect=1))

    def test_outputs(self):
        self.project(ports=[{"port": 0, "out": "../o.pcap"}])
        self.held(self.weft("run", "p", "--confine", expect=1))
        self.assertFalse((self.folder / "o.pcap").exists())
        self.weft("run", "p", "--confine=.")
        self.assertTrue((self.folder / "o.pcap").exists())

    def test_configurations_captures_and_boards(self):
        self.write("secret.json", '{"secret_words": 1}')
        for more in ({"control": {"program": "ipv4", "config": "../secret.uc"}}, {"ports": [{"port": 0, "in": {"capture": "../secret.uc"}}]},
                     {"board": "../secret.json"}):
            with self.subTest(**more):
                self.project(**more)
                self.held(self.weft("run", "p", "--confine", expect=1))

    def test_a_recording(self):
        self.weft("run", "p", "--record", "r.weftrec")
        self.assertIn(b"me0", self.weft("run", "r.weftrec", "--confine", "--json", "out.json").stdout)

    def test_a_folder_that_is_not_there(self):
        self.assertIn(b"nowhere", self.weft("run", "p", "--confine=nowhere", expect=1).stderr)


if __name__ == "__main__":
    main()
