try: pass
except* ValueError as e: pass
LEAK = 1
