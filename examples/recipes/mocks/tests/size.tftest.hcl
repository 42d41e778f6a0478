# Nothing is created and no service is needed: Terraform makes up what the provider would compute.
mock_provider "cloudserver" {
  mock_resource "cloudserver_vm" {
    defaults = {
      hostname = "web.default.demo.cluster.example"
    }
  }
}

run "large" {
  variables {
    size = "large"
  }

  assert {
    condition     = cloudserver_vm.web.cores == 4 && cloudserver_vm.web.memory == 8192
    error_message = "A large machine has 4 cores and 8192 megabytes."
  }

  assert {
    condition     = output.ssh == "ssh root@web.default.demo.cluster.example"
    error_message = "The output is not the hostname."
  }
}

run "unknown_size" {
  command = plan

  variables {
    size = "huge"
  }

  expect_failures = [var.size]
}
