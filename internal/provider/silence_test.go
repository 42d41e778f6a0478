package provider_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNoLogIsWrittenForNobody starts the provider behind a script that keeps what
// it writes to stderr: without a level it is nothing that a logger of ours or of
// the framework has formatted.
func TestNoLogIsWrittenForNobody(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(acctest.NewEmulator(t, emulator.Options{}))
	t.Cleanup(server.Close)
	w := newWorkspace(t, `
resource "cloudserver_vm" "web" {
  name = "web1"
  disc {
    label = "vda"
    size  = 25600
  }
}
`)
	program := w.provider + "-itself"
	if err := os.Rename(w.provider, program); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nexec '" + program + "' \"$@\" 2>>'" + filepath.Join(w.dir, "provider.log") + "'\n"
	if err := os.WriteFile(w.provider, []byte(script), 0o700); err != nil { //nolint:gosec // the CLI starts it
		t.Fatal(err)
	}
	env := []string{"TF_LOG=", "CLOUDSERVER_ENDPOINT=" + server.URL, "CLOUDSERVER_TOKEN=" + emulator.DemoAPIKey, "CLOUDSERVER_ACCOUNT=demo"}
	w.run(t, env, "apply", "-auto-approve")
	if log := w.read(t, "provider.log"); strings.Contains(log, `"@module":"cloudserver`) || strings.Contains(log, `"@module":"sdk`) {
		t.Errorf("nobody reads this:\n%.2000s", log)
	}
	w.run(t, append(env, "TF_LOG_PROVIDER=TRACE"), "destroy", "-auto-approve")
	if log := w.read(t, "provider.log"); !strings.Contains(log, `"@module":"cloudserver`) || !strings.Contains(log, `"@module":"sdk`) {
		t.Errorf("with a level there is no log:\n%.2000s", log)
	}
}
