package provider_test

import (
	"fmt"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestImportIDsWithBlanks: whitespace around an import ID is an error that shows the ID without it, for every resource,
// and nothing is sent.
func TestImportIDsWithBlanks(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	for typeName, id := range map[string]string{
		"cloudserver_vm": "1234", "cloudserver_group": "demo/web", "cloudserver_rdns": "192.0.2.1", "cloudserver_backup_schedule": "1/2/3",
	} {
		for _, text := range []string{" " + id, id + "\n", "\t" + id + " "} {
			_, diags := d.Import(t.Context(), typeName, text)
			acctest.ExpectError(t, diags, "Invalid import ID", fmt.Sprintf("%q has leading or trailing whitespace. Use %q.", text, id))
		}
	}
	acctest.ExpectCalls(t, e)
}
