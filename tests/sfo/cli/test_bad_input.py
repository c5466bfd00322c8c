"""Files that are wrong, huge or without end: one clear line and an exit code, in bounded time and memory."""

import random
import sys
import time
from pathlib import Path

import pytest

from cfrontend.source import preprocess
from cfrontend.source.parse import tokens
from sfo import cli
from tests.measured import measured

HEAD = "#include <assert.h>\nint nondet_int(void);\n"
FAILS = "int main(void) { int x = nondet_int(); assert(x != 3); return 0; }\n"


def main_with(statements: str) -> str:
    return f"{HEAD}int main(void) {{ int x = nondet_int(); {statements} return 0; }}\n"


def localized(directory: Path, content: str | bytes, *options: str) -> int:
    """Exit status of ``localize`` on a file, ranked by coverage."""
    file = directory / "x.c"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return cli.main(["localize", str(file), "--rank", "coverage", *options])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ((HEAD + FAILS).encode("utf-16"), "x.c: is in UTF-16"),
        ("", "no function 'main' to start from; choose one with --entry (defined here: none)"),
        ("int x;", "no function 'main'"),
        ("int f(void) { return 0; }", "(defined here: f)"),
        ("#include <stdlib.h>\nint f(char *s) { return atoi(s); }", "(defined here: f)"),
        ('#include "nope.h"\n', "x.c:1:10: nope.h: No such file"),
        ('#include "x.c"\n', ": #include nested"),
        ("#define A A A\nint main(void) { int A; }", "x.c:2:"),
        (
            "struct s { struct s inner; }; int main(void) { return 0; }",
            "x.c:1:21: member 'inner' has incomplete",
        ),
        ("int main(void) { struct t y; }", "x.c:1:27: 'y' has incomplete type 'struct t'"),
        ("int main(void) { /* ", "x.c:1:18: unterminated comment"),
        ("int main(void) { \0 @ }", "x.c:1:"),
        (main_with("x = " + "(" * 2000 + "1" + ")" * 2000 + ";"), "nested too deeply"),
        (main_with("{" * 2000 + "}" * 2000), "nested too deeply"),
        ("struct s {" * 2000 + "int x;" + "} m;" * 2000, "nested too deeply"),
        (
            main_with('asm("nop"); assert(x); }').partition(" assert")[0] + "}",
            ": inline assembly is not supported yet",
        ),
        (f"int x = {'1' * 10_000};", "x.c:1:9: integer constant '11111111111111111111...' is too large"),
        (bytes(random.Random(1).randrange(256) for _ in range(3000)), "x.c"),
    ],
    ids=range(18),
)
def test_what_cannot_be_analysed_exits_3(
    content: str | bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert localized(tmp_path, content, "--timeout", "60") == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("sfo: error: ")
    assert err.count("sfo: ") == 1
    assert message in err.replace(str(tmp_path), "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.c", "No such file"),
        (".", "is a directory, not a file"),
        ("", "an empty name is not a file"),
    ],
)
def test_what_is_no_file_exits_3(
    name: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["localize", name]) == 3
    assert message in capsys.readouterr().err


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "content",
    [
        (HEAD + '/* caf\xe9 */ char *s = "\xe9"; ' + FAILS).encode("latin-1"),
        b"\xef\xbb\xbf" + (HEAD + FAILS).encode(),
        (HEAD + "#define CHECK(x) \\\n assert(x)\n" + main_with("CHECK(x != 3);").partition("\n")[2])
        .replace("\n", "\r\n")
        .encode(),
        HEAD + "/*" + "x" * 1_000_000 + "*/" + FAILS,
        HEAD + f'char *s = "{"s" * 100_000}"; int {"n" * 100_000};' + FAILS,
        main_with("x = " + "!" * 2000 + "x;" + "assert(x);"),
        main_with("if (x) " * 500 + "assert(0);"),
        main_with(" else ".join(f"if (x == {n}) x = 1;" for n in range(500)) + "assert(x != 1);"),
        main_with(f"x = {' + '.join(['x'] * 1000)}; assert(0);"),
        HEAD + f"enum e {{ {', '.join(f'E{n}' for n in range(3000))} }}; " + FAILS,
        HEAD + f"int a[] = {{ {', '.join(map(str, range(3000)))} }}; " + FAILS,
    ],
    ids=range(11),
)
def test_unusual_programs_are_read(content: str | bytes, tmp_path: Path) -> None:
    assert localized(tmp_path, content, "--timeout", "120") == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            f"{HEAD}char a[1L << 40]; int main(void) {{ assert(a[nondet_int()]); }}",
            "a is too large: 1099511627776 bytes",
        ),
        (f"{HEAD}int main(void) {{ int a[1L << 40]; assert(a[0]); }}", "a is too large"),
    ],
)
def test_huge_objects_exit_5(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert localized(tmp_path, content) == 5
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ("while (1) ; assert(0);", 5, "unknown: no execution ends within the bound"),
        ("while (1) { x += nondet_int(); assert(x != 12345); }", 0, "x != 12345 does not hold"),
        ("assert(f(x) != 7);", 5, "not complete"),
    ],
)
def test_programs_without_end(
    body: str, code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recursion = "int g(int); int f(int n) { return g(n + 1); } int g(int n) { return f(n - 1) + 1; }\n"
    content = main_with(body).replace("int main", recursion + "int main")
    assert localized(tmp_path, content, "--max-unwind", "5") == code
    assert message in capsys.readouterr().out


def test_texts_and_files_have_a_largest_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    doubling = "#define A0 x +\n" + "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(40))
    monkeypatch.setattr(preprocess, "LARGEST_TEXT", 1 << 20)
    assert localized(tmp_path, f"{doubling}int x; int main(void) {{ return A40 1; }}") == 5
    assert "more than 1 MiB of text after preprocessing" in capsys.readouterr().err
    monkeypatch.setattr(tokens, "LARGEST_FILE", 20)
    assert localized(tmp_path, HEAD + FAILS) == 5
    assert "x.c:3:18: more than 20 tokens in one file" in capsys.readouterr().err


# -- limits --------------------------------------------------------------------------------------------------------

LONG = main_with("".join(f"x = x * 3 + {n}; y += x / (x | 1);\n" for n in range(20_000)) + "assert(y != x);")
ENDLESS = main_with("unsigned long y = 1; while (nondet_int()) y = y * y + x; assert(y != 77 || x != 3);")


def limited(file: Path, content: str, *options: str) -> tuple[int, str, str, float, float]:
    """Exit code, outputs, seconds and the most resident memory in MiB of ``sfo localize`` in a process of its own."""
    file.write_text(content)
    begin = time.monotonic()
    done, kibibytes = measured(sys.executable, "-m", "sfo", "localize", file, *options)
    return done.returncode, done.stdout, done.stderr, time.monotonic() - begin, kibibytes / 1024


@pytest.mark.slow
def test_the_time_limit_holds_while_a_file_is_read(tmp_path: Path) -> None:
    code, out, err, _, _ = limited(
        tmp_path / "x.c", LONG.replace("int x =", "int y = 0, x ="), "--timeout", "1"
    )
    assert (code, out) == (5, "")
    assert err == "sfo: error: the time limit was reached: nothing is known yet\n"


@pytest.mark.slow
def test_the_memory_limit_holds(tmp_path: Path) -> None:
    code, out, err, _, most = limited(tmp_path / "x.c", ENDLESS, "--memory", "200", "--max-unwind", "100000")
    assert code == 5
    assert "the memory limit was reached" in out + err
    assert most < 1.1 * 200
