# with policy: compile_error/forbidden_import
# without policy: time_limit_exceeded/wall
# why: Ignoring SIGXCPU does not help: the kill comes from the supervisor, and the kernel's limit is hard.
# layers: deadline, rlimits
import signal
import torch


def scaled_dot_product_attention(Q, K, V):
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        pass
