// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acceptance/harness"
)

func TestMain(m *testing.M) { harness.Main(m, "../cloudserver/API.md") }
