#!/bin/bash
#SBATCH --job-name=train
#SBATCH --output=%x_%j.out
#SBATCH --partition=gpu
#SBATCH --gpus=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --time=04:00:00

nvidia-smi -L
srun python3 train.py
