#include "weft/workbench/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "project/changes.h"
#include "project/defines.h"
#include "weft/base/limits.h"
#include "weft/base/paths.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;

const std::pair<const char*, image::Region> kRegions[] = {
    {"scratch", image::Region::scratch}, {"sram0", image::Region::sram0}, {"sram1", image::Region::sram1},
    {"sram2", image::Region::sram2},     {"sram3", image::Region::sram3}, {"dram", image::Region::dram}};

class Reader {
 public:
  Reader(Project& project, const Overrides& overrides, Diagnostics& out)
      : project_(project), overrides_(overrides), out_(out) {}

  void read(const JsonNode& root) {
    root.only({"version", "name", "description", "board", "seed", "programs", "include", "case_sensitive", "memory",
               "constants", "ports", "control", "pools", "rings", "reasons", "tables", "limits"},
              out_);
    const uint64_t version = root.require("version", out_).u64(out_, 0, UINT64_MAX, 1);
    if (version != 1)
      root.get("version").wrong(out_, fmt::format("project version {} is not known", version),
                                "this program reads version 1");
    (void)root.get("description").string(out_, "");
    project_.name =
        root.get("name").string(out_, tidy(fs::absolute(project_.folder / ".")).parent_path().filename().string());
    project_.board = moved(root.require("board", out_).string(out_)).string();
    project_.board_range = root.get("board").range();
    project_.seed = root.get("seed").u64(out_, 0, UINT64_MAX, 1);
    for (const JsonNode& dir : list(root, "include")) include_.push_back(resolve(dir.string(out_)));
    case_sensitive_ = root.get("case_sensitive").boolean(out_);
    const JsonNode programs = root.require("programs", out_);
    const auto entries = list(root, "programs");
    if (programs.is_array() && entries.empty())
      programs.wrong(out_, "the project has no program", "add {\"source\": \"FILE.uc\", \"engines\": [0]}");
    for (const JsonNode& node : entries) program(node);
    for (const auto& [name, node] : members(root, "memory")) memory(root.get("memory"), name);
    for (const auto& [name, node] : members(root, "constants"))
      project_.constants[name] = node.u64(out_, 0, UINT32_MAX);
    for (const JsonNode& node : list(root, "ports")) port(node);
    if (root.has("control")) control(root.get("control"));
    for (const JsonNode& node : list(root, "pools")) pool(node);
    for (const JsonNode& node : list(root, "rings")) ring(node);
    for (const JsonNode& node : list(root, "reasons")) reason(node);
    for (const JsonNode& node : list(root, "tables")) table(node);
    limits(root.get("limits"));
    engines_are_used_once();
  }

 private:
  fs::path moved(const fs::path& path) const {
    if (!overrides_.moved || !path.is_absolute()) return path;
    const fs::path below = path.lexically_relative(overrides_.moved->first);
    return below.empty() || *below.begin() == ".." ? path : overrides_.moved->second / below;
  }

  fs::path resolve(const std::string& name) const {
    const fs::path path = moved(name);
    return path.is_absolute() || project_.folder == "." ? path : project_.folder / path;
  }

  /// A file that a value names, from the project's folder on.
  fs::path file_of(const JsonNode& node) {
    const std::string name = node.string(out_);
    if (node.is_string() && name.empty()) node.wrong(out_, "the name of a file must not be empty", "write its path");
    return name.empty() ? fs::path() : resolve(name);
  }

  /// The elements of a list, which may be left out.
  std::vector<JsonNode> list(const JsonNode& parent, const std::string& name) {
    const JsonNode node = parent.get(name);
    if (!node.is_null() && !node.is_array()) node.wrong(out_, fmt::format("'{}' is a list", name), "write [ ... ]");
    return node.items();
  }

  /// The members of an object, which may be left out.
  std::vector<std::pair<std::string, JsonNode>> members(const JsonNode& parent, const std::string& name) {
    const JsonNode node = parent.get(name);
    if (!node.is_null() && !node.is_object())
      node.wrong(out_, fmt::format("'{}' holds names with values", name), "write { \"name\": value, ... }");
    return node.members();
  }

  /// Text as it is, numbers and the rest as they are written.
  std::string text_of(const JsonNode& value) { return value.is_string() ? value.string(out_) : value.raw().dump(); }

