class A:
    def __cuda_array_interface__(self, *args): return args
LEAK = A()
