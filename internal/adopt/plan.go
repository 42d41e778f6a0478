package adopt

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
)

// plan is the output of `terraform show -json` of a plan.
type plan struct {
	tfjson.Plan

	errored bool // it failed, and goes as far as it came
}

func parsePlan(text []byte) (*plan, error) {
	var state struct {
		Errored bool `json:"errored"`
	}
	p := &plan{}
	p.UseJSONNumber(true)
	err := json.Unmarshal(text, &p.Plan)
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		return nil, fmt.Errorf("this is not the output of `terraform show -json` of a plan: %w", err)
	}
	p.errored = state.Errored
	return p, nil
}

// change is the planned change of a managed resource instance.
type change struct {
	*tfjson.ResourceChange

	at       address
	after    map[string]any
	provider string // the unusual name of its provider, with its alias, or ""
}

// changes returns the planned changes of managed resources, without those of deposed objects.
func (p *plan) changes() (all []change, err error) {
	for _, r := range p.ResourceChanges {
		if r.Mode != tfjson.ManagedResourceMode || r.DeposedKey != "" || r.Change == nil {
			continue
		}
		at, err := parseAddress(r.Address)
		if err != nil {
			return nil, err
		}
		after, _ := r.Change.After.(map[string]any)
		c := change{r, at, after, ""}
		c.provider = p.localName(c)
		all = append(all, c)
	}
	return all, nil
}

// isOwn reports whether the resource is one of this provider's.
func (c change) isOwn() bool {
	return slices.Contains([]string{groupType, machineType, scheduleType, nameType}, c.Type)
}

// text returns a planned value as text, or "" if it is null or unknown.
func (c change) text(attribute string) string {
	switch value := c.after[attribute].(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	}
	return ""
}

// isUnknown reports whether a planned value is known only after apply.
func (c change) isUnknown(attribute string) bool {
	unknown, _ := c.Change.AfterUnknown.(map[string]any)
	is, _ := unknown[attribute].(bool)
	return is
}

// unknownIdentity returns the attributes that identify the object, if they are known only after apply.
func (c change) unknownIdentity() (names []string) {
	for _, name := range map[string][]string{
		groupType: {"account", "name"}, machineType: {"account", "name"}, nameType: {"address"},
		scheduleType: {"virtual_machine_id", "disc_id", "start_at", "interval_seconds"},
	}[c.Type] {
		if c.isUnknown(name) {
			names = append(names, name)
		}
	}
	if c.Type == machineType && c.text("group") == "" && c.text("group_id") == "" {
		names = append(names, "group")
	}
	return names
}

// stateResource is a managed resource instance of a state.
type stateResource struct {
	*tfjson.StateResource

	at address
}

// resourcesOf returns the managed resource instances of a state.
func resourcesOf(values *tfjson.StateValues) (all []stateResource, err error) {
	if values == nil || values.RootModule == nil {
		return nil, nil
	}
	modules := []*tfjson.StateModule{values.RootModule}
	for len(modules) > 0 {
		module := modules[0]
		modules = append(modules[1:], module.ChildModules...)
		for _, r := range module.Resources {
			if r.Mode != tfjson.ManagedResourceMode {
				continue
			}
			at, err := parseAddress(r.Address)
			if err != nil {
				return nil, err
			}
			all = append(all, stateResource{r, at})
		}
	}
	return all, nil
}

// text returns a string attribute, or "" if it is not a string.
func (r stateResource) text(attribute string) string {
	text, _ := r.AttributeValues[attribute].(string)
	return text
}

// importID returns the ID to import the object by, in the form of [existing.Creation].
func (r stateResource) importID() string { return importID(r.Type, r.text) }

// importID returns the ID to import an object by that has these attributes.
func importID(typeName string, text func(attribute string) string) string {
	switch typeName {
	case scheduleType:
		return text("virtual_machine_id") + "/" + text("disc_id") + "/" + text("id")
	case nameType:
		if address, err := netip.ParseAddr(text("address")); err == nil {
			return address.Unmap().String()
		}
		return text("address")
	}
	return text("id")
}

// managed returns the addresses of the objects that the state has, by type and import ID.
func (p *plan) managed() (map[string]string, error) {
	addresses := map[string]string{}
	if p.PriorState == nil {
		return addresses, nil
	}
	all, err := resourcesOf(p.PriorState.Values)
	for _, r := range all {
		addresses[r.Type+" "+r.importID()] = r.Address
	}
	return addresses, err
}

// block returns the resource block of an address, or nil if the configuration in the plan does not have it.
func (p *plan) block(at address, typeName, name string) *tfjson.ConfigResource {
	module := p.module(at)
	if module == nil {
		return nil
	}
	for _, r := range module.Resources {
		if r.Mode == tfjson.ManagedResourceMode && r.Type == typeName && r.Name == name {
			return r
		}
	}
	return nil
}

// module returns the configuration of the module of an address, or nil if there is none.
func (p *plan) module(at address) *tfjson.ConfigModule {
	if p.Config == nil {
		return nil
	}
	module := p.Config.RootModule
	for _, name := range at.modules {
		if module == nil || module.ModuleCalls[name] == nil {
			return nil
		}
		module = module.ModuleCalls[name].Module
	}
	return module
}

// localName returns the name by which the root module knows the provider of a creation, with its alias, or "" if it is
// the usual one.
func (p *plan) localName(c change) string {
	block := p.block(c.at, c.Type, c.Name)
	if block == nil {
		return ""
	}
	usual, _, _ := strings.Cut(c.Type, "_")
	if local, _, _ := strings.Cut(block.ProviderConfigKey, "."); local == usual {
		return ""
	}
	return block.ProviderConfigKey
}
