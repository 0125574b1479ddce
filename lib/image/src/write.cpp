// Image to JSON. One row per line, so that two images can be compared with ordinary text tools.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "names.h"

namespace weft::image {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A member whose value is an array of rows; `row` gives one element as JSON text.
template <class T, class Row>
void rows(std::string& out, std::string_view key, const std::vector<T>& list, Row row) {
  out += fmt::format(",\n  \"{}\": [", key);
  for (size_t i = 0; i < list.size(); ++i) {
    out += i == 0 ? "\n    " : ",\n    ";
    out += row(list[i]);
  }
  out += list.empty() ? "]" : "\n  ]";
}

std::string line_row(const LineRow& row) {
  std::string text = fmt::format("[{}, {}, {}", row.place.file, row.place.line, row.place.column);
  for (const auto& [name, call] : row.macros) {
    text += fmt::format(", [{}, {}, {}, {}]", json_text(name), call.file, call.line, call.column);
  }
  return text + "]";
}

std::string register_row(const Register& r) {
  std::string text =
      fmt::format("{{\"name\": {}, \"kind\": \"{}\", ", json_text(r.name), name_of(register_kind_names(), r.kind));
  if (r.bank != isa::Bank::none) text += fmt::format("\"bank\": \"{}\", ", name_of(bank_names(), r.bank));
  return text + fmt::format("\"number\": {}, \"begin\": {}, \"end\": {}}}", r.number, r.begin, r.end);
}

std::string signal_row(const Signal& s) {
  return fmt::format("{{\"name\": {}, \"number\": {}, {}\"begin\": {}, \"end\": {}}}", json_text(s.name), s.number,
                     s.doubled ? "\"doubled\": true, " : "", s.begin, s.end);
}

std::string memory_row(const MemoryBlock& m) {
  return fmt::format("{{\"name\": {}, \"region\": \"{}\", \"global\": {}, \"size\": {}, \"align\": {}{}}}",
                     json_text(m.name), name_of(region_names(), m.region), m.global, m.size, m.align,
                     m.address ? fmt::format(", \"address\": {}", *m.address) : "");
}

std::string init_row(const Init& init) {
  return fmt::format("{{\"name\": {}, \"offset\": {}, \"context\": {}, \"values\": [{}]}}", json_text(init.name),
                     init.offset, init.context, fmt::join(init.values, ", "));
}

std::string use_row(const ImportUse& use) {
  return fmt::format("{{\"name\": {}, \"address\": {}, \"part\": \"{}\", \"addend\": {}}}", json_text(use.name),
                     use.address, name_of(part_names(), use.part), use.addend);
}

}  // namespace

std::string to_json(const Image& image) {
  std::string out = fmt::format("{{\n  \"format\": \"weft-image\",\n  \"version\": {},\n  \"name\": {}", kVersion,
                                json_text(image.name));
  out += fmt::format(",\n  \"chip\": {},\n  \"profile\": \"{}\",\n  \"contexts\": {},\n  \"nn_self\": {}",
                     json_text(image.chip), name_of(profile_names(), image.profile), image.contexts, image.nn_self);
  if (image.lm_absolute[0] || image.lm_absolute[1])
    out += fmt::format(",\n  \"lm_absolute\": [{}, {}]", image.lm_absolute[0], image.lm_absolute[1]);
  const unsigned digits = 2 * isa::word_bytes(image.profile);
  rows(out, "words", image.words, [&](uint64_t word) { return fmt::format("\"{:0{}x}\"", word, digits); });
  rows(out, "files", image.files, [](const std::string& file) { return json_text(file); });
  rows(out, "lines", image.lines, line_row);
  rows(out, "labels", image.labels, [](const Label& label) {
    return fmt::format("{{\"name\": {}, \"address\": {}}}", json_text(label.name), label.address);
  });
  rows(out, "registers", image.registers, register_row);
  rows(out, "signals", image.signals, signal_row);
  rows(out, "marks", image.marks, [](const Mark& mark) {
    return fmt::format("{{\"kind\": \"{}\", \"text\": {}, \"address\": {}}}", name_of(mark_names(), mark.kind),
                       json_text(mark.text), mark.address);
  });
  rows(out, "memory", image.memory, memory_row);
  rows(out, "inits", image.inits, init_row);
  rows(out, "imports", image.imports, [](const std::string& name) { return json_text(name); });
  rows(out, "uses", image.uses, use_row);
  return out + "\n}\n";
}

}  // namespace weft::image
