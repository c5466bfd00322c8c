"""All edit templates, in the order in which they are asked at one site.

Of two that make the same text, the first one counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Final

from cfrontend.edit import declaration_templates, expression_templates, statement_templates
from cfrontend.edit.template import Role, Template

FAMILIES: Final[tuple[ModuleType, ...]] = (expression_templates, statement_templates, declaration_templates)
"""The modules with templates. In a module they stand in their order."""

TEMPLATES: Final[tuple[Template, ...]] = tuple(
    one for family in FAMILIES for one in vars(family).values() if isinstance(one, Template)
)
"""Every function that is decorated with ``template`` in one of the modules."""

_FOR: Final[dict[tuple[Role, type[object]], tuple[Template, ...]]] = {}
"""Cache of ``templates_for``."""


def templates_for(role: Role, node: type[object]) -> Sequence[Template]:
    """The templates that apply to what is visited in this role and is of this type."""
    found = _FOR.get((role, node))
    if found is None:
        found = _FOR[role, node] = tuple(
            one for one in TEMPLATES if role in one.roles and (not one.nodes or issubclass(node, one.nodes))
        )
    return found
