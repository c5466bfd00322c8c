"""Rendering of templates, and of HTML pages that need nothing else: inside the common frame, with a style and a script.

    rendered_page("batch.html", style="batch.css", script="batch.js", title="class", rows=rows)   ->   one page

A page forbids itself every script and style but its own two, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from sfo.core.program_rows import colour_of_row
from sfo.core.version import __version__

if TYPE_CHECKING:
    from jinja2 import Template


def rendered_page(template: str, *, style: str, script: str, **given: object) -> str:
    """The page that a ``template`` of ours is with what is ``given``; ``style`` and ``script`` are names of files."""
    styles, scripts = _part(style), _part(script)
    return rendered_template(
        "sfo.report",
        template,
        version=__version__,
        policy=f"default-src 'none'; script-src {_content_hash(scripts)}; style-src {_content_hash(styles)}",
        script=Markup(scripts),  # noqa: S704 - our own file
        style=Markup(styles),  # noqa: S704 - our own file
        visible=visible_page_text,
        **given,
    )


def rendered_template(package: str, template: str, **given: object) -> str:
    """The text that a template in the folder of a package is with what is ``given``, escaped in HTML and XML."""
    text: str = _template(package, template).render(**given)
    return text


def called_macro(package: str, template: str, macro: str, *arguments: object, **given: object) -> str:
    """The text of one macro of a template, which sees what is ``given`` besides its arguments."""
    return str(getattr(_template(package, template).make_module(given), macro)(*arguments))


def _template(package: str, template: str) -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader(package, ""),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not template.endswith(".html"),
    )
    environment.filters["colour"] = colour_of_row
    return environment.get_template(template)


def _part(name: str) -> str:
    return (files("sfo.report") / name).read_text(encoding="utf-8")


def _content_hash(text: str) -> str:
    """Hash source of an inline element in a content security policy (CSP level 2)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def visible_page_text(text: str) -> str:
    """``text`` with its control characters, and those that change the direction of writing, spelled as escapes."""
    return "".join(c if c.isprintable() or c == "\t" else ascii(c)[1:-1] for c in text)
