# verdict: output_limit_exceeded
# why: Printing while loading counts too.
# layers: outside
while True:
    print("x" * 1000)
