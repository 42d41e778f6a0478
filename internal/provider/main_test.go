// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }
