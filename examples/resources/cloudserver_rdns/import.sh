terraform import cloudserver_rdns.mail 192.0.2.25
