"""Objects of a native build that are compiled before the build asks for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions, load_c_program
from sfo.execution.native.build import NativeBuildPurpose, build_natively, native_build_runtime
from sfo.execution.native.objects import compile_objects_ahead
from tests.conftest import require_tool


@pytest.mark.parametrize("is_there", [True, False])
def test_a_build_links_what_was_compiled_ahead_as_long_as_it_is_there(
    tmp_path: Path, *, is_there: bool
) -> None:
    require_tool("gcc")
    path = tmp_path / "one.c"
    path.write_text("int main(void) { return 0; }\n")
    program = load_c_program([str(path)], ProgramOptions())
    ahead = tmp_path / "ahead"
    with ThreadPoolExecutor() as pool:
        compile_objects_ahead(pool, ahead, native_build_runtime(program, NativeBuildPurpose(pairs=True)))
    made = {file.name: file.stat().st_ino for file in ahead.glob("*.o")}
    assert {"patches.o", "sfo-harness.o"} <= made.keys()
    if not is_there:
        for name in made:
            (ahead / name).unlink()
    built = build_natively(program, tmp_path / "build", NativeBuildPurpose(pairs=True))
    assert built.binary.exists()
    if is_there:  # where they are gone, their numbers may be those of the new files
        assert all((built.directory / name).stat().st_ino == inode for name, inode in made.items())
