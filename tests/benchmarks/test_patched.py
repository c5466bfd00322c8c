"""Faulty versions that are kept as patches: made from the correct one, once, and errors where that fails."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from click.testing import CliRunner

from benchmarks import patched as module
from benchmarks.manifest import ManifestError, Version, load_manifest, main, parse_manifest
from benchmarks.patched import PatchError, patched, write_version

CORRECT = "int main(void)\n{\n    int a = 1;\n\n    int b = 2;\n    return a + b;\n}\n"
FAULTY = CORRECT.replace("a + b", "a - b")
PATCH = f"""\
--- sum/correct.c
+++ sum/fault1.c
@@ -3,5 +3,5 @@
     int a = 1;
{" "}
     int b = 2;
-    return a + b;
+    return a - b;
 }}
"""
MANIFEST = """
[[program]]
name = "sum"
description = "a sum"
entry = "main"

[[program.version]]
file = "sum/fault1.patch"
kind = "wrong operator"
lines = [6]
description = "a difference"
"""

SIZES = {
    "building": (61960, 61981, 61960, 61961, 61943, 61961, 61965, 61966, 61961, 61961, 61965, 61931, 61944),
    "batchplant": (65723, 65691, 65708, 65728, 65621, 65724, 65713, 65702, 65707, 65724, 65724, 65696, 65720),
}
"""Bytes of the faulty versions, in the order of the manifest."""

PATCHED = [
    (program.correct, version)
    for program in load_manifest()
    for version in program.versions
    if version.patch is not None
]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "programs"
    (folder / "sum").mkdir(parents=True)
    (folder / "manifest.toml").write_text(MANIFEST)
    (folder / "sum" / "correct.c").write_text(CORRECT)
    (folder / "sum" / "fault1.patch").write_text(PATCH)
    return folder


def test_the_large_programs_are_kept_as_patches() -> None:
    for program in load_manifest():
        sizes = tuple(
            version.path.stat().st_size for version in program.versions if version.patch is not None
        )
        assert sizes == SIZES.get(program.name, ())
        assert len(program.correct.read_text().splitlines()) < 200 or sizes


@pytest.mark.parametrize(("correct", "version"), PATCHED, ids=[version.id for _, version in PATCHED])
def test_each_patch_applies_and_moves_no_line(correct: Path, version: Version) -> None:
    assert version.patch is not None
    text = patched(correct, version.patch)
    assert version.path.read_text() == text
    before, after = correct.read_text().splitlines(), text.splitlines()
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new]
    assert 1 <= len(changed) <= 2


def test_a_version_is_made_in_the_cache_when_the_manifest_is_loaded(programs: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (program,) = parse_manifest(MANIFEST, programs, cache)
    assert not cache.exists()
    assert load_manifest(programs, cache) == (program,)
    (version,) = program.versions
    assert (version.id, version.path) == ("sum/fault1", cache / "programs" / "sum" / "fault1.c")
    assert version.path.read_text() == FAULTY


def test_it_is_made_again_only_when_something_changed(programs: Path, tmp_path: Path) -> None:
    correct, patch = programs / "sum" / "correct.c", programs / "sum" / "fault1.patch"
    version = tmp_path / "fault1.c"

    def written() -> bool:
        before = version.stat().st_ino
        write_version(correct, patch, version)
        return version.stat().st_ino != before

    write_version(correct, patch, version)
    assert not written()
    patch.write_text(PATCH.replace("a - b", "a * b"))
    assert written()
    assert "a * b" in version.read_text()
    correct.write_text(CORRECT.replace("(void)", "()"))
    assert written()
    assert "int main()" in version.read_text()
    made = version.read_text()
    version.write_text("edited by hand")
    assert written()
    assert version.read_text() == made
    assert not written()


def test_of_several_at_the_same_time_one_writes(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied: list[Path] = []
    together = Barrier(8)

    def slowly(correct: Path, patch: Path) -> str:
        applied.append(patch)
        time.sleep(0.05)
        return patched(correct, patch)

    def load() -> str:
        together.wait()
        ((version,),) = (program.versions for program in load_manifest(programs, tmp_path / "cache"))
        return version.path.read_text()

    monkeypatch.setattr(module, "patched", slowly)
    with ThreadPoolExecutor(8) as pool:
        texts = [each.result() for each in [pool.submit(load) for _ in range(8)]]
    assert texts == [FAULTY] * 8
    assert len(applied) == 1


@pytest.mark.parametrize(
    ("correct", "patch", "message"),
    [
        (CORRECT.replace("int b", "long b"), PATCH, "does not apply to "),
        ("\n" + CORRECT, PATCH, "does not apply to "),
        (FAULTY, PATCH, "does not apply to "),
        ("", PATCH, "does not apply to "),
        (CORRECT, "", "is not a unified diff"),
        (CORRECT, "no patch\n", "is not a unified diff"),
        (CORRECT, PATCH.replace("\n \n", "\n\n"), "does not apply to "),
    ],
    ids=["context", "shifted", "applied", "short", "empty", "none", "stripped"],
)
def test_what_does_not_apply_is_refused_in_one_line(
    programs: Path, tmp_path: Path, correct: str, patch: str, message: str
) -> None:
    (programs / "sum" / "correct.c").write_text(correct)
    (programs / "sum" / "fault1.patch").write_text(patch)
    with pytest.raises(ManifestError) as caught:
        load_manifest(programs, tmp_path / "cache")
    assert str(caught.value).startswith(f"{programs / 'sum' / 'fault1.patch'}: {message}")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "cache" / "programs" / "sum" / "fault1.c").exists()


def test_a_missing_file_is_named(programs: Path, tmp_path: Path) -> None:
    (programs / "sum" / "fault1.patch").unlink()
    with pytest.raises(ManifestError, match=r"fault1\.patch"):
        load_manifest(programs, tmp_path / "cache")


def test_patches_of_other_programs_need_not_be_read(programs: Path, tmp_path: Path) -> None:
    (programs / "sum" / "fault1.patch").write_text("no diff")
    manifest = programs / "manifest.toml"
    manifest.write_text(
        manifest.read_text() + MANIFEST.replace("sum", "other").replace("fault1.patch", "fault1.c")
    )
    found = load_manifest(programs, tmp_path / "cache", ["other"])
    assert [program.name for program in found] == ["sum", "other"]
    with pytest.raises(ManifestError, match="no program or version 'third'"):
        load_manifest(programs, tmp_path / "cache", ["third"])


def test_a_cache_that_cannot_be_written_is_named(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(PatchError, match="cache"):
        write_version(
            programs / "sum" / "correct.c",
            programs / "sum" / "fault1.patch",
            tmp_path / "cache" / "sum" / "fault1.c",
        )


def test_all_versions_are_written_out(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["--write", str(tmp_path / "versions")])
    assert done.exit_code == 0, done.output
    programs = load_manifest()
    files = {path for p in programs for path in (p.correct, *(version.path for version in p.versions))}
    assert done.output == f"{len(files)} files in {tmp_path / 'versions'}\n"
    for path in files:
        copy = tmp_path / "versions" / path.parent.name / path.name
        assert copy.read_bytes() == path.read_bytes()


def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(main, ["--write", str(tmp_path / "file" / "versions")])
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert done.output.count("\n") == 1
