"""Makes every case of this package, or checks that the stored cases are the ones that it makes.

    python generators/make_cases.py            # write data/
    python generators/make_cases.py --check    # compare data/ with what would be written

Inputs are drawn with numpy.random.default_rng(seed) and cast to float32, so they are the same bits on every machine;
answers are computed in float64 and may differ between machines by the rounding of their matrix product, so --check
allows 1e-12 * max|answer|. Only numpy computes here: PyTorch's random numbers differ between CPU models.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

Array = NDArray[np.float64]
Triple = tuple[Array, Array, Array]

DATA = Path(__file__).resolve().parent.parent / "data"
RTOL = 1.0e-5
ATOL_PER_MAX = 1.0e-5
ANSWER_DRIFT = 1.0e-12
SCORE_SPREAD = 1.5  # standard deviation of scaled scores: weights are neither flat nor one-hot
LONG_QUERY = 80.0  # standard deviation of the entries of the query whose scores spread wider than exp can


@dataclass(frozen=True)
class Plan:
    """How one case is made. `make` gets a fresh generator and returns Q, K, V in float64."""

    name: str
    title: str
    description: str
    make: Callable[[np.random.Generator], Triple]
    seed: int | None = None
    layout: Mapping[str, str] = field(default_factory=dict)
    vacuous: str | None = None  # why an output that computes nothing is right here


def normal(
    lead: tuple[int, ...], n: int, m: int, d_k: int, d_v: int, v_scale: float = 1.0
) -> Callable[[np.random.Generator], Triple]:
    """Independent normal entries; Q is widened so that scaled scores have standard deviation SCORE_SPREAD."""

    def make(rng: np.random.Generator) -> Triple:
        q = SCORE_SPREAD * rng.standard_normal((*lead, n, d_k))
        k = rng.standard_normal((*lead, m, d_k))
        v = v_scale * rng.standard_normal((*lead, m, d_v))
        return q, k, v

    return make


def worked_example(_rng: np.random.Generator) -> Triple:
    """Three queries, two features: small enough to follow by hand."""
    q = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    k = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    v = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])
    return q, k, v


def large_scores(rng: np.random.Generator) -> Triple:
    """Rows of scaled scores around +124, -124, 0 and 62, and one spread from below -100 to above +100.

    The first feature of every key is 16, so the first feature of a query moves its whole row of scores; the last
    query has 0 there and is long instead. All entries of Q and K are multiples of 1/8: the scores are exact in
    float32, and what differs between right programs is only the rounding after the division. V is off centre so that
    max|answer| is not small by cancellation.
    """
    q = np.round(1.5 * rng.standard_normal((4, 7)) * 8) / 8
    k = np.round(rng.standard_normal((9, 7)) * 8) / 8
    k[:, 0] = 16.0
    q[:, 0] = [20.5, -20.5, 0.0, 10.25]
    v = 2.0 + rng.standard_normal((9, 5))
    wide = np.round(LONG_QUERY * rng.standard_normal((1, 7)) * 8) / 8
    wide[:, 0] = 0.0
    return np.concatenate([q, wide]), k, v


def identical_keys(rng: np.random.Generator) -> Triple:
    """One key repeated: every weight is 1/m."""
    q = SCORE_SPREAD * rng.standard_normal((5, 7))
    k = np.repeat(rng.standard_normal((1, 7)), 8, axis=0)
    return q, k, rng.standard_normal((8, 4))


def one_hot_queries(rng: np.random.Generator) -> Triple:
    """Query i points at key i so strongly that all other weights vanish beside rounding."""
    return 200.0 * np.eye(7), np.eye(7), rng.standard_normal((7, 5))


PLANS = (
    Plan(
        "sample/01-worked-example",
        "Worked example",
        "The example of the statement and of the theory; small enough for pencil and paper. d_k = d_v = 2.",
        worked_example,
    ),
    Plan(
        "sample/02-small-random",
        "Small random matrices",
        "The smallest case in which n, m, d_k and d_v all differ.",
        normal((), 3, 4, 5, 2),
        seed=102,
    ),
    Plan(
        "secret/03-plain-matrices",
        "Plain matrices, d_v ≠ d_k",
        "2-D, all letters distinct: scaling by the wrong size, the wrong softmax axis and swapped operands differ.",
        normal((), 4, 6, 5, 3),
        seed=103,
    ),
    Plan(
        "secret/04-batched",
        "Batched, d_v ≠ d_k",
        "3-D: .T, transpose(0, 1), softmax over dim 0 or 1 and code for two dimensions only fail here.",
        normal((3,), 4, 7, 8, 5),
        seed=104,
    ),
    Plan(
        "secret/05-batched-heads",
        "Batch and heads",
        "4-D with three heads: d_model = 18 is not d_k = 6; code for three dimensions only fails here.",
        normal((2, 3), 5, 4, 6, 7),
        seed=105,
    ),
    Plan(
        "secret/06-square",
        "Square: n = m = d_k = d_v",
        "Every product of two matrices is defined, so a wrong order shows as wrong values and not as an exception.",
        normal((), 6, 6, 6, 6),
        seed=106,
    ),
    Plan(
        "secret/07-cube",
        "All sizes equal, three dimensions",
        "Any two dimensions can be swapped without an exception.",
        normal((4,), 4, 4, 4, 4),
        seed=107,
    ),
    Plan(
        "secret/08-size-one-dimensions",
        "Dimensions of size 1",
        "One batch entry, one query: a squeeze loses dimensions.",
        normal((1,), 1, 5, 3, 2),
        seed=108,
    ),
    Plan(
        "secret/09-one-key",
        "A single key",
        "m = 1: every weight is 1, each output row is the one value row.",
        normal((), 4, 1, 5, 3),
        seed=109,
        vacuous="With one key the mean of V is the answer.",
    ),
    Plan(
        "secret/10-one-feature",
        "One feature: d_k = 1",
        "The scale is 1, and a last dimension of size 1 must stay.",
        normal((), 4, 6, 1, 3),
        seed=110,
    ),
    Plan(
        "secret/11-large-scores",
        "Very large and very small scores",
        "Rows of scaled scores above 120, below -120, near 0, and one from -185 to 123: exp without the row's own "
        "maximum overflows, underflows, or both; clamping the scores flattens a row.",
        large_scores,
        seed=182,
    ),
    Plan(
        "secret/12-identical-keys",
        "Identical keys",
        "All weights are 1/m and the answer is the mean of V.",
        identical_keys,
        seed=112,
        vacuous="With identical keys the mean of V is the answer.",
    ),
    Plan(
        "secret/13-one-hot-queries",
        "Each query matches one key",
        "Q = 200 I, K = I: scaled scores of 75.6 against 0, so the answer is V. The scale changes nothing here.",
        one_hot_queries,
        seed=113,
        vacuous="Each query selects its own row of V, so V itself is the answer.",
    ),
    Plan(
        "secret/14-non-contiguous",
        "Non-contiguous inputs",
        "Q, K and V reach the submission with the strides of their last two dimensions swapped.",
        normal((2,), 6, 9, 7, 5),
        seed=114,
        layout={"Q": "transposed", "K": "transposed", "V": "transposed"},
    ),
    Plan(
        "secret/15-many-features",
        "Many features: d_k = 256",
        "Unscaled scores have standard deviation 24: without the scale softmax is nearly one-hot.",
        normal((), 5, 9, 256, 7),
        seed=115,
    ),
    Plan(
        "secret/16-many-keys",
        "Many keys: m = 1024",
        "Long sums. Only three queries, so that a loop over single elements still ends in a fraction of a second.",
        normal((), 3, 1024, 7, 5),
        seed=116,
    ),
    Plan(
        "secret/17-large-values",
        "Values around 1000",
        "The tolerance follows the size of the answer.",
        normal((), 4, 7, 10, 6, v_scale=1.0e3),
        seed=117,
    ),
    Plan(
        "secret/18-small-values",
        "Values around 0.001",
        "The tolerance follows the size of the answer: rounding to four decimals is far off here.",
        normal((), 5, 8, 6, 3, v_scale=1.0e-3),
        seed=118,
    ),
    Plan(
        "secret/19-same-shapes-again",
        "Shapes of an earlier case, new values",
        "The shapes of 04 with other numbers: a result remembered by shape is wrong.",
        normal((3,), 4, 7, 8, 5),
        seed=119,
    ),
)


def inputs_of(plan: Plan) -> dict[str, NDArray[np.float32]]:
    """The inputs of the plan's case, in float32."""
    arrays = plan.make(np.random.default_rng(plan.seed))
    return {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in zip("QKV", arrays, strict=True)}


