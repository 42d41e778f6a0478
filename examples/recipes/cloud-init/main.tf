resource "cloudserver_vm" "web" {
  name = "web1"

  disc {
    label = "vda"
    size  = 25600
  }

  reimage {
    distribution   = "bookworm"
    ssh_public_key = file("~/.ssh/id_ed25519.pub")
    firstboot_script = templatefile("${path.module}/firstboot.sh.tftpl", {
      cloud_config = file("${path.module}/cloud-config.yaml")
    })
  }
}
