"""The parser of preprocessed C: what the elaborator and the linker need of it."""

from cfrontend.source.parse.gnu import ENDING_ATTRIBUTE, UNCALLED, UNSUPPORTED_ATTRIBUTES
from cfrontend.source.parse.incremental import IncrementalParser
from cfrontend.source.parse.newer_words import CONSTEXPR, FIXED_TYPE
from cfrontend.source.parse.nodes import (
    ComputedGotoNode,
    GnuAttributeNode,
    LabelAddressNode,
    LocalLabelsNode,
    RangeNode,
    RefusedNode,
    StatementExpressionNode,
    parser_span,
)
from cfrontend.source.parse.parsed_file import (
    ParsedFile,
    ParsedFileConstants,
    deep_parsed_file_recursion,
    parse_file,
    parsed_file_const_declarations,
    parsed_file_defines,
    parsed_file_restrict_parameters,
)
from cfrontend.source.parse.token_types import PREDECLARED_TYPEDEFS
from cfrontend.source.parse.tokens import PACK

__all__ = [
    "CONSTEXPR",
    "ENDING_ATTRIBUTE",
    "FIXED_TYPE",
    "PACK",
    "PREDECLARED_TYPEDEFS",
    "UNCALLED",
    "UNSUPPORTED_ATTRIBUTES",
    "ComputedGotoNode",
    "GnuAttributeNode",
    "IncrementalParser",
    "LabelAddressNode",
    "LocalLabelsNode",
    "ParsedFile",
    "ParsedFileConstants",
    "RangeNode",
    "RefusedNode",
    "StatementExpressionNode",
    "deep_parsed_file_recursion",
    "parse_file",
    "parsed_file_const_declarations",
    "parsed_file_defines",
    "parsed_file_restrict_parameters",
    "parser_span",
]
