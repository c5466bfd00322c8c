"""Edge profiles as JSON.

    {"format": 1, "kind": "edges",
     "blocks": [{"name": "b1", "function": "main", "statements": ["s1"]}, ...],
     "edges": [["b1", "b2"], ...],
     "predicates": [{"name": "p1", "block": "b1"}],
     "dependences": [["b2", "b1"], ...],
     "runs": [{"outcome": "pass", "edges": [19, ...], "blocks": [22, ...], "predicates": [[3, 19], ...]}, ...]}

``function``, ``statements``, ``predicates``, ``dependences`` (edges of the program dependence graph, from what depends
to what it depends on) and an execution's ``blocks`` may be missing; a block without the key ``statements`` is one
statement of its own name. An execution counts its edges, blocks and the outcomes true and false of predicates in the
order in which these are declared. A predicate with
``"sequences": ["F", "TF", "TT"]`` has besides one count for each of them in the execution's
``"sequences": {"p1": [4, 1, 2]}``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA, read_regular_file_json
from sfo.spectra.blockrank.profile import (
    BlockrankProfile,
    ProfileBlock,
    ProfilePredicate,
)


def is_edge_profile(path: Path) -> bool:
    """True if the file is JSON with the kind ``edges``."""
    if path.suffix != ".json":
        return False
    try:
        data = read_regular_file_json(path, most=MOST_DATA)
    except UsageError:
        return False
    return isinstance(data, dict) and data.get("kind") == "edges"


def read_edge_profiles(path: Path) -> BlockrankProfile:
    """The profile in the file. Raises UsageError when it cannot be read or is malformed."""
    data = read_regular_file_json(path, most=MOST_DATA)
    try:
        return _profile(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise UsageError(f"{path}: not an edge profile: {error!r}") from error


def _profile(data: dict[str, Any]) -> BlockrankProfile:
    if data["format"] != 1:
        raise UsageError(f"format {data['format']!r} of the edge profile is not known; 1 is")
    blocks = tuple(
        ProfileBlock(
            name=item["name"],
            function=item.get("function", ""),
            statements=tuple(item["statements"]) if "statements" in item else None,
        )
        for item in data["blocks"]
    )
    index = {block.name: number for number, block in enumerate(blocks)}
    if len(index) != len(blocks):
        raise UsageError("two blocks of the edge profile have one name")
    executions = data["runs"]
    counted = ["blocks" in execution for execution in executions]
    if any(counted) and not all(counted):
        raise UsageError("either every execution counts its blocks or none does")
    edges = tuple((index[source], index[target]) for source, target in data["edges"])
    return BlockrankProfile(
        blocks=blocks,
        edges=edges,
        counts=np.array([execution["edges"] for execution in executions], dtype=np.int64).reshape(
            len(executions), len(edges)
        ),
        executions=np.array([execution["blocks"] for execution in executions], dtype=np.int64)
        if all(counted)
        else None,
        failed=np.array([_failed(execution["outcome"]) for execution in executions], dtype=np.bool_),
        predicates=tuple(
            _predicate(item, i, index, executions) for i, item in enumerate(data.get("predicates", ()))
        ),
        dependences=tuple((index[a], index[b]) for a, b in data.get("dependences", ())),
    )


def _failed(outcome: str) -> bool:
    if outcome not in {"pass", "fail"}:
        raise UsageError(f"outcome {outcome!r} is neither pass nor fail")
    return outcome == "fail"


def _predicate(
    item: dict[str, Any], number: int, index: dict[str, int], executions: list[dict[str, Any]]
) -> ProfilePredicate:
    outcomes = np.array(
        [execution["predicates"][number] for execution in executions], dtype=np.int64
    ).reshape(len(executions), 2)
    sequences = outcomes
    if "sequences" in item:
        width = len(item["sequences"])
        sequences = np.array(
            [execution["sequences"][item["name"]] for execution in executions], dtype=np.int64
        ).reshape(len(executions), width)
    return ProfilePredicate(
        name=item["name"],
        block=index[item["block"]],
        true=outcomes[:, 0],
        false=outcomes[:, 1],
        sequences=sequences,
    )


def write_edge_profiles(profile: BlockrankProfile) -> str:
    """``profile`` as JSON, one line for each execution.

    Evaluation sequences are not written: predicates have one condition.
    """
    head: dict[str, Any] = {
        "format": 1,
        "kind": "edges",
        "blocks": [_block(block) for block in profile.blocks],
        "edges": [[profile.blocks[a].name, profile.blocks[b].name] for a, b in profile.edges],
        "predicates": [{"name": p.name, "block": profile.blocks[p.block].name} for p in profile.predicates],
    }
    if profile.dependences:
        head["dependences"] = [
            [profile.blocks[a].name, profile.blocks[b].name] for a, b in profile.dependences
        ]
    lines = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()
    )
    executions = ",\n".join(f"  {json.dumps(_run(profile, number))}" for number in range(len(profile.failed)))
    return f'{{\n{lines},\n "runs": [\n{executions}\n ]\n}}\n'


def _block(block: ProfileBlock) -> dict[str, Any]:
    written: dict[str, Any] = {"name": block.name, "function": block.function}
    if block.statements is not None:
        written["statements"] = list(block.statements)
    return written


def _run(profile: BlockrankProfile, number: int) -> dict[str, Any]:
    written = {
        "outcome": "fail" if profile.failed[number] else "pass",
        "edges": profile.counts[number].tolist(),
        "predicates": [[int(p.true[number]), int(p.false[number])] for p in profile.predicates],
    }
    if profile.executions is not None:
        written["blocks"] = profile.executions[number].tolist()
    return written