  ChipName chip_name(const JsonNode& node) {
    if (!node.has("chip")) return {"", node.range()};
    const JsonNode name = node.get("chip");
    ChipName out{name.string(out_), name.range()};
    if (name.is_string() && out.name.empty()) name.wrong(out_, "this name must not be empty");
    return out;
  }

  void program(const JsonNode& node) {
    node.only({"source", "image", "chip", "engines", "define", "include", "case_sensitive", "rules"}, out_);
    ProgramEntry entry;
    entry.chip = chip_name(node);
    entry.range = node.range();
    if (node.has("source") == node.has("image")) {
      node.wrong(out_, "a program has either a 'source' (microcode to assemble) or an 'image'", "name one of the two");
    } else {
      entry.is_image = node.has("image");
      entry.file = file_of(node.get(node.has("source") ? "source" : "image"));
      entry.range = node.get(node.has("source") ? "source" : "image").range();
    }
    const JsonNode engines = node.require("engines", out_);
    const auto numbers = list(node, "engines");
    if (engines.is_array() && numbers.empty())
      engines.wrong(out_, "no microengine runs this program", "give it at least one, for example [0]");
    for (const JsonNode& number : numbers) {
      const auto engine = static_cast<unsigned>(number.u64(out_, 0, 15));
      if (std::find(entry.engines.begin(), entry.engines.end(), engine) != entry.engines.end())
        number.wrong(out_, fmt::format("microengine {} is named twice", engine), "name each microengine once");
      else
        entry.engines.push_back(engine);
    }
    for (const auto& [name, value] : members(node, "define")) {
      if (value.is_object() || value.is_array())
        value.wrong(out_, "a definition is a number or a text");
      else
        add_define(entry, name, text_of(value), value, out_);
    }
    for (const JsonNode& dir : list(node, "include")) entry.include_dirs.push_back(resolve(dir.string(out_)));
    entry.case_sensitive = node.get("case_sensitive").boolean(out_, case_sensitive_);
    entry.include_dirs.insert(entry.include_dirs.end(), include_.begin(), include_.end());
    if (node.has("rules")) {
      entry.rules = file_of(node.get("rules"));
      entry.rules_range = node.get("rules").range();
      if (entry.is_image)
        node.get("rules").wrong(out_, "an Image cannot get rules", "name its source, which includes compiled_rules.uc");
    }
    project_.programs.push_back(std::move(entry));
  }

  void engines_are_used_once() {
    std::map<std::pair<std::string, unsigned>, const ProgramEntry*> owner;
    for (const ProgramEntry& entry : project_.programs) {
      for (unsigned engine : entry.engines) {
        const auto [at, fresh] = owner.emplace(std::pair(entry.chip.name, engine), &entry);
        if (fresh) continue;
        Diagnostic& d = out_.error("project-engine-twice", entry.range,
                                   fmt::format("microengine {} already runs another program", engine),
                                   "give each microengine to one program");
        d.notes.push_back({at->second->range, "the other program is here"});
      }
    }
  }

  void memory(const JsonNode& parent, const std::string& name) {
    const JsonNode node = parent.get(name);
    const auto* region =
        std::find_if(std::begin(kRegions), std::end(kRegions), [&](const auto& r) { return r.first == name; });
    if (region == std::end(kRegions)) {
      node.wrong(out_, fmt::format("'{}' is not a memory", name), "use scratch, sram0 ... sram3 or dram");
      return;
    }
    for (const JsonNode& space : list(parent, name)) {
      space.only({"begin", "end"}, out_);
      image::Space s;
      s.region = region->second;
      s.begin = space.require("begin", out_).u64(out_);
      s.end = space.require("end", out_).u64(out_);
      if (s.begin >= s.end && !out_.has_errors())
        space.wrong(out_, "the space is empty", "'end', the first address after it, must be above 'begin'");
      for (const auto& [other, where] : spaces_)
        if (other.region == s.region && s.begin < other.end && other.begin < s.end) {
          out_.error("project-spaces-overlap", space.range(),
                     fmt::format("the space from {:#x} to {:#x} of {} lies over another one", s.begin, s.end, name),
                     "give each address to one space: blocks of both would be placed there")
              .notes.push_back({where, fmt::format("the other one goes from {:#x} to {:#x}", other.begin, other.end)});
          break;
        }
      project_.spaces.push_back(s);
      spaces_.emplace_back(s, space.range());
    }
  }

