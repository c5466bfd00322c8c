"""``sfo evaluate``: techniques compared on versions with known faults, and the papers' questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import UsageError
from sfo.cli.options import (
    BOUND_OPTIONS,
    PROGRAM_OPTIONS,
    OptionCommand,
    passing_option,
    run_options,
    with_options,
)
from sfo.cli.output import (
    ProgressOutput,
    complain_on_error_output,
    write_output,
    write_output_file,
)
from sfo.library.defaults import DEFAULT_PASSING

if TYPE_CHECKING:
    from sfo.spectra.evaluation.corpus import CorpusVersion
    from sfo.spectra.evaluation.ranking import Way
    from sfo.spectra.evaluation.scores import EvaluationScore

CORPUS = click.argument("corpus", metavar="CORPUS.json")
OUTPUT = click.option("-o", "--output", metavar="FILE", help="Write the result to FILE.")
QUIET = click.option("-q", "--quiet", is_flag=True, help="No progress.")
VERBOSE = click.option("-v", "--verbose", count=True, help="-vv: tracebacks.", expose_value=False)
SEED = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of what is random."
)
RUNS = click.option("--runs", type=click.Choice(["all", "failing"]), default="all", show_default=True,
                    help="failing: as if nobody had looked for passing executions.")  # fmt: skip
MEASURES = click.option("--measure", "names", default="naish2", metavar="M,...", show_default=True,
                        help="Measures or techniques ('all' for all of them).")  # fmt: skip


@click.group(no_args_is_help=True)
def evaluate() -> None:
    """Compare techniques on versions with known faults (see docs/measures.md for the corpus file)."""


def _versions(corpus: str, faulty: Sequence[str] = ()) -> tuple[CorpusVersion, ...]:
    from sfo.spectra.evaluation.corpus import read_corpus

    versions = read_corpus(Path(corpus), faulty)
    for note in dict.fromkeys(note for version in versions for note in version.matrix.notes):
        complain_on_error_output(f"{corpus}: {note}")
    return versions


def _chosen(names: str, *, as_asked: bool) -> tuple[Way, ...]:
    """The techniques of a list of names, with these names where a table is to show them."""
    from sfo.spectra.evaluation.ranking import name_evaluation_rankings_as_asked, parse_evaluation_rankings

    chosen = parse_evaluation_rankings(names)
    return name_evaluation_rankings_as_asked(chosen, names) if as_asked else chosen


@evaluate.command("scores")
@CORPUS
@MEASURES
@click.option(
    "--faulty", multiple=True, metavar="UNIT", help="A faulty unit of a coverage matrix; repeatable."
)
@RUNS
@click.option("--cut", is_flag=True, help="Leave units out that no failing execution covers.")
@click.option("--common", is_flag=True, help="Only versions that every technique can rank.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "csv", "json"]),
    default="text",
    show_default=True,
    help="text and json: summaries; csv: every version.",
)
@OUTPUT
@QUIET
@VERBOSE  # fmt: skip
def evaluate_scores(corpus: str, names: str, faulty: tuple[str, ...], runs: str, format_: str, output: str | None, *,
           cut: bool, common: bool, quiet: bool) -> int:  # fmt: skip
    """Wasted effort, EXAM, accuracy, top k and n-scores of techniques.

    CORPUS.json may be a coverage matrix: one that marks its faults itself (TCM, GZoltar's directory, JSON), or any with
    --faulty. Wasted effort and top k take tied units in the order of the matrix, EXAM at the last rank of the tie.
    Techniques on edge profiles are scored on the versions that have one.
    """
    from sfo.report.evaluation import (
        evaluation_distributions_text,
        evaluation_scores_csv,
        evaluation_summaries_json,
        evaluation_summaries_text,
    )
    from sfo.spectra.evaluation.corpus import corpus_version_of_failing
    from sfo.spectra.evaluation.scores import (
        common_evaluation_scores,
        cut_version_for_evaluation_scores,
        evaluation_score_of_version,
        summarise_evaluation_scores,
    )

    chosen = _chosen(names, as_asked=format_ == "text")
    versions = _versions(corpus, faulty)
    if runs == "failing":
        versions = tuple(corpus_version_of_failing(version) for version in versions)
    if cut:
        versions = tuple(
            kept for version in versions if (kept := cut_version_for_evaluation_scores(version)) is not None
        )
        if not versions:
            raise UsageError("no failing execution covers a faulty unit in any version")
    found = []
    with ProgressOutput("none" if quiet else "auto") as progress:
        for item in chosen:
            progress(item.name)
            part = [
                score
                for version in versions
                if (score := evaluation_score_of_version(version, item)) is not None
            ]
            if part:
                found.append(part)
    if not found:
        raise UsageError(f"{names} needs edge profiles, and no version of {corpus} has one")
    if common:
        found = common_evaluation_scores(found)
        if not found:
            raise UsageError("no version can be ranked by all of the techniques")
    summaries = [summarise_evaluation_scores(part) for part in found]
    if format_ == "csv":
        text = evaluation_scores_csv(score for part in found for score in part)
    elif format_ == "json":
        text = evaluation_summaries_json(summaries)
    else:
        text = evaluation_summaries_text(summaries)
        if len(versions) > 1:
            text += f"\n{evaluation_distributions_text(found)}"
    write_output(text, output)
    return 0


def _shares(_context: click.Context, _option: click.Parameter, value: str) -> tuple[float | None, ...]:
    """Numbers from 0 to 1, or ``cover`` (None)."""
    shares: list[float | None] = []
    for word in value.split(","):
        if word.strip() == "cover":
            shares.append(None)
            continue
        try:
            share = float(word)
        except ValueError:
            share = -1.0
        if not 0 < share <= 1:
            raise click.BadParameter(f"{word!r} is neither a share from 0 to 1 nor 'cover'.")
        shares.append(share)
    return tuple(shares)


@evaluate.command("graph")
@CORPUS
@click.option(
    "--dataset",
    "kinds",
    multiple=True,
    default=("typical",),
    show_default=True,
    type=click.Choice(["typical", "base", "crash", "non-single"]),
    help="Which versions: all, or those that break no assumption of the theory, or just one. Repeatable.",
)
@RUNS
@click.option(
    "--formulas",
    default="xckx",
    metavar="LIST",
    show_default=True,
    help="xckx (the 30), all (the 42), every (measure there is), and names, separated by commas.",
)
@click.option(
    "--suites",
    type=click.IntRange(min=1),
    default=100,
    metavar="N",
    show_default=True,
    help="Test suites drawn for each version and share.",
)
@click.option(
    "--share",
    "shares",
    default="0.75,0.5,0.25",
    callback=_shares,
    metavar="X,...",
    show_default=True,
    help="Share of the executions in a suite; 'cover': executions until all is covered.",
)
@click.option(
    "--unexecuted",
    type=click.Choice(["scored", "last"]),
    default="scored",
    show_default=True,
    help="Where units stand that no execution of a suite covers: by their score, or last.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Significance level.",
)
@SEED
@click.option("--draw", metavar="FILE", help="Draw the graph as FILE.svg, FILE.png or FILE.dot.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the result.",
)
@OUTPUT
@QUIET
@VERBOSE  # fmt: skip
def evaluate_graph(corpus: str, kinds: tuple[str, ...], runs: str, formulas: str, draw: str | None, format_: str, output: str | None,
          *, quiet: bool, **given: Any) -> int:  # fmt: skip
    """The accuracy graph: which formulas are consistently more accurate than which, and what the theory says.

    With several data sets also the relations that all of them have. The theory is about suites with passing executions:
    versions without one are left out, and graphs of failing executions only are not compared with it.
    """
    from sfo.report.evaluation import (
        evaluation_difference_text,
        evaluation_graph_json,
        evaluation_graph_text,
        evaluation_graphs_json,
        evaluation_relations_text,
    )
    from sfo.spectra.evaluation.corpus import DATA_KINDS, corpus_version_of_failing, corpus_versions_of
    from sfo.spectra.evaluation.draw import draw_form_of
    from sfo.spectra.evaluation.draw import draw_picture as draw_graph
    from sfo.spectra.evaluation.graph import accuracy_graph, common_graph_relations, graph_difference
    from sfo.spectra.measures.families import measures_of_families_named as formula_names

    names = formula_names(formulas)
    if draw and len(kinds) > 1:
        raise UsageError("--draw is for one data set")
    if draw:
        draw_form_of(Path(draw))
    versions = _versions(corpus)
    if runs == "failing":
        versions = tuple(corpus_version_of_failing(version) for version in versions)
    else:
        versions = tuple(version for version in versions if version.matrix.passing)
    graphs, parts, data = [], [], []
    with ProgressOutput("none" if quiet else "auto") as progress:
        for kind in (kind for kind in DATA_KINDS if kind in kinds):
            chosen = corpus_versions_of(versions, kind)
            made = accuracy_graph(
                chosen, names, suites=given["suites"], shares=given["shares"], seed=given["seed"],
                alpha=given["alpha"], unexecuted=given["unexecuted"], progress=progress,
            )  # fmt: skip
            graphs.append(made)
            found = graph_difference(made) if runs == "all" else None
            parts.append(f"{kind}: {evaluation_graph_text(made, len(chosen))}")
            if found is not None:
                parts.append(evaluation_difference_text(found))
            data.append(evaluation_graph_json(kind, made, found))
            if draw:
                draw_graph(made, f"{kind}, {len(chosen)} versions, {runs} executions", Path(draw))
    common = common_graph_relations(graphs)
    if len(graphs) > 1:
        parts.append(evaluation_relations_text("more accurate in every data set", common))
    write_output(evaluation_graphs_json(data, common) if format_ == "json" else "\n".join(parts), output)
    return 0


@evaluate.command("hitting")
@CORPUS
@MEASURES
@click.option(
    "--model",
    "models",
    multiple=True,
    type=click.Choice(["list", "jumps", "behaviours"]),
    default=("list", "jumps"),
    show_default=True,
    help="Debugging model. Repeatable.",
)
@click.option(
    "--p-jump",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.5,
    show_default=True,
    help="Probability of a jump.",
)
@click.option("--sampled", is_flag=True, help="Compare exact with sampled times instead of ranks.")
@click.option(
    "--walks", type=click.IntRange(min=2), default=500, show_default=True, help="Random walks of a sample."
)
@click.option(
    "--cap", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Steps of a walk at most."
)
@SEED
@OUTPUT
@QUIET
@VERBOSE  # fmt: skip
def evaluate_hitting(corpus: str, names: str, models: tuple[str, ...], output: str | None, *, sampled: bool, quiet: bool,
            **given: Any) -> int:  # fmt: skip
    """HT_Rank beside the standard rank score, or (--sampled) how well walks estimate it.

    Techniques on edge profiles are tried on the versions that have one.
    """
    from sfo.report.evaluation import evaluation_estimations_text, evaluation_hitting_text
    from sfo.spectra.evaluation.hitting_study import (
        MODELS,
        hitting_study_chain,
        hitting_study_estimation,
        hitting_study_ranks,
    )
    from sfo.spectra.evaluation.ranking import can_rank_in_evaluation

    chosen = _chosen(names, as_asked=True)
    versions = _versions(corpus)
    rows, ranks = [], []
    with ProgressOutput("none" if quiet else "auto") as progress:
        for model in (model for model in MODELS if model in models):
            for item in chosen if model != "behaviours" else chosen[:1]:
                progress(f"{model} {item.name}")
                ranked = [v for v in versions if model == "behaviours" or can_rank_in_evaluation(v, item)]
                if not ranked:
                    raise UsageError(f"{item.name} needs edge profiles, and no version of {corpus} has one")
                if sampled:
                    for version in ranked:
                        chain = hitting_study_chain(version, item, model, given["p_jump"])
                        found = hitting_study_estimation(
                            chain, walks=given["walks"], cap=given["cap"], seed=given["seed"]
                        )
                        rows.append((f"{version.subject} {version.name} {model} {item.name}", found))
                else:
                    ranks.append(
                        [hitting_study_ranks(version, item, model, given["p_jump"]) for version in ranked]
                    )
    write_output(evaluation_estimations_text(rows) if sampled else evaluation_hitting_text(ranks), output)
    return 0


@evaluate.command("causes")
@click.argument("matrix", metavar="MATRIX")
@click.argument("formula")
@click.option("--given", metavar="FORMULA", help="The condition.")
@click.option("--from", "form", metavar="FORM", help="How to read MATRIX, if its name does not say.")
@OUTPUT
@VERBOSE
def evaluate_causes(
    matrix: str, formula: str, given: str | None, form: str | None, output: str | None
) -> int:
    """The probability of a hypothesis about a small matrix, such as H2 (the second unit was the cause) given u2.

    u2 was executed, h2 a cause, H2 the only cause, f2 a fault; e: the error; [3]h2 in the third execution; ! & | and
    brackets.
    """
    from sfo.spectra.doric.hypotheses import count_doric_models, doric_model_probability
    from sfo.spectra.formats.matrices import read_matrix_in_any_format

    table = read_matrix_in_any_format(Path(matrix), form)
    for note in table.notes:
        complain_on_error_output(f"{matrix}: {note}")
    result = doric_model_probability(table, formula, given)
    write_output(f"{result} = {float(result):.6g} ({count_doric_models(table)} causal models)\n", output)
    return 0


@evaluate.command("corpus", cls=OptionCommand)
@click.argument("files", nargs=-1, required=True, metavar="VERSIONS.json...")
@click.option(
    "--database", required=True, metavar="FILE.sqlite", help="Where results are kept and taken up again."
)
@click.option(
    "--export", metavar="DIR", help="Write corpus.json and the datasets to DIR, for the other commands."
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: the processors]")
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of the Dask cluster at this address.")
@click.option("--csv", "csv_", metavar="FILE", help="Write the scores of every version to FILE.")
@MEASURES
@passing_option(DEFAULT_PASSING)
@with_options(BOUND_OPTIONS, PROGRAM_OPTIONS)
@OUTPUT
@QUIET
@VERBOSE  # fmt: skip
def evaluate_corpus(
    files: tuple[str, ...], database: str, names: str, output: str | None, *, quiet: bool, **given: Any
) -> int:
    """Run sfo on versions of C programs (from 'sfo mutate') and score techniques on them.

    --timeout is for each version. A second run computes what is missing or has changed. Edge profiles are made where a
    technique needs them; --export writes them too.
    """
    from sfo.pipeline.batch import batch_workers, read_batch_versions, run_batch
    from sfo.report.evaluation import evaluation_reasons_text, evaluation_scores_csv
    from sfo.spectra.evaluation.ranking import parse_evaluation_rankings

    chosen = parse_evaluation_rankings(names)
    sources = [source for file in files for source in read_batch_versions(Path(file))]
    if len({(source.subject, source.version) for source in sources}) < len(sources):
        raise UsageError("two versions have one subject and name")
    with (
        batch_workers(given["jobs"], given["scheduler"]) as executor,
        ProgressOutput("none" if quiet else "auto") as progress,
    ):
        found = run_batch(
            sources, chosen, Path(database), run_options({**given, "quiet": quiet, "jobs": 1}), executor,
            export=Path(given["export"]) if given["export"] else None, progress=progress,
        )  # fmt: skip
    lines = [f"{len(sources)} versions, {found.computed} datasets made now, {len(found.left_out)} left out"]
    lines += evaluation_reasons_text("left out", found.left_out)
    lines += evaluation_reasons_text("without an edge profile", found.without_profile)
    text = "\n".join(lines) + "\n"
    if found.scores:
        text += "\n" + _summaries(found.scores, chosen, names)
    if given["csv_"]:
        write_output_file(Path(given["csv_"]), evaluation_scores_csv(found.scores))
    write_output(text, output)
    return 0


def _summaries(scores: Sequence[EvaluationScore], chosen: Sequence[Way], names: str) -> str:
    """The table of the scores of the chosen techniques, each called as the list ``names`` calls it."""
    from sfo.report.evaluation import evaluation_summaries_text
    from sfo.spectra.evaluation.ranking import name_evaluation_rankings_as_asked
    from sfo.spectra.evaluation.scores import summarise_evaluation_scores

    shown = name_evaluation_rankings_as_asked(chosen, names)
    parts = [[score for score in scores if score.technique == item.name] for item in chosen]
    return evaluation_summaries_text(
        [
            replace(summarise_evaluation_scores(part), technique=item.name)
            for item, part in zip(shown, parts, strict=True)
            if part
        ]
    )
