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

// findMachines replaces a machine's group/name or account/group/name in the arguments by its ID. The provider is
// configured.
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
