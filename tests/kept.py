"""Submissions as the store keeps them, for tests of both databases."""

from app.store.accepting import NewSubmission

SLUG = "scaled-dot-product-attention"


def new_submission(revision, number=1, **changed):
    """The submission of that number, with its first judging."""
    members = {
        "id": f"submission-{number:011d}",
        "judging": f"judging----{number:011d}",
        "problem": SLUG,
        "revision": revision,
        "mode": "submit",
        "source": b"pass\x00",
        "own": None,
        "owner": "me",
        "user_name": None,
        "came_alone": False,
        "key": None,
        "body_sha256": b"body",
        "submitted_at_ms": 1000 + number,
        "client": "me",
        "max_pending": 10,
        "share": 1,
    }
    return NewSubmission(**{**members, **changed})
