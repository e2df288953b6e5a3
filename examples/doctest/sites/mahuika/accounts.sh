sacctmgr -i add qos debug MaxWall=15
sacctmgr -i add account nesi99991 Description=x Organization=y
sacctmgr -i add user alice Account=nesi99991 DefaultAccount=nesi99991 QOS=normal,debug
