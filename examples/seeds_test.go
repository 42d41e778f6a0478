package examples_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// runSeeds starts an emulator with the world of the page, and has a seed refused as the page quotes it.
func runSeeds(t *testing.T, c *cli) {
	const page = "docs/guides/emulator.md"
	world := c.book.block(t, page, `"rdns"`)

	w := newWorkspace(t, c, &acctest.Emulator{}, "provider")
	write(t, w.dir, "seed.json", world)
	r := &tour{workspace: w, ids: strings.NewReplacer(), at: "127.0.0.1:0"}
	r.serve("exec " + r.block("127.0.0.1:8787 --seed seed.json"))
	if served, err := w.try("curl", "-fsS", "http://"+r.at+"/_emulator/world"); err != nil || !strings.Contains(served, `"accounts"`) {
		t.Errorf("the world: %v\n%s", err, served)
	}

	write(t, w.dir, "seed.json", `{"accounts": [{"name": "demo", "groups": [{"name": "default", "virtual_machines": [{"name": "web1"}, {"name": "web1"}]}]}]}`)
	if output, err := w.try("sh", "-c", "terraform-provider-cloudserver emulator 127.0.0.1:0 --seed seed.json"); err == nil {
		t.Errorf("a seed with two machines of one name is accepted: %s", output)
	}
}

// allows returns an error where a JSON schema does not allow a text.
func allows(schema, text string) error {
	parsed, schemaErr := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	compiler := jsonschema.NewCompiler()
	if err := errors.Join(schemaErr, err, compiler.AddResource("page.json", parsed)); err != nil {
		return err
	}
	compiled, err := compiler.Compile("page.json")
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}
