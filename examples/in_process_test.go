// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// publicKey is what is in ~/.ssh/id_ed25519.pub.
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM demo@example"

// inputs are values for variables that have no default, or whose default would keep the example from being destroyed.
func inputs() map[string]cty.Value {
	secret := cty.StringVal("only-for-the-emulator")
	return map[string]cty.Value{
		"root_password": secret, "enrolment_token": secret, "acme_token": secret, "password": cty.StringVal("demo"),
		"backup_id": cty.UnknownVal(cty.String), "protected": cty.False,
	}
}

// exampleDirs returns the directories with a configuration or a query.
func exampleDirs(t *testing.T) (dirs []string) {
	t.Helper()
	for _, name := range filesBelow(t, ".", ".tf", ".tfquery.hcl") {
		if dir := path.Dir(name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// parse returns the blocks of the files of a directory, except for the ways to import.
func parse(t *testing.T, dir string) (blocks hclsyntax.Blocks) {
	t.Helper()
	for _, name := range filesBelow(t, dir, ".tf", ".tfquery.hcl") {
		if path.Dir(name) == dir && !strings.HasPrefix(path.Base(name), "import-by-") {
			blocks = append(blocks, acctest.ParseHCL(t, name, read(t, name))...)
		}
	}
	return blocks
}

// newEmulator returns the service of an example. It has what is in the example's seed; without a seed guests answer.
func newEmulator(t *testing.T, dir string) *acctest.Emulator {
	t.Helper()
	seed, err := os.ReadFile(filepath.Join(dir, "seed.json"))
	_, e := acctest.Drive(t, emulator.Options{Guests: err != nil}, nil)
	if err == nil {
		err = e.Load(seed)
	}
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return e
}

// Every example stands alone: it is applied in process as somebody would who has copied it. Then the plan is empty, each
// resource is imported in each way that the example shows, and all are destroyed.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, dir := range exampleDirs(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			c := newConfiguration(t, dir, newEmulator(t, dir))
			blocks := parse(t, dir)
			c.run(blocks, false)
			for _, a := range c.applied {
				a.driver.ExpectPlan(t.Context(), a.object, a.config, acctest.ActionNoOp)
			}
			c.importEachWay()
			later := c.e.NewDriver(t, nil) // no plan imports a machine and destroys it
			for _, a := range slices.Backward(c.applied) {
				later.MustApply(t.Context(), a.object.TypeName, later.MustRefresh(t.Context(), a.object), nil)
			}
		})
	}
}

// importEachWay imports each resource as the example's import blocks and import.sh do. The apply after that sends nothing:
// it may record what the service does not show.
func (c *configuration) importEachWay() {
	c.Helper()
	for _, b := range parseImports(c.T, c.dir) {
		a := c.find(b)
		ids := strings.NewReplacer("1234", text(a.object.Get("id")), "1004", text(a.object.Get("virtual_machine_id")), "1005", text(a.object.Get("disc_id")))
		var imported *acctest.Object
		if id := b.Body.Attributes["id"]; id != nil {
			imported = a.driver.MustImport(c.Context(), a.object.TypeName, ids.Replace(c.value(id.Expr, nil).AsString()))
		} else {
			imported = c.importByIdentity(a, b.Body.Attributes["identity"].Expr, ids)
		}
		c.e.ResetJournal()
		a.driver.MustApply(c.Context(), a.object.TypeName, imported, a.config)
		acctest.ExpectCalls(c, c.e)
	}
}

func (c *configuration) importByIdentity(a applied, identity hcl.Expression, ids *strings.Replacer) *acctest.Object {
	c.Helper()
	values := map[string]any{}
	for name, value := range c.value(identity, nil).AsValueMap() {
		values[name] = ids.Replace(value.AsString())
	}
	imported, diags := a.driver.ImportByIdentity(c.Context(), a.object.TypeName, values)
	if acctest.HasErrors(diags) {
		c.Fatal(acctest.DiagText(diags))
	}
	return imported
}

// parseImports returns the import blocks of an example, and one for each command in import.sh.
func parseImports(t *testing.T, dir string) (blocks hclsyntax.Blocks) {
	t.Helper()
	for _, name := range filesBelow(t, dir, "import-by-string-id.tf", "import-by-identity.tf") {
		blocks = append(blocks, acctest.ParseHCL(t, name, read(t, name))...)
	}
	for _, name := range filesBelow(t, dir, "import.sh") {
		for _, command := range importCommand.FindAllStringSubmatch(read(t, name), -1) {
			blocks = append(blocks, acctest.ParseHCL(t, name, "import {\n  to = "+command[1]+"\n  id = \""+command[2]+"\"\n}\n")...)
		}
	}
	return blocks
}

var importCommand = regexp.MustCompile(`(?m)^terraform import (\S+) (\S+)$`)

// find returns what an import block is for.
func (c *configuration) find(b *hclsyntax.Block) applied {
	c.Helper()
	address := addressOf(b)
	for _, a := range c.applied {
		if a.address == address {
			return a
		}
	}
	c.Fatalf("the example has no %s", address)
	return applied{}
}

// addressOf returns what the argument `to` of an import block names.
func addressOf(b *hclsyntax.Block) string {
	reference := b.Body.Attributes["to"].Expr.Variables()[0]
	return reference.RootName() + "." + lastName(reference)
}

// text returns an ID, or a text that stands nowhere.
func text(value any) string {
	if id, ok := value.(string); ok && id != "" {
		return id
	}
	return "none"
}

var block = regexp.MustCompile("(?ms)^```(?:terraform|hcl)\\n(.*?)^```")

// Every block of configuration on a page that is no file of an example is valid, and its resources can be planned. What it
// refers to elsewhere is unknown.
func TestBlocksOfPages(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, name := range filesBelow(t, ".", ".tf", ".hcl") {
		shown[strings.TrimSpace(read(t, name))] = true
	}
	for name, page := range pages(t) {
		for i, found := range block.FindAllStringSubmatch(page, -1) {
			if shown[strings.TrimSpace(found[1])] {
				continue
			}
			t.Run(name+" "+strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				e := newEmulator(t, ".")
				e.AddAccount("acme", false)
				newConfiguration(t, ".", e).run(acctest.ParseHCL(t, name, found[1]), true)
			})
		}
	}
}
