package examples_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// configuration evaluates the blocks of a configuration in the order of their references, as Terraform does, and applies
// its resources through the driver.
type configuration struct {
	*testing.T
	dir       string // of its files
	e         *acctest.Emulator
	providers map[string]*acctest.Driver // by alias; "" is the one without
	scope     map[string]cty.Value       // what references can find, by their first name
	inputs    map[string]cty.Value       // of variables
	imports   map[string]string          // ID by address
	applied   []applied
}

// applied is an instance of a resource.
type applied struct {
	address string // without the key
	object  *acctest.Object
	config  map[string]any
	driver  *acctest.Driver
}

func newConfiguration(t *testing.T, dir string, e *acctest.Emulator) *configuration {
	t.Helper()
	return &configuration{
		T: t, dir: dir, e: e, inputs: inputs(t, e), imports: map[string]string{},
		providers: map[string]*acctest.Driver{"": e.NewDriver(t, nil)},
		scope:     map[string]cty.Value{"path": object(map[string]cty.Value{"module": cty.StringVal(dir)})},
	}
}

// run evaluates blocks until all are done. What then still has a reference that leads nowhere is an error, or, in a part of
// a configuration, is planned with an unknown value in its place.
func (c *configuration) run(blocks hclsyntax.Blocks, part bool) {
	c.Helper()
	c.variables(blocks)
	for _, b := range blocks {
		if id := b.Body.Attributes["id"]; b.Type == "import" && id != nil {
			c.imports[addressOf(b)] = c.value(id.Expr, nil).AsString()
		}
	}
	pending := slices.DeleteFunc(slices.Clone(blocks), func(b *hclsyntax.Block) bool { return !evaluated[b.Type] })
	for len(pending) > 0 {
		left := slices.DeleteFunc(slices.Clone(pending), func(b *hclsyntax.Block) bool {
			ready := len(c.missing(b)) == 0
			if ready {
				c.evaluate(b)
			}
			return ready
		})
		if len(left) == len(pending) {
			break
		}
		pending = left
	}
	for _, b := range pending {
		if !part {
			c.Errorf("%s %v: nothing has %v", b.Type, b.Labels, c.missing(b))
			continue
		}
		c.planUnknown(b)
	}
}

// evaluated are the types of blocks that the provider sees, and those that others refer to.
var evaluated = map[string]bool{
	"provider": true, "resource": true, "data": true, "ephemeral": true, "action": true, "list": true, "locals": true, "output": true,
}

// missing returns the references of a block that lead nowhere yet.
func (c *configuration) missing(b *hclsyntax.Block) (names []string) {
	for _, reference := range references(b.Body) {
		root := reference.RootName()
		if slices.Contains([]string{"each", "count", "disc", "caller", "cloudserver"}, root) {
			continue // they are known where they stand, or name a provider
		}
		if _, diags := reference.TraverseAbs(&hcl.EvalContext{Variables: c.scope}); diags.HasErrors() {
			names = append(names, root)
		}
	}
	return names
}

// references returns the references of a body, without those of the block lifecycle, which is the CLI's.
func references(body *hclsyntax.Body) (all []hcl.Traversal) {
	for _, attribute := range body.Attributes {
		all = append(all, attribute.Expr.Variables()...)
	}
	for _, inner := range body.Blocks {
		if inner.Type != "lifecycle" {
			all = append(all, references(inner.Body)...)
		}
	}
	return all
}

// variables sets the variables to their defaults, or to what the test has for them.
func (c *configuration) variables(blocks hclsyntax.Blocks) {
	c.Helper()
	values := map[string]cty.Value{}
	for _, b := range blocks {
		if b.Type != "variable" {
			continue
		}
		value, given := c.inputs[b.Labels[0]]
		if attribute := b.Body.Attributes["default"]; !given && attribute != nil {
			value = c.value(attribute.Expr, nil)
		} else if !given {
			c.Fatalf("the variable %s has no default, and the test has no value for it", b.Labels[0])
		}
		if constraint := b.Body.Attributes["type"]; constraint != nil {
			value = c.converted(value, constraint.Expr)
		}
		values[b.Labels[0]] = value
	}
	c.scope["var"] = object(values)
}

func (c *configuration) converted(value cty.Value, constraint hcl.Expression) cty.Value {
	c.Helper()
	typ, defaults, diags := typeexpr.TypeConstraintWithDefaults(constraint)
	if diags.HasErrors() {
		c.Fatal(diags)
	}
	if defaults != nil {
		value = defaults.Apply(value)
	}
	value, err := convert.Convert(value, typ)
	if err != nil {
		c.Fatal(err)
	}
	return value
}

