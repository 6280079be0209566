import contextlib
class Gen:
    def __next__(self): return 1
    def throw(self, *args):
        global LEAK
        LEAK = args[-1].tb_next
        raise StopIteration
    def close(self): pass
@contextlib.contextmanager
def c(): return Gen()
with c(): 1 / 0
