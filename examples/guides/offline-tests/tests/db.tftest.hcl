provider "cloudserver" {
  endpoint = "emulator:.terraform/db.json?seed=seed.json&boot-time=0s"
  account  = "demo"
}

variables {
  root_password = "only-for-the-emulator"
}

run "creates" {
  assert {
    condition     = cloudserver_vm.db.power_on && length(cloudserver_vm.db.disc) == 2
    error_message = "The machine is not on, or lacks a disc."
  }

  assert {
    condition     = startswith(output.hostname, "db1.default.")
    error_message = "The machine is in the wrong group: ${output.hostname}."
  }
}

run "plans_a_larger_disc_in_place" {
  command = plan

  variables {
    data_size = 81920
  }

  assert {
    # A replacement would make the id unknown, which fails the test too.
    condition     = cloudserver_vm.db.id != "" && cloudserver_vm.db.disc[1].size == 81920
    error_message = "The disc is not grown."
  }
}

run "grows_the_disc" {
  variables {
    data_size = 81920
  }
}

run "refuses_a_small_disc" {
  command = plan

  variables {
    data_size = 1024
  }

  expect_failures = [var.data_size]
}
