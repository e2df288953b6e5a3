#!/bin/bash
#SBATCH --account=def-prof1
#SBATCH --time=02:00:00
#SBATCH --gres=gpu:v100:1
#SBATCH --cpus-per-task=6
#SBATCH --mem=24G
#SBATCH --output=%x-%j.out

python train.py
