import heapq
LEAK = heapq.__loader__
