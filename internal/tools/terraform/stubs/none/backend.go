package none

import "github.com/hashicorp/terraform/internal/backend"

// New panics.
func New() backend.Backend { panic("this build of Terraform has no such backend") }
