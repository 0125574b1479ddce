// Listens to the stages and fills an Index; private to src/index.
#pragma once

#include "index/data.h"
#include "preprocessor/preprocessor.h"
#include "resolver/scopes.h"
#include "source/recorder.h"

namespace weft::assembler {

class IndexBuilder final : public Recorder {
 public:
  explicit IndexBuilder(const Options& options) : options_(options) {}
  /// Throws Cancelled.
  Index build(SourceFilePtr main, const Index::Settings& settings);

 private:
  // --- Recorder (builder.cpp) ---
  void reached(const LineRef& line) override { note_state(line, IndexFile::kReached); }
  void skipped(const LineRef& line) override { note_state(line, IndexFile::kSkipped); }
  void files(std::deque<LexedFile> files) override;
  void line(const ast::Line& line) override;
  void scope_opened(const Origin& origin) override;
  void scope_closed(const Origin& origin) override;
  void declared(const Symbol& symbol, const Origin& origin) override;
  void used(const Symbol& symbol, const Origin& origin) override;
  void accessed(const Origin& origin, bool reads, bool writes) override;
  void label_defined(LabelId label, std::string_view name, const Origin& origin) override;
  void label_used(LabelId label, const Origin& origin) override;
  void linked_name(std::string_view name, const Origin& origin, bool memory, bool definition) override;
  void marked(const image::Mark& mark, const Origin& origin) override;
  void matched(const ast::Instruction& instruction, const isa::InsnInfo& info, const isa::Form& form,
               size_t skip) override;

  void note_state(const LineRef& line, uint8_t state);
  void finish(const Program& program);
  void allocate_names(Program program);

  // --- builder_text.cpp: what the text and the preprocessor say ---
  void lay_out(IndexFile& file);
  void base_classes(uint32_t file);
  void find_definitions(uint32_t file);
  void define_line(uint32_t file, size_t line);
  void macro_line(uint32_t file, size_t line);
  void find_uses(uint32_t file);
  void line_uses(uint32_t file, size_t line);
  void define_uses(uint32_t file, size_t line, const Token* begin, const Token* end, bool unexpanded);
  bool parameter_use(uint32_t file, const Token* t, const Token* end);
  void quoted_uses(uint32_t file, const Token& quoted);
  void expansions();
  void directive_words(uint32_t file, const LineRef& line);

  // --- builder_classes.cpp: a class for every token ---
  void set(uint32_t file, const Token* t, TokenClass kind, bool force = false);
  void set(const Origin& origin, TokenClass kind);
  void set_names(const Origin& origin, TokenClass kind);
  void statement(const ast::Line& line);
  void instruction_words(const ast::Instruction& i, const isa::InsnInfo& info, const isa::Form& form, size_t skip);
  void expression_words(const ast::Expr& e);
  void operand_words(const ast::Operand& o);
  void rest_of_text();
  void by_spelling(uint32_t file, const Token* t, bool first);
  void paint(const IndexReference& reference);

  // --- names (builder.cpp) ---
  uint32_t add_name(NameKind kind, std::string name, std::string_view written);
  /// Null if the place is in no file.
  IndexReference* refer(uint32_t name, const Origin& origin, bool definition);
  IndexReference* refer(uint32_t name, uint32_t file, const Token& token, bool definition, uint32_t expansion = 0);
  IndexReference* add(IndexReference reference);
  /// The expansion of a define that a token came out of; 0 = it stands there itself.
  uint32_t define_of(const Origin& origin) const;
  uint32_t define_name(std::string_view text, bool make);

  const Options& options_;
  std::unique_ptr<Index::Data> data_ = std::make_unique<Index::Data>();
  std::vector<std::vector<uint8_t>> states_;           ///< by file of Sources and line
  std::vector<int32_t> registers_, signals_, labels_;  ///< names by id of the program
  std::unordered_map<std::string, uint32_t> linked_, undeclared_, mark_names_, defines_;
  static uint64_t place_key(uint32_t file, uint32_t line, uint32_t column) {
    return static_cast<uint64_t>(file) << 48 ^ static_cast<uint64_t>(line) << 20 ^ column;
  }
  std::unordered_map<uint64_t, uint32_t> macro_places_;                 ///< by place_key of the name
  std::unordered_map<std::string, std::vector<uint32_t>> macro_names_;  ///< lower case: index into names
  struct Hash {
    size_t operator()(const std::array<uint32_t, 5>& k) const {
      uint64_t h = 1469598103934665603ULL;
      for (uint32_t x : k) h = (h ^ x) * 1099511628211ULL;
      return static_cast<size_t>(h);
    }
  };
  std::unordered_map<std::array<uint32_t, 5>, uint32_t, Hash> seen_;  ///< references by name, place and expansion
  std::vector<uint32_t> open_scopes_{0};
  bool static_ = false;  ///< statement() looks at text that was not expanded
};

}  // namespace weft::assembler
