class E(Exception): pass
E().__setstate__({'__class__': 1})
LEAK = 'mutated'
