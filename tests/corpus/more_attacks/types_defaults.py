def f(x=[1]): return x
LEAK = f.__defaults__
