"""``sfo evaluate``: techniques compared on versions with known faults, and the papers' questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cfrontend.errors import UsageError
from sfo.cli import output
from sfo.cli.options import OptionCommand, command, run_options

if TYPE_CHECKING:
    from sfo.spectra.evaluation.corpus import CorpusVersion
    from sfo.spectra.evaluation.ranking import Way
    from sfo.spectra.evaluation.scores import EvaluationScore

CORPUS: Final = click.Argument(["corpus"], metavar="CORPUS.json")


@click.group(no_args_is_help=True)
def evaluate() -> None:
    """Compare techniques on versions with known faults (see docs/measures.md for the corpus file)."""


def _subcommand(name: str, *arguments: click.Argument) -> Callable[[Callable[..., int]], OptionCommand]:
    """The command ``sfo evaluate NAME``."""

    def decorate(function: Callable[..., int]) -> OptionCommand:
        made = command(f"evaluate-{name}", *arguments)(function)
        evaluate.add_command(made)
        return made

    return decorate


def _versions(corpus: str, faulty: Sequence[str] = ()) -> tuple[CorpusVersion, ...]:
    from sfo.spectra.evaluation.corpus import read_corpus

    versions = read_corpus(Path(corpus), faulty)
    for note in dict.fromkeys(note for version in versions for note in version.matrix.notes):
        output.complain(f"{corpus}: {note}")
    return versions


def _chosen(names: str, *, as_asked: bool) -> tuple[Way, ...]:
    """The techniques of a list of names, with these names where a table is to show them."""
    from sfo.spectra.evaluation.ranking import name_evaluation_rankings_as_asked, parse_evaluation_rankings

    chosen = parse_evaluation_rankings(names)
    return name_evaluation_rankings_as_asked(chosen, names) if as_asked else chosen


@_subcommand("scores", CORPUS)
def evaluate_scores(corpus: str, **given: Any) -> int:
    """Wasted effort, EXAM, accuracy, top k and n-scores of techniques.

    CORPUS.json may be a coverage matrix: one that marks its faults itself (TCM, GZoltar's directory, JSON), or any with
    --faulty. Wasted effort and top k take tied units in the order of the matrix, EXAM at the last rank of the tie.
    Techniques on edge profiles are scored on the versions that have one.
    """
    from sfo.report import evaluation as report
    from sfo.spectra.evaluation.corpus import corpus_version_of_failing
    from sfo.spectra.evaluation.scores import (
        common_evaluation_scores,
        evaluation_score_of_version,
        summarise_evaluation_scores,
    )

    names, form = given["measure"], given["format"]
    chosen = _chosen(names, as_asked=form == "text")
    versions = _versions(corpus, given["faulty"])
    if given["runs"] == "failing":
        versions = tuple(corpus_version_of_failing(version) for version in versions)
    found = []
    with output.Progress(quiet=given["quiet"]) as progress:
        for item in chosen:
            progress(item.name)
            found.append([*filter(None, (evaluation_score_of_version(one, item) for one in versions))])
    found = [part for part in found if part]
    if not found:
        raise UsageError(f"{names} needs edge profiles, and no version of {corpus} has one")
    if given["common"]:
        found = common_evaluation_scores(found)
        if not found:
            raise UsageError("no version can be ranked by all of the techniques")
    summaries = [summarise_evaluation_scores(part) for part in found]
    if form == "csv":
        text = report.scores_csv(score for part in found for score in part)
    elif form == "json":
        text = report.summaries_json(summaries)
    else:
        text = report.summaries_text(summaries)
        if len(versions) > 1:
            text += f"\n{report.distributions_text(found)}"
            text += f"\n{differences}" if (differences := report.differences_text(found)) else ""
    output.write(text, given["output"])
    return 0


@_subcommand("graph", CORPUS)
def evaluate_graph(corpus: str, **given: Any) -> int:
    """The accuracy graph: which formulas are consistently more accurate than which, and what the theory says.

    With several data sets also the relations that all of them have. The theory is about suites with passing executions:
    versions without one are left out, and graphs of failing executions only are not compared with it.
    """
    from sfo.report import evaluation as report
    from sfo.spectra.evaluation.corpus import DATA_KINDS, corpus_version_of_failing, corpus_versions_of
    from sfo.spectra.evaluation.draw import draw_form_of
    from sfo.spectra.evaluation.draw import draw_picture as draw_graph
    from sfo.spectra.evaluation.graph import accuracy_graph, common_graph_relations, graph_difference
    from sfo.spectra.measures.families import measures_of_families_named as formula_names

    names, draw, runs = formula_names(given["formulas"]), given["draw"], given["runs"]
    several = len(given["dataset"]) > 1
    if draw:
        draw_form_of(Path(draw))
    versions = _versions(corpus, given["faulty"])
    if runs == "failing":
        versions = tuple(corpus_version_of_failing(version) for version in versions)
    else:
        versions = tuple(version for version in versions if version.matrix.passing)
    graphs, parts, data = [], [], []
    with output.Progress(quiet=given["quiet"]) as progress:
        for kind in (kind for kind in DATA_KINDS if kind in given["dataset"]):
            chosen = corpus_versions_of(versions, kind)
            if several and not chosen:
                output.complain(f"{corpus}: no version fits the data set {kind}")
                continue
            made = accuracy_graph(
                chosen, names, suites=given["suites"], progress=progress,
            )  # fmt: skip
            graphs.append(made)
            found = graph_difference(made) if runs == "all" else None
            parts.append(f"{kind}: {report.graph_text(made, len(chosen))}")
            if found is not None:
                parts.append(report.text("difference", found))
            data.append(report.graph_json(kind, made, found))
            if draw:
                path = Path(draw)
                path = path.with_stem(f"{path.stem}-{kind}") if several else path
                draw_graph(made, f"{kind}, {len(chosen)} versions, {runs} executions", path)
    if not graphs:
        raise UsageError("no version of the corpus fits these data sets")
    common = common_graph_relations(graphs)
    if len(graphs) > 1:
        parts.append(report.text("relations", "more accurate in every data set", common))
    text = report.graphs_json(data, common) if given["format"] == "json" else "\n".join(parts)
    output.write(text, given["output"])
    return 0


@_subcommand("hitting", CORPUS)
def evaluate_hitting(corpus: str, **given: Any) -> int:
    """HT_Rank beside the standard rank score, or (--sampled) how well walks estimate it.

    Techniques on edge profiles are tried on the versions that have one, and so are all where edges are a model.
    """
    from sfo.report import evaluation as report
    from sfo.spectra.evaluation.hitting_study import (
        MODELS,
        hitting_study_chain,
        hitting_study_estimation,
        hitting_study_ranks,
    )
    from sfo.spectra.evaluation.ranking import can_rank_in_evaluation

    chosen, p_jump = _chosen(given["measure"], as_asked=True), given["p_jump"]
    versions = _versions(corpus, given["faulty"])
    if "edges" in given["model"]:
        versions = tuple(version for version in versions if version.profile is not None)
    rows, ranks = [], []
    with output.Progress(quiet=given["quiet"]) as progress:
        for model in (model for model in MODELS if model in given["model"]):
            for item in chosen if model != "behaviours" else chosen[:1]:
                progress(f"{model} {item.name}")
                ranked = [v for v in versions if model == "behaviours" or can_rank_in_evaluation(v, item)]
                if not ranked:
                    raise UsageError(f"{item.name} needs edge profiles, and no version of {corpus} has one")
                if given["sampled"]:
                    for version in ranked:
                        chain = hitting_study_chain(version, item, model, p_jump)
                        found = hitting_study_estimation(chain, seed=given["seed"])
                        rows.append((f"{version.subject} {version.name} {model} {item.name}", found))
                else:
                    ranks.append(
                        [
                            hitting_study_ranks(version, item, model, p_jump, seed=given["seed"])
                            for version in ranked
                        ]
                    )
    text = report.text("estimations", rows) if given["sampled"] else report.hitting_text(ranks)
    output.write(text, given["output"])
    return 0


@_subcommand("causes", click.Argument(["matrix"], metavar="MATRIX"), click.Argument(["formula"]))
def evaluate_causes(matrix: str, formula: str, **given: Any) -> int:
    """The probability of a hypothesis about a small matrix, such as H2 (the second unit was the cause) given u2.

    u2 was executed, h2 a cause, H2 the only cause, f2 a fault; e: the error; [3]h2 in the third execution; ! & | and
    brackets.
    """
    from sfo.spectra.doric.hypotheses import count_doric_models, doric_model_probability
    from sfo.spectra.formats.matrices import read_matrix_in_any_format

    table = read_matrix_in_any_format(Path(matrix), given["from"])
    for note in table.notes:
        output.complain(f"{matrix}: {note}")
    result = doric_model_probability(table, formula, given["given"])
    models = count_doric_models(table)
    output.write(f"{result} = {float(result):.6g} ({models} causal models)\n", given["output"])
    return 0


@_subcommand("corpus", click.Argument(["lists"], nargs=-1, required=True, metavar="VERSIONS.json..."))
def evaluate_corpus(lists: tuple[str, ...], **given: Any) -> int:
    """Run sfo on versions of C programs (from 'sfo mutate') and score techniques on them.

    --timeout is for each version. DIR has corpus.json and the datasets, for the other commands, and a database: a
    second run computes what is missing or has changed. Edge profiles are made where a technique needs them.
    """
    from sfo.pipeline.batch import batch_workers, read_batch_versions, run_batch
    from sfo.report import evaluation as report
    from sfo.spectra.evaluation.ranking import parse_evaluation_rankings

    names = given["measure"]
    chosen = parse_evaluation_rankings(names)
    sources = [source for file in lists for source in read_batch_versions(Path(file))]
    if len({(source.subject, source.version) for source in sources}) < len(sources):
        raise UsageError("two versions have one subject and name")
    with (
        batch_workers(given["jobs"]) as executor,
        output.Progress(quiet=given["quiet"]) as progress,
    ):
        found = run_batch(
            sources, chosen, Path(given["output"]), run_options({**given, "measure": "naish2", "jobs": 1}), executor,
            progress=progress,
        )  # fmt: skip
    lines = [f"{len(sources)} versions, {found.computed} datasets made now, {len(found.left_out)} left out"]
    lines += report.reasons("left out", found.left_out)
    lines += report.reasons("without an edge profile", found.without_profile)
    text = "\n".join(lines) + "\n"
    if found.scores:
        text += "\n" + _summaries(found.scores, chosen, names)
    output.write(text, None)
    return 0


def _summaries(scores: Sequence[EvaluationScore], chosen: Sequence[Way], names: str) -> str:
    """The table of the scores of the chosen techniques, each called as the list ``names`` calls it."""
    from sfo.report import evaluation as report
    from sfo.spectra.evaluation.ranking import name_evaluation_rankings_as_asked
    from sfo.spectra.evaluation.scores import summarise_evaluation_scores

    shown = name_evaluation_rankings_as_asked(chosen, names)
    parts = [[score for score in scores if score.technique == item.name] for item in chosen]
    return report.summaries_text(
        [
            replace(summarise_evaluation_scores(part), technique=item.name)
            for item, part in zip(shown, parts, strict=True)
            if part
        ]
    )
