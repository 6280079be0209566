LEAK = (int | str).__args__
