"""What other programs are to read, read by them: traces by the schema of the perfetto package, coverage by lcov and genhtml.
Tests whose program is not installed are skipped (Debian: lcov; PyPI: perfetto)."""
import importlib.util
import json
import re
import shutil
import subprocess
import unittest

from weft_cli import SOURCE, CliTest, main


def has_perfetto():
    return importlib.util.find_spec("perfetto") is not None


def run(arguments, folder):
    return subprocess.run([str(a) for a in arguments], cwd=folder, capture_output=True, text=True, timeout=300)


class Perfetto(CliTest):
    @unittest.skipUnless(has_perfetto(), "the Python package perfetto is not installed")
    def test_trace(self):
        from google.protobuf.unknown_fields import UnknownFieldSet
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

        def known(message, path):
            unknown = [field.field_number for field in UnknownFieldSet(message)]
            self.assertEqual(unknown, [], f"{path} has fields that the schema does not have")
            for field, value in message.ListFields():
                if field.message_type is not None:
                    for one in value if field.is_repeated else [value]:
                        known(one, f"{path}.{field.name}")

        for name in "h.perfetto-trace", "h.json":
            self.weft("run", SOURCE / "examples/ipv4-forwarder", "--cycles", 20000, "--history", name)
        trace = schema.Trace()
        trace.ParseFromString((self.folder / "h.perfetto-trace").read_bytes())
        known(trace, "trace")

        tracks, sequences, slices, flows_out, flows_in = {}, {}, {}, set(), set()
        for packet in trace.packet:
            if packet.HasField("track_descriptor"):
                descriptor = packet.track_descriptor
                self.assertNotIn(descriptor.uuid, tracks)
                tracks[descriptor.uuid] = descriptor
                if descriptor.HasField("parent_uuid"):
                    self.assertIn(descriptor.parent_uuid, tracks)
                continue
            sequence = packet.trusted_packet_sequence_id
            if sequence not in sequences:
                self.assertTrue(packet.sequence_flags & schema.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED)
                start = {clock.clock_id: clock for clock in packet.clock_snapshot.clocks}
                defaults = packet.trace_packet_defaults
                ours = start[defaults.timestamp_clock_id]
                self.assertTrue(ours.is_incremental)
                self.assertTrue(64 <= ours.clock_id < 128, "clocks of a sequence have these numbers")
                self.assertEqual(start[6].timestamp, ours.timestamp)  # BOOTTIME
                sequences[sequence] = {"now": ours.timestamp, "track": defaults.track_event_defaults.track_uuid, "names": {},
                                       "annotations": {}, "strings": {}, "open": []}
                self.assertIn(sequences[sequence]["track"], tracks)
                if not packet.HasField("track_event"):
                    continue
            state = sequences[sequence]
            for name in packet.interned_data.event_names:
                state["names"][name.iid] = name.name
            for name in packet.interned_data.debug_annotation_names:
                state["annotations"][name.iid] = name.name
            for text in packet.interned_data.debug_annotation_string_values:
                state["strings"][text.iid] = text.str.decode() if isinstance(text.str, bytes) else text.str
            state["now"] += packet.timestamp
            event = packet.track_event
            for annotation in event.debug_annotations:
                self.assertIn(annotation.name_iid, state["annotations"])
                if annotation.HasField("string_value_iid"):
                    self.assertIn(annotation.string_value_iid, state["strings"])
            if event.type == schema.TrackEvent.TYPE_SLICE_BEGIN:
                name = state["names"][event.name_iid]
                state["open"].append((name, state["now"]))
                flows_out.update(event.flow_ids)
                flows_in.update(event.terminating_flow_ids)
            elif event.type == schema.TrackEvent.TYPE_SLICE_END:
                name, begin = state["open"].pop()  # an end without a beginning fails here
                slices.setdefault(state["track"], []).append((name, begin, state["now"]))
            else:
                self.assertEqual(event.type, schema.TrackEvent.TYPE_INSTANT)
                flows_in.update(event.terminating_flow_ids)
        for state in sequences.values():
            self.assertEqual(state["open"], [])
        self.assertTrue(flows_in <= flows_out)

        # The same run as JSON: the states of each context, at 600 MHz, as nanoseconds rounded down.
        history = json.loads((self.folder / "h.json").read_text())
        ticks, per_cycle = history["ticks-per-second"], history["ticks-per-cycle"]
        threads = {(d.thread.pid - 1, d.thread.thread_name): uuid for uuid, d in tracks.items() if d.HasField("thread")}
        compared = 0
        for context in history["contexts"]:
            uuid = threads[context["engine"], f"ctx {context['context']}"]
            seen = slices.get(uuid, [])
            names = {name for name, _, _ in seen}
            wanted = [(name, begin * per_cycle * 10**9 // ticks, end * per_cycle * 10**9 // ticks)
                      for begin, end, name in context["states"] if name in names]
            self.assertEqual(seen, wanted)
            compared += "executing" in names
        self.assertEqual(compared, 32)


class Lcov(CliTest):
    @unittest.skipUnless(shutil.which("lcov"), "lcov is not installed")
    def test_summary(self):
        self.weft("run", SOURCE / "examples/ipv4-forwarder", "--cycles", 50000, "--coverage", "c.info")
        text = (self.folder / "c.info").read_text()
        # Counted here by file and line over all engines, as lcov does.
        lines, branches, functions, file = {}, {}, {}, None
        for row in text.splitlines():
            tag, _, rest = row.partition(":")
            if tag == "SF":
                file = rest
            elif tag == "DA":
                line, count = map(int, rest.split(",")[:2])
                lines[file, line] = lines.get((file, line), 0) + count
            elif tag == "BRDA":
                line, block, branch, count = rest.split(",")
                key = file, line, block, branch
                branches[key] = branches.get(key, 0) + (0 if count == "-" else int(count))
            elif tag == "FNDA":
                count, name = rest.split(",", 1)
                functions[file, name] = functions.get((file, name), 0) + int(count)
        done = run(["lcov", "--rc", "lcov_branch_coverage=1", "--rc", "branch_coverage=1", "--summary", "c.info"], self.folder)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        for what, counts in ("lines", lines), ("functions", functions), ("branches", branches):
            hit, found = map(int, re.search(rf"{what}\.*: .*\((\d+) of (\d+) ", said).groups())
            self.assertEqual((hit, found), (sum(1 for c in counts.values() if c > 0), len(counts)), what)
            self.assertGreater(hit, 10)

    @unittest.skipUnless(shutil.which("lcov") and shutil.which("genhtml"), "lcov is not installed")
    def test_merge_and_pages(self):
        """Two runs put together count twice; genhtml finds all sources."""
        self.weft("run", SOURCE / "examples/ipv4-forwarder", "--cycles", 20000, "--coverage", "c.info")
        done = run(["lcov", "-a", "c.info", "-a", "c.info", "-o", "both.info"], self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        def total(name):
            return sum(int(row.split(",")[1]) for row in (self.folder / name).read_text().splitlines() if row.startswith("DA:"))
        self.assertEqual(total("both.info"), 2 * total("c.info"))
        done = run(["genhtml", "--branch-coverage", "-o", "pages", "c.info"], self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("ERROR", done.stdout + done.stderr)
        self.assertTrue(any(p.name.startswith("forward.uc.gcov") for p in (self.folder / "pages").rglob("*.html")))


if __name__ == "__main__":
    main()
