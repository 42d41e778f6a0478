// SPDX-License-Identifier: MPL-2.0

package group_test

import (
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestListErrors(t *testing.T) {
	t.Parallel()
	for want, account := range map[string]map[string]any{ // configured, or the provider's
		`error at account: Cannot list the groups of account "nobody"`: {"account": "nobody"},
		"error at account: Missing account of the groups":              {"account": nil},
	} {
		d, _ := acctest.Drive(t, emulator.Options{}, account)
		results := 0
		for _, diags := range d.List(t.Context(), "cloudserver_group", account, acctest.ListOptions{}) {
			acctest.ExpectError(t, diags, want)
			results++
		}
		if results != 1 {
			t.Errorf("%d results, want one that says %q", results, want)
		}
	}
}
