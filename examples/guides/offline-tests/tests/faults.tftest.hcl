provider "cloudserver" {
  endpoint = "emulator:.terraform/faults.json?seed=seed.json&boot-time=0s"
  account  = "demo"
}

provider "cloudserver" {
  alias    = "forbidden" # the same service, which denies one request
  endpoint = "emulator:.terraform/faults.json?fault=GET /virtual_machines/* 403 times=1"
  account  = "demo"
}

variables {
  root_password = "only-for-the-emulator"
  group         = "databases" # which only the seed has, with db0 in it
}

run "creates_beside_the_seeded_machine" {
  assert {
    condition     = startswith(output.hostname, "db1.databases.")
    error_message = "The machine is in the wrong group: ${output.hostname}."
  }
}

run "notices_that_the_machine_cannot_be_seen" {
  command = plan

  module {
    source = "./tests/watch"
  }

  providers = {
    cloudserver = cloudserver.forbidden
  }

  variables {
    id = run.creates_beside_the_seeded_machine.id
  }

  expect_failures = [check.is_on]
}
