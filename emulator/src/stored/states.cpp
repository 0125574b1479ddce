#include "stored/unit_fields.h"
#include "weft/emulator/stored.h"

namespace weft {

using emulator::PagedMemory;

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
  memory = afresh || context.read[number].bytes() != bytes ? PagedMemory(in.good() ? bytes : 0) : context.read[number];
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
namespace {

enum class Kind : uint8_t { ixp2000, ixp1200 };

std::shared_ptr<const UnitsState> get_units(ByteReader& in) {
  Kind kind{};
  get(in, kind);
  if (kind == Kind::ixp2000) {
    auto state = std::make_shared<Ixp2000State>();
    get(in, *state);
    return state;
  }
  auto state = std::make_shared<Ixp1200State>();
  get(in, *state);
  return state;
}

}  // namespace

void put_state(ByteWriter& out, const BoardState& state) {
  out.context<MemoryContext>().next = 0;
  put(out, state.machines);
  stored::put_size(out, state.units.size());
  for (const auto& units : state.units) {
    if (const auto* ixp2000 = dynamic_cast<const Ixp2000State*>(units.get()))
      put(out, Kind::ixp2000), put(out, *ixp2000);
    else
      put(out, Kind::ixp1200), put(out, dynamic_cast<const Ixp1200State&>(*units));
  }
}

bool get_state(ByteReader& in, BoardState& state) {
  in.context<MemoryContext>().next = 0;
  get(in, state.machines);
  state.units.clear();
  for (size_t left = stored::get_size(in); left > 0 && in.good(); --left) state.units.push_back(get_units(in));
  return in.good();
}

uint64_t states_layout() { return stored::layouts<MachineState, Ixp2000State, Ixp1200State>(9); }

}  // namespace weft::emulator
