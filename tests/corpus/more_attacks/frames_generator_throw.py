g = (x for x in [1])
LEAK = g.throw
