#include "trie.h"

#include <algorithm>
#include <bit>

namespace weft::control {

namespace {

constexpr unsigned kRootStride = 16, kStride = 8;

/// Bits `count` of `value` put after the first `first` bits of an address.
IpAddress with_bits(IpAddress address, unsigned first, unsigned count, uint32_t value) {
  if (count == 0) return address;
  const unsigned shift = 128 - first - count;
  if (shift >= 64)
    address.high |= uint64_t{value} << (shift - 64);
  else
    address.low |= uint64_t{value} << shift;  // strides end on multiples of 8: no value lies on both sides
  return address;
}

}  // namespace

std::vector<Trie::Own>::iterator Trie::Node::place(uint32_t index) {
  return std::ranges::lower_bound(own, index, {}, &Own::index);
}

const Trie::Own* Trie::Node::route(uint32_t index) const {
  const auto at = std::ranges::lower_bound(own, index, {}, &Own::index);
  return at != own.end() && at->index == index ? &*at : nullptr;
}

const Trie::Own* Trie::Node::best(uint32_t index) const {
  if (own.empty()) return nullptr;
  for (; index != 0; index >>= 1) {
    if (const Own* found = route(index)) return found;
  }
  return nullptr;
}

std::vector<Trie::Child>::iterator Trie::Node::child_place(uint32_t slot) {
  return std::ranges::lower_bound(children, slot, {}, &Child::slot);
}

const Trie::Child* Trie::Node::child(uint32_t slot) const {
  const auto at = std::ranges::lower_bound(children, slot, {}, &Child::slot);
  return at != children.end() && at->slot == slot ? &*at : nullptr;
}

Trie::Trie(Family family, uint32_t root, uint32_t leaf)
    : family_(family), default_(leaf), root_(new_node(root, 0, kRootStride, leaf)) {}

std::shared_ptr<Trie::Node> Trie::new_node(uint32_t address, unsigned first, unsigned stride, uint32_t leaf) {
  auto node = std::make_shared<Node>();
  node->address = address;
  node->first = first;
  node->stride = stride;
  node->entries.assign(node->slots(), leaf);
  return node;
}

/// A node that may be changed: one that another copy of the table holds too is copied first.
Trie::Node& Trie::owned(std::shared_ptr<Node>& node) {
  if (node.use_count() > 1) node = std::make_shared<Node>(*node);
  return *node;
}

void Trie::put(Node& node, uint32_t slot, uint32_t value, TableChange* change) {
  if (node.entries[slot] == value) return;
  node.entries[slot] = value;
  if (change) change->publish.push_back({node.address + 4 * slot, value});
}

/// The addresses of an index get a new leaf, except where a longer route decides.
void Trie::fill(Node& node, uint32_t index, uint32_t leaf, TableChange* change) {
  if (index >= node.slots()) {
    const uint32_t slot = index - node.slots();
    const auto child = node.child_place(slot);
    if (child != node.children.end() && child->slot == slot)
      fill(owned(child->node), 1, leaf, change);
    else
      put(node, slot, leaf, change);
    return;
  }
  for (const uint32_t half : {2 * index, 2 * index + 1}) {
    if (!node.route(half)) fill(node, half, leaf, change);
  }
}

std::optional<uint32_t> Trie::exact(const Prefix& prefix) const {
  const Node* node = root_.get();
  while (prefix.length > node->end()) {
    const Child* child = node->child(prefix.address.slice(node->first, node->stride));
    if (!child) return std::nullopt;
    node = child->node.get();
  }
  const Own* route = node->route(node->index_of(prefix));
  return route ? std::optional(route->leaf) : std::nullopt;
}

Trie::Match Trie::find(const IpAddress& address) const {
  Match out{std::nullopt, default_};
  for (const Node* node = root_.get(); node;) {
    const uint32_t slot = address.slice(node->first, node->stride);
    if (const Own* best = node->best(node->slots() | slot)) {
      const auto length = static_cast<uint8_t>(node->first + static_cast<unsigned>(std::bit_width(best->index)) - 1);
      out = {Prefix{first_in(address, length), length}, best->leaf};
    }
    const Child* child = node->child(slot);
    node = child ? child->node.get() : nullptr;
  }
  return out;
}

bool Trie::set(const Prefix& prefix, uint32_t leaf, TableMemory& memory, TableChange* change) {
  Node* node = &owned(root_);
  uint32_t slot = 0;
  while (prefix.length > node->end()) {
    slot = prefix.address.slice(node->first, node->stride);
    const auto child = node->child_place(slot);
    if (child == node->children.end() || child->slot != slot) break;
    node = &owned(child->node);
  }
  const size_t missing = prefix.length > node->end() ? (prefix.length - node->end() + kStride - 1) / kStride : 0;
  if (!memory.has_room(missing, 0)) return false;

  // A leaf becomes a chain of new nodes full of that leaf. The chain is finished before the one entry leads to it.
  Node* const old = node;
  std::shared_ptr<Node> chain;
  for (size_t i = 0; i < missing; ++i) {
    auto fresh = new_node(*memory.take_node(), node->end(), kStride, old->entries[slot]);
    Node* const next = fresh.get();
    if (!chain) {
      chain = std::move(fresh);
    } else {
      const uint32_t at = prefix.address.slice(node->first, node->stride);
      node->entries[at] = next->address | 1;
      node->children.push_back({at, std::move(fresh)});
    }
    node = next;
  }
  const uint32_t index = node->index_of(prefix);
  const auto place = node->place(index);
  if (place != node->own.end() && place->index == index) {
    place->leaf = leaf;
  } else {
    node->own.insert(place, {index, leaf});
    ++routes_;
  }
  fill(*node, index, leaf, chain ? nullptr : change);
  if (!chain) return true;
  if (change) {
    for (const Node* n = chain.get(); n; n = n->children.empty() ? nullptr : n->children.front().node.get())
      change->prepare.push_back({n->address, n->entries});
  }
  const uint32_t entry = chain->address | 1;
  old->children.insert(old->child_place(slot), {slot, std::move(chain)});
  put(*old, slot, entry, change);
  return true;
}

bool Trie::erase(const Prefix& prefix, TableMemory& memory, TableChange* change) {
  if (!exact(prefix)) return false;
  struct Step {
    Node* node = nullptr;
    uint32_t slot = 0;       ///< that leads on
    uint32_t inherited = 0;  ///< what the nodes above decide
  };
  std::vector<Step> path{{&owned(root_), 0, default_}};
  while (prefix.length > path.back().node->end()) {
    Step& last = path.back();
    last.slot = prefix.address.slice(last.node->first, last.node->stride);
    const Own* best = last.node->best(last.node->slots() | last.slot);
    path.push_back({&owned(last.node->child_place(last.slot)->node), 0, best ? best->leaf : last.inherited});
  }
  Node& node = *path.back().node;
  const uint32_t index = node.index_of(prefix);
  node.own.erase(node.place(index));
  --routes_;
  if (!node.own.empty() || !node.children.empty() || path.size() == 1) {
    const Own* shorter = node.best(index >> 1);
    fill(node, index, shorter ? shorter->leaf : path.back().inherited, change);
    return true;
  }
  // Nodes without routes are taken out by the one entry that led to the uppermost of them. What stands in them stays:
  // packets that are still in there find the old answer.
  while (path.size() > 1 && path.back().node->own.empty() && path.back().node->children.empty()) {
    const uint32_t left = path.back().inherited;
    memory.retire_node(path.back().node->address);
    path.pop_back();
    Step& above = path.back();
    above.node->children.erase(above.node->child_place(above.slot));
    const bool last = path.size() == 1 || !above.node->own.empty() || !above.node->children.empty();
    put(*above.node, above.slot, left, last ? change : nullptr);
  }
  return true;
}

void Trie::visit(const Node& node, const IpAddress& base, const std::function<void(const Prefix&, uint32_t)>& visitor) {
  for (const Own& route : node.own) {
    const unsigned length = static_cast<unsigned>(std::bit_width(route.index)) - 1;
    visitor(
        {with_bits(base, node.first, length, route.index ^ 1u << length), static_cast<uint8_t>(node.first + length)},
        route.leaf);
  }
  for (const Child& child : node.children)
    visit(*child.node, with_bits(base, node.first, node.stride, child.slot), visitor);
}

void Trie::for_each(const std::function<void(const Prefix&, uint32_t leaf)>& visitor) const {
  visit(*root_, family_ == Family::ipv4 ? IpAddress() : IpAddress(0, 0), visitor);
}

void Trie::append_image(std::vector<image::MemoryWrite>& out) const {
  std::vector<const Node*> nodes{root_.get()};
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const Child& child : nodes[i]->children) nodes.push_back(child.node.get());
  }
  std::ranges::sort(nodes, {}, &Node::address);
  for (const Node* n : nodes) {
    const bool joins = !out.empty() && out.back().region == region_of(n->address) &&
                       out.back().address + out.back().values.size() * 4 == byte_of(n->address);
    if (!joins) out.push_back({region_of(n->address), byte_of(n->address), {}});
    out.back().values.insert(out.back().values.end(), n->entries.begin(), n->entries.end());
  }
}

}  // namespace weft::control
