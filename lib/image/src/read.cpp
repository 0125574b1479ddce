// JSON to Image. Every wrong value is reported at its line, and all of them at once.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "names.h"
#include "weft/base/json.h"

namespace weft::image {
namespace {

class Reader {
 public:
  Reader(JsonNode root, Diagnostics& out) : root_(std::move(root)), out_(out) {}

  Image read() {
    Image image;
    if (!header(image)) return image;
    root_.only({"format", "version", "name", "chip", "profile", "contexts", "nn_self", "lm_absolute", "words", "files",
                "lines", "labels", "registers", "signals", "marks", "memory", "inits", "imports", "uses"},
               out_);
    for (const JsonNode& node : list("words")) image.words.push_back(word(node, image.profile));
    for (const JsonNode& node : list("files")) image.files.push_back(node.string(out_));
    files_ = image.files.size();
    words_ = static_cast<uint32_t>(std::min<size_t>(image.words.size(), UINT32_MAX));
    for (const JsonNode& node : list("lines")) image.lines.push_back(line_row(node));
    if (!image.lines.empty() && image.lines.size() != image.words.size()) {
      root_.get("lines").wrong(
          out_, fmt::format("there are {} words but {} line rows", image.words.size(), image.lines.size()));
    }
    for (const JsonNode& node : list("labels")) {
      node.only({"name", "address"}, out_);
      image.labels.push_back({text(node, "name"), address(node, "address")});
    }
    for (const JsonNode& node : list("registers")) image.registers.push_back(register_row(node));
    for (const JsonNode& node : list("signals")) image.signals.push_back(signal_row(node));
    for (const JsonNode& node : list("marks")) {
      node.only({"kind", "text", "address"}, out_);
      image.marks.push_back({choice(node, "kind", mark_names()), text(node, "text"), address(node, "address")});
    }
    for (const JsonNode& node : list("memory")) image.memory.push_back(memory_row(node));
    for (const JsonNode& node : list("inits")) image.inits.push_back(init_row(node));
    for (const JsonNode& node : list("imports")) image.imports.push_back(node.string(out_));
    for (const JsonNode& node : list("uses")) image.uses.push_back(use_row(node));
    return image;
  }

 private:
  bool header(Image& image) {
    if (!root_.is_object()) {
      root_.wrong(out_, "an Image is a JSON object");
      return false;
    }
    const JsonNode format = root_.get("format");
    if (!format.is_string() || format.string(out_) != "weft-image") {
      out_.error("image-format", format.is_null() ? root_.range() : format.range(),
                 "this is not an Image: its format is not \"weft-image\"", "make one with `weft asm`");
      return false;
    }
    const JsonNode version = root_.require("version", out_);
    if (version.is_null()) return false;
    const uint64_t number = version.u64(out_);
    if (out_.has_errors()) return false;
    if (number != kVersion) {
      out_.error("image-version", version.range(),
                 fmt::format("this Image has version {}, this program reads version {}", number, kVersion),
                 "assemble the source again with this version of `weft asm`");
      return false;
    }
    image.name = root_.get("name").string(out_);
    image.chip = text(root_, "chip");
    image.profile = choice(root_, "profile", profile_names());
    const JsonNode contexts = root_.require("contexts", out_);
    image.contexts = static_cast<unsigned>(contexts.u64(out_, 4, 8, 8));
    if (image.contexts != 4 && image.contexts != 8) contexts.wrong(out_, "a microengine runs 4 or 8 contexts");
    image.nn_self = root_.get("nn_self").boolean(out_);
    if (root_.has("lm_absolute")) {
      const auto pointers = root_.get("lm_absolute").items();
      if (pointers.size() != 2)
        root_.get("lm_absolute").wrong(out_, "two local-memory pointers are described: [true, false]");
      else
        for (size_t i = 0; i < 2; ++i) image.lm_absolute[i] = pointers[i].boolean(out_);
    }
    return !out_.has_errors();
  }

  std::vector<JsonNode> list(std::string_view key) {
    const JsonNode node = root_.get(key);
    if (node.is_null()) return {};
    if (!node.is_array()) node.wrong(out_, fmt::format("'{}' is a list", key));
    return node.items();
  }

  std::string text(const JsonNode& node, std::string_view key) { return node.require(key, out_).string(out_); }

  uint32_t number(const JsonNode& node, std::string_view key, uint64_t max = UINT32_MAX) {
    return static_cast<uint32_t>(node.require(key, out_).u64(out_, 0, max));
  }

  uint32_t address(const JsonNode& node, std::string_view key) { return number(node, key, words_); }

  template <class E>
  E choice(const JsonNode& node, std::string_view key, NameTable<E> table) {
    const JsonNode child = node.require(key, out_);
    if (child.is_null()) return table.front().second;
    const std::string name = child.string(out_);
    if (const auto value = value_of(table, name)) return *value;
    std::vector<std::string> names;
    for (const auto& row : table) names.emplace_back(row.first);
    const auto near = nearest(name, names);
    child.wrong(out_, fmt::format("'{}' is not a {}", name, key),
                near ? fmt::format("did you mean '{}'?", *near) : fmt::format("one of: {}", fmt::join(names, ", ")));
    return table.front().second;
  }

  uint64_t word(const JsonNode& node, isa::Profile profile) {
    uint64_t value = 0;
    const std::string digits = node.string(out_);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size() || (value >> isa::word_bits(profile)) != 0) {
      node.wrong(out_,
                 fmt::format("'{}' is not a word of {} hexadecimal digits", digits, 2 * isa::word_bytes(profile)));
      return 0;
    }
    return value;
  }

