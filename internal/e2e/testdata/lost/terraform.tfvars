names = ["blue", "green"]
