#SIM time=forever memory=400M
#SIM print=Running on http://localhost:3000 of $host
#SIM serve=3000 <h1>Mon application</h1> <p>sur $host</p>
