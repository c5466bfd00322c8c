"""The command line of ``main``: which characters are inputs, and that the formula reads them as a run does."""

from itertools import product
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeDrawnValues, EncodeFixedValues
from cfrontend.environment.arguments import environment_argument_number, environment_argument_sites
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from tests.differential.ours import Symbolic, concrete


def program(tmp_path: Path, head: str, body: str, argv: int | None = None, length: int = 8) -> Program:
    source = tmp_path / "program.c"
    source.write_text(f"#include <assert.h>\nint g;\n{head} {{ assert(g == 0); {body} }}\n")
    return load_c_program([str(source)], ProgramOptions(argv=argv, argv_length=length))


@pytest.mark.parametrize(
    ("head", "body", "reads", "inputs"),
    [
        ("int main(void)", "return 0;", False, 0),
        ("int main(int argc, char **argv)", "return 0;", False, 0),
        ("int main(int argc, char **argv)", "{ int argc = 1; return argc; }", False, 0),
        ("int main(int argc, char **argv)", "return argc;", True, 0),
        ("int main(int argc)", "return argc;", True, 0),
        ("int main(int argc, char *argv[])", "return argv[1][0];", True, 6),
        ("int main(int argc, char **argv, char **envp)", "return !argv;", True, 6),
        ("int main(argc, argv) int argc; char **argv;", "g = *argv != 0; return 0;", True, 6),
    ],
)
def test_what_is_an_input_is_what_main_names(
    head: str, body: str, reads: bool, inputs: int, tmp_path: Path
) -> None:
    loaded = program(tmp_path, head, body, argv=3, length=3)
    assert loaded.reads_arguments == reads
    sites = environment_argument_sites(loaded.goto.functions["main"], loaded.options.arguments)
    names = [site.name for group in sites for site in group]
    expected = [f"argv[{n}][{k}]" for n in (1, 2) for k in range(3)]
    assert names == (expected if inputs else [])
    assert [e.site.name for e in encode_program(loaded, Bound(unwind=1)).inputs] == names


@pytest.mark.parametrize(
    ("name", "number"),
    [("argv[1][0]", 1), ("argv[12][3]", 12), ("argv[1]", None), ("x[1][0]", None), ("argv[1][0].x", None)],
)
def test_the_number_of_an_argument_is_in_the_name_of_its_characters(name: str, number: int | None) -> None:
    assert environment_argument_number(name) == number


def test_every_command_line_of_two_short_arguments(tmp_path: Path) -> None:
    """Each string over three characters up to length 2, twice: read by a run and by the formula up to its end."""
    body = (
        "int n, k, sum = 0; for (n = 1; n < argc; n++) for (k = 0; argv[n][k]; k++)"
        " sum = 7 * sum + argv[n][k] + n; assert(sum != 22); return sum;"
    )
    loaded = program(tmp_path, "int main(int argc, char **argv)", body, argv=3, length=2)
    formula = Symbolic(loaded, Bound(unwind=4))
    words = [w for size in range(3) for w in product((1, -1, 120), repeat=size)]
    sums: set[bool] = set()
    for one, two in product(words, repeat=2):
        vector = [c for word in (one, two) for c in (word if len(word) == 2 else (*word, 0))]
        total = 0
        for n, word in enumerate((one, two), start=1):
            for c in word:
                total = 7 * total + c + n
        run = concrete(loaded, vector)
        assert run.inputs == tuple(vector)
        assert run.end == ("fail" if total == 22 else "pass")
        assert formula.run(vector) == run
        sums.add(total == 22)
    assert sums == {True, False}


def test_a_vector_that_ends_within_an_argument_is_too_short(tmp_path: Path) -> None:
    loaded = program(tmp_path, "int main(int argc, char **argv)", "return argv[1][0];", argv=2)
    encoded = encode_program(loaded, Bound(unwind=1), inputs=EncodeFixedValues([65, 66]))
    assert encoded.concrete.missing_input is not None
    assert encoded.concrete.missing_input.name == "argv[1][2]"


def test_parameters_are_drawn_behind_what_a_constructor_leaves_unread(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <assert.h>\n__attribute__((constructor)) static void first(void) { int unread; }\n"
        "int f(int p) { assert(p != 7); return 0; }\n"
    )
    loaded = load_c_program([str(source)], ProgramOptions(entry="f"))
    encoded = encode_program(loaded, Bound(unwind=1), inputs=EncodeDrawnValues([3, 7]))
    run = decode_model_execution(
        encoded, evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {}), 1
    )
    assert ([i.value for i in run.inputs], run.outcome) == ([7], "fail")
