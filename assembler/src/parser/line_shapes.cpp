// Parsing a row of token types, once.
#include "parser/line_shapes.h"

#include <mutex>
#include <optional>
#include <unordered_map>

namespace weft::assembler {
namespace {

using P = grammar::MicrocodeParser;

/// Held while ANTLR works: it keeps its decisions in tables that all parsers of a process share.
std::mutex& shared_tables() {
  static std::mutex mutex;
  return mutex;
}

/// Gives up a line at its first fault, and remembers the fault.
class FaultStrategy final : public antlr4::BailErrorStrategy {
 public:
  SyntaxFault fault;

  void recover(antlr4::Parser* parser, std::exception_ptr e) override {
    note(parser, e);
    throw antlr4::ParseCancellationException();
  }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    note(parser, nullptr);
    throw antlr4::ParseCancellationException();
  }

 private:
  void note(antlr4::Parser* parser, const std::exception_ptr& e) {
    fault = {};
    fault.token = parser->getCurrentToken()->getTokenIndex();
    bool certain = true;  // the expected set belongs to the offending token
    if (e) {
      try {
        std::rethrow_exception(e);
      } catch (const antlr4::RecognitionException& r) {
        if (r.getOffendingToken()) {
          certain = r.getOffendingToken()->getTokenIndex() == fault.token;
          fault.token = r.getOffendingToken()->getTokenIndex();
        }
      } catch (...) {
      }
    }
    if (certain) {
      for (ssize_t type : parser->getExpectedTokens().toList()) fault.expected.push_back(static_cast<size_t>(type));
    }
    for (antlr4::RuleContext* c = parser->getContext(); c; c = dynamic_cast<antlr4::RuleContext*>(c->parent)) {
      fault.rules.push_back(c->getRuleIndex());
    }
  }
};

/// Tokens that are only types.
class TypeSource final : public antlr4::TokenSource {
 public:
  explicit TypeSource(std::string_view types) : types_(types) {}
  std::unique_ptr<antlr4::Token> nextToken() override {
    const bool more = next_ < types_.size();
    return std::make_unique<antlr4::CommonToken>(more ? static_cast<unsigned char>(types_[next_++])
                                                      : antlr4::Token::EOF);
  }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return "microcode"; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

 private:
  std::string types_;
  size_t next_ = 0;
};

}  // namespace

/// A row of types and its tree, which lives as long as the parser that made it.
struct LineShapes::Shape {
  explicit Shape(const std::string& types) : source(types), stream(&source), parser(&stream) {
    stream.fill();
    parser.removeErrorListeners();
  }

  P::LineContext* parse(antlr4::atn::PredictionMode mode, const std::shared_ptr<antlr4::ANTLRErrorStrategy>& strategy) {
    parser.reset();
    parser.setErrorHandler(strategy);
    parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
    try {
      return parser.line();
    } catch (const antlr4::ParseCancellationException&) {
      return nullptr;
    }
  }

  /// Lets the tree stand for the line that begins at this token of the program.
  void move_to(size_t start) {
    for (antlr4::Token* token : stream.getTokens()) static_cast<antlr4::CommonToken*>(token)->setTokenIndex(start++);
  }

  TypeSource source;
  antlr4::CommonTokenStream stream;
  P parser;
  P::LineContext* tree = nullptr;
  std::optional<SyntaxFault> fault;  ///< its token counts from the beginning of the line
};

struct LineShapes::Impl {
  std::shared_ptr<antlr4::BailErrorStrategy> bail = std::make_shared<antlr4::BailErrorStrategy>();
  std::shared_ptr<FaultStrategy> explain = std::make_shared<FaultStrategy>();
  std::unordered_map<std::string, std::unique_ptr<Shape>> shapes;
  size_t kept = 0;  ///< tokens of all shapes
};

LineShapes::LineShapes() {
  const std::lock_guard lock(shared_tables());
  impl_ = std::make_unique<Impl>();
}

LineShapes::~LineShapes() {
  const std::lock_guard lock(shared_tables());
  impl_.reset();
}

P::LineContext* LineShapes::tree(const std::string& types, size_t start) {
  constexpr size_t kMax = 200'000;  // tokens of kept shapes: some hundred megabytes at the very most
  auto found = impl_->shapes.find(types);
  if (found == impl_->shapes.end()) {
    const std::lock_guard lock(shared_tables());
    if (impl_->kept + types.size() > kMax) {
      impl_->shapes.clear();
      impl_->kept = 0;
    }
    impl_->kept += types.size();
    auto shape = std::make_unique<Shape>(types);
    shape->tree = shape->parse(antlr4::atn::PredictionMode::SLL, impl_->bail);
    if (!shape->tree) shape->tree = shape->parse(antlr4::atn::PredictionMode::LL, impl_->bail);
    found = impl_->shapes.emplace(types, std::move(shape)).first;
  }
  Shape& shape = *found->second;
  if (shape.tree) shape.move_to(start);
  return shape.tree;
}

SyntaxFault LineShapes::fault(const std::string& types, size_t start) {
  (void)tree(types, start);
  Shape& shape = *impl_->shapes.find(types)->second;
  if (!shape.fault) {
    const std::lock_guard lock(shared_tables());
    shape.parse(antlr4::atn::PredictionMode::LL, impl_->explain);
    shape.fault = impl_->explain->fault;
  }
  SyntaxFault fault = *shape.fault;
  fault.token += start;
  return fault;
}

}  // namespace weft::assembler