  /// `at`: index of the file number within the row.
  Line place(const std::vector<JsonNode>& row, size_t at) {
    if (files_ == 0) {
      row[at].wrong(out_, "the line table names a file, but the list of files is empty");
      return {};
    }
    return {static_cast<uint32_t>(row[at].u64(out_, 0, files_ - 1)),
            static_cast<uint32_t>(row[at + 1].u64(out_, 0, UINT32_MAX)),
            static_cast<uint32_t>(row[at + 2].u64(out_, 0, UINT32_MAX))};
  }

  LineRow line_row(const JsonNode& node) {
    const std::vector<JsonNode> items = node.items();
    LineRow row;
    if (items.size() < 3) {
      node.wrong(out_, "a line row is [file, line, column, [macro, file, line, column]...]");
      return row;
    }
    row.place = place(items, 0);
    for (size_t i = 3; i < items.size(); ++i) {
      const std::vector<JsonNode> call = items[i].items();
      if (call.size() != 4) {
        items[i].wrong(out_, "a macro call is [name, file, line, column]");
        continue;
      }
      row.macros.emplace_back(call[0].string(out_), place(call, 1));
    }
    return row;
  }

  Register register_row(const JsonNode& node) {
    node.only({"name", "kind", "bank", "number", "begin", "end"}, out_);
    Register r;
    r.name = text(node, "name");
    r.kind = choice(node, "kind", register_kind_names());
    if (node.has("bank")) r.bank = choice(node, "bank", bank_names());
    const bool banked = r.kind == RegisterKind::gpr || r.kind == RegisterKind::gpr_absolute;
    if (banked && r.bank == isa::Bank::none) node.wrong(out_, "a general-purpose register needs its bank");
    r.number = number(node, "number", 127);
    r.begin = address(node, "begin");
    r.end = address(node, "end");
    return r;
  }

  Signal signal_row(const JsonNode& node) {
    node.only({"name", "number", "doubled", "begin", "end"}, out_);
    Signal s;
    s.name = text(node, "name");
    s.number = number(node, "number", 15);
    s.doubled = node.get("doubled").boolean(out_);
    s.begin = address(node, "begin");
    s.end = address(node, "end");
    return s;
  }

  MemoryBlock memory_row(const JsonNode& node) {
    node.only({"name", "region", "global", "size", "align", "address"}, out_);
    MemoryBlock m;
    m.name = text(node, "name");
    m.region = choice(node, "region", region_names());
    m.global = node.get("global").boolean(out_);
    m.size = node.require("size", out_).u64(out_, 0, UINT32_MAX);
    m.align = node.has("align") ? node.get("align").u64(out_, 1, uint64_t{1} << 40, 4) : 4;
    if ((m.align & (m.align - 1)) != 0) node.get("align").wrong(out_, "an alignment is a power of two");
    if (node.has("address")) {
      m.address = node.get("address").u64(out_, 0, uint64_t{1} << 40);
      if (*m.address % m.align != 0) node.get("address").wrong(out_, "the address is not a multiple of the alignment");
    }
    return m;
  }

  Init init_row(const JsonNode& node) {
    node.only({"name", "offset", "context", "values"}, out_);
    Init init;
    init.name = text(node, "name");
    init.offset = static_cast<uint32_t>(node.get("offset").u64(out_, 0, UINT32_MAX));
    if (node.has("context")) init.context = static_cast<int32_t>(signed_number(node.get("context"), -1, 7));
    for (const JsonNode& value : node.require("values", out_).items()) {
      init.values.push_back(static_cast<uint32_t>(value.u64(out_, 0, UINT32_MAX)));
    }
    return init;
  }

  ImportUse use_row(const JsonNode& node) {
    node.only({"name", "address", "part", "addend"}, out_);
    ImportUse use;
    use.name = text(node, "name");
    const JsonNode at = node.require("address", out_);
    use.address = static_cast<uint32_t>(at.u64(out_, 0, UINT32_MAX));
    if (use.address >= words_) at.wrong(out_, fmt::format("the program has only {} words", words_));
    use.part = choice(node, "part", part_names());
    if (node.has("addend")) use.addend = signed_number(node.get("addend"), INT64_MIN, INT64_MAX);
    return use;
  }

  int64_t signed_number(const JsonNode& node, int64_t min, int64_t max) {
    if (node.is_null() || !node.raw().is_number_integer()) {
      node.wrong(out_, "a whole number is expected here");
      return 0;
    }
    const int64_t value = node.raw().get<int64_t>();
    if (value < min || value > max) node.wrong(out_, fmt::format("{} is not within {} to {}", value, min, max));
    return value;
  }

  JsonNode root_;
  Diagnostics& out_;
  size_t files_ = 0;
  uint32_t words_ = 0;
};

Result<Image> read_document(const Result<JsonDocument>& document) {
  if (!document) return tl::unexpected<Diagnostics>(document.error());
  Diagnostics out;
  Image image = Reader(document->root(), out).read();
  if (out.has_errors()) return tl::unexpected<Diagnostics>(std::move(out));
  return image;
}

}  // namespace

Result<Image> from_json(SourceFilePtr source) { return read_document(JsonDocument::parse(std::move(source))); }

Result<Image> read_image(const std::string& path) { return read_document(JsonDocument::read(path)); }

const Mark* mark_at(const Image& image, uint32_t address, Mark::Kind kind) {
  const Mark* best = nullptr;
  for (const Mark& mark : image.marks) {
    if (mark.kind == kind && mark.address <= address && (!best || mark.address >= best->address)) best = &mark;
  }
  return best;
}

}  // namespace weft::image
