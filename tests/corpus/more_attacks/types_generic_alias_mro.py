LEAK = list[int].mro()
