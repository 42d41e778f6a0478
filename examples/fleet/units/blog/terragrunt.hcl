# A state of the fleet is a folder with a copy of this file. Its name is that of the state's database, of the group and of the
# machines. There is no include: each folder can be applied, moved and removed without the others.
locals {
  state = basename(get_terragrunt_dir())
}

terraform {
  source = "../../machines"

  extra_arguments "wait" {
    commands  = get_terraform_commands_that_need_locking()
    arguments = ["-lock-timeout=10m"]
  }
}

remote_state {
  backend = "pg"
  config = {
    conn_str = "dbname=${local.state}" # the server and the password: PGHOST, PGPORT, PGUSER, PGPASSWORD
  }
}

inputs = {
  state = local.state
}
