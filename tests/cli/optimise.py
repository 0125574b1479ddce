"""The IPv4 forwarder, as written and with -O, sends the same frames in the same order; and the optimiser did something."""
import json
import shutil
import struct
import unittest

from weft_cli import SOURCE, CliTest

PROGRAMS = [("receive", []), ("forward0", ["-D", "FORWARD_INDEX=0"]), ("forward1", ["-D", "FORWARD_INDEX=1"]), ("transmit", [])]


def frames(path):
    data, at, out = path.read_bytes(), 24, []
    while at < len(data):
        size = struct.unpack_from("<I", data, at + 8)[0]
        out.append(data[at + 16:at + 16 + size])
        at += 16 + size
    return out


class Optimise(CliTest):
    def build(self, version, flags):
        example = SOURCE / "examples" / "ipv4-forwarder"
        (self.folder / version).mkdir()
        for name, defines in PROGRAMS:
            self.weft("asm", *flags, "-I", SOURCE / "lib" / "microblocks", "-D", "PORTS=2", "-D", "FORWARDERS=2", *defines,
                      example / (name.rstrip("01") + ".uc"), "-o", f"{version}/{name}.json")
        shutil.copy(example / "router.conf", self.folder / version)
        traffic = {"count": 200, "size": "imix", "flows": 64}
        self.write(f"{version}/weft.json", json.dumps({
            "version": 1, "board": "generic-2400",
            "programs": [{"image": f"{name}.json", "engines": [k]} for k, (name, _) in enumerate(PROGRAMS)],
            "control": {"program": "ipv4", "config": "router.conf"},
            "ports": [{"port": 0, "out": "o0.pcap", "in": {"generate": dict(traffic, destinations="198.51.100.0/24", source="10.0.0.2")}},
                      {"port": 1, "out": "o1.pcap", "in": {"generate": dict(traffic, destinations="198.18.0.0/15", source="192.0.2.2")}}],
            "limits": {"quiet": 60000}, "seed": 1}))
        self.weft("run", version, "--progress", "off")
        words = [json.loads((self.folder / version / f"{name}.json").read_text())["words"] for name, _ in PROGRAMS]
        return [frames(self.folder / version / f"o{port}.pcap") for port in (0, 1)], words

    def test_same_frames(self):
        plain, plain_words = self.build("plain", [])
        fast, fast_words = self.build("fast", ["-O"])
        self.assertEqual([len(p) for p in plain], [200, 200])
        self.assertEqual(plain, fast)
        self.assertNotEqual(plain_words, fast_words)


if __name__ == "__main__":
    unittest.main()
