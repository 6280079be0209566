LEAK = {1: 2}.keys().mapping
