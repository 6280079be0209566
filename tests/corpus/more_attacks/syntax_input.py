LEAK = input()
