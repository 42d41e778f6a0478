package vm

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/fleet"
)

// accept judges a machine that was found by its name after the answer to
// vm_create was lost. One that existed before the request belongs to somebody
// else.
func (r *vmResource) accept(m *model, group string, found *cloudserver.VirtualMachine, began fleet.Moment, diags *diag.Diagnostics) error {
	account := m.Account.ValueString()
	if r.data.Fleet.WasThere(account, group, found.ID, began) {
		return &cloudserver.NameTaken{Account: account, Group: m.Group.ValueString(), Name: found.Name, ID: found.ID}
	}
	if found.Accepted {
		return nil
	}
	diags.AddWarning("The answer to the creation of "+m.title()+" was lost",
		fmt.Sprintf("The service has a machine of that name with the requested specification (ID %d), so it is taken for the new machine, and the state tracks it. "+
			"If somebody else created a machine of the same name and specification at the same moment, it may be theirs.", found.ID))
	return nil
}
