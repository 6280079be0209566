"""Problems as JSON: what GET /api/problems and GET /api/problems/{slug} say. Trusted side.

Of a secret case only its name and title leave: its tolerance would tell how large its answer is.
"""

from __future__ import annotations

from typing import Any

from app.bank import Problems
from app.tensors import tensor_json
from problems.package import Case, Limits, Problem
from problems.render import render_markdown


class Catalogue:
    """The problems of a bank as JSON; each is rendered once for a revision. Thread-safe."""

    def __init__(self, bank: Problems) -> None:
        self._bank = bank
        self._rendered: dict[str, tuple[str, dict[str, Any]]] = {}

    def summaries(self) -> list[dict[str, Any]]:
        """One line for each problem, by slug."""
        return [summary_json(problem) for _, problem in sorted(self._bank.problems().items())]

    def problem(self, problem: Problem) -> dict[str, Any]:
        """All that a student may know of a problem. PackageError when a formula of it does not render."""
        revision, body = self._rendered.get(problem.slug, ("", {}))
        if revision != problem.revision:
            # Two threads may both render: the same twice, and the later one is kept.
            body = problem_json(problem)
            self._rendered[problem.slug] = problem.revision, body
        return body


def summary_json(problem: Problem) -> dict[str, Any]:
    """One line of the list of problems."""
    return {
        "slug": problem.slug,
        "revision": problem.revision,
        "title": problem.name,
        "difficulty": problem.difficulty,
        "keywords": list(problem.keywords),
        "source": {"title": problem.source.title, "url": problem.source.url},
        "samples": len(problem.samples),
        "cases": len(problem.cases),
    }


def problem_json(problem: Problem) -> dict[str, Any]:
    """All that a student may know of a problem. PackageError when a formula of it does not render."""
    entry = problem.entry_point
    return {
        **summary_json(problem),
        "license": problem.license,
        "statement": _text(problem.statement, f"{problem.slug}/statement/problem.en.md"),
        "theory": problem.theory and _text(problem.theory, f"{problem.slug}/statement/theory.en.md"),
        "hints": [_text(hint, f"{problem.slug}/problem.yaml") for hint in problem.hints],
        "starter": problem.starter,
        "entry_point": {
            "function": entry.function,
            "parameters": [
                {"name": parameter.name, "dtype": parameter.dtype, "shape": str(parameter.shape)}
                for parameter in entry.parameters
            ],
            "result": {"dtype": entry.result_dtype, "shape": str(entry.result_shape)},
        },
        "limits": _limits(problem.limits),
        "tolerance": {"rtol": problem.tolerance.rtol, "atol_per_max": problem.tolerance.atol_per_max},
        "forbidden": [{"name": rule.name, "message": rule.message} for rule in problem.policy.forbid],
        "sample_cases": [_sample(case, entry.result_dtype) for case in problem.samples],
        "secret_cases": [{"case": case.name, "title": case.title} for case in problem.cases if not case.is_sample],
    }


def _text(markdown: str, where: str) -> dict[str, str]:
    return {"markdown": markdown, "html": render_markdown(markdown, where=where)}


def _limits(limits: Limits) -> dict[str, float]:
    return {
        "time_s": limits.time_s,
        "total_time_s": limits.total_time_s,
        "memory_mib": limits.memory_mib,
        "stdout_kib": limits.stdout_kib,
        "source_kib": limits.source_kib,
    }


def _sample(case: Case, result_dtype: str) -> dict[str, Any]:
    return {
        "case": case.name,
        "title": case.title,
        "inputs": {name: tensor_json(array) for name, array in case.inputs.items()},
        "layout": dict(case.layout),
        "expected": tensor_json(case.answer.astype(result_dtype)),
        "tolerance": {"rtol": case.tolerance.rtol, "atol": case.tolerance.atol},
    }
