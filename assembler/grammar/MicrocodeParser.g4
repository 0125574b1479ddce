// One expanded line of microcode. Tokens come from the assembler's own lexer (src/parser/token_source.*), so there is no
// lexer grammar; names keep their prefixes ("$x", "@x", "n$x", ".reg", "loop#").
//
// What most lines have carries a label: a label is a member of the parse tree, while the method that finds a part by its
// rule looks at all parts with casts, a tenth of the assembler's time.
parser grammar MicrocodeParser;

tokens {
  NAME, NUMBER, STRING, QUOTED, LABEL, DIRECTIVE, MARK, OTHER, EOL,
  IF, IF_UNSIGNED, ELIF, ELIF_UNSIGNED, ELSE, ENDIF, WHILE, WHILE_UNSIGNED, ENDW, REPEAT, UNTIL, UNTIL_UNSIGNED,
  BREAK, CONTINUE,
  LBRACKET, RBRACKET, LPAREN, RPAREN, COMMA, COLON, QUESTION, INC, DEC,
  PLUS, MINUS, STAR, SLASH, PERCENT, NOT, TILDE, AMP, BAR, CARET, ANDAND, OROR,
  SHL, SHR, LT, LE, GT, GE, EQ, NE, ASSIGN, BECOMES, ARITHMETIC
}

line: labels+=labelDefinition* body=statement? EOL;

labelDefinition: LABEL COLON;

statement: block=structured | marked=mark | told=directive | assigned=assignment | executed=instruction;

// --- structured blocks ---

structured
  : kind=(IF | IF_UNSIGNED | ELIF | ELIF_UNSIGNED | WHILE | WHILE_UNSIGNED | UNTIL | UNTIL_UNSIGNED) expr
  | kind=(ELSE | ENDIF | ENDW | REPEAT | BREAK | CONTINUE)
  ;

// --- directives ---

/// .block, .stage, .drop, .exception take the rest of the line.
mark: MARK ~EOL*;

directive: DIRECTIVE (directiveArg (COMMA? directiveArg)*)?;

directiveArg
  : AMP? NAME LBRACKET expr RBRACKET
  | AMP? NAME (PLUS primary)?
  | LABEL
  | MINUS? NUMBER
  | LPAREN expr RPAREN
  | STRING
  | QUOTED
  ;

// --- arithmetic notation ---

/// "x = y + 1". ARITHMETIC stands before the line, without text, when a '=' with a blank before it is in it.
assignment: ARITHMETIC primary BECOMES expr;

// --- instructions ---

instruction: called=mnemonic (LBRACKET arguments=operandList? RBRACKET)? (COMMA modifiers+=modifier)*;

/// "br=byte", "br!=ctx", "br_!signal", "br<=0" are several tokens.
mnemonic
  : NAME (ASSIGN | EQ | NE | LT | LE | GT | GE) (NAME | NUMBER)
  | NAME NOT NAME
  | NAME
  ;

operandList: items+=operand (COMMA items+=operand)*;

operand
  : DEC                       # absentOperand
  | operation                 # operationOperand
  | way=(SHL | SHR) amount=expr # shiftOperand
  | value=expr                # valueOperand
  ;

/// ALU operators that are not names: "+", "+16", "+carry", "-", "-carry", "B-A", "~B", "~AND", "AND~".
operation
  : PLUS (NUMBER | NAME)?
  | MINUS NAME?
  | TILDE NAME
  | NAME TILDE
  | NAME MINUS NAME
  ;

modifier: NAME (open=LBRACKET arguments=operandList? RBRACKET)?;

// --- expressions ---

expr
  : leaf=primary                              # primaryExpr
  | (MINUS | PLUS | NOT | TILDE) expr         # unaryExpr
  | expr (STAR | SLASH | PERCENT) expr        # binaryExpr
  | expr (PLUS | MINUS) expr                  # binaryExpr
  | expr (SHL | SHR) expr                     # binaryExpr
  | expr (LT | LE | GT | GE) expr             # binaryExpr
  | expr (EQ | NE) expr                       # binaryExpr
  | expr AMP expr                             # binaryExpr
  | expr CARET expr                           # binaryExpr
  | expr BAR expr                             # binaryExpr
  | expr ANDAND expr                          # binaryExpr
  | expr OROR expr                            # binaryExpr
  | <assoc=right> expr QUESTION expr COLON expr  # conditionalExpr
  ;

primary
  : NUMBER                                                    # numberPrimary
  | NAME LPAREN (expr (COMMA expr)*)? RPAREN                  # callPrimary
  | NAME LBRACKET expr RBRACKET                               # elementPrimary
  | NAME                                                      # namePrimary
  | LABEL                                                     # labelPrimary
  | STAR NAME (LBRACKET expr RBRACKET)? (INC | DEC)?          # derefPrimary
  | AMP NAME (LBRACKET expr RBRACKET)?                        # addressPrimary
  | AMP NAME LPAREN expr (COMMA expr)* RPAREN                 # remotePrimary
  | LPAREN (ASSIGN | BECOMES | EQ | NE | LT | LE | GT | GE) NUMBER RPAREN  # codeTestPrimary
  | LPAREN expr RPAREN                                        # groupPrimary
  | QUOTED                                                    # quotedPrimary
  ;