def attention(inputs: Mapping[str, NDArray[np.float32]]) -> Array:
    """Scaled dot-product attention in float64."""
    q, k, v = (inputs[name].astype(np.float64) for name in "QKV")
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True) @ v)


def metadata_of(plan: Plan, answer: Array) -> str:
    """The text of the case's YAML file."""
    content: dict[str, object] = {"title": plan.title, "description": plan.description}
    content["rtol"] = RTOL
    content["atol"] = ATOL_PER_MAX * float(np.max(np.abs(answer)))
    if plan.seed is not None:
        content["seed"] = plan.seed
    if plan.layout:
        content["layout"] = dict(plan.layout)
    if plan.vacuous:
        content["vacuous"] = plan.vacuous
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=118)


def write(plan: Plan) -> None:
    """Writes the three files of a case; the inputs last, for they make it a case."""
    inputs = save_tensors(inputs_of(plan))
    answer = attention(inputs_of(plan))
    digest = hashlib.sha256(inputs).hexdigest()
    path = DATA / plan.name
    path.parent.mkdir(parents=True, exist_ok=True)
    answer_bytes = save_tensors({"answer": answer}, metadata={"inputs_sha256": digest})
    path.with_name(path.name + ".ans.safetensors").write_bytes(answer_bytes)
    path.with_name(path.name + ".yaml").write_text(metadata_of(plan, answer), encoding="utf-8")
    path.with_name(path.name + ".in.safetensors").write_bytes(inputs)


def differences(plan: Plan) -> list[str]:
    """Sentences about how the stored case differs from the plan; none when it does not."""
    found = []
    path = DATA / plan.name
    inputs = save_tensors(inputs_of(plan))
    if path.with_name(path.name + ".in.safetensors").read_bytes() != inputs:
        found.append(f"{plan.name}: the inputs are not the bytes that seed {plan.seed} gives.")
    stored = load_tensors(path.with_name(path.name + ".ans.safetensors").read_bytes())["answer"]
    drift = float(np.max(np.abs(stored - attention(inputs_of(plan)))))
    if drift > ANSWER_DRIFT * float(np.max(np.abs(stored))):
        found.append(f"{plan.name}: the answer is off by {drift:.3g}.")
    if path.with_name(path.name + ".yaml").read_text(encoding="utf-8") != metadata_of(plan, stored):
        found.append(f"{plan.name}: the YAML file says something else.")
    return found


def main() -> int:
    """Writes or checks all cases; 1 when a stored case differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare the stored cases; write nothing")
    if not parser.parse_args().check:
        for plan in PLANS:
            write(plan)
        return 0
    found = [sentence for plan in PLANS for sentence in differences(plan)]
    sys.stdout.writelines(f"{sentence}\n" for sentence in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
