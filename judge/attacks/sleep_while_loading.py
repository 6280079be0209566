# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: time_limit_exceeded/while_loading
# why: Loading has the time of one case.
# layers: deadline
import time

time.sleep(1000)


def scaled_dot_product_attention(Q, K, V):
    return V
