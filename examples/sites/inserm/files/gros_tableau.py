#!/usr/bin/env python3
"""Remplit la mémoire d'un tableau de 40 Go.  Fills 40 GB of memory."""
#SIM time=5m
#SIM memory=40G
#SIM print=Allocation de 40 Go
#SIM print@100%=Terminé
#SIM exit=0
print("Allocation de 40 Go", flush=True)
blocs = [bytearray(1 << 30) for _ in range(40)]
print("Terminé", len(blocs))
