from dataclasses import replace

from sfo.core.dataset import Dataset
from sfo.spectra.formats.matrix_csv import write_dataset_matrix_csv, write_matrix_csv_outcomes
from tests.sfo.models import execution, unit

RUNS = (execution(1, "fail", [1, 3]), execution(2, "pass", [1]), execution(3, None, []))


def test_one_row_per_execution_one_column_per_unit() -> None:
    units = (unit(1, label="C1"), unit(2), unit(3, label="C3"), unit(4, label="C"), unit(5, label="C"))
    assert write_dataset_matrix_csv(Dataset(units=units, executions=RUNS)) == (
        "id,outcome,property,C1,2,C3,4,5\n1,fail,main.assertion.1,1,0,1,0,0\n2,pass,,1,0,0,0,0\n3,,,0,0,0,0,0\n"
    )


def test_outcomes_have_the_printed_text() -> None:
    runs = (replace(RUNS[0], output='a,"b"\n', test="t1.in"), RUNS[1])
    assert write_matrix_csv_outcomes(runs) == (
        'id,outcome,property,output,test\n1,fail,main.assertion.1,"a,""b""\n",t1.in\n2,pass,,,\n'
    )
