"""Expressions of pycparser's grammar with full spans, those of GNU C and those of CBMC.

x ?: (1)   ->   TernaryOp(coord=1:1-8, iftrue=None, iffalse=Constant(coord=1:6-8))
"""

from __future__ import annotations

from typing import Any, Final

from pycparser import c_ast
from pycparser.c_parser import CParser

from cfrontend.errors import Location
from cfrontend.source.parse import nodes
from cfrontend.source.parse.gnu import REFUSED
from cfrontend.source.parse.token_types import BEHIND_OPERAND, IN_PARENTHESES, PLAIN, PRECEDENCE, PREFIX
from cfrontend.source.parse.tokens import CToken

_QUANTIFIERS: Final = frozenset({"__CPROVER_forall", "__CPROVER_exists"})

_ABOUT_TYPES: Final = {"__builtin_types_compatible_p": False, "__builtin_convertvector": True}
"""Builtins whose last argument is a type, and whether the one before is a value."""


class ExpressionParser(CParser):  # type: ignore[misc]
    """Parser of expressions over a list of tokens, with the place of each node."""

    def _tok_coord(self, tok: CToken) -> Location:
        return tok.location

    def _from(self, mark: int) -> Location:
        """The span from the token at ``mark`` to the last consumed one."""
        start, end = self._tokens.location(mark), self._tokens.location(self._mark() - 1)
        return nodes.parser_span(start, end)

    def _spanned(self, node: Any, mark: int) -> Any:
        node.coord = nodes.parsed_argument_span(node.coord, self._from(mark))
        return node

    def _peek_type(self, k: int = 1) -> str | None:
        """The type of the k-th next token, as of pycparser with a call less."""
        token = self._tokens.peek(k)
        if token is None:
            return None
        if token is not self._typedef_checked_token:
            self._classify_identifier(token)
        kind: str = token.type
        return kind

    # -- expressions -----------------------------------------------------------------------------------------

    def _parse_expression(self) -> Any:
        mark = self._mark()
        expression = self._parse_assignment_expression()
        if self._peek_type() != "COMMA":
            return expression
        expressions = [expression]
        while self._accept("COMMA"):
            expressions.append(self._parse_assignment_expression())
        return c_ast.ExprList(expressions, self._from(mark))

    def _parse_assignment_expression(self) -> Any:
        mark = self._mark()
        target = self._parse_conditional_expression()
        if not self._is_assignment_op():
            return target
        operator = self._advance().value
        value = self._parse_assignment_expression()
        return c_ast.Assignment(operator, target, value, self._from(mark))

    def _parse_conditional_expression(self) -> Any:
        mark = self._mark()
        condition = self._parse_implication()
        if self._accept("CONDOP") is None:
            return condition
        then = None if self._peek_type() == "COLON" else self._parse_expression()
        self._expect("COLON")
        otherwise = self._parse_conditional_expression()
        return c_ast.TernaryOp(condition, then, otherwise, self._from(mark))

    def _parse_implication(self) -> Any:
        """CBMC's ``a ==> b``, which is ``!a || b``; to the right in a chain."""
        mark = self._mark()
        left = self._parse_binary_expression()
        if self._accept("IMPLIES") is None:
            return left
        denied = c_ast.UnaryOp("!", left, left.coord)
        return c_ast.BinaryOp("||", denied, self._parse_implication(), self._from(mark))

    def _parse_binary_expression(self, min_prec: int = 0, lhs: Any = None) -> Any:
        mark = self._mark()
        left = lhs if lhs is not None else self._parse_cast_expression()
        while (precedence := PRECEDENCE.get(self._peek_type() or "", -1)) >= min_prec:
            operator = self._advance().value
            right = self._parse_binary_expression(precedence + 1)
            left = c_ast.BinaryOp(operator, left, right, self._from(mark))
        return left

    def _parse_cast_expression(self) -> Any:
        kind = self._peek_type()
        if kind in PLAIN and (behind := self._tokens.peek(2)) is not None and behind.type in BEHIND_OPERAND:
            # Most operands are a name or a number: seven functions need not look what else they could be.
            if kind != "ID":
                return self._parse_constant()
            token = self._advance()
            return c_ast.ID(token.value, token.location)
        if kind != "LPAREN":
            return self._parse_unary_expression()
        mark = self._mark()
        if self._peek_type(2) in IN_PARENTHESES:
            return self._with_suffixes(self._parse_primary_expression(), mark)
        expression = super()._parse_cast_expression()
        if isinstance(expression, c_ast.Cast):
            expression.coord = self._from(mark)
        return expression

    def _parse_unary_expression(self) -> Any:
        kind = self._peek_type()
        mark = self._mark()
        if kind in PREFIX:
            operator = self._advance().value
            return c_ast.UnaryOp(operator, self._parse_cast_expression(), self._from(mark))
        if kind in {"PLUSPLUS", "MINUSMINUS"}:
            operator = self._advance().value
            return c_ast.UnaryOp(operator, self._parse_unary_expression(), self._from(mark))
        if kind == "LAND":
            self._advance()
            return nodes.LabelAddressNode(self._expect("ID").value, self._from(mark))
        if kind == "_ALIGNOF":
            return self._parse_alignof()
        expression = super()._parse_unary_expression()
        if kind == "SIZEOF":
            expression.coord = self._from(mark)
        return expression

    def _parse_alignof(self) -> Any:
        mark = self._mark()
        self._advance()
        operand = self._try_parse_paren_type_name()
        node = operand[0] if operand is not None else self._parse_unary_expression()
        return c_ast.UnaryOp("_Alignof", node, self._from(mark))

    def _parse_postfix_expression(self) -> Any:
        mark = self._mark()
        expression = self._parse_compound_literal() or self._parse_primary_expression()
        if isinstance(expression, c_ast.Compound):
            expression = nodes.StatementExpressionNode(expression, self._from(mark))
        return self._with_suffixes(expression, mark)

    def _with_suffixes(self, expression: Any, mark: int) -> Any:
        """The expression that began at ``mark`` with all suffixes behind it."""
        while (suffixed := self._parse_postfix_suffix(expression)) is not None:
            suffixed.coord = self._from(mark)
            expression = suffixed
        return expression

    def _parse_compound_literal(self) -> Any:
        """``(T){...}``, or None with nothing consumed."""
        if (operand := self._try_parse_paren_type_name()) is None:
            return None
        type_name, mark, _, storage = operand
        if self._peek_type() != "LBRACE":
            self._reset(mark)
            return None
        return c_ast.CompoundLiteral(type_name, self._parse_initializer(), storage, self._from(mark))

    def _parse_postfix_suffix(self, expression: Any) -> Any:
        """The expression with one more suffix, or None when none follows. The caller sets the place."""
        match self._peek_type():
            case "LBRACKET":
                self._advance()
                index = self._parse_expression()
                self._expect("RBRACKET")
                return c_ast.ArrayRef(expression, index)
            case "LPAREN":
                self._advance()
                arguments = None if self._peek_type() == "RPAREN" else self._parse_argument_expression_list()
                self._expect("RPAREN")
                return c_ast.FuncCall(expression, arguments)
            case "PERIOD" | "ARROW":
                operator = self._advance().value
                return c_ast.StructRef(expression, operator, self._parse_identifier_or_typeid())
            case "PLUSPLUS" | "MINUSMINUS":
                return c_ast.UnaryOp("p" + self._advance().value, expression)
            case _:
                return None

    def _parse_primary_expression(self) -> Any:
        token = self._peek()
        mark = self._mark()
        if token is not None and token.type == REFUSED:
            self._advance()
            return nodes.RefusedNode(token.value, token.location)
        if token is not None and token.type == "ID" and token.value in _ABOUT_TYPES:
            return self._parse_call_about_types()
        if token is not None and token.value in _QUANTIFIERS and self._peek_type(2) == "LBRACE":
            return self._parse_quantifier()
        return self._spanned(super()._parse_primary_expression(), mark)

    def _starts_expression(self, tok: CToken | None = None) -> bool:
        token = tok or self._peek()
        return token is not None and (
            token.type in PREFIX | {REFUSED, "LAND"} or super()._starts_expression(tok)
        )

    def _parse_quantifier(self) -> Any:
        """CBMC's ``__CPROVER_forall { int i; body }``, which is refused."""
        mark = self._mark()
        name = self._advance().value
        self._expect("LBRACE")
        self._push_scope()
        self._parse_declaration()
        self._parse_expression()
        self._accept("SEMI")
        self._pop_scope()
        self._expect("RBRACE")
        return nodes.RefusedNode(name, self._from(mark))

    def _parse_call_about_types(self) -> Any:
        mark = self._mark()
        is_value = _ABOUT_TYPES[self._peek().value]
        name = c_ast.ID(self._advance().value, self._from(mark))
        self._expect("LPAREN")
        first = self._parse_assignment_expression() if is_value else self._parse_type_name()
        self._expect("COMMA")
        second = self._parse_type_name()
        self._expect("RPAREN")
        return c_ast.FuncCall(name, c_ast.ExprList([first, second]), self._from(mark))

    def _parse_constant(self) -> Any:
        token = self._advance()
        kind = {"INT_CONST_DEC": "int", "FLOAT_CONST": "float", "CHAR_CONST": "char"}[token.type]
        return c_ast.Constant(kind, token.value, token.location)

    def _parse_unified_string_literal(self) -> Any:
        mark = self._mark()
        parts = [self._expect("STRING_LITERAL").value]
        while (part := self._accept("STRING_LITERAL")) is not None:
            parts.append(part.value)
        return c_ast.Constant("string", " ".join(parts), self._from(mark))
