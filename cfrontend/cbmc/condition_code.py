"""Conditions of a goto program as C for CBMC: pointers that are valid or freed, results that fit their types."""

from __future__ import annotations

from typing import final

from cfrontend import goto
from cfrontend.cbmc.c_code import CCodeExpressionPrinter
from cfrontend.errors import InternalError, UnsupportedError
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import IntType


def freed_condition_code(pointer: str) -> str:
    """Whether the object a pointer points into has been freed."""
    return f"sfo_freed[__CPROVER_POINTER_OBJECT({pointer})]"


@final
class CbmcConditionCode:
    """Printer of the conditions of one program; where something ``frees``, they say that the object is alive."""

    def __init__(self, expressions: CCodeExpressionPrinter, *, frees: bool) -> None:
        self.x = expressions
        self.frees = frees

    def of(self, condition: goto.Condition) -> str:
        """The text of a condition of an assertion or assumption."""
        match condition:
            case goto.ValidPointerCondition():
                pointer = self.x.of(condition.pointer)
                function = "__CPROVER_w_ok" if condition.write else "__CPROVER_r_ok"
                valid = f"{function}({pointer}, {condition.size}ul)"
                return f"({valid} && !{freed_condition_code(pointer)})" if self.frees else valid
            case goto.ValidRangeCondition():
                pointer, size = self.x.of(condition.pointer), self.x.of(condition.size)
                function = "__CPROVER_w_ok" if condition.write else "__CPROVER_r_ok"
                valid = f"({size} == 0 || {function}({pointer}, {size}))"
                return f"({valid} && !{freed_condition_code(pointer)})" if self.frees else valid
            case goto.ValidStringCondition():
                most = "-1" if condition.most is None else self.x.of(condition.most)
                text = f"sfo_string({self.x.of(condition.pointer)}, {most}, {condition.width})"
                return f"({self.x.of(condition.pointer)} == 0 || {text})" if condition.or_null else text
            case goto.InitialisedCondition() | goto.AllFreedCondition():
                raise InternalError("a condition without a form is refused")
            case goto.FreeableCondition():
                pointer = self.x.of(condition.pointer)
                start = f"__CPROVER_DYNAMIC_OBJECT({pointer}) && __CPROVER_POINTER_OFFSET({pointer}) == 0"
                return f"({pointer} == 0 || ({start} && !{freed_condition_code(pointer)}))"
            case goto.FitsCondition():
                return self._fits(condition.expression)
            case _:
                return self.x.of(condition)

    def _fits(self, e: tree.Binary | tree.Unary | tree.Cast) -> str:
        """An overflow check: the mathematical result, in a type that holds it, equals that in the expression's type."""
        result, wide = self.x.of(e), "__int128"
        match e:
            case tree.Cast():
                return f"({wide}){result} == ({wide}){self.x.of(e.operand)}"
            case tree.Unary():
                return f"({wide}){result} == -({wide}){self.x.of(e.operand)}"
            case tree.Binary(op="/"):
                return "1"
            case tree.Binary(op="<<"):
                distance = f"({self.x.of(e.right)} & {8 * self._bytes(e.left) - 1})"
                return f"({wide}){result} == (({wide}){self.x.of(e.left)} << {distance})"
            case tree.Binary(op="+" | "-" | "*") if self._bytes(e) < 4:
                exact = f"({wide}){self.x.of(e.left)} {e.op} ({wide}){self.x.of(e.right)}"
                return f"({wide}){result} == {exact}"
            case tree.Binary(op="+" | "-" | "*"):
                name = {"+": "plus", "-": "minus", "*": "mult"}[e.op]
                return f"!__CPROVER_overflow_{name}({self.x.of(e.left)}, {self.x.of(e.right)})"
            case _:
                raise UnsupportedError(f"an overflow check of {e.op} is not supported here yet", e.location)

    def _bytes(self, e: Expression) -> int:
        assert isinstance(e.type, IntType)
        return e.type.width // 8
