#include "sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "must.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

namespace weft::test {

namespace {

constexpr uint32_t kHeaders = 0x200000, kResults = 0x600000;

std::unique_ptr<workbench::Session> make(const Sweep& what, size_t count) {
  const unsigned contexts = std::min(what.contexts, what.board == "generic-2400" ? 8u : 4u);
  workbench::Overrides overrides;
  overrides.set = {{"board", what.board}};
  const auto define = [&](const std::string& name, uint64_t value) {
    overrides.set.emplace_back("programs.0.define." + name, fmt::format("{}", value));
  };
  define("CLASSIFIER", what.range ? 1 : 0);
  define("CONTEXTS", contexts);
  define("COUNT", count);
  define("HEADERS_AT", kHeaders);
  define("RESULTS_AT", kResults);
  return must(workbench::Session::create(
      must(workbench::load_project(WEFT_SOURCE_DIR "/examples/diffserv-edge-1200/curve", overrides))));
}

}  // namespace

std::vector<int> run_sweep(const Sweep& what, const control::classify::TableImage& table,
                           const std::vector<Fields>& headers, const Replacement* then) {
  REQUIRE(kHeaders + headers.size() * 16 <= kResults);
  REQUIRE(table.at + table.bytes() <= kHeaders);
  auto session = make(what, headers.size());
  auto& host = session->units().host();
  const auto write = [&](uint32_t address, uint32_t value) { host.write(emulator::MemorySpace::sram, address, value); };
  write(0, table.root);
  const auto place = [&](const control::classify::TableImage& image) {
    for (size_t i = 0; i < image.words.size(); ++i) write(image.at + static_cast<uint32_t>(i) * 4, image.words[i]);
  };
  place(table);
  for (size_t i = 0; i < headers.size(); ++i) {
    const auto& h = headers[i];
    const auto at = kHeaders + static_cast<uint32_t>(i) * 16;
    write(at, h[0]);
    write(at + 4, h[1]);
    write(at + 8, h[2] << 16 | h[3]);
    write(at + 12, h[4] << 8 | h[5]);
  }
  if (then) {
    place(then->table);
    workbench::RunControl control;
    control.limits.cycles = then->cycles;
    REQUIRE(session->run(control).kind == workbench::Stop::Kind::cycles);
    write(0, then->table.root);
  }
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::breakpoint);
  std::vector<int> out;
  for (size_t i = 0; i < headers.size(); ++i) {
    out.push_back(static_cast<int>(host.read(emulator::MemorySpace::sram, kResults + static_cast<uint32_t>(i) * 4)));
  }
  return out;
}

}  // namespace weft::test
