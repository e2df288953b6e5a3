#SIM work=8h gpu=95% gpus=all gpumemory=11G memory=12G
#SIM checkpoint=15m:model.ckpt
#SIM on=TERM:checkpoint,exit:3
#SIM print@100%=trained in $elapsed s
