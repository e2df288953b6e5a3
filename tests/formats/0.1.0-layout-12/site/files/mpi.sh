#!/bin/bash
#SBATCH --job-name=mpi
#SBATCH --output=%x_%j.out
#SBATCH --time=02:00:00
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=16
#SBATCH --mem-per-cpu=1G

srun ./solver.py
