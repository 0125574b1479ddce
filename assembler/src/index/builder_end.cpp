// What is known only when the whole program is: attributes, order, the numbers that names get.
#include <fmt/format.h>

#include <algorithm>

#include "allocator/allocator.h"
#include "index/builder.h"

namespace weft::assembler {

void IndexBuilder::finish(const Program& program) {
  Index::Data& d = *data_;
  for (IndexName& n : d.names) {
    if (n.kind == NameKind::reg && n.id >= 0) {
      const Vreg& v = program.vregs[static_cast<size_t>(n.id)];
      std::string words;
      const auto word = [&](bool is, std::string_view text) {
        if (is) words += (words.empty() ? "" : " ") + std::string(text);
      };
      word(v.is_volatile, "volatile");
      word(v.is_global, "global");
      word(v.is_visible, "visible");
      word(v.is_remote, "remote");
      if (v.cls == VregClass::xfer_s || v.cls == VregClass::xfer_d)
        word(v.read_side != v.write_side, v.read_side ? "read" : "write");
      if (!n.detail.empty()) words += (words.empty() ? "" : " ") + n.detail;
      n.detail = words;
      if (v.pinned)
        n.allocated.push_back(fmt::format("{}{}",
                                          v.pinned_bank == isa::Bank::a   ? "a"
                                          : v.pinned_bank == isa::Bank::b ? "b"
                                                                          : "",
                                          *v.pinned));
    }
    if (n.kind == NameKind::signal && n.id >= 0) {
      const Signal& s = program.signals[static_cast<size_t>(n.id)];
      std::string words = s.doubled ? "doubled" : "";
      if (s.is_volatile) words += words.empty() ? "volatile" : " volatile";
      if (s.is_visible) words += words.empty() ? "visible" : " visible";
      if (s.is_remote) words += words.empty() ? "remote" : " remote";
      n.detail = words;
      if (s.pinned) n.allocated.push_back(fmt::format("s{}", *s.pinned));
    }
    if (n.kind == NameKind::memory) {
      for (const image::MemoryBlock& m : program.memory)
        if (m.name == n.name) n.detail = fmt::format("{} bytes", m.size);
    }
  }
  rest_of_text();
  d.by_line.resize(d.files.size());
  for (uint32_t r = 0; r < d.references.size(); ++r) d.by_line[d.references[r].place.file].push_back(r);
  for (std::vector<uint32_t>& list : d.by_line) {
    std::stable_sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) {
      const IndexPlace &x = d.references[a].place, &y = d.references[b].place;
      return std::pair(x.line, x.column) < std::pair(y.line, y.column);
    });
  }
  std::stable_sort(d.marks.begin(), d.marks.end(), [](const ScopeMark& a, const ScopeMark& b) {
    return std::tuple(a.file, a.line, a.column) < std::tuple(b.file, b.line, b.column);
  });
}

void IndexBuilder::allocate_names(Program program) {
  mark_doubled_signals(program);
  const Flow flow(program);
  Diagnostics said;
  const auto allocation = allocate(program, flow, data_->sources, said);
  data_->diagnostics.append(std::move(said));
  if (!allocation) return;
  for (IndexName& n : data_->names)
    if ((n.kind == NameKind::reg || n.kind == NameKind::signal) && n.id >= 0) n.allocated.clear();
  const auto name_of_vreg = [&](int32_t vreg) -> IndexName* {
    // Elements of an array follow the first one.
    for (int32_t v = std::min(vreg, static_cast<int32_t>(registers_.size()) - 1); v >= 0; --v) {
      if (registers_[static_cast<size_t>(v)] < 0) continue;
      IndexName& n = data_->names[static_cast<size_t>(registers_[static_cast<size_t>(v)])];
      return v + static_cast<int32_t>(n.elements) > vreg ? &n : nullptr;
    }
    return nullptr;
  };
  for (size_t w = 0; w < allocation->places.size(); ++w) {
    const Web& web = allocation->liveness.webs[w];
    const Place& place = allocation->places[w];
    IndexName* n = nullptr;
    std::string text;
    if (web.file == RegisterFile::signal) {
      const auto id = static_cast<size_t>(web.symbol);
      if (id < signals_.size() && signals_[id] >= 0) n = &data_->names[static_cast<size_t>(signals_[id])];
      text = fmt::format("s{}", place.number);
    } else {
      n = name_of_vreg(web.symbol);
      const std::string_view prefix = web.file == RegisterFile::gpr_absolute
                                          ? (place.bank == isa::Bank::a ? "@a" : "@b")
                                      : web.file == RegisterFile::gpr      ? (place.bank == isa::Bank::a ? "a" : "b")
                                      : web.file == RegisterFile::neighbor ? "n$"
                                      : web.file == RegisterFile::d_read || web.file == RegisterFile::d_write ? "$$"
                                                                                                              : "$";
      text = fmt::format("{}{}", prefix, place.number);
    }
    if (n != nullptr && std::find(n->allocated.begin(), n->allocated.end(), text) == n->allocated.end())
      n->allocated.push_back(text);
  }
}

}  // namespace weft::assembler
