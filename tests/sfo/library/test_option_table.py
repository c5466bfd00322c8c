"""The table of options: what its rows name is there."""

from dataclasses import fields

import click
import pytest

from cfrontend.environment.surroundings import Surroundings
from cfrontend.program import ProgramOptions
from cfrontend.source.preprocess import PreprocessOptions
from sfo.cli import COMMANDS, cli
from sfo.library.option_table import OPTIONS, options_of_command
from sfo.library.options import LIBRARY
from sfo.pipeline.options import PipelineOptions

RECORDS = {
    "program": ProgramOptions,
    "preprocess": PreprocessOptions,
    "environment": Surroundings,
    "pipeline": PipelineOptions,
}
FLAGS = {flag for option in OPTIONS for flag in option.flags.replace("/", " ").split()}


def test_every_row_is_of_commands_that_there_are() -> None:
    group = cli.get_command(click.Context(cli), "evaluate")
    assert isinstance(group, click.Group)
    known = {*COMMANDS, *(f"evaluate-{name}" for name in group.commands)}
    assert {name for option in OPTIONS for name in option.commands.split()} <= known


@pytest.mark.parametrize("name", sorted({name for option in OPTIONS for name in option.commands.split()}))
def test_no_command_has_two_options_of_one_name(name: str) -> None:
    options = options_of_command(name)
    flags = [flag for option in options for flag in option.flags.replace("/", " ").split()]
    assert len(set(flags)) == len(flags)
    assert len({option.key for option in options}) == len(options)


@pytest.mark.parametrize("key", sorted(key for key, option in LIBRARY.items() if option.record != "made"))
def test_every_keyword_becomes_a_field(key: str) -> None:
    option = LIBRARY[key]
    assert (option.field or key) in {field.name for field in fields(RECORDS[option.record])}


def test_every_default_is_right() -> None:
    for option in OPTIONS:
        default = option.value(())
        if option.choices and default not in {None, ()}:
            assert (
                {default} <= {*option.choices}
                if isinstance(default, str)
                else {*default} <= {*option.choices}
            )
        if option.least is not None and option.read is None and default is not None:
            assert default >= option.least