  void port(const JsonNode& node) {
    node.only({"port", "in", "out"}, out_);
    PortEntry entry;
    entry.range = node.range();
    entry.port = static_cast<unsigned>(node.require("port", out_).u64(out_, 0, 31));
    const auto [first, is_new] = named_.try_emplace({"ports", "", std::to_string(entry.port)}, entry.range);
    if (!is_new)
      out_.error("project-port-twice", entry.range, fmt::format("port {} is described twice", entry.port),
                 "describe each port once")
          .notes.push_back({first->second, "first here"});
    if (node.has("in")) traffic(node.get("in"), entry.in);
    if (node.has("out")) {
      const JsonNode out = node.get("out");
      entry.out = out.is_string() && out.string(out_) == "-" ? fs::path("-") : file_of(out);
    }
    project_.ports.push_back(std::move(entry));
  }

  void traffic(const JsonNode& node, TrafficEntry& entry) {
    node.only({"capture", "timing", "offset", "repeat", "generate"}, out_);
    if (node.has("capture") == node.has("generate")) {
      node.wrong(out_, "traffic is either a 'capture' or something to 'generate'", "name one of the two");
      return;
    }
    if (node.has("capture")) {
      entry.kind = TrafficEntry::Kind::capture;
      entry.capture = file_of(node.get("capture"));
      entry.capture_range = node.get("capture").range();
      entry.repeat = node.get("repeat").u64(out_, 1, UINT64_MAX, 1);
      const std::string timing = node.get("timing").string(out_, "line-rate");
      if (timing != "line-rate" && timing != "capture")
        node.get("timing").wrong(out_, fmt::format("'{}' is not a timing", timing),
                                 "\"line-rate\" sends back to back, \"capture\" at the recorded times");
      entry.line_rate = timing == "line-rate";
      if (node.has("offset")) offset(node.get("offset"), entry);
      if (!entry.line_rate && entry.repeat != 1)
        node.get("repeat").wrong(out_, "a capture at its recorded times is sent once",
                                 "leave 'repeat' out, or write \"timing\": \"line-rate\"");
      return;
    }
    if (node.has("offset"))
      node.get("offset").wrong(out_, "'offset' moves a capture against the others", "leave it out");
    const JsonNode g = node.get("generate");
    g.only({"count", "size", "destinations", "destinations-from", "via", "distinct", "special", "source", "flows",
            "destination-mac", "source-mac", "rate", "labels"},
           out_);
    entry.kind = TrafficEntry::Kind::generated;
    entry.count = g.require("count", out_).u64(out_, 1);
    if (g.has("size")) {
      const JsonNode size = g.get("size");
      if (size.is_string() && size.raw().get<std::string>() == "imix")
        entry.size = "imix";
      else
        entry.size = std::to_string(size.u64(out_, 56, 9018, 64));
    }
    if (g.has("destinations-from")) {
      if (g.has("destinations"))
        g.get("destinations").wrong(out_, "destinations come from a list or from a table", "leave one of the two out");
      entry.table = file_of(g.get("destinations-from"));
      entry.distinct = static_cast<uint32_t>(g.get("distinct").u64(out_, 1, 1u << 20, 0));
      if (g.has("via")) via(g.get("via"), entry);
    } else {
      entry.destinations = g.require("destinations", out_).string(out_);
      if (g.has("distinct"))
        g.get("distinct")
            .wrong(out_, "'distinct' says how many are taken from a table", "name a table in 'destinations-from'");
    }
    entry.source = g.get("source").string(out_, entry.source);
    if (g.has("special")) special(g.get("special"), entry);
    entry.flows = static_cast<uint32_t>(g.get("flows").u64(out_, 1, kMaxFlows, entry.flows));
    entry.destination_mac = g.get("destination-mac").string(out_);
    entry.source_mac = g.get("source-mac").string(out_, entry.source_mac);
    if (g.has("labels")) labels(g.get("labels"), entry);
    entry.rate = g.has("rate") ? g.get("rate").number(out_, 1.0) : 1.0;
    if (!(entry.rate >= 0.001 && entry.rate <= 1))
      g.get("rate").wrong(out_, "the rate is a share of the line rate", "write a number from 0.001 to 1");
  }

