package adopt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
)

// maxNames is how many existing names an error lists.
const maxNames = 12

// visible are the names of what exists in the selected accounts, selected or not.
type visible struct{ groups, machines []string }

// readMachineNames reads the names of all machines of the account, after none was selected by its name.
func (r *reader) readMachineNames() {
	var diags diag.Diagnostics // the lists have reported the same
	all := location.Filter{Account: types.StringValue(r.account)}
	for _, vm := range all.FindShared(r.ctx, location.SourceOf(r.service.data), &diags) {
		r.exist.machines = append(r.exist.machines, vm.Name)
	}
}

// nothing returns the error of a selection that matches nothing, or nil if there is nothing to select.
func (s selection) nothing(exist *visible) error {
	switch {
	case s.group != "" && !slices.ContainsFunc(exist.groups, func(name string) bool { return selects(s.group, name) }):
		return unselected("--group", s.group, "group", "the selected accounts have", exist.groups)
	case s.name != "" && len(exist.machines) > 0:
		return unselected("--name", s.name, "machine of the selected groups", "the selected accounts have", exist.machines)
	}
	return nil
}

// unselected returns the error of a pattern that matches nothing, with what there is and what was probably meant.
func unselected(flag, pattern, what, there string, names []string) error {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	list := strings.Join(names[:min(len(names), maxNames)], ", ")
	if more := len(names) - maxNames; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	if len(names) == 0 {
		list = "none"
	}
	meant := ""
	if !slices.Contains(names, pattern) { // as the name of a machine in another group
		meant = command.DidYouMean(cloudserver.Shown(command.Closest(pattern, names)))
	}
	return fmt.Errorf("%s %q matches no %s; %s: %s.%s It is a pattern for the whole name, with *, ? and [a-c], such as 'web*'",
		flag, pattern, what, there, cloudserver.Shown(list), meant)
}
