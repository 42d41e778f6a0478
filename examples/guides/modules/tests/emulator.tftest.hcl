provider "cloudserver" {
  endpoint = "emulator:.terraform/shop.json?boot-time=0s"
  account  = "demo"
}

run "creates" {
  assert {
    condition     = length(output.addresses) == 2
    error_message = "A machine has no address."
  }
}

run "grows_a_disc_in_place" {
  command = plan

  variables {
    machines = {
      app      = { name = "app1" }
      database = { name = "db1", discs = [{ label = "data", size = 81920 }] }
    }
  }

  assert { # a replacement would make the ID unknown, which fails the test as well
    condition     = cloudserver_vm.this["database"].id != "" && cloudserver_vm.this["database"].disc[1].size == 81920
    error_message = "The disc is not grown."
  }
}
