import copy
class Fake:
    def __init__(self): self.n = 0
    def get(self, key, default=None):
        self.n += 1
        return default if self.n < 3 else {'__array_interface__': {'shape': (1,), 'typestr': '<f4', 'data': (4096, False), 'version': 3}}
    def __setitem__(self, key, value): pass
    def __getitem__(self, key): return []
    def used(self): return self.n
class X:
    def __init__(self): self.a = [1]
fake = Fake()
copy.deepcopy(X(), fake)
LEAK = None if fake.n == 0 else fake.n
