// Readers of files: Images, projects, chip and board descriptions, router configurations, captures.
#include "targets.h"
#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/control/config.h"
#include "weft/emulator/chip.h"
#include "weft/image/image.h"
#include "weft/packet/pcap.h"
#include "weft/workbench/project.h"

namespace weft::fuzz {
namespace {

void refused(const Diagnostics& diagnostics) {
  promise(diagnostics.has_errors(), "what is refused has an error");
  promise(!render_text(diagnostics).empty(), "every diagnostic can be shown");
  promise(!render_json(diagnostics).empty(), "diagnostics can be written as JSON");
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
  const auto read = workbench::load_project(folder.put("weft.json", input).string());
  if (!read) refused(read.error());
}

void description(std::string_view input) {
  const auto document = JsonDocument::parse(make_source("description.json", std::string(input)));
  if (!document) return refused(document.error());
  const auto chip = emulator::read_chip(*document);
  if (!chip) refused(chip.error());
  const auto board = emulator::read_board(*document, {WEFT_SOURCE_DIR "/emulator"});
  if (!board) refused(board.error());
}

void router(std::string_view input) {
  const TemporaryFolder folder;
  const auto read = control::read_router_config(folder.put("router.conf", input).string());
  if (!read) refused(read.error());
}

void pcap(std::string_view input) {
  const TemporaryFolder folder;
  packet::PcapReadOptions options;
  options.required.reset();
  options.allow_snapped = true;
  auto reader = packet::PcapReader::open(folder.put("capture.pcap", input).string(), options);
  if (!reader) return refused(reader.error());
  for (;;) {
    const auto packet = reader->next();
    if (!packet) return refused(packet.error());
    if (!*packet) return;
    promise((*packet)->bytes.size() <= input.size(), "a packet is no longer than its file");
  }
}

}  // namespace weft::fuzz
