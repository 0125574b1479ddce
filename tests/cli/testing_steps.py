"""weft test: sequences of steps on one machine."""
import unittest

from testing_recorded import Folder, frame


def sent(destination="203.0.113.9", mac="02:00:00:00:00:0b", ttl=63):
    """A frame as it leaves by port 1."""
    layers = frame(destination, ttl)
    layers[0] = {"ethernet": {"destination": mac, "source": "02:00:00:00:01:0b"}}
    return {"port": 1, "frame": layers}


def enters(**more):
    return {"in": [{"port": 0, "frame": frame("203.0.113.9"), **more}]}


RUN = {"run": "100us"}
ADD = {"command": "route add 203.0.113.0/24 via 192.0.2.2"}
DEL = {"command": "route del 203.0.113.0/24"}
LOST = {"expect": {"exceptions": {"no_route": 1}}}  # answered by ICMP
WENT = {"expect": {"out": [sent()], "exceptions": {"no_route": 0}}}


class Steps(Folder):
    def put_steps(self, *steps, **more):
        self.put_tests({"name": "sequence", **more, "steps": list(steps)})

    def line_of(self, text, name="a.test.json", nth=1):
        lines = [i for i, line in enumerate((self.folder / name).read_text().splitlines(), 1) if text in line]
        return lines[nth - 1]

    def test_a_route_comes_and_goes_and_each_step_counts_anew(self):
        self.put_steps(enters(), RUN, LOST, ADD, RUN, enters(), enters(at="10us"), RUN, {"expect": {"out": [sent(), sent()], "exceptions": {"no_route": 0}}},
                       DEL, RUN, enters(), RUN, LOST, expect={"exceptions": {"no_route": 2}})
        for engine in ("reference", "fast"):
            self.weft("--engine", engine)

    def test_what_differs_is_told_with_its_step_and_line(self):
        self.put_steps(enters(), RUN, LOST, enters(), RUN, WENT, enters(), RUN, WENT, expect={"exceptions": {"no_route": 9}})
        ran = self.weft(status=1)
        line = self.line_of('"no_route": 0')
        self.assertIn(f"a.test.json:{line}: step 6: packets handed to the control processor for 'no_route': 1, expected 0", ran.stdout)
        self.assertIn("step 6: frame 1 did not leave by port 1; expected ", ran.stdout)
        self.assertNotIn("step 9", ran.stdout)  # a step that fails is the last
        self.assertNotIn("expected 9", ran.stdout)
        self.assertIn("what became of the packets:\n    packet 1 (port 0, frame 1): ", ran.stdout)
        self.assertIn("packet 2 (port 0, frame 2)", ran.stdout)
        self.assertNotIn("packet 3 (port 0", ran.stdout)  # it has not entered yet

    def test_the_second_step_does_not_count_what_the_first_has_seen(self):
        self.put_steps(enters(), RUN, LOST, RUN, {"expect": {"out": [], "exceptions": {"no_route": 0}, "cycles": 60000}})
        self.weft()
        self.put_steps(enters(), RUN, LOST, RUN, LOST)
        self.assertIn("step 5: packets handed to the control processor for 'no_route': 0, expected 1", self.weft(status=1).stdout)

    def test_frames_enter_when_their_step_says(self):
        self.put_steps(ADD, RUN, {"in": [{"port": 0, "frame": frame("203.0.113.9"), "at": "20us", "times": 2, "every": "50us"}]}, {"run": "60us"}, WENT, {"run": "60us"}, WENT)
        self.weft()

    def test_values_between_steps(self):
        self.put_steps({"command": "write scratch[0x3f00] = 5"}, RUN, {"expect": {"values": {"scratch[0x3f00]": 5}}},
                       {"command": "write scratch[0x3f00] = ${then}"}, RUN, {"expect": {"values": {"scratch[0x3f00]": "${then}"}}}, rows=[{"then": 6}, {"then": 7}])
        self.assertIn("2 passed", self.weft().stdout)

    def test_a_file_of_steps(self):
        self.write("more/steps.json", {"version": 1, "description": "one frame", "steps": [ADD, RUN, {"in": [{"port": 0, "name": "it", "frame": frame("203.0.113.9")}]}, RUN, WENT]})
        self.put_tests({"name": "sequence", "steps": "more/steps.json"}, {"name": "again", "steps": "more/steps.json"})
        self.weft()
        self.write("more/steps.json", {"version": 1, "steps": [enters(), RUN, WENT]})
        line = self.line_of('"no_route"', "more/steps.json")
        self.assertIn(f"more/steps.json:{line}: step 3: packets handed to the control processor for 'no_route': 1, expected 0", self.weft(status=1).stdout)

    def test_recorded_frames_of_a_sequence(self):
        test = {"name": "sequence", "steps": [ADD, RUN, enters(), RUN, WENT, enters(), RUN], "expect": {"recorded": "out.json"}}
        self.put_tests(test)
        self.weft("--update")
        self.assertEqual(len([f for f in self.recorded()["cases"]["sequence"] if f["port"] == 1]), 2)
        self.weft()
        self.put_tests(dict(test, steps=test["steps"] + [enters(), RUN]))
        self.assertIn("port 1 sent frame 3, which nobody expects", self.weft(status=1).stdout)


