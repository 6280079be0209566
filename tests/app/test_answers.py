import asyncio
import json

import pytest

from app.answers import _followed, told_in
from app.hub import Finished, Told, Topic

NAMES = ["sample/01-a", "secret/02-b", "secret/03-c", "secret/04-d"]
REPORT = json.dumps({"cases": [{"case": name, **({"inputs": {}} if "sample" in name else {})} for name in NAMES]})


def followed(topic, after):
    """(id, case or None for the report) of every event."""

    async def follow():
        return b"".join([event async for event in _followed(topic, after)]).decode()

    events = [
        dict(line.split(": ", 1) for line in event.split("\n")) for event in asyncio.run(follow()).strip().split("\n\n")
    ]
    return [(int(event["id"]), json.loads(event["data"]).get("case")) for event in events]


@pytest.mark.parametrize("told", range(len(NAMES) + 1))
@pytest.mark.parametrize("after", range(len(NAMES) + 1))
def test_who_comes_back_to_another_server_gets_what_is_missing_once(told, after):
    """However many cases that server heard of, and however many the client has."""
    topic = Topic(watched=True)
    for name in NAMES[:told]:
        topic.tell(Told(name, json.dumps({"case": name})))
    topic.finish(Finished(REPORT, len(NAMES)))
    missing = list(enumerate(NAMES, 1))[after:]
    assert followed(topic, after) == [*missing, (len(NAMES) + 1, None)]


@pytest.mark.parametrize("report", ["", "[]", "{", '{"cases": 1}', '{"cases": [1]}', "[" * 100_000])
def test_a_report_that_is_none_of_ours_has_no_cases_to_tell(report):
    assert told_in(report) == []
