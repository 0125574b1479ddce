"""Compares the emulator with the independent model.

    check.py RUNNER [--sets N] [--seed N] [--only TEXT]

Every case goes to RUNNER (weft_model_runner) in one batch and through the model; each place that a case looks at must
agree. Prints a count per group, and for the first disagreements the instructions, the state before and both answers.
WEFT_FULL=1 makes ten times as many cases; WEFT_SEED chooses others.
"""

import argparse
import os
import random
import subprocess
import sys
import time

import cases
import cases1
import gf2
import machine
import words
import words1


ENCODERS = {"me1": words1.word, "me2": words.word}
DIGITS = {"me1": 8, "me2": 10}
# Instructions that the model does not know: they ask for signals, states of pins, other contexts and the IXP1200's CSRs. The
# worked examples of lib/isa have them.
AROUND = {"br_signal", "br_not_signal", "br_inp_state", "br_not_inp_state", "ctx_arb"}
UNKNOWN = {"me2": AROUND, "me1": AROUND | {"local_csr_rd"}}


def self_test():
    """The model against what is known without it."""
    assert words.word(("nop", {})) == 0xf0000c0300
    assert words.word(("immed", dict(dest=None, value=0, shift=0, invert=0))) == 0xf0000c0300
    gf2.check()
    for kind, order, initial, final, check in cases.PUBLISHED:
        bits = [octet >> i & 1 for octet in b"123456789" for i in (range(8) if order == "le" else range(7, -1, -1))]
        got = machine.crc_bits(kind, order == "le", initial, bits) ^ final
        assert got == check, f"{kind} {order}: {got:x}, published {check:x}"
    rng = random.Random(3)
    for _ in range(2000):
        a, b = cases.number(rng), cases.number(rng)
        m = machine.Machine()
        m.store.update(a0=a, b0=b)
        m.run([("alu", dict(op="-", dest=None, left=("a", 0), right=("b", 0)))])
        s, t = machine.signed(a), machine.signed(b)
        for name, truth in dict(beq=a == b, bne=a != b, bhs=a >= b, blo=a < b, bge=s >= t, blt=s < t, ble=s <= t,
                                bgt=s > t).items():
            assert bool(m.condition(name)) == truth, f"{name} after {a:x} - {b:x}"


def batch(all_cases):
    lines, profile = [], "me2"
    for number, case in enumerate(all_cases):
        if case.profile != profile:
            profile = case.profile
            lines.append(f"profile {profile}")
        lines.append(f"case {number}")
        lines += [f"set {place} {value:x}" for place, value in case.before.items()]
        lines += [f"word {ENCODERS[profile](instruction):0{DIGITS[profile]}x}" for instruction in case.program]
        lines += [f"get {place}" for place in case.look]
        lines.append("end")
    return "\n".join(lines) + "\n"


def expected(case):
    model = machine.Machine()
    for place, value in case.before.items():
        model.set(place, value)
    model.run(case.program)
    values = [model.get(place) for place in case.look]
    known = getattr(case, "expect", [])
    assert values[:len(known)] == known, f"the model itself is wrong in {case.group}: {values} {known}"
    return values


def explain(case, want, got):
    print(f"\n{case.group}: disagreement")
    print("  before   " + " ".join(f"{place}={value:x}" for place, value in case.before.items()))
    for address, instruction in enumerate(case.program[:40]):
        print(f"  {address:3} {ENCODERS[case.profile](instruction):0{DIGITS[case.profile]}x} {words.text(instruction)}")
    if isinstance(got, str):
        print("  emulator " + got)
        return
    for place, model, emulator in zip(case.look, want, got):
        if model != emulator:
            print(f"  {place}: model {model:x}, emulator {emulator:x}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    full = os.environ.get("WEFT_FULL") == "1"
    parser.add_argument("--sets", type=int, default=10000 if full else 1000)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_SEED", "1")))
    parser.add_argument("--only", default="", help="groups whose name contains this")
    options = parser.parse_args()

    begin = time.monotonic()
    self_test()
    rng = random.Random(options.seed)
    all_cases = [case for group in cases.GROUPS + cases1.GROUPS for case in group(rng, options.sets) if options.only in case.group]
    asked = [] if options.only else list(UNKNOWN)
    questions = batch(all_cases) + "".join(f"unseen {profile}\n" for profile in asked)
    answer = subprocess.run([options.runner], input=questions, capture_output=True, text=True, check=False)
    lines = answer.stdout.splitlines()
    if answer.returncode != 0 or len(lines) != len(all_cases) + len(asked):
        print(f"{options.runner} ended with {answer.returncode} after {len(lines)} of {len(all_cases)} answers")
        print(answer.stderr[-2000:])
        return 1

    counts, wrong, shown = {}, {}, 0
    for number, (case, line) in enumerate(zip(all_cases, lines)):
        name, *got = line.split()
        assert name == str(number), f"answer {name} where {number} was due"
        want = expected(case)
        counts[case.group] = counts.get(case.group, 0) + 1
        got = line if got[:1] == ["error"] else [int(value, 16) for value in got]
        if got != want:
            wrong[case.group] = wrong.get(case.group, 0) + 1
            if shown < 10 and wrong[case.group] <= 2:
                shown += 1
                explain(case, want, got)
    print(f"\nseed {options.seed}: cases per instruction and operation, disagreements")
    for group, count in counts.items():
        print(f"  {group:32} {count:6} {wrong.get(group, 0) or '':>6}")
    total, bad = sum(counts.values()), sum(wrong.values())
    for profile, line in zip(asked, lines[len(all_cases):]):
        if set(line.split()) != UNKNOWN[profile]:
            bad += 1
            print(f"{profile}: no case has {' '.join(sorted(set(line.split()) - UNKNOWN[profile])) or '-'}; UNKNOWN names without "
                  f"need {' '.join(sorted(UNKNOWN[profile] - set(line.split()))) or '-'}")
    print(f"{total} cases, {bad} disagreements, {time.monotonic() - begin:.1f} s")
    return 1 if bad or not total else 0


if __name__ == "__main__":
    sys.exit(main())
