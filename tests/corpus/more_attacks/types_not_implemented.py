LEAK = NotImplemented.__reduce__()
