// SPDX-License-Identifier: MPL-2.0

package none

import "github.com/hashicorp/terraform/internal/backend"

// New panics.
func New() backend.Backend { panic("this build of Terraform has no such backend") }
