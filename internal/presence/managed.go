package presence

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// BeginRead writes the identity, which every read must do, and notes that the resource has the object. It reports whether
// requests can be made.
func BeginRead(
	ctx context.Context, d *tfkit.ProviderData, identity tfkit.Identity, object run.Object, resp *resource.ReadResponse,
) bool {
	diags := &resp.Diagnostics
	identity.Save(ctx, resp.Identity, diags)
	imports := tfkit.EndImport(ctx, resp.Private, diags)
	if !d.Ready() {
		return false
	}
	if !imports {
		Manage(d, object, diags)
	}
	switch again, destroyed := d.Notes.Read(object); {
	case destroyed && again:
		addShared(object, diags)
	case again && !diags.HasError():
		diags.AddAttributeWarning(identityPath(identity), "Two resources manage one object",
			fmt.Sprintf("Two resources of this configuration have %s in the state, and to destroy one of them destroys it for both. %s", object, giveUp))
	}
	return !diags.HasError()
}

// identityPath returns the attribute that identifies an object to users.
func identityPath(identity tfkit.Identity) path.Path {
	for name := range identity {
		if _, ok := identity["id"]; !ok {
			return path.Root(name)
		}
	}
	return path.Root("id")
}

// Import notes that a resource imports the object, and marks the private state for the read that follows. It reports an
// error if another resource of this run imports the object or has it in its state.
func Import(ctx context.Context, d *tfkit.ProviderData, object run.Object, resp *resource.ImportStateResponse) bool {
	if d.Notes.Import(object) {
		addSecondImport(object, &resp.Diagnostics)
		return false
	}
	tfkit.BeginImport(ctx, resp.Private, &resp.Diagnostics)
	return true
}

// Manage notes that a resource has the object in its state. It reports an error if another resource imports the object.
func Manage(d *tfkit.ProviderData, object run.Object, diags *diag.Diagnostics) {
	if d.Notes.Manage(object) {
		addSecondImport(object, diags)
	}
}

// WarnAdopted warns that a creation has taken an object for its own although the service has confirmed no request for it:
// the object was found by its name after a failure, nothing had the name before, and it is as requested. Without a
// failure there is no warning.
func WarnAdopted(object run.Object, name string, failure error, diags *diag.Diagnostics) {
	if failure == nil {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), "Created an object without the service's confirmation", tfkit.Detail(failure,
		fmt.Sprintf("After that, %s was found under the name %q, which nobody had before, and it is what was asked for: it is in the state now. "+
			"If another run creates this name as well, it may be theirs: look at it before you change or destroy it.", object, name)))
}

// PlanDestroy notes that a plan destroys the object. It reports an error if another resource also has it.
func PlanDestroy(d *tfkit.ProviderData, object run.Object, diags *diag.Diagnostics) {
	if d.Ready() && d.Notes.PlanDestroy(object) {
		addShared(object, diags)
	}
}

// giveUp explains how to remove one of two resources from the state.
const giveUp = "To take one of them out of the state and keep the object, run `terraform state rm` with its address; or replace its block by a removed block with destroy = false."

func addShared(object run.Object, diags *diag.Diagnostics) {
	diags.AddError("Cannot destroy "+object.String(),
		"Another resource of this configuration has it in the state, too, and would lose it. "+giveUp)
}

func addSecondImport(object run.Object, diags *diag.Diagnostics) {
	diags.AddError("Cannot import "+object.String()+" for a second resource",
		"Another resource of this configuration has it in the state, or another import block names it, perhaps in another form. "+
			"Two resources must not manage one object: to remove one of them would delete it. Remove one of the import blocks and its resource. "+
			"To give a resource another address, use a moved block instead. "+
			"To hand the object over, apply a removed block with destroy = false first, and import it in the next apply.")
}
