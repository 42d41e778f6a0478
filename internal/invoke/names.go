// SPDX-License-Identifier: MPL-2.0

package invoke

import (
	"context"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// machineArguments are the arguments that are the ID of a machine.
var machineArguments = []string{"virtual_machine_id", "to"}

// findNamed replaces in the arguments a machine's group/name or account/group/name, and the label of its disc, by an ID. The
// provider is configured.
func (a *Action) findNamed(ctx context.Context, values map[string]cty.Value) error {
	if err := a.findMachines(ctx, values); err != nil {
		return err
	}
	return a.findDisc(ctx, values)
}

func (a *Action) findMachines(ctx context.Context, values map[string]cty.Value) error {
	for _, name := range machineArguments {
		value, ok := values[name]
		if !ok || value.IsNull() {
			continue
		}
		text := value.AsString()
		if _, err := cloudserver.ParseID(text); err == nil {
			continue
		}
		if slashes := strings.Count(text, "/"); slashes < 1 || slashes > 2 {
			return cmd.Misused("%s is %q, which is neither the ID of a machine, nor group/name, nor account/group/name", name, text)
		}
		id, err := a.findMachine(ctx, text)
		if err != nil {
			return err
		}
		values[name] = id
	}
	return nil
}

// findDisc replaces the label of a disc of the machine by its ID.
func (a *Action) findDisc(ctx context.Context, values map[string]cty.Value) error {
	disc, ok := values["disc_id"]
	if !ok || disc.IsNull() {
		return nil
	}
	label := disc.AsString()
	if _, err := cloudserver.ParseID(label); err == nil {
		return nil
	}
	vm, err := cmd.ReadData(ctx, a.server, "cloudserver_vm", map[string]cty.Value{"id": values["virtual_machine_id"]})
	if err != nil {
		return err
	}
	var labels []string
	for _, one := range vm.GetAttr("discs").AsValueSlice() {
		if cloudserver.SameLabel(one.GetAttr("label").AsString(), label) {
			values["disc_id"] = one.GetAttr("id")
			return nil
		}
		labels = append(labels, one.GetAttr("label").AsString())
	}
	return cmd.Misused("disc_id is %q, which is neither the ID of a disc, nor the label of one of the machine, which has %s",
		label, strings.Join(labels, ", "))
}

func (a *Action) findMachine(ctx context.Context, place string) (cty.Value, error) {
	parts := strings.Split(place, "/")
	where := map[string]cty.Value{"include_deleted": cty.True}
	for i, part := range []string{"name", "group", "account"}[:len(parts)] {
		where[part] = cty.StringVal(parts[len(parts)-1-i])
	}
	vm, err := cmd.ReadData(ctx, a.server, "cloudserver_vm", where)
	if err != nil {
		return cty.NilVal, err
	}
	return vm.GetAttr("id"), nil
}
