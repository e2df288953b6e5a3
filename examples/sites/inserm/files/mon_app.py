#SIM time=forever memory=400M
#SIM print=Running on http://localhost:3000 of $host