// evaluate does what Terraform does with a block when all that it refers to is known.
func (c *configuration) evaluate(b *hclsyntax.Block) {
	c.Helper()
	switch b.Type {
	case "locals", "output":
		values := map[string]cty.Value{}
		for name, attribute := range b.Body.Attributes {
			if name != "depends_on" {
				values[name] = c.value(attribute.Expr, nil)
			}
		}
		if b.Type == "locals" {
			c.put(object(values), "local")
		}
	case "provider":
		c.provider(c.config(b.Body, nil))
	case "resource":
		c.instances(b, func(config map[string]any) *acctest.Object {
			d, address := c.driver(b), b.Labels[0]+"."+b.Labels[1]
			var prior *acctest.Object
			if id, ok := c.imports[address]; ok {
				prior = d.MustImport(c.Context(), b.Labels[0], id)
			}
			o := d.MustApply(c.Context(), b.Labels[0], prior, config)
			c.applied = append(c.applied, applied{address, o, config, d})
			return o
		}, b.Labels...)
	case "data":
		c.instances(b, func(config map[string]any) *acctest.Object {
			return c.driver(b).MustReadData(c.Context(), b.Labels[0], config)
		}, "data", b.Labels[0], b.Labels[1])
	case "ephemeral":
		c.instances(b, func(config map[string]any) *acctest.Object {
			opened, diags := c.driver(b).Open(c.Context(), b.Labels[0], config)
			if acctest.HasErrors(diags) {
				c.Fatal(acctest.DiagText(diags))
			}
			return opened.Object
		}, "ephemeral", b.Labels[0], b.Labels[1])
	case "action":
		config, _ := c.config(b.Body, map[string]cty.Value{"caller": cty.DynamicVal})["config"].(map[string]any)
		for name, value := range config {
			if madeUp.MatchString(fmt.Sprint(value)) {
				config[name] = acctest.Unknown
			}
		}
		if diags := c.driver(b).PlanAction(c.Context(), b.Labels[0], config); acctest.HasErrors(diags) {
			c.Errorf("action %v: %s", b.Labels, acctest.DiagText(diags))
		}
	case "list":
		config, _ := c.config(b.Body, nil)["config"].(map[string]any)
		c.driver(b).MustList(c.Context(), b.Labels[0], config, acctest.ListOptions{IncludeResource: true})
	}
}

// provider configures a provider. The first service of a test is its emulator, whatever the endpoint, and an alias that has
// an endpoint of its own has another service.
func (c *configuration) provider(config map[string]any) {
	c.Helper()
	e := c.e
	alias, _ := config["alias"].(string)
	if _, ok := config["endpoint"]; ok && alias != "" {
		e = newEmulator(c.T, c.dir)
	}
	for _, name := range []string{"alias", "endpoint", "token"} {
		delete(config, name)
	}
	c.providers[alias] = e.NewDriver(c, config)
}

// planUnknown plans a resource whose references lead out of the block that the page shows: they are unknown.
func (c *configuration) planUnknown(b *hclsyntax.Block) {
	c.Helper()
	unknown := map[string]cty.Value{}
	for _, root := range c.missing(b) {
		unknown[root] = cty.DynamicVal
	}
	switch config := c.config(b.Body, unknown); b.Type {
	case "provider":
		c.provider(config)
	case "resource":
		if plan := c.driver(b).Plan(c.Context(), b.Labels[0], nil, config); acctest.HasErrors(plan.Diagnostics) {
			c.Errorf("plan %v: %s", b.Labels, acctest.DiagText(plan.Diagnostics))
		}
	}
}

// madeUp is an ID that an example shows in place of a real one.
var madeUp = regexp.MustCompile(`^10\d\d$`)

// driver returns the provider of a block.
func (c *configuration) driver(b *hclsyntax.Block) *acctest.Driver {
	alias := ""
	if attribute := b.Body.Attributes["provider"]; attribute != nil {
		if reference, diags := hcl.AbsTraversalForExpr(attribute.Expr); !diags.HasErrors() && len(reference) == 2 {
			alias = reference[1].(hcl.TraverseAttr).Name
		}
	}
	if d := c.providers[alias]; d != nil {
		return d
	}
	c.Fatalf("there is no provider %q", alias)
	return nil
}

// instances makes each instance of a block, and puts what they are where references find it.
func (c *configuration) instances(b *hclsyntax.Block, instance func(map[string]any) *acctest.Object, at ...string) {
	c.Helper()
	attributes := b.Body.Attributes
	switch forEach, count := attributes["for_each"], attributes["count"]; {
	case forEach != nil:
		made := map[string]cty.Value{}
		for it := c.value(forEach.Expr, nil).ElementIterator(); it.Next(); {
			key, value := it.Element()
			if value.Type() == cty.String && key.Equals(value).True() { // a set
				key = value
			}
			each := object(map[string]cty.Value{"key": key, "value": value})
			made[key.AsString()] = c.toCty(instance(c.config(b.Body, map[string]cty.Value{"each": each})))
		}
		c.put(object(made), at...)
	case count != nil:
		var made []cty.Value
		for n, _ := c.value(count.Expr, nil).AsBigFloat().Int64(); int64(len(made)) < n; {
			index := object(map[string]cty.Value{"index": cty.NumberIntVal(int64(len(made)))})
			made = append(made, c.toCty(instance(c.config(b.Body, map[string]cty.Value{"count": index}))))
		}
		c.put(cty.TupleVal(made), at...)
	default:
		c.put(c.toCty(instance(c.config(b.Body, nil))), at...)
	}
}

