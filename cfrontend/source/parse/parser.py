"""pycparser's grammar with full spans, GNU expressions and our errors.

Every expression, statement and declarator carries a ``Location`` from its first to its last token as ``coord``;
parentheses count as part of what they enclose. Only the methods that must differ are overridden.

    y = x ?: (1);
    -> Assignment(coord=1:1-12, rvalue=TernaryOp(coord=1:5-12, iftrue=None, iffalse=Constant(coord=1:10-12)))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from pycparser import c_ast

from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.source.parse import newer_words, nodes
from cfrontend.source.parse.expression_parser import ExpressionParser
from cfrontend.source.parse.gnu import (
    ENDING_ATTRIBUTE,
    LINKING_ATTRIBUTE,
    NAMING_ATTRIBUTES,
    UNSUPPORTED_ATTRIBUTES,
)
from cfrontend.source.parse.token_types import (
    BEFORE_TYPE,
    NUMBERS,
    PREDECLARED_TYPEDEFS,
)
from cfrontend.source.parse.tokens import PACK, CToken, TokenAttribute, TokenList

_ANYWHERE: Final = frozenset({PACK, LINKING_ATTRIBUTE, ENDING_ATTRIBUTE})
"""Attributes that mean nothing where nothing takes them."""

_OF_VARIABLES: Final = frozenset({"cleanup", newer_words.CONSTEXPR, LINKING_ATTRIBUTE, ENDING_ATTRIBUTE})
"""Attributes that are about what is declared, also behind the star of a pointer."""

_OF_POINTERS: Final = frozenset({"TIMES", "CONST", "VOLATILE", "RESTRICT"})

_SPECIFIERS: Final = ("qual", "storage", "type", "function", "alignment", "type_attributes")
"""Keys of pycparser's collection of declaration specifiers."""


