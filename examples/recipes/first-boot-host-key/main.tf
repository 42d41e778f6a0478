resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = var.ssh_public_key

    # write-only
    firstboot_script = templatefile("${path.module}/firstboot.sh.tftpl", {
      host_key = var.ssh_host_private_key
    })
  }

  ready {
    port         = var.ssh_port
    ssh_host_key = var.ssh_host_public_key
    timeout      = "15m"
  }
}

output "known_hosts" {
  value = "${cloudserver_vm.web.ipv4_address} ${trimspace(var.ssh_host_public_key)}\n"
}

variable "ssh_host_private_key" {
  description = "From a secret store. It is stored nowhere."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "ssh_host_public_key" {
  type = string
}

variable "ssh_public_key" {
  description = "Of whoever logs in."
  type        = string
}

variable "ssh_port" {
  type    = number
  default = 22
}
