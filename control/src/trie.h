// The longest-prefix-match table of the microcode: a trie in SRAM with a first stride of 16 bits and then of 8, leaves
// pushed down so that a lookup never backs up. One for each family: an IPv4 lookup reads one to three longwords, an
// IPv6 lookup one to fifteen.
//
// Beside the entries that lie in memory a node keeps the routes that end in it, so that a deletion finds what is left:
// an array in the order of a binary heap, where route {bits, length} of a node has the number 1 << length | bits and
// the next shorter route that covers it is found by halving.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "table_memory.h"
#include "weft/control/address.h"

namespace weft::control {

/// Copies share their nodes until one of them changes something.
class Trie {
 public:
  Trie() = default;
  /// `leaf` answers every address that no route covers. A leaf is the address of a next hop.
  Trie(Family family, uint32_t root, uint32_t leaf);

  std::optional<uint32_t> exact(const Prefix& prefix) const;
  struct Match {
    std::optional<Prefix> prefix;  ///< none: no route
    uint32_t leaf = 0;
  };
  Match find(const IpAddress& address) const;

  /// A new route, or a new next hop of an old one. False when the memory is full: then nothing has changed. Without a
  /// `change` nothing is told: the image is written afterwards.
  bool set(const Prefix& prefix, uint32_t leaf, TableMemory& memory, TableChange* change);
  /// The addresses fall back to the next shorter route. False when there is no such route.
  bool erase(const Prefix& prefix, TableMemory& memory, TableChange* change);

  void for_each(const std::function<void(const Prefix&, uint32_t leaf)>& visit) const;
  /// Everything as it must stand in memory, neighbouring nodes joined.
  void append_image(std::vector<image::MemoryWrite>& out) const;
  uint64_t routes() const { return routes_; }

 private:
  struct Own {
    uint32_t index = 0;  ///< 1 << length | bits, of the part of the prefix that lies in this node
    uint32_t leaf = 0;
  };
  struct Node;
  struct Child {
    uint32_t slot = 0;
    std::shared_ptr<Node> node;
  };
  struct Node {
    uint32_t address = 0;
    unsigned first = 0, stride = 0;  ///< decides bits first to first + stride
    std::vector<Own> own;            ///< by index
    std::vector<Child> children;     ///< by slot
    std::vector<uint32_t> entries;   ///< as in memory

    unsigned end() const { return first + stride; }
    uint32_t slots() const { return 1u << stride; }
    uint32_t index_of(const Prefix& p) const {
      return 1u << (p.length - first) | p.address.slice(first, p.length - first);
    }
    std::vector<Own>::iterator place(uint32_t index);
    const Own* route(uint32_t index) const;
    /// The route that decides at an index, the longest one; null when a node above decides.
    const Own* best(uint32_t index) const;
    std::vector<Child>::iterator child_place(uint32_t slot);
    const Child* child(uint32_t slot) const;
  };

  static Node& owned(std::shared_ptr<Node>& node);
  static std::shared_ptr<Node> new_node(uint32_t address, unsigned first, unsigned stride, uint32_t leaf);
  static void put(Node& node, uint32_t slot, uint32_t value, TableChange* change);
  static void fill(Node& node, uint32_t index, uint32_t leaf, TableChange* change);
  static void visit(const Node& node, const IpAddress& base,
                    const std::function<void(const Prefix&, uint32_t)>& visitor);

  Family family_ = Family::ipv4;
  uint32_t default_ = 0;
  std::shared_ptr<Node> root_;
  uint64_t routes_ = 0;
};

}  // namespace weft::control
