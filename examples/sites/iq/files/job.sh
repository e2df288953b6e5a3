#!/bin/bash
#SBATCH --time=00:10:00
#SBATCH --mem=4G
#SBATCH --output=%x_%j.out

echo "Tâche $SLURM_JOB_ID sur $(hostname)"
./simulation.py
