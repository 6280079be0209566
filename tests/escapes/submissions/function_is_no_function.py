# verdict: compile_error/missing_function
# why: A name bound to something that cannot be called is no function.
# layers: outside
scaled_dot_product_attention = 5
