package adopt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// configuration is the relevant part of one directory of configuration.
type configuration struct {
	dir       string
	resources []*block
	modules   []*block
	providers []*block
	variables map[string]*block
	locals    map[string]hcl.Expression
	outputs   map[string]*block
	given     map[string]cty.Value // values of variables, from files and the environment
}

// block is a block with its arguments.
type block struct {
	labels    []string
	arguments map[string]hcl.Expression
	at        hcl.Range
}

// wanted lists the arguments that are evaluated, by kind of block.
var wanted = map[string][]string{
	"resource": {
		"for_each", "count", "provider", "account", "name", "group", "group_id",
		"virtual_machine_id", "disc_id", "start_at", "interval_seconds", "capacity", "address",
	},
	"provider": {"alias", "account", "group"},
	"variable": {"default", "type"},
	"output":   {"value"},
}

var topLevel = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "resource", LabelNames: []string{"type", "name"}},
	{Type: "module", LabelNames: []string{"name"}},
	{Type: "provider", LabelNames: []string{"name"}},
	{Type: "variable", LabelNames: []string{"name"}},
	{Type: "output", LabelNames: []string{"name"}},
	{Type: "locals"},
}}

// parse reads the configuration in a directory.
func parse(dir string) (*configuration, error) {
	c := &configuration{
		dir: dir, variables: map[string]*block{}, locals: map[string]hcl.Expression{}, outputs: map[string]*block{},
		given: map[string]cty.Value{},
	}
	names, err := configurationFiles(dir)
	if err != nil {
		return nil, err
	}
	parser := hclparse.NewParser()
	for _, name := range names {
		parse := parser.ParseHCLFile
		if strings.HasSuffix(name, ".json") {
			parse = parser.ParseJSONFile
		}
		file, diags := parse(name)
		if diags.HasErrors() {
			return nil, diags
		}
		content, _, diags := file.Body.PartialContent(topLevel)
		for _, b := range content.Blocks {
			diags = append(diags, c.add(b)...)
		}
		if diags.HasErrors() {
			return nil, diags
		}
	}
	if len(c.resources)+len(c.modules) == 0 {
		return nil, fmt.Errorf("the directory %s has no resource and no module", dir)
	}
	return c, nil
}

// configurationFiles returns the files that Terraform reads. Override files are an error, because they replace parts of
// blocks.
func configurationFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name := entry.Name()
		base, isOurs := strings.CutSuffix(strings.TrimSuffix(name, ".json"), ".tf")
		switch {
		case entry.IsDir() || !isOurs || strings.HasPrefix(name, "."):
			continue
		case base == "override" || strings.HasSuffix(base, "_override"):
			return nil, fmt.Errorf("%s replaces parts of other files, which is not understood here: move it away for the time being", filepath.Join(dir, name))
		}
		names = append(names, filepath.Join(dir, name))
	}
	return names, nil
}

// add adds a block of the configuration.
func (c *configuration) add(found *hcl.Block) hcl.Diagnostics {
	switch found.Type {
	case "locals":
		attributes, diags := found.Body.JustAttributes()
		for name, attribute := range attributes {
			c.locals[name] = attribute.Expr
		}
		return diags
	case "module":
		attributes, diags := found.Body.JustAttributes()
		c.modules = append(c.modules, newBlock(found, attributes))
		return diags
	}
	schema := &hcl.BodySchema{}
	for _, name := range wanted[found.Type] {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
	}
	content, _, diags := found.Body.PartialContent(schema)
	b := newBlock(found, content.Attributes)
	switch found.Type {
	case "resource":
		if slices.Contains([]string{groupType, machineType, scheduleType, nameType}, b.labels[0]) {
			c.resources = append(c.resources, b)
		}
	case "provider":
		c.providers = append(c.providers, b)
	case "variable":
		c.variables[b.labels[0]] = b
	case "output":
		c.outputs[b.labels[0]] = b
	}
	return diags
}

func newBlock(found *hcl.Block, attributes hcl.Attributes) *block {
	b := &block{labels: found.Labels, arguments: map[string]hcl.Expression{}, at: found.DefRange}
	for name, attribute := range attributes {
		b.arguments[name] = attribute.Expr
	}
	return b
}

// readValues reads the values of a root module's variables from files and the environment.
func (c *configuration) readValues(environ []string) error {
	for _, assignment := range environ {
		name, value, _ := strings.Cut(assignment, "=")
		if name, ok := strings.CutPrefix(name, "TF_VAR_"); ok {
			c.given[name] = cty.StringVal(value)
		}
	}
	files, err := filepath.Glob(filepath.Join(c.dir, "*.auto.tfvars"))
	parser := hclparse.NewParser()
	for _, name := range append([]string{filepath.Join(c.dir, "terraform.tfvars")}, files...) {
		if _, statErr := os.Stat(name); statErr != nil {
			continue
		}
		file, diags := parser.ParseHCLFile(name)
		if diags.HasErrors() {
			return diags
		}
		attributes, diags := file.Body.JustAttributes()
		for variable, attribute := range attributes {
			value, d := attribute.Expr.Value(nil)
			c.given[variable], diags = value, append(diags, d...)
		}
		if diags.HasErrors() {
			return diags
		}
	}
	return err
}

// variable returns the value of a variable, or an unknown value if it has none.
func (c *configuration) variable(name string, given cty.Value) cty.Value {
	b := c.variables[name]
	if b == nil {
		return cty.DynamicVal
	}
	value := given
	if value == cty.NilVal {
		if b.arguments["default"] == nil {
			return cty.DynamicVal
		}
		value, _ = b.arguments["default"].Value(nil)
	}
	converted, err := typed(value, b.arguments["type"])
	if err != nil {
		return cty.DynamicVal
	}
	return converted
}

// typed converts a value to the type of a variable. For a complex type, a text from the environment is an expression,
// and its value is unknown here.
func typed(value cty.Value, constraint hcl.Expression) (cty.Value, error) {
	if constraint == nil {
		return value, nil
	}
	kind, defaults, diags := typeexpr.TypeConstraintWithDefaults(constraint)
	if diags.HasErrors() { // Terraform will report the error
		return value, nil
	}
	if defaults != nil && !value.IsNull() {
		value = defaults.Apply(value)
	}
	converted, err := convert.Convert(value, kind)
	if err != nil {
		return cty.DynamicVal, errors.New("the value does not have the type of the variable")
	}
	return converted, nil
}
