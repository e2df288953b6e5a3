#!/bin/bash
#SBATCH --job-name=train
#SBATCH --output=train_%j.out
#SBATCH --time=02:00:00
#SBATCH --gpus-per-node=1
#SBATCH --mem=12G

# Activate the correct conda environment
source ~/miniconda3/etc/profile.d/conda.sh
conda activate myenv

python train.py
