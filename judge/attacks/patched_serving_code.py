# with policy: compile_error/forbidden_import
# without policy: run_time_error/crashed | wrong_answer/values_differ | wrong_answer/wrong_shape | accepted
# why: The code around the call is the submission's to patch; it returns bytes, never verdicts.
# layers: outside
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    serving = sys.modules["judge.jail.serving"]
    serving.put_result = lambda region, index, *rest: region.put_record(index, 1, dtype=1, shape=(3, 2), tensor_at=0)
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
