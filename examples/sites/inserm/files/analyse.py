#!/usr/bin/env python3
"""Moyenne et écart-type d'une colonne.  Mean and standard deviation of a column."""
#SIM time=45s
#SIM memory=250M
#SIM print=Lecture du fichier
#SIM print@100%=Moyenne et écart-type calculés
#SIM exit=0
import csv
import statistics
import sys

print("Lecture du fichier", flush=True)
with open(sys.argv[1], newline="") as fichier:
    valeurs = [float(ligne["valeur"]) for ligne in csv.DictReader(fichier)]
print(f"moyenne {statistics.mean(valeurs):.3f}, écart-type {statistics.stdev(valeurs):.3f}", file=sys.stderr)
print("Moyenne et écart-type calculés")
