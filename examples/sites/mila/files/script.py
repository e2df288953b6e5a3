#SIM time=5m gpu=60% gpumemory=4G memory=3G
#SIM print=$1 on $host, GPU $CUDA_VISIBLE_DEVICES
