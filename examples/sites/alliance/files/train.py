#SIM work=90m gpu=90% gpumemory=9G memory=10G