  void offset(const JsonNode& node, TrafficEntry& entry) {
    if (entry.line_rate)
      node.wrong(out_, "a capture that is sent back to back has no times that could be moved",
                 "write \"timing\": \"capture\", or leave 'offset' out");
    const std::string text = node.string(out_);
    const bool minus = text.starts_with('-');
    const size_t first = minus ? 1 : 0, unit = text.find_first_not_of("0123456789", first);
    const std::string name = unit == std::string::npos ? "" : text.substr(unit);
    uint64_t number = 0;
    const char *begin = text.data() + first, *end = text.data() + (text.size() - name.size());
    const bool read = begin < end && std::from_chars(begin, end, number).ec == std::errc();
    const int64_t factor = name == "ns"   ? 1
                           : name == "us" ? 1000
                           : name == "ms" ? 1'000'000
                           : name == "s"  ? 1'000'000'000
                                          : 0;
    if (!read || factor == 0 || number > static_cast<uint64_t>(INT64_MAX / factor / 16)) {
      node.wrong(out_, fmt::format("'{}' is not a time", text),
                 "write a whole number with its unit, such as \"20us\" or \"-3ms\"; units are ns, us, ms and s");
      return;
    }
    entry.offset_nanoseconds = (minus ? -1 : 1) * static_cast<int64_t>(number) * factor;
  }

  void labels(const JsonNode& node, TrafficEntry& entry) {
    constexpr uint64_t kMax = (1u << 20) - 1;
    if (!node.is_array())
      return node.wrong(out_, "labels are a list, the top one first", "write [32, 40], or [\"32-63\"]");
    for (const JsonNode& item : node.items()) {
      TrafficEntry::Label label;
      if (item.is_string()) {
        const std::string text = item.string(out_);
        int read = 0;
        if (std::sscanf(text.c_str(), "%u-%u%n", &label.first, &label.last, &read) != 2 ||
            static_cast<size_t>(read) != text.size() || label.first > label.last || label.last > kMax)
          item.wrong(out_, fmt::format("'{}' is not a range of labels", text),
                     "write a label, such as 32, or a range, such as \"32-63\"");
      } else {
        label.first = label.last = static_cast<uint32_t>(item.u64(out_, 0, kMax, 0));
      }
      entry.labels.push_back(label);
    }
  }

  void via(const JsonNode& node, TrafficEntry& entry) {
    const std::string text = node.string(out_);
    unsigned part = 0, parts = 0;
    int read = 0;
    if (std::sscanf(text.c_str(), "%u/%u%n", &part, &parts, &read) != 2 || static_cast<size_t>(read) != text.size() ||
        part >= parts) {
      node.wrong(out_, fmt::format("'{}' names no rows of the table", text),
                 "\"1/4\" takes the rows whose next hop is 1, 5, 9 ...: those of the second of four neighbours");
      return;
    }
    entry.via = part;
    entry.vias = parts;
  }

  void special(const JsonNode& node, TrafficEntry& entry) {
    node.only({"kind", "permille", "to"}, out_);
    const std::string kind = node.require("kind", out_).string(out_);
    entry.special = kind == "local" ? TrafficEntry::Special::local : TrafficEntry::Special::options;
    if (kind != "local" && kind != "options")
      node.get("kind").wrong(out_, fmt::format("'{}' is not a kind of packet", kind),
                             "\"local\": to the router itself; \"options\": with IP options");
    entry.special_permille = static_cast<uint32_t>(node.require("permille", out_).u64(out_, 0, 1000));
    entry.special_to = node.get("to").string(out_);
  }

