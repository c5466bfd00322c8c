from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.errors import UsageError
from sfo.formats.vectors import VectorTable, parse_vectors, read_vectors, write_vectors
from tests.sfo.models import execution


def rows(text: str) -> list[tuple[int | str, ...]]:
    return [vector.values for vector in parse_vectors(text, "v.csv").vectors]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2,3\n", [(1, 2, 3)]),
        ("1,2,3", [(1, 2, 3)]),
        ("-1, +2 ,0x1F\r\n0,-0x80\r\n", [(-1, 2, 31), (0, -128)]),
        ("# comment\n\n  \n1\n   # another\n2\n", [(1,), (2,)]),
        ("a,b\n1,2\n", [(1, 2)]),
        ("buf[0],p->x,main::y\n1,2,3\n", [(1, 2, 3)]),
        (r"'a','\n','\0','\x41','\\','\'',' '", [(97, 10, 0, 65, 92, 39, 32)]),
        ("',',1\n", [(44, 1)]),
        ("()\n1\n", [(), (1,)]),
        ("18446744073709551615\n", [(2**64 - 1,)]),
        ("x,y\n0.1,-0x1.8p3\n", [("0.1", "-0x1.8p3")]),
        ("nan,-inf\n1e-300,nan(0x1)\n", [("nan", "-inf"), ("1e-300", "nan(0x1)")]),
    ],
)
def test_reads(text: str, expected: list[tuple[int | str, ...]]) -> None:
    assert rows(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,x,3\n", "v.csv:1:3: 'x' is not a number"),
        ("1,2\n1,,3\n", "v.csv:2:3: empty cell"),
        ("1,2,\n", "v.csv:1:5: empty cell"),
        ("a,b\n1,c\n", "v.csv:2:3: 'c' is not a number"),
        ("1\nname\n", "v.csv:2:1: 'name' is not a number"),
        ("1;2\n", "v.csv:1:1: '1;2' is not a number"),
        ("010\n", "v.csv:1:1: '010' is not a number"),
        ("1, 'ab'\n", "v.csv:1:4: \"'ab'\" is not a number"),
        ("1,'\n", 'v.csv:1:3: "\'" is not a number'),
        ("0x\n", "v.csv:1:1: '0x' is not a number"),
        ("", "v.csv: no input vectors"),
        ("# nothing\na,b\n", "v.csv: no input vectors"),
    ],
)
def test_refuses(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        rows(text)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_columns_are_named_after_the_header() -> None:
    table = parse_vectors("a,b\n1,2,3\n", "v.csv")
    assert [table.column_name(i) for i in range(3)] == ["column 1 (a)", "column 2 (b)", "column 3"]
    assert table.vectors[0].columns == (1, 3, 5)
    assert table.vectors[0].location.line == 2


def test_reads_files_and_says_why_not(tmp_path: Path) -> None:
    file = tmp_path / "v.csv"
    file.write_bytes(b"\xef\xbb\xbfa\n1\n")
    assert read_vectors(str(file)) == VectorTable(
        file=str(file), names=("a",), vectors=parse_vectors("a\n1\n", str(file)).vectors
    )
    with pytest.raises(UsageError, match=r"cannot read .*none\.csv: No such file"):
        read_vectors(str(tmp_path / "none.csv"))
    with pytest.raises(UsageError, match="cannot read"):
        read_vectors(str(tmp_path))
    file.write_bytes(b"\xff\xfe1")
    with pytest.raises(UsageError, match="not a text file"):
        read_vectors(str(file))


@given(st.lists(st.lists(st.integers(-(2**63), 2**64 - 1), max_size=5), min_size=1, max_size=5))
def test_what_is_written_is_read_back(vectors: list[list[int]]) -> None:
    runs = [execution(n, "pass", [], vector) for n, vector in enumerate(vectors, start=1)]
    assert rows(write_vectors(runs)) == [tuple(vector) for vector in vectors]


def test_header_is_written_where_names_agree() -> None:
    assert write_vectors([execution(1, "fail", [], [1, -2]), execution(2, "fail", [], [3])]) == (
        "input1,input2\n1,-2\n3\n"
    )
    assert write_vectors([execution(1, "fail", [])]) == "()\n"
