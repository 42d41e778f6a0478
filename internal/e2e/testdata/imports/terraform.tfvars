# terraform.tfvars.json overrides it.
cores = 8
late  = ""
