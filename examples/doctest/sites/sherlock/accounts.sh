sacctmgr -i add qos long MaxWall=7-0
sacctmgr -i add qos high_p
sacctmgr -i add account lab Description=x Organization=y
sacctmgr -i add user alice Account=lab DefaultAccount=lab QOS=normal,long,high_p
