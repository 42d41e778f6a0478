package group_test

import (
	"slices"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestList(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup(emulator.DemoAccount, "alpha", false)
	for limit, want := range map[int64][]string{0: {"alpha", "default", "private"}, 2: {"alpha", "default"}, 9: {"alpha", "default", "private"}} {
		var got []string
		for _, listed := range d.MustList(t.Context(), "cloudserver_group", nil, acctest.ListOptions{Limit: limit, IncludeResource: true}) {
			got = append(got, listed.DisplayName)
			imported, _ := d.ImportByIdentity(t.Context(), "cloudserver_group", map[string]any{"id": listed.Object.GetIdentity("id")})
			if imported == nil || !imported.State.Equal(listed.Object.State) {
				t.Errorf("listed as %v, imported as %v", listed.Object.Get(""), imported)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: want %q, got %q", limit, want, got)
		}
	}
}

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