// put sets the value that a reference such as data.cloudserver_vm.web finds, or adds to an object of that name.
func (c *configuration) put(value cty.Value, at ...string) {
	c.scope[at[0]] = merged(c.scope[at[0]], value, at[1:])
}

// merged returns a value with another one in it at a path. Two objects at the same place become one.
func merged(in, value cty.Value, at []string) cty.Value {
	members := map[string]cty.Value{}
	if in != cty.NilVal && in.Type().IsObjectType() {
		maps.Copy(members, in.AsValueMap())
	}
	if len(at) > 0 {
		members[at[0]] = merged(members[at[0]], value, at[1:])
		return object(members)
	}
	if len(members) > 0 {
		maps.Copy(members, value.AsValueMap())
		return object(members)
	}
	return value
}

// config returns the configuration that the provider gets of a body. Meta-arguments are the CLI's.
func (c *configuration) config(body *hclsyntax.Body, known map[string]cty.Value) map[string]any {
	c.Helper()
	own := *body
	own.Attributes = maps.Clone(body.Attributes)
	for _, name := range []string{"provider", "depends_on", "for_each", "count", "include_resource", "limit"} {
		delete(own.Attributes, name)
	}
	return acctest.HCLConfig(c, &own, c.context(known))
}

func (c *configuration) value(expression hcl.Expression, known map[string]cty.Value) cty.Value {
	c.Helper()
	value, diags := expression.Value(c.context(known))
	if diags.HasErrors() {
		c.Fatal(diags)
	}
	return value
}

func (c *configuration) context(known map[string]cty.Value) *hcl.EvalContext {
	scope := maps.Clone(c.scope)
	maps.Copy(scope, known)
	return &hcl.EvalContext{Variables: scope, Functions: c.functions()}
}

func (c *configuration) toCty(o *acctest.Object) cty.Value {
	c.Helper()
	text, err := o.JSON()
	if err != nil {
		c.Fatal(err)
	}
	typ, err := ctyjson.ImpliedType([]byte(text))
	if err != nil {
		c.Fatal(err)
	}
	value, err := ctyjson.Unmarshal([]byte(text), typ)
	if err != nil {
		c.Fatal(err)
	}
	return value
}

// functions are those of Terraform's that the pages use.
func (c *configuration) functions() map[string]function.Function {
	return map[string]function.Function{
		"concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc, "flatten": stdlib.FlattenFunc, "join": stdlib.JoinFunc,
		"jsonencode": stdlib.JSONEncodeFunc, "keys": stdlib.KeysFunc, "length": stdlib.LengthFunc, "merge": stdlib.MergeFunc,
		"toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "trimspace": stdlib.TrimSpaceFunc, "yamlencode": stdlib.JSONEncodeFunc,
		"file": c.text(c.file), "filesha256": c.text(func(string) string { return strings.Repeat("0", 64) }),
		"templatefile": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "values", Type: cty.DynamicPseudoType}},
			Type:   function.StaticReturnType(cty.String),
			Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
				template, diags := hclsyntax.ParseTemplate([]byte(c.file(arguments[0].AsString())), "template", hcl.InitialPos)
				if diags.HasErrors() {
					return cty.NilVal, diags
				}
				value, diags := template.Value(&hcl.EvalContext{Variables: arguments[1].AsValueMap(), Functions: c.functions()})
				if diags.HasErrors() {
					return cty.NilVal, diags
				}
				return value, nil
			},
		}),
		"startswith": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: "prefix", Type: cty.String}},
			Type:   function.StaticReturnType(cty.Bool),
			Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
				return cty.BoolVal(strings.HasPrefix(arguments[0].AsString(), arguments[1].AsString())), nil
			},
		}),
		"provider::cloudserver::megabytes": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "size", Type: cty.String}},
			Type:   function.StaticReturnType(cty.Number),
			Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
				size, err := c.providers[""].Call(c.Context(), "megabytes", arguments[0].AsString())
				if err != nil {
					return cty.NilVal, errors.New(err.Text)
				}
				return cty.NumberIntVal(size.(int64)), nil
			},
		}),
	}
}

// text is a function from text to text.
func (c *configuration) text(of func(string) string) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(arguments []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.StringVal(of(arguments[0].AsString())), nil
		},
	})
}

// file returns the content of a file of the example, or of the user's public key.
func (c *configuration) file(path string) string {
	if strings.HasPrefix(path, "~") {
		return publicKey
	}
	content, err := os.ReadFile(path)
	if err != nil {
		c.Error(err)
	}
	return string(content)
}

func object(members map[string]cty.Value) cty.Value { return cty.ObjectVal(members) }
