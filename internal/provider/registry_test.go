package provider_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// What the provider offers is what users have written down: a name that leaves
// this list breaks their configurations.
func TestRegistries(t *testing.T) {
	t.Parallel()
	server := providerserver.NewProtocol6(provider.New("test")())()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || len(schemas.Diagnostics) > 0 {
		t.Fatalf("read the schemas: %v %v", err, schemas.Diagnostics)
	}
	want := map[string][]string{
		"resources":           {"cloudserver_backup_schedule", "cloudserver_group", "cloudserver_rdns", "cloudserver_vm"},
		"data sources":        {"cloudserver_account", "cloudserver_backups", "cloudserver_definitions", "cloudserver_group", "cloudserver_groups", "cloudserver_rdns", "cloudserver_vm", "cloudserver_vms"},
		"ephemeral resources": {"cloudserver_session"},
		"functions":           {"megabytes"},
		"list resources":      {"cloudserver_group", "cloudserver_vm"},
		"actions": {
			"cloudserver_disc_backup", "cloudserver_disc_move", "cloudserver_disc_restore",
			"cloudserver_vm_power", "cloudserver_vm_purge", "cloudserver_vm_reimage", "cloudserver_vm_signal", "cloudserver_vm_undelete",
		},
	}
	got := map[string][]string{
		"resources":           names(schemas.ResourceSchemas),
		"data sources":        names(schemas.DataSourceSchemas),
		"ephemeral resources": names(schemas.EphemeralResourceSchemas),
		"functions":           names(schemas.Functions),
		"list resources":      names(schemas.ListResourceSchemas),
		"actions":             names(schemas.ActionSchemas),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the provider offers (-want +got):\n%s", diff)
	}
}

func names[T any](components map[string]T) []string {
	return slices.Sorted(maps.Keys(components))
}