  void control(const JsonNode& node) {
    node.only({"program", "chip", "config", "options", "commands"}, out_);
    ControlEntry entry;
    entry.chip = chip_name(node);
    entry.range = node.range();
    // The control processor does commands without a program, too.
    const bool commands_alone =
        node.has("commands") && !node.has("program") && !node.has("config") && !node.has("options");
    if (!commands_alone) {
      entry.program = node.require("program", out_).string(out_);
      entry.program_range = node.get("program").range();
      if (node.get("program").is_string() && entry.program.empty())
        node.get("program").wrong(out_, "this name must not be empty");
      entry.config = file_of(node.require("config", out_));
      entry.config_range = node.get("config").range();
      for (const auto& [name, value] : members(node, "options")) entry.options[name] = text_of(value);
    }
    for (const JsonNode& line : list(node, "commands")) {
      const std::string text = line.string(out_);
      entry.commands += text + "\n";
      entry.command_places.insert(entry.command_places.end(),
                                  1 + static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), line.range());
    }
    project_.control = std::move(entry);
  }

  void pool(const JsonNode& node) {
    node.only({"name", "chip", "free", "memory", "base", "size", "count", "shift", "fill"}, out_);
    PoolEntry entry;
    entry.chip = chip_name(node);
    entry.range = node.range();
    emulator::BufferPool& pool = entry.pool;
    pool.name = entry.name = node.require("name", out_).string(out_);
    const JsonNode free = node.require("free", out_);
    free.only({"ring", "sram-ring", "sram-queue", "channel"}, out_);
    using List = emulator::BufferPool::List;
    const std::pair<const char*, List> kinds[] = {
        {"ring", List::scratch_ring}, {"sram-ring", List::sram_ring}, {"sram-queue", List::sram_queue}};
    unsigned named = 0;
    for (const auto& [key, kind] : kinds) {
      if (!free.has(key)) continue;
      ++named;
      pool.list = kind;
      pool.list_number = static_cast<unsigned>(free.get(key).u64(out_, 0, kind == List::scratch_ring ? 15 : 63));
    }
    if (named != 1)
      free.wrong(out_, "the free list is one ring or queue",
                 "write {\"ring\": 0}, {\"sram-ring\": 0} or {\"sram-queue\": 0}");
    pool.list_channel = static_cast<unsigned>(free.get("channel").u64(out_, 0, 3));
    const std::string memory = node.get("memory").string(out_, "dram");
    if (memory == "dram") {
      pool.space = emulator::MemorySpace::dram;
    } else if (memory.size() == 5 && memory.starts_with("sram") && memory[4] >= '0' && memory[4] <= '3') {
      pool.space = emulator::MemorySpace::sram;
      pool.channel = static_cast<unsigned>(memory[4] - '0');
    } else {
      node.get("memory").wrong(out_, fmt::format("buffers cannot lie in '{}'", memory), "use dram or sram0 ... sram3");
    }
    pool.base = node.require("base", out_).u64(out_, 0, UINT64_MAX);
    pool.size = node.require("size", out_).u64(out_, 8, uint64_t{1} << 20, 8);
    pool.count = node.require("count", out_).u64(out_, 1, uint64_t{1} << 22, 1);
    pool.shift = static_cast<unsigned>(node.get("shift").u64(out_, 0, 12));
    entry.fill = node.has("fill") && node.get("fill").boolean(out_);
    own_name(node, entry, "pools", "project-pool");
    project_.pools.push_back(std::move(entry));
  }

  /// Reports and symbols find a pool or a ring by its name: a chip has no two of one name.
  template <typename Entry>
  void own_name(const JsonNode& node, const Entry& entry, const char* what, const char* code) {
    const JsonNode name = node.get("name");
    if (!name.is_string()) return;
    if (entry.name.empty()) return name.wrong(out_, "this name must not be empty", "write what it is called");
    const auto [first, is_new] = named_.try_emplace({what, entry.chip.name, entry.name}, name.range());
    if (is_new) return;
    out_.error(code, name.range(), fmt::format("two {} have the name '{}'", what, entry.name),
               "give each a name of its own")
        .notes.push_back({first->second, "first here"});
  }

  void ring(const JsonNode& node) {
    node.only({"name", "chip", "ring", "sram-ring", "channel", "base", "size", "status", "contents"}, out_);
    RingEntry entry;
    entry.name = node.get("name").string(out_);
    entry.chip = chip_name(node);
    entry.range = node.range();
    if (node.has("ring") == node.has("sram-ring")) {
      node.wrong(out_, "a ring is either a scratch ring or a ring of the queue array",
                 "write \"ring\": 3, or \"sram-ring\": 3 with its \"channel\"");
      return;
    }
    entry.sram = node.has("sram-ring");
    entry.number =
        static_cast<unsigned>(node.get(entry.sram ? "sram-ring" : "ring").u64(out_, 0, entry.sram ? 63 : 15));
    for (const char* name : {"channel", "status"})
      if (node.has(name) && entry.sram != (std::string_view(name) == "channel"))
        node.get(name).wrong(out_, entry.sram ? "rings in SRAM have no status line" : "scratch rings have no channel",
                             "leave it out");
    entry.channel = static_cast<unsigned>(node.get("channel").u64(out_, 0, 3));
    entry.base = node.require("base", out_).u64(out_, 0, UINT32_MAX);
    entry.longwords = static_cast<uint32_t>(node.require("size", out_).u64(out_, 0, 65536));
    if (node.has("status")) {
      const std::string status = node.get("status").string(out_);
      entry.status_is_empty = status == "empty";
      if (status != "empty" && status != "full")
        node.get("status").wrong(out_, fmt::format("'{}' is nothing that a status line shows", status),
                                 "write \"full\" or \"empty\"");
    }
    for (const JsonNode& word : list(node, "contents"))
      entry.contents.push_back(static_cast<uint32_t>(word.u64(out_, 0, UINT32_MAX)));
    own_name(node, entry, "rings", "project-ring");
    project_.rings.push_back(std::move(entry));
  }

  image::Region memory_of(const JsonNode& node) {
    const std::string name = node.string(out_);
    const auto* region =
        std::find_if(std::begin(kRegions), std::end(kRegions), [&](const auto& r) { return r.first == name; });
    if (region != std::end(kRegions)) return region->second;
    node.wrong(out_, fmt::format("'{}' is not a memory", name), "use scratch, sram0 ... sram3 or dram");
    return {};
  }

  void reason(const JsonNode& node) {
    node.only({"name", "chip", "fate", "memory", "address", "block", "offset", "ports", "stride"}, out_);
    ReasonEntry entry;
    entry.name = node.require("name", out_).string(out_);
    if (node.get("name").is_string() && entry.name.empty()) node.get("name").wrong(out_, "this name must not be empty");
    entry.chip = chip_name(node);
    entry.range = node.range();
    const std::string fate = node.get("fate").string(out_, "dropped");
    entry.to_core = fate == "control";
    entry.made = fate == "made";
    if (fate != "dropped" && !entry.to_core && !entry.made)
      node.get("fate").wrong(out_, fmt::format("'{}' is nothing that can become of a packet", fate),
                             "write \"dropped\", \"control\" for packets that the control processor gets, or \"made\" "
                             "for frames that the program itself makes");
    if (node.has("block") == node.has("memory")) {
      node.wrong(out_, "a counter lies either in a memory block of a program or at an address",
                 "write \"block\": \"counters\", \"offset\": 4, or \"memory\": \"scratch\", \"address\": \"0x3f00\"");
      return;
    }
    if (node.has("block")) {
      entry.block = node.get("block").string(out_);
      entry.address = node.get("offset").u64(out_, 0, UINT32_MAX);
      if (node.has("address")) node.get("address").wrong(out_, "in a block a counter has an 'offset'", "name that");
    } else {
      entry.region = memory_of(node.get("memory"));
      entry.address = node.require("address", out_).u64(out_, 0, UINT32_MAX);
      if (node.has("offset"))
        node.get("offset").wrong(out_, "a counter has an 'offset' in a block only", "add it to the address");
    }
    if (entry.address % 4 != 0)
      node.get(node.has("block") ? "offset" : "address").wrong(out_, "a counter is a longword", "use a multiple of 4");
    entry.ports = static_cast<unsigned>(node.get("ports").u64(out_, 1, 32, 0));
    if (node.has("stride")) entry.port_stride = node.get("stride").u64(out_, 4, 1u << 20, 4);
    if (entry.port_stride % 4 != 0) node.get("stride").wrong(out_, "counters are longwords", "use a multiple of 4");
    const auto [first, is_new] = named_.try_emplace({entry.to_core ? "reasons to the core"
                                                     : entry.made  ? "frames made"
                                                                   : "reasons",
                                                     entry.chip.name, entry.name},
                                                    entry.range);
    if (!is_new)
      out_.error("project-reason", entry.range, fmt::format("the reason '{}' is described twice", entry.name),
                 "give each reason a name of its own, or \"ports\"")
          .notes.push_back({first->second, "first here"});
    project_.reasons.push_back(std::move(entry));
  }

  void table(const JsonNode& node) {
    node.only({"chip", "block", "memory", "address", "bytes"}, out_);
    TableEntry entry;
    entry.chip = chip_name(node);
    entry.range = node.range();
    if (node.has("block") == node.has("memory")) {
      node.wrong(out_, "a table is a memory block of a program, or lies at an address",
                 "write \"block\": \"flows\", or \"memory\": \"sram0\", \"address\": \"0x1000\", \"bytes\": 4096");
      return;
    }
    if (node.has("block")) {
      entry.block = node.get("block").string(out_);
      if (node.get("block").is_string() && entry.block.empty())
        node.get("block").wrong(out_, "this name must not be empty");
      for (const char* name : {"address", "bytes"})
        if (node.has(name)) node.get(name).wrong(out_, "a block is a table as a whole", "leave it out");
    } else {
      entry.region = memory_of(node.get("memory"));
      entry.address = node.require("address", out_).u64(out_, 0, UINT32_MAX);
      entry.bytes = node.require("bytes", out_).u64(out_, 4, UINT32_MAX, 4);
      if (entry.address % 4 != 0) node.get("address").wrong(out_, "a table is of longwords", "use a multiple of 4");
      if (entry.bytes % 4 != 0) node.get("bytes").wrong(out_, "a table is of longwords", "use a multiple of 4");
    }
    project_.tables.push_back(std::move(entry));
  }

  void limits(const JsonNode& node) {
    node.only({"cycles", "packets", "quiet"}, out_);
    project_.limits.cycles = node.get("cycles").u64(out_);
    project_.limits.packets = node.get("packets").u64(out_);
    project_.limits.quiet_cycles = node.get("quiet").u64(out_);
  }

  Project& project_;
  const Overrides& overrides_;
  Diagnostics& out_;
  std::vector<fs::path> include_;
  std::map<std::array<std::string, 3>, SourceRange> named_;  ///< kind, chip, name
  bool case_sensitive_ = false;
  std::vector<std::pair<image::Space, SourceRange>> spaces_;  ///< of the project, with their places
};

