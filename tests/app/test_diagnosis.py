"""A student is told over HTTP which mistake it was."""

import time

SLUG = "scaled-dot-product-attention"
UNSCALED = """
import torch
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT, dim=-1) @ V
"""


def test_a_failed_submission_is_told_its_mistake_and_where_to_read_about_it(submit):
    deadline = time.monotonic() + 60  # the server began to find out what mistakes do when it started
    while (report := submit(UNSCALED).json())["diagnosis"] is None:
        assert time.monotonic() < deadline
    assert report["verdict"] == "wrong_answer"
    assert report["diagnosis"]["mistake"] == "wrong_answer/no-scaling"
    assert report["diagnosis"]["title"] == "No scaling"
    assert report["diagnosis"]["pitfall"] == "scaling"
    assert "before softmax" in report["diagnosis"]["message"]


def test_a_run_and_a_right_submission(submit):
    assert submit(UNSCALED, mode="run").json()["diagnosis"]["mistake"] == "wrong_answer/no-scaling"
    assert submit().json()["diagnosis"] is None
