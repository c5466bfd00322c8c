"""A report on a terminal: the plain text, with colours for the words that matter."""

from __future__ import annotations

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme


class _Words(RegexHighlighter):
    base_style = "sfo."
    highlights = [  # noqa: RUF012 - the name and type that rich reads
        r"(?m)^\s*\d* ?(?P<bad>violated|fail)\b",
        r"(?m)^\s*\d* ?(?P<good>safe|optimal|pass)\b",
        r"(?m)^(?P<open>unknown|not proved|note)\b",
        r"(?m)^(?P<title>look first:|best edits?|then look at.*|ranking by .*|failing executions.*|executions|properties)",
        r"(?m)^(?P<title>coverage \(x\) .*)$",
        r"(?m)^ +\d* (?P<bad>- .*)$",
        r"(?m)^ +\d* (?P<good>\+ .*)$",
        r"(?m)^ +\| +(?P<bad>\^+)$",
        r"(?m)^(?P<quiet>bound: .*|\d+ solver calls?.*| rank unit .*|-v: .*)$",
        r"\A(?P<bad>\S+ (?:fails|prints|does not end))",
    ]


_THEME = Theme({
    "sfo.bad": "bold red",
    "sfo.good": "bold green",
    "sfo.open": "bold yellow",
    "sfo.title": "bold",
    "sfo.quiet": "dim",
})  # fmt: skip


def show_report_in_terminal(text: str) -> None:
    """Print ``text`` on the terminal of standard output."""
    console = Console(highlighter=_Words(), theme=_THEME, soft_wrap=True, markup=False, emoji=False)
    console.print(text, end="")
