#SIM work=10m gpu=90% gpumemory=10G memory=2G device=$2
#SIM print=training on $2 of $host
#SIM print@100%=trained in $elapsed s
