mock_provider "cloudserver" { # needs neither a service nor an account
  mock_resource "cloudserver_vm" {
    defaults = {
      id       = "1002" # of each instance; IDs are numeric, and a mock makes up others
      disc_ids = { vda = "1003", data = "1004" }
    }
  }
}

run "schedules_by_label" {
  assert {
    condition     = toset(keys(cloudserver_backup_schedule.this)) == toset(["app/vda", "database/data", "database/vda"])
    error_message = "Each disc in backed_up has one schedule."
  }
}

run "unknown_label" {
  command = plan

  variables {
    machines = { app = { name = "app1", backed_up = ["data"] } }
  }

  expect_failures = [var.machines]
}
