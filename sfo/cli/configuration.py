"""Options that stand in a file: ``sfo.toml``, or the table ``[tool.sfo]`` of ``pyproject.toml``, where sfo is called.

    [tool.sfo]                    ->   as if every command that knows these options were called with
    unwind = 8                         --unwind 8 --check assert,bounds -I include -I lib
    check = ["assert", "bounds"]
    I = ["include", "lib"]

The names are those of the options without their dashes. What the command line says comes first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

import click

from cfrontend.errors import Location, UsageError
from cfrontend.host.regular_files import read_regular_file_text, regular_file_nested_little
from cfrontend.record import dataclass

if TYPE_CHECKING:
    from sfo.library.option_table import Option

FILES: Final = (("sfo.toml", ()), ("pyproject.toml", ("tool", "sfo")))
"""Configuration files and the table of options in each; the first file that has options is taken."""

_FOREIGN_SOLVER: Final = "pysmt:"
"""Prefix of the name of a solver that may be a program of the machine."""


@final
@dataclass(frozen=True, slots=True)
class Configuration:
    """Values by the name of the option, with the file and the line of each."""

    values: Mapping[str, Any]
    places: Mapping[str, Location]


def read_configuration(directory: Path) -> Configuration | None:
    """The options of ``directory``; None without any. Raises UsageError for a file that is no TOML."""
    for name, table in FILES:
        if not os.path.lexists(directory / name):
            continue
        text = read_regular_file_text(directory / name)
        import tomllib

        try:
            with regular_file_nested_little():
                values: Any = tomllib.loads(text)
        except ValueError as error:  # also a number of too many digits
            said, place = _place_of_toml_error(str(error), name)
            raise UsageError(f"this is no TOML: {said}", place) from error
        except RecursionError:
            raise UsageError(f"{name} is no TOML that can be read: nested too deeply") from None
        for key in table:
            values = values.get(key, {}) if isinstance(values, dict) else {}
        if isinstance(values, dict) and values:
            return Configuration(values, {key: _place(key, text, name, table) for key in values})
    return None


def _place_of_toml_error(said: str, file: str) -> tuple[str, Location]:
    """Syntax error of TOML, as its reader says it, in two parts: the message, and the location that it ends with."""
    found = re.search(r" \(at line (\d+), column (\d+)\)$", said)
    if found is None:
        return said, Location(file, 1)
    return said[: found.start()], Location(file, int(found[1]), int(found[2]))


def _place(key: str, text: str, file: str, table: tuple[str, ...]) -> Location:
    """Location of a key: the first line of its table that begins with it."""
    inside = not table
    for number, line in enumerate(text.splitlines(), start=1):
        head = re.match(r"\s*\[+\s*([^\]]*?)\s*\]+", line)
        if head is not None:
            inside = [part.strip(" \"'") for part in head[1].split(".")] in (list(table), [*table, key])
        elif inside and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]", line):
            return Location(file, number)
    return Location(file, 1)


def configuration_defaults(configuration: Configuration) -> dict[str, dict[str, Any]]:
    """The values as defaults by command and parameter. Raises UsageError for a key that no command knows."""
    from sfo.library.option_table import OPTIONS

    found: dict[str, dict[str, Any]] = {}
    unknown = dict(configuration.places)
    for option in OPTIONS:
        for key in _names(option.flags.replace("/", " ").split()):
            if key not in configuration.values:
                continue
            value, place = configuration.values[key], configuration.places[key]
            _must_be_harmless(key, value, place, option)
            unknown.pop(key, None)
            for name in option.commands.split():
                below = name.removeprefix("evaluate-")
                defaults = found.setdefault(name if below == name else "evaluate", {})
                if below != name:
                    defaults = defaults.setdefault(below, {})
                defaults[option.key] = _given(key, value, option, place)
    for key, place in unknown.items():
        if key == "tool" and place.file == FILES[0][0]:
            raise UsageError(f"in {place.file} options stand without the table [tool.sfo]", place)
        raise UsageError(f"unknown option {key!r}: the names are those of the options, without dashes", place)
    return found


def _must_be_harmless(key: str, value: Any, place: Location, option: Option) -> None:
    """Raises UsageError for what only the user may say, not who wrote the program."""
    if option.users_own:
        raise UsageError(f"{key!r} cannot be set in a file: give it on the command line", place)
    if key == "solver" and str(value).startswith(_FOREIGN_SOLVER):
        raise UsageError(f"solver {value!r} cannot be set in a file: give it on the command line", place)
    if key == "native" and value == "on":
        raise UsageError("native = 'on' cannot be set in a file: give it on the command line", place)
    if any("\0" in str(item) for item in (value if isinstance(value, list) else [value])):
        raise UsageError(f"{key!r}: a text with a NUL character in it", place)


def _names(flags: Sequence[str]) -> list[str]:
    """The names of an option as they stand in a file."""
    return [flag.lstrip("-") for flag in flags]


def _given(key: str, value: Any, option: Option, place: Location) -> Any:
    """The value of ``key`` as click takes it: a list where it can be repeated, with commas where it takes a list."""
    if not isinstance(value, str | int | float | list):
        raise UsageError(f"{key!r} has a text, a number, true or false, or a list of texts", place)
    if option.is_flag:
        if not isinstance(value, bool):
            raise UsageError(f"{key!r} is true or false", place)
        return value != (f"/--{key}" in option.flags)
    if value is True and option.alone:
        return option.alone
    if isinstance(value, bool):
        raise UsageError(f"{key!r} takes a value: a text, a number or a list", place)
    items = [str(item) for item in value] if isinstance(value, list) else [str(value)]
    return items if option.many else ",".join(items)


def place_in_configuration(
    error: click.ClickException, configuration: Configuration | None
) -> Location | None:
    """Location of the value that click refuses, if it stands in the configuration file."""
    if (
        configuration is None
        or not isinstance(error, click.BadParameter)
        or error.param is None
        or error.ctx is None
    ):
        return None
    name = error.param.name or ""
    if error.ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT_MAP:
        return None
    return next(
        (
            configuration.places[key]
            for key in _names([*error.param.opts, *error.param.secondary_opts])
            if key in configuration.places
        ),
        None,
    )
