sacctmgr -i add account physics
sacctmgr -i add user alice,bob Account=physics
