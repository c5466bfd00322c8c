"""Pages of the site that are made from code, or stand outside of docs/: a hook of mkdocs (see mkdocs.yml)."""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
OUTSIDE = {
    "README.md": "index.md",
    "benchmarks/RESULTS.md": "results.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Files of the repository by the page that they become."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those of docs/."""
    made = {page: (ROOT / file).read_text(encoding="utf-8") for file, page in OUTSIDE.items()}
    made |= {
        "options.md": "\n".join(options_page()),
        "checks.md": checks_page(),
        "schema.md": "\n".join(schema_page()),
        "functions.md": "\n".join(functions_page()),
    }
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - what mkdocs calls
    """Links as they are in the repository, as they are in the site; files that are not in it keep their names only."""
    here = {page: file for file, page in OUTSIDE.items()}.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def link(found: re.Match[str]) -> str:
        text, target = found["text"], found["target"]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        name, mark, anchor = target.partition("#")
        path = (ROOT / here).parent.joinpath(name).resolve().relative_to(ROOT).as_posix()
        place = OUTSIDE.get(path, path.removeprefix("docs/") if path.startswith("docs/") else "")
        if not place or files.get_file_from_path(place) is None:
            return text
        if re.fullmatch(r"[\w/.-]+\.md", text):
            text = title_of(files, place)
        return f"[{text}]({place}{mark}{anchor})"

    markdown = re.sub(r'(srcset|src)="docs/', r'\1="', markdown)
    return re.sub(r"(?<!!)\[(?P<text>[^\[\]]+)\]\((?P<target>[^()\s]+)\)", link, markdown)


def title_of(files: Files, page: str) -> str:
    """The first heading of a page: what a link says that has the name of the file in the repository."""
    file = files.get_file_from_path(page)
    assert file is not None
    return file.content_string.partition("\n")[0].removeprefix("# ")


def options_page() -> Iterator[str]:
    """Every option of every command, as `--help` has them."""
    from sfo.cli import COMMANDS, cli

    yield from ("# All options", "", "Made from `sfo COMMAND --help`.", "")
    context = click.Context(cli, info_name="sfo")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield from _command(command, context, name)


def _command(command: click.Command, parent: click.Context, name: str) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield from (f"## {context.command_path}", "")
    yield from (f"    {context.command_path} {' '.join(command.collect_usage_pieces(context))}", "")
    yield from (_told(inspect.cleandoc(command.help or "")), "")
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    if any(records):
        yield from ("| Option | Meaning |", "|---|---|")
        yield from (
            f"| {_code(record[0])} | {_cell(record[1])} |" for record in records if record is not None
        )
        yield ""
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from _command(found, context, below)


def checks_page() -> str:
    """The classes of properties: which are made without being asked for, and their table in semantics.md."""
    from cfrontend.program import ALL_CHECKS, DEFAULT_CHECKS

    semantics = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")
    (table,) = re.findall(
        r"^\| Check \| Property[^\n]*\n\|---[^\n]*\n(?:\|[^\n]*\n)+", semantics, re.MULTILINE
    )
    named = {name for line in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
    if missing := sorted(ALL_CHECKS - named):
        raise ValueError(f"semantics.md does not say what these checks are: {', '.join(missing)}")
    table = table.replace("](#", "](semantics.md#")
    default = ", ".join(f"`{name}`" for name in sorted(DEFAULT_CHECKS))
    other = ", ".join(f"`{name}`" for name in sorted(ALL_CHECKS - DEFAULT_CHECKS))
    return (
        f"# What is checked\n\nWithout `--check`: {default}. `--check NAME,NAME` says which instead; "
        f"there are besides: {other}.\n\n{table}\n[What a program means](semantics.md) says it exactly.\n"
    )


def schema_page() -> Iterator[str]:
    """The keys of the JSON result, from its schema."""
    schema = json.loads((ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8"))
    yield from (
        "# JSON schema",
        "",
        "The schema itself: [result.schema.json](result.schema.json).",
        "",
    )
    yield from _object("The result", schema)
    for name, part in schema["$defs"].items():
        yield from _object(name, part)


def _object(name: str, part: dict[str, Any]) -> Iterator[str]:
    properties = part.get("properties") or part.get("items", {}).get("properties")
    yield from (f"## {name}", "", _told(part.get("description", "")), "")
    if not properties:
        yield from (f"    {json.dumps(part)}", "")
        return
    yield from ("| Key | Type | Meaning |", "|---|---|---|")
    for key, value in properties.items():
        yield f"| `{key}` | {_code(_type(value))} | {_cell(value.get('description', ''))} |"
        for below, inner in (
            value.get("properties") or value.get("items", {}).get("properties") or {}
        ).items():
            yield f"| `{key}.{below}` | {_code(_type(inner))} | {_cell(inner.get('description', ''))} |"
    yield ""


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "enum" in value:
        return " | ".join(json.dumps(one) for one in value["enum"])
    if "const" in value:
        return json.dumps(value["const"])
    kind = value.get("type", "any")
    return kind if isinstance(kind, str) else " | ".join(kind)


def functions_page() -> Iterator[str]:
    """The public names of `import sfo` with signatures and docstrings."""
    import sfo

    yield from (
        "# Functions of the library",
        "",
        "Made from `sfo.__all__`; [api.md](api.md) shows them in use.",
        "",
    )
    for name in sorted(sfo.__all__):
        thing = getattr(sfo, name)
        if not callable(thing):
            continue
        yield from (f"## sfo.{name}", "")
        if inspect.isfunction(thing):
            yield from (f"    {name}{inspect.signature(thing)}", "")
        yield from (_told(inspect.getdoc(thing) or ""), "")
        if inspect.isclass(thing):
            for member, value in sorted(inspect.getmembers(thing)):
                if (
                    not member.startswith("_")
                    and inspect.getdoc(value)
                    and (callable(value) or isinstance(value, property))
                ):
                    first = (inspect.getdoc(value) or "").partition("\n")[0]
                    yield f"* `{member}`: {_cell(first)}"
            yield ""


def _told(text: str) -> str:
    """A docstring as Markdown: its own code marks, and nothing of it taken as HTML."""
    return text.replace("``", "`").replace("<", "&lt;").replace("\b\n", "").replace("[", "\\[")


def _cell(text: str) -> str:
    return " ".join(_told(text).split()).replace("|", "\\|")


def _code(text: str) -> str:
    return f"<code>{text.replace('&', '&amp;').replace('<', '&lt;').replace('|', '&#124;').replace('[', '&#91;')}</code>"


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001 - what mkdocs calls
    """Code that scrolls takes the keyboard; inputs of the theme that nobody sees do not."""
    output = re.sub(r'<input class="?md-option[^>]*aria-hidden="?true"?', r"\g<0> disabled", output)
    return re.sub(r"<pre(?=[ >])", '<pre tabindex="0"', output)
