mock_provider "cloudserver" { # needs neither a service nor an account
  mock_resource "cloudserver_vm" {
    defaults = {
      id       = "1002" # IDs are numeric; a mock makes up others
      disc_ids = { vda = "1003", data = "1004" }
    }
  }
}

run "backs_up_each_machine" {
  assert {
    condition     = toset(keys(cloudserver_backup_schedule.this)) == toset(["app", "database"])
    error_message = "A machine has no backup schedule."
  }
}

run "refuses_too_many_discs" {
  command = plan

  variables {
    machines = { app = { name = "app1", discs = [for n in range(8) : { label = "d${n}", size = 1024 }] } }
  }

  expect_failures = [var.machines]
}
