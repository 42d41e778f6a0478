package adopt

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// tracked is an instance of a resource in a state.
type tracked struct {
	*tfjson.StateResource

	resource string    // its address without keys, as dependencies and removed blocks name it
	block    string    // its address without its own key
	key      cty.Value // cty.NilVal: it has none
	goes     bool
}

// readState reads the output of `terraform show -json`.
func readState(name string) ([]*tracked, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	state := &tfjson.State{}
	state.UseJSONNumber(true)
	if err := json.Unmarshal(content, state); err != nil || state.Values == nil || state.Values.RootModule == nil {
		return nil, fmt.Errorf("%s is not the output of `terraform show -json` of a state with resources: write it with `terraform show -json >%[1]s` in the old directory", name)
	}
	var all []*tracked
	modules := []*tfjson.StateModule{state.Values.RootModule}
	for len(modules) > 0 {
		module := modules[0]
		modules = append(modules[1:], module.ChildModules...)
		for _, r := range module.Resources {
			one, err := track(r)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// track parses the address of an instance. Anything that is not an address is an error, because it would become part of
// a configuration.
func track(r *tfjson.StateResource) (*tracked, error) {
	steps, diags := hclsyntax.ParseTraversalAbs([]byte(r.Address), "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%q is not the address of a resource", r.Address)
	}
	t := &tracked{StateResource: r, key: cty.NilVal}
	if last, ok := steps[len(steps)-1].(hcl.TraverseIndex); ok {
		t.key, steps = last.Key, steps[:len(steps)-1]
	}
	t.block = string(hclwrite.TokensForTraversal(steps).Bytes())
	var names []string
	for _, step := range steps {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			names = append(names, step.Name)
		case hcl.TraverseAttr:
			names = append(names, step.Name)
		}
	}
	t.resource = strings.Join(names, ".")
	return t, nil
}

// text returns a string attribute, or "" if it is not a string.
func (t *tracked) text(attribute string) string {
	text, _ := t.AttributeValues[attribute].(string)
	return text
}

// isManaged reports whether the instance is a managed resource of this type.
func (t *tracked) isManaged(typeName string) bool {
	return t.Mode == tfjson.ManagedResourceMode && t.Type == typeName
}

// importID returns the ID to import the object by.
func (t *tracked) importID() string {
	switch t.Type {
	case scheduleType:
		return t.text("virtual_machine_id") + "/" + t.text("disc_id") + "/" + t.text("id")
	case nameType:
		return t.text("address")
	}
	return t.text("id")
}

// refersTo reports whether an instance refers to another one. The state only has the resources on which a block
// depends, also through others. For the provider's own resources, values determine which instance is meant.
func (t *tracked) refersTo(other *tracked) bool {
	if !slices.Contains(t.DependsOn, other.resource) {
		return false
	}
	switch {
	case t.isManaged(machineType) && other.isManaged(groupType):
		return t.text("group_id") == other.text("id")
	case (t.isManaged(scheduleType) || t.isManaged(nameType)) && other.isManaged(groupType):
		return false // through its machine only
	case t.isManaged(scheduleType) && other.isManaged(machineType):
		return t.text("virtual_machine_id") == other.text("id")
	case t.isManaged(nameType) && other.isManaged(machineType):
		return tfkit.SameAddress(t.text("address"), other.text("ipv4_address")) || tfkit.SameAddress(t.text("address"), other.text("ipv6_address"))
	}
	return true
}
