import operator
def f(): pass
LEAK = operator.methodcaller('__getattribute__', '__globals__')(f)
