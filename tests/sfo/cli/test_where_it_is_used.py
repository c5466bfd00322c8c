"""The GitHub Action, the hook of pre-commit, the container file and the wheel, each used as a user does."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import require_tool
from tests.places import ROOT
from tests.sfo.cli.test_ci_page import SHELL, mended, program, workspace


@pytest.fixture(name="environment")
def fixture_environment(tmp_path: Path) -> dict[str, str]:
    """A shell in which ``sfo`` is this one."""
    command = tmp_path / "bin" / "sfo"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sfo "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}


def run_action(directory: Path, environment: dict[str, str], **given: str) -> tuple[int, str, str]:
    """The steps of the action but its installation, as a runner takes them: exit code, outputs, what is printed."""
    action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    inputs = {name: str(item.get("default", "")) for name, item in action["inputs"].items()} | given
    required = {name for name, item in action["inputs"].items() if item.get("required")}
    assert required <= set(given)
    output = directory / "github-output"
    output.touch()
    code, printed = 0, ""
    for step in action["runs"]["steps"]:
        if step["name"] == "Install":
            continue
        own = {
            key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: inputs[found[1]], value)
            for key, value in step.get("env", {}).items()
        }
        done = subprocess.run(
            [*SHELL, step["run"]], cwd=directory, env={**environment, **own, "GITHUB_OUTPUT": str(output)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        code, printed = done.returncode, printed + done.stdout
    return code, output.read_text(), printed


def test_the_action_annotates_a_fault_and_fails(tmp_path: Path, environment: dict[str, str]) -> None:
    directory = workspace(tmp_path, program())
    code, outputs, printed = run_action(directory, environment, files="clamp.c")
    assert (code, outputs) == (1, "verdict=violated\n")
    assert "::error file=clamp.c,line=" in printed
    assert "::warning file=clamp.c,line=" in printed
    assert {path.name for path in (directory / "sfo-out").iterdir()} == {"sfo.sarif", "sfo.xml", "sfo.html"}


def test_the_action_passes_what_cannot_fail(tmp_path: Path, environment: dict[str, str]) -> None:
    code, outputs, _ = run_action(workspace(tmp_path, mended()), environment, files="clamp.c", options="")
    assert (code, outputs) == (0, "verdict=safe\n")


def test_the_action_does_not_pass_what_cannot_be_read(tmp_path: Path, environment: dict[str, str]) -> None:
    code, outputs, _ = run_action(workspace(tmp_path, "int main(void) {"), environment, files="clamp.c")
    assert (code, outputs) == (3, "")


def test_the_hook_refuses_a_commit_with_a_fault(tmp_path: Path, environment: dict[str, str]) -> None:
    require_tool("git")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    local = {**hook, "language": "system"}
    directory = workspace(tmp_path, program())
    (directory / ".pre-commit-config.yaml").write_text(
        yaml.safe_dump({"repos": [{"repo": "local", "hooks": [local]}]})
    )
    environment = {**environment, "PRE_COMMIT_HOME": str(tmp_path / "cache")}

    def call(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=directory, env=environment, capture_output=True, text=True, check=False
        )

    hook_command = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    if call(sys.executable, "-m", "pre_commit", "--version").returncode:
        pytest.skip("pre-commit is not installed")
    assert call("git", "init", "--quiet").returncode == 0
    call("git", "add", ".")
    refused = call(*hook_command)
    assert refused.returncode == 1
    assert "violated: main.assertion.1" in refused.stdout
    (directory / "clamp.c").write_text(mended())
    call("git", "add", ".")
    done = call(*hook_command)
    assert done.returncode == 0, done.stdout
    # A library's files have no main, two programs have one each; nothing fails in any of them.
    (directory / "library.c").write_text("int half(int n)\n{\n    return n / 2;\n}\n")
    (directory / "other.c").write_text(mended())
    call("git", "add", ".")
    done = call(*hook_command, "--verbose")
    assert done.returncode == 0, done.stdout
    assert "library.c is passed over: it has no function 'main'" in done.stdout
    (directory / "other.c").write_text(program())
    call("git", "add", ".")
    refused = call(*hook_command)
    assert refused.returncode == 1
    assert "sfo: clamp.c: safe" in refused.stdout
    assert "sfo: other.c: violated" in refused.stdout


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a.c": "int f(int);\nint main(void) { return f(1); }\n", "b.c": "int f(int n) { return n; }\n"}, 3),
        ({"a.c": "int main(void) {", "b.c": program()}, 10),
        ({"a.c": mended(), "b.c": mended()}, 0),
        ({"b.c": "int f(int n) { return n; }\n"}, 0),
    ],
)
def test_each_file_is_checked_by_itself(
    files: dict[str, str], code: int, tmp_path: Path, environment: dict[str, str]
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["sfo", "check", "--each", *files, "-q"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert all(f"sfo: {name}" in done.stderr for name in files)
    refused = subprocess.run(
        ["sfo", "check", "--each", *files, "--format", "json"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "leave out --format" in refused.stderr


def test_the_container_file_copies_all_that_the_wheel_is_made_of() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    copied = {word for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE) for word in line.split()[:-1]}
    assert all((ROOT / name).exists() for name in copied)
    assert {"pyproject.toml", "README.md", "LICENSE", "cfrontend", "sfo"} <= copied
    assert 'ENTRYPOINT ["sfo"]' in text


@pytest.mark.slow
def test_a_wheel_does_the_main_job_with_nothing_beside_it(tmp_path: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(tmp_path),
            str(ROOT),
        ],
        check=True,
    )
    assert shutil.which("python3")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [ROOT / "scripts" / "try-wheel", tmp_path],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("the wheel does the main job\n")
    assert "look first: most.c:" in done.stdout
