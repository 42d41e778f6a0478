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

run "injects_a_fault" {
  module {
    source = "./tests/emulator"
  }

  variables {
    path = "faults"
    body = "GET /virtual_machines/* 403 times=1"
  }
}

run "notices_that_the_machine_cannot_be_seen" {
  command = plan

  module {
    source = "./tests/watch"
  }

  variables {
    id = run.creates_beside_the_seeded_machine.id
  }

  expect_failures = [check.is_on]
}

run "expires_the_sessions" {
  module {
    source = "./tests/emulator"
  }

  variables {
    path = "expire-sessions"
  }
}
