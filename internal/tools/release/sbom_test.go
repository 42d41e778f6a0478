//go:build release

package release_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bom is the part of an SBOM that is checked.
type bom struct {
	Metadata   struct{ Component component }
	Components []component
}

type component struct {
	Name, Version string
	Evidence      struct {
		Licenses []struct{ License struct{ ID string } }
	}
}

// licences lists the licences that may be linked into a program under MPL-2.0 and published with it. The detection
// reports the three-clause licence of golang.org/x as BSD-Source-Code.
var licences = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSD-Source-Code", "ISC", "MIT", "MPL-2.0"}

// TestSBOMs: each archive has an SBOM that names the version and the modules that are linked into the program.
func TestSBOMs(t *testing.T) {
	t.Parallel()
	r := open(t)
	for _, platform := range r.platforms() {
		b := decode(t, r.read(t, r.name(platform+".cdx.json")))
		if b.Metadata.Component.Version != "v"+r.version {
			t.Errorf("%s: the SBOM is of version %q, want v%s", platform, b.Metadata.Component.Version, r.version)
		}
		for _, name := range []string{"github.com/hashicorp/terraform-plugin-framework", "google.golang.org/grpc", "std"} {
			if !slices.ContainsFunc(b.Components, func(c component) bool { return c.Name == name && c.Version != "" }) {
				t.Errorf("%s: the SBOM lacks %s", platform, name)
			}
		}
		if i := slices.IndexFunc(b.Components, func(c component) bool { return c.Name == "github.com/hashicorp/terraform-plugin-testing" }); i >= 0 {
			t.Errorf("%s: a library for tests is in the program", platform)
		}
	}
}

// TestLicences: every module that the provider or its tests use has a licence compatible with MPL-2.0.
func TestLicences(t *testing.T) {
	t.Parallel()
	tool, err := exec.CommandContext(t.Context(), "../tool.sh", "cyclonedx-gomod").Output()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), strings.TrimSpace(string(tool)), "mod", "-json", "-licenses", "-test", root).Output()
	if err != nil {
		t.Fatal(err)
	}
	b := decode(t, output)
	if len(b.Components) < 20 {
		t.Fatalf("only %d modules are listed", len(b.Components))
	}
	for _, c := range b.Components {
		if len(c.Evidence.Licenses) == 0 {
			t.Errorf("%s %s: no licence was found", c.Name, c.Version)
		}
		for _, l := range c.Evidence.Licenses {
			if !slices.Contains(licences, l.License.ID) {
				t.Errorf("%s %s: the licence %q is not known to be compatible", c.Name, c.Version, l.License.ID)
			}
		}
	}
}

func decode(t *testing.T, text []byte) bom {
	t.Helper()
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	return b
}
