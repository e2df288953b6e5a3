#!/bin/bash
#SBATCH --account=def-prof1
#SBATCH --time=11:00:00
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=40
#SBATCH --mem=0
#SBATCH --output=%x-%j.out

srun ./solver.py