class WrongSteps(Folder):
    def refused(self, *texts, test=None, steps=None):
        self.put_tests({"name": "x", "steps": steps, **(test or {})})
        ran = self.weft("--list", status=1)
        for text in texts:
            self.assertIn(text, ran.stderr)
        self.assertRegex(ran.stderr, r"\.json:\d+:\d+: error")

    def test_steps_that_are_wrong(self):
        self.refused("there is no step in this list", steps=[])
        self.refused("'steps' is a list, or the name of a file", steps=5)
        self.refused("this is not a step", "{\"run\": \"50us\"}", steps=[{"run": "1us", "expect": {}}])
        self.refused("this is not a step", steps=["run"])
        self.refused("did you mean 'run'", steps=[{"runs": "1us"}])
        self.refused("'5 years' is not a time", steps=[{"run": "5 years"}, LOST])
        self.refused("a run takes time", steps=[{"run": "0us"}, LOST])
        self.refused("more than an hour of the chip", steps=[{"run": "3601s"}, LOST])
        self.refused("no time passes in these steps", steps=[LOST])
        self.refused("nothing is expected in these steps", steps=[RUN])
        self.refused("'in' is a list", steps=[{"in": {"port": 0}}, RUN, LOST])
        self.refused("no frame enters in this step", steps=[{"in": []}, RUN, LOST])
        self.refused("this is to happen at 100000 ns, and the steps end at 100000 ns", "let time pass", steps=[RUN, LOST, enters()])
        self.refused("this is to happen at 300000 ns", steps=[RUN, enters(at="200us"), RUN, LOST])
        self.refused("this is to happen at 100000 ns", steps=[RUN, ADD, LOST])
        self.refused("the steps say when a command is given", steps=[{"command": "at 5us: route del 10.0.0.0/8"}, RUN, LOST])
        self.refused("a command is one line", steps=[{"command": " "}, RUN, LOST])
        self.refused("outputs are recorded for a whole test", steps=[RUN, {"expect": {"recorded": "out.json"}}])
        self.refused("'expect' has names in it", steps=[RUN, {"expect": 5}])
        self.refused("did you mean 'drops'", steps=[RUN, {"expect": {"drop": {}}}])

    def test_tests_that_are_wrong(self):
        for name, value in (("in", enters()["in"]), ("commands", ["at 5us: route del 10.0.0.0/8"]), ("limit", {"cycles": 5})):
            self.refused(f"'{name}' has no time in a test with 'steps'", test={name: value}, steps=[RUN, LOST])
        self.write("a.test.json", {"version": 1, "code": ["nop"], "tests": [{"name": "x", "steps": [RUN, {"expect": {}}]}]})
        self.assertIn("'steps' are of a project", self.weft(status=1).stderr)

    def test_commands_that_are_wrong(self):
        self.put_tests({"name": "x", "steps": [RUN, {"command": "route ad 10.0.0.0/8"}, RUN, LOST]})
        ran = self.weft(status=1)
        self.assertIn("BROKEN", ran.stdout)
        self.assertRegex(ran.stdout, r"a\.test\.json:\d+:\d+: error: 'route ad 10\.0\.0\.0/8':")

    def test_files_of_steps_that_are_wrong(self):
        self.refused("missing.json", "the test names its steps here", steps="missing.json")
        for value, text in (([], "a file of steps is one object"), ({"version": 2, "steps": [RUN, LOST]}, "this version of step files is not known"),
                            ({"version": 1}, "steps"), ({"version": 1, "steps": [], "x": 1}, "'x'"), ({"version": 1, "steps": []}, "there is no step in this list")):
            self.write("steps.json", value)
            self.refused(text, "steps.json:", steps="steps.json")


if __name__ == "__main__":
    unittest.main()
