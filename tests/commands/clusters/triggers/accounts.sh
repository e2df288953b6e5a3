sacctmgr -i add account physics description=physics organization=uni
sacctmgr -i add account chemistry description=chemistry organization=uni
sacctmgr -i add user alice account=physics
sacctmgr -i add user bob account=physics
sacctmgr -i add user carol account=chemistry
sacctmgr -i add user dave account=chemistry
