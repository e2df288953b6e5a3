#!/usr/bin/env python3
"""Estime pi par la méthode de Monte-Carlo.  Estimates pi by the Monte Carlo method."""
# The simulation does not run Python: these lines tell it how the program behaves. Python ignores them.
#SIM time=3m12s
#SIM memory=600M
#SIM print=Estimation de pi avec 200000000 tirages
#SIM print@50%=100000000 tirages faits
#SIM print@100%=pi = 3.14157
#SIM exit=0
import random

TIRAGES = 200_000_000

print(f"Estimation de pi avec {TIRAGES} tirages")
dedans = 0
for i in range(1, TIRAGES + 1):
    x, y = random.random(), random.random()
    dedans += x * x + y * y <= 1
    if i == TIRAGES // 2:
        print(f"{i} tirages faits", flush=True)
print(f"pi = {4 * dedans / TIRAGES:.5f}")
