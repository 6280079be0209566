"""A report in the form that Gradescope reads: results.json of an autograder. Trusted side.

Made from what `app.views` lets out, so it may be shown to students; the fields are those of Gradescope's autograder
specification.
"""

from __future__ import annotations

from typing import Any

from judge.report import Verdict


def results_json(report: dict[str, Any], summary: str) -> dict[str, Any]:
    """One point for each case that passes; `output` above them says the rest."""
    lines = [summary]
    lines += [f"Line {error['line']}, column {error['column']}: {error['message']}" for error in report["errors"]]
    if diagnosis := report["diagnosis"]:
        lines.append(f"{diagnosis['title']}: {diagnosis['message']}")
    lines += report["remarks"]
    return {
        "score": report["passed"],
        "output": "\n\n".join(lines),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(case) for case in report["cases"]],
        "extra_data": {name: report[name] for name in ("problem", "revision", "verdict", "reason", "judged_at")},
    }


def _test(case: dict[str, Any]) -> dict[str, Any]:
    passed = case["verdict"] == Verdict.ACCEPTED
    words = "" if passed else case["verdict"].replace("_", " ").capitalize() + ". "
    printed = f"\n\nPrinted:\n{case['stdout']}" if not passed and case.get("stdout") else ""
    return {
        "name": f"{case['case']}: {case['title']}",
        "name_format": "text",
        "score": int(passed),
        "max_score": 1,
        "status": "passed" if passed else "failed",
        "output": f"{words}{case['message']}{printed}",
        "output_format": "text",
    }
