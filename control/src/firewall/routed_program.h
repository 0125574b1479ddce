// A control program before that of the router: commands of the rules are its own, and what a router counts is counted
// there.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "firewall/rule_commands.h"
#include "weft/control/control.h"

namespace weft::control::firewall {

class RoutedProgram : public ControlProgram {
 public:
  Result<std::string> compiled_rules(const std::string& command) const override {
    return RuleCommands::is_command(command) ? rules_.compiled(command) : std::string();
  }
  std::vector<ControlCount> counts() const override { return router_->counts(); }
  uint64_t packets() const override { return router_->packets(); }
  uint64_t kept() const override { return router_->kept(); }
  std::vector<uint32_t> kept_buffers() const override { return router_->kept_buffers(); }

 protected:
  RoutedProgram(std::unique_ptr<ControlProgram> router, RuleCommands rules)
      : router_(std::move(router)), rules_(std::move(rules)) {}
  RoutedProgram(const RoutedProgram& other)
      : ControlProgram(other), router_(other.router_->clone()), rules_(other.rules_) {}

  std::unique_ptr<ControlProgram> router_;
  RuleCommands rules_;
};

}  // namespace weft::control::firewall
