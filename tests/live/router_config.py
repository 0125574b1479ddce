"""The lines of a router.conf that say what the router is (docs/router-configuration.md), for another system to be set up alike."""
import ipaddress
from dataclasses import dataclass


@dataclass
class Link:
    name: str
    port: int
    mac: str
    vlan: int = None
    mtu: int = 1500
    parent: "Link" = None

    @property
    def device(self):
        return "w" + self.name.replace(".", "v")


class RouterConfig:
    def __init__(self, text):
        self.interfaces, self.addresses, self.neighbours, self.routes = [], [], [], []
        for line in text.splitlines():
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == "interface":
                values = dict(zip(words[2::2], words[3::2]))
                port = int(values["port"])
                parent = next((l for l in self.interfaces if l.port == port and l.vlan is None), None)
                self.interfaces.append(Link(words[1], port, values.get("mac") or parent.mac,
                                            int(values["vlan"]) if "vlan" in values else None,
                                            int(values.get("mtu", 1500)), parent))
            elif words[0] == "address":
                self.addresses.append((self._link(words[1]), words[2]))
            elif words[0] == "neighbour":
                self.neighbours.append((self._of(words[1]), words[1], words[3]))
            elif words[0] == "route":
                self.routes.append((words[1], words[3] if words[2] == "via" else None))
            elif words[0] not in ("switch", "buffers", "nat", "forward", "rules", "connections"):
                raise ValueError(f"router.conf: '{line}' is nothing that this test can tell another system")

    def _link(self, name):
        return next(link for link in self.interfaces if link.name == name)

    def _of(self, address):
        """The link whose network an address belongs to."""
        for link, own in self.addresses:
            if ipaddress.ip_address(address) in ipaddress.ip_interface(own).network:
                return link
        raise ValueError(f"router.conf: {address} is on no connected network")