/// "limits.cycles" -> "/limits/cycles".
std::string pointer_of(const std::string& dotted) {
  std::string out = "/";
  for (char c : dotted) out += c == '.' ? '/' : c;
  return out;
}

/// Where the value at "rings.3.base" stands in the file; of one that is not there what is to hold it.
SourceRange place_in_file(const JsonDocument& document, const std::string& dotted) {
  JsonNode node = document.root();
  SourceRange place = node.range();
  for (size_t at = 0; at <= dotted.size();) {
    const size_t end = std::min(dotted.find('.', at), dotted.size());
    const std::string name = dotted.substr(at, end - at);
    at = end + 1;
    if (node.is_array()) {
      const std::vector<JsonNode> items = node.items();
      size_t index = items.size();
      std::from_chars(name.data(), name.data() + name.size(), index);
      if (index >= items.size()) break;
      node = items[index];
    } else if (node.is_object() && node.has(name)) {
      node = node.get(name);
    } else {
      break;
    }
    if (node.range().begin.line != 0) place = node.range();
  }
  return place;
}

/// JSON where it is that, else the text as it is. `place`: where a test has it.
Result<nlohmann::json> value_from_text(const std::string& key, const std::string& text, const SourceRange& place) {
  const auto document = JsonDocument::parse(make_source("--set " + key, text));
  if (document) return document->root().raw();
  if (document.error().list().front().code == "json-syntax") return nlohmann::json(text);
  return tl::unexpected(document.error().changed([&](Diagnostic& d) {
    if (place) d.range = place;
  }));
}

