"""What needs a library of an extra names the extra, in one line; the extra of pyproject.toml has the library."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sfo.core.extras import EXTRA_OF_LIBRARY, missing_extra_error
from tests.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def without(libraries: list[str], arguments: list[str], directory: Path) -> tuple[int, str]:
    """Exit code and error output of `sfo` where these libraries cannot be imported."""
    hidden = (
        f"import sys; sys.modules.update(dict.fromkeys({libraries!r})); sys.argv = ['sfo', *{arguments!r}]"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{hidden}; import sfo.__main__ as main; main.console()"],
        cwd=directory, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(("library", "extra"), EXTRA_OF_LIBRARY.items())
def test_the_extra_has_the_library_and_the_plain_package_does_not(library: str, extra: str) -> None:
    name = re.compile(rf"{library}\b")
    assert any(name.match(item) for item in PROJECT["optional-dependencies"][extra])
    assert not any(name.match(item) for item in PROJECT["dependencies"])


@pytest.mark.parametrize(
    ("arguments", "library"),
    [
        (["rank", "matrix.csv"], "scipy"),
        (["convert", "matrix.csv", "out.tcm"], "scipy"),
        (["generate", "program.c", "-o", "suite"], "scipy"),
    ],
)
def test_a_missing_extra_is_one_line(arguments: list[str], library: str, tmp_path: Path) -> None:
    (tmp_path / "matrix.csv").write_text("outcome,a\nfail,1\n")
    (tmp_path / "program.c").write_text(
        "#include <assert.h>\nint main(void) { int x; assert(x); return 0; }\n"
    )
    code, said = without([library], arguments, tmp_path)
    extra = EXTRA_OF_LIBRARY[library]
    assert (code, said) == (
        2, f"sfo: error: this needs {library}, which is not installed: pip install '.[{extra}]' in a clone of sfo\n",
    )  # fmt: skip


def test_the_main_job_needs_no_extra(tmp_path: Path) -> None:
    program = str(ROOT / "benchmarks/programs/minmax.c")
    code, said = without(list(EXTRA_OF_LIBRARY), ["check", program], tmp_path)
    assert (code, said) == (10, "")


def test_other_modules_are_no_extras() -> None:
    assert missing_extra_error(ModuleNotFoundError("no", name="sfo.nothing")) is None
    assert missing_extra_error(ModuleNotFoundError("no")) is None
