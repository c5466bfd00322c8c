"""An expected output that any part of may have been printed costs effort at each of its places."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.effort import SECOND, spent_effort, within_effort
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import ResourceError
from cfrontend.program import ProgramOptions, encode_program, load_c_program

LINES = """#include <stdio.h>
int main(void)
{
    int i;
    printf("begin\\n");
    for (i = 1; i <= 40; i++)
        printf("%d", i), printf(" %d\\n", i * i);
    return 0;
}
"""


def test_a_long_text_with_an_unknown_place_ends_with_the_effort(tmp_path: Path) -> None:
    file = tmp_path / "lines.c"
    file.write_text(LINES)
    program = load_c_program([str(file)], ProgramOptions())
    printing = next(unit.id for unit in program.units if "printf" in unit.text)
    expected = b"".join(b"%d %d\n" % (n, n * n + 1) for n in range(1, 3000))
    begin, most = spent_effort(), SECOND // 2
    with within_effort(most), pytest.raises(ResourceError):
        encode_program(
            program,
            Bound(unwind=None, free=True, free_limit=100),
            inputs=EncodeFixedValues(()),
            expected=expected,
            relax=(printing,),
        )
    assert spent_effort() - begin < 2 * most
