def g(): yield from (x for x in [1])
h = g()
next(h)
LEAK = h.gi_yieldfrom
