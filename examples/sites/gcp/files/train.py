#SIM work=1h gpu=92% gpumemory=14G memory=6G
#SIM print@50%=half of the epochs
#SIM print@100%=trained in $elapsed s
