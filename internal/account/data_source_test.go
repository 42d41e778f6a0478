// SPDX-License-Identifier: MPL-2.0

package account_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func TestAccountIsOneSmallRequest(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	o := d.MustReadData(t.Context(), "cloudserver_account", nil)
	if got := e.AllCalls(); o.Get("name") != emulator.DemoAccount || !slices.Equal(got, []string{"GET /accounts"}) {
		t.Errorf("got %v by the requests %v", o.Get("name"), got)
	}
	e.AddAccount("sleepy", true)
	sleepy := e.NewDriver(t, nil).MustReadData(t.Context(), "cloudserver_account", map[string]any{"name": "sleepy"})
	if sleepy.Get("suspended") != true || o.Get("suspended") != false {
		t.Errorf("got %v", sleepy.Get(""))
	}
}

func TestAccountRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings, config map[string]any
		want             string
	}{
		"unknown name": {
			config: map[string]any{"name": "dmeo"},
			want:   "error at name: Cannot find account \"dmeo\"\nThere is no account \"dmeo\", or these credentials cannot see it. Did you mean \"demo\"? These credentials can see: \"demo\".",
		},
		"unknown id": {
			config: map[string]any{"id": "999"},
			want:   "error at id: Cannot find account 999\nNo account with this ID is visible to these credentials.",
		},
		"neither":       {settings: map[string]any{"account": nil}, want: "Missing account"},
		"not known yet": {settings: map[string]any{"account": acctest.Unknown}, want: "Unknown account"},
		"a name as id": {
			config: map[string]any{"id": "demo"},
			want:   "error at id: Invalid ID",
		},
		"both":            {config: map[string]any{"name": "demo", "id": "1"}, want: "These attributes cannot be configured together: [id,name]"},
		"unknown default": {settings: map[string]any{"account": "nobody"}, want: `Cannot find account "nobody"`},
		"no right to do so": {
			settings: map[string]any{"token": "apikey.wrong"},
			config:   map[string]any{"name": "demo"},
			want:     "does not accept the token",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := acctest.Drive(t, emulator.Options{}, test.settings)
			_, diags := d.ReadData(t.Context(), "cloudserver_account", test.config)
			if got := acctest.DiagText(diags); !strings.Contains(got, test.want) {
				t.Errorf("want %q in:\n%s", test.want, got)
			}
		})
	}
}

// TestAccountsWhoseNamesAreNumbers: a name is found by name and an ID by ID.
func TestAccountsWhoseNamesAreNumbers(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	id := d.MustReadData(t.Context(), "cloudserver_account", nil).Get("id").(string)
	number := fmt.Sprint(e.AddAccount(id, false)) // whose name is the ID of the first
	e.AddAccount("4711", false)
	for _, test := range []struct {
		config map[string]any
		id     string // or part of the error
	}{
		{map[string]any{"id": id}, id},
		{map[string]any{"id": number}, number},
		{map[string]any{"name": id}, number},
		{map[string]any{"name": "4711"}, "4711"},
	} {
		o, diags := e.NewDriver(t, nil).ReadData(t.Context(), "cloudserver_account", test.config)
		text := acctest.DiagText(diags)
		if !acctest.HasErrors(diags) {
			text = fmt.Sprint(o.Get("id"), o.Get("name"))
		}
		if !strings.Contains(text, test.id) {
			t.Errorf("%v: want %s, got %s", test.config, test.id, text)
		}
	}
}
