#!/usr/bin/env python3
"""Moyenne et écart-type d'une colonne.  Mean and standard deviation of a column."""
import csv
import statistics
import sys
import time

print("Lecture du fichier", flush=True)
with open(sys.argv[1], newline="") as fichier:
    valeurs = [float(ligne["valeur"]) for ligne in csv.DictReader(fichier)]
time.sleep(45)  # Une vraie analyse est plus longue.  A real analysis takes longer.
print(f"moyenne {statistics.mean(valeurs):.3f}, écart-type {statistics.stdev(valeurs):.3f}", file=sys.stderr)
print("Moyenne et écart-type calculés")
