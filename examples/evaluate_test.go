// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
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
		T: t, dir: dir, e: e, inputs: inputs(), imports: map[string]string{},
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
		id, each := b.Body.Attributes["id"], b.Body.Attributes["for_each"]
		if b.Type == "import" && id != nil && each == nil {
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
			for _, reference := range c.missing(b) {
				c.Errorf("%s: the reference leads nowhere", reference.SourceRange())
			}
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
func (c *configuration) missing(b *hclsyntax.Block) (missing []hcl.Traversal) {
	for _, reference := range references(b.Body) {
		switch reference.RootName() {
		case "each", "count", "disc", "caller": // they are known where they stand
			continue
		case "cloudserver": // a provider
			if c.providers[lastName(reference)] == nil {
				missing = append(missing, reference)
			}
			continue
		}
		if _, diags := reference.TraverseAbs(&hcl.EvalContext{Variables: c.scope}); diags.HasErrors() {
			missing = append(missing, reference)
		}
	}
	return missing
}

// lastName returns the second of two names, or "" if there is one.
func lastName(reference hcl.Traversal) string {
	if len(reference) < 2 {
		return ""
	}
	return reference[1].(hcl.TraverseAttr).Name
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
		c.planAction(b, map[string]cty.Value{"caller": cty.DynamicVal})
	case "list":
		config, _ := c.config(b.Body, nil)["config"].(map[string]any)
		c.driver(b).MustList(c.Context(), b.Labels[0], config, acctest.ListOptions{IncludeResource: true})
	}
}

// provider configures a provider. Its service is the emulator, whatever the endpoint.
func (c *configuration) provider(config map[string]any) {
	c.Helper()
	alias, _ := config["alias"].(string)
	for _, name := range []string{"alias", "endpoint", "token"} {
		delete(config, name)
	}
	c.providers[alias] = c.e.NewDriver(c, config)
}

// planAction plans an action. IDs that are made up are unknown.
func (c *configuration) planAction(b *hclsyntax.Block, known map[string]cty.Value) {
	c.Helper()
	config, _ := c.config(b.Body, known)["config"].(map[string]any)
	for name, value := range config {
		if madeUp.MatchString(fmt.Sprint(value)) {
			config[name] = acctest.Unknown
		}
	}
	if diags := c.driver(b).PlanAction(c.Context(), b.Labels[0], config); acctest.HasErrors(diags) {
		c.Errorf("action %v: %s", b.Labels, acctest.DiagText(diags))
	}
}

// planUnknown plans a resource or an action whose references lead out of what the page shows: they are unknown.
func (c *configuration) planUnknown(b *hclsyntax.Block) {
	c.Helper()
	unknown := map[string]cty.Value{}
	for _, reference := range c.missing(b) {
		unknown[reference.RootName()] = cty.DynamicVal
	}
	if b.Type == "action" {
		c.planAction(b, unknown)
		return
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

// driver returns the provider of a block. A part of a configuration may name one that it does not have.
func (c *configuration) driver(b *hclsyntax.Block) *acctest.Driver {
	if attribute := b.Body.Attributes["provider"]; attribute != nil {
		if d := c.providers[lastName(attribute.Expr.Variables()[0])]; d != nil {
			return d
		}
	}
	return c.providers[""]
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

// put sets the value that a reference such as data.cloudserver_vm.web finds.
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

func object(members map[string]cty.Value) cty.Value { return cty.ObjectVal(members) }
