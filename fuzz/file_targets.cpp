// Readers of files: Images, projects, chip and board descriptions, router configurations, captures.
#include "targets.h"
#include "weft/assembler/assembler.h"
#include "weft/control/config.h"
#include "weft/control/firewall/compiled_rules.h"
#include "weft/control/firewall/rule_table.h"
#include "weft/emulator/board.h"
#include "weft/image/image.h"
#include "weft/packet/pcap.h"
#include "weft/workbench/project.h"

namespace weft::fuzz {
namespace {

/// What is accepted can be built and run: a frame at each port, an mpacket into each link.
void run_a_little(const emulator::BoardDescription& board) {
  emulator::Board machines(board);
  for (unsigned c = 0; c < machines.chip_count(); ++c) {
    emulator::Units& units = machines.units(c);
    for (unsigned port = 0; port < units.port_count(); ++port)
      units.set_source(port, std::make_shared<emulator::ListSource>(
                                 std::vector<emulator::Frame>{{std::vector<uint8_t>(100), 0, false}}));
    uint32_t element = 0;
    for (unsigned end = 0; end < units.link_count(); ++end) {
      if (!units.link(end).sends) continue;
      units.host().write_msf(0x1800 + 8 * element, 64u << 24 | 3u << 8 | units.link(end).channel, 0);
      units.host().write_msf(0x1804 + 8 * element++, 0, 0);
    }
  }
  machines.run_to({2000 * machines.machine().timing().period, 0});
}

}  // namespace

void image(std::string_view input) {
  const auto read = image::from_json(make_source("image.json", std::string(input)));
  if (!read) return refused(read.error());
  const std::string text = image::to_json(*read);
  const auto again = image::from_json(make_source("again.json", text));
  promise(again.has_value() && image::to_json(*again) == text, "an Image reads back as it was written");
  (void)assembler::disassemble(*read);
}

void project(std::string_view input) {
  const TemporaryFolder folder;
  const auto read = workbench::load_project(put(folder, "weft.json", input).string());
  if (!read) refused(read.error());
}

void description(std::string_view input) {
  const auto document = JsonDocument::parse(make_source("description.json", std::string(input)));
  if (!document) return refused(document.error());
  const auto chip = emulator::read_chip(*document, {(source_folder() / "emulator").string()});
  if (chip) {
    // On a board that is good.
    auto good = emulator::load_board(chip->profile == isa::Profile::me1 ? "nctu-1200" : "generic-2400",
                                     {(source_folder() / "emulator").string()});
    promise(good.has_value(), "the boards of the repository are good");
    const emulator::Tick period = good->chips[0].chip.engine.period;
    good->chips[0].chip = *chip;
    good->chips[0].chip.engine.period = period;
    run_a_little(*good);
    return;
  }
  refused(chip.error());
  const auto board = emulator::read_board(*document, {(source_folder() / "emulator").string()});
  if (!board) return refused(board.error());
  run_a_little(*board);
}

void router(std::string_view input) {
  const TemporaryFolder folder;
  const auto read = control::read_router_config(put(folder, "router.conf", input).string());
  if (!read) refused(read.error());
}

void rules(std::string_view input) {
  const std::vector<control::firewall::PortName> ports{{"inside", 0}, {"outside", 1}};
  const auto read = control::firewall::read_rules(make_source("test.rules", std::string(input)), ports);
  if (!read) return refused(read.error());
  std::string text;
  for (const control::firewall::Rule& rule : read->rules) text += to_text(rule) + "\n";
  text += read->accept_others ? "default accept\n" : "default drop\n";
  const auto again = control::firewall::read_rules(make_source("again.rules", text), {});
  promise(again.has_value(), "rules that are written down can be read");
  promise(table_words(*read) == table_words(*again), "rules mean the same when they are written down");
  const auto compiled = control::firewall::compile_rules(*read);
  if (!compiled) return refused(compiled.error());
  if (read->rules.size() > 200) return;
  const std::string program =
      compiled->text +
      ".reg volatile a b c d\ncompiled_rules(a, b, c, d, good#, bad#)\ngood#:\nnop\nbad#:\nctx_arb[kill]\n";
  promise(assembler::assemble(make_source("rules.uc", program), {}).image.has_value(), "compiled rules are microcode");
}

void pcap(std::string_view input) {
  const TemporaryFolder folder;
  packet::PcapReadOptions options;
  options.required.reset();
  options.allow_snapped = true;
  auto reader = packet::PcapReader::open(put(folder, "capture.pcap", input).string(), options);
  if (!reader) return refused(reader.error());
  for (;;) {
    const auto packet = reader->next();
    if (!packet) return refused(packet.error());
    if (!*packet) return;
    promise((*packet)->bytes.size() <= input.size(), "a packet is no longer than its file");
  }
}

}  // namespace weft::fuzz
