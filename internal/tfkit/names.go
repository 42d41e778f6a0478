package tfkit

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// RefuseDigits reports an error for a new name that consists of digits only: the
// service takes names and IDs alike in a path, so that a request for one object
// could reach another. What is the kind of object. Objects that have such a name
// already can be imported and managed.
func RefuseDigits(before, now types.String, at path.Path, what string, diags *diag.Diagnostics) {
	if !Given(now) || !cloudserver.IsDigits(now.ValueString()) || before.Equal(now) {
		return
	}
	diags.AddAttributeError(at, "Invalid name of a "+what,
		fmt.Sprintf("The name %q consists of digits only, and could be taken for the ID of another %s. Add a letter to it.", now.ValueString(), what))
}
