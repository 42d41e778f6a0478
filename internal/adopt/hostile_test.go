package adopt_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestHostileNames: whatever the names are, the files contain the expected blocks only, with each name as a string.
func TestHostileNames(t *testing.T) {
	setEnvironment(t, "demo")
	hostile := []string{
		`a" } resource "null_resource" "x" { count = 9 } x = "`, "${file(\"/etc/passwd\")}", "%{ if true }x%{ endif }", `quote"quote`, `back\slash\`,
		"new\nline = 1", "*/ /* //", "# comment", "<<EOT\nx\nEOT", "1digits-first", "", "Ünïcode", "\u202ereversed", "../../etc/passwd", "override", "x_override", "con", "Lpt1", "web", "WEB", "terraform", "null\x00byte", "\x1b[2Jclear",
	}
	for _, flat := range []bool{true, false} {
		service := &fake{}
		for i, name := range hostile {
			service.groups = append(service.groups, fakeGroup{int64(100 + i), name, []fakeMachine{
				{id: int64(1000 + 10*i), name: name, label: name},
				{id: int64(1001 + 10*i), name: name + "2", label: name},
				{id: int64(1002 + 10*i), name: name + "3", label: "${evil}\n}"},
			}})
		}
		arguments := []string{"--reverse-names=false"}
		if flat {
			arguments = append(arguments, "--flat")
		}
		r := runCommand(t, service, filepath.Join(t.TempDir(), "estate"), arguments...)
		expectHarmless(t, r, hostile)
	}
}

// expectHarmless parses the files and looks for what must not be there.
func expectHarmless(t *testing.T, r result, hostile []string) {
	t.Helper()
	addresses, seen := map[string]bool{}, map[string]bool{}
	for name, text := range r.files {
		file, diags := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
		if diags.HasErrors() {
			t.Errorf("%s: %s\n%s", name, diags, text)
			continue
		}
		if strings.HasSuffix(name, "_override.tf") || name == "override.tf" || strings.EqualFold(name, "con.tf") || strings.EqualFold(name, "lpt1.tf") || strings.ContainsAny(name, "/\\ ") {
			t.Errorf("a file %q", name)
		}
		body := file.Body.(*hclsyntax.Body)
		for _, block := range body.Blocks {
			allowed := map[string]bool{"resource": true, "import": true, "terraform": true, "provider": true}
			if !allowed[block.Type] || block.Type == "resource" && !strings.HasPrefix(block.Labels[0], "cloudserver_") {
				t.Errorf("%s has a block %s %q", name, block.Type, block.Labels)
			}
			if block.Type != "resource" {
				continue
			}
			if address := strings.Join(block.Labels, "."); addresses[address] || !hclsyntax.ValidIdentifier(block.Labels[1]) {
				t.Errorf("%s is there twice, or is no identifier", address)
			} else {
				addresses[address] = true
			}
			if name := block.Body.Attributes["name"]; name != nil {
				if value, diags := name.Expr.Value(nil); !diags.HasErrors() {
					seen[value.AsString()] = true
				}
			}
			if block.Body.Attributes["count"] != nil {
				t.Errorf("%s has a count", block.Labels)
			}
		}
	}
	for _, name := range hostile {
		if strings.ContainsAny(name, "/\\#\n\x00\x1b\u202e") || name == "" { // Terraform would refuse the name: the object is left out and reported
			continue
		}
		if !seen[name] {
			t.Errorf("no block has the name %q", name)
		}
	}
	if r.err == nil || !strings.Contains(r.errors, "Left out, because Terraform would refuse it:") {
		t.Errorf("%v: what is left out is not named:\n%s", r.err, r.errors)
	}
	if strings.ContainsAny(r.out+r.errors, "\x1b\x00\u202e") {
		t.Errorf("what is printed steers a terminal: %q", r.out+r.errors)
	}
}

// fake is a service with names that the emulator would refuse.
type fake struct{ groups []fakeGroup }

type fakeGroup struct {
	id       int64
	name     string
	machines []fakeMachine
}

type fakeMachine struct {
	id          int64
	name, label string
}

func (f *fake) RoundTrip(r *http.Request) (*http.Response, error) {
	var body strings.Builder
	switch r.URL.Path {
	case "/accounts":
		body.WriteString(`[{"id": 1, "name": "demo"}]`)
	case "/accounts/demo", "/accounts/demo/groups":
		var groups []string
		for _, g := range f.groups {
			var machines []string
			for _, m := range g.machines {
				machines = append(machines, fmt.Sprintf(`{"id": %d, "group_id": %d, "name": %s, "hostname": %[3]s, "cores": 1, "memory": 1024, "power_on": true, "autoreboot_on": true,
					"discs": [{"id": %d, "label": %s, "size": 1000, "storage_grade": "sata", "backup_schedules": [{"id": %d, "start_at": "2030-01-06 04:00:00", "interval_seconds": 86400}]}], "network_interfaces": []}`,
					m.id, g.id, quoted(m.name), m.id+10000, quoted(m.label), m.id+20000))
			}
			groups = append(groups, fmt.Sprintf(`{"id": %d, "name": %s, "virtual_machines": [%s]}`, g.id, quoted(g.name), strings.Join(machines, ",")))
		}
		body.WriteString("[" + strings.Join(groups, ",") + "]")
		if r.URL.Path == "/accounts/demo" {
			body.Reset()
			body.WriteString(`{"id": 1, "name": "demo", "groups": [` + strings.Join(groups, ",") + "]}")
		}
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body.String())), Request: r,
	}, nil
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	encoded, _ := json.Marshal(text) // a string
	return string(encoded)
}
