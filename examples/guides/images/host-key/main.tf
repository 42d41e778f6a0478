resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = file("~/.ssh/id_ed25519.pub")

    # write-only
    firstboot_script = templatefile("${path.module}/firstboot.sh.tftpl", {
      host_key = var.ssh_host_private_key
    })
  }

  ready {
    port         = 22
    ssh_host_key = var.ssh_host_public_key
    timeout      = "15m"
  }
}

output "known_hosts" {
  value = "${cloudserver_vm.web.ipv4_address} ${trimspace(var.ssh_host_public_key)}\n"
}

variable "ssh_host_private_key" {
  type      = string # from a secret store
  sensitive = true
  ephemeral = true
}

variable "ssh_host_public_key" {
  type = string
}
