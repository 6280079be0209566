"""Programs with known verdicts, and students who submit them to several servers until each is acknowledged."""

import threading

import httpx

SLUG = "scaled-dot-product-attention"
RIGHT = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
"""
SLOW = RIGHT.replace(
    "    return", "    for _ in range(40):\n        torch.randn(300, 300) @ torch.randn(300, 300)\n    return"
)
"""Right, and takes a second where nothing else runs: what is killed should be in the middle of something."""
PROGRAMS = {
    "right": (RIGHT, "accepted"),
    "slow": (SLOW, "accepted"),
    "wrong": (RIGHT.replace(" / K.shape[-1] ** 0.5", ""), "wrong_answer"),
    "raises": (RIGHT.replace("dim=-1) @ V", "dim=7) @ V"), "run_time_error"),
    "no python": (RIGHT.replace("return", "retrun"), "compile_error"),
    # With the largest case only: it costs the time limit, 2 s.
    "endless": (
        RIGHT.replace("    return", "    while K.shape[-2] == 1024:\n        pass\n    return"),
        "time_limit_exceeded",
    ),
}
MIX = ["right"] * 8 + ["wrong"] * 5 + ["no python"] * 3 + ["raises"] * 2 + ["slow"] * 6
ENDLESS_EVERY = 50
STUDENTS = 6


def program(number):
    """The source of this submission, different from every other, and its verdict."""
    kind = "endless" if number % ENDLESS_EVERY == ENDLESS_EVERY - 1 else MIX[number * 7 % len(MIX)]
    source, verdict = PROGRAMS[kind]
    return f"# {kind} {number}{source}", verdict


class Crowd:
    """Students who send so many submissions, one each `every_s`, each again and again until a server keeps it."""

    def __init__(self, servers, submissions, every_s=0.0):
        self.servers = servers
        self.submissions = submissions
        self.every_s = every_s
        self.over = threading.Event()
        self.acknowledged = {}
        """Number of the submission: its id."""
        self.refused = []
        self.unanswered = 0
        """Requests whose server died, or was dead."""
        self._next = iter(range(submissions))
        self._lock = threading.Lock()
        self._students = [threading.Thread(target=self._study, args=(each,)) for each in range(STUDENTS)]

    def __enter__(self):
        for student in self._students:
            student.start()
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.over.set()
        for student in self._students:
            student.join()

    def sent(self):
        """How much of it is acknowledged, from 0 to 1."""
        return len(self.acknowledged) / self.submissions

    def _study(self, student):
        with httpx.Client(timeout=60) as client:
            while (number := self._take()) is not None:
                self._send(client, number, student)

    def _take(self):
        with self._lock:
            if self.over.wait(self.every_s):
                return None
            return next(self._next, None)

    def _send(self, client, number, turn):
        body = {"problem": SLUG, "source": program(number)[0]}
        headers = {"Prefer": "wait=0", "Idempotency-Key": f"number-{number}"}
        while not self.over.is_set():
            turn += 1
            client.cookies.clear()  # the key stands alone, and nobody has too many pending
            try:
                answer = client.post(f"{self.servers[turn % len(self.servers)].url}submit", json=body, headers=headers)
            except httpx.TransportError:
                self.unanswered += 1
                self.over.wait(0.1)
                continue
            if answer.status_code in {200, 202}:
                self.acknowledged[number] = answer.json()["id"]
                return
            self.refused.append((answer.status_code, answer.headers.get("retry-after"), answer.text))
            self.over.wait(0.2)
