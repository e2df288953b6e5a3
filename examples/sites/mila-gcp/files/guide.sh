#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --gres=gpu:4
#SBATCH --mem=16G
#SBATCH --time=04:00:00
#SBATCH --output=guide_%j.out

exit_script() {
    echo "Preemption signal, saving myself"
    trap - SIGTERM # clear the trap
    # Optional: sends SIGTERM to child/sub processes
    kill -- -$$
}

trap exit_script SIGTERM

# The main script part
python3 my_script.py