class SpanParser(ExpressionParser):
    """Parser with full spans; one instance reads one file, or a part of it."""

    def parse_tokens(
        self, path: str, tokens: Sequence[CToken], scope: Mapping[str, bool] | None = None
    ) -> c_ast.FileAST:
        """The tree of a file. Raises InputError with a location for a syntax error.

        ``scope`` are the names that are known before the first token, and whether each is a type.
        """
        self._path = path
        self._scope_stack = [dict.fromkeys(PREDECLARED_TYPEDEFS, True) if scope is None else dict(scope)]
        self._typedef_checked_token = None
        self._tokens: Any = TokenList(tokens)
        self._taken: set[int] = set()
        self._free: dict[int, list[int]] = {}
        tree = self._parse_translation_unit_or_empty()
        if self._peek() is not None:
            self._parse_error("", None)
        for token in tokens:
            attribute = next((a for a in token.attributes if a.name not in _ANYWHERE), None)
            if attribute is not None and id(token) not in self._taken:
                message = f"attribute '{attribute.name}' at this place is not supported yet"
                raise UnsupportedError(message, attribute.location)
        return tree

    # -- errors and places -----------------------------------------------------------------------------------

    def _parse_error(self, msg: str, coord: object) -> NoReturn:
        if "previously declared as" in msg:
            name = msg.split("'")[1]
            raise InputError(f"'{name}' redeclared as a different kind of symbol", self._place(coord))
        # _expect has consumed the token it complains about.
        position = self._mark() - msg.startswith("before: ")
        token = self._tokens.at(position)
        if token is None:
            raise InputError("syntax error at end of input", self._place(None))
        for candidate in (position - 1, position):
            if self._looks_like_type(candidate):
                name = self._tokens.at(candidate)
                raise InputError(f"unknown type name '{name.value}'", name.location)
        raise InputError(f"syntax error before '{token.value}'", token.location)

    def _looks_like_type(self, position: int) -> bool:
        """Whether a plain name stands where a type does, with a name behind it."""
        before, name, behind = [self._tokens.at(position + offset) for offset in (-1, 0, 1)]
        if name is None or behind is None or name.type != "ID" or behind.type not in {"ID", "TIMES"}:
            return False
        return before is None or before.type in BEFORE_TYPE

    def _place(self, coord: object) -> Location:
        if isinstance(coord, Location):
            return coord
        found: Location | None = self._tokens.location(self._mark())
        return found or Location(self._path, 1, 1, 1, 1)

    # -- attributes ------------------------------------------------------------------------------------------

    def _take_attributes(self, position: int) -> list[Any]:
        """The layout attributes behind the token at a position."""
        token = self._tokens.at(position)
        if token is None or not token.attributes:
            return []
        self._taken.add(id(token))
        return [
            nodes.GnuAttributeNode(a.name, self._attribute_argument(a), a.location) for a in token.attributes
        ]

    def _attribute_argument(self, attribute: TokenAttribute) -> Any:
        if not attribute.argument:
            return None
        if attribute.name in NAMING_ATTRIBUTES:
            return attribute.argument[0].value
        if attribute.name in UNSUPPORTED_ATTRIBUTES:
            return None
        outer, self._tokens = self._tokens, TokenList(attribute.argument)
        try:
            is_type = attribute.name == newer_words.FIXED_TYPE
            return self._parse_type_name() if is_type else self._parse_constant_expression()
        finally:
            self._tokens = outer

    # -- declarations ----------------------------------------------------------------------------------------

    def _parse_declarator_kind(self, kind: str, allow_paren: bool) -> Any:
        mark = self._mark()
        declarator = super()._parse_declarator_kind(kind, allow_paren)
        if attributes := [*self._taken_behind_stars(mark), *self._take_attributes(self._mark() - 1)]:
            nodes.attach_attributes(declarator, attributes)
        return declarator

    def _parse_any_declarator(
        self, allow_abstract: bool = False, typeid_paren_as_abstract: bool = False
    ) -> Any:
        """``int f(int (*t)(void))`` declares a parameter ``t``, also where that names a type."""
        is_abstract = typeid_paren_as_abstract and not self._is_pointer_with_name()
        return super()._parse_any_declarator(allow_abstract, is_abstract)

    def _is_pointer_with_name(self) -> bool:
        behind = 1
        while self._peek_type(behind) in _OF_POINTERS:
            behind += 1
        if self._peek_type(behind) != "LPAREN" or self._peek_type(behind + 1) != "TIMES":
            return False
        while self._peek_type(behind + 1) in _OF_POINTERS:
            behind += 1
        return self._peek_type(behind + 1) == "TYPEID"

    def _taken_behind_stars(self, position: int) -> list[Any]:
        """Attributes in ``char *__attribute__((cleanup(f))) p`` that are about the variable wherever they stand."""
        taken: list[Any] = []
        while (token := self._tokens.at(position)) is not None and token.type in _OF_POINTERS:
            if token.attributes and all(a.name in _OF_VARIABLES for a in token.attributes):
                taken += self._take_attributes(position)
            position += 1
        return taken

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> Any:
        """Attributes among the specifiers, or before them, go to everything that is declared."""
        mark = self._mark()
        spec, saw_type, coord = super()._parse_specifiers(
            allow_storage_and_function=allow_storage_and_function
        )
        if spec is not None:
            # A type name in parentheses is read again where braces follow it.
            free = [p for p in range(mark - 1, self._mark()) if not self._is_taken(p)]
            free = self._free.setdefault(id(self._tokens.at(mark)), free)
            taken = [a for p in free for a in self._take_attributes(p)]
            spec["gnu"] = [a for a in taken if a.name != PACK]
        return spec, saw_type, coord

    def _is_taken(self, position: int) -> bool:
        return id(self._tokens.at(position)) in self._taken

    def _build_declarations(self, spec: Any, decls: Any, typedef_namespace: bool = False) -> Any:
        for info in decls if spec.get("gnu") else ():
            nodes.attach_attributes(info["decl"], spec["gnu"])
        if not spec["type"] and (spec["storage"] or spec["qual"]) and decls[0]["decl"] is not None:
            implied = "__auto_type" if newer_words.is_inferred_declaration(spec, decls) else "int"
            spec["type"] = [c_ast.IdentifierType([implied], coord=self._place(None))]
        declarations = super()._build_declarations(spec, decls, typedef_namespace)
        for declaration in declarations:
            nodes.span_declaration(declaration)
        return declarations

    def _build_type_name(self, spec: Any, decl: Any, coord: Any) -> Any:
        if spec.get("gnu"):
            decl = decl or c_ast.TypeDecl(None, None, None, None)
            nodes.attach_attributes(decl, spec["gnu"])
        return super()._build_type_name(spec, decl, coord)

    def _parse_external_declaration(self) -> Any:
        """Also without a type in front, which is int: ``main(n) int n; { }``, ``swap();``, ``*next, count = 3;``."""
        mark = self._mark()
        if self._peek_type() in {"ID", "TIMES"}:
            declarator = self._parse_id_declarator()
            spec: dict[str, list[Any]] = {key: [] for key in _SPECIFIERS}
            spec["type"] = [c_ast.IdentifierType(["int"], coord=declarator.coord)]
            if self._starts_declaration():
                return [self._parse_function_definition(spec, declarator)]
            if self._peek_type() in {"SEMI", "COMMA", "EQUALS"}:
                first = {"decl": declarator}
                if self._accept("EQUALS"):
                    first["init"] = self._parse_initializer()
                declared = self._parse_init_declarator_list(first=first, id_only=True)
                return self._parse_declaration_end(
                    self._build_declarations(spec, declared, typedef_namespace=True)
                )
            self._reset(mark)
        return super()._parse_external_declaration()

    def _parse_init_declarator(self, id_only: bool = False) -> Any:
        info = super()._parse_init_declarator(id_only)
        if isinstance(info["decl"], c_ast.FuncDecl) and self._peek_type() == "LBRACE":
            # A nested function, read as a declaration: it ends without the semicolon of one.
            self._parse_compound_statement()
            self._tokens.insert(CToken("SEMI", ";", self._tokens.location(self._mark() - 1)))
            info["init"] = nodes.RefusedNode("a nested function", self._place(info["decl"].coord))
        return info

    def _parse_block_item(self) -> Any:
        if self._is_label_named_as_type():
            return self._parse_statement()
        token = self._peek()
        if token is None or token.value != "__label__":
            return super()._parse_block_item()
        mark = self._mark()
        self._advance()
        names = [self._parse_identifier_or_typeid().name]
        while self._accept("COMMA"):
            names.append(self._parse_identifier_or_typeid().name)
        self._expect("SEMI")
        return nodes.LocalLabelsNode(tuple(names), self._from(mark))

    def _parse_struct_or_union_specifier(self) -> Any:
        mark = self._mark()
        specifier = self._spanned(super()._parse_struct_or_union_specifier(), mark)
        if specifier.decls is not None:
            specifier.attributes = [*self._take_attributes(mark), *self._take_attributes(self._mark() - 1)]
        return specifier

    def _parse_struct_declarator(self) -> Any:
        info = super()._parse_struct_declarator()
        if attributes := self._take_attributes(self._mark() - 1):
            nodes.attach_attributes(info["decl"], attributes)
        return info

    def _parse_array_decl_common(self, base_type: Any, coord: Any = None) -> Any:
        """``[*n]`` is a length that is computed, not the ``[*]`` of a prototype."""
        mark = self._mark()
        bracket = self._advance()
        qualifiers = (
            self._parse_type_qualifier_list() if self._peek_type() in _OF_POINTERS - {"TIMES"} else []
        )
        if self._peek_type() != "TIMES" or self._peek_type(2) == "RBRACKET":
            self._reset(mark)
            return super()._parse_array_decl_common(base_type, coord)
        length = self._parse_assignment_expression()
        self._expect("RBRACKET")
        return c_ast.ArrayDecl(base_type, length, qualifiers, coord or bracket.location)

    def _parse_enum_specifier(self) -> Any:
        mark = self._mark()
        specifier = self._spanned(super()._parse_enum_specifier(), mark)
        own = [mark, self._mark() - 1] if specifier.values is not None else []
        fixed = [
            p for p in (mark, mark + 1) if p not in own and newer_words.has_fixed_type(self._tokens.at(p))
        ]
        specifier.attributes = [a for p in (*own, *fixed) for a in self._take_attributes(p)]
        return specifier

    def _parse_type_name(self) -> Any:
        mark = self._mark()
        return self._spanned(super()._parse_type_name(), mark)

    # -- initialisers ----------------------------------------------------------------------------------------

    def _parse_initializer(self) -> Any:
        mark = self._mark()
        return self._spanned(super()._parse_initializer(), mark)

    def _parse_initializer_item(self) -> Any:
        mark = self._mark()
        kind = self._peek_type()
        if kind in NUMBERS and self._peek_type(2) in {"COMMA", "RBRACE"}:
            # Tables have a hundred thousand of them.
            return self._spanned(self._parse_constant(), mark)
        if kind in {"ID", "TYPEID"} and self._peek_type(2) == "COLON":
            return self._parse_old_designation()
        return self._spanned(super()._parse_initializer_item(), mark)

    def _parse_old_designation(self) -> Any:
        """``member: value``, GNU C's form of ``.member = value``."""
        mark = self._mark()
        member = self._parse_identifier_or_typeid()
        self._expect("COLON")
        item = c_ast.NamedInitializer([member], self._parse_initializer())
        return self._spanned(item, mark)

    def _parse_designation(self) -> Any:
        """Designators and ``=``; GNU C leaves it out behind a single index."""
        designators = self._parse_designator_list()
        if len(designators) > 1 or not isinstance(designators[0], c_ast.ArrayDesignator):
            self._expect("EQUALS")
        else:
            self._accept("EQUALS")
        return designators

    def _parse_designator(self) -> Any:
        mark = self._mark()
        if self._accept("LBRACKET") is None:
            return super()._parse_designator()
        index = self._parse_range()
        self._expect("RBRACKET")
        return c_ast.ArrayDesignator(index, self._from(mark))

    def _parse_range(self) -> Any:
        """A constant expression, or GNU ``low ... high``."""
        mark = self._mark()
        low = self._parse_constant_expression()
        if self._accept("ELLIPSIS") is None:
            return low
        return nodes.RangeNode(low, self._parse_constant_expression(), self._from(mark))

    # -- statements ------------------------------------------------------------------------------------------

    def _is_label_named_as_type(self) -> bool:
        """Whether ``T:`` follows, where ``T`` is the name of a type, too: labels have a name space of their own."""
        return self._peek_type() == "TYPEID" and self._peek_type(2) == "COLON"

    def _parse_statement(self) -> Any:
        mark = self._mark()
        is_label = self._is_label_named_as_type()
        statement = self._parse_labeled_statement() if is_label else super()._parse_statement()
        if isinstance(statement, _STATEMENTS):
            statement.coord = self._from(mark)
        return statement

    def _parse_compound_statement(self, *, new_scope: bool = True) -> Any:
        mark = self._mark()
        return self._spanned(super()._parse_compound_statement(new_scope=new_scope), mark)

    def _parse_labeled_statement(self) -> Any:
        mark = self._mark()
        if self._is_label_named_as_type():
            name = self._advance()
            self._advance()
            follows = self._starts_statement() or self._is_label_named_as_type()
            place = c_ast.EmptyStatement(name.location)
            labelled = self._parse_pragmacomp_or_statement() if follows else place
            return c_ast.Label(name.value, labelled, name.location)
        if self._peek_type() != "CASE":
            return super()._parse_labeled_statement()
        keyword = self._advance()
        value = self._parse_range()
        self._expect("COLON")
        body = c_ast.EmptyStatement(keyword.location)
        if self._starts_statement():
            body = self._parse_pragmacomp_or_statement()
        return c_ast.Case(value, [body], self._from(mark))

    def _parse_selection_statement(self) -> Any:
        if self._peek_type() != "SWITCH":
            return super()._parse_selection_statement()
        # pycparser would move the statements behind a case into it; ours keeps them where they stand.
        mark = self._mark()
        self._advance()
        self._expect("LPAREN")
        selector = self._parse_expression()
        self._expect("RPAREN")
        return c_ast.Switch(selector, self._parse_pragmacomp_or_statement(), self._from(mark))

    def _parse_jump_statement(self) -> Any:
        mark = self._mark()
        if self._peek_type() == "GOTO" and self._peek_type(2) == "TYPEID":
            self._advance()
            name = self._advance().value
            self._expect("SEMI")
            return c_ast.Goto(name, self._from(mark))
        if self._peek_type() == "GOTO" and self._peek_type(2) == "TIMES":
            self._advance()
            self._advance()
            target = self._parse_expression()
            jump = nodes.ComputedGotoNode(target, self._from(mark))
            self._expect("SEMI")
            return jump
        statement = super()._parse_jump_statement()
        end = self._tokens.location(self._mark() - 2)  # the token before the semicolon
        statement.coord = nodes.parser_span(self._tokens.location(mark), end)
        return statement

    def _is_type_in_scope(self, name: str) -> bool:
        known: bool | None = next(
            (scope[name] for scope in reversed(self._scope_stack) if name in scope), None
        )
        return name in newer_words.NEWER_TYPES if known is None else known


_STATEMENTS: Final = (
    c_ast.If,
    c_ast.While,
    c_ast.DoWhile,
    c_ast.For,
    c_ast.Label,
    c_ast.Default,
)
