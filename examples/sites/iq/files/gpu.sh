#!/bin/bash
#SBATCH --time=00:30:00
#SBATCH --mem=8G
#SBATCH --output=%x_%j.out

# Slurm does not manage the GPUs: choose one yourself, and check with nvidia-smi that it is free.
python train.py --device cuda:0