/// A capture instead of the frames of a port; when and how often it sends them stays.
nlohmann::json other_capture(nlohmann::json in, const fs::path& file) {
  if (!in.is_object()) in = nlohmann::json::object();
  in.erase("generate");
  in["capture"] = file.string();
  return in;
}

/// `value` makes the new value of the port's `key` from the one before, null when there was none.
Result<bool> port_override(JsonDocument& document, unsigned port, const char* key,
                           const std::function<nlohmann::json(nlohmann::json)>& value) {
  const auto ports = document.root().get("ports").items();
  size_t index = 0;
  for (; index < ports.size(); ++index) {
    Diagnostics ignored;
    if (ports[index].get("port").u64(ignored, 0, UINT64_MAX, UINT64_MAX) == port) break;
  }
  const std::string base = fmt::format("/ports/{}", index);
  const bool is_there = index < ports.size() && ports[index].has(key);
  const nlohmann::json before = is_there ? ports[index].get(key).raw() : nlohmann::json();
  if (index == ports.size()) {
    auto with_port = document.with(base + "/port", port);
    if (!with_port) return tl::unexpected(std::move(with_port.error()));
    document = std::move(*with_port);
  }
  auto changed = document.with(base + "/" + key, value(before));
  if (!changed) return tl::unexpected(std::move(changed.error()));
  document = std::move(*changed);
  return true;
}

}  // namespace

