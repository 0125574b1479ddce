// The state of one preprocessing: where lines come from (files, macro calls, passes of loops) and what is defined.
#pragma once

#include <deque>
#include <memory>
#include <unordered_set>

#include "preprocessor/expander.h"
#include "preprocessor/expression.h"
#include "preprocessor/macro_labels.h"
#include "preprocessor/preprocessor.h"

namespace weft::assembler {

/// The arguments of one macro call, expanded.
struct CallArguments {
  const Macro* macro = nullptr;
  std::vector<std::vector<Token>> values;
};

class Preprocessor {
 public:
  Preprocessor(Sources& sources, const Options& options, const PreprocessSettings& settings);
  Preprocessed run(SourceFilePtr main);

 private:
  struct Conditional {
    Origin opened;
    bool taken = false;
    bool had_else = false;
  };
  /// Something lines come from.
  struct Frame {
    enum class Kind : uint8_t { file, macro, loop } kind = Kind::file;
    const LineRef* lines = nullptr;
    size_t count = 0;
    size_t next = 0;
    uint32_t expansion = 0;  ///< given to every token of its lines
    Origin listing;          ///< the outermost call; line 0: every line stands for itself
    std::shared_ptr<const CallArguments> arguments;
    std::vector<Conditional> conditionals;
    uint32_t unknown = 0;  ///< directives that nobody knows: what ends them is not reported again
    // Loops.
    LineRef head;
    uint32_t outer_expansion = 0;
    uint32_t pass = 0;
    int64_t passes = 0;                     ///< #repeat
    std::vector<std::vector<Token>> items;  ///< #for
    Token variable;                         ///< #for
  };
  class Context;

  // preprocessor.cpp
  void drain();
  void give_up_after_many(const LineRef& line);
  void end_frame();
  void push_file(SourceFilePtr file, const Origin& included_from);
  TokenSpan fetch(const LineRef& line, const CallArguments* arguments, uint32_t expansion, std::vector<Token>& storage);
  void text_line(const LineRef& line);
  void emit(const Token* begin, const Token* end);
  static bool calls_function(const Token* begin, const Token* end);
  bool fold_functions(const Token* begin, const Token* end, std::vector<Token>& out);
  void stray(const Token& t);
  void note_imports(const TokenLine& line);
  void close_conditionals(Frame& frame);
  void broken_macro(const Token& name);
  void keep_name(TokenSpan line, void (Preprocessor::*read)(TokenSpan));
  bool report(ExpressionError error);
  /// The remedy where two names differ by case alone, and `remedy` otherwise.
  static std::string case_remedy(std::string_view a, std::string_view b,
                                 std::string_view remedy = "macros and defines share one name space: #undef it first");
  bool error(std::string code, const Origin& origin, std::string text, std::string remedy = {});
  void warn(std::string code, const Origin& origin, std::string text, std::string remedy = {});
  void stop(std::string code, const Origin& origin, std::string text, std::string remedy = {});
  std::optional<int64_t> number(const Token* begin, const Token* end, const Origin& whole);

  // directives.cpp
  void directive_line(const LineRef& line);
  void include(TokenSpan line);
  void define(TokenSpan line);
  void define_eval(TokenSpan line);
  void set_define(const Token& name, std::vector<Token> body, bool evaluated);
  void undef(TokenSpan line);
  void only_name(const Token* name, const Token* end, const std::string& directive, std::string remedy);
  void only_directive(const LineRef& line);
  void open_conditional(const LineRef& line);
  void else_or_endif(const LineRef& line);
  void skip_branches(Frame& frame);
  bool condition(const LineRef& line);
  void message(const LineRef& line, TokenSpan tokens);
  void pragma(TokenSpan line);
  void protect_macro_locals(TokenSpan line);
  const Token* name_after(TokenSpan line, std::string_view directive);

  // macros_and_loops.cpp
  void define_macro(const LineRef& line);
  bool macro_parameters(TokenSpan line, Macro& macro);
  bool macro_call(const Token* begin, const Token* name, const Token* end);
  bool has_macro(const Token& name, size_t count) const;
  bool call_arguments(const Token& name, const Token* begin, const Token* end, std::vector<TokenSpan>& arguments,
                      std::vector<Token>& separated);
  const Macro* choose_macro(const Token& name, size_t& count);
  void begin_loop(const LineRef& line);
  bool begin_pass(Frame& frame);
  size_t find_end(const Frame& frame, Directive end) const;

  Sources& sources_;
  const Options& options_;
  PreprocessSettings settings_;
  Preprocessed out_;
  MacroTable macros_;
  Budget budget_;
  Expander expander_;
  MacroLabels labels_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::deque<LexedFile> lexed_;
  std::deque<std::vector<Token>> stored_;  ///< lines of macros that were defined by a macro
  std::unordered_set<uint32_t> imports_;   ///< numbers of names declared with .import_var, .alloc_mem ...
  std::unordered_set<std::string> seen_files_;
  std::unordered_set<uint32_t> broken_macros_;  ///< names of macros that could not be defined, which was reported
  std::vector<Token> line_storage_;
  std::vector<Token> expanded_;
  uint64_t tokens_ = 0;  ///< in out_.program
  uint32_t include_depth_ = 0;
  uint32_t macro_depth_ = 0;
  bool optimize_ = true;  ///< #pragma optimize
  uint32_t protect_depth_ = 0;
  uint32_t loose_ends_ = 0;  ///< #endloops of loops that were gone through as lines
  int64_t chip_type_ = 0;
  bool built_in_ = false;
  bool stopped_ = false;
};

}  // namespace weft::assembler
