LEAK = __ｂuiltins__