namespace {

/// What was made on the way to a value that is put in has no place in the file: say where it comes from.
Diagnostics with_origin(Diagnostics problems, const Overrides& overrides) {
  std::string given;
  const auto add = [&](const std::string& text) { given += (given.empty() ? "" : ", ") + text; };
  for (const auto& [key, value] : overrides.set)
    if (!overrides.set_places.contains(key)) add(fmt::format("--set {}={}", key, value));
  for (const auto& [port, name] : overrides.in) add(fmt::format("--in {}={}", port, name));
  for (const auto& [port, name] : overrides.out) add(fmt::format("--out {}={}", port, name));
  return problems.changed([&](Diagnostic& d) {
    if (d.range.begin.line != 0) return;
    if (!given.empty()) d.notes.push_back({{}, "the command line changes the project: " + given});
    for (const auto& [key, place] : overrides.set_places)
      d.notes.push_back({place, fmt::format("the test changes '{}' of the project here", key)});
  });
}

}  // namespace

Result<Project> load_project(const std::string& path, const Overrides& overrides) {
  fs::path file(path);
  std::error_code error;
  if (fs::is_directory(file, error)) {
    file = tidy(file / "weft.json");
    const bool exists = fs::exists(file, error);
    if (!exists && error == std::errc::permission_denied)
      return fail("file-unreadable", whole_file(path), fmt::format("the folder '{}' may not be read", path),
                  "check its permissions");
    if (!exists && error)
      return fail("file-unreadable", whole_file(path),
                  fmt::format("'{}' cannot be read: {}", file.string(), error.message()), "check what stands there");
    if (!exists)
      return fail("project-missing", whole_file(path), fmt::format("the folder '{}' has no weft.json", path),
                  "name a project folder, or the project file itself");
  }
  auto document = JsonDocument::read(file.string());
  if (!document) return tl::unexpected(std::move(document.error()));

  Project project;
  for (const auto& [key, value] : overrides.set) {
    const auto in_test = overrides.set_places.find(key);
    const SourceRange place = in_test == overrides.set_places.end() ? SourceRange{} : in_test->second;
    project.changes.emplace_back(
        place_in_file(*document, key),
        place ? Note{place, fmt::format("the test changes '{}' of the project here", key)}
              : Note{{}, fmt::format("the command line changes the project: --set {}={}", key, value)});
    if (static_cast<size_t>(std::count(key.begin(), key.end(), '.')) >= limits::kJsonNesting)
      return fail(
          "input-limit", place ? place : whole_file("--set"),
          fmt::format("'{}...' has more than {} names inside each other", key.substr(0, 60), limits::kJsonNesting),
          "name a value of the project, such as limits.cycles");
    auto wanted = value_from_text(key, value, place);
    if (!wanted) return tl::unexpected(std::move(wanted.error()));
    auto changed = document->with(pointer_of(key), std::move(*wanted), place);
    if (!changed) return tl::unexpected(with_origin(std::move(changed.error()), overrides));
    document = std::move(changed);
  }
  // Names on the command line start at the current folder, not at the project's.
  for (const auto& [port, name] : overrides.in) {
    auto done = port_override(*document, port, "in", [&file = name](nlohmann::json in) {
      return other_capture(std::move(in), fs::absolute(file));
    });
    if (!done) return tl::unexpected(std::move(done.error()));
  }
  for (const auto& [port, name] : overrides.out) {
    auto done = port_override(*document, port, "out",
                              [&file = name](const auto&) { return file == "-" ? file : fs::absolute(file).string(); });
    if (!done) return tl::unexpected(std::move(done.error()));
  }

  project.folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  project.folder = tidy(project.folder);
  project.document = *document;
  Diagnostics out;
  Reader(project, overrides, out).read(document->root());
  if (overrides.seed) project.seed = *overrides.seed;
  if (out.has_errors()) return tl::unexpected(with_origin(with_changes(out, project), overrides));
  return project;
}

fs::path data_folder() {
  if (const char* given = std::getenv("WEFT_DATA")) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share/weft";
    if (fs::exists(installed / "boards", error)) return installed;
  }
  return WEFT_DATA_DIR;
}

}  // namespace weft::workbench
