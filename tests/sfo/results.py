"""A finished result to write and report: the paper's ten tests of minmax.c."""

from dataclasses import replace

from cfrontend.terms import Terms
from sfo.core.dataset import Dataset
from sfo.core.result import Result, ResultBound, ResultOfProperty, ResultStatistics
from sfo.spectra.measures import find_measure
from sfo.spectra.ranking import rank_units
from tests.sfo.models import PAPER_VECTORS, assertion, minmax, run, unit

TEXTS = ("least = input1", "most = input2", "most = input3", "most = input2", "least = input3")
LINES = (12, 15, 17, 19, 21)


def paper_result() -> Result:
    program = minmax(Terms())
    units = tuple(
        unit(number, text, label=f"C{number}", line=line)
        for number, (text, line) in enumerate(zip(TEXTS, LINES, strict=True), start=1)
    )
    runs = tuple(run(program, vector, number) for number, vector in enumerate(PAPER_VECTORS, start=1))
    dataset = Dataset(units=units, executions=runs)
    return Result(
        verdict="violated",
        reason=None,
        bound=ResultBound(unwind=1, unwindset={}, complete=True),
        optimal=True,
        undecided=(),
        intersection=dataset.intersection,
        dataset=dataset,
        properties=(ResultOfProperty(property=assertion(), status="violated"),),
        measure="naish2",
        rank="coverage",
        ranking=rank_units(dataset, find_measure("naish2")),
        statistics=ResultStatistics(
            solver="bitwuzla", calls=7, seconds={"total": 0.2, "solve": 0.1}, stage_calls={"failing": 7}
        ),
    )


def nothing_fails() -> Result:
    result = paper_result()
    return replace(
        result,
        verdict="safe",
        optimal=None,
        intersection=(),
        dataset=replace(result.dataset, executions=()),
        properties=(ResultOfProperty(property=assertion(), status="safe"),),
        ranking=(),
        bound=ResultBound(unwind=64, unwindset={"main.0": 64, "f.1": 2}, complete=False),
    )
