"""Native executions on texts: a program compiled as it is, and what becomes of it on many standard inputs.

It has no harness and gives no inputs back: whether it ends and prints as another version does is all that is known.
Some hundred executions take no longer than one of the interpreter.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from cfrontend.errors import InputError, ResourceError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.program import Program
from cfrontend.source.preprocess import MODEL_FLAGS
from sfo.core.executions import Native
from sfo.execution.native.build import (
    FLAGS,
    NativeBuild,
    NativeBuildPlan,
    NativeBuildPurpose,
    missing_native_build_tool,
    native_user_flags,
)
from sfo.execution.native.execute import native_process_to_execute
from sfo.execution.native.objects import BUILD_SECONDS, compile_launcher, run_build_tool
from sfo.execution.native.sandbox import make_sandbox

_TEXTS: Final = Path(__file__).with_name("texts.c")
"""Main program that is linked to the program."""

_ASSUMED: Final = b"assumed"
"""Line of an execution that broke an assumption."""

_LINE: Final = 64
"""Maximum number of bytes of the line of an end."""

_BYTES: Final = 1 << 30
"""Bytes of addresses that a program may have."""


def texts_that_differ(
    program: Program, texts: Sequence[bytes], native: Native, *, ignores_space: bool = False
) -> tuple[bytes, ...] | None:
    """Those of ``texts`` on which a program and its reference end or print differently, in order.

    ``ignores_space``: what they print is compared up to white space.

    A text with which one of them breaks an assumption is none of these. None where one of them cannot be compiled or
    executed natively.
    """
    older = program.older
    if older is None or not texts or native == "off" or missing_native_build_tool() is not None:
        return None
    settings = {"SFO_WORDS": "1"} if ignores_space else {}
    place = ChildProcessWorkplace("sfo-texts-")
    try:
        with ThreadPoolExecutor(max_workers=2) as pool:
            ends = [
                pool.submit(_ends_on, one, place.path / str(number), texts, native, settings)
                for number, one in enumerate((program, older))
            ]
            mine, theirs = (one.result() for one in ends)
    except (InputError, ResourceError, OSError):
        return None
    finally:
        place.end_children()
        place.close()
    compared = zip(texts, mine, theirs, strict=False)
    return tuple(text for text, one, two in compared if one != two and _ASSUMED not in (one, two))


def _ends_on(
    program: Program, directory: Path, texts: Sequence[bytes], native: Native, settings: Mapping[str, str]
) -> list[bytes]:
    """How a program ends on each text, and what it prints there, as a line that only equal ends have alike."""
    built = _built(program, directory, native)
    given = directory / "texts"
    given.write_bytes(b"".join(len(text).to_bytes(4, "little") + text for text in texts))
    with native_process_to_execute(
        built, directory, settings, _BYTES, files={"texts": given}, stdout=subprocess.PIPE
    ) as child:
        answers = child.process.stdout
        assert answers is not None
        return answers.read(_LINE * len(texts)).splitlines()


def _built(program: Program, directory: Path, native: Native) -> NativeBuild:
    """A program compiled as it is, but for its main function, which has another name."""
    sandbox = make_sandbox(native)
    directory.mkdir()
    launcher, binary = directory / "launch", directory / "program"
    compile_launcher(launcher, directory, BUILD_SECONDS)
    model = MODEL_FLAGS[program.options.preprocess.model.name]
    sanitizers = NativeBuildPurpose(tells=True).sanitizers_for(program)
    trapping = (
        [f"-fsanitize={','.join(sanitizers)}", "-fsanitize-undefined-trap-on-error"] if sanitizers else []
    )
    common = [*(flag for flag in FLAGS if flag != "-g"), *model]
    objects = []
    for number, path in enumerate(program.paths):
        copy = directory / f"{number}{'.i' if path.endswith('.i') else '.c'}"
        copy.write_bytes(read_regular_file_bytes(path, error=InputError))
        target = str(directory / f"{number}.o")
        own = native_user_flags(program.options.preprocess, path)
        run_build_tool(["gcc", *common, *trapping, *own, "-c", str(copy), "-o", target], directory)
        run_build_tool(["objcopy", "--redefine-sym=main=sfo_tested_main", target], directory)
        objects.append(target)
    linked = [*model, str(_TEXTS), *objects, "-lm"]
    run_build_tool(["gcc", "-w", *linked, "-o", str(binary)], directory)
    plan = NativeBuildPlan(own=(), others=(), link=(), numbers={}, unfilled=frozenset())
    return NativeBuild(
        directory=directory, binary=binary, launcher=launcher, sandbox=sandbox, plan=plan, coverage=False
    )
