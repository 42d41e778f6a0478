package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestMovedToAnotherType: a moved block that changes the type or the provider is refused in words for users, whatever
// the two types are.
func TestMovedToAnotherType(t *testing.T) {
	t.Parallel()
	const own, other = "registry.terraform.io/cloudserver/cloudserver", "registry.terraform.io/example/cloudserver"
	server := acctest.NewServer(t, provider.New("test")())
	types := []string{"cloudserver_vm", "cloudserver_group", "cloudserver_rdns", "cloudserver_backup_schedule"}
	for _, to := range types {
		for _, from := range append(types, "null_resource") {
			address, says := own, "Cannot move a "+from+" to a "+to+"\n"
			if from == to {
				address, says = other, "Cannot move a "+from+" from another provider\n"
			}
			resp, err := server.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
				SourceProviderAddress: address, SourceTypeName: from, TargetTypeName: to, SourceState: &tfprotov6.RawState{JSON: []byte("{}")},
			})
			if err != nil {
				t.Fatal(err)
			}
			text := acctest.DiagText(resp.Diagnostics)
			if !acctest.HasErrors(resp.Diagnostics) || !strings.Contains(text, says) || strings.Contains(text, "developer") {
				t.Errorf("%s to %s: %s", from, to, text)
			}
		}
	}
}
