# verdict: wrong_answer/wrong_type
# why: A class with that name returns an instance, which is no tensor.
# layers: outside
class scaled_dot_product_attention:
    def __init__(self, Q, K, V):
        pass
