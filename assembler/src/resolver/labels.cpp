// Labels: those of the program and those that structured blocks make.
#include "resolver/labels.h"

#include <fmt/format.h>

#include "source/recorder.h"
#include "source/suggest.h"

namespace weft::assembler {

void Labels::define(std::string_view text, const Origin& origin) {
  const std::string name = sources_.names().key(text);
  if (const auto at = ids_.find(name); at != ids_.end()) {
    const Origin& first = program_.labels[static_cast<size_t>(at->second)].origin;
    report_
        .error("asm-duplicate-label", origin, fmt::format("the label '{}' is defined twice", text),
               case_remedy(text, report_.source_text(first)))
        .notes.push_back({sources_.range(first), "the first definition is here"});
    return;
  }
  const auto id = static_cast<LabelId>(program_.labels.size());
  if (Recorder* recorder = sources_.recorder()) recorder->label_defined(id, name, origin);
  ids_.emplace(name, id);
  program_.labels.push_back({name, 0, origin, false});
  states_.emplace_back();
}

std::string_view Labels::make(std::string name, const Origin& origin) {
  const auto [at, fresh] = ids_.try_emplace(name, static_cast<LabelId>(program_.labels.size()));
  if (!fresh) {
    report_.error("asm-reserved-label", program_.labels[static_cast<size_t>(at->second)].origin,
                  fmt::format("the label '{}' belongs to a structured block", name), "names l<number>_ are reserved");
    return at->first;
  }
  program_.labels.push_back({std::move(name), 0, origin, true});
  states_.emplace_back();
  return at->first;
}

void Labels::place(std::string_view name) {
  const auto id = static_cast<size_t>(ids_.find(name)->second);
  program_.labels[id].index = program_.next_index();
  states_[id].placed = true;
}

void Labels::reach(std::string_view text) {
  const std::string name = sources_.names().key(text);
  if (!states_[static_cast<size_t>(ids_.find(name)->second)].placed) place(name);
}

std::optional<LabelId> Labels::use(std::string_view text, const Origin& origin) {
  const std::string name = sources_.names().key(text);
  const auto at = ids_.find(name);
  if (at != ids_.end()) {
    if (Recorder* recorder = sources_.recorder()) recorder->label_used(at->second, origin);
    auto& used = states_[static_cast<size_t>(at->second)].used;
    if (!used) used = origin;
    return at->second;
  }
  if (report_.first_use_of(name)) {
    std::vector<std::string> names;
    if (report_.suggests()) {
      for (const auto& [known_name, id] : ids_) names.push_back(known_name);
    }
    const auto near = suggestions(name, names);
    fix_name(report_.error("asm-undefined-label", origin, fmt::format("the label '{}' is not defined", text),
                           near ? did_you_mean(near) : ""),
             sources_, origin, name, near);
  }
  return std::nullopt;
}

LabelId Labels::at(uint32_t index) const {
  for (size_t i = 0; i < program_.labels.size(); ++i) {
    if (states_[i].placed && program_.labels[i].index == index) return static_cast<LabelId>(i);
  }
  return -1;
}

void Labels::finish(bool blocks_closed) const {
  if (report_.has_errors()) return;  // an instruction that was refused may be the one that is missing
  for (size_t i = 0; i < program_.labels.size(); ++i) {
    const Label& l = program_.labels[i];
    if (!states_[i].used || l.index < program_.insns.size()) continue;
    if (l.generated && !blocks_closed) continue;  // reported as open
    if (l.generated) {
      report_.error("asm-block-at-end", l.origin, "an instruction must follow this block, for its branches to lead to",
                    "add a nop, or whatever comes next");
    } else {
      report_.error("asm-label-at-end", l.origin, fmt::format("no instruction follows the label '{}'", l.name),
                    "add a nop, or whatever comes next");
    }
  }
}

}  // namespace weft::assembler
