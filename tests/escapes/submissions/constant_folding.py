# verdict: time_limit_exceeded/wall | memory_limit_exceeded | time_limit_exceeded/while_loading | run_time_error/exception
# why: Constants that a compiler would like to compute beforehand.
# layers: outside, deadline, rlimits
def scaled_dot_product_attention(Q, K, V):
    x = 9**9**9
    y = "a" * (1 << 60)
    return V
