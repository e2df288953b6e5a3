sacctmgr -i add qos gpu
sacctmgr -i add account free Description=x Organization=y
sacctmgr -i add user alice Account=free DefaultAccount=free QOS=normal,gpu
