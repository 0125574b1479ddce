// What expressions of preprocessor lines can see: defines and macros, declared imports, the chip.
#pragma once

#include "preprocessor/state.h"

namespace weft::assembler {

class Preprocessor::Context : public ExpressionContext {
 public:
  explicit Context(Preprocessor& p) : p_(p) {}
  Width width() const override { return p_.settings_.wide ? Width::w64 : Width::w32; }
  bool is_defined(std::string_view name) override {
    const uint32_t id = p_.sources_.names().find(name);
    return id != Names::none && p_.macros_.is_defined(id);
  }
  /// Expansion has already been inside the quotes.
  std::string quoted_text(const Token& quoted) override { return ExpressionContext::quoted_text(quoted); }
  bool is_import(const Token& name) override {
    return p_.imports_.count(name_id(name)) || same_name(name.text, "__UENGINE_ID") || same_name(name.text, "__MEID") ||
           ExpressionContext::is_import(name);
  }
  void checkpoint() override { p_.sources_.checkpoint(); }
  int64_t chip_type() const override { return p_.chip_type_; }
  bool keeps_case() const override { return p_.sources_.names().keeps_case(); }
  bool undefined_is_zero() const override { return p_.settings_.undefined_is_zero; }
  std::vector<std::string> known_names() override {
    std::vector<std::string> names;
    for (uint32_t id = 1; id < p_.macros_.size(); ++id)
      if (const Define* d = p_.macros_.define(id)) names.emplace_back(d->name);
    return names;
  }

 private:
  Preprocessor& p_;
};

}  // namespace weft::assembler
