// SPDX-License-Identifier: MPL-2.0

package vm_test

import (
	"runtime/debug"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// TestMain lets the collector run rarely: plans over the protocol allocate much, and keep little.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	acctest.Main(m)
}
