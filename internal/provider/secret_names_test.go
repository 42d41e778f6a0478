package provider_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestSecretInAName: a token that is configured as a name is an error at its argument, and nothing is sent. A service
// that repeats it is refused, and the state stays without it.
func TestSecretInAName(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	token := emulator.DemoAPIKey
	for typeName, config := range map[string]map[string]any{
		"cloudserver_vm":              {"name": "web1", "cdrom_url": "https://example.com/" + token},
		"cloudserver_group":           {"name": token},
		"cloudserver_rdns":            {"address": "192.0.2.1", "hostname": token + ".example.com"},
		"cloudserver_backup_schedule": {"virtual_machine_id": "7", "disc_id": "8", "start_at": token, "interval_seconds": 3600},
	} {
		acctest.ExpectError(t, d.Plan(ctx, typeName, nil, config).Diagnostics, "Secret in ", "contains the token")
	}
	_, diags := d.ReadData(ctx, "cloudserver_group", map[string]any{"name": token})
	acctest.ExpectError(t, diags, "error at name: Secret in name")
	_, diags = d.Invoke(ctx, "cloudserver_vm_purge", map[string]any{"virtual_machine_id": "7", "name": token})
	acctest.ExpectError(t, diags, "error at name: Secret in name")
	if calls := e.AllCalls(); len(calls) > 0 {
		t.Errorf("sent %q", calls)
	}
	plan := d.Plan(ctx, "cloudserver_vm", nil, map[string]any{
		"name": "web1", "disc": []map[string]any{{"label": "vda", "size": 25600}},
		"reimage": map[string]any{"distribution": "bookworm", "firstboot_script": "#!/bin/sh\ncurl -H 'Authorization: Bearer " + token + "' https://example.com\n"},
	})
	if acctest.HasErrors(plan.Diagnostics) { // arguments for secrets may contain them
		t.Error(acctest.DiagText(plan.Diagnostics))
	}
	if text := acctest.DiagText(diags); strings.Contains(text, token) {
		t.Error(text)
	}
}

// TestSpeltSecretInAName: the same holds for a token in another spelling. The answer to a creation would be refused for it,
// and the machine would be in no state.
func TestSpeltSecretInAName(t *testing.T) {
	t.Parallel()
	const token = "apikey.spelt/ab+cd=="
	e := acctest.StartEmulator(t, emulator.Options{})
	e.AddUser("operator", "a-long-password")
	e.AddAPIKey(token, "operator")
	d := acctest.OpenProcess(t, provider.NewWithTransport("test", e.Transport())())
	if diags := d.Configure(t.Context(), e.ProviderConfig(map[string]any{"token": token})); acctest.HasErrors(diags) {
		t.Fatal(acctest.DiagText(diags))
	}
	for _, spelt := range []string{
		url.QueryEscape(token), url.PathEscape(token), url.QueryEscape(url.QueryEscape(token)), strings.ReplaceAll(token, "+", "%20"),
		strings.ReplaceAll(token, "+", " "), strings.ReplaceAll(token, "/", `\/`), strings.ReplaceAll(token, "=", "&#61;"),
	} {
		plan := d.Plan(t.Context(), "cloudserver_vm", nil, map[string]any{
			"name": "web1", "disc": []map[string]any{{"label": "vda", "size": 25600}}, "cdrom_url": "https://images.example/a.iso?key=" + spelt,
		})
		acctest.ExpectError(t, plan.Diagnostics, "error at cdrom_url: Secret in cdrom_url", "contains the token")
	}
	if calls := e.AllCalls(); len(calls) > 0 {
		t.Errorf("sent %q", calls)
	}
}

// TestSecretInTheProviderBlock: the same holds for the account and the group of the provider block.
func TestSecretInTheProviderBlock(t *testing.T) {
	t.Parallel()
	e := acctest.StartEmulator(t, emulator.Options{})
	for _, field := range []string{"account", "group"} {
		diags := acctest.OpenProcess(t, provider.NewWithTransport("test", e.Transport())()).Configure(t.Context(), e.ProviderConfig(map[string]any{field: "x-" + emulator.DemoAPIKey}))
		acctest.ExpectError(t, diags, "error at "+field+": Secret in "+field, "contains the token")
	}
}

// TestSecretOfATokenFileInAName: the same holds for the token in a file, before any request has sent it.
func TestSecretOfATokenFileInAName(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"name", "account", "group"} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			token := "apikey.in-a-file-" + field
			file := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			e := acctest.StartEmulator(t, emulator.Options{})
			settings := e.ProviderConfig(map[string]any{"token_file": file})
			delete(settings, "token")
			if field != "name" {
				settings[field] = token
			}
			d := acctest.OpenProcess(t, provider.NewWithTransport("test", e.Transport())())
			diags := d.Configure(t.Context(), settings)
			if field == "name" {
				if acctest.HasErrors(diags) {
					t.Fatal(acctest.DiagText(diags))
				}
				diags = d.Plan(t.Context(), "cloudserver_group", nil, map[string]any{"name": token}).Diagnostics
			}
			acctest.ExpectError(t, diags, "error at "+field+": Secret in "+field, "contains the token")
			if calls := e.AllCalls(); len(calls) > 0 {
				t.Errorf("sent %q", calls)
			}
		})
	}
}
