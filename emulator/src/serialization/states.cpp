#include "serialization/validation.h"
#include "units/units_state.h"
#include "weft/emulator/stored.h"

namespace weft {

/// A memory is told as the pages that have changed since the same memory of the state before, so that those which
/// states share stand once in the file and are shared again. Pages of a memory that was written live until all is
/// written.
struct MemoryContext {
  size_t next = 0;  ///< memory of the state that is being written or read
  std::vector<std::map<uint64_t, const uint32_t*>> written;
  std::vector<emulator::PagedMemory> read;
};
template <>
struct Stored<emulator::PagedMemory> {
  static void put(ByteWriter& out, const emulator::PagedMemory& memory);
  static void get(ByteReader& in, emulator::PagedMemory& memory);
  static constexpr uint64_t layout() { return stored::mix(8, emulator::PagedMemory::kPageLongwords); }
};

template <class T>
struct Stored<emulator::Ring<T>> {
  static void put(ByteWriter& out, const emulator::Ring<T>& ring) { stored::put_list(out, ring); }
  static void get(ByteReader& in, emulator::Ring<T>& ring) {
    ring.clear();
    for (size_t left = stored::get_size(in); left > 0 && in.good(); --left) weft::get(in, ring.extend());
  }
  static constexpr uint64_t layout() { return stored::layouts<T>(3); }
};

using emulator::PagedMemory;

/// No address has more bits. Whether it is the size of this memory is asked when all is read.
constexpr uint64_t kMaxBytes = uint64_t{1} << 32;

void Stored<PagedMemory>::put(ByteWriter& out, const PagedMemory& memory) {
  MemoryContext& context = out.context<MemoryContext>();
  const size_t number = context.next++;
  if (number >= context.written.size()) context.written.resize(number + 1);
  std::map<uint64_t, const uint32_t*> pages;
  memory.for_each_page(
      [&](uint64_t address, std::span<const uint32_t> longwords) { pages.emplace(address, longwords.data()); });
  // Going forward a memory only gets more pages; one that lost some is told as a whole.
  auto& before = context.written[number];
  bool afresh = false;
  for (const auto& [address, data] : before) afresh = afresh || !pages.contains(address);
  if (afresh) before.clear();
  std::erase_if(before, [&](const auto& page) { return pages.at(page.first) != page.second; });
  weft::put(out, memory.bytes());
  weft::put(out, afresh);
  stored::put_size(out, pages.size() - before.size());
  for (const auto& [address, data] : pages) {
    if (before.contains(address)) continue;
    weft::put(out, address);
    out.raw(data, PagedMemory::kPageLongwords * sizeof(uint32_t));
  }
  before = std::move(pages);
}

void Stored<PagedMemory>::get(ByteReader& in, PagedMemory& memory) {
  MemoryContext& context = in.context<MemoryContext>();
  const size_t number = context.next++;
  if (number >= context.read.size()) context.read.resize(number + 1);
  uint64_t bytes = 0;
  bool afresh = false;
  weft::get(in, bytes);
  weft::get(in, afresh);
  if (!in.good() || bytes > kMaxBytes) return in.fail();
  memory = afresh || context.read[number].bytes() != bytes ? PagedMemory(bytes) : context.read[number];
  std::vector<uint32_t> page(PagedMemory::kPageLongwords);
  for (size_t left = stored::get_size(in); left > 0 && in.good(); --left) {
    uint64_t address = 0;
    weft::get(in, address);
    in.raw(page.data(), page.size() * sizeof(uint32_t));
    if (!in.good() || address % 4 != 0 || !memory.contains(address)) return in.fail();
    memory.write(address, page[0]);  // a page of its own
    memory.write_longwords(address, page.data(), static_cast<unsigned>(page.size()));
  }
  context.read[number] = memory;
}

}  // namespace weft

namespace weft::emulator {
std::vector<Difference> differences(const BoardState& a, const BoardState& b, size_t max) {
  return weft::differences(a, b, max);
}

void put_state(ByteWriter& out, const BoardState& state) {
  out.context<MemoryContext>().next = 0;
  put(out, state.machines);
  stored::put_size(out, state.units.size());
  for (const auto& units : state.units) put(out, *units);
}

bool get_state(ByteReader& in, BoardState& state) {
  in.context<MemoryContext>().next = 0;
  get(in, state.machines);
  state.units.clear();
  for (size_t left = stored::get_size(in); left > 0 && in.good(); --left) {
    auto units = std::make_shared<UnitsState>();
    get(in, *units);
    state.units.push_back(std::move(units));
  }
  return in.good();
}

bool fits(const BoardState& state, const BoardDescription& description, const BoardState& built) {
  const size_t chips = description.chips.size();
  if (state.machines.size() != chips || state.units.size() != chips) return false;
  for (size_t c = 0; c < chips; ++c) {
    const Tick now = state.machines[c].position.now;
    const StateValidation rules(description.chips[c], built.machines[c], *built.units[c], now);
    // All chips stand at one moment.
    if (now != state.machines[0].position.now || !all_valid(rules, state.machines[c]) ||
        !all_valid(rules, *state.units[c]))
      return false;
  }
  return true;
}

uint64_t states_layout() { return stored::layouts<MachineState, UnitsState>(9); }

}  // namespace weft::emulator
