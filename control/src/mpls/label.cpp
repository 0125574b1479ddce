#include "weft/control/mpls/label.h"

#include <fmt/format.h>

#include "mpls/layout.h"

namespace weft::control::mpls {

namespace {

constexpr uint32_t kTcShift = 9, kLabelShift = 12, kPacketTc = 1u << 8;

std::string_view mode_text(const Mode& mode) {
  return mode.ttl ? (mode.tc ? "uniform" : "uniform-ttl") : mode.tc ? "uniform-tc" : "pipe";
}

}  // namespace

uint32_t word_of(const PushLabel& l) {
  return l.label << kLabelShift | (l.tc ? uint32_t{*l.tc} << kTcShift : kPacketTc) | l.ttl.value_or(0);
}

PushLabel push_of(uint32_t word) {
  PushLabel out{word >> kLabelShift, {}, {}};
  if ((word & 0xff) != 0) out.ttl = static_cast<uint8_t>(word);
  if ((word & kPacketTc) == 0) out.tc = static_cast<uint8_t>(word >> kTcShift & 7);
  return out;
}

EntryWords words_of(const Lsp& l, uint32_t hop) {
  const uint32_t flags = (l.mode.ttl ? kFlagUniformTtl : 0) | (l.mode.tc ? kFlagUniformTc : 0);
  const uint32_t bottom = l.bottom == Lsp::Bottom::required  ? kFlagMustBeBottom
                          : l.bottom == Lsp::Bottom::refused ? kFlagMustNotBeBottom
                                                             : 0;
  switch (l.kind) {
    case Lsp::Kind::special: return {uint32_t{l.reason} << kReasonShift};
    case Lsp::Kind::swap:
      return {(kSwap + l.pushes.count) << kOperationShift | l.out, hop | bottom, l.pushes.words[0], l.pushes.words[1]};
    case Lsp::Kind::pop: return {(kPop + l.pops) << kOperationShift | l.version, bottom | flags};
    case Lsp::Kind::pop_forward: return {(kPopForward + l.pops) << kOperationShift | l.version, hop | bottom | flags};
  }
  return {};
}

std::optional<Lsp> lsp_of(const EntryWords& w) {
  const uint32_t operation = w[0] >> kOperationShift & 0xf;
  Lsp out;
  out.bottom = (w[1] & kFlagMustBeBottom) != 0      ? Lsp::Bottom::required
               : (w[1] & kFlagMustNotBeBottom) != 0 ? Lsp::Bottom::refused
                                                    : Lsp::Bottom::any;
  if (const uint32_t reason = w[0] >> kReasonShift; reason != 0) {
    out.kind = Lsp::Kind::special;
    out.reason = static_cast<uint8_t>(reason);
  } else if (operation >= kPop) {
    out.kind = operation >= kPopForward ? Lsp::Kind::pop_forward : Lsp::Kind::pop;
    out.pops = operation & 3;
    out.version = w[0] & 0xf;
    out.mode = {(w[1] & kFlagUniformTtl) != 0, (w[1] & kFlagUniformTc) != 0};
  } else if (operation >= kSwap) {
    out.out = w[0] & kLabelMask;
    out.pushes = {static_cast<uint8_t>(operation & 3), {w[2], w[3]}};
  } else {
    return std::nullopt;
  }
  return out;
}

bool uses_pushes(const EntryWords& w) {
  const uint32_t operation = w[0] >> kOperationShift & 0xf;
  return w[0] >> kReasonShift == 0 && operation > kSwap && operation < kPop;
}

std::string to_text(const LabelStack& stack) {
  std::string out;
  for (unsigned i = stack.count; i > 0; --i) {
    const PushLabel l = push_of(stack.words[i - 1]);
    out += fmt::format("{}{}", out.empty() ? "" : " ", l.label);
    if (l.ttl) out += fmt::format(" ttl {}", *l.ttl);
    if (l.tc) out += fmt::format(" tc {}", *l.tc);
  }
  return out;
}

std::string to_text(const Lsp& l) {
  std::string out;
  if (l.kind == Lsp::Kind::swap) {
    out = fmt::format("swap {}", l.out);
    if (l.pushes.count > 0) out += " push " + to_text(l.pushes);
  } else if (l.kind == Lsp::Kind::special) {
    return std::string(reason_name(l.reason));
  } else {
    out = fmt::format("pop {}", l.pops);
    if (l.version != 0) out += fmt::format(" ipv{}", l.version);
  }
  if (l.via) out += " via " + to_text(*l.via);
  if (l.kind != Lsp::Kind::swap) out += fmt::format(" {}", mode_text(l.mode));
  if (l.bottom != Lsp::Bottom::any) out += l.bottom == Lsp::Bottom::required ? " bottom" : " not-bottom";
  return out;
}

}  // namespace weft::control::mpls
