#!/bin/bash
#SBATCH --account=def-prof1
#SBATCH --time=02:30:00
#SBATCH --ntasks=16
#SBATCH --mem-per-cpu=2G
#SBATCH --output=%x-%j.out

srun ./solver.py
