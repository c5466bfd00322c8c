"""Generators of hostile cases: files that nobody meant, and commands on them, each drawn from a source of chance.

CASES["matrices"](random.Random(7))  ->  HostileCase(words=("rank", "x.csv"), files={b"x.csv": b"id,outco..."})
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, final

_HERE: Final = Path(__file__).parent
_LIMITS: Final = ("-q", "--timeout", "3", "--memory", "1500", "--native", "off", "--jobs", "1")
_SMALL: Final = (
    b"int nondet_int(void);\nint main(void) { int x = nondet_int(), a[3]; a[x & 3] = 1; return 0; }\n"
)


@final
@dataclass(frozen=True, slots=True)
class HostileCase:
    """A command, the files, links and standard input that it finds, and what it is asked to write."""

    words: tuple[str, ...]
    files: Mapping[bytes, bytes]
    outputs: tuple[str, ...] = ()
    stdin: bytes = b""
    links: Mapping[bytes, bytes] = field(default_factory=dict)


_WORDS: Final = (
    b"0", b"-1", b"1e999", b"9" * 400, b"NaN", b"\0", b"\xff\xfe", b"\x1b[31m", b'"', b"'", b"\n", b"\\", b"(" * 300, b"{" * 300,
    b"[" * 2000, b"18446744073709551616", b"0x", b"%s%n", b"\xe2\x80\xae", b",", b";", b"}", b"/*", b"//", b"#", b"...", b"null",
    b"int", b"sizeof", b"struct", b"*", b"&", b"?:", b"goto", b"while(1)", b'#include "/dev/zero"\n', b'#line 1 "/etc/passwd"\n',
    b"_Generic", b"__attribute__((x))", b'asm("")', b"float", b"case 1:", b"0.1e-5000", b'u8""', b"int f(){return f();}",
)  # fmt: skip


def mutated(draw: random.Random, text: bytes) -> bytes:
    """``text`` with up to twelve slips: bytes changed, parts left out, doubled, moved, or other words put in."""
    for _ in range(draw.randrange(1, draw.choice((2, 4, 13)))):
        at, size = draw.randrange(len(text) + 1), draw.choice((1, 1, 2, 5, 20, 100))
        part = text[at : at + size]
        match draw.randrange(6):
            case 0:
                text = text[:at] + text[at + size :]
            case 1:
                text = text[:at] + part * draw.choice((2, 3, 50)) + text[at + size :]
            case 2:
                text = text[:at] + draw.choice(_WORDS) + text[at:]
            case 3:
                text = text[:at] + bytes([draw.randrange(256)]) + text[at + 1 :]
            case 4:
                other = draw.randrange(len(text) + 1)
                text = text[:other] + part + text[other:]
            case _:
                text = (
                    text[:at]
                    if draw.randrange(8) == 0
                    else text[:at] + draw.choice(_WORDS) + text[at + size :]
                )
    return text


@cache
def _programs() -> tuple[bytes, ...]:
    files = sorted((_HERE / "programs").glob("*/fault1.c"))
    return tuple(text for file in files if len(text := file.read_bytes()) < 5000)


def _program(draw: random.Random) -> HostileCase:
    text = mutated(draw, draw.choice((*_programs(), _SMALL)))
    command = draw.choice(("check", "check", "localize", "show"))
    words = ("--units",) if command == "show" else (*_LIMITS, "--unwind", "3")
    more = ("--rank", "coverage") if command == "localize" else ()
    return HostileCase((command, "p.c", *words, *more), {b"p.c": text})


_CSV: Final = b"id,outcome,property,p.c:1,p.c:2\n1,fail,x,1,0\n2,pass,,1,1\n"
_JSON: Final = json.dumps(
    {
        "format": 1,
        "kind": "matrix",
        "units": [
            {"name": n, "function": "main", "file": "p.c", "line": 1, "end_line": 1, "text": "x"}
            for n in "ab"
        ],
        "runs": [
            {"name": "1", "outcome": "fail", "covered": [0]},
            {"name": "2", "outcome": "pass", "covered": [0, 1]},
        ],
    }
).encode()
_GCOV: Final = json.dumps(
    {"files": [{"file": "p.c", "lines": [{"line_number": 1, "count": 1, "function_name": "main"}]}]}
).encode()
_TCM: Final = b"#tests\nt1 PASSED\nt2 FAILED\n\n#uuts\np.c:1\np.c:2\n\n#matrix\n0 1 1 1\n1 1\n"
_OUTCOMES: Final = b"x,pass\n"
_LCOV: Final = b"TN:t\nSF:p.c\nDA:1,1\nDA:2,0\nend_of_record\n"
_XML: Final = b"""<?xml version="1.0"?><coverage><packages><package name="a"><classes><class name="p" filename="p.c">
<lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class></classes></package></packages></coverage>"""
_MATRICES: Final = {"csv": _CSV, "json": _JSON, "tcm": _TCM, "info": _LCOV, "xml": _XML, "gcov.json": _GCOV}


def _matrix(draw: random.Random) -> HostileCase:
    ending, text = draw.choice(sorted(_MATRICES.items()))
    name = f"x.{ending}"
    words = draw.choice(
        (
            ("rank", name),
            ("reduce", name),
            ("convert", name, "-o", "y.csv"),
            ("rank", name, "--measure", "ochiai"),
        )
    )
    files = {name.encode(): mutated(draw, text), b"outcomes.csv": _OUTCOMES}
    return HostileCase(words, files, ("y.csv",))


_BOMB: Final = (
    b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(12))
    + b"]><coverage>&m;</coverage>"
)
_ENTITIES: Final = (
    _BOMB,
    b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><coverage>&x;</coverage>',
    b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///dev/zero">]><coverage a="&x;"/>',
    b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd"><coverage/>',
    b"<a>" * 30000,
    b"<coverage " + b" ".join(b'a%d="1"' % n for n in range(20000)) + b"/>",
)


def _markup(draw: random.Random) -> HostileCase:
    text = draw.choice(_ENTITIES)
    if draw.randrange(3):
        text = mutated(draw, draw.choice((text, _XML)))
    return HostileCase(("rank", "x.xml"), {b"x.xml": text})


def _vectors(draw: random.Random) -> HostileCase:
    text = mutated(draw, draw.choice((b"1,2,3\n4,5,6\n", b"x\n1\n-7\n", b"0x10\n1.5\n")))
    return HostileCase(("run", "p.c", "--inputs", "v.csv", *_LIMITS[:5]), {b"p.c": _SMALL, b"v.csv": text})


_TOML: Final = (
    b'unwind = 8\ncheck = ["assert", "bounds"]\nI = ["include", "lib"]\nD = ["N=4"]\nentry = "main"\n'
)


def _configuration(draw: random.Random) -> HostileCase:
    name, text = draw.choice(((b"sfo.toml", _TOML), (b"pyproject.toml", b"[tool.sfo]\n" + _TOML)))
    return HostileCase(("check", "p.c", *_LIMITS), {b"p.c": _SMALL, name: mutated(draw, text)})


def _database(draw: random.Random) -> HostileCase:
    entry = {"directory": ".", "file": "p.c", "command": "cc -Iinclude -DN=4 -std=c11 -c p.c"}
    text = mutated(draw, json.dumps([entry, {**entry, "arguments": ["cc", "@x", "-DA"]}]).encode())
    files = {b"p.c": _SMALL, b"compile_commands.json": text, b"x": b"-wrapper sh,-c,touch${IFS}pwned"}
    return HostileCase(("check", "p.c", "--compile-commands", "compile_commands.json", *_LIMITS), files)


def _name(draw: random.Random) -> HostileCase:
    letters = bytes(b for b in range(1, 256) if b != 0x2F)
    name = draw.choice((b"", b"-", b"@", b"--")) + bytes(
        draw.choice(letters) for _ in range(draw.randrange(1, 9))
    )
    name += draw.choice((b".c", b".i", b".csv", b""))
    words = draw.choice(
        (("check", *_LIMITS), ("localize", *_LIMITS, "--rank", "coverage"), ("rank",), ("show", "--units"))
    )
    return HostileCase((*words, "--", os.fsdecode(name)), {name: _SMALL if draw.randrange(2) else _CSV})


_OPTIONS: Final = (
    "--unwind", "--entry", "--check", "-I", "-D", "--include", "--std", "--argv", "--array-size", "--requires", "--ensures", "--depth",
    "--max-unwind", "--unwindset", "--property", "--format", "--solver", "--effort", "--undefined", "--passing", "--measure", "--reference",
    "--compile-commands", "--havoc", "--units", "--timeout", "--memory", "--jobs", "--tests", "--report", "--slice", "--rank",
)  # fmt: skip
_VALUES: Final = (
    "", "0", "1", "-1", "2", "1000000000", "9" * 40, "1e999", "nan", "auto", "main", "assert", "x > 0", "\udcff", "a\nb", "\x1b[0m", "@x", "-", "--",
    "/dev/zero", "/dev/null", "/", "p.c", "x:1", "1:x,", "all", "json", "text=/nowhere/x", "sarif", "é", "((((", '"', "__sfo_result", "f(", "*",
)  # fmt: skip


def _options(draw: random.Random) -> HostileCase:
    words = [
        draw.choice(
            ("check", "localize", "repair", "generate", "export", "mutate", "show", "harness", "explain")
        )
    ]
    words += ["p.c"] * (draw.randrange(20) > 0)
    for _ in range(draw.randrange(1, 5)):
        words += [draw.choice(_OPTIONS), draw.choice(_VALUES)]
    if words[0] not in {"show", "harness"}:
        words += _LIMITS
    return HostileCase(tuple(words), {b"p.c": _SMALL})


_SUITE: Final = {
    b"vectors.csv": b"x\n3\n1\n",
    b"outcomes.csv": b"id,outcome,property,output,test\n1,fail,main.bounds.1,,\n2,pass,,,\n",
    b"matrix.csv": b"id,outcome,property,1,2,3\n1,fail,main.bounds.1,1,1,0\n2,pass,,1,1,1\n",
    b"dataset.json": b'{"format": 1, "verdict": "violated", "bound": {"unwind": 1}, "units": [], "executions": []}',
}
_FORMS: Final = (
    "c",
    "pytest",
    "stdin",
    "testcomp",
    "corpus",
    "cmocka",
    "googletest",
    "criterion",
    "unity",
    "x",
)


def _suite(draw: random.Random) -> HostileCase:
    """A suite that is updated, which somebody has changed, or one in a form of tests."""
    victim = draw.choice(sorted(_SUITE))
    files = {b"s/" + name: text for name, text in _SUITE.items()}
    files[b"s/" + victim] = mutated(draw, _SUITE[victim])
    words = draw.choice((("--update", "s"), ("--update", "s", "-o", "t")))
    if draw.randrange(2):
        words = ("-o", "t", "--as", draw.choice(_FORMS))
    return HostileCase(("generate", "p.c", *words, *_LIMITS), {b"p.c": _SMALL, **files}, ("s", "t"))


_CRASHES: Final = (
    (
        b"==1==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ffd\nWRITE of size 4 at 0x7ffd thread T0\n"
        b"    #0 0x55 in main p.c:2:46\n    #1 0x7f in __libc_start_main\n"
    ),
    b"p.c:2:46: runtime error: index 3 out of bounds for type 'int [3]'\n",
    b"a.out: p.c:2: main: Assertion `x' failed.\nAborted\n",
    b"Program received signal SIGSEGV, Segmentation fault.\n#0  0x0000555 in main () at p.c:2\n",
)


def _crash(draw: random.Random) -> HostileCase:
    """What a tool said about a crash, or the input of one."""
    report, text = mutated(draw, draw.choice(_CRASHES)), mutated(draw, b"3\n1 2\n")
    words = draw.choice(
        (("--crash", "r.txt"), ("--input", "i.txt"), ("--input", "i.txt", "--arguments", "a 'b"))
    )
    files = {b"p.c": _SMALL, b"r.txt": report, b"i.txt": text}
    return HostileCase(("localize", "p.c", *words, *_LIMITS), files)


_ROWS = 8
"""Lines that a list of programs has at most."""


def _batch(draw: random.Random) -> HostileCase:
    """A list of programs, or a result of an earlier batch, that somebody has changed."""
    listed = mutated(
        draw, draw.choice((b"p.c\n", b"file,name,entry\np.c,one,main\n", b"p.c\n/etc/passwd\n../p.c\n"))
    )
    listed = b"\n".join(listed.split(b"\n")[:_ROWS])  # each program has a limit of its own
    files = {b"p.c": _SMALL, b"l.csv": listed, b"out/table.json": mutated(draw, b'{"format": 1, "rows": []}')}
    return HostileCase(("batch", "l.csv", "-o", "out", *_LIMITS), files, ("out",))


def _editor(draw: random.Random) -> HostileCase:
    """What an editor says, framed or not as it has to be."""
    uri = draw.choice(("file:///nowhere/p.c", "file:///dev/zero", "http://127.0.0.1:9/p.c", "p.c", ""))
    document = {"uri": uri, "languageId": "c", "version": 1, "text": _SMALL.decode()}
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    )  # fmt: skip
    said = b""
    for message in messages:
        text = json.dumps(message).encode()
        text = mutated(draw, text) if draw.randrange(3) == 0 else text
        size = len(text) if draw.randrange(6) else draw.choice((-1, 0, 10**12, len(text) + 1))
        said += b"Content-Length: %d\r\n\r\n" % size + text
    return HostileCase(("lsp", "--timeout", "3"), {b"p.c": _SMALL}, stdin=said)


def _build(draw: random.Random) -> HostileCase:
    """A build that is recorded beside what an earlier one left."""
    earlier = mutated(draw, json.dumps([{"directory": ".", "file": "p.c", "command": "cc -c p.c"}]).encode())
    words = draw.choice(
        (("true",), ("false",), ("/nowhere",), ("cc", "-fsyntax-only", "p.c"), ("cc", "-E", "@x"))
    )
    files = {b"p.c": _SMALL, b"compile_commands.json": earlier}
    return HostileCase(("capture", "--", *words), files, ("compile_commands.json",))


def _links(draw: random.Random) -> HostileCase:
    """A directory to write to, with links that lead to files and directories elsewhere."""
    words, names = draw.choice(
        (
            (("generate", "p.c", "--update", "s"), (b"s/matrix.csv", b"s/x", b"s/c")),
            (
                ("generate", "p.c", "-o", "s", "--as", "c"),
                (b"s/vectors.csv", b"s/c", b"s/c/Makefile", b"s/dataset.json"),
            ),
            (("mutate", "p.c", "-o", "s", "--limit", "1"), (b"s/v1.c", b"s/versions.json")),
            (("batch", "l.csv", "-o", "s"), (b"s/pages", b"s/results", b"s/index.html", b"s/table.json")),
            (("convert", "m.csv", "s"), (b"s/matrix.txt", b"s/tests.csv", b"s/spectra.csv")),
        )
    )
    text = b"int f(int x) { if (x > 3) return 1; return 2; }\n" + _SMALL
    files = {b"p.c": text, b"l.csv": b"p.c\n", b"m.csv": _CSV, b"victim": b"precious", b"elsewhere/x": b""}
    files |= {b"s/" + name: data for name, data in _SUITE.items()} if "--update" in words else {}
    links: dict[bytes, bytes] = {}
    for name in draw.sample(names, draw.randrange(1, len(names) + 1)):
        if not any(name.startswith(link + b"/") or link.startswith(name + b"/") for link in links):
            links[name] = b"../" * name.count(b"/") + draw.choice((b"victim", b"elsewhere", b"nothing"))
            files.pop(name, None)
    limits = () if words[0] == "convert" else _LIMITS
    return HostileCase((*words, *limits), files, ("s",), links=links)


_AT: Final = (
    "$GCOV_PREFIX$PWD/lib.gcno", "$GCOV_PREFIX$PWD/lib.gcov.json", "$GCOV_PREFIX$PWD/lib.gcda", "$GCOV_PREFIX/x.gcda", "$GCOV_PREFIX",
    "$GCOV_PREFIX/../calls", "$GCOV_PREFIX/../calls/1", "$GCOV_PREFIX/../failed", "$GCOV_PREFIX/../failed/1", "lib.gcno", "lib.c", "t", ".",
)  # fmt: skip
"""Names that a test command leaves something by."""

_LEFT: Final = (
    "rm -rf {at}; ln -s $PWD/victim {at}", "rm -rf {at}; ln -s / {at}", "rm -rf {at}; mkfifo {at}", "rm -rf {at}; mkdir {at}",
    "head -c 99 /dev/urandom > {at}", "truncate -s 1G {at}", "rm -rf {at}", "chmod 0 {at}", "cd {at}; mkdir -p $(printf 'd/%.0s' $(seq 300))",
    "cp lib.gcda {at}", "printf '%s\\0' / cc /etc/../x.c lib.c > {at}",
)  # fmt: skip
"""What it leaves there."""


def _test_command(draw: random.Random) -> HostileCase:
    """A test command that leaves something else where sfo reads."""
    attacks = [draw.choice(_LEFT).format(at=draw.choice(_AT)) for _ in range(draw.randrange(1, 4))]
    begin = "gcc -c lib.c && gcc -o t t.c lib.o || exit 0; ./t; code=$?"
    command = f"{begin}; {'; '.join(f'({attack})' for attack in attacks)}; exit $code"
    files = {
        b"lib.c": b"int twice(int a)\n{\n    return a + a + (a > 3);\n}\n",
        b"t.c": b"int twice(int);\nint main(void) { return twice(4) != 8; }\n",
        b"victim": b"precious",
    }
    return HostileCase(("localize", "lib.c", "--test-command", command, "-q", "--timeout", "3"), files)


CASES: Final[Mapping[str, Callable[[random.Random], HostileCase]]] = {
    "programs": _program,
    "matrices": _matrix,
    "markup": _markup,
    "vectors": _vectors,
    "configuration": _configuration,
    "databases": _database,
    "names": _name,
    "options": _options,
    "suites": _suite,
    "crashes": _crash,
    "batches": _batch,
    "editors": _editor,
    "builds": _build,
    "links": _links,
    "commands": _test_command,
}
"""Classes of cases that need no signal and no limit of the system."""
