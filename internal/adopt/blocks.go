// SPDX-License-Identifier: MPL-2.0

package adopt

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// writer collects files of resources, and the blocks that import them. Text of the service enters them as a literal or
// as a comment, never as an expression.
type writer struct {
	plugin  *plugin
	files   map[string]*file
	imports *file
	taken   map[string]bool // names of blocks, with their types, and of files
	count   map[string]int  // of resources, by type
	refused []string        // objects that Terraform would refuse, with the reasons
	managed managed         // objects that are left out
	left    int             // number of objects that were left out
}

type file = hclwrite.File

func newWriter(p *plugin, managed managed) *writer {
	w := &writer{
		plugin: p, managed: managed, files: map[string]*file{}, taken: map[string]bool{}, count: map[string]int{},
	}
	for _, name := range []string{"terraform", "provider", "imports", "override"} {
		w.take("", name)
	}
	w.imports = hclwrite.NewEmptyFile()
	w.files["imports.tf"] = w.imports
	comment(w.imports, "Apply imports these objects. The blocks can be removed afterwards.")
	return w
}

// newFile returns a new file for a group. Its name has no underscores, because Terraform merges files whose names end in
// _override.
func (w *writer) newFile(group string) *file {
	name := strings.ReplaceAll(w.take("", identifier(group)), "_", "-")
	name = strings.TrimLeft(name, "-") + ".tf"
	w.files[name] = hclwrite.NewEmptyFile()
	return w.files[name]
}

// take returns a name that is free for blocks of this type: the wanted one, or one with a number. Case is ignored,
// because some file systems do.
func (w *writer) take(typeName, wanted string) string {
	name := wanted
	for number := 2; w.taken[typeName+"."+strings.ToLower(name)]; number++ {
		name = fmt.Sprintf("%s_%d", wanted, number)
	}
	w.taken[typeName+"."+strings.ToLower(name)] = true
	return name
}

// identifier turns a text into a name of a block. A separator at its end is dropped.
func identifier(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.TrimRight(text, "_."))
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

// resource is an object to write.
type resource struct {
	object

	name       string // the wanted name of its block
	comment    string
	references map[string]hcl.Traversal // the arguments that refer to other resources
}

// write writes a resource and the block that imports it. It returns the reference to the resource, or nil if it is left
// out.
func (w *writer) write(ctx context.Context, out *file, r resource) hcl.Traversal {
	if w.managed.has(r.object) {
		w.left++
		return nil
	}
	config, err := w.plugin.generate(ctx, r.object)
	if err != nil {
		w.refused = append(w.refused, fmt.Sprintf("%s %q (import ID %s): %s", r.typeName, r.name, r.importID(), err))
		return nil
	}
	name := w.take(r.typeName, identifier(r.name))
	at := hcl.Traversal{hcl.TraverseRoot{Name: r.typeName}, hcl.TraverseAttr{Name: name}}
	if len(out.Body().Blocks()) > 0 {
		out.Body().AppendNewline()
	}
	if r.comment != "" {
		comment(out, r.comment)
	}
	body := out.Body().AppendNewBlock("resource", []string{r.typeName, name}).Body()
	writeArguments(body, w.plugin.schemas.ResourceSchemas[r.typeName].Block, config, r.references)

	w.imports.Body().AppendNewline()
	block := w.imports.Body().AppendNewBlock("import", nil).Body()
	block.SetAttributeTraversal("to", at)
	block.SetAttributeValue("id", cty.StringVal(r.importID()))
	w.count[r.typeName]++
	return at
}

// order is the order in which people write arguments. Arguments that are not listed follow in the schema's order.
var order = []string{
	"name", "address", "virtual_machine_id", "disc_id", "account", "group", "cores", "memory", "hardware_profile",
	"zone_name", "label", "size", "storage_grade", "start_at", "interval_seconds",
}

// writeArguments writes the arguments of a block that are set: first attributes, then blocks.
func writeArguments(
	body *hclwrite.Body, schema *tfprotov6.SchemaBlock, config cty.Value, references map[string]hcl.Traversal,
) {
	attributes := slices.Clone(schema.Attributes)
	slices.SortStableFunc(attributes, func(a, b *tfprotov6.SchemaAttribute) int { return cmp.Compare(rank(a), rank(b)) })
	for _, attribute := range attributes {
		value := config.GetAttr(attribute.Name)
		if reference := references[attribute.Name]; reference != nil {
			body.SetAttributeTraversal(attribute.Name, reference)
		} else if !value.IsNull() {
			body.SetAttributeValue(attribute.Name, value)
		}
	}
	for _, nested := range schema.BlockTypes {
		for _, block := range blocksIn(config.GetAttr(nested.TypeName)) {
			body.AppendNewline()
			writeArguments(body.AppendNewBlock(nested.TypeName, nil).Body(), nested.Block, block, nil)
		}
	}
}

func rank(attribute *tfprotov6.SchemaAttribute) int {
	if i := slices.Index(order, attribute.Name); i >= 0 {
		return i
	}
	return len(order)
}

// blocksIn returns the blocks of one type, from a value that is a single block or a collection.
func blocksIn(value cty.Value) []cty.Value {
	switch {
	case value.IsNull():
		return nil
	case value.Type().IsObjectType():
		return []cty.Value{value}
	}
	return value.AsValueSlice()
}

// comment appends a comment. The text may come from the service.
func comment(out *file, text string) {
	line := "# " + cmd.Printable(text) + "\n"
	out.Body().AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte(line)}})
}

// writeProvider writes the requirements and the provider block. The endpoint and the credentials stay in the
// environment, and so does an account that is there.
func (w *writer) writeProvider(account, fromEnvironment, version string) {
	requirements := hclwrite.NewEmptyFile()
	terraform := requirements.Body().AppendNewBlock("terraform", nil).Body()
	terraform.SetAttributeValue("required_version", cty.StringVal(">= 1.11"))
	terraform.AppendNewline()
	required := cty.ObjectVal(map[string]cty.Value{
		"source": cty.StringVal("cloudserver/cloudserver"), "version": cty.StringVal("~> " + series(version)),
	})
	terraform.AppendNewBlock("required_providers", nil).Body().SetAttributeValue("cloudserver", required)
	w.files["terraform.tf"] = requirements

	provider := hclwrite.NewEmptyFile()
	comment(provider, "The endpoint and the credentials come from CLOUDSERVER_* in the environment.")
	body := provider.Body().AppendNewBlock("provider", []string{"cloudserver"}).Body()
	if account != fromEnvironment {
		body.SetAttributeValue("account", cty.StringVal(account))
	}
	w.files["provider.tf"] = provider
}

// series returns the minor version of a release, such as 1.4, or 1.0 if this is none.
func series(version string) string {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d.", &major, &minor); n == 2 {
		return fmt.Sprintf("%d.%d", major, minor)
	}
	return "1.0"
}

// content returns the files in the format of `terraform fmt`.
func (w *writer) content() map[string][]byte {
	content := map[string][]byte{}
	for name, file := range w.files {
		if len(file.Body().Blocks()) > 0 {
			content[name] = hclwrite.Format(file.Bytes())
		}
	}
	return content
}
