// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

func TestMain(m *testing.M) {
	if err := os.Setenv("CLOUDSERVER_TOKEN", "a developer's own"); err != nil {
		os.Exit(1)
	}
	acctest.Main(m)
}

func TestMainPreparesTheEnvironment(t *testing.T) {
	t.Parallel()
	if _, set := os.LookupEnv("CLOUDSERVER_TOKEN"); set {
		t.Error("CLOUDSERVER_TOKEN is still set")
	}
	if _, err := os.Stat(os.Getenv("TF_CLI_CONFIG_FILE")); err != nil {
		t.Errorf("the CLI's configuration: %v", err)
	}
	if !filepath.IsAbs(acctest.CLI()) {
		t.Errorf("the CLI is %q", acctest.CLI())
	}
}
