#!/bin/bash
#SBATCH --time=00:30:00
#SBATCH --mem=8G
#SBATCH --output=%x_%j.out

# The scheduler does not know the GPUs: choose one yourself, and look (nvidia-smi) whether somebody else is there.
python train.py --device cuda:0
