"""The worked example of an attention problem as a figure: scores, weights, output, in shaded cells. Trusted side.

Made once per revision from the first sample with numpy, for display only. It is drawn only when the output that
it arrives at is the stored answer, so it cannot explain a problem that it does not fit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from problems.package import Float64Array, Problem

SHADES = 6
"""Steps from white to the darkest cell: the classes shade-0 to shade-5."""
LARGEST = 8
"""Rows and columns up to which a step is drawn."""
PARAMETERS = ("Q", "K", "V")


@dataclass(frozen=True, slots=True)
class Step:
    """One table of the figure."""

    symbol: str
    title: str
    note: str
    values: Float64Array
    rows: str
    """What a row stands for: "q" gives q1, q2, ..."""
    columns: str


def figure_of(problem: Problem) -> str:
    """The figure as HTML, or an empty text where the problem is not one of attention on a small first sample."""
    steps = _steps(problem)
    if not steps:
        return ""
    tables = "".join(_table(step) for step in steps)
    return (
        '<h3 id="figure">The same, step by step</h3>'
        "<p>The numbers are those of the first sample. The stronger a cell's colour, the larger its value there.</p>"
        f'<div class="steps">{tables}</div>'
    )


def _steps(problem: Problem) -> tuple[Step, ...]:
    names = tuple(parameter.name for parameter in problem.entry_point.parameters)
    if names != PARAMETERS or not problem.samples:
        return ()
    case = problem.samples[0]
    queries, keys, values = (np.asarray(case.inputs[name], dtype=np.float64) for name in PARAMETERS)
    if any(array.ndim != 2 or max(array.shape) > LARGEST for array in (queries, keys, values)):  # noqa: PLR2004 -- matrices
        return ()
    scale = math.sqrt(keys.shape[-1])
    scores = queries @ keys.T
    powers = np.exp(scores / scale - np.max(scores / scale, axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    output = weights @ values
    if output.shape != case.answer.shape or not np.allclose(
        output, case.answer, rtol=case.tolerance.rtol, atol=case.tolerance.atol
    ):
        return ()
    return (
        Step("S", "Scores", "Q times K transposed: how well each query fits each key.", scores, "q", "k"),
        Step("S / √d", "Scaled scores", f"Divided by √{keys.shape[-1]} = {scale:.4f}.", scores / scale, "q", "k"),
        Step("W", "Weights", "Softmax along each row: every row sums to 1.", weights, "q", "k"),
        Step("O", "Output", "W times V: each row mixes the rows of V.", output, "q", "v"),
    )


def _table(step: Step) -> str:
    columns = range(1, step.values.shape[1] + 1)
    head = "".join(f'<th scope="col">{step.columns}<sub>{number}</sub></th>' for number in columns)
    body = "".join(
        f'<tr><th scope="row">{step.rows}<sub>{number}</sub></th>{_cells(row, step.values)}</tr>'
        for number, row in enumerate(step.values, 1)
    )
    return (
        f'<figure class="step"><figcaption><strong>{step.title}</strong> <span class="symbol">{step.symbol}</span>'
        f'<span class="quiet">{step.note}</span></figcaption>'
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></figure>"
    )


def _cells(row: Float64Array, table: Float64Array) -> str:
    low, high = float(np.min(table)), float(np.max(table))
    cells = []
    for value in row:
        share = (float(value) - low) / (high - low) if high > low else 0.0
        cells.append(f'<td class="shade-{min(SHADES - 1, int(share * SHADES))}">{value:.4f}</td>')
    return "".join(cells)
