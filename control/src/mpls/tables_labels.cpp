// Label switched paths of the router's tables: entries of the label table, and the next hops that they share with
// routes.
#include <fmt/format.h>

#include "mpls/layout.h"
#include "tables.h"

namespace weft::control {

std::optional<mpls::Lsp> RouterTables::label(uint32_t label) const {
  const mpls::EntryWords words = labels_.at(label);
  auto out = mpls::lsp_of(words);
  if (!out || !out->has_hop()) return out;
  const auto hop = hops_.find(mpls::hop_of_entry(words));
  if (hop != hops_.end() && hop->second.way) out->via = hop->second.way->gateway;
  return out;
}

Result<bool> RouterTables::put_label(uint32_t label, const mpls::Lsp& lsp, TableChange* change) {
  if (label >= labels_.labels()) {
    return fail("control-label", {}, fmt::format("the label {} is beyond the table of {}", label, labels_.labels()),
                fmt::format("take a smaller one, or a line with a larger table: mpls labels {}", mpls::kMaxLabels));
  }
  std::optional<uint32_t> hop;
  if (lsp.has_hop()) {
    if (!lsp.via || is_own(*lsp.via) || connected_interface(*interfaces_, *lsp.via) == kNoInterface) {
      return fail("control-next-hop", {},
                  fmt::format("the next hop of label {} is {}", label,
                              lsp.via && is_own(*lsp.via) ? "the router itself" : "on no interface's network"),
                  "a next hop must be a neighbour on a connected network");
    }
    hop = way_hop({*lsp.via}, change);
    if (!hop)
      return fail("control-trie-full", {}, "there is no room for another next hop",
                  "use a board with more SRAM, or fewer routes");
  }
  const mpls::EntryWords before = labels_.at(label), words = mpls::words_of(lsp, hop.value_or(0));
  if (before == words) return true;
  if (!labels_.set(label, words, change)) {
    if (hop) drop_unused(*hop, change);
    return fail(
        "control-label", {},
        fmt::format("label {} cannot be replaced yet: {} other labels have just been", label, mpls::kSpareEntries),
        "say it again a few milliseconds later");
  }
  if (hop) use(*hop);
  if (const uint32_t old = mpls::hop_of_entry(before); old != 0) unuse(old);
  return true;
}

Result<bool> RouterTables::set_label(uint32_t label, const mpls::Lsp& lsp, TableChange& change) {
  return put_label(label, lsp, &change);
}

Result<bool> RouterTables::remove_label(uint32_t label, TableChange& change) {
  const mpls::EntryWords before = labels_.at(label);
  if (before[0] == 0 || label < mpls::kFirstFreeLabel) {
    return fail("control-label", {},
                label < mpls::kFirstFreeLabel ? fmt::format("the label {} is reserved", label)
                                              : fmt::format("there is no label {}", label),
                "show labels tells how many there are, show label N what is done with one");
  }
  labels_.erase(label, change);
  if (const uint32_t old = mpls::hop_of_entry(before); old != 0) unuse(old);
  return true;
}

/// The reserved labels of RFC 3032 2.1, then those of the lines.
Result<bool> RouterTables::add_labels(const mpls::Config& config) {
  for (uint32_t label = 0; label < mpls::kFirstFreeLabel; ++label) {
    mpls::Lsp lsp;
    if (label == 0 || label == 2) {
      lsp.kind = mpls::Lsp::Kind::pop;
      lsp.version = label == 0 ? 4 : 6;
      lsp.mode = config.mode;
    } else {
      lsp.kind = mpls::Lsp::Kind::special;
      lsp.reason = static_cast<uint8_t>(label == 1 ? Reason::mpls_router_alert : Reason::mpls_reserved_label);
    }
    if (auto done = put_label(label, lsp, nullptr); !done) return done;
  }
  for (const mpls::LabelLine& line : config.lines) {
    mpls::Lsp lsp = line.lsp;
    for (uint32_t label = line.first; label <= line.last; ++label, ++lsp.out) {
      auto done = put_label(label, lsp, nullptr);
      if (done) continue;
      const Diagnostic& d = done.error().list().front();
      return fail(d.code, line.range, d.text, d.remedy);
    }
  }
  return true;
}

}  // namespace weft::control
