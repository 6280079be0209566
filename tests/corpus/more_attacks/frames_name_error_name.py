try:
    nowhere
except NameError as e:
    LEAK = e.name
