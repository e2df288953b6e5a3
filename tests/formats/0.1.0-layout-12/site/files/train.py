#SIM work=2h gpu=85% gpumemory=12G memory=9G
#SIM checkpoint=10m:train.ckpt
#SIM print@25%=a quarter of the epochs
#SIM print@100%=trained in $elapsed s
# The real training code goes here. On the simulated cluster, the lines above say how long it takes.
import torch
