// SPDX-License-Identifier: MPL-2.0

package group_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestGroupLookUp(t *testing.T) {
	t.Parallel()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddAccount("other", false)
	id := fmt.Sprint(e.AddGroup("demo", "production", false))
	foreign := fmt.Sprint(e.AddGroup("other", "theirs", false))
	number := e.AddGroup("demo", "100000", false)
	for name, test := range map[string]struct {
		config map[string]any
		want   string
		calls  []string
	}{
		"name": {
			config: map[string]any{"name": "production"},
			want:   id,
			calls:  []string{"GET /accounts/demo/groups"},
		},
		"name and account": {
			config: map[string]any{"name": "theirs", "account": "other"},
			want:   foreign,
			calls:  []string{"GET /accounts/other/groups"},
		},
		"a number as name": {
			config: map[string]any{"name": "100000"},
			want:   fmt.Sprint(number),
			calls:  []string{"GET /accounts/demo/groups"},
		},
		"id": {config: map[string]any{"id": id}, want: id, calls: []string{"GET /accounts/demo/groups"}},
		"id and account": {
			config: map[string]any{"id": foreign, "account": "other"},
			want:   foreign,
			calls:  []string{"GET /accounts/other/groups"},
		},
		"id elsewhere": {
			config: map[string]any{"id": foreign},
			want:   foreign,
			calls:  []string{"GET /accounts/demo/groups", "GET /accounts", "GET /accounts/other/groups"},
		},
	} {
		e.ResetJournal()
		o, diags := e.NewDriver(t, nil).ReadData(t.Context(), "cloudserver_group", test.config)
		if acctest.HasErrors(diags) || o.Get("id") != test.want {
			t.Errorf("%s: got %v\n%s", name, o.Get(""), acctest.DiagText(diags))
			continue
		}
		expectAll(t, e, test.calls...)
	}
}

func TestGroupLookUpRefuses(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	for name, test := range map[string]struct {
		config map[string]any
		want   string
	}{
		"unknown name":    {map[string]any{"name": "privat"}, `These credentials can see: "default", "private".`},
		"unknown account": {map[string]any{"name": "default", "account": "nobody"}, `There is no account "nobody"`},
		"unknown id":      {map[string]any{"id": "999"}, "error at id: Cannot find group 999"},
		"id not in it":    {map[string]any{"id": "999", "account": "demo"}, "Cannot find group 999"},
		"no number as id": {map[string]any{"id": "default"}, "error at id: Invalid ID"},
		"neither":         {nil, "Exactly one of these attributes must be configured: [id,name]"},
		"both":            {map[string]any{"name": "default", "id": "1"}, "Exactly one of these attributes must be configured"},
	} {
		_, diags := d.ReadData(t.Context(), "cloudserver_group", test.config)
		if text := acctest.DiagText(diags); !acctest.HasErrors(diags) || !strings.Contains(text, test.want) {
			t.Errorf("%s: want %q in:\n%s", name, test.want, text)
		}
	}
}

func TestGroupsAreSortedInOneRequest(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for _, name := range []string{"zebra", "ant"} {
		e.AddGroup("demo", name, false)
	}
	o := d.MustReadData(t.Context(), "cloudserver_groups", nil)
	for i, want := range []string{"ant", "default", "private", "zebra"} {
		if got := o.Get(fmt.Sprintf("groups.%d.name", i)); got != want {
			t.Errorf("group %d: want %s, got %v", i, want, got)
		}
	}
	if o.Get("account") != "demo" {
		t.Errorf("account %v", o.Get("account"))
	}
	expectAll(t, e, "GET /accounts/demo/groups")
	_, diags := d.ReadData(t.Context(), "cloudserver_groups", map[string]any{"account": "dem"})
	acctest.ExpectError(t, diags, `error at account: Cannot list the groups of account "dem"`, `"demo"`)
}
