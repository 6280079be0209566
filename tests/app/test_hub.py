import asyncio

from app import hub as hub_module
from app.hub import Finished, Hub, Postponed, Told

REPORT = Finished("{}", 2)


def told(number):
    return Told(f"secret/0{number}", "{}")


def test_who_waits_hears_of_the_end_from_another_thread():
    async def wait():
        hub = Hub()
        topic = hub.open("a")
        waiting = asyncio.create_task(topic.wait(10))
        await asyncio.to_thread(hub.finish, "a", REPORT)
        assert await waiting == REPORT
        assert hub.get("a") is None
        assert len(hub) == 0

    asyncio.run(wait())


def test_who_waits_long_enough_goes_without():
    async def wait():
        assert await Hub().open("a").wait(0.001) is None

    asyncio.run(wait())


def test_a_stream_tells_each_case_once_and_then_the_end():
    async def follow():
        hub = Hub()
        topic = hub.open("a", watched=True)
        hub.tell("a", told(1))
        happened = topic.follow(0)
        assert await anext(happened) == told(1)
        hub.tell("a", told(1))
        hub.tell("a", told(2))
        hub.finish("a", REPORT)
        return [event async for event in happened]

    assert asyncio.run(follow()) == [told(2), REPORT]


def test_a_stream_resumes_after_what_the_client_has():
    async def follow():
        topic = Hub().open("a")
        topic.told = [told(1), told(2), told(3)]
        topic.end = REPORT
        return [event async for event in topic.follow(2)]

    assert asyncio.run(follow()) == [told(3), REPORT]


def test_a_silent_stream_says_now_and_then_that_it_lives(monkeypatch):
    monkeypatch.setattr(hub_module, "KEEP_ALIVE_S", 0.001)

    async def follow():
        topic = Hub().open("a")
        happened = topic.follow(0)
        assert await anext(happened) is None
        topic.finish(REPORT)
        while (event := await anext(happened)) is None:
            pass
        return event

    assert asyncio.run(follow()) == REPORT


def test_who_leaves_is_forgotten():
    async def leave():
        topic = Hub().open("a")
        waiting = asyncio.create_task(topic.wait(10))
        happened = topic.follow(0)
        following = asyncio.ensure_future(anext(happened))
        await asyncio.sleep(0)
        for task in (waiting, following):
            task.cancel()
        await asyncio.gather(waiting, following, return_exceptions=True)
        await happened.aclose()
        return topic._waiting

    assert asyncio.run(leave()) == set()


def test_before_a_stop_only_what_has_not_begun_is_postponed():
    async def stop():
        hub = Hub()
        queued, begun = hub.open("queued"), hub.open("begun")
        hub.begin("begun")
        hub.postpone()
        assert queued.end == Postponed()
        assert begun.end is None

    asyncio.run(stop())
